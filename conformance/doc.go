// Package conformance holds what checks tarn from outside: the golden tables
// that reference engines wrote with the rows that they must give, the public
// sources of other projects, SQL scripts that run on every store, and the table
// of imports that keeps the layers apart.
//
// The golden tables are not part of the module. They are found through the
// environment variable TARN_SHARED (default: ../shared beside the module) and
// their tests skip, saying so, where it is absent.
package conformance
