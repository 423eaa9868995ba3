package parquet_test

import (
	"crypto/sha256"
	"encoding/csv"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/conformance/sharedtest"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage/parquet"
)

var rewrite = flag.Bool("rewrite", false, "write what is read as the expected text")

// normal gives a value in the form of testdata/generate.py.
func normal(t types.Type, v any) any {
	switch x := v.(type) {
	case int64:
		return fmt.Sprint(x)
	case float64:
		if math.IsNaN(x) {
			return "nan"
		}
		return fmt.Sprintf("f%016x", math.Float64bits(x))
	case types.Decimal128:
		return "d" + x.Format(int(t.Scale))
	case string:
		return "b" + hex.EncodeToString([]byte(x))
	case []byte:
		return "b" + hex.EncodeToString(x)
	case []vector.MapEntry:
		out := make([]any, len(x))
		for i, e := range x {
			out[i] = []any{normal(t.Key.Type, e.Key), normal(t.Elem.Type, e.Value)}
		}
		return out
	case []any:
		out := make([]any, len(x))
		for i, e := range x {
			if t.Kind == types.Struct {
				out[i] = normal(t.Fields[i].Type, e)
			} else {
				out[i] = normal(t.Elem.Type, e)
			}
		}
		return out
	}
	return v // NULL and Booleans
}

// lines reads a file as JSON lines, one a row.
func lines(f *parquet.File, o parquet.ReadOptions) ([]string, error) {
	all, err := tryRows(f, o)
	out := make([]string, len(all))
	for i, row := range all {
		for c := range row {
			row[c] = normal(o.Columns[c].Type, row[c])
		}
		b, jsonErr := json.Marshal(row)
		if jsonErr != nil {
			return nil, jsonErr
		}
		out[i] = string(b)
	}
	return out, err
}

// TestFixtures reads one table from files in many encodings.
func TestFixtures(t *testing.T) {
	for _, table := range []string{"nullable", "required"} {
		text, err := os.ReadFile("testdata/" + table + ".ndjson")
		require.NoError(t, err)
		want := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
		files, err := filepath.Glob("testdata/" + table + "_*.parquet")
		require.NoError(t, err)
		require.NotEmpty(t, files)
		for _, file := range files {
			t.Run(filepath.Base(file), func(t *testing.T) {
				b, err := os.ReadFile(file)
				require.NoError(t, err)
				f, err := openBytes(t, b)
				require.NoError(t, err)
				columns := f.Schema().Fields
				got, err := lines(f, parquet.ReadOptions{Columns: columns})
				require.NoError(t, err)
				require.Equal(t, want, got)
				for i := range columns { // each alone, in small reads
					one, err := lines(f, parquet.ReadOptions{Columns: columns[i : i+1], WindowBytes: 50})
					require.NoError(t, err)
					for r := range want {
						require.Equal(t, column(t, want[r], i), column(t, one[r], 0), "column %s", columns[i].Name)
					}
				}
			})
		}
	}
}

func column(t testing.TB, line string, i int) string {
	var row []json.RawMessage
	require.NoError(t, json.Unmarshal([]byte(line), &row))
	return string(row[i])
}

// TestParquetTesting reads the files of apache/parquet-testing. The digests
// were recorded when pyarrow had read the same rows.
func TestParquetTesting(t *testing.T) {
	dir := sharedtest.Path(t, "golden", "public", "parquet-testing")
	var report []string
	for _, pattern := range []string{"data/*.parquet", "bad_data/*.parquet"} {
		files, err := filepath.Glob(filepath.Join(dir, pattern))
		require.NoError(t, err)
		for _, file := range files {
			name, err := filepath.Rel(dir, file)
			require.NoError(t, err)
			report = append(report, name+": "+describe(t, file))
		}
	}
	const expected = "testdata/parquet-testing.txt"
	got := strings.Join(report, "\n") + "\n"
	if *rewrite {
		require.NoError(t, os.WriteFile(expected, []byte(got), 0o644))
	}
	want, err := os.ReadFile(expected)
	require.NoError(t, err)
	require.Equal(t, string(want), got)
}

// describe gives the number of rows and a digest of them, or the error.
func describe(t testing.TB, file string) string {
	b, err := os.ReadFile(file)
	require.NoError(t, err)
	f, err := openBytes(t, b)
	var got []string
	if err == nil {
		got, err = lines(f, parquet.ReadOptions{Columns: f.Schema().Fields})
	}
	requireTyped(t, err)
	if err != nil {
		return err.Error()
	}
	sum := sha256.Sum256([]byte(strings.Join(got, "\n")))
	return fmt.Sprintf("%d rows %x", len(got), sum[:8])
}

// TestDeltaExpectations compares with the values that apache/parquet-testing
// has for its delta-encoded files.
func TestDeltaExpectations(t *testing.T) {
	dir := sharedtest.Path(t, "golden", "public", "parquet-testing", "data")
	files, err := filepath.Glob(filepath.Join(dir, "*_expect.csv"))
	require.NoError(t, err)
	for _, file := range files {
		text, err := os.Open(file)
		require.NoError(t, err)
		records, err := csv.NewReader(text).ReadAll()
		require.NoError(t, err)
		require.NoError(t, text.Close())
		b, err := os.ReadFile(strings.TrimSuffix(file, "_expect.csv") + ".parquet")
		require.NoError(t, err)
		f, err := openBytes(t, b)
		require.NoError(t, err)
		got := rows(t, f, parquet.ReadOptions{Columns: f.Schema().Fields})
		require.Len(t, got, len(records)-1)
		for i, row := range got {
			for c, v := range row {
				want := strings.TrimSpace(records[i+1][c])
				if v == nil {
					v = ""
				}
				require.Equal(t, want, strings.TrimSpace(fmt.Sprint(v)), "%s row %d column %d", file, i, c)
			}
		}
	}
}

// TestArrowTesting reads the files that fuzzing of Arrow found.
func TestArrowTesting(t *testing.T) {
	dir := sharedtest.Path(t, "golden", "public", "arrow-testing", "parquet")
	files, err := filepath.Glob(filepath.Join(dir, "*/*"))
	require.NoError(t, err)
	for _, file := range files {
		b, err := os.ReadFile(file)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		require.NoError(t, err)
		t.Run(filepath.Base(file), func(t *testing.T) { readAll(t, b) })
	}
}
