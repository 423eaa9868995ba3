package parquet_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/object"
	"github.com/tarndb/tarn/storage/parquet"
)

var ctx = context.Background()

// openBytes opens a file from memory.
func openBytes(t testing.TB, b []byte) (*parquet.File, error) {
	store := object.NewMemory("")
	require.NoError(t, store.Put(ctx, "f.parquet", b))
	return parquet.Open(ctx, store, "f.parquet", int64(len(b)), parquet.OpenOptions{})
}

// write makes a file of batches.
func write(t testing.TB, schema types.Schema, o parquet.WriterOptions, batches ...*vector.Batch) ([]byte, storage.FileStats) {
	var out bytes.Buffer
	w, err := parquet.NewWriter(&out, schema, o)
	require.NoError(t, err)
	for _, b := range batches {
		require.NoError(t, w.Write(b))
	}
	stats, _, err := w.Close()
	require.NoError(t, err)
	return out.Bytes(), stats
}

// rows reads everything as rows of values.
func rows(t testing.TB, f *parquet.File, o parquet.ReadOptions) [][]any {
	out, err := tryRows(f, o)
	require.NoError(t, err)
	return out
}

func tryRows(f *parquet.File, o parquet.ReadOptions) ([][]any, error) {
	r, err := f.Read(o)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	var out [][]any
	for {
		b, err := r.Next(ctx)
		if err == io.EOF {
			return out, nil
		}
		if err != nil {
			return out, err
		}
		if b.Len == 0 || b.Len > vector.BatchRows || b.Sel != nil {
			return nil, fmt.Errorf("batch of %d rows, selection %v", b.Len, b.Sel)
		}
		for i := range b.Len {
			row := make([]any, len(b.Columns))
			for c, v := range b.Columns {
				if v.Len != b.Len {
					return nil, fmt.Errorf("column %d has %d rows of %d", c, v.Len, b.Len)
				}
				row[c] = v.Value(i)
			}
			out = append(out, row)
		}
	}
}

// batchRows gives the selected rows of a batch as values.
func batchRows(b *vector.Batch) [][]any {
	var out [][]any
	for i := range b.Rows() {
		row := make([]any, len(b.Columns))
		for c, v := range b.Columns {
			row[c] = v.Value(b.Row(i))
		}
		out = append(out, row)
	}
	return out
}

// equalRows compares by text, in which NaN equals itself.
func equalRows(t testing.TB, want, got [][]any) {
	t.Helper()
	require.Len(t, got, len(want))
	for i := range want {
		if w, g := fmt.Sprintf("%#v", want[i]), fmt.Sprintf("%#v", got[i]); w != g {
			require.Equal(t, w, g, "row %d", i)
		}
	}
}

// leafTypes are the types of columns that can be written.
var leafTypes = []types.Type{
	types.Of(types.Boolean), types.Of(types.TinyInt), types.Of(types.SmallInt), types.Of(types.Int), types.Of(types.BigInt),
	types.Of(types.Float), types.Of(types.Double), types.DecimalOf(5, 2), types.DecimalOf(18, 4), types.DecimalOf(38, 10), types.DecimalOf(20, 0),
	types.Of(types.String), types.Of(types.Binary), {Kind: types.Fixed, Length: 5}, types.Of(types.UUID),
	types.Of(types.Date), types.Of(types.Time), types.Of(types.Timestamp), types.Of(types.TimestampNTZ),
	types.Of(types.TimestampNS), types.Of(types.TimestampNTZNS), types.Of(types.Void),
}

// generator makes random values; distinct bounds how many there are of a type.
type generator struct {
	r        *rand.Rand
	nulls    float64
	distinct int
}

func (g *generator) value(f types.Field) any {
	if f.Type.Kind == types.Void || f.Nullable && g.r.Float64() < g.nulls {
		return nil
	}
	n := int64(g.r.IntN(g.distinct)) - int64(g.distinct/2)
	switch f.Type.Kind {
	case types.Boolean:
		return n&1 == 0
	case types.TinyInt:
		return int64(int8(n))
	case types.SmallInt:
		return int64(int16(n))
	case types.Int, types.Date:
		return int64(int32(n))
	case types.Float:
		return []float64{float64(float32(n) / 3), math.NaN(), math.Copysign(0, -1), math.Inf(1)}[max(0, g.r.IntN(20)-16)]
	case types.Double:
		return []float64{float64(n) / 3, math.NaN(), math.Copysign(0, -1), math.Inf(-1)}[max(0, g.r.IntN(20)-16)]
	case types.Decimal:
		d := types.Decimal128FromInt64(n % 100000)
		if f.Type.Precision > 18 {
			d, _ = types.Decimal128FromInt64(n).Mul(types.Decimal128{Lo: 10_000_000})
		}
		return d
	case types.String:
		return []string{"", fmt.Sprintf("v%d", n), fmt.Sprintf("a longer value, number %d", n)}[g.r.IntN(3)]
	case types.Binary:
		return []byte(fmt.Sprintf("%d", n))
	case types.Fixed:
		return []byte(fmt.Sprintf("%05d", uint64(n)%100000))
	case types.Time:
		return (n%86400000000 + 86400000000) % 86400000000
	case types.UUID:
		return []byte(fmt.Sprintf("%016d", uint64(n)%100000))
	}
	return g.nested(f, n)
}

func (g *generator) nested(f types.Field, n int64) any {
	switch f.Type.Kind {
	case types.Array:
		out := make([]any, g.r.IntN(4))
		for i := range out {
			out[i] = g.value(*f.Type.Elem)
		}
		return out
	case types.Map:
		out := make([]vector.MapEntry, 0, 2)
		for range g.r.IntN(3) {
			e := vector.MapEntry{Key: g.value(*f.Type.Key), Value: g.value(*f.Type.Elem)}
			if len(out) == 0 || out[0].Key != e.Key {
				out = append(out, e)
			}
		}
		return out
	case types.Struct:
		out := make([]any, len(f.Type.Fields))
		for i := range out {
			out[i] = g.value(f.Type.Fields[i])
		}
		return out
	}
	return n
}

func (g *generator) batch(schema types.Schema, n int) *vector.Batch {
	b := &vector.Batch{Len: n}
	for _, f := range schema.Fields {
		v := vector.NewBuilder(f.Type, n)
		for range n {
			v.AppendValue(g.value(f))
		}
		b.Columns = append(b.Columns, v.Vector())
	}
	return b
}

// allSchema has a column of each type and some nested ones.
func allSchema(nullable bool) types.Schema {
	var s types.Schema
	add := func(name string, t types.Type) {
		s.Fields = append(s.Fields, types.Field{ID: types.FieldID(len(s.Fields) + 1), Name: name, Type: t, Nullable: nullable || t.Kind == types.Void})
	}
	for i, t := range leafTypes {
		add(fmt.Sprintf("c%d", i), t)
	}
	str, num := types.Of(types.String), types.Of(types.BigInt)
	field := func(name string, t types.Type) types.Field {
		return types.Field{Name: name, Type: t, Nullable: nullable}
	}
	point := types.StructOf(field("x", num), field("Y", str))
	add("struct", point)
	add("list", types.ArrayOf(str, nullable))
	add("lists", types.ArrayOf(types.ArrayOf(num, nullable), nullable))
	add("structs", types.ArrayOf(point, nullable))
	add("map", types.MapOf(str, num, nullable))
	add("maps", types.MapOf(num, types.ArrayOf(point, nullable), nullable))
	add("deep", types.StructOf(field("a", types.StructOf(field("b", types.ArrayOf(types.MapOf(str, point, nullable), nullable)), field("c", num)))))
	return s
}
