package iceberg

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/object"
)

// openTestdata opens one of the module's own tables, in a directory that is not
// the one it was written in.
func openTestdata(t testing.TB, dir, name string) *Table {
	store, err := object.NewFileStore(dir)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	return OpenTable(store, name, types.TableName{Name: name}, Options{})
}

// rows reads a snapshot: a line for each row, sorted.
func rows(ctx context.Context, s storage.Snapshot, filter expr.Expr, columns ...string) ([]string, error) {
	b := s.NewScan().WithDataFilter(filter)
	if len(columns) > 0 {
		b = b.WithColumns(columns)
	}
	scan, err := b.Build(ctx)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, task := range scan.Tasks() {
		r, err := scan.Open(ctx, task)
		if err != nil {
			return nil, err
		}
		for {
			b, err := r.Next(ctx)
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return nil, errors.Join(err, r.Close())
			}
			for i := range b.Rows() {
				var cells []string
				for c, v := range b.Columns {
					cells = append(cells, cell(scan.Schema().Fields[c].Type, v.Value(b.Row(i))))
				}
				out = append(out, strings.Join(cells, " "))
			}
		}
		if err := r.Close(); err != nil {
			return nil, err
		}
	}
	slices.Sort(out)
	return out, nil
}

func cell(t types.Type, v any) string {
	switch {
	case v == nil:
		return "NULL"
	case t.Kind == types.Decimal:
		return v.(types.Decimal128).Format(int(t.Scale))
	case t.Kind == types.Timestamp:
		return types.FormatTimestamp(v.(int64))
	}
	return fmt.Sprint(v)
}

func mustRows(t *testing.T, s storage.Snapshot, err error, columns ...string) []string {
	require.NoError(t, err)
	out, err := rows(t.Context(), s, nil, columns...)
	require.NoError(t, err)
	return out
}

// TestTimeTravel reads the states of a table by every name that they have.
func TestTimeTravel(t *testing.T) {
	ctx := t.Context()
	table := openTestdata(t, "testdata", "events")
	first := []string{"1 a 1969-12-31 23:00:00 1.50", "2 b 2024-02-29 12:00:00 2.50", "3 NULL 2024-02-29 13:00:00 NULL", "4 d 2024-03-01 00:00:00 4.50"}
	without2 := slices.Delete(slices.Clone(first), 1, 2)
	s, err := table.LoadLatest(ctx)
	require.Equal(t, []string{"1 a 1969-12-31 23:00:00 1.50 NULL", "3 NULL 2024-02-29 13:00:00 NULL NULL", "4 d 2024-03-01 00:00:00 0.00 NULL",
		"5 e 2024-03-01 01:00:00 5.50 fünf", "6 f NULL 6.50 NULL"}, mustRows(t, s, err))
	s, err = table.LoadAt(ctx, 166296805767333489)
	require.Equal(t, first, mustRows(t, s, err))
	s, err = table.LoadRef(ctx, "first")
	require.Equal(t, first, mustRows(t, s, err), "a tag has its snapshot's schema")
	require.Equal(t, "kind", s.Schema().Fields[1].Name)
	s, err = table.LoadRef(ctx, "audit")
	require.Equal(t, []string{"1 NULL", "3 NULL", "4 NULL"}, mustRows(t, s, err, "id", "note"), "a branch has the current schema")
	version, err := table.ActiveCommitAtTime(ctx, time.UnixMilli(1796050939717), storage.StrictTimestamp)
	require.NoError(t, err)
	s, err = table.LoadAt(ctx, version)
	require.Equal(t, without2, mustRows(t, s, err))
	_, err = table.ActiveCommitAtTime(ctx, time.UnixMilli(1796050937312), storage.StrictTimestamp)
	require.ErrorIs(t, err, storage.ErrTimestampOutOfRange)
	require.ErrorIs(t, table.CheckVersionExists(ctx, 7), storage.ErrVersionNotFound)
	_, err = table.LoadRef(ctx, "main2")
	require.ErrorIs(t, err, storage.ErrVersionNotFound)
	require.ErrorContains(t, err, "audit")
}

// TestNested reads structs, lists and maps before and after a field was added,
// with a deletion vector.
func TestNested(t *testing.T) {
	s, err := openTestdata(t, "testdata", "nested").LoadLatest(t.Context())
	require.Equal(t, []string{"1 [1 [a <nil>] <nil>] [{k [1.5]}]", "2 NULL []", "4 [4 [] <nil>] [{k <nil>}]", "5 [5 [e] 50] [{k [5]}]"}, mustRows(t, s, err))
}

