package iceberg

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/parquet"
)

// avroColumns are columns of all types that Avro files have here, some types
// more than once.
func avroColumns() []types.Field {
	id := types.FieldID(0)
	field := func(name string, t types.Type, nullable bool) types.Field {
		id++
		return types.Field{ID: id, Name: name, Type: t, Nullable: nullable}
	}
	var fields []types.Field
	for _, t := range []types.Type{types.Of(types.Boolean), types.Of(types.Int), types.Of(types.BigInt), types.Of(types.Float), types.Of(types.Double),
		types.DecimalOf(9, 2), types.DecimalOf(9, 2), types.DecimalOf(38, 3), types.Of(types.Date), types.Of(types.Time), types.Of(types.Timestamp),
		types.Of(types.TimestampNTZ), types.Of(types.TimestampNS), types.Of(types.TimestampNTZNS), types.Of(types.String), types.Of(types.Binary),
		types.Of(types.UUID), types.Of(types.UUID), {Kind: types.Fixed, Length: 3}, {Kind: types.Fixed, Length: 3}, types.Of(types.Void)} {
		fields = append(fields, field(fmt.Sprint("c ", len(fields)), t, true))
	}
	fields = append(fields, field("required", types.Of(types.BigInt), false))
	x, y := field("x", types.DecimalOf(9, 2), true), field("y", types.Of(types.String), false)
	point := field("p", types.StructOf(x, y), true)
	elem := field("element", point.Type, true)
	elem.Type = types.StructOf(field("x", types.Of(types.UUID), true))
	list := field("l", types.Type{Kind: types.Array, Elem: &elem}, true)
	key, value := field("key", types.Of(types.String), false), field("value", types.Of(types.Double), true)
	texts := field("m", types.Type{Kind: types.Map, Key: &key, Elem: &value}, true)
	number, values := field("key", types.Of(types.Int), false), field("value", types.Type{Kind: types.Array, Elem: &types.Field{ID: 900, Name: "element", Type: types.Of(types.Int)}}, false)
	numbers := field("n", types.Type{Kind: types.Map, Key: &number, Elem: &values}, true)
	return append(fields, point, list, texts, numbers)
}

// randomAvroValue gives a value of a type; NULL now and then where it can be.
func randomAvroValue(r *rand.Rand, f types.Field) any {
	if f.Type.Kind == types.Void || f.Nullable && r.IntN(5) == 0 {
		return nil
	}
	some := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(r.IntN(256))
		}
		return b
	}
	switch f.Type.Kind {
	case types.Boolean:
		return r.IntN(2) == 0
	case types.Float:
		return float64(float32(r.NormFloat64()))
	case types.Double:
		return r.NormFloat64()
	case types.Decimal:
		return types.Decimal128FromInt64(r.Int64N(1e9) - 5e8)
	case types.String:
		return fmt.Sprint("é", r.IntN(1000))
	case types.Binary:
		return some(r.IntN(4))
	case types.Fixed:
		return some(int(f.Type.Length))
	case types.UUID:
		return some(uuidBytes)
	case types.Struct:
		out := make([]any, len(f.Type.Fields))
		for i, child := range f.Type.Fields {
			out[i] = randomAvroValue(r, child)
		}
		return out
	case types.Array:
		out := make([]any, r.IntN(4))
		for i := range out {
			out[i] = randomAvroValue(r, *f.Type.Elem)
		}
		return out
	case types.Map:
		out := make([]vector.MapEntry, r.IntN(3))
		for i := range out {
			out[i] = vector.MapEntry{Key: randomAvroValue(r, *f.Type.Key), Value: randomAvroValue(r, *f.Type.Elem)}
		}
		return out
	}
	return r.Int64N(1<<20) - 1<<19
}

// TestAvroFiles writes rows of all types and reads them, all columns and each
// alone.
func TestAvroFiles(t *testing.T) {
	fields := avroColumns()
	r := rand.New(rand.NewPCG(1, 2))
	const rows = 1000
	columns := make([][]any, len(fields))
	batch := vector.NewBatch(rows)
	for i, f := range fields {
		b := vector.NewBuilder(f.Type, rows)
		for range rows {
			v := randomAvroValue(r, f)
			columns[i] = append(columns[i], v)
			b.AppendValue(v)
		}
		batch.Columns = append(batch.Columns, b.Vector())
	}
	for i := 1; i < rows; i += 2 {
		batch.Sel = append(batch.Sel, int32(i))
	}
	for _, codec := range []string{"gzip", "uncompressed", "snappy", "zstd"} {
		var out bytes.Buffer
		w, err := newRowWriter("avro", &out, types.Schema{Fields: fields}, parquet.WriterOptions{}, codec)
		require.NoError(t, err)
		require.NoError(t, w.Write(batch))
		stats, n, err := w.Close()
		require.NoError(t, err)
		require.Empty(t, stats.Columns)
		require.EqualValues(t, len(batch.Sel), n)
		require.EqualValues(t, n, w.Rows())
		require.EqualValues(t, out.Len(), w.Size())
		requireAvroRows(t, out.Bytes(), fields, batch.Sel, columns)
		for i := range fields {
			if codec != "gzip" {
				break
			}
			requireAvroRows(t, out.Bytes(), fields[i:i+1], batch.Sel, columns[i:i+1])
		}
	}
}

func requireAvroRows(t *testing.T, body []byte, fields []types.Field, rows vector.Selection, columns [][]any) {
	reader, err := newAvroRows("f.avro", body, parquet.ReadOptions{Columns: fields}, nil, avroValues{}, nil)
	require.NoError(t, err)
	defer reader.Close()
	for len(rows) > 0 {
		b, err := reader.Next(t.Context())
		require.NoError(t, err)
		for k := range b.Len {
			for i, f := range fields {
				require.Equal(t, columns[i][rows[k]], b.Columns[i].Value(k), f.Name)
			}
		}
		rows = rows[b.Len:]
	}
	_, err = reader.Next(t.Context())
	require.True(t, errors.Is(err, io.EOF))
}

// TestRefusedAvroRows lists what an Avro file can't have.
func TestRefusedAvroRows(t *testing.T) {
	required := types.Field{ID: 1, Name: "a", Type: types.Of(types.BigInt)}
	fixed := types.Field{ID: 1, Name: "a", Type: types.Type{Kind: types.Fixed, Length: 4}}
	write := func(f types.Field, v *vector.Vector) error {
		w, err := newRowWriter("avro", io.Discard, types.Schema{Fields: []types.Field{f}}, parquet.WriterOptions{}, "gzip")
		require.NoError(t, err)
		return w.Write(vector.NewBatch(1, v))
	}
	require.ErrorIs(t, write(required, vector.NewNull(required.Type, 1)), storage.ErrConstraint)
	require.ErrorContains(t, write(fixed, vector.Single(types.Of(types.Binary), []byte("abc"))), "3 bytes and not 4")
	_, err := newRowWriter("avro", io.Discard, types.Schema{Fields: []types.Field{{ID: 1, Name: "v", Type: types.Of(types.Variant)}}}, parquet.WriterOptions{}, "gzip")
	require.ErrorIs(t, err, storage.ErrUnsupportedFeature)
	_, err = newRowWriter("orc", io.Discard, types.Schema{}, parquet.WriterOptions{}, "gzip")
	require.ErrorIs(t, err, storage.ErrUnsupportedFeature)
	_, err = newRowWriter("avro", io.Discard, types.Schema{Fields: []types.Field{required}}, parquet.WriterOptions{}, "lzma")
	require.ErrorContains(t, err, "lzma")
}
