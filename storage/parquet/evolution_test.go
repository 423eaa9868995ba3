package parquet_test

import (
	"fmt"
	"math"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/parquet"
)

// TestSchemaEvolution reads values of one type as another. A want of nil is
// ErrSchemaMismatch; "range" is an error about the value.
func TestSchemaEvolution(t *testing.T) {
	dec := func(v int64) types.Decimal128 { return types.Decimal128FromInt64(v) }
	wide, _ := dec(123456789012345678).Mul(dec(100))
	of, d := types.Of, types.DecimalOf
	for _, c := range []struct {
		from  types.Type
		value any
		as    types.Type
		want  any
	}{
		{of(types.TinyInt), int64(-7), of(types.SmallInt), int64(-7)},
		{of(types.TinyInt), int64(-7), of(types.BigInt), int64(-7)},
		{of(types.SmallInt), int64(-7), of(types.TinyInt), nil},
		{of(types.Int), int64(-7), of(types.BigInt), int64(-7)},
		{of(types.Int), int64(-7), of(types.Double), -7.0},
		{of(types.Int), int64(-7), of(types.Float), nil},
		{of(types.Int), int64(-7), d(10, 0), dec(-7)},
		{of(types.Int), int64(-7), d(12, 2), dec(-700)},
		{of(types.Int), int64(100), d(9, 0), nil},
		{of(types.Int), int64(100), d(11, 2), nil},
		{of(types.Int), int64(-7), d(38, 10), dec(-70_000_000_000)},
		{of(types.Int), int64(-7), of(types.String), nil},
		{of(types.Int), int64(-7), of(types.Date), nil},
		{of(types.BigInt), int64(-7), of(types.Int), nil},
		{of(types.BigInt), int64(-7), of(types.Double), nil},
		{of(types.BigInt), int64(math.MinInt64), d(20, 0), dec(math.MinInt64)},
		{of(types.BigInt), int64(7), of(types.Timestamp), nil},
		{of(types.Float), 0.5, of(types.Double), 0.5},
		{of(types.Double), 0.5, of(types.Float), nil},
		{d(5, 2), dec(-12345), d(9, 2), dec(-12345)},
		{d(5, 2), dec(-12345), d(7, 4), dec(-1234500)},
		{d(5, 2), dec(-12345), d(7, 1), nil},
		{d(5, 2), dec(-12345), d(5, 3), nil},
		{d(5, 2), dec(-12345), d(20, 2), dec(-12345)},
		{d(18, 0), dec(123456789012345678), d(38, 2), wide},
		{d(20, 2), wide, d(38, 2), wide},
		{of(types.Date), int64(-1), of(types.TimestampNTZ), int64(-86_400_000_000)},
		{of(types.Date), int64(1), of(types.TimestampNTZNS), int64(86_400_000_000_000)},
		{of(types.Date), int64(1), of(types.Timestamp), nil},
		{of(types.Date), int64(math.MaxInt32), of(types.TimestampNTZNS), "range"},
		{of(types.Timestamp), int64(-1), of(types.TimestampNTZ), int64(-1)},
		{of(types.TimestampNTZ), int64(-1), of(types.Timestamp), int64(-1)},
		{of(types.Timestamp), int64(-1), of(types.TimestampNS), int64(-1000)},
		{of(types.Timestamp), int64(math.MaxInt64), of(types.TimestampNS), "range"},
		{of(types.TimestampNS), int64(-1), of(types.Timestamp), int64(-1)},
		{of(types.TimestampNS), int64(1999), of(types.Timestamp), int64(1)},
		{of(types.Timestamp), int64(0), of(types.Date), nil},
		{of(types.Time), int64(5), of(types.Timestamp), nil},
		{of(types.String), "x", of(types.Binary), []byte("x")},
		{of(types.Binary), []byte("x"), of(types.String), "x"},
		{of(types.Binary), []byte("x"), types.Type{Kind: types.Fixed, Length: 1}, nil},
		{types.Type{Kind: types.Fixed, Length: 16}, []byte("0123456789abcdef"), of(types.UUID), []byte("0123456789abcdef")},
		{of(types.UUID), []byte("0123456789abcdef"), types.Type{Kind: types.Fixed, Length: 16}, []byte("0123456789abcdef")},
		{types.Type{Kind: types.Fixed, Length: 2}, []byte("ab"), types.Type{Kind: types.Fixed, Length: 3}, nil},
		{types.Type{Kind: types.Fixed, Length: 2}, []byte("ab"), of(types.Binary), []byte("ab")},
		{of(types.Boolean), true, of(types.Int), nil},
		{types.ArrayOf(of(types.Int), true), []any{int64(1), nil}, types.ArrayOf(of(types.BigInt), true), []any{int64(1), nil}},
		{types.ArrayOf(of(types.Int), true), []any{int64(1)}, of(types.Int), nil},
		{of(types.Int), int64(1), types.ArrayOf(of(types.Int), true), nil},
	} {
		requireEvolution(t, c.from, c.value, c.as, c.want)
	}
}

