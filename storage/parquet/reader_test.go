package parquet_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage/object"
	"github.com/tarndb/tarn/storage/parquet"
)

// openLineitem opens a file of some rows of lineitem.
func openLineitem(t testing.TB, rows int, o parquet.WriterOptions) *parquet.File {
	file, _ := write(t, lineitem, o, lineitemBatches(rows)...)
	f, err := openBytes(t, file)
	require.NoError(t, err)
	return f
}

// TestNoAllocations reads flat columns, with a filter, in a steady state.
func TestNoAllocations(t *testing.T) {
	f := openLineitem(t, 300*vector.BatchRows, parquet.WriterOptions{})
	qty := &expr.Column{Index: 2, Name: "l_quantity", T: lineitem.Fields[2].Type}
	filter := expr.Compare(expr.OpLess, qty, &expr.Literal{T: qty.T, Value: types.Decimal128FromInt64(2000)})
	for _, o := range []parquet.ReadOptions{{Columns: lineitem.Fields}, {Columns: lineitem.Fields, Filter: filter, Positions: true}} {
		r, err := f.Read(o)
		require.NoError(t, err)
		for range 100 {
			_, err = r.Next(ctx)
			require.NoError(t, err)
		}
		require.Zero(t, testing.AllocsPerRun(150, func() {
			if _, err := r.Next(ctx); err != nil {
				t.Fatal(err)
			}
		}))
		require.NoError(t, r.Close())
		require.NoError(t, r.Close())
	}
}

// TestDictionaries asks for one dictionary per chunk, of which the codes of all
// batches are.
func TestDictionaries(t *testing.T) {
	f := openLineitem(t, 8*vector.BatchRows, parquet.WriterOptions{RowGroupRows: 4 * vector.BatchRows, PageRows: 1500})
	r, err := f.Read(parquet.ReadOptions{Columns: lineitem.Fields[6:7]})
	require.NoError(t, err)
	var dicts []*vector.Vector
	for {
		b, err := r.Next(ctx)
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
		require.Equal(t, vector.Dictionary, b.Columns[0].Form)
		require.Equal(t, 3, b.Columns[0].Dict.Len)
		dicts = append(dicts, b.Columns[0].Dict)
	}
	require.Len(t, dicts, 8)
	for i := range dicts {
		require.Same(t, dicts[i/4*4], dicts[i])
	}
	require.NotSame(t, dicts[0], dicts[4])
}

// TestCancel ends a read half way and asks that it stays ended: going on could
// give rows whose columns don't belong together.
func TestCancel(t *testing.T) {
	f := openLineitem(t, 4*vector.BatchRows, parquet.WriterOptions{})
	r, err := f.Read(parquet.ReadOptions{Columns: lineitem.Fields})
	require.NoError(t, err)
	_, err = r.Next(ctx)
	require.NoError(t, err)
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	for _, c := range []context.Context{cancelled, ctx} {
		_, err = r.Next(c)
		require.ErrorIs(t, err, context.Canceled)
	}
}

// TestSharedFile reads one File from several goroutines.
func TestSharedFile(t *testing.T) {
	f := openLineitem(t, 6*vector.BatchRows, parquet.WriterOptions{RowGroupRows: 5000})
	want := rows(t, f, parquet.ReadOptions{Columns: lineitem.Fields})
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			for range 3 {
				got, err := tryRows(f, parquet.ReadOptions{Columns: lineitem.Fields})
				if err != nil || fmt.Sprint(got) != fmt.Sprint(want) {
					t.Error("rows differ", err)
				}
			}
		})
	}
	wait.Wait()
}

