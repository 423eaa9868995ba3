package main

import (
	"fmt"
	"io"
)

// typeRow is a type, as a statement names it.
type typeRow struct {
	name    string
	others  string // further names of it
	doc     string
	noDelta bool // no column of a Delta table can be made with it
	// iceberg says what a column of an Iceberg table is that is made with it, or
	// since which format version; empty for the type itself.
	iceberg string
}

// typeRows are all types. A test makes a column of each.
var typeRows = []typeRow{
	{name: "BOOLEAN", others: "BOOL", doc: "true and false"},
	{name: "TINYINT", others: "BYTE", doc: "whole numbers of 8 bits", iceberg: "as INT"},
	{name: "SMALLINT", others: "SHORT", doc: "whole numbers of 16 bits", iceberg: "as INT"},
	{name: "INT", others: "INTEGER", doc: "whole numbers of 32 bits"},
	{name: "BIGINT", others: "LONG", doc: "whole numbers of 64 bits"},
	{name: "FLOAT", others: "REAL", doc: "binary floating point of 32 bits"},
	{name: "DOUBLE", doc: "binary floating point of 64 bits"},
	{name: "DECIMAL(10, 2)", others: "NUMERIC, DEC", doc: "exact numbers of up to 38 digits, here 10 with 2 of them behind the point; DECIMAL is DECIMAL(10, 0)"},
	{name: "STRING", others: "TEXT, VARCHAR", doc: "text"},
	{name: "VARCHAR(20)", doc: "text of at most 20 characters", iceberg: "as STRING"},
	{name: "CHAR(20)", others: "CHARACTER(20)", doc: "the same, filled with blanks where it is read", iceberg: "as STRING"},
	{name: "BINARY", others: "BYTEA, BLOB, VARBINARY", doc: "bytes"},
	{name: "DATE", doc: "days"},
	{name: "TIMESTAMP", others: "TIMESTAMP_LTZ, TIMESTAMPTZ", doc: "instants, in microseconds"},
	{name: "TIMESTAMP_NTZ", others: "DATETIME", doc: "what a clock and a calendar show, in microseconds"},
	{name: "ARRAY<INT>", doc: "lists"},
	{name: "MAP<STRING, INT>", doc: "entries of a key and a value"},
	{name: "STRUCT<a: INT, b: STRING>", others: "ROW(a INT, b STRING)", doc: "fields with names"},
	{name: "VOID", doc: "NULL alone", iceberg: "v3"},
	{name: "VARIANT", noDelta: true, doc: "JSON that keeps its types; read from tables, not written yet", iceberg: "no"},
	{name: "TIME", noDelta: true, doc: "times of a day"},
	{name: "UUID", noDelta: true, doc: "16 bytes, shown in the usual form"},
	{name: "FIXED(16)", noDelta: true, doc: "16 bytes"},
	{name: "TIMESTAMP(9)", noDelta: true, doc: "instants, in nanoseconds", iceberg: "v3"},
	{name: "TIMESTAMP_NTZ(9)", noDelta: true, doc: "what a clock and a calendar show, in nanoseconds", iceberg: "v3"},
	{name: "INTERVAL DAY TO SECOND", others: "INTERVAL YEAR TO MONTH and others", noDelta: true, doc: "spans of time, in expressions alone", iceberg: "no"},
}

func writeTypes(w io.Writer) {
	fmt.Fprint(w, "\n## Types\n\n| type | also | | in Delta tables | in Iceberg tables |\n|---|---|---|---|---|\n")
	for _, t := range typeRows {
		others, column := "", "yes"
		if t.others != "" {
			others = code(t.others)
		}
		if t.noDelta {
			column = "no"
		}
		iceberg := t.iceberg
		if iceberg == "" {
			iceberg = "yes"
		}
		fmt.Fprintf(w, "| %s | %s | %s | %s | %s |\n", code(t.name), others, t.doc, column, iceberg)
	}
}
