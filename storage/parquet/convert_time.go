package parquet

import (
	"encoding/binary"
	"math/bits"

	"github.com/parquet-go/parquet-go/format"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage/parquet/internal/meta"
)

// dateConverter reads days as DATE or, as Delta's type widening has it, as the
// midnight that begins them.
func dateConverter(want types.Type) converter {
	switch want.Kind {
	case types.Date:
		return copyInt32s
	case types.TimestampNTZ:
		return scaled32(types.MicrosPerDay)
	case types.TimestampNTZNS:
		return scaled32(types.MicrosPerDay * 1000)
	}
	return nil
}

var perSecond = map[meta.Unit]int64{meta.Millis: 1e3, meta.Micros: 1e6, meta.Nanos: 1e9}

// unitConverter changes the unit of times. Toward a coarser unit it rounds
// down: the instant's place in the coarser unit.
func unitConverter(physical format.Type, from, to meta.Unit) converter {
	have, want := perSecond[from], perSecond[to]
	switch {
	case have == 0:
		return nil
	case physical == format.Int32:
		return scaled32(want / have)
	case have == want:
		return copyInt64s
	case have < want:
		return scaled64(want / have)
	}
	divisor := have / want
	return func(dst *vector.Vector, at int, src *vector.Vector, from, n int) error {
		out := dst.Int64s[at : at+n]
		for i, v := range src.Int64s[from : from+n] {
			out[i] = floorDiv(v, divisor)
		}
		return nil
	}
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

func scaled32(factor int64) converter {
	return func(dst *vector.Vector, at int, src *vector.Vector, from, n int) error {
		out := dst.Int64s[at : at+n]
		for i, v := range src.Int32s[from : from+n] {
			p, ok := mul64(int64(v), factor)
			if !ok {
				return errRange
			}
			out[i] = p
		}
		return nil
	}
}

func scaled64(factor int64) converter {
	return func(dst *vector.Vector, at int, src *vector.Vector, from, n int) error {
		out := dst.Int64s[at : at+n]
		for i, v := range src.Int64s[from : from+n] {
			p, ok := mul64(v, factor)
			if !ok {
				return errRange
			}
			out[i] = p
		}
		return nil
	}
}

// mul64 multiplies; ok is false on overflow.
func mul64(a, b int64) (int64, bool) {
	hi, lo := bits.Mul64(uint64(a), uint64(b))
	if a < 0 {
		hi -= uint64(b)
	}
	if b < 0 {
		hi -= uint64(a)
	}
	return int64(lo), int64(hi) == int64(lo)>>63
}

// julianEpoch is the Julian day of 1970-01-01.
const julianEpoch = 2440588

// int96Converter reads the timestamps of old writers: nanoseconds of the day,
// then the Julian day, both little-endian.
func int96Converter(to meta.Unit) converter {
	unit := 1_000_000_000 / perSecond[to]
	perDay := 86400 * perSecond[to]
	return func(dst *vector.Vector, at int, src *vector.Vector, from, n int) error {
		out := dst.Int64s[at : at+n]
		for i := range n {
			b := src.Bytes(from + i)
			ofDay := floorDiv(int64(binary.LittleEndian.Uint64(b)), unit)
			day, ok := mul64(int64(int32(binary.LittleEndian.Uint32(b[8:])))-julianEpoch, perDay)
			if sum := day + ofDay; ok && (sum < day) == (ofDay < 0) {
				out[i] = sum
				continue
			}
			return errRange
		}
		return nil
	}
}
