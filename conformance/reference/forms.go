package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/tarndb/tarn/storage"
)

// form is a way of writing something that is no function.
type form struct{ example, meaning string }

// formGroups are the forms by what they are for. A test runs the examples, with
// tables t (id INT, day DATE, city STRING, x DOUBLE, xs ARRAY<INT>) of Delta and
// events of Iceberg.
var formGroups = []struct {
	title string
	forms []form
}{
	{"Lambda functions", []form{
		{"SELECT transform(xs, v -> v + id) FROM t", "a function of one argument; columns around it can be read in it"},
		{"SELECT transform(xs, (v, i) -> v * i) FROM t", "of several arguments"},
		{"SELECT aggregate(xs, 0, (sum, v) -> sum + v, sum -> sum * 2) FROM t", "it stands only as an argument of the functions that take one"},
	}},
	{"Time travel", []form{
		{"SELECT * FROM t VERSION AS OF 1", "the table at a version; of an Iceberg table a snapshot's id, or a branch or tag as a string"},
		{"SELECT * FROM t TIMESTAMP AS OF '2024-01-02 03:04:05'", "as it was at a time, in the session's time zone; a time before the first version or after the newest is an error"},
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