// TestPlanning counts what filters skip.
func TestPlanning(t *testing.T) {
	s, err := openTestdata(t, "testdata", "events").LoadLatest(t.Context())
	require.NoError(t, err)
	id := &expr.Column{Index: 0, Name: "id", T: types.Of(types.BigInt)}
	at := &expr.Column{Index: 2, Name: "at", T: types.Of(types.Timestamp), MayBeNull: true}
	compare := func(op string, c expr.Expr, v any) expr.Expr {
		return &expr.Call{Name: op, Args: []expr.Expr{c, &expr.Literal{T: c.Type(), Value: v}}, T: types.Of(types.Boolean)}
	}
	day := int64(86400) * types.MicrosPerSecond
	for _, c := range []struct {
		filter    expr.Expr
		files     int // that are read
		manifests int // that are skipped
		rows      []string
	}{
		{nil, 6, 0, []string{"1", "3", "4", "5", "6"}},
		{compare(expr.OpLess, at, 0*day), 1, 2, []string{"1"}},
		{compare(expr.OpEqual, id, int64(6)), 1, 1, []string{"6"}},
		{compare(expr.OpEqual, id, int64(1000)), 0, 2, nil},
		{expr.IsNull(at), 1, 2, []string{"6"}},
	} {
		scan, err := s.NewScan().WithColumns([]string{"id"}).WithDataFilter(c.filter).Build(t.Context())
		require.NoError(t, err)
		require.Equal(t, c.files, scan.Summary().FilesSelected, "%v", c.filter)
		require.Equal(t, 6, scan.Summary().FilesTotal)
		require.Len(t, scan.Summary().SkippedManifests, c.manifests, "%v", c.filter)
		got, err := rows(t.Context(), s, c.filter, "id")
		require.NoError(t, err)
		require.Equal(t, c.rows, got)
	}
}

// TestMissingFiles: a file that metadata names and that is not there is an error
// of its kind.
func TestMissingFiles(t *testing.T) {
	for pattern, kind := range map[string]error{
		"metadata/snap-3429794099052014826-*.avro": storage.ErrCorrupt,
		"metadata/*-m0.avro":                       storage.ErrCorrupt,
		"data/*/*/*-deletes.parquet":               storage.ErrDataFileMissing,
		"data/*/*/*-00001.parquet":                 storage.ErrDataFileMissing,
		"metadata/v*.metadata.json":                storage.ErrCorrupt, // the hint names one
		"metadata/v10.metadata.json":               storage.ErrCorrupt,
		"metadata/v*":                              storage.ErrTableNotFound,
	} {
		dir := t.TempDir()
		require.NoError(t, os.CopyFS(filepath.Join(dir, "events"), os.DirFS("testdata/events")))
		files, err := filepath.Glob(filepath.Join(dir, "events", pattern))
		require.NoError(t, err)
		require.NotEmpty(t, files, pattern)
		for _, f := range files {
			require.NoError(t, os.Remove(f))
		}
		table := openTestdata(t, dir, "events")
		s, err := table.LoadLatest(t.Context())
		if err == nil {
			_, err = rows(t.Context(), s, nil)
		}
		require.ErrorIs(t, err, kind, pattern)
	}
}

// TestDamagedFiles changes bytes of every file: there is an error of a known
// kind or an answer, and never a panic.
func TestDamagedFiles(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, name := range []string{"events", "nested"} {
		dir := t.TempDir()
		require.NoError(t, os.CopyFS(filepath.Join(dir, name), os.DirFS(filepath.Join("testdata", name))))
		require.NoError(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			whole, err := os.ReadFile(path)
			require.NoError(t, err)
			for range 8 {
				damaged := slices.Clone(whole)
				for range 1 + r.IntN(3) {
					damaged[r.IntN(len(damaged))] ^= byte(1 + r.IntN(255))
				}
				require.NoError(t, os.WriteFile(path, damaged[:len(damaged)-r.IntN(2)*r.IntN(len(damaged))], 0o600))
				s, err := openTestdata(t, dir, name).LoadLatest(t.Context())
				if err == nil {
					_, err = rows(t.Context(), s, nil)
				}
				requireKnown(t, err)
			}
			return os.WriteFile(path, whole, 0o600)
		}))
	}
}

// requireKnown wants an error of one of the contract's kinds, if any.
func requireKnown(t *testing.T, err error) {
	for _, kind := range []error{nil, storage.ErrCorrupt, storage.ErrDataFileMissing, storage.ErrTableNotFound, storage.ErrUnsupportedFeature, storage.ErrSchemaMismatch} {
		if errors.Is(err, kind) {
			return
		}
	}
	require.NoError(t, err)
}

// TestPastStateIsReadOnly: a state that is named by its metadata file has no next.
func TestPastStateIsReadOnly(t *testing.T) {
	store, err := object.NewFileStore(filepath.Join("testdata", "events"))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	s, err := OpenTable(store, "", types.TableName{Name: "events"}, Options{Metadata: MetadataFile(MetadataDir + "/v2.metadata.json")}).LoadLatest(t.Context())
	require.NoError(t, err)
	require.ErrorIs(t, s.CheckWrite(), storage.ErrUnsupportedFeature)
}
