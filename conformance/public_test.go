package conformance

import (
	"context"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/conformance/sharedtest"
	"github.com/tarndb/tarn/driver"
	"github.com/tarndb/tarn/sql/types"
)

// publicTable is a file of golden/public/_expected.
type publicTable struct {
	Status   string   `json:"status"`
	NumRows  int      `json:"num_rows"`
	Rows     []string `json:"rows"`
	Versions map[string]struct {
		Error   string   `json:"error"` // of the engine that made the file: nothing to compare with
		NumRows int      `json:"num_rows"`
		Rows    []string `json:"rows"`
	} `json:"versions"`
	// Right says which engine is right where Spark differs from the others.
	Right string `json:"right"`
	Spark *struct {
		Right   string   `json:"right"`
		NumRows int      `json:"num_rows"`
		Rows    []string `json:"rows"`
	} `json:"spark"`
}

// latest gives the rows of the newest version.
func (p publicTable) latest() (numRows int, rows []string) {
	if p.Spark != nil && strings.HasPrefix(p.Right+p.Spark.Right, "spark") {
		return p.Spark.NumRows, p.Spark.Rows
	}
	return p.NumRows, p.Rows
}

// trusted are the statuses whose rows count as right.
var trusted = map[string]bool{
	"source expected, confirmed by an engine": true, "two engines agree": true, "source expected only": true,
}

// TestPublicDelta reads every Delta table of the public sources. Trusted
// tables must give their rows; the others an answer or a typed error.
func TestPublicDelta(t *testing.T) {
	testPublic(t, "delta", func(dir string) bool { return isDir(filepath.Join(dir, "_delta_log")) })
}

// TestPublicIceberg does the same for Iceberg tables.
func TestPublicIceberg(t *testing.T) {
	testPublic(t, "iceberg", func(dir string) bool {
		metadata, err := filepath.Glob(filepath.Join(dir, "metadata", "*.metadata.json*"))
		require.NoError(t, err)
		return len(metadata) > 0 && !isDir(filepath.Join(dir, "_delta_log"))
	})
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// testPublic reads the tables of a format, which are in the directories that
// isTable knows.
func testPublic(t *testing.T, format string, isTable func(dir string) bool) {
	root := sharedtest.Path(t, "golden", "public")
	var tables []string
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && isTable(path) {
			tables = append(tables, path)
		}
		return err
	}))
	require.NotEmpty(t, tables)
	bySource := map[string]*Suite{}
	total := &Suite{Name: "golden/public " + format + ", trusted"}
	other := &Suite{Name: "golden/public " + format + ", others"}
	for _, dir := range tables {
		rel, err := filepath.Rel(root, dir)
		require.NoError(t, err)
		source := strings.Split(filepath.ToSlash(rel), "/")[0]
		if bySource[source] == nil {
			bySource[source] = &Suite{Name: source}
		}
		data, err := os.ReadFile(filepath.Join(root, "_expected", rel+".json"))
		if err != nil {
			continue // not a table of its own, such as a clone's source
		}
		var want publicTable
		require.NoError(t, json.Unmarshal(data, &want), rel)
		suites := []*Suite{other}
		if trusted[want.Status] {
			suites = []*Suite{total, bySource[source]}
		}
		runPublic(t, format, root, rel, dir, want, suites)
	}
	names := make([]string, 0, len(bySource))
	for n := range bySource {
		names = append(names, n)
	}
	sort.Strings(names)
	for _, n := range names {
		t.Log(bySource[n])
	}
	t.Log(total)
	t.Log(other)
	for _, f := range total.Failures {
		t.Log(f)
	}
}

func runPublic(t *testing.T, format, root, rel, dir string, want publicTable, suites []*Suite) {
	feature, failure := checkPublic(t, format, root, dir, want)
	for _, s := range suites {
		s.Count(rel, feature, failure)
	}
	if strings.HasPrefix(failure, "WRONG") {
		t.Errorf("%s: %s", rel, failure)
	}
}

// kernelDiffers are versions of which only delta-rs tells the rows, and tells
// them wrong: commit 25 of this table removes a file and adds it again, in that
// order, and delta-kernel-rs drops it.
var kernelDiffers = map[string]bool{"dremio/deltalake/newPlanDataset@25": true}

// checkPublic reads a table and, if it is trusted, compares its rows.
func checkPublic(t *testing.T, format, root, dir string, want publicTable) (unsupported, failure string) {
	db, err := sql.Open("tarn", t.TempDir())
	require.NoError(t, err)
	defer db.Close()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	query := "SELECT * FROM " + format + ".`" + dir + "`"
	got, err := Query(ctx, db, query)
	if err != nil {
		feature, ok := UnsupportedName(err)
		switch {
		case ok:
			return feature, ""
		case !trusted[want.Status] && IsTyped(err):
			return "", ""
		}
		return "", err.Error()
	}
	if !trusted[want.Status] {
		return "", ""
	}
	numRows, rows := want.latest()
	if wrong := comparePublic(got, numRows, rows); wrong != "" {
		return "", wrong
	}
	for v, w := range want.Versions {
		if kernelDiffers[strings.TrimPrefix(filepath.ToSlash(dir), filepath.ToSlash(root)+"/")+"@"+v] || w.Error != "" || len(rows) > 0 && len(want.Rows) > 0 && rows[0] != want.Rows[0] {
			continue
		}
		got, err := Query(ctx, db, query+" VERSION AS OF "+v)
		if err != nil {
			return "", "version " + v + ": " + err.Error()
		}
		if wrong := comparePublic(got, w.NumRows, w.Rows); wrong != "" {
			return "", wrong + " in version " + v
		}
	}
	return "", ""
}

