package delta

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/object"
)

var randomName = regexp.MustCompile(`part-(\d+)-[0-9a-f-]{36}`)

// plain replaces what differs from run to run.
func plain(text string) string {
	text = randomName.ReplaceAllString(text, "part-$1-UUID")
	return regexp.MustCompile(`bytes=\d+`).ReplaceAllString(text, "bytes=N")
}

// TestCommitTrace holds the calls that a commit makes, in order: the data file
// is closed, and so durable, before the one put that makes it visible.
func TestCommitTrace(t *testing.T) {
	trace := object.NewTrace(object.NewMemory(""))
	table := newSimple(t, trace, nil)
	trace.Reset()
	require.NoError(t, insert(table, row3(1, "a", 1.5), row3(2, nil, nil)))
	path := filepath.Join("testdata", "commit.trace")
	if os.Getenv("REWRITE") != "" {
		require.NoError(t, os.WriteFile(path, []byte(plain(trace.Text())), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), plain(trace.Text()))
}

// TestRefreshReadsOnlyNewCommits counts the calls of a refresh.
func TestRefreshReadsOnlyNewCommits(t *testing.T) {
	store := object.NewMemory("")
	writer := newSimple(t, store, nil)
	for i := range 25 {
		require.NoError(t, insert(writer, row3(i, "a", nil)))
	}
	trace := object.NewTrace(store)
	reader := OpenTable(trace, "t", writer.name, Options{})
	base := latest(t, reader)
	require.Equal(t, 25, base.files.Len())
	for i := range 3 {
		require.NoError(t, insert(writer, row3(100+i, "a", nil)))
	}
	trace.Reset()
	next := latest(t, reader)
	require.Equal(t, 28, next.files.Len())
	require.Equal(t, 25, base.files.Len(), "the old snapshot stays")
	var gets int
	for _, call := range trace.Calls() {
		if call.Op == object.OpGet {
			gets++
		}
	}
	require.Equal(t, 3, gets)
	require.Len(t, trace.Calls(), 4, "a listing and the new commits")
	trace.Reset()
	require.Same(t, next, latest(t, reader))
	require.Len(t, trace.Calls(), 1)
	require.Equal(t, rowsOf(t, latest(t, reopen(writer))), rowsOf(t, next))
}

// TestRefreshAtCheckpoint: where the newest version has a checkpoint, a second
// look at the table is one listing as elsewhere.
func TestRefreshAtCheckpoint(t *testing.T) {
	store := object.NewMemory("")
	writer := newSimple(t, store, map[string]string{"delta.checkpointInterval": "2"})
	for i := range 2 {
		require.NoError(t, insert(writer, row3(i, "a", nil)))
	}
	require.Contains(t, logOf(t, writer), "00000000000000000002.checkpoint.parquet")
	trace := object.NewTrace(store)
	reader := OpenTable(trace, "t", writer.name, Options{})
	base := latest(t, reader)
	require.EqualValues(t, 2, base.version)
	trace.Reset()
	require.Same(t, base, latest(t, reader))
	require.Len(t, trace.Calls(), 1)
	require.NoError(t, insert(writer, row3(2, "a", nil)))
	trace.Reset()
	require.Equal(t, 3, latest(t, reader).files.Len())
	require.Len(t, trace.Calls(), 2, "a listing and the new commit")
}

// TestFaults fails every call of an INSERT and of an UPDATE in turn, in each of
// the ways that a call can fail. Afterwards the table reads as before or as
// after, and an error other than an unknown outcome means before.
func TestFaults(t *testing.T) {
	for i, effect := range []object.Effect{object.FailBefore, object.FailAfter, object.LoseAnswer, object.FailBefore, object.LoseAnswer} {
		for n := 1; ; n++ {
			store := object.NewFault(object.NewMemory(""))
			table := newSimple(t, store, map[string]string{"delta.checkpointInterval": "2", "delta.enableDeletionVectors": fmt.Sprint(i > 2)})
			require.NoError(t, insert(table, row3(1, "a", 1.0), row3(2, "b", 2.0), row3(4, "a", 4.0)))
			before := "1 'a' 1; 2 'b' 2; 4 'a' 4"
			after := "2 'b' 2; 3 'c' 3; 4 'a' 4"
			store.Script(object.Rule{Index: n, Effect: effect})
			err := replaceOne(t, table)
			fired := store.Fired() > 0
			store.Script()
			got := rowsOf(t, latest(t, reopen(table)))
			require.Equal(t, got, rowsOf(t, latest(t, table)), "the old handle sees the same")
			name := fmt.Sprintf("effect %d at call %d: %v", effect, n, err)
			switch {
			case err == nil || isError(err, storage.ErrCommitUnknown) && got == after:
				require.Equal(t, after, got, name)
			case isError(err, errCommitted):
				require.Equal(t, after, got, name)
			default:
				require.Equal(t, before, got, name)
			}
			if !fired {
				require.NoError(t, err)
				break
			}
		}
	}
}

// replaceOne replaces row 1 by row 3 in one commit.
func replaceOne(t *testing.T, table *Table) error {
	base, err := table.loadLatest(ctx)
	if err != nil {
		return err
	}
	d, err := stage(table, base, row3(3, "c", 3.0))
	if err != nil {
		return err
	}
	w, err := table.NewDeltaWriter(ctx, base, storage.WriteOptions{})
	if err != nil {
		return err
	}
	base.files.Ascend(func(f *activeFile) bool {
		if f.partition[0] == "a" {
			require.NoError(t, w.DeletePositions(ctx, f.dataFile(), []int64{0}))
		}
		return true
	})
	result, err := w.Complete(ctx)
	if err != nil {
		return err
	}
	d.Added = append(d.Added, result.DataFiles...)
	d.Removed, d.ReadFilter = result.RemovedFiles, where(t, base, "id", "=", int64(1))
	return commit(table, base, d)
}

// TestManyCommitters lets writers race on every kind of store: each commit has
// its own version and no row is lost or doubled.
func TestManyCommitters(t *testing.T) {
	dir, err := object.NewFileStore(t.TempDir())
	require.NoError(t, err)
	for name, store := range map[string]object.Store{"memory": object.NewMemory(""), "file": dir} {
		t.Run(name, func(t *testing.T) {
			const writers, commits = 8, 12
			table := newSimple(t, store, map[string]string{"delta.checkpointInterval": "7"})
			var wait sync.WaitGroup
			errs := make([]error, writers)
			for w := range writers {
				wait.Go(func() {
					own := table
					if w%2 == 0 {
						own = reopen(table)
					}
					for i := range commits {
						if err := insert(own, row3(w*commits+i, "p", nil)); err != nil {
							errs[w] = err
							return
						}
					}
				})
			}
			wait.Wait()
			for _, err := range errs {
				require.NoError(t, err)
			}
			s := latest(t, reopen(table))
			require.EqualValues(t, writers*commits, s.Version())
			got, err := readRows(s.NewScan().WithColumns([]string{"id"}))
			require.NoError(t, err)
			require.Len(t, got, writers*commits)
			seen := map[string]bool{}
			for _, id := range got {
				require.False(t, seen[id])
				seen[id] = true
			}
			require.Equal(t, rowsOf(t, s), rowsOf(t, latest(t, table)))
		})
	}
}

// TestDelayedRequestIsRecognized is a publish whose answer was lost, that a
// look-up does not find and that takes effect after all.
func TestDelayedRequestIsRecognized(t *testing.T) {
	table := newSimple(t, object.NewMemory(""), nil)
	base := latest(t, table)
	d, err := stage(table, base, row3(1, "a", nil))
	require.NoError(t, err)
	c := table.Committer()
	first, err := c.Prepare(ctx, base, d)
	require.NoError(t, err)
	found, err := c.Find(ctx, first)
	require.NoError(t, err)
	require.False(t, found)
	require.NoError(t, c.Publish(ctx, first)) // the delayed request
	second, err := c.Prepare(ctx, base, d)
	require.NoError(t, err)
	require.NoError(t, c.Publish(ctx, second), "the version has the change already")

	require.NoError(t, insert(table, row3(2, "a", nil)))
	head := latest(t, table)
	require.NoError(t, c.Check(ctx, base, head, d))
	third, err := c.Prepare(ctx, head, d)
	require.NoError(t, err)
	require.EqualValues(t, 1, third.Version())
	require.NoError(t, c.Publish(ctx, third))
	require.Equal(t, "1 'a' NULL; 2 'a' NULL", rowsOf(t, latest(t, table)))
}

// TestConflicts is the matrix of the conflict checker.
func TestConflicts(t *testing.T) {
	type change func(t *testing.T, table *Table, base *Snapshot) storage.RowDelta
	removes := func(id int) change {
		return func(t *testing.T, table *Table, base *Snapshot) storage.RowDelta {
			return remove(t, table, base, where(t, base, "id", "=", int64(id)))
		}
	}
	appends := func(id int, part string) change {
		return func(t *testing.T, table *Table, base *Snapshot) storage.RowDelta {
			d, err := stage(table, base, row3(id, part, nil))
			require.NoError(t, err)
			return d
		}
	}
	reads := func(c change, column, op string, value any) change {
		return func(t *testing.T, table *Table, base *Snapshot) storage.RowDelta {
			d := c(t, table, base)
			d.ReadFilter = where(t, base, column, op, value)
			return d
		}
	}
	readsAll := func(c change) change {
		return func(t *testing.T, table *Table, base *Snapshot) storage.RowDelta {
			d := c(t, table, base)
			d.ReadFilter = expr.True
			return d
		}
	}
	const none, serializable, write, always = 0, 1, 2, 3 // the weakest level that conflicts
	for _, c := range []struct {
		name        string
		first, then change
		level       int
	}{
		{"two blind appends", appends(10, "a"), appends(11, "a"), none},
		{"append under a delete of other rows", removes(1), appends(11, "a"), none},
		{"delete of the same file", removes(1), removes(2), always},
		{"delete in another partition", removes(3), removes(1), none},
		{"blind append into what was read", appends(1, "a"), removes(1), serializable},
		{"append outside the statistics that was read", appends(50, "a"), removes(1), none},
		{"append into another partition", appends(1, "b"), reads(removes(1), "part", "=", "a"), none},
		{"append that read, into what was read", readsAll(appends(1, "a")), removes(1), write},
		{"delete of what was read", removes(1), reads(appends(11, "b"), "id", "<", int64(2)), write},
		{"delete of what was not read", removes(3), reads(appends(11, "b"), "id", "<", int64(2)), none},
		{"append while the whole table was read", appends(50, "z"), readsAll(appends(51, "b")), serializable},
	} {
		for _, level := range []struct {
			isolation storage.Isolation
			rank      int
		}{{storage.Serializable, serializable}, {storage.WriteSerializable, write}, {storage.SnapshotIsolation, always}} {
			t.Run(fmt.Sprintf("%s/%s", c.name, isolationName(level.isolation)), func(t *testing.T) {
				table := newSimple(t, object.NewMemory(""), nil)
				require.NoError(t, insert(table, row3(1, "a", nil), row3(2, "a", nil), row3(3, "b", nil)))
				base := latest(t, table)
				first, then := c.first(t, table, base), c.then(t, table, base)
				then.Isolation = level.isolation
				require.NoError(t, commit(table, base, first))
				err := commit(table, base, then)
				if c.level >= level.rank {
					var conflict *storage.CommitConflict
					require.ErrorAs(t, err, &conflict)
					require.Equal(t, base.Version(), conflict.Base)
					require.Equal(t, base.Version()+1, conflict.Version)
					return
				}
				require.NoError(t, err)
			})
		}
	}
}

// TestDefinitionChangesConflict commits a protocol or metadata, be it the same
// again, before a change that depends on nothing else.
func TestDefinitionChangesConflict(t *testing.T) {
	for _, kind := range []string{"protocol", "metaData"} {
		table := newSimple(t, object.NewMemory(""), nil)
		base := latest(t, table)
		d, err := stage(table, base, row3(1, "a", nil))
		require.NoError(t, err)
		d.Isolation = storage.SnapshotIsolation
		created, err := table.store.Get(ctx, table.commitPath(0))
		require.NoError(t, err)
		for line := range strings.Lines(string(created)) {
			if strings.HasPrefix(line, `{"`+kind+`"`) {
				require.NoError(t, table.store.Put(ctx, table.commitPath(1), []byte(line)))
			}
		}
		var conflict *storage.CommitConflict
		require.ErrorAs(t, commit(table, base, d), &conflict, kind)
		require.EqualValues(t, 1, conflict.Version)
		require.Contains(t, conflict.Reason, strings.ToLower(kind))
	}
}

func TestTableIsolationIsStricter(t *testing.T) {
	table := newSimple(t, object.NewMemory(""), map[string]string{"delta.isolationLevel": "Serializable"})
	require.NoError(t, insert(table, row3(1, "a", nil)))
	base := latest(t, table)
	d := remove(t, table, base, where(t, base, "id", "=", int64(1)))
	require.NoError(t, insert(table, row3(1, "a", nil)))
	require.ErrorIs(t, commit(table, base, d), storage.ErrConflict)
}

func TestCreateRace(t *testing.T) {
	store := object.NewMemory("")
	one, two := NewTable(store, "t", simpleName, Options{}), NewTable(store, "t", simpleName, Options{})
	base1, base2 := latest(t, one), latest(t, two)
	require.Equal(t, storage.NoVersion, base1.Version())
	require.NoError(t, commit(one, base1, storage.RowDelta{Definition: simple(nil), Operation: "CREATE TABLE"}))
	err := commit(two, base2, storage.RowDelta{Definition: simple(nil), Operation: "CREATE TABLE"})
	require.ErrorIs(t, err, storage.ErrConflict)
	require.EqualValues(t, 0, latest(t, two).Version())
}

func TestVanishedTable(t *testing.T) {
	store := object.NewMemory("")
	table := newSimple(t, store, nil)
	require.NoError(t, insert(table, row3(1, "a", nil)))
	for info, err := range store.List(ctx, "t") {
		require.NoError(t, err)
		require.NoError(t, store.Delete(ctx, info.Path))
	}
	_, err := table.LoadLatest(ctx)
	require.ErrorIs(t, err, storage.ErrTableNotFound)
	_, err = reopen(table).LoadLatest(ctx)
	require.ErrorIs(t, err, storage.ErrTableNotFound)
	again := newSimple(t, store, nil)
	require.NoError(t, insert(again, row3(9, "z", nil)))
	require.NoError(t, insert(again, row3(10, "z", nil)))
	require.Equal(t, "10 'z' NULL; 9 'z' NULL", rowsOf(t, latest(t, table)), "the old handle notices the new table")
}
