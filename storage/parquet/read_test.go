package parquet_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/deletes"
	"github.com/tarndb/tarn/storage/object"
	"github.com/tarndb/tarn/storage/parquet"
)

// call makes a bound call of an operator.
func call(t testing.TB, name string, args ...expr.Expr) expr.Expr {
	e, err := eval.Resolve(name, args)
	require.NoError(t, err)
	return e
}

// randomFilter makes a conjunction over the columns of a schema.
func randomFilter(t testing.TB, g *generator, schema types.Schema) expr.Expr {
	var out expr.Expr
	for range 1 + g.r.IntN(3) {
		i := g.r.IntN(len(schema.Fields))
		f := schema.Fields[i]
		col := &expr.Column{Index: i, Name: f.Name, T: f.Type, MayBeNull: f.Nullable}
		var e expr.Expr
		value := g.value(types.Field{Type: f.Type})
		switch {
		case f.Type.IsNested() || f.Type.Kind == types.Void || g.r.IntN(5) == 0:
			e = call(t, []string{expr.OpIsNull, expr.OpIsNotNull}[g.r.IntN(2)], col)
		default:
			op := []string{expr.OpEqual, expr.OpNotEqual, expr.OpLess, expr.OpLessEqual, expr.OpGreater, expr.OpGreaterEqual}[g.r.IntN(6)]
			e = call(t, op, col, &expr.Literal{T: f.Type, Value: value})
		}
		if out == nil {
			out = e
		} else {
			out = call(t, []string{expr.OpAnd, expr.OpAnd, expr.OpOr}[g.r.IntN(3)], out, e)
		}
	}
	return out
}

// naive applies filter and deletes row by row to rows read without them.
func naive(t testing.TB, schema types.Schema, all [][]any, filter expr.Expr, gone *deletes.PositionSet) [][]any {
	b := &vector.Batch{Len: len(all)}
	for c, f := range schema.Fields {
		v := vector.NewBuilder(f.Type, len(all))
		for _, row := range all {
			v.AppendValue(row[c])
		}
		b.Columns = append(b.Columns, v.Vector())
	}
	p, err := eval.Compile(filter, nil)
	require.NoError(t, err)
	sel, err := p.Filter(b)
	require.NoError(t, err)
	var out [][]any
	for _, i := range sel {
		if !gone.Contains(int64(i)) {
			out = append(out, append(append([]any{}, all[i]...), int64(i)))
		}
	}
	return out
}

// TestFilterDeletesSplits reads each file with filters, deletes and splits in
// all combinations and compares with doing the same by hand.
func TestFilterDeletesSplits(t *testing.T) {
	for i := range 16 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			r := rand.New(rand.NewPCG(uint64(i), 11))
			g := &generator{r: r, nulls: []float64{0, 0.1, 0.9}[i%3], distinct: []int{3, 40, 1 << 40}[r.IntN(3)]}
			schema := allSchema(g.nulls > 0)
			o := parquet.WriterOptions{PageBytes: 64 << r.IntN(12), PageRows: 1 + r.IntN(3000), RowGroupRows: 500 + r.Int64N(4000)}
			b := g.batch(schema, 3000)
			file, _ := write(t, schema, o, b)
			f, err := openBytes(t, file)
			require.NoError(t, err)
			all := batchRows(b)
			for range 8 {
				filter := randomFilter(t, g, schema)
				gone := deletes.NewPositionSet()
				for range r.IntN(4) {
					at := r.Int64N(3000)
					gone.AddRange(at, at+1+r.Int64N(3000))
				}
				want := naive(t, schema, all, filter, gone)
				read := parquet.ReadOptions{Columns: schema.Fields, Filter: filter, Deletes: gone, Positions: true, WindowBytes: 1 << (8 + r.IntN(12))}
				var got [][]any
				for from, step := int64(0), int64(len(file)/8+r.IntN(len(file))); from < int64(len(file)); from += step {
					read.Offset, read.Length = from, step
					got = append(got, rows(t, f, read)...)
				}
				t.Log(filter)
				equalRows(t, want, got)
			}
		})
	}
}