// requireEvolution reads a value that was written as one type as another.
func requireEvolution(t *testing.T, from types.Type, value any, as types.Type, want any) {
	t.Helper()
	name := fmt.Sprintf("%s as %s", from, as)
	for _, dictionary := range []bool{false, true} {
		column := types.Field{Name: "c", Type: from, Nullable: true}
		values := []any{nil, value}
		if dictionary {
			values = append(values, value, value, value, value, value, value)
		}
		file, _ := write(t, types.Schema{Fields: []types.Field{column}}, parquet.WriterOptions{}, vector.NewBatch(len(values), build(from, values...)))
		f, err := openBytes(t, file)
		require.NoError(t, err)
		got, err := tryRows(f, parquet.ReadOptions{Columns: []types.Field{{Name: "c", Type: as, Nullable: true}}})
		switch want {
		case nil:
			require.ErrorIs(t, err, storage.ErrSchemaMismatch, name)
		case "range":
			require.ErrorIs(t, err, storage.ErrCorrupt, name)
			require.ErrorContains(t, err, "out of the column type's range")
		default:
			require.NoError(t, err, name)
			require.Equal(t, [][]any{{nil}, {want}}, got[:2], name)
		}
	}
}

// TestUnannotated reads what writers leave to the reader: plain 32-bit columns
// as small integers, unsigned ones, and times of other units.
func TestUnannotated(t *testing.T) {
	b, err := os.ReadFile("testdata/required_v1.parquet")
	require.NoError(t, err)
	f, err := openBytes(t, b)
	require.NoError(t, err)
	schema := f.Schema()
	read := func(name string, as types.Type) ([][]any, error) {
		return tryRows(f, parquet.ReadOptions{Columns: []types.Field{{Name: name, Type: as}}})
	}
	for _, c := range []struct {
		name string
		as   types.Type
		ok   bool
	}{
		{"i32", types.Of(types.SmallInt), false}, {"u8", types.Of(types.Int), true}, {"u8", types.Of(types.TinyInt), false},
		{"u32", types.Of(types.Int), false}, {"u64", types.Of(types.BigInt), false}, {"u16", types.Of(types.Double), true},
		{"u64", types.DecimalOf(38, 2), true}, {"f16", types.Of(types.Double), true}, {"ts_us", types.Of(types.TimestampNS), true},
	} {
		_, err := read(c.name, c.as)
		if c.ok {
			require.NoError(t, err, c.name)
		} else {
			require.ErrorContains(t, err, "out of the column type's range", c.name)
		}
	}
	want, err := read("u32", schema.Fields[schema.Index("u32")].Type)
	require.NoError(t, err)
	got, err := read("u32", types.Of(types.Double))
	require.NoError(t, err)
	for i := range want {
		require.EqualValues(t, want[i][0], got[i][0])
	}
}
