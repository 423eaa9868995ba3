package vector

import (
	"math"

	"github.com/tarndb/tarn/sql/types"
)

// FloatKey gives equal words exactly for doubles that SQL calls equal: -0.0 is
// 0.0, and every NaN is the same.
func FloatKey(f float64) uint64 {
	if f == 0 {
		return 0
	}
	if f != f {
		return math.Float64bits(math.NaN())
	}
	return math.Float64bits(f)
}

// AppendKey appends bytes that are equal exactly for equal values of a type: a
// presence byte (0 for NULL), then a word, or a length and the parts.
func AppendKey(dst []byte, v *Vector, i int) []byte {
	if v.IsNull(i) {
		return append(dst, 0)
	}
	dst = append(dst, 1)
	values, p := v.At(i)
	word := func(x uint64) {
		for s := 0; s < 64; s += 8 {
			dst = append(dst, byte(x>>s))
		}
	}
	switch v.Type.Physical() {
	case types.PhysBool:
		if values.Bools[p] {
			return append(dst, 1)
		}
		return append(dst, 0)
	case types.PhysInt32:
		word(uint64(values.Int32s[p]))
	case types.PhysInt64:
		word(uint64(values.Int64s[p]))
	case types.PhysInt128:
		word(values.Int128s[p].Lo)
		word(uint64(values.Int128s[p].Hi))
	case types.PhysFloat32:
		word(FloatKey(float64(values.Float32s[p])))
	case types.PhysFloat64:
		word(FloatKey(values.Float64s[p]))
	case types.PhysInterval:
		word(uint64(uint32(values.Intervals[p].Months)) | uint64(uint32(values.Intervals[p].Days))<<32)
		word(uint64(values.Intervals[p].Micros))
	case types.PhysBytes:
		b := values.Bytes(p)
		word(uint64(len(b)))
		dst = append(dst, b...)
	case types.PhysList:
		from, to := values.Offsets[p], values.Offsets[p+1]
		word(uint64(to - from))
		for e := from; e < to; e++ {
			dst = AppendKey(dst, values.Child, int(e))
		}
	case types.PhysStruct:
		for _, c := range values.Children {
			dst = AppendKey(dst, c, p)
		}
	}
	return dst
}

// ReadKey is the inverse of AppendKey; it gives the value and the rest.
func ReadKey(b []byte, t types.Type) (any, []byte) {
	if b[0] == 0 {
		return nil, b[1:]
	}
	b = b[1:]
	word := func() uint64 {
		var x uint64
		for s := range 8 {
			x |= uint64(b[s]) << (8 * s)
		}
		b = b[8:]
		return x
	}
	switch t.Physical() {
	case types.PhysBool:
		return b[0] != 0, b[1:]
	case types.PhysInt32:
		return int64(int32(word())), b
	case types.PhysInt64:
		v := int64(word())
		if t.Kind == types.Decimal {
			return types.Decimal128FromInt64(v), b
		}
		return v, b
	case types.PhysInt128:
		lo := word()
		return types.Decimal128{Lo: lo, Hi: int64(word())}, b
	case types.PhysFloat32, types.PhysFloat64:
		return math.Float64frombits(word()), b
	case types.PhysInterval:
		w := word()
		return types.Interval{Months: int32(uint32(w)), Days: int32(uint32(w >> 32)), Micros: int64(word())}, b
	case types.PhysBytes:
		n := word()
		if t.Kind == types.String {
			return string(b[:n]), b[n:]
		}
		return append([]byte{}, b[:n]...), b[n:]
	case types.PhysList:
		return readList(b, t)
	}
	fields := make([]any, len(t.Fields))
	for i, f := range t.Fields {
		fields[i], b = ReadKey(b, f.Type)
	}
	return fields, b
}

func readList(b []byte, t types.Type) (any, []byte) {
	var n uint64
	for s := range 8 {
		n |= uint64(b[s]) << (8 * s)
	}
	b = b[8:]
	if t.Kind == types.Map {
		entries := make([]MapEntry, n)
		for i := range entries {
			b = b[1:] // the presence byte of the entry, a struct
			entries[i].Key, b = ReadKey(b, t.Key.Type)
			entries[i].Value, b = ReadKey(b, t.Elem.Type)
		}
		return entries, b
	}
	list := make([]any, n)
	for i := range list {
		list[i], b = ReadKey(b, t.Elem.Type)
	}
	return list, b
}