// TestEverySplit divides a file in two at every byte: each row is in one half.
func TestEverySplit(t *testing.T) {
	schema := types.Schema{Fields: []types.Field{{Name: "a", Type: types.Of(types.BigInt)}}}
	b := vector.NewBatch(4, build(types.Of(types.BigInt), int64(1), int64(2), int64(3), int64(4)))
	file, _ := write(t, schema, parquet.WriterOptions{RowGroupRows: 1}, b)
	f, err := openBytes(t, file)
	require.NoError(t, err)
	size := int64(len(file))
	for at := int64(1); at < size; at++ {
		got := rows(t, f, parquet.ReadOptions{Columns: schema.Fields, Length: at})
		got = append(got, rows(t, f, parquet.ReadOptions{Columns: schema.Fields, Offset: at, Length: size - at})...)
		require.Equal(t, batchRows(b), got, at)
	}
}

func TestProjectionAndConstants(t *testing.T) {
	schema := types.Schema{Fields: []types.Field{
		{ID: 5, Name: "id", Type: types.Of(types.Int)},
		{ID: 6, Name: "Name", Type: types.Of(types.String), Nullable: true},
		{ID: 7, Name: "s", Type: types.StructOf(types.Field{ID: 8, Name: "x", Type: types.Of(types.Int), Nullable: true}), Nullable: true},
	}}
	b := vector.NewBatch(3, build(schema.Fields[0].Type, int64(1), int64(2), int64(3)), build(schema.Fields[1].Type, "a", nil, "c"),
		build(schema.Fields[2].Type, []any{int64(7)}, nil, []any{nil}))
	file, _ := write(t, schema, parquet.WriterOptions{FieldIDs: true}, b)
	f, err := openBytes(t, file)
	require.NoError(t, err)

	part := build(types.Of(types.String), "p")
	wide := types.StructOf(types.Field{ID: 9, Name: "new", Type: types.Of(types.Date), Nullable: true},
		types.Field{ID: 8, Name: "X", Type: types.Of(types.BigInt), Nullable: true})
	o := parquet.ReadOptions{
		Columns: []types.Field{
			{ID: 6, Name: "name", Type: types.Of(types.String)}, {Name: "part", Type: types.Of(types.String)},
			{ID: 99, Name: "gone", Type: types.ArrayOf(types.Of(types.Int), true)}, {ID: 7, Name: "S", Type: wide},
		},
		Constants: map[int]*vector.Vector{1: part},
	}
	want := [][]any{{"a", "p", nil, []any{nil, int64(7)}}, {nil, "p", nil, nil}, {"c", "p", nil, []any{nil, nil}}}
	equalRows(t, want, rows(t, f, o))

	o.ByID = true
	o.Columns[0].Name, o.Columns[3].Name = "renamed", "renamed too"
	equalRows(t, want, rows(t, f, o))

	partCol := &expr.Column{Index: 1, Name: "part", T: types.Of(types.String)}
	o.Filter = call(t, expr.OpNotEqual, partCol, &expr.Literal{T: partCol.T, Value: "p"})
	r, err := f.Read(o)
	require.NoError(t, err)
	_, err = r.Next(ctx)
	require.Equal(t, io.EOF, err)
	require.Equal(t, storage.ReadMetrics{RowGroupsPruned: 1}, r.Metrics())

	// A struct of which the file has no wanted field still tells NULLs apart.
	only := types.StructOf(types.Field{ID: 9, Name: "new", Type: types.Of(types.Date), Nullable: true})
	got := rows(t, f, parquet.ReadOptions{Columns: []types.Field{{Name: "s", Type: only}}})
	equalRows(t, [][]any{{[]any{nil}}, {nil}, {[]any{nil}}}, got)

	// No columns: only the number of rows.
	require.Len(t, rows(t, f, parquet.ReadOptions{}), 3)
	require.Len(t, rows(t, f, parquet.ReadOptions{Deletes: deletes.NewPositionSet(1)}), 2)
}

func build(t types.Type, values ...any) *vector.Vector {
	b := vector.NewBuilder(t, len(values))
	for _, x := range values {
		b.AppendValue(x)
	}
	return b.Vector()
}

