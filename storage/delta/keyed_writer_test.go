package delta

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/object"
)

// stageKeyed runs f with a writer whose keys are part and id.
func stageKeyed(t *testing.T, table *Table, base *Snapshot, f func(w storage.DeltaWriter, b func(rows ...[]any) *vector.Batch) error) storage.RowDelta {
	w, err := table.NewDeltaWriter(ctx, base, storage.WriteOptions{Keys: []string{"part", "id"}})
	require.NoError(t, err)
	require.NoError(t, f(w, func(rows ...[]any) *vector.Batch { return batchOf(base.Schema(), rows...) }))
	result, err := w.Complete(ctx)
	require.NoError(t, err)
	return storage.RowDelta{Added: result.DataFiles, Removed: result.RemovedFiles, ReadFilter: result.Read, Operation: "MERGE"}
}

// TestUpsertTakesRowsAway checks what an upsert makes of files, with deletion
// vectors and without.
func TestUpsertTakesRowsAway(t *testing.T) {
	for _, c := range []struct {
		name       string
		properties map[string]string
		vectors    int
	}{
		{"copy on write", nil, 0},
		{"deletion vectors", map[string]string{"delta.enableDeletionVectors": "true"}, 1},
		{"column mapping", map[string]string{"delta.columnMapping.mode": "name"}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			store := object.NewMemory("")
			table := newSimple(t, store, c.properties)
			require.NoError(t, insert(table, row3(1, "a", 1.0), row3(2, "a", 1.0), row3(1, "b", 1.0)))
			base, before := latest(t, table), len(objects(t, table, ""))
			d := stageKeyed(t, table, base, func(w storage.DeltaWriter, b func(...[]any) *vector.Batch) error {
				return w.Upsert(ctx, b(row3(1, "a", 2.0), row3(3, "c", 2.0), row3(1, "a", 3.0)))
			})
			vectors := 0
			for _, f := range d.Added {
				if f.Entry.(*activeFile).vector != "" {
					vectors++
				}
			}
			require.Len(t, d.Removed, 1)
			require.Equal(t, []int{c.vectors, before + c.vectors + 2}, []int{vectors, len(objects(t, table, ""))}, "the form of a file that lost a row is gone")
			require.Equal(t, "(part IN ('a', 'c')) AND (id IN (1, 3))", d.ReadFilter.String())
			require.NoError(t, commit(table, base, d))
			require.Equal(t, "1 'a' 3; 1 'b' 1; 2 'a' 1; 3 'c' 2", rowsOf(t, latest(t, reopen(table))))
		})
	}
}

// TestEmptyStringIsTheKeyNull checks that a key is what will be read back.
func TestEmptyStringIsTheKeyNull(t *testing.T) {
	table := newSimple(t, object.NewMemory(""), nil)
	require.NoError(t, insert(table, row3(1, nil, 1.0), row3(2, nil, 1.0)))
	base := latest(t, table)
	d := stageKeyed(t, table, base, func(w storage.DeltaWriter, b func(...[]any) *vector.Batch) error {
		if err := w.Upsert(ctx, b(row3(1, "", 2.0))); err != nil {
			return err
		}
		return w.Upsert(ctx, b(row3(1, nil, 3.0)))
	})
	require.NoError(t, commit(table, base, d))
	require.Equal(t, "1 NULL 3; 2 NULL 1", rowsOf(t, latest(t, table)))
}

func TestUpsertOfAppendOnlyTable(t *testing.T) {
	table := newSimple(t, object.NewMemory(""), map[string]string{"delta.appendOnly": "true"})
	require.NoError(t, insert(table, row3(1, "a", 1.0)))
	base := latest(t, table)
	upsert := func(id int) error {
		w, err := table.NewDeltaWriter(ctx, base, storage.WriteOptions{Keys: []string{"id"}})
		require.NoError(t, err)
		require.NoError(t, w.Upsert(ctx, batchOf(base.Schema(), row3(id, "a", 2.0))))
		_, err = w.Complete(ctx)
		require.NoError(t, w.Abort(ctx))
		return err
	}
	require.ErrorIs(t, upsert(1), storage.ErrConstraint)
	require.NoError(t, upsert(2), "no row is taken away")
}

func TestKeysSkipFiles(t *testing.T) {
	store := object.NewMemory("")
	table := newSimple(t, store, nil)
	for i := range 5 {
		require.NoError(t, insert(table, row3(i*10, "a", 1.0), row3(i*10+9, "a", 1.0)))
	}
	trace := object.NewTrace(store)
	traced := OpenTable(trace, table.root, table.name, table.options)
	base := latest(t, traced)
	trace.Reset()
	stageKeyed(t, traced, base, func(w storage.DeltaWriter, b func(...[]any) *vector.Batch) error {
		return w.DeleteKeys(ctx, b(row3(20, "a", nil), row3(29, "a", nil)))
	})
	opened := map[string]bool{}
	for _, call := range trace.Calls() {
		opened[call.Path] = true
	}
	require.Len(t, opened, 1)
}
