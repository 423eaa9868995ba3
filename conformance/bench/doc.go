// Command bench runs queries of a side-by-side benchmark and answers in JSON
// lines: one object per run with seconds, cpu, rows and a checksum of the
// result. It reads the data through database/sql, like any program.
//
//	go build -o BIN ./conformance/bench
//	BIN -dir DATA -format delta -query q06 -threads 2 -sql-file q06.sql
//	BIN -serve -dir DATA -threads 2 -queries QUERIES
//
// DATA/layout.json maps format, then table, to the table's path below DATA.
package main
