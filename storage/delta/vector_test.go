package delta

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/object"
)

func newWithVectors(t *testing.T, rows ...[]any) *Table {
	table := newSimple(t, object.NewMemory(""), map[string]string{"delta.enableDeletionVectors": "true"})
	require.NoError(t, insert(table, rows...))
	return table
}

// objects lists the names of a kind of files of the table.
func objects(t *testing.T, table *Table, part string) []string {
	var names []string
	for info, err := range table.store.List(ctx, table.root) {
		require.NoError(t, err)
		if strings.Contains(info.Path, part) {
			names = append(names, info.Path)
		}
	}
	return names
}

func TestDeleteWritesVectors(t *testing.T) {
	table := newWithVectors(t, row3(1, "a", 1.0), row3(2, "a", 2.0), row3(3, "a", 3.0), row3(4, "b", 4.0))
	base := latest(t, table)
	d := remove(t, table, base, where(t, base, "id", "=", int64(2)))
	require.Len(t, d.Added, 1)
	require.Equal(t, d.Removed[0].Path, d.Added[0].Path)
	require.EqualValues(t, 2, d.Added[0].LiveRecords())
	require.NoError(t, commit(table, base, d))
	require.Len(t, objects(t, table, "part-"), 2, "no data file was written")
	require.Len(t, objects(t, table, "deletion_vector_"), 1)
	s := latest(t, reopen(table))
	require.Equal(t, "1 'a' 1; 3 'a' 3; 4 'b' 4", rowsOf(t, s))
	require.Contains(t, d.Added[0].Entry.(*activeFile).add.Stats, `{"numRecords":3,"minValues":{"id":1`)
	require.Contains(t, d.Added[0].Entry.(*activeFile).add.Stats, `,"tightBounds":false}`)

	d = remove(t, table, s, where(t, s, "id", "=", int64(3))) // the file has a vector already
	require.NoError(t, commit(table, s, d))
	require.Equal(t, "1 'a' 1; 4 'b' 4", rowsOf(t, latest(t, reopen(table))))
	s = latest(t, table)
	require.NoError(t, commit(table, s, remove(t, table, s, where(t, s, "id", "=", int64(1))))) // its last row
	s = latest(t, reopen(table))
	require.Equal(t, "4 'b' 4", rowsOf(t, s))
	require.Equal(t, 1, s.files.Len())
	require.EqualValues(t, 1, s.EstimatedRows())
	past, err := table.LoadAt(ctx, 2)
	require.NoError(t, err)
	require.Equal(t, "1 'a' 1; 3 'a' 3; 4 'b' 4", rowsOf(t, past))
}

// TestStatisticsOfLiveRows demands no statistics of a file with deleted rows but
// how many are left.
func TestStatisticsOfLiveRows(t *testing.T) {
	table := newWithVectors(t, row3(1, "a", 1.0), row3(2, "a", 2.0), row3(4, "b", 4.0))
	base := latest(t, table)
	require.NoError(t, commit(table, base, remove(t, table, base, where(t, base, "id", "=", int64(1)))))
	scan, err := latest(t, reopen(table)).NewScan().WithColumns([]string{"id"}).Build(ctx)
	require.NoError(t, err)
	for _, task := range scan.Tasks() {
		_, known := scan.ColumnStatistics(task, 0)
		require.Equal(t, task.File.Deleted == 0, known)
		require.EqualValues(t, 1, task.File.LiveRecords())
	}
}

// TestLimitHintCountsLiveRows asks for more rows than are left of a file.
func TestLimitHintCountsLiveRows(t *testing.T) {
	table := newWithVectors(t, row3(1, "a", 1.0), row3(2, "a", 2.0), row3(3, "a", 3.0), row3(4, "b", 4.0), row3(5, "c", 5.0))
	base := latest(t, table)
	require.NoError(t, commit(table, base, remove(t, table, base, where(t, base, "id", "<", int64(3)))))
	lines, err := readRows(latest(t, table).NewScan().WithLimitHint(2))
	require.NoError(t, err)
	require.Equal(t, []string{"3 'a' 3", "4 'b' 4"}, lines)
}

