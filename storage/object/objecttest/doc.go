// Package objecttest holds the suite that every implementation of object.Store
// passes. It promises that a store which passes serves the commit protocols of
// the table formats; it leaves durability, which no test in one process can
// see, to each store's own tests.
//
//	func TestAcceptance(t *testing.T) {
//		objecttest.AcceptanceTest(t, func(t *testing.T) object.Store {
//			return object.NewMemory("")
//		})
//	}
package objecttest