func TestPruning(t *testing.T) {
	schema := types.Schema{Fields: []types.Field{{Name: "id", Type: types.Of(types.BigInt), Nullable: true}, {Name: "s", Type: types.Of(types.String)}}}
	b := &vector.Batch{Len: 4000}
	id, s := vector.NewBuilder(types.Of(types.BigInt), 4000), vector.NewBuilder(types.Of(types.String), 4000)
	for i := range 4000 {
		id.AppendValue(int64(i))
		s.AppendValue(fmt.Sprintf("%080d", i))
	}
	b.Columns = []*vector.Vector{id.Vector(), s.Vector()}
	file, stats := write(t, schema, parquet.WriterOptions{RowGroupRows: 1000}, b)
	require.Equal(t, fmt.Sprintf("%080d", 3999), stats.Columns[1].Max)
	require.EqualValues(t, 0, stats.Columns[0].NullCount)
	f, err := openBytes(t, file)
	require.NoError(t, err)
	col := &expr.Column{Index: 0, Name: "id", T: types.Of(types.BigInt), MayBeNull: true}
	text := &expr.Column{Index: 1, Name: "s", T: types.Of(types.String)}
	for _, c := range []struct {
		filter expr.Expr
		groups int
	}{
		{call(t, expr.OpEqual, col, &expr.Literal{T: col.T, Value: int64(1500)}), 1},
		{call(t, expr.OpGreaterEqual, col, &expr.Literal{T: col.T, Value: int64(1999)}), 3},
		{call(t, expr.OpIsNull, col), 0},
		{call(t, expr.OpLess, text, &expr.Literal{T: text.T, Value: fmt.Sprintf("%080d", 0)}), 4}, // bounds are cut short
		{call(t, expr.OpLess, text, &expr.Literal{T: text.T, Value: ""}), 0},
	} {
		r, err := f.Read(parquet.ReadOptions{Columns: schema.Fields, Filter: c.filter})
		require.NoError(t, err)
		for err == nil {
			_, err = r.Next(ctx)
		}
		require.Equal(t, io.EOF, err)
		require.Equal(t, c.groups, r.Metrics().RowGroupsRead, c.filter)
		require.Equal(t, 4-c.groups, r.Metrics().RowGroupsPruned)
	}
}

func TestErrors(t *testing.T) {
	store := object.NewMemory("")
	_, err := parquet.Open(ctx, store, "dir/none.parquet", -1, parquet.OpenOptions{})
	require.ErrorIs(t, err, storage.ErrDataFileMissing)
	require.ErrorContains(t, err, "dir/none.parquet")
	_, err = parquet.Open(ctx, store, "dir/none.parquet", 100, parquet.OpenOptions{})
	require.ErrorIs(t, err, storage.ErrDataFileMissing)

	schema := types.Schema{Fields: []types.Field{{Name: "a", Type: types.Of(types.BigInt)}}}
	file, _ := write(t, schema, parquet.WriterOptions{}, vector.NewBatch(1, build(types.Of(types.BigInt), int64(1))))
	require.NoError(t, store.Put(ctx, "f", file))
	f, err := parquet.Open(ctx, store, "f", 7, parquet.OpenOptions{}) // the size is wrong
	require.NoError(t, err)
	_, err = f.Read(parquet.ReadOptions{Columns: []types.Field{{Name: "a", Type: types.Of(types.Int)}}})
	require.ErrorIs(t, err, storage.ErrSchemaMismatch)
	require.NoError(t, store.Delete(ctx, "f"))
	r, err := f.Read(parquet.ReadOptions{Columns: schema.Fields})
	require.NoError(t, err)
	_, err = r.Next(ctx)
	require.ErrorIs(t, err, storage.ErrDataFileMissing)
	require.NoError(t, r.Close())

	require.False(t, f.HasFieldIDs())
	_, err = f.Read(parquet.ReadOptions{Columns: schema.Fields, ByID: true})
	require.ErrorIs(t, err, storage.ErrSchemaMismatch)

	w, err := parquet.NewWriter(io.Discard, schema, parquet.WriterOptions{})
	require.NoError(t, err)
	require.ErrorIs(t, w.Write(vector.NewBatch(1, build(types.Of(types.BigInt), nil))), storage.ErrConstraint)
	_, err = parquet.NewWriter(io.Discard, types.Schema{Fields: []types.Field{{Name: "v", Type: types.Of(types.Variant)}}}, parquet.WriterOptions{})
	require.ErrorIs(t, err, storage.ErrUnsupportedFeature)
}

