package conformance

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/driver"
)

// goldenCase is a case.json of golden/delta.
type goldenCase struct {
	Name     string                     `json:"name"`
	Expected map[string]json.RawMessage `json:"expected"`
	Mtimes   map[string]int64           `json:"commit_file_mtimes_ms"`
	Notes    []string                   `json:"notes"`
	Clone    *struct {
		Path string `json:"path_in_log"`
	} `json:"clone_source"`
}

// goldenRows is what a selector gives: rows, or an error.
type goldenRows struct {
	NDJSON string `json:"ndjson"`
	Error  *struct {
		Kind string `json:"kind"`
	} `json:"error"`
}

// errorKinds are the sentinels that the golden cases' kinds of errors mean.
var errorKinds = map[string][]error{
	"unsupported feature":       {driver.ErrUnsupportedFeature},
	"missing commit":            {driver.ErrCorrupt},
	"corrupt log":               {driver.ErrCorrupt},
	"missing file":              {driver.ErrDataFileMissing},
	"not a table":               {driver.ErrTableNotFound},
	"no columns":                {driver.ErrSchemaMismatch},
	"version not available":     {driver.ErrVersionNotFound, driver.ErrTimestampOutOfRange},
	"change data not available": {driver.ErrChangeDataUnavailable},
	"other":                     {driver.ErrColumnNotFound},
}

// TestGoldenDelta reads every golden Delta table at every selector.
func TestGoldenDelta(t *testing.T) { testGolden(t, "delta", runGoldenCase) }

func runGoldenCase(t *testing.T, dir string, cases, selectors *Suite) {
	data, err := os.ReadFile(filepath.Join(dir, "case.json"))
	require.NoError(t, err)
	var c goldenCase
	require.NoError(t, json.Unmarshal(data, &c))
	work := t.TempDir()
	table := filepath.Join(work, "table")
	require.NoError(t, os.CopyFS(table, os.DirFS(filepath.Join(dir, "table"))))
	for version, ms := range c.Mtimes {
		v, err := strconv.Atoi(version)
		require.NoError(t, err)
		at := time.UnixMilli(ms)
		require.NoError(t, os.Chtimes(filepath.Join(table, "_delta_log", fmt.Sprintf("%020d.json", v)), at, at))
	}
	if c.Clone != nil {
		// The log, and the checkpoint, name the source by this absolute path.
		require.NoError(t, os.RemoveAll(c.Clone.Path))
		require.NoError(t, os.CopyFS(c.Clone.Path, os.DirFS(filepath.Join(dir, "clone_source"))))
		t.Cleanup(func() { require.NoError(t, os.RemoveAll(c.Clone.Path)) })
	}
	db, err := sql.Open("tarn", work)
	require.NoError(t, err)
	defer db.Close()
	g := &goldenRun{t: t, db: db, dir: dir, table: table, c: c}
	unsupported, failure := countSelectors(t, c.Name, c.Expected, selectors, g.selector)
	cases.Count(c.Name, unsupported, failure)
}

type goldenRun struct {
	t     *testing.T
	db    *sql.DB
	dir   string
	table string
	c     goldenCase
}

// selector checks one selector: it gives the feature that is refused, or what
// is wrong.
func (g *goldenRun) selector(s string, expected json.RawMessage) (unsupported, failure string) {
	kind, rest, _ := strings.Cut(s, ":")
	name := "delta.`" + g.table + "`"
	var query string
	switch kind {
	case "latest":
		query = "SELECT * FROM " + name
	case "version":
		query = "SELECT * FROM " + name + " VERSION AS OF " + rest
	case "timestamp":
		query = "SELECT * FROM " + name + " TIMESTAMP AS OF '" + rest + "'"
	case "cdf":
		from, to, _ := strings.Cut(rest, ":")
		query = "SELECT * FROM table_changes('" + name + "', " + from + ", " + to + ")"
	case "row_tracking":
		query = "SELECT *, _metadata.row_id AS row_id, _metadata.row_commit_version AS row_commit_version FROM " + name + " VERSION AS OF " + rest
	case "query":
		query = strings.ReplaceAll(rest, "TABLE", name)
	case "skipping":
		return g.skipping(expected)
	}
	var want goldenRows
	require.NoError(g.t, json.Unmarshal(expected, &want))
	got, err := Query(context.Background(), g.db, query)
	if want.Error != nil {
		if err == nil && g.mayDoBetter() {
			return "", ""
		}
		return g.expectError(want.Error.Kind, err)
	}
	if err != nil {
		if feature, ok := UnsupportedName(err); ok {
			return feature, ""
		}
		return "", err.Error()
	}
	return "", g.compare(got, want.NDJSON)
}

// mayDoBetter reports whether the case's notes allow rows where Spark fails.
func (g *goldenRun) mayDoBetter() bool {
	return strings.Contains(strings.Join(g.c.Notes, " "), "an engine may well read")
}

func (g *goldenRun) expectError(kind string, err error) (unsupported, failure string) {
	if err == nil {
		return "", "rows instead of the error " + kind
	}
	for _, sentinel := range errorKinds[kind] {
		if errors.Is(err, sentinel) {
			return "", ""
		}
	}
	if feature, ok := UnsupportedName(err); ok {
		return feature, ""
	}
	return "", fmt.Sprintf("the error %q instead of %s", err, kind)
}

func (g *goldenRun) compare(got Answer, file string) string {
	data, err := os.ReadFile(filepath.Join(g.dir, file))
	require.NoError(g.t, err)
	want, err := ExpectedLines(data, got.Fields)
	if err != nil {
		return err.Error()
	}
	return diffLines(want, got.Lines())
}

// skipping checks that no file is read that Spark skips, and that skipping
// changes no answer.
func (g *goldenRun) skipping(expected json.RawMessage) (unsupported, failure string) {
	var file string
	require.NoError(g.t, json.Unmarshal(expected, &file))
	data, err := os.ReadFile(filepath.Join(g.dir, file))
	require.NoError(g.t, err)
	var predicates map[string]json.RawMessage
	require.NoError(g.t, json.Unmarshal(data, &predicates))
	var failures []string
	for predicate, raw := range predicates {
		var want []string
		if json.Unmarshal(raw, &want) != nil {
			continue // Spark fails on this predicate; there is no list to compare with
		}
		files, err := SelectedFiles(context.Background(), "delta.`"+g.table+"`", predicate)
		if err != nil {
			if feature, ok := UnsupportedName(err); ok {
				return feature, ""
			}
			failures = append(failures, predicate+": "+err.Error())
			continue
		}
		allowed := map[string]bool{}
		for _, f := range want {
			allowed[f] = true
		}
		for f, rows := range files {
			// The lists decode the names of directories as well. A file that has
			// rows must be read, whatever Spark does.
			if name, err := url.PathUnescape(f); err != nil || !allowed[f] && !allowed[name] && rows == 0 {
				failures = append(failures, fmt.Sprintf("%s: reads %s, which Spark skips", predicate, f))
				break
			}
		}
		if wrong := skippingChangesRows(g.db, "delta.`"+g.table+"`", predicate); wrong != "" {
			failures = append(failures, wrong)
		}
	}
	sort.Strings(failures)
	return "", strings.Join(failures, "\n")
}
