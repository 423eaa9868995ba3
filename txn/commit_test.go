package txn

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
)

// fakeTable is a table whose committer plays a script: each Publish takes the
// next answer.
type fakeTable struct {
	version storage.Version
	publish []error
	found   bool
	findErr error
	check   error
	panics  bool  // in Check
	write   error // of writers that complete
	calls   []string
	removed []string
	written int
}

func (f *fakeTable) Name() types.TableName { return types.TableName{Name: "t"} }
func (f *fakeTable) LoadLatest(context.Context) (storage.Snapshot, error) {
	return &fakeSnapshot{version: f.version}, nil
}
func (f *fakeTable) LoadAt(_ context.Context, v storage.Version) (storage.Snapshot, error) {
	return &fakeSnapshot{version: v}, nil
}
func (f *fakeTable) ActiveCommitAtTime(context.Context, time.Time, storage.TimestampPolicy) (storage.Version, error) {
	return f.version, nil
}
func (f *fakeTable) CheckVersionExists(context.Context, storage.Version) error { return nil }
func (f *fakeTable) NewDeltaWriter(context.Context, storage.Snapshot, storage.WriteOptions) (storage.DeltaWriter, error) {
	return &fakeWriter{table: f}, nil
}
func (f *fakeTable) RemoveFiles(_ context.Context, files []storage.DataFile, _ []storage.DeleteFile) error {
	for _, file := range files {
		f.removed = append(f.removed, file.Path)
	}
	return nil
}
func (f *fakeTable) Committer() storage.Committer { return f }
func (f *fakeTable) Check(context.Context, storage.Snapshot, storage.Snapshot, storage.RowDelta) error {
	f.calls = append(f.calls, "check")
	if f.panics {
		panic("a bug")
	}
	return f.check
}
func (f *fakeTable) Prepare(_ context.Context, head storage.Snapshot, _ storage.RowDelta) (storage.Attempt, error) {
	f.calls = append(f.calls, "prepare")
	if head.Version() != f.version {
		return nil, errors.New("prepared on a state that is not the newest")
	}
	return fakeAttempt(f.version + 1), nil
}
func (f *fakeTable) Publish(context.Context, storage.Attempt) error {
	err := f.publish[0]
	f.publish = f.publish[1:]
	f.calls = append(f.calls, "publish")
	if errors.Is(err, storage.ErrLostRace) {
		f.version++ // another writer has made it
	}
	return err
}
func (f *fakeTable) Find(context.Context, storage.Attempt) (bool, error) {
	f.calls = append(f.calls, "find")
	return f.found, f.findErr
}
func (f *fakeTable) Discard(context.Context, storage.Attempt) error {
	f.calls = append(f.calls, "discard")
	return nil
}
func (f *fakeTable) Committed(context.Context, storage.Attempt) error {
	f.calls = append(f.calls, "committed")
	return errors.New("a checkpoint that fails never fails the commit")
}

type fakeAttempt storage.Version

func (a fakeAttempt) Version() storage.Version { return storage.Version(a) }

type fakeSnapshot struct {
	version storage.Version
	files   int
}

func (s *fakeSnapshot) NewScan() storage.ScanBuilder  { return nil }
func (s *fakeSnapshot) Name() types.TableName         { return types.TableName{Name: "t"} }
func (s *fakeSnapshot) Version() storage.Version      { return s.version }
func (s *fakeSnapshot) Schema() types.Schema          { return types.Schema{} }
func (s *fakeSnapshot) PartitionColumns() []string    { return nil }
func (s *fakeSnapshot) Properties() map[string]string { return nil }
func (s *fakeSnapshot) WriteRules() []types.WriteRule { return nil }
func (s *fakeSnapshot) CheckWrite() error             { return nil }
func (s *fakeSnapshot) Apply(d storage.RowDelta) (storage.Snapshot, error) {
	return &fakeSnapshot{version: s.version, files: s.files + len(d.Added) - len(d.Removed)}, nil
}

type fakeWriter struct {
	table *fakeTable
	rows  int
}

