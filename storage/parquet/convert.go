package parquet

import (
	"errors"
	"math"

	"github.com/parquet-go/parquet-go/format"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage/parquet/internal/meta"
)

// converter turns values from to from+n of src, a flat vector in the layout of
// the file, into values at to at+n of dst, in the layout of the table. Neither
// has NULLs there.
type converter func(dst *vector.Vector, at int, src *vector.Vector, from, n int) error

// errRange is a value that doesn't fit the type it is read as.
var errRange = errors.New("value is out of the column type's range")

// rawType gives a type whose vectors have the layout of a physical type.
func rawType(t format.Type) types.Type {
	switch t {
	case format.Boolean:
		return types.Of(types.Boolean)
	case format.Int32:
		return types.Of(types.Int)
	case format.Int64:
		return types.Of(types.BigInt)
	case format.Float:
		return types.Of(types.Float)
	case format.Double:
		return types.Of(types.Double)
	}
	return types.Of(types.Binary)
}

// newConverter finds the way from a column to a type of the table; nil if
// there is none. Bytes that stay bytes need none either: sameBytes is true.
func newConverter(l *leaf, want types.Type) (c converter, sameBytes bool) {
	s := l.source
	switch s.kind {
	case sourceBool:
		if want.Kind == types.Boolean {
			return copyBools, false
		}
	case sourceInt:
		return intConverter(l, want), false
	case sourceFloat16, sourceFloat, sourceDouble:
		return floatConverter(s, want), false
	case sourceDecimal:
		return decimalConverter(l, want), false
	case sourceText, sourceBinary:
		return nil, want.Kind == types.String || want.Kind == types.Binary
	case sourceFixed, sourceUUID:
		return nil, want.Kind == types.Binary || want.Kind == types.Fixed && int(want.Length) == l.width ||
			want.Kind == types.UUID && l.width == 16
	case sourceDate:
		return dateConverter(want), false
	case sourceTime:
		if want.Kind == types.Time {
			return unitConverter(l.physical, s.unit, meta.Micros), false
		}
	case sourceTimestamp:
		if want.IsTimestamp() {
			return unitConverter(l.physical, s.unit, unitOf(want)), false
		}
	case sourceInt96:
		if want.IsTimestamp() {
			return int96Converter(unitOf(want)), false
		}
	}
	return nil, false
}

// unitOf is the unit of a timestamp type of the table.
func unitOf(t types.Type) meta.Unit {
	if t.Kind == types.TimestampNS || t.Kind == types.TimestampNTZNS {
		return meta.Nanos
	}
	return meta.Micros
}

func copyBools(dst *vector.Vector, at int, src *vector.Vector, from, n int) error {
	copy(dst.Bools[at:at+n], src.Bools[from:from+n])
	return nil
}

func copyInt32s(dst *vector.Vector, at int, src *vector.Vector, from, n int) error {
	copy(dst.Int32s[at:at+n], src.Int32s[from:from+n])
	return nil
}

func copyInt64s(dst *vector.Vector, at int, src *vector.Vector, from, n int) error {
	copy(dst.Int64s[at:at+n], src.Int64s[from:from+n])
	return nil
}

// number is a type of numbers that vectors hold.
type number interface {
	~int32 | ~int64 | ~float32 | ~float64
}

func widen[S, D number](dst []D, src []S) {
	dst = dst[:len(src)]
	for i, v := range src {
		dst[i] = D(v)
	}
}

// intConverter reads whole numbers as a type that is at least as wide, or, as
// files of small integers may have no annotation, with a check of every value.
func intConverter(l *leaf, want types.Type) converter {
	s := l.source
	switch {
	case want.Kind == types.Double && s.bits <= 32:
		return intToDouble(s)
	case want.Kind == types.Decimal:
		if want.Precision-want.Scale < wholeDigits(s.bits) {
			return nil // a DECIMAL column whose annotation is damaged looks like this
		}
		return intToDecimal(l, want)
	case !want.IsInteger():
		return nil
	case l.physical == format.Int64:
		if want.Kind != types.BigInt {
			return nil
		}
		if s.signed {
			return copyInt64s
		}
		return checkUnsigned64
	case want.Kind == types.BigInt:
		if s.signed {
			return func(dst *vector.Vector, at int, src *vector.Vector, from, n int) error {
				widen(dst.Int64s[at:at+n], src.Int32s[from:from+n])
				return nil
			}
		}
		return unsigned32
	}
	return narrowConverter(s, want)
}

// narrowConverter keeps 32 bits, checked where the file may have more of them
// than the type.
func narrowConverter(s source, want types.Type) converter {
	bits := map[types.Kind]int{types.TinyInt: 8, types.SmallInt: 16, types.Int: 32}[want.Kind]
	if s.signed && s.bits <= bits || !s.signed && s.bits < bits {
		return copyInt32s
	}
	if s.signed && s.bits < 32 {
		return nil // the file says that it has more
	}
	lo, hi := -int64(1)<<(bits-1), int64(1)<<(bits-1)-1
	if !s.signed {
		lo = 0 // what is above 1<<31 shows as negative
	}
	return func(dst *vector.Vector, at int, src *vector.Vector, from, n int) error {
		out := dst.Int32s[at : at+n]
		for i, v := range src.Int32s[from : from+n] {
			if int64(v) < lo || int64(v) > hi {
				return errRange
			}
			out[i] = v
		}
		return nil
	}
}

