// Package storagetest checks that a table format keeps the contract of package
// storage. AcceptanceTest is run by each format on each store, from the
// format's external test package.
package storagetest
