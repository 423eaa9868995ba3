package main

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/conformance/sharedtest"
	"github.com/tarndb/tarn/driver"
	"github.com/tarndb/tarn/sql/bind"
	"github.com/tarndb/tarn/sql/eval"
)

// TestReferenceIsFresh compares the file with the tables.
func TestReferenceIsFresh(t *testing.T) {
	var want strings.Builder
	write(&want)
	got, err := os.ReadFile(filepath.Join(sharedtest.ModuleRoot(t), target))
	require.NoError(t, err)
	require.True(t, want.String() == string(got), "run: go run ./conformance/reference")
}

// TestTypes makes a column of every type of the reference, which names all.
func TestTypes(t *testing.T) {
	db, err := sql.Open("tarn", "memory://")
	require.NoError(t, err)
	defer db.Close()
	names := map[string]bool{}
	for i, row := range typeRows {
		for name := range strings.FieldsFuncSeq(row.name+", "+row.others, func(r rune) bool { return strings.ContainsRune(", (<", r) }) {
			names[name] = true
		}
		_, err := db.Exec(fmt.Sprintf("CREATE TABLE x%d (a %s)", i, row.name))
		if row.noDelta {
			require.ErrorIs(t, err, driver.ErrUnsupportedFeature, row.name)
		} else {
			require.NoError(t, err, row.name)
		}
		for version := 1; version <= 3; version++ {
			_, err := db.Exec(fmt.Sprintf("CREATE TABLE y%d_%d (a %s) USING iceberg TBLPROPERTIES ('format-version' = '%d')", i, version, row.name, version))
			if row.iceberg == "no" || row.iceberg == "v3" && version < 3 {
				require.ErrorIs(t, err, driver.ErrUnsupportedFeature, "%s, v%d", row.name, version)
				continue
			}
			require.NoError(t, err, "%s, v%d", row.name, version)
			if as, ok := strings.CutPrefix(row.iceberg, "as "); ok {
				var name, kind, comment any
				require.NoError(t, db.QueryRow(fmt.Sprintf("DESCRIBE y%d_%d", i, version)).Scan(&name, &kind, &comment))
				require.Equal(t, strings.ToLower(as), kind)
			}
		}
	}
	for _, name := range bind.TypeNames() {
		require.True(t, names[name], "typeRows lacks %s", name)
	}
}

// TestForms runs the examples.
func TestForms(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(filepath.Join(dir, "events"), os.DirFS(filepath.Join(sharedtest.ModuleRoot(t), "storage", "iceberg", "testdata", "events"))))
	db, err := sql.Open("tarn", dir)
	require.NoError(t, err)
	defer db.Close()
	_, err = db.Exec("CREATE TABLE t (id INT, day DATE, city STRING, x DOUBLE, xs ARRAY<INT>); INSERT INTO t VALUES (1, DATE '2024-01-01', 'Graz', 1.5, array(1, 2))")
	require.NoError(t, err)
	for _, g := range formGroups {
		for _, f := range g.forms {
			if _, err := db.Exec(f.example); !errors.Is(err, driver.ErrTimestampOutOfRange) {
				require.NoError(t, err, f.example)
			}
		}
	}
	_, err = db.Exec("SELECT * FROM events.nosuch")
	require.ErrorContains(t, err, metadataTables)
}

// TestProperties makes a table with every property.
func TestProperties(t *testing.T) {
	db, err := sql.Open("tarn", "memory://")
	require.NoError(t, err)
	defer db.Close()
	for _, f := range propertyRows {
		for i, p := range f.properties {
			_, err := db.Exec(fmt.Sprintf("CREATE TABLE %s%d (id INT) USING %s TBLPROPERTIES ('%s' = '%s'); INSERT INTO %[1]s%[2]d VALUES (1)", f.format, i, f.format, p.name, p.example))
			require.NoError(t, err, p.name)
		}
	}
}

// TestReferenceIsComplete asks for a row of everything that can be called.
func TestReferenceIsComplete(t *testing.T) {
	var b strings.Builder
	write(&b)
	for _, list := range [][]*eval.Function{eval.Functions(), eval.AggregateFunctions(), eval.WindowFunctions(), eval.TableFunctions()} {
		for _, f := range list {
			require.Contains(t, b.String(), "| "+written(f.Name), f.Name)
			require.NotEmpty(t, f.Doc, f.Name)
			require.NotEmpty(t, f.Signatures, f.Name)
		}
	}
}
