package conformance

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// icebergCase is a case.json of golden/iceberg.
type icebergCase struct {
	Name           string                     `json:"name"`
	MetadataFile   string                     `json:"metadata_file"`
	Expected       map[string]json.RawMessage `json:"expected"`
	ExpectedBySpec map[string]string          `json:"expected_by_spec"`
	Snapshots      []struct{ N, ID int64 }    `json:"snapshots"`
	Current        *int64                     `json:"current_snapshot"`
	Location       string                     `json:"location"`
	Skipping       string                     `json:"skipping"`
}

// icebergPredicate is an entry of skipping.json.
type icebergPredicate struct {
	Predicate string   `json:"predicate"`
	Files     []string `json:"files"`
	Rows      int      `json:"rows"`
	// RowsOfAll is the number of rows where skipping changes the reference's answer.
	RowsOfAll *int `json:"rows_if_no_file_is_skipped"`
}

// referenceErrs are rows that the reference gives although the table's change
// stream has deleted them: it compares keys of the snapshot's type with those of
// the newer schema.
var referenceErrs = map[string]string{
	"flink_key_schema_evolution expected/snapshot_2": `{"id":3,"junk":"j3","f":3.5}`,
}

// TestGoldenIceberg reads every golden Iceberg table at every selector.
func TestGoldenIceberg(t *testing.T) {
	db, err := sql.Open("tarn", "memory://")
	require.NoError(t, err)
	defer db.Close()
	testGolden(t, "iceberg", func(t *testing.T, dir string, cases, selectors *Suite) {
		data, err := os.ReadFile(filepath.Join(dir, "case.json"))
		require.NoError(t, err)
		g := &icebergRun{t: t, db: db, dir: dir}
		require.NoError(t, json.Unmarshal(data, &g.c))
		g.run(cases, selectors)
	})
}

type icebergRun struct {
	t   *testing.T
	db  *sql.DB
	dir string
	c   icebergCase
}

func (g *icebergRun) run(cases, selectors *Suite) {
	unsupported, failure := countSelectors(g.t, g.c.Name, g.c.Expected, selectors, g.selector)
	for _, wrong := range append(g.skipping(), g.metadataTables()...) {
		failure = "see its selectors"
		selectors.Count(g.c.Name, "", wrong)
		g.t.Error(wrong)
	}
	cases.Count(g.c.Name, unsupported, failure)
}

// name is the table, by its directory or, where a catalog has the pointer, by
// its metadata file.
func (g *icebergRun) name() string {
	table := filepath.Join(g.dir, "table")
	if !strings.HasPrefix(g.c.MetadataFile, "metadata/v") {
		table = filepath.Join(table, g.c.MetadataFile)
	}
	return "iceberg.`" + table + "`"
}

// selector checks the rows of one selector: it gives the feature that is
// refused, or what is wrong.
func (g *icebergRun) selector(s string, expected json.RawMessage) (unsupported, failure string) {
	kind, rest, _ := strings.Cut(s, ":")
	query := "SELECT * FROM " + g.name()
	switch kind {
	case "snapshot":
		query += " VERSION AS OF " + rest
	case "timestamp":
		ms, err := strconv.ParseInt(rest, 10, 64)
		require.NoError(g.t, err)
		query += " TIMESTAMP AS OF '" + time.UnixMilli(ms).UTC().Format("2006-01-02 15:04:05.000") + "'"
	case "tag", "branch":
		query += " VERSION AS OF '" + rest + "'"
	case "row_lineage":
		query = "SELECT *, _metadata.row_id AS _row_id, _metadata.row_commit_version AS _last_updated_sequence_number FROM " + g.name()
	}
	got, err := Query(context.Background(), g.db, query)
	if err != nil {
		if feature, ok := UnsupportedName(err); ok {
			return feature, ""
		}
		return "", err.Error()
	}
	stem := g.rows(s, expected)
	data, err := os.ReadFile(filepath.Join(g.dir, stem+".ndjson"))
	require.NoError(g.t, err)
	want, err := ExpectedLines(data, got.Fields)
	if err != nil {
		return "", err.Error()
	}
	if wrong, ok := referenceErrs[g.c.Name+" "+stem]; ok {
		require.Contains(g.t, want, wrong)
		want = slices.DeleteFunc(want, func(line string) bool { return line == wrong })
	}
	return "", diffLines(want, got.Lines())
}

// rows is the file of a selector's rows, without its ending: by the
// specification where the reference departs from it, which it does for the
// current snapshot by every name of it.
func (g *icebergRun) rows(s string, expected json.RawMessage) string {
	var stem string
	require.NoError(g.t, json.Unmarshal(expected, &stem))
	for _, snapshot := range g.c.Snapshots {
		isCurrent := g.c.Current != nil && snapshot.ID == *g.c.Current
		if spec, ok := g.c.ExpectedBySpec["latest"]; ok && isCurrent && stem == fmt.Sprintf("expected/snapshot_%d", snapshot.N) {
			return spec
		}
	}
	if spec, ok := g.c.ExpectedBySpec[s]; ok {
		return spec
	}
	return stem
}

// skipping checks that no file is read that the reference skips, and that
// skipping changes no answer.
func (g *icebergRun) skipping() (failures []string) {
	if g.c.Skipping == "" {
		return nil
	}
	data, err := os.ReadFile(filepath.Join(g.dir, g.c.Skipping))
	require.NoError(g.t, err)
	var file struct{ Predicates []icebergPredicate }
	require.NoError(g.t, json.Unmarshal(data, &file))
	for _, p := range file.Predicates {
		files, err := SelectedFiles(context.Background(), g.name(), p.Predicate)
		if err != nil {
			failures = append(failures, p.Predicate+": "+err.Error())
			continue
		}
		rows := 0
		for f, n := range files {
			rows += n
			if name := strings.TrimPrefix(f, g.c.Location+"/"); n == 0 && !slices.Contains(p.Files, name) {
				failures = append(failures, fmt.Sprintf("%s: reads %s, which the reference skips", p.Predicate, name))
			}
		}
		want := p.Rows
		if p.RowsOfAll != nil {
			want = *p.RowsOfAll
		}
		if rows != want {
			failures = append(failures, fmt.Sprintf("%s: %d rows instead of %d", p.Predicate, rows, want))
		}
		counted, err := Query(context.Background(), g.db, "SELECT count(*) FROM "+g.name()+" WHERE "+p.Predicate)
		require.NoError(g.t, err)
		if n := counted.Rows[0][0]; n != int64(want) {
			failures = append(failures, fmt.Sprintf("count(*) WHERE %s is %v instead of %d", p.Predicate, n, want))
		}
		if wrong := skippingChangesRows(g.db, g.name(), p.Predicate); wrong != "" {
			failures = append(failures, wrong)
		}
	}
	return failures
}