func comparePublic(got Answer, numRows int, rows []string) string {
	if len(got.Rows) != numRows {
		return fmt.Sprintf("WRONG: %d rows instead of %d", len(got.Rows), numRows)
	}
	if rows == nil {
		return ""
	}
	var have, want []string
	for _, row := range got.Rows {
		cells := make([]string, len(row))
		for i, v := range row {
			cells[i] = publicText(got.Fields[i].Type, v, false)
		}
		have = append(have, strings.Join(cells, "|"))
	}
	for _, text := range rows {
		var row []any
		if err := json.Unmarshal([]byte(text), &row); err != nil || len(row) != len(got.Fields) {
			return fmt.Sprintf("WRONG: %d columns, expected is %s", len(got.Fields), text)
		}
		cells := make([]string, len(row))
		for i, v := range row {
			cells[i] = expectedPublicText(got.Fields[i].Type, v)
		}
		want = append(want, strings.Join(cells, "|"))
	}
	sort.Strings(have)
	sort.Strings(want)
	if d := diffLines(want, have); d != "" {
		return "WRONG: " + d
	}
	return ""
}

// publicText gives a value in one form, expectedPublicText an expected cell in
// the same.
func publicText(t types.Type, v any, nested bool) string {
	switch x := v.(type) {
	case nil:
		return "null"
	case float64:
		return publicFloat(t, x)
	case []byte:
		return "x" + hex.EncodeToString(x)
	case time.Time:
		if nested && t.Kind != types.Date {
			return strconv.FormatInt(x.UnixMicro(), 10)
		}
		if y := x.UTC().Year(); y < 1 || y > 9999 { // such days are told by their number
			days, _ := types.SplitMicros(x.UnixMicro())
			text := timeText(t, x)
			return fmt.Sprintf("day%d%s", days, text[strings.IndexByte(text, 'T'):])
		}
		return timeText(t, x)
	case driver.List:
		parts := make([]string, len(x))
		for i, e := range x {
			parts[i] = publicText(t.Elem.Type, e, true)
		}
		return "[" + strings.Join(parts, ",") + "]"
	case driver.Map:
		parts := make([]string, len(x))
		for i, e := range x {
			parts[i] = publicText(t.Key.Type, e.Key, true) + "=" + publicText(t.Elem.Type, e.Value, true)
		}
		sort.Strings(parts)
		return "{" + strings.Join(parts, ",") + "}"
	case driver.Struct:
		parts := make([]string, len(x))
		for i, f := range x {
			parts[i] = f.Name + ":" + publicText(t.Fields[i].Type, f.Value, true)
		}
		return "(" + strings.Join(parts, ",") + ")"
	}
	return fmt.Sprint(v)
}

func publicFloat(t types.Type, f float64) string {
	if t.Kind == types.Float {
		return strconv.FormatFloat(f, 'g', -1, 32)
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}

func expectedPublicText(t types.Type, v any) string {
	switch x := v.(type) {
	case nil:
		return "null"
	case string:
		if t.Kind == types.Float || t.Kind == types.Double {
			if f, err := strconv.ParseFloat(x, 64); err == nil {
				return publicFloat(t, f)
			}
		}
		if t.Kind == types.Decimal {
			if d, scale, ok := types.ParseDecimal(x); ok && scale <= int(t.Scale) {
				d, _ = d.Rescale(scale, int(t.Scale))
				return d.Format(int(t.Scale))
			}
		}
		if t.Kind == types.Time && !strings.Contains(x, ".") {
			return x + ".000000"
		}
		if t.Kind == types.Timestamp && strings.Contains(x, "T") {
			return strings.TrimSuffix(x, "Z") + "Z" // sources written by Spark may lack the mark
		}
		return x
	case []any:
		parts := make([]string, len(x))
		if t.Kind == types.Map {
			for i, e := range x {
				pair := e.([]any)
				parts[i] = expectedPublicText(t.Key.Type, pair[0]) + "=" + expectedPublicText(t.Elem.Type, pair[1])
			}
			sort.Strings(parts)
			return "{" + strings.Join(parts, ",") + "}"
		}
		for i, e := range x {
			if t.Elem == nil {
				return fmt.Sprint(x)
			}
			parts[i] = expectedPublicText(t.Elem.Type, e)
		}
		return "[" + strings.Join(parts, ",") + "]"
	case map[string]any:
		parts := []string{}
		for _, f := range t.Fields {
			parts = append(parts, f.Name+":"+expectedPublicText(f.Type, x[f.Name]))
		}
		return "(" + strings.Join(parts, ",") + ")"
	}
	return fmt.Sprint(v)
}