func (w *fakeWriter) Write(_ context.Context, b *vector.Batch) error {
	w.rows += b.Rows()
	return nil
}
func (w *fakeWriter) Complete(context.Context) (storage.WriteResult, error) {
	if w.table.write != nil {
		return storage.WriteResult{}, w.table.write
	}
	w.table.written++
	return storage.WriteResult{DataFiles: []storage.DataFile{{Path: fmt.Sprintf("f%d", w.table.written), Records: int64(w.rows)}}}, nil
}
func (w *fakeWriter) Abort(context.Context) error { return nil }
func (w *fakeWriter) DeletePositions(context.Context, storage.DataFile, []int64) error {
	return nil
}
func (w *fakeWriter) DeleteFile(context.Context, storage.DataFile) error { return nil }
func (w *fakeWriter) DeleteKeys(context.Context, *vector.Batch) error    { return nil }
func (w *fakeWriter) Upsert(context.Context, *vector.Batch) error        { return nil }

// fakeCatalog has the one table.
type fakeCatalog struct{ table *fakeTable }

func (c fakeCatalog) LoadTable(context.Context, types.TableName) (storage.Table, error) {
	return c.table, nil
}
func (c fakeCatalog) NewTable(context.Context, types.TableName, storage.TableDefinition) (storage.Table, error) {
	return nil, storage.ErrTableExists
}
func (c fakeCatalog) DropTable(context.Context, types.TableName) error { return nil }
func (c fakeCatalog) ListTables(context.Context, string) ([]types.TableName, error) {
	return nil, nil
}

func begin(t *testing.T, f *fakeTable, retries int) (*Tx, plan.Source) {
	tx := NewManager(fakeCatalog{f}, Options{CommitRetries: retries}).Begin(TxOptions{})
	target, err := tx.Target(context.Background(), f.Name())
	require.NoError(t, err)
	return tx, target
}

var oneRow = vector.NewBatch(1)

// TestPanicBeforePublish: a bug in what comes before the publishing fails the commit,
// not the program, and leaves nothing.
func TestPanicBeforePublish(t *testing.T) {
	f := &fakeTable{panics: true}
	tx, target := begin(t, f, 3)
	require.NoError(t, tx.Append(context.Background(), target, oneRow, nil))
	require.ErrorContains(t, tx.Commit(context.Background()), "internal error, please report it: a bug")
	require.Len(t, f.removed, 1)
	require.Equal(t, []string{"check"}, f.calls)
}

func TestCommitLoop(t *testing.T) {
	timeout := errors.New("time-out")
	lost := &storage.AmbiguousError{Cause: timeout}
	broken := errors.New("disk full")
	for _, c := range []struct {
		name    string
		table   fakeTable
		calls   string
		wants   error
		removed bool
	}{
		{name: "committed", table: fakeTable{publish: []error{nil}}, calls: "[check prepare publish committed]"},
		{name: "lost race, then committed", table: fakeTable{publish: []error{storage.ErrLostRace, nil}}, calls: "[check prepare publish discard check prepare publish committed]"},
		{name: "conflict", table: fakeTable{check: &storage.CommitConflict{Table: "t"}}, calls: "[check]", wants: storage.ErrConflict, removed: true},
		{name: "definite failure", table: fakeTable{publish: []error{broken}}, calls: "[check prepare publish discard]", wants: broken, removed: true},
		{name: "lost answer, committed", table: fakeTable{publish: []error{lost}, found: true}, calls: "[check prepare publish find committed]"},
		{name: "lost answer, not committed", table: fakeTable{publish: []error{lost, nil}}, calls: "[check prepare publish find discard check prepare publish committed]"},
		{name: "no answer, never committed", table: fakeTable{publish: []error{lost, lost, lost}},
			calls: "[check prepare publish find discard check prepare publish find discard check prepare publish find discard]", wants: timeout, removed: true},
		{name: "unknown", table: fakeTable{publish: []error{lost}, findErr: broken}, calls: "[check prepare publish find]", wants: storage.ErrCommitUnknown},
		{name: "too many lost races", table: fakeTable{publish: []error{storage.ErrLostRace, storage.ErrLostRace, storage.ErrLostRace, storage.ErrLostRace}},
			calls: "[check prepare publish discard check prepare publish discard check prepare publish discard check prepare publish discard]", wants: storage.ErrConflict, removed: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := c.table
			tx, target := begin(t, &f, 3)
			require.NoError(t, tx.Append(context.Background(), target, oneRow, nil))
			err := tx.Commit(context.Background())
			if c.wants == nil {
				require.NoError(t, err)
			} else {
				require.ErrorIs(t, err, c.wants)
			}
			require.Equal(t, c.calls, fmt.Sprint(f.calls))
			require.Equal(t, c.removed, len(f.removed) > 0)
			require.ErrorIs(t, tx.Commit(context.Background()), ErrTxState)
		})
	}
}