func checkUnsigned64(dst *vector.Vector, at int, src *vector.Vector, from, n int) error {
	for _, v := range src.Int64s[from : from+n] {
		if v < 0 {
			return errRange
		}
	}
	return copyInt64s(dst, at, src, from, n)
}

func unsigned32(dst *vector.Vector, at int, src *vector.Vector, from, n int) error {
	out := dst.Int64s[at : at+n]
	for i, v := range src.Int32s[from : from+n] {
		out[i] = int64(uint32(v))
	}
	return nil
}

func intToDouble(s source) converter {
	return func(dst *vector.Vector, at int, src *vector.Vector, from, n int) error {
		out := dst.Float64s[at : at+n]
		if s.signed {
			widen(out, src.Int32s[from:from+n])
			return nil
		}
		for i, v := range src.Int32s[from : from+n] {
			out[i] = float64(uint32(v))
		}
		return nil
	}
}

// wholeAt reads a whole number of a raw vector.
func wholeAt(l *leaf, src *vector.Vector, i int) types.Decimal128 {
	if l.physical == format.Int64 {
		d := types.Decimal128FromInt64(src.Int64s[i])
		if !l.source.signed && l.source.kind == sourceInt {
			d.Hi = 0
		}
		return d
	}
	if !l.source.signed && l.source.kind == sourceInt {
		return types.Decimal128{Lo: uint64(uint32(src.Int32s[i]))}
	}
	return types.Decimal128FromInt64(int64(src.Int32s[i]))
}

// wholeDigits is how many digits a decimal needs before its point to be the wider
// type of whole numbers (Delta protocol, "Type Widening").
func wholeDigits(bits int) uint8 {
	if bits <= 32 {
		return 10
	}
	return 19
}

func intToDecimal(l *leaf, want types.Type) converter {
	return rescaled(want, 0, func(src *vector.Vector, i int) (types.Decimal128, bool) { return wholeAt(l, src, i), true })
}

// rescaled makes decimals of what at gives, with a check of the precision.
func rescaled(want types.Type, scale int, at func(src *vector.Vector, i int) (types.Decimal128, bool)) converter {
	narrow := want.Physical() == types.PhysInt64
	to, precision := int(want.Scale), int(want.Precision)
	return func(dst *vector.Vector, pos int, src *vector.Vector, from, n int) error {
		for i := range n {
			d, ok := at(src, from+i)
			if ok && to != scale {
				d, ok = d.Rescale(scale, to)
			}
			if !ok || !d.FitsPrecision(precision) {
				return errRange
			}
			if narrow {
				dst.Int64s[pos+i] = int64(d.Lo)
			} else {
				dst.Int128s[pos+i] = d
			}
		}
		return nil
	}
}

func floatConverter(s source, want types.Type) converter {
	switch {
	case s.kind == sourceFloat16 && want.Kind == types.Float:
		return func(dst *vector.Vector, at int, src *vector.Vector, from, n int) error {
			for i := range n {
				dst.Float32s[at+i] = float16(src.Bytes(from + i))
			}
			return nil
		}
	case s.kind == sourceFloat16 && want.Kind == types.Double:
		return func(dst *vector.Vector, at int, src *vector.Vector, from, n int) error {
			for i := range n {
				dst.Float64s[at+i] = float64(float16(src.Bytes(from + i)))
			}
			return nil
		}
	case s.kind == sourceFloat && want.Kind == types.Float:
		return func(dst *vector.Vector, at int, src *vector.Vector, from, n int) error {
			copy(dst.Float32s[at:at+n], src.Float32s[from:from+n])
			return nil
		}
	case s.kind == sourceFloat && want.Kind == types.Double:
		return func(dst *vector.Vector, at int, src *vector.Vector, from, n int) error {
			widen(dst.Float64s[at:at+n], src.Float32s[from:from+n])
			return nil
		}
	case s.kind == sourceDouble && want.Kind == types.Double:
		return func(dst *vector.Vector, at int, src *vector.Vector, from, n int) error {
			copy(dst.Float64s[at:at+n], src.Float64s[from:from+n])
			return nil
		}
	}
	return nil
}

// float16 reads an IEEE 754 half, little-endian.
func float16(b []byte) float32 {
	h := uint32(b[0]) | uint32(b[1])<<8
	sign, exponent, fraction := h>>15<<31, h>>10&31, h&0x3ff
	switch {
	case exponent == 31:
		return math.Float32frombits(sign | 0xff<<23 | fraction<<13)
	case exponent == 0:
		v := float32(fraction) / (1 << 24)
		return math.Float32frombits(math.Float32bits(v) | sign)
	}
	return math.Float32frombits(sign | (exponent+127-15)<<23 | fraction<<13)
}