// TestVectorOfAnotherSize reads a file whose vector has more rows than the log
// says, as one that was replaced may have.
func TestVectorOfAnotherSize(t *testing.T) {
	table := newWithVectors(t, row3(1, "a", 1.0), row3(2, "a", 2.0), row3(3, "a", 3.0))
	base := latest(t, table)
	require.NoError(t, commit(table, base, remove(t, table, base, where(t, base, "id", "<", int64(3)))))
	path := table.commitPath(2)
	body, err := table.store.Get(ctx, path)
	require.NoError(t, err)
	require.Contains(t, string(body), `"cardinality":2`)
	require.NoError(t, table.store.Put(ctx, path, []byte(strings.Replace(string(body), `"cardinality":2`, `"cardinality":1`, 1))))
	_, err = readRows(latest(t, reopen(table)).NewScan())
	require.ErrorIs(t, err, storage.ErrCorrupt)
}

// TestRemoveFilesKeepsTheTablesFiles drops what a transaction staged.
func TestRemoveFilesKeepsTheTablesFiles(t *testing.T) {
	table := newWithVectors(t, row3(1, "a", nil), row3(2, "a", nil))
	base := latest(t, table)
	before := rowsOf(t, base)
	first := remove(t, table, base, where(t, base, "id", "=", int64(1)))
	require.NoError(t, table.RemoveFiles(ctx, first.Added, nil))
	require.Empty(t, objects(t, table, "deletion_vector_"))
	require.Equal(t, before, rowsOf(t, latest(t, reopen(table))))

	// A file that the transaction wrote itself gets no vector.
	staged, err := stage(table, base, row3(3, "a", nil), row3(4, "a", nil))
	require.NoError(t, err)
	view, err := base.Apply(staged)
	require.NoError(t, err)
	second := remove(t, table, view.(*Snapshot), where(t, view, "id", "=", int64(3)))
	require.Len(t, second.Removed, 1)
	require.NotEqual(t, second.Removed[0].Path, second.Added[0].Path)
	require.NoError(t, table.RemoveFiles(ctx, second.Removed, nil))
	again, err := view.Apply(second)
	require.NoError(t, err)
	require.Equal(t, "1 'a' NULL; 2 'a' NULL; 4 'a' NULL", rowsOf(t, again))
	require.NoError(t, table.RemoveFiles(ctx, second.Added, nil))
	require.Equal(t, before, rowsOf(t, latest(t, reopen(table))))
}

func TestAbortRemovesVectors(t *testing.T) {
	table := newWithVectors(t, row3(1, "a", nil), row3(2, "a", nil))
	base := latest(t, table)
	w, err := table.NewDeltaWriter(ctx, base, storage.WriteOptions{})
	require.NoError(t, err)
	scan, err := base.NewScan().Build(ctx)
	require.NoError(t, err)
	require.NoError(t, w.DeletePositions(ctx, scan.Tasks()[0].File, []int64{1}))
	_, err = w.Complete(ctx)
	require.NoError(t, err)
	require.Len(t, objects(t, table, "deletion_vector_"), 1)
	require.NoError(t, w.Abort(ctx))
	require.Empty(t, objects(t, table, "deletion_vector_"))
	require.Equal(t, "1 'a' NULL; 2 'a' NULL", rowsOf(t, latest(t, reopen(table))))
}

func TestWideStats(t *testing.T) {
	require.Equal(t, `{"numRecords":5,"minValues":{"a":1},"x":[],"tightBounds":false}`, wideStats(`{"numRecords":4,"tightBounds":true,"minValues":{"a":1},"x":[]}`, 5))
	require.Equal(t, `{"numRecords":5,"tightBounds":false}`, wideStats("", 5))
	require.Equal(t, `{"numRecords":5,"tightBounds":false}`, wideStats(`{"minValues":{"a":1}`, 5))
	require.EqualValues(t, 5, numRecords(wideStats("{}", 5)))
}
