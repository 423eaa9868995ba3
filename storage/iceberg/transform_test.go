package iceberg

import (
	"encoding/hex"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// TestHashes has the values of Appendix B of the specification.
func TestHashes(t *testing.T) {
	id := uuid.MustParse("f79c3e09-677c-4bbd-a479-3f349cb785e7")
	ts, tsMicro := int64(1510871468000000), int64(1510871468000001)
	for _, c := range []struct {
		t    types.Type
		v    any
		want int32
	}{
		{types.Of(types.Int), int64(34), 2017239379},
		{types.Of(types.BigInt), int64(34), 2017239379},
		{types.DecimalOf(9, 2), types.Decimal128FromInt64(1420), -500754589},
		{types.Of(types.Date), int64(17486), -653330422},
		{types.Of(types.Time), int64(81068000000), -662762989},
		{types.Of(types.TimestampNTZ), ts, -2047944441},
		{types.Of(types.Timestamp), tsMicro, -1207196810},
		{types.Of(types.TimestampNTZNS), ts * 1000, -2047944441},
		{types.Of(types.TimestampNS), tsMicro*1000 + 1, -1207196810},
		{types.Of(types.String), "iceberg", 1210000089},
		{types.Of(types.UUID), id[:], 1488055340},
		{types.Type{Kind: types.Fixed, Length: 4}, []byte{0, 1, 2, 3}, -188683207},
		{types.Of(types.Binary), []byte{0, 1, 2, 3}, -188683207},
		{types.Of(types.Boolean), true, 1392991556},
		{types.Of(types.Float), 1.0, -142385009},
		{types.Of(types.Double), math.Copysign(0, -1), 1669671676},
	} {
		require.Equal(t, uint32(c.want), hashValue(c.t, c.v), "%s %v", c.t, c.v)
	}
}

// TestTransforms has cases of the specification and of what lies before 1970.
func TestTransforms(t *testing.T) {
	ntz, date := types.Of(types.TimestampNTZ), types.Of(types.Date)
	for _, c := range []struct {
		transform string
		t         types.Type
		v, want   any
	}{
		{"truncate[10]", types.Of(types.Int), int64(1), int64(0)},
		{"truncate[10]", types.Of(types.Int), int64(-1), int64(-10)},
		{"truncate[10]", types.Of(types.Int), int64(math.MinInt32), int64(math.MaxInt32 - 1)}, // wraps around, as in Java
		{"truncate[10]", types.Of(types.BigInt), int64(math.MinInt64), int64(math.MaxInt64 - 1)},
		{"truncate[50]", types.DecimalOf(9, 2), types.Decimal128FromInt64(1065), types.Decimal128FromInt64(1050)},
		{"truncate[50]", types.DecimalOf(9, 2), types.Decimal128FromInt64(-1), types.Decimal128FromInt64(-50)},
		{"truncate[3]", types.Of(types.String), "iceberg", "ice"},
		{"truncate[3]", types.Of(types.String), "æøåå", "æøå"},
		{"truncate[2]", types.Of(types.Binary), []byte{1, 2, 3}, []byte{1, 2}},
		{"year", ntz, int64(-1), int64(-1)},
		{"month", ntz, int64(-1), int64(-1)},
		{"day", ntz, int64(-1), int64(-1)},
		{"hour", ntz, int64(-1), int64(-1)},
		{"hour", types.Of(types.TimestampNS), int64(-1), int64(-1)},
		{"day", date, int64(-3), int64(-3)},
		{"month", date, int64(17501), int64(575)},
		{"year", date, int64(17501), int64(47)},
		{"void", date, int64(17501), nil},
		{"identity", date, int64(17501), int64(17501)},
		{"bucket[16]", types.Of(types.String), "iceberg", int64(1210000089 % 16)},
		{"bucket[7]", types.DecimalOf(9, 2), types.Decimal128FromInt64(1420), int64(3)}, // of a negative hash
	} {
		require.Equal(t, c.want, parseTransform(c.transform).apply(c.t, c.v), "%s %v", c.transform, c.v)
		require.Nil(t, parseTransform(c.transform).apply(c.t, nil))
	}
	for _, unknown := range []string{"zorder", "bucket[0]", "bucket[x]", "truncate[-1]", "bucket[16", "bucket"} {
		require.Equal(t, unknownTransform, parseTransform(unknown).kind, unknown)
	}
}

// TestPreimages: a value lies within what its partition value tells, and the
// bounds are tight for whole numbers.
func TestPreimages(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, transform := range []string{"identity", "truncate[1]", "truncate[7]", "year", "month", "day", "hour"} {
		tr := parseTransform(transform)
		for _, kind := range []types.Type{types.Of(types.Int), types.Of(types.BigInt), types.Of(types.String), types.Of(types.Binary), types.DecimalOf(38, 3),
			types.Of(types.Date), types.Of(types.Timestamp), types.Of(types.TimestampNS)} {
			isTime := kind.Kind == types.Date || kind.Kind == types.Timestamp || kind.Kind == types.TimestampNS
			if isTime != (tr.kind >= yearTransform) && tr.kind != identityTransform || tr.kind == hourTransform && kind.Kind == types.Date {
				continue
			}
			for range 2000 {
				v := randomValue(r, kind)
				p := tr.apply(kind, v)
				if n, ok := p.(int64); ok && tr.kind == hourTransform {
					p = int64(int32(n)) // as a partition has it
				}
				low, high := tr.preimage(kind, p, p)
				for _, bound := range []struct {
					v     any
					order int
				}{{low, 1}, {high, -1}} {
					if bound.v != nil {
						order, ok := types.CompareValues(kind, bound.v, v)
						require.True(t, ok && order != bound.order, "%s of %v is %v, from %v to %v", transform, v, p, low, high)
					}
				}
				if n, ok := high.(int64); ok && n < math.MaxInt64 && !isTime {
					require.NotEqual(t, p, tr.apply(kind, n+1), "%s: %d is not in it", transform, n+1)
				}
			}
		}
	}
}

func randomValue(r *rand.Rand, t types.Type) any {
	switch t.Kind {
	case types.String:
		text := ""
		for range r.IntN(10) {
			text += string([]rune{'a', 'z', 'é', '\ud7ff', '\U0010ffff'}[r.IntN(5)])
		}
		return text
	case types.Binary:
		b := make([]byte, r.IntN(10))
		for i := range b {
			b[i] = []byte{0, 1, 0xfe, 0xff}[r.IntN(4)]
		}
		return b
	case types.Decimal:
		return types.Decimal128{Hi: r.Int64N(1<<40) - 1<<39, Lo: r.Uint64()}
	case types.Date:
		return r.Int64N(200_000) - 100_000
	case types.Int, types.BigInt:
		if low, high := t.IntegerRange(); r.IntN(4) == 0 { // where truncation wraps around
			return []int64{low, low + 1, low + 20, high - 20, high - 1, high}[r.IntN(6)]
		} else if t.Kind == types.Int {
			return int64(int32(r.Uint32())) >> r.IntN(31)
		}
	}
	return r.Int64() >> r.IntN(63) * (1 - 2*r.Int64N(2))
}

// TestSingleValues writes values and reads them back.
func TestSingleValues(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, kind := range []types.Type{types.Of(types.BigInt), types.Of(types.String), types.Of(types.Binary), types.DecimalOf(38, 3), types.Of(types.Date), types.Of(types.Timestamp)} {
		for range 1000 {
			v := randomValue(r, kind)
			got, ok := parseSingleValue(kind, appendSingleValue(nil, kind, v))
			require.True(t, ok)
			require.Equal(t, v, got, fmt.Sprint(kind))
		}
	}
	for number, want := range map[int64]string{0: "00", 1: "01", -1: "ff", 127: "7f", 128: "0080", -128: "80", -129: "ff7f", 1420: "058c"} {
		require.Equal(t, want, hex.EncodeToString(appendSingleValue(nil, types.DecimalOf(9, 2), types.Decimal128FromInt64(number))))
	}
	v, ok := parseSingleValue(types.Of(types.BigInt), []byte{0xfe, 0xff, 0xff, 0xff})
	require.True(t, ok)
	require.Equal(t, int64(-2), v, "written before int was promoted")
}

// TestVoidPartition gives every row of a batch the NULL of a void field.
func TestVoidPartition(t *testing.T) {
	schema := &Schema{}
	schema.Fields = []types.Field{{ID: 1, Name: "id", Type: types.Of(types.BigInt)}, {ID: 2, Name: "c", Type: types.Of(types.String), Nullable: true}}
	spec := &PartitionSpec{Fields: []PartitionField{{SourceIDs: []types.FieldID{2}, ID: 1000, Name: "c", Transform: parseTransform("void")},
		{SourceIDs: []types.FieldID{1}, ID: 1001, Name: "id", Transform: parseTransform("truncate[10]")}}}
	m := &TableMetadata{Schemas: []*Schema{schema}, Specs: []*PartitionSpec{spec}}
	p, err := newPartitioner(&Snapshot{metadata: m, schema: schema}, spec)
	require.NoError(t, err)
	ids, texts := vector.NewBuilder(types.Of(types.BigInt), 3), vector.NewBuilder(types.Of(types.String), 3)
	for i := range 3 {
		ids.AppendValue(int64(i * 7))
		texts.AppendValue("x")
	}
	b := p.add(vector.NewBatch(3, ids.Vector(), texts.Vector()))
	for i, want := range []int64{0, 0, 10} {
		require.Nil(t, b.Columns[2].Value(i))
		require.Equal(t, want, b.Columns[3].Value(i))
		require.NotPanics(t, func() { vector.AppendKey(nil, b.Columns[2], i) })
	}
	require.Equal(t, "c=null/id=10/", p.directory([]any{nil, int64(10)}))
}
