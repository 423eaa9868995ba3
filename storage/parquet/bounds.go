package parquet

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go/format"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/storage/parquet/internal/meta"
)

// bounds collects the statistics of written values.
type bounds struct {
	t          types.Type
	nulls      int64
	some       bool // there is a value, NaN left out
	nans       int64
	minI, maxI int64 // integers, times, narrow decimals; Booleans as 0 and 1
	minF, maxF float64
	minD, maxD types.Decimal128
	minB, maxB []byte
}

func storageError(f types.Field, format string, args ...any) error {
	return fmt.Errorf("column %s: %w", types.QuoteIdent(f.Name), fmt.Errorf(format, args...))
}

// clear forgets the values, not the memory.
func (b *bounds) clear() { *b = bounds{t: b.t, minB: b.minB, maxB: b.maxB} }

func (b *bounds) int(x int64) {
	if !b.some {
		b.some, b.minI, b.maxI = true, x, x
		return
	}
	b.minI, b.maxI = min(b.minI, x), max(b.maxI, x)
}

func (b *bounds) float(x float64) {
	switch {
	case x != x:
		b.nans++
	case !b.some:
		b.some, b.minF, b.maxF = true, x, x
	default:
		b.minF, b.maxF = min(b.minF, x), max(b.maxF, x) // these order -0.0 before 0.0
	}
}

func (b *bounds) decimal(d types.Decimal128) {
	if !b.some {
		b.some, b.minD, b.maxD = true, d, d
		return
	}
	if d.Cmp(b.minD) < 0 {
		b.minD = d
	}
	if d.Cmp(b.maxD) > 0 {
		b.maxD = d
	}
}

func (b *bounds) bytes(x []byte) {
	if !b.some {
		b.some = true
		b.minB, b.maxB = append(b.minB[:0], x...), append(b.maxB[:0], x...)
		return
	}
	if bytes.Compare(x, b.minB) < 0 {
		b.minB = append(b.minB[:0], x...)
	}
	if bytes.Compare(x, b.maxB) > 0 {
		b.maxB = append(b.maxB[:0], x...)
	}
}

// add takes the statistics of a chunk into those of the file.
func (b *bounds) add(c *bounds) {
	b.nulls += c.nulls
	b.nans += c.nans
	if !c.some {
		return
	}
	switch b.t.Physical() {
	case types.PhysFloat32, types.PhysFloat64:
		b.float(c.minF)
		b.float(c.maxF)
	case types.PhysInt128:
		b.decimal(c.minD)
		b.decimal(c.maxD)
	case types.PhysBytes:
		b.bytes(c.minB)
		b.bytes(c.maxB)
	default:
		b.int(c.minI)
		b.int(c.maxI)
	}
}

// values gives the bounds as vector.Vector.Value gives values.
func (b *bounds) values() (lo, hi any) {
	if !b.some {
		return nil, nil
	}
	switch b.t.Physical() {
	case types.PhysBool:
		return b.minI != 0, b.maxI != 0
	case types.PhysInt32:
		return b.minI, b.maxI
	case types.PhysInt64:
		if b.t.Kind == types.Decimal {
			return types.Decimal128FromInt64(b.minI), types.Decimal128FromInt64(b.maxI)
		}
		return b.minI, b.maxI
	case types.PhysInt128:
		return b.minD, b.maxD
	case types.PhysFloat32, types.PhysFloat64:
		return b.minF, b.maxF
	}
	if b.t.Kind == types.String {
		return string(b.minB), string(b.maxB)
	}
	return bytes.Clone(b.minB), bytes.Clone(b.maxB)
}

// maxBoundBytes is the longest bound of strings that a footer gets.
const maxBoundBytes = 64

