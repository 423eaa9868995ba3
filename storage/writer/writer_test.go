package writer_test

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/object"
	"github.com/tarndb/tarn/storage/parquet"
	"github.com/tarndb/tarn/storage/writer"
)

// options write files of the columns id and name, partitioned by the column
// part, which stands between them in the batches.
func options(store object.Store) writer.Options {
	n := 0
	return writer.Options{
		Store: store,
		Schema: types.Schema{Fields: []types.Field{
			{Name: "id", Type: types.Of(types.BigInt), Nullable: true}, {Name: "name", Type: types.Of(types.String), Nullable: true}}},
		DataColumns: []int{0, 2}, PartitionColumns: []int{1},
		NewPath: func(partition []any) string {
			n++
			return fmt.Sprintf("part=%v/%d.parquet", partition[0], n)
		},
	}
}

func rows(from, to int) *vector.Batch {
	id, part, name := vector.NewBuilder(types.Of(types.BigInt), 0), vector.NewBuilder(types.Of(types.Int), 0), vector.NewBuilder(types.Of(types.String), 0)
	for i := from; i < to; i++ {
		id.AppendValue(int64(i))
		if i%3 == 2 {
			part.AppendNull()
		} else {
			part.AppendValue(int64(i % 3))
		}
		name.AppendValue(fmt.Sprint("row ", i))
	}
	return vector.NewBatch(to-from, id.Vector(), part.Vector(), name.Vector())
}

// read gives the ids in a file.
func read(t *testing.T, store object.Store, f storage.DataFile) []int64 {
	ctx := context.Background()
	file, err := parquet.Open(ctx, store, f.Path, f.SizeBytes, parquet.OpenOptions{})
	require.NoError(t, err)
	r, err := file.Read(parquet.ReadOptions{Columns: file.Schema().Fields})
	require.NoError(t, err)
	defer r.Close()
	var ids []int64
	for {
		b, err := r.Next(ctx)
		if err == io.EOF {
			return ids
		}
		require.NoError(t, err)
		for k := range b.Rows() {
			ids = append(ids, b.Columns[0].Value(b.Row(k)).(int64))
		}
	}
}

func TestFanoutRoutesByPartition(t *testing.T) {
	store := object.NewMemory(t.Name())
	w := writer.NewFanout(options(store))
	ctx := context.Background()
	require.NoError(t, w.Write(ctx, rows(0, 10)))
	b := rows(10, 20)
	b.Sel = vector.Selection{0, 5, 9}
	require.NoError(t, w.Write(ctx, b))
	files, err := w.Complete(ctx)
	require.NoError(t, err)
	require.Len(t, files, 3)
	want := map[any][]int64{nil: {2, 5, 8}, int64(0): {0, 3, 6, 9, 15}, int64(1): {1, 4, 7, 10, 19}}
	for _, f := range files {
		require.Equal(t, want[f.Partition[0]], read(t, store, f))
		require.EqualValues(t, len(want[f.Partition[0]]), f.Records)
		require.Len(t, f.Stats.Columns, 2)
		info, err := store.Stat(ctx, f.Path)
		require.NoError(t, err)
		require.Equal(t, info.Size, f.SizeBytes)
	}
}

func TestFilesRollAtTheTargetSize(t *testing.T) {
	store := object.NewMemory(t.Name())
	o := options(store)
	o.PartitionColumns, o.TargetFileSizeBytes = nil, 64<<10
	o.NewPath = func() func([]any) string {
		n := 0
		return func([]any) string { n++; return fmt.Sprintf("%d.parquet", n) }
	}()
	w := writer.NewFanout(o)
	ctx := context.Background()
	for from := 0; from < 100_000; from += 1000 {
		require.NoError(t, w.Write(ctx, rows(from, from+1000)))
	}
	files, err := w.Complete(ctx)
	require.NoError(t, err)
	require.Greater(t, len(files), 3)
	next := int64(0)
	for _, f := range files {
		for _, id := range read(t, store, f) {
			require.Equal(t, next, id)
			next++
		}
	}
	require.EqualValues(t, 100_000, next)
}

func TestManyPartitionsStayBounded(t *testing.T) {
	store := object.NewMemory(t.Name())
	o := options(store)
	o.PartitionColumns = []int{0} // a partition per row
	w := writer.NewFanout(o)
	ctx := context.Background()
	for range 2 {
		require.NoError(t, w.Write(ctx, rows(0, 500)))
	}
	files, err := w.Complete(ctx)
	require.NoError(t, err)
	total := int64(0)
	for _, f := range files {
		total += f.Records
	}
	require.EqualValues(t, 1000, total)
}

func TestAbortLeavesNothing(t *testing.T) {
	ctx := context.Background()
	count := func(store object.Store) (n int) {
		for info, err := range store.List(ctx, "") {
			require.NoError(t, err)
			require.True(t, strings.HasSuffix(info.Path, ".parquet"))
			n++
		}
		return n
	}
	store := object.NewMemory(t.Name())
	w := writer.NewFanout(options(store))
	require.NoError(t, w.Write(ctx, rows(0, 10)))
	require.NoError(t, w.Abort(ctx))
	require.Zero(t, count(store))

	w = writer.NewFanout(options(store))
	require.NoError(t, w.Write(ctx, rows(0, 10)))
	_, err := w.Complete(ctx)
	require.NoError(t, err)
	require.Equal(t, 3, count(store))
	require.NoError(t, w.Abort(ctx))
	require.Zero(t, count(store))

	// A file that can't be finished fails Complete; Abort removes the others.
	fault := object.NewFault(store, object.Rule{Op: object.OpClose, Index: 2})
	w = writer.NewFanout(options(fault))
	require.NoError(t, w.Write(ctx, rows(0, 10)))
	_, err = w.Complete(ctx)
	require.ErrorIs(t, err, object.ErrInjected)
	require.NoError(t, w.Abort(ctx))
	require.Zero(t, count(store))
}

// countedRows is a format whose files are as long as they have rows.
type countedRows struct {
	w    io.Writer
	rows int64
}

func (c *countedRows) Write(b *vector.Batch) error {
	c.rows += int64(b.Rows())
	_, err := c.w.Write(make([]byte, b.Rows()))
	return err
}
func (c *countedRows) Rows() int64 { return c.rows }
func (c *countedRows) Size() int64 { return c.rows }
func (c *countedRows) Close() (storage.FileStats, int64, error) {
	return storage.FileStats{}, c.rows, nil
}

func TestOtherFormats(t *testing.T) {
	store := object.NewMemory(t.Name())
	o := options(store)
	o.TargetFileSizeBytes = 3
	o.NewRows = func(w io.Writer, schema types.Schema) (writer.RowWriter, error) {
		require.Equal(t, o.Schema, schema)
		return &countedRows{w: w}, nil
	}
	w := writer.NewFanout(o)
	for from := range 3 {
		require.NoError(t, w.Write(t.Context(), rows(from*6, from*6+6)))
	}
	files, err := w.Complete(t.Context())
	require.NoError(t, err)
	require.Len(t, files, 6)
	for _, f := range files {
		require.Contains(t, []int64{2, 4}, f.Records)
		require.Equal(t, f.Records, f.SizeBytes)
	}
}