func TestSavepoints(t *testing.T) {
	ctx := context.Background()
	f := &fakeTable{publish: []error{nil}}
	tx, target := begin(t, f, 1)
	require.NoError(t, tx.Append(ctx, target, oneRow, nil))
	require.NoError(t, tx.Savepoint(ctx, "a"))
	require.NoError(t, tx.Append(ctx, target, oneRow, nil))
	require.NoError(t, tx.Savepoint(ctx, "b"))
	require.NoError(t, tx.Append(ctx, target, oneRow, nil))
	source, err := tx.Resolve(ctx, f.Name(), nil)
	require.NoError(t, err)
	require.Equal(t, 3, source.(*fakeSnapshot).files)
	require.NoError(t, tx.RollbackTo(ctx, "A"))
	require.Equal(t, []string{"f2", "f3"}, f.removed)
	require.ErrorIs(t, tx.RollbackTo(ctx, "b"), ErrTxState)
	source, err = tx.Resolve(ctx, f.Name(), nil)
	require.NoError(t, err)
	require.Equal(t, 1, source.(*fakeSnapshot).files)
	require.NoError(t, tx.Release("a"))
	require.ErrorIs(t, tx.Release("a"), ErrTxState)
	require.NoError(t, tx.Commit(ctx))
}

func TestSavepointThatFails(t *testing.T) {
	ctx := context.Background()
	f := &fakeTable{write: errors.New("disk full")}
	tx, target := begin(t, f, 1)
	require.NoError(t, tx.Savepoint(ctx, "a"))
	require.NoError(t, tx.Append(ctx, target, oneRow, nil))
	require.ErrorIs(t, tx.Savepoint(ctx, "b"), f.write)
	require.ErrorIs(t, tx.RollbackTo(ctx, "b"), ErrTxState)
	require.ErrorIs(t, tx.Commit(ctx), ErrTxState)
	require.Empty(t, f.calls)
}

func TestFilesOfTheTransactionItselfAreDropped(t *testing.T) {
	ctx := context.Background()
	f := &fakeTable{publish: []error{nil}}
	tx, target := begin(t, f, 1)
	require.NoError(t, tx.Append(ctx, target, oneRow, nil))
	_, err := tx.Resolve(ctx, f.Name(), nil)
	require.NoError(t, err)
	require.NoError(t, tx.Stage(ctx, target, storage.RowDelta{Removed: []storage.DataFile{{Path: "f1"}, {Path: "old"}}, Operation: "DELETE"}))
	d := tx.written.staged.delta()
	require.Empty(t, d.Added)
	require.Len(t, d.Removed, 1)
	require.NoError(t, tx.Commit(ctx))
	require.Equal(t, []string{"f1"}, f.removed)
}

// TestReadsAreNoted: at any level, as the table may ask for a stricter one.
func TestReadsAreNoted(t *testing.T) {
	ctx := context.Background()
	f := &fakeTable{}
	tx := NewManager(fakeCatalog{f}, Options{}).Begin(TxOptions{})
	source, err := tx.Resolve(ctx, f.Name(), nil)
	require.NoError(t, err)
	a := expr.IsNull(&expr.Column{Index: 0, Name: "a"})
	tx.NoteRead(source, a)
	tx.NoteRead(source, a)
	require.True(t, expr.Equal(a, tx.tables["t"].read))
	b := expr.IsNull(&expr.Column{Index: 1, Name: "b"})
	tx.NoteRead(source, b)
	require.True(t, expr.Equal(expr.Or(a, b), tx.tables["t"].read))
	require.NoError(t, tx.Append(ctx, source, oneRow, a))
	require.NoError(t, tx.Append(ctx, source, oneRow, nil))
	require.NoError(t, tx.Append(ctx, source, oneRow, b))
	require.True(t, expr.Equal(expr.Or(a, b), tx.tables["t"].staged.readFilter))
	tx.NoteRead(source, expr.True)
	require.Equal(t, expr.True, tx.tables["t"].read)
}