// statistics gives the footer's form (parquet.thrift, Statistics). With a NaN
// among the values there are no bounds: readers disagree on its place.
func (b *bounds) statistics(l *leafWriter) meta.Statistics {
	s := meta.Statistics{NullCount: b.nulls, MinExact: true, MaxExact: true}
	if !b.some || b.nans > 0 {
		return s
	}
	switch b.t.Physical() {
	case types.PhysBool:
		s.MinValue, s.MaxValue = []byte{byte(b.minI)}, []byte{byte(b.maxI)}
	case types.PhysFloat32:
		lo, hi := signedZeros(b.minF, b.maxF)
		s.MinValue = binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(lo)))
		s.MaxValue = binary.LittleEndian.AppendUint32(nil, math.Float32bits(float32(hi)))
	case types.PhysFloat64:
		lo, hi := signedZeros(b.minF, b.maxF)
		s.MinValue = binary.LittleEndian.AppendUint64(nil, math.Float64bits(lo))
		s.MaxValue = binary.LittleEndian.AppendUint64(nil, math.Float64bits(hi))
	case types.PhysInt128:
		s.MinValue, s.MaxValue = bigEndian(b.minD, l.width), bigEndian(b.maxD, l.width)
	case types.PhysBytes:
		if l.physical == format.FixedLenByteArray && l.width > maxBoundBytes {
			return s // what is cut short is no value of the type
		}
		s.MinValue, s.MinExact = lowerBound(b.minB, b.t.Kind == types.String)
		s.MaxValue, s.MaxExact = upperBound(b.maxB, b.t.Kind == types.String)
	default:
		s.MinValue, s.MaxValue = l.plainInt(b.minI), l.plainInt(b.maxI)
		// Signed order is what the older fields mean too.
		s.Min, s.Max = s.MinValue, s.MaxValue
	}
	return s
}

func (l *leafWriter) plainInt(x int64) []byte {
	if l.width == 4 {
		return binary.LittleEndian.AppendUint32(nil, uint32(x))
	}
	return binary.LittleEndian.AppendUint64(nil, uint64(x))
}

// signedZeros widens bounds of zero so that both zeros are within
// (parquet.thrift, ColumnOrder).
func signedZeros(lo, hi float64) (float64, float64) {
	if lo == 0 {
		lo = math.Copysign(0, -1)
	}
	if hi == 0 {
		hi = 0
	}
	return lo, hi
}

func bigEndian(d types.Decimal128, width int) []byte {
	b := binary.BigEndian.AppendUint64(nil, uint64(d.Hi))
	b = binary.BigEndian.AppendUint64(b, d.Lo)
	return b[16-width:]
}

// lowerBound shortens the smallest string; what is left is not above it.
func lowerBound(b []byte, text bool) (bound []byte, exact bool) {
	if len(b) <= maxBoundBytes {
		return append([]byte{}, b...), true
	}
	return append([]byte{}, truncate(b, text)...), false
}

// upperBound shortens the largest string and makes the rest larger; nil if it
// can't be.
func upperBound(b []byte, text bool) (bound []byte, exact bool) {
	if len(b) <= maxBoundBytes {
		return append([]byte{}, b...), true
	}
	out := append([]byte{}, truncate(b, text)...)
	for len(out) > 0 {
		if !text {
			if out[len(out)-1] < 0xff {
				out[len(out)-1]++
				return out, false
			}
			out = out[:len(out)-1]
			continue
		}
		r, size := utf8.DecodeLastRune(out)
		out = out[:len(out)-size]
		if next := nextRune(r); size > 0 && r != utf8.RuneError && next <= utf8.MaxRune {
			return utf8.AppendRune(out, next), false
		}
	}
	return nil, false
}

// nextRune skips the surrogates, which UTF-8 doesn't have.
func nextRune(r rune) rune {
	if r+1 == 0xd800 {
		return 0xe000
	}
	return r + 1
}

// truncate cuts at a character's border if b is text.
func truncate(b []byte, text bool) []byte {
	b = b[:maxBoundBytes]
	for text && len(b) > maxBoundBytes-utf8.UTFMax && !utf8.Valid(b[len(b)-lastRuneLen(b):]) {
		b = b[:len(b)-1]
	}
	return b
}

// lastRuneLen counts the bytes from the last one that begins a character.
func lastRuneLen(b []byte) int {
	for n := 1; n <= len(b) && n <= utf8.UTFMax; n++ {
		if utf8.RuneStart(b[len(b)-n]) {
			return n
		}
	}
	return len(b)
}