// TestStoreCalls counts the reads of a small file: one for the footer, one for
// the filter's columns and one for the others.
func TestStoreCalls(t *testing.T) {
	file, _ := write(t, lineitem, parquet.WriterOptions{}, lineitemBatches(4096)...)
	memory := object.NewMemory("")
	require.NoError(t, memory.Put(ctx, "f", file))
	store := &countingStore{Store: memory}
	f, err := parquet.Open(ctx, store, "f", int64(len(file)), parquet.OpenOptions{})
	require.NoError(t, err)
	require.Equal(t, 1, store.reads)
	rows(t, f, parquet.ReadOptions{Columns: lineitem.Fields})
	require.Equal(t, 2, store.reads)
	require.Len(t, rows(t, f, parquet.ReadOptions{}), 4096)
	require.Equal(t, 2, store.reads)
}

type countingStore struct {
	object.Store
	reads int
	delay time.Duration
}

func (s *countingStore) GetRange(ctx context.Context, path string, off int64, p []byte) (int, error) {
	s.reads++
	time.Sleep(s.delay)
	return s.Store.GetRange(ctx, path, off, p)
}

// TestWindowsGrowWhereReadsAreSlow reads a chunk of 2 MB in windows of 16 KiB.
func TestWindowsGrowWhereReadsAreSlow(t *testing.T) {
	schema := types.Schema{Fields: []types.Field{{Name: "a", Type: types.Of(types.BigInt)}}}
	g := &generator{r: rand.New(rand.NewPCG(1, 2)), distinct: 1 << 60}
	b, _ := write(t, schema, parquet.WriterOptions{Codec: parquet.Uncompressed, PageBytes: 8 << 10}, g.batch(schema, 1<<18))
	store := &countingStore{Store: object.NewMemory("")}
	require.NoError(t, store.Put(ctx, "f.parquet", b))
	f, err := parquet.Open(ctx, store, "f.parquet", int64(len(b)), parquet.OpenOptions{})
	require.NoError(t, err)
	reads := func(delay time.Duration) int {
		store.reads, store.delay = 0, delay
		require.Len(t, rows(t, f, parquet.ReadOptions{Columns: schema.Fields, WindowBytes: 16 << 10}), 1<<18)
		return store.reads
	}
	slow := reads(10 * time.Millisecond)
	require.Less(t, slow, 12)
	require.Greater(t, reads(0), slow)
}

func Example() {
	schema := types.Schema{Fields: []types.Field{{Name: "city", Type: types.Of(types.String)}, {Name: "people", Type: types.Of(types.BigInt)}}}
	var file bytes.Buffer
	w, err := parquet.NewWriter(&file, schema, parquet.WriterOptions{})
	if err != nil {
		panic(err)
	}
	city, people := vector.NewBuilder(schema.Fields[0].Type, 2), vector.NewBuilder(schema.Fields[1].Type, 2)
	city.AppendBytes([]byte("Gap"))
	people.AppendInt64(40_000)
	city.AppendBytes([]byte("Lyon"))
	people.AppendInt64(520_000)
	if err := w.Write(vector.NewBatch(2, city.Vector(), people.Vector())); err != nil {
		panic(err)
	}
	stats, _, err := w.Close()
	if err != nil {
		panic(err)
	}
	fmt.Println("at most", stats.Columns[1].Max)

	store := object.NewMemory("")
	if err := store.Put(ctx, "cities.parquet", file.Bytes()); err != nil {
		panic(err)
	}
	f, err := parquet.Open(ctx, store, "cities.parquet", -1, parquet.OpenOptions{})
	if err != nil {
		panic(err)
	}
	large := expr.Compare(expr.OpGreater, &expr.Column{Index: 1, Name: "people", T: types.Of(types.BigInt)}, expr.Int(100_000))
	r, err := f.Read(parquet.ReadOptions{Columns: f.Schema().Fields, Filter: large})
	if err != nil {
		panic(err)
	}
	defer r.Close()
	batch, err := r.Next(ctx)
	if err != nil {
		panic(err)
	}
	fmt.Println(batch.Columns[0].Value(0), batch.Columns[1].Value(0))
	// Output:
	// at most 520000
	// Lyon 520000
}
