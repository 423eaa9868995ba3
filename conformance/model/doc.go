// Command model compares tables with a model of them: a map from key to row.
// Random statements change both, and after each step the table has to have the
// rows of the map.
//
//	go run ./conformance/model -seed 1 -steps 20000 -dir DIR
//
// A step is a statement of one connection, inside a transaction or its own:
// INSERT, UPSERT, APPLY CHANGES, UPDATE, DELETE, MERGE, BEGIN, COMMIT, ROLLBACK,
// SAVEPOINT, ROLLBACK TO, RELEASE, a filtered read, or a read of a state that was
// committed before. Where rows have ids (Iceberg v3), changes have to leave them
// theirs. After so many steps the next kind of table is taken: of each format and
// its versions, with each way to take rows away, partitioned and not, in the
// directory and in a catalog.
//
// In -dir are the tables and dumps.jsonl: every 200 steps the place of the table,
// its newest version and the rows that it must have, for
// conformance/interop/model_check.py, which reads them in Spark.
//
// The command prints the statements before the first difference, with the seed
// that gives them again, and exits with 1.
package main
