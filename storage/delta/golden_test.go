package delta

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/conformance/sharedtest"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/object"
)

// goldenCase is what case.json says.
type goldenCase struct {
	Name          string
	LatestVersion *int64 `json:"latest_version"`
	Versions      []struct {
		Version int64
		Files   *int
		Rows    *int64
		Error   any
	}
	Expected     map[string]json.RawMessage
	Error        string
	Transactions map[string]int64
	Domains      map[string]string
	Mtimes       map[string]int64 `json:"commit_file_mtimes_ms"`
	CloneField   *struct {
		Directory string
		PathInLog string `json:"path_in_log"`
	} `json:"clone_source"`
}

// open gives the case's table, in a copy where file times or paths matter.
func (c *goldenCase) open(t *testing.T, dir string) *Table {
	if len(c.Mtimes) > 0 || c.CloneField != nil {
		copied := t.TempDir()
		require.NoError(t, os.CopyFS(copied, os.DirFS(dir)))
		for v, millis := range c.Mtimes {
			n, err := strconv.ParseInt(v, 10, 64)
			require.NoError(t, err)
			at := time.UnixMilli(millis)
			require.NoError(t, os.Chtimes(filepath.Join(copied, "table", LogDir, versionName(storage.Version(n))+".json"), at, at))
		}
		if c.CloneField != nil {
			moveClone(t, copied, c.CloneField.PathInLog, filepath.Join(copied, c.CloneField.Directory))
		}
		dir = copied
	}
	store, err := object.NewFileStore(dir)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	return OpenTable(store, "table", types.TableName{Name: c.Name}, Options{})
}

// moveClone rewrites the absolute paths of a clone's log, and drops the
// checkpoint that has them too.
func moveClone(t *testing.T, dir, from, to string) {
	logs := filepath.Join(dir, "table", LogDir)
	require.NoError(t, os.Remove(filepath.Join(logs, lastCheckpointName)))
	require.NoError(t, os.Remove(filepath.Join(logs, versionName(0)+".checkpoint.parquet")))
	require.NoError(t, filepath.WalkDir(logs, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".json") {
			return err
		}
		body, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(path, bytes.ReplaceAll(body, []byte(from), []byte(filepath.ToSlash(to))), 0o644)
	}))
}

// errorKinds are the golden kinds of errors as this package gives them.
var errorKinds = map[string][]error{
	"missing commit": {storage.ErrCorrupt}, "corrupt log": {storage.ErrCorrupt}, "not a table": {storage.ErrTableNotFound},
	"no columns": {storage.ErrSchemaMismatch}, "unsupported feature": {storage.ErrUnsupportedFeature},
	"missing file":          {storage.ErrDataFileMissing},
	"version not available": {storage.ErrVersionNotFound, storage.ErrTimestampOutOfRange},
}

// countRows reads a whole snapshot.
func countRows(ctx context.Context, s storage.Snapshot) (rows int64, err error) {
	scan, err := s.NewScan().Build(ctx)
	if err != nil {
		return 0, err
	}
	for _, task := range scan.Tasks() {
		reader, err := scan.Open(ctx, task)
		if err != nil {
			return 0, err
		}
		for {
			b, err := reader.Next(ctx)
			if err == io.EOF {
				break
			}
			if err != nil {
				return 0, err
			}
			rows += int64(b.Rows())
		}
		if err := reader.Close(); err != nil {
			return 0, err
		}
	}
	return rows, nil
}

// betterThanReference is the case whose notes allow an engine to read what the
// reference can't.
const betterThanReference = "cp_last_corrupt"

func TestGoldenTables(t *testing.T) {
	root := sharedtest.Path(t, "golden", "delta")
	entries, err := os.ReadDir(root)
	require.NoError(t, err)
	for _, e := range entries {
		t.Run(e.Name(), func(t *testing.T) {
			body, err := os.ReadFile(filepath.Join(root, e.Name(), "case.json"))
			require.NoError(t, err)
			var c goldenCase
			require.NoError(t, json.Unmarshal(body, &c))
			testGolden(t, &c, c.open(t, filepath.Join(root, e.Name())))
		})
	}
}

func testGolden(t *testing.T, c *goldenCase, table *Table) {
	ctx := context.Background()
	for _, v := range c.Versions {
		if v.Files == nil || v.Error != nil {
			continue
		}
		s, err := table.LoadAt(ctx, storage.Version(v.Version))
		require.NoError(t, err, "version %d", v.Version)
		require.Equal(t, *v.Files, s.(*Snapshot).files.Len(), "files of version %d", v.Version)
	}
	if len(c.Transactions)+len(c.Domains) > 0 {
		testGoldenState(t, c, latest(t, table))
	}
	for selector, raw := range c.Expected {
		if strings.HasPrefix(selector, "version:") || strings.HasPrefix(selector, "timestamp:") || selector == "latest" {
			testGoldenSelector(t, c, table, selector, raw)
		}
	}
}

// testGoldenState checks what a snapshot has besides rows.
func testGoldenState(t *testing.T, c *goldenCase, s *Snapshot) {
	for app, want := range c.Transactions {
		got, ok := s.transactionVersion(app)
		require.True(t, ok, app)
		require.Equal(t, want, got, app)
	}
	for name, want := range c.Domains {
		got, ok := s.domain(name)
		require.True(t, ok, name)
		require.Equal(t, want, got, name)
	}
	_, ok := s.domain("no such domain")
	require.False(t, ok)
}

func testGoldenSelector(t *testing.T, c *goldenCase, table *Table, selector string, raw json.RawMessage) {
	ctx := context.Background()
	var want struct {
		Rows  int64
		Error *struct{ Kind string }
	}
	require.NoError(t, json.Unmarshal(raw, &want))
	s, err := loadSelector(ctx, table, selector)
	var rows int64
	if err == nil {
		rows, err = countRows(ctx, s)
	}
	if err == nil && want.Error != nil && c.Name == betterThanReference {
		return
	}
	if want.Error != nil {
		require.Error(t, err, selector)
		matched := false
		for _, kind := range errorKinds[want.Error.Kind] {
			matched = matched || isError(err, kind)
		}
		require.True(t, matched, "%s: %s expected, not %v", selector, want.Error.Kind, err)
		return
	}
	if isError(err, storage.ErrUnsupportedFeature) && strings.HasPrefix(c.Name, "types_variant") {
		return
	}
	require.NoError(t, err, selector)
	require.Equal(t, want.Rows, rows, selector)
}

func loadSelector(ctx context.Context, table *Table, selector string) (storage.Snapshot, error) {
	kind, value, _ := strings.Cut(selector, ":")
	switch kind {
	case "version":
		n, err := strconv.ParseInt(value, 10, 64)
		if err != nil {
			return nil, err
		}
		return table.LoadAt(ctx, storage.Version(n))
	case "timestamp":
		at, err := time.Parse(time.RFC3339Nano, value)
		if err != nil {
			return nil, err
		}
		v, err := table.ActiveCommitAtTime(ctx, at, storage.StrictTimestamp)
		if err != nil {
			return nil, err
		}
		return table.LoadAt(ctx, v)
	}
	return table.LoadLatest(ctx)
}
