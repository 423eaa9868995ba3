package main

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// smallData makes the tables of the workloads, of a few rows.
func smallData(t *testing.T) *bench {
	dir := t.TempDir()
	db, err := sql.Open("tarn", filepath.Join(dir, "delta"))
	require.NoError(t, err)
	defer db.Close()
	rows := "SELECT CAST(x AS BIGINT) AS id, CAST(x AS BIGINT) AS k2, 0.5D AS v, 'r' AS s, DATE '2024-01-01' AS d FROM (VALUES %s) AS t(x)"
	paths := map[string]string{}
	for name, values := range map[string]string{"base_1m": "(7), (8), (107), (200)", "stage_1m": "(1), (2), (3)", "merge_src": "(8), (9)", "wide_json": "(1)", "wide_cp": "(1)"} {
		_, err := db.Exec("CREATE TABLE " + name + " AS " + fmt.Sprintf(rows, values))
		require.NoError(t, err)
		paths[name] = filepath.Join("delta", name)
	}
	layout, err := json.Marshal(map[string]any{"delta": paths, "sf": 1})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "layout.json"), layout, 0o644))
	queries := filepath.Join(dir, "queries")
	require.NoError(t, os.Mkdir(queries, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(queries, "total.sql"), []byte("-- tables: base_1m\nSELECT sum(id) AS s, sum({q11_fraction}) AS f FROM base_1m\n"), 0o644))
	return &bench{dir: dir, queries: queries, threads: 1, dbs: map[string]*sql.DB{}}
}

// TestServesEveryWorkload asks a served process for each kind of workload and
// looks at what it wrote.
func TestServesEveryWorkload(t *testing.T) {
	b := smallData(t)
	var out bytes.Buffer
	b.out = json.NewEncoder(&out)
	var in strings.Builder
	for _, query := range []string{"total", "snap_load_json", "append_1x200", "insert_1m", "delete_1pct", "merge_10k", "nosuch"} {
		fmt.Fprintf(&in, "{\"format\":\"delta\",\"query\":%q,\"warmup\":1,\"runs\":1,\"run\":3}\n", query)
	}
	require.NoError(t, b.serve(strings.NewReader(in.String())))
	var answers []answer
	for _, line := range strings.Split(strings.TrimSpace(out.String()), "\n") {
		var a answer
		require.NoError(t, json.Unmarshal([]byte(line), &a))
		if a.Query != "" {
			answers = append(answers, a)
		}
	}
	require.Len(t, answers, 7, out.String())
	require.Equal(t, []any{"n1:322;n1:0.0004", 1, 3}, []any{answers[0].Checksum, answers[0].Rows, answers[0].Run})
	require.Equal(t, "n1:1", answers[1].Checksum)
	for i, want := range map[int]string{2: "n1:200;n1:19900", 3: "n1:3;n1:6", 4: "n1:2;n1:208", 5: "n1:5;n1:331"} {
		a := answers[i]
		require.Empty(t, a.Error)
		result, err := fetch(b.dbs[filepath.Join(b.dir, "tmp")], "SELECT count(*), sum(id) FROM "+filepath.Base(a.Target))
		require.NoError(t, err)
		require.Equal(t, want, result.checksum(), a.Query)
	}
	require.Equal(t, 200, answers[2].Ops)
	require.NotEmpty(t, answers[6].Error)
	for _, db := range b.dbs {
		require.NoError(t, db.Close())
	}
}

// TestUnsupportedIsSaid: what tarn does not offer is no failure.
func TestUnsupportedIsSaid(t *testing.T) {
	b := smallData(t)
	var out bytes.Buffer
	b.out = json.NewEncoder(&out)
	b.run(request{Format: "iceberg", Query: "snap_load_cp", Runs: 1})
	require.Contains(t, out.String(), `"unsupported":true`)
}

func TestSQLFileMayBeMissing(t *testing.T) {
	require.Equal(t, []string{"-query", "insert_1m", "--sql-file", ""}, arguments([]string{"-query", "insert_1m", "--sql-file"}))
	require.Equal(t, []string{"-sql-file", "q.sql"}, arguments([]string{"-sql-file", "q.sql"}))
}