// TestPageChecksum flips a bit of a value, which nothing but the checksum of
// its page can tell.
func TestPageChecksum(t *testing.T) {
	const middle = 0x1122334455667788
	schema := types.Schema{Fields: []types.Field{{Name: "a", Type: types.Of(types.BigInt)}}}
	file, _ := write(t, schema, parquet.WriterOptions{Codec: parquet.Uncompressed}, vector.NewBatch(3, build(types.Of(types.BigInt), int64(0), int64(middle), int64(math.MaxInt64))))
	value := binary.LittleEndian.AppendUint64(nil, middle)
	require.Equal(t, 1, bytes.Count(file, value))
	file[bytes.Index(file, value)] ^= 1
	f, err := openBytes(t, file)
	require.NoError(t, err)
	_, err = tryRows(f, parquet.ReadOptions{Columns: schema.Fields})
	require.ErrorIs(t, err, storage.ErrCorrupt)
	require.ErrorContains(t, err, "checksum")
}

// TestPageOutOfProportion reads a page of a few kilobytes that unpacks to more
// than is taken on trust.
func TestPageOutOfProportion(t *testing.T) {
	schema := types.Schema{Fields: []types.Field{{Name: "a", Type: types.Of(types.Binary)}}}
	file, _ := write(t, schema, parquet.WriterOptions{Codec: parquet.Zstd}, vector.NewBatch(1, build(types.Of(types.Binary), make([]byte, 65<<20))))
	require.Less(t, len(file), 1<<14)
	f, err := openBytes(t, file)
	require.NoError(t, err)
	_, err = tryRows(f, parquet.ReadOptions{Columns: schema.Fields})
	require.ErrorIs(t, err, storage.ErrUnsupportedFeature)
}

// TestFixtureFilters asks other writers' files for the values that they have,
// which statistics and page indexes must not rule out.
func TestFixtureFilters(t *testing.T) {
	files, err := filepath.Glob("testdata/*.parquet")
	require.NoError(t, err)
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			b, err := os.ReadFile(file)
			require.NoError(t, err)
			f, err := openBytes(t, b)
			require.NoError(t, err)
			schema := f.Schema()
			nested := schema.Fields[schema.Index("structs")]
			for _, field := range schema.Fields {
				if field.Type.IsNested() {
					continue
				}
				two := types.Schema{Fields: []types.Field{field, nested}}
				all := rows(t, f, parquet.ReadOptions{Columns: two.Fields})
				for k := 0; k < len(all); k += 17 {
					col := &expr.Column{Index: 0, Name: field.Name, T: field.Type, MayBeNull: true}
					filter := call(t, expr.OpIsNull, col)
					if all[k][0] != nil {
						filter = call(t, []string{expr.OpEqual, expr.OpGreaterEqual, expr.OpLess}[k%3], col, &expr.Literal{T: field.Type, Value: all[k][0]})
					}
					got := rows(t, f, parquet.ReadOptions{Columns: two.Fields, Filter: filter, Positions: true})
					equalRows(t, naive(t, two, all, filter, nil), got)
				}
			}
		})
	}
}

// TestPageIndex reads a row by the page indexes: few bytes of a large file.
func TestPageIndex(t *testing.T) {
	schema := types.Schema{Fields: []types.Field{{Name: "id", Type: types.Of(types.BigInt)}, {Name: "text", Type: types.Of(types.String)}}}
	const n = 200_000
	id, text := vector.NewBuilder(schema.Fields[0].Type, n), vector.NewBuilder(schema.Fields[1].Type, n)
	for i := range n {
		id.AppendInt64(int64(i))
		text.AppendBytes(fmt.Appendf(nil, "a text that goes with the number %d", i*7919%n))
	}
	file, _ := write(t, schema, parquet.WriterOptions{PageRows: 4096, Codec: parquet.Uncompressed}, vector.NewBatch(n, id.Vector(), text.Vector()))
	f, err := openBytes(t, file)
	require.NoError(t, err)
	col := &expr.Column{Index: 0, Name: "id", T: types.Of(types.BigInt)}
	for _, want := range []int64{0, 4095, 4096, 123_456, n - 1} {
		r, err := f.Read(parquet.ReadOptions{Columns: schema.Fields, Filter: call(t, expr.OpEqual, col, &expr.Literal{T: col.T, Value: want})})
		require.NoError(t, err)
		b, err := r.Next(ctx)
		require.NoError(t, err)
		require.Equal(t, [][]any{{want, fmt.Sprintf("a text that goes with the number %d", want*7919%n)}}, batchRows(b))
		_, err = r.Next(ctx)
		require.Equal(t, io.EOF, err)
		require.Less(t, r.Metrics().BytesRead, int64(len(file)/15))
		require.NoError(t, r.Close())
	}
}
