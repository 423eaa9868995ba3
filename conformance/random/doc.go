// Command random makes tables and queries from a seed and runs each query
// several times over, in ways that must not matter: with two threads and, in
// turn, with one or eight, with so little memory that rows go to temporary
// files, from batches of 1, 7 or 2048 rows of tables in memory that no
// statistics describe, with its conditions made opaque to the statistics of the
// files, and written into a table and read back. It prints what differs, and writes a JSON
// line for each query with its rows, in tarn's words and in DuckDB's, for
// interop/random_check.py, which runs it there.
//
//	go run ./conformance/random -seed 1 -count 1000 -dir DIR
//
// The generator is in these parts: text.go is a piece of SQL in both dialects,
// kinds.go the types, tables.go the tables, functions.txt the functions with
// their spelling in DuckDB, expr.go, lambda.go, aggregate.go, window.go, subquery.go,
// from.go and query.go what their names say. A query should rarely fail, so
// whole numbers carry a bound that says which arithmetic is safe, and rarely be
// empty. Where a query could have more than one right answer, such as a LIMIT
// among equal sort keys, it is not generated.
//
// Columns of types that Delta has none for, such as TIME and UUID, are computed
// in subqueries (from.go, widened).
//
// At the end it says which operators, functions and aggregates of package eval,
// types, words of EXPLAIN and clauses no query reached; with -complete that is
// a failure too. It fails if variants of a query differ, if a statement
// panicked, or if goroutines are left.
package main
