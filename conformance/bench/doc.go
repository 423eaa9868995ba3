// Command bench runs the workloads of a side-by-side benchmark and answers in JSON
// lines: one object per run with seconds, cpu, rows and a checksum of the
// result, or with the table that a write workload has made. It does all of it
// through database/sql, like any program.
//
// This compares tarn with DuckDB, delta-rs (whose SQL is DataFusion), Polars,
// chDB and Spark over the same Delta tables, and prints medians of wall and CPU
// time with their ratios to the best:
//
//	go run ./conformance/bench -matrix -dir DATA/sf1
//
// It needs the side-by-side benchmark, which it finds in tools/bench of the
// directory that TARN_SHARED names. Its README says how the peers are installed
// (setup.sh, and env.sh to be sourced before) and the data made (gen.py: --only
// tpch,part,points,dv,wide,write). What stands after the flags is passed on, to
// choose engines, workloads, runs and files for the results:
//
//	go run ./conformance/bench -matrix -dir DATA/sf1 -- --only duckdb-1.4.4,delta-rs --queries @short,@write --runs 5 --md out.md
//
// The engines take turns, so that a slow spell of the machine meets all of them;
// on a machine that does other things as well, compare CPU times. Answers are
// compared between engines, and written tables read again by delta-rs.
//
// A query alone, or a served process that reads a request per line, as the
// benchmark starts it (--cmd takes the first with -sql-file={sql}, which is empty
// for a workload without a query):
//
//	go build -o BIN ./conformance/bench
//	BIN -dir DATA/sf1 -format delta -query q06 -threads 2 -sql-file q06.sql
//	BIN -serve -dir DATA/sf1 -threads 2 -queries QUERIES
//
// DATA/sf1/layout.json maps format, then table, to the table's path below it.
package main
