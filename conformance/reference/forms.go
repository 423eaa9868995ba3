package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/tarndb/tarn/storage"
)

// form is a way of writing something that is no function.
type form struct{ example, meaning string }

// formGroups are the forms by what they are for. A test runs the examples one after
// the other, with tables t (id INT, day DATE, city STRING, x DOUBLE, xs ARRAY<INT>)
// of Delta and events of Iceberg.
var formGroups = []struct {
	title string
	forms []form
}{
	{"Tables", []form{
		{"CREATE TABLE trips (id BIGINT NOT NULL, city STRING, day DATE) PARTITIONED BY (day)", "a Delta table, or an Iceberg one if the option format says so; IF NOT EXISTS may stand before the name, USING delta or USING iceberg behind the columns"},
		{"CREATE TABLE stock (sku STRING NOT NULL, n INT, PRIMARY KEY (sku)) USING iceberg TBLPROPERTIES ('format-version' = '3')", "the primary key names the columns that UPSERT and APPLY CHANGES take for keys (Iceberg's identifier fields); it is not checked by INSERT. Iceberg only. Property names and values are in quotes"},
		{"CREATE TABLE visits (who BIGINT, url STRING, at TIMESTAMP) USING iceberg PARTITIONED BY (days(at), bucket(16, who), truncate(8, url))", "partitioned by transforms: years, months, days and hours of a time, bucket, truncate. Iceberg only; a Delta table is partitioned by columns"},
		{"CREATE TABLE graz AS SELECT * FROM t WHERE city = 'Graz'", "with the columns and rows of a query"},
		{"DESCRIBE graz", "its columns; SHOW TABLES lists the tables"},
		{"DROP TABLE IF EXISTS graz", "its files too, but for a table of a catalog"},
	}},
	{"Changes", []form{
		{"INSERT INTO t (id, city) VALUES (2, 'Linz'), (3, 'Wien')", "columns that are not named are NULL; a query may stand in place of VALUES"},
		{"INSERT OVERWRITE t SELECT * FROM t WHERE id > 0", "in place of all rows"},
		{"INSERT INTO t REPLACE WHERE day = DATE '2024-01-02' SELECT 4, DATE '2024-01-02', 'Rom', NULL, NULL", "in place of the rows for which the condition is true; the new ones have to satisfy it"},
		{"UPDATE t SET city = upper(city) WHERE id = 2", ""},
		{"DELETE FROM t WHERE day < DATE '2000-01-01'", "TRUNCATE TABLE t deletes all rows"},
		{"MERGE INTO t USING (SELECT 2 AS id, 'Linz' AS city) s ON t.id = s.id WHEN MATCHED THEN UPDATE SET city = s.city WHEN NOT MATCHED THEN INSERT (id, city) VALUES (s.id, s.city)", "also WHEN NOT MATCHED BY SOURCE, AND with a condition, DELETE, UPDATE SET * and INSERT *; a row that several source rows match is an error"},
		{"UPSERT INTO stock VALUES ('a', 1), ('b', 2)", "whole rows in place of those with the same keys: columns that are not named become NULL. Of rows with one key the last stays; NULL equals NULL"},
		{"UPSERT INTO t (id, city) KEYS (id) SELECT 3, 'Bonn'", "with keys of the statement's own, as a table without a primary key needs; FLOAT and DOUBLE are none"},
		{"APPLY CHANGES INTO stock FROM (SELECT 'a' AS sku, 5 AS n, 'D' AS op, 7 AS seq) KEYS (sku) DELETE WHEN op = 'D' SEQUENCE BY seq", "of a stream of changes the last one of each key, by SEQUENCE BY: it deletes the row or takes its place. A tie for the last one, or NULL, is an error"},
		{"BEGIN; INSERT INTO t (id) VALUES (5); SAVEPOINT a; DELETE FROM t; ROLLBACK TO a; COMMIT", "one transaction; ROLLBACK ends it without a trace"},
	}},
	{"Lambda functions", []form{
		{"SELECT transform(xs, v -> v + id) FROM t", "a function of one argument; columns around it can be read in it"},
		{"SELECT transform(xs, (v, i) -> v * i) FROM t", "of several arguments"},
		{"SELECT aggregate(xs, 0, (sum, v) -> sum + v, sum -> sum * 2) FROM t", "it stands only as an argument of the functions that take one"},
	}},
	{"Time travel", []form{
		{"SELECT * FROM t VERSION AS OF 1", "the table at a version; of an Iceberg table a snapshot's id, or a branch or tag in quotes"},
		{"SELECT * FROM t TIMESTAMP AS OF '2024-01-02 03:04:05'", "as it was at a time, in the session's time zone; a time before the first version is an error, and for a Delta table one after the newest, as in Spark"},
		{"SELECT * FROM t FOR SYSTEM_VERSION AS OF 1", "the same as VERSION AS OF; FOR SYSTEM_TIME AS OF the same as TIMESTAMP AS OF"},
		{"SELECT * FROM t@v1", "the same, where no table is called t@v1"},
	}},
	{"Window frames", []form{
		{"SELECT sum(x) OVER (PARTITION BY city) FROM t", "without ORDER BY the frame is the whole partition"},
		{"SELECT sum(x) OVER (PARTITION BY city ORDER BY day) FROM t", "with it, from the first row to the present one and those that are equal to it in the order"},
		{"SELECT sum(x) OVER (ORDER BY day ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) FROM t", "a number of rows"},
		{"SELECT sum(x) OVER (ORDER BY day ROWS 2 PRECEDING) FROM t", "the same: without BETWEEN a frame ends at the present row"},
		{"SELECT sum(x) OVER (ORDER BY day RANGE BETWEEN INTERVAL '7' DAY PRECEDING AND CURRENT ROW) FROM t", "rows by how far off their value in the order is"},
		{"SELECT sum(x) OVER (ORDER BY day GROUPS BETWEEN UNBOUNDED PRECEDING AND 1 FOLLOWING) FROM t", "a number of groups of rows that are equal in the order"},
		{"SELECT sum(x) OVER w, max(x) OVER w FROM t WINDOW w AS (PARTITION BY city ORDER BY day)", "a window with a name"},
	}},
	{"Metadata", []form{
		{"SELECT _metadata.file_name, * FROM t", "the file that a row is in; the fields are " + strings.Join(metadataFields(), ", ") + ", the last two where the table keeps row ids"},
		{"SELECT * FROM events.snapshots", "tables of what an Iceberg table is made of: " + metadataTables},
	}},
}

// metadataTables are the metadata tables of Iceberg.
const metadataTables = "all_data_files, all_delete_files, all_entries, all_files, all_manifests, data_files, delete_files, entries, files, history, manifests, metadata_log_entries, partitions, refs, snapshots"

func metadataFields() []string {
	var names []string
	for _, f := range storage.FileMetadataType(true).Fields {
		names = append(names, f.Name)
	}
	return names
}

func writeForms(w io.Writer) {
	fmt.Fprint(w, "\n## Forms\n")
	for _, g := range formGroups {
		fmt.Fprintf(w, "\n### %s\n\n| as in | |\n|---|---|\n", g.title)
		for _, f := range g.forms {
			fmt.Fprintf(w, "| %s | %s |\n", code(f.example), cell(f.meaning))
		}
	}
}
