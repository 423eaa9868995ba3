package parquet_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/parquet"
)

// brokenWriter fails after some bytes.
type brokenWriter struct{ left int }

var errBroken = errors.New("disk is full")

func (w *brokenWriter) Write(p []byte) (int, error) {
	if len(p) > w.left {
		return 0, errBroken
	}
	w.left -= len(p)
	return len(p), nil
}

func TestWriterErrors(t *testing.T) {
	schema := types.Schema{Fields: []types.Field{{Name: "a", Type: types.Of(types.BigInt)}}}
	batch := vector.NewBatch(2, build(types.Of(types.BigInt), int64(1), int64(2)))
	for _, left := range []int{0, 4, 30, 150} {
		w, err := parquet.NewWriter(&brokenWriter{left}, schema, parquet.WriterOptions{})
		require.NoError(t, err)
		require.NoError(t, w.Write(batch))
		for range 2 {
			_, _, err = w.Close()
			require.ErrorIs(t, err, errBroken)
		}
		require.ErrorIs(t, w.Write(batch), errBroken)
	}
	w, err := parquet.NewWriter(io.Discard, schema, parquet.WriterOptions{})
	require.NoError(t, err)
	require.Error(t, w.Write(&vector.Batch{Len: 1}))
}

func TestWriterStatistics(t *testing.T) {
	point := types.StructOf(types.Field{ID: 3, Name: "x", Type: types.DecimalOf(5, 1), Nullable: true})
	schema := types.Schema{Fields: []types.Field{
		{ID: 1, Name: "f", Type: types.Of(types.Double), Nullable: true}, {ID: 2, Name: "p", Type: point, Nullable: true},
		{Name: "l", Type: types.ArrayOf(types.Of(types.String), true), Nullable: true}, {Name: "n", Type: types.Of(types.Date), Nullable: true},
	}}
	batch := vector.NewBatch(3,
		build(schema.Fields[0].Type, 1.5, math.NaN(), nil),
		build(point, []any{types.Decimal128FromInt64(-15)}, nil, []any{nil}),
		build(schema.Fields[2].Type, []any{"b", nil, "a"}, nil, []any{}),
		build(types.Of(types.Date), nil, nil, nil))
	_, stats := write(t, schema, parquet.WriterOptions{RowGroupRows: 2}, batch)
	require.True(t, stats.TightBounds)
	for i := range stats.Columns {
		require.Positive(t, stats.Columns[i].SizeBytes)
		stats.Columns[i].SizeBytes = 0
	}
	minusFifteen := types.Decimal128FromInt64(-15)
	require.Equal(t, []storage.ColumnStats{
		{Path: []string{"f"}, ID: 1, Type: schema.Fields[0].Type, Min: 1.5, Max: 1.5, NullCount: 1, NaNCount: 1},
		{Path: []string{"p", "x"}, ID: 3, Type: types.DecimalOf(5, 1), Min: minusFifteen, Max: minusFifteen, NullCount: 2},
		{Path: []string{"l", "element"}, Type: types.Of(types.String), Min: "a", Max: "b", NullCount: 3},
		{Path: []string{"n"}, Type: types.Of(types.Date), NullCount: 3},
	}, stats.Columns)
}

// TestNaNCount counts NaN in pages of codes and of plain values, of vectors of
// both forms.
func TestNaNCount(t *testing.T) {
	for _, kind := range []types.Kind{types.Float, types.Double} {
		schema := types.Schema{Fields: []types.Field{{Name: "f", Type: types.Of(kind), Nullable: true}}}
		var values []any
		want := 0
		for i := range 9000 {
			v := any(float64(i % 7)) // few at first, so that there are codes
			if i > 4000 {
				v = float64(i)
			}
			if i%5 == 0 {
				v = math.NaN()
				want++
			}
			values = append(values, v)
		}
		flat := build(schema.Fields[0].Type, values...)
		codes := make([]int32, len(values))
		for i := range codes {
			codes[i] = int32(i)
		}
		for _, v := range []*vector.Vector{flat, vector.NewDictionary(flat, codes, nil)} {
			_, stats := write(t, schema, parquet.WriterOptions{RowGroupRows: 6000, PageBytes: 1000}, vector.NewBatch(len(values), v))
			require.EqualValues(t, want, stats.Columns[0].NaNCount)
			require.Equal(t, 8999.0, stats.Columns[0].Max)
		}
	}
}

