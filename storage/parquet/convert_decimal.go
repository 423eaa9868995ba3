package parquet

import (
	"encoding/binary"

	"github.com/parquet-go/parquet-go/format"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// decimalConverter reads DECIMAL(p,s) as DECIMAL(p',s') where no digit before
// or after the point is lost.
func decimalConverter(l *leaf, want types.Type) converter {
	have := l.source.t
	if want.Kind != types.Decimal || want.Scale < have.Scale || want.Precision-want.Scale < have.Precision-have.Scale {
		return nil
	}
	if want.Scale == have.Scale && want.Physical() == types.PhysInt64 {
		switch l.physical {
		case format.Int64:
			return copyInt64s
		case format.Int32:
			return func(dst *vector.Vector, at int, src *vector.Vector, from, n int) error {
				widen(dst.Int64s[at:at+n], src.Int32s[from:from+n])
				return nil
			}
		}
		return bytesToDecimal64
	}
	if l.physical == format.Int32 || l.physical == format.Int64 {
		return rescaled(want, int(have.Scale), func(src *vector.Vector, i int) (types.Decimal128, bool) { return wholeAt(l, src, i), true })
	}
	return rescaled(want, int(have.Scale), func(src *vector.Vector, i int) (types.Decimal128, bool) { return bigEndian128(src.Bytes(i)) })
}

// bytesToDecimal64 reads big-endian two's complement (LogicalTypes.md,
// "DECIMAL") of which 64 bits count.
func bytesToDecimal64(dst *vector.Vector, at int, src *vector.Vector, from, n int) error {
	out := dst.Int64s[at : at+n]
	for i, view := range src.Views[from : from+n] {
		b := src.Data[view.Offset : view.Offset+view.Length]
		v, ok := bigEndian64(b)
		if !ok {
			return errRange
		}
		out[i] = v
	}
	return nil
}

func bigEndian64(b []byte) (int64, bool) {
	if len(b) <= 8 {
		if len(b) == 0 {
			return 0, true
		}
		v := int64(int8(b[0]))
		for _, c := range b[1:] {
			v = v<<8 | int64(c)
		}
		return v, true
	}
	d, ok := bigEndian128(b)
	if !ok {
		return 0, false
	}
	return d.Int64()
}

func bigEndian128(b []byte) (types.Decimal128, bool) {
	if len(b) <= 8 {
		v, ok := bigEndian64(b)
		return types.Decimal128FromInt64(v), ok
	}
	for len(b) > 16 { // only the sign may be repeated in front
		if b[0] != 0 && b[0] != 0xff || (b[0]^b[1])&0x80 != 0 {
			return types.Decimal128{}, false
		}
		b = b[1:]
	}
	hi := int64(int8(b[0]))
	for _, c := range b[1 : len(b)-8] {
		hi = hi<<8 | int64(c)
	}
	return types.Decimal128{Hi: hi, Lo: binary.BigEndian.Uint64(b[len(b)-8:])}, true
}