// TestWriterSize asks that Size grows with what is written.
func TestWriterSize(t *testing.T) {
	counter := &brokenWriter{math.MaxInt}
	w, err := parquet.NewWriter(counter, lineitem, parquet.WriterOptions{RowGroupRows: 20_000})
	require.NoError(t, err)
	last := int64(-1)
	for _, b := range lineitemBatches(50_000) {
		require.NoError(t, w.Write(b))
		require.Greater(t, w.Size(), last/2)
		last = w.Size()
	}
	stats, n, err := w.Close()
	require.NoError(t, err)
	require.Len(t, stats.RowGroups, 3)
	require.EqualValues(t, 4, stats.RowGroups[0])
	require.IsIncreasing(t, stats.RowGroups)
	written := int64(math.MaxInt - counter.left)
	require.InEpsilon(t, written, last, 0.3)
	require.EqualValues(t, 51200, n)
}

// TestWriterThreads: the file is the same, however many threads encode its columns,
// and what is wrong with a batch is told.
func TestWriterThreads(t *testing.T) {
	g := &generator{r: rand.New(rand.NewPCG(7, 7)), nulls: 0.2, distinct: 900}
	for _, schema := range []types.Schema{lineitem, allSchema(true)} {
		batches := []*vector.Batch{g.batch(schema, 5000), asDictionaries(g.r, g.batch(schema, 3000)), g.batch(schema, 10)}
		want, stats := write(t, schema, parquet.WriterOptions{PageRows: 700, RowGroupRows: 4000}, batches...)
		for _, threads := range []int{2, 8, 100} {
			got, theirs := write(t, schema, parquet.WriterOptions{PageRows: 700, RowGroupRows: 4000, Threads: threads}, batches...)
			require.True(t, bytes.Equal(want, got))
			require.Equal(t, stats, theirs)
		}
	}
	w, err := parquet.NewWriter(io.Discard, allSchema(false), parquet.WriterOptions{Threads: 4})
	require.NoError(t, err)
	require.ErrorIs(t, w.Write(g.batch(allSchema(true), 5000)), storage.ErrConstraint)
	w, err = parquet.NewWriter(io.Discard, lineitem, parquet.WriterOptions{Threads: 4})
	require.NoError(t, err)
	broken := g.batch(lineitem, 5000)
	broken.Columns[3] = nil
	require.Panics(t, func() { _ = w.Write(broken) }, "in the caller's goroutine")
}

// sizesWriter notes how much it was given at a time.
type sizesWriter struct{ sizes []int }

func (w *sizesWriter) Write(p []byte) (int, error) {
	w.sizes = append(w.sizes, len(p))
	return len(p), nil
}

// TestWriterWritesLargePieces writes small row groups of many columns.
func TestWriterWritesLargePieces(t *testing.T) {
	var out sizesWriter
	schema := allSchema(true)
	w, err := parquet.NewWriter(&out, schema, parquet.WriterOptions{RowGroupRows: 3000})
	require.NoError(t, err)
	g := &generator{r: rand.New(rand.NewPCG(1, 2)), nulls: 0.1, distinct: 1 << 30}
	before := int64(0)
	for range 8 {
		require.NoError(t, w.Write(g.batch(schema, 2000)))
		require.Greater(t, w.Size(), before, "size counts what waits to be written")
		before = w.Size()
	}
	_, rows, err := w.Close()
	require.NoError(t, err)
	require.EqualValues(t, 16000, rows)
	total := 0
	for i, n := range out.sizes {
		total += n
		require.True(t, n >= 64<<10 || i == len(out.sizes)-1, "write %d of %d has %d bytes", i, len(out.sizes), n)
	}
	require.EqualValues(t, total, w.Size())
}
