package encoding

import (
	"encoding/binary"

	"github.com/parquet-go/bitpack"
)

// minRun is the number of equal values from which a run length pays.
const minRun = 8

// AppendHybrid appends values of width bits in the RLE/bit-packing hybrid.
func AppendHybrid(dst []byte, values []int32, width uint) []byte {
	if width == 0 {
		return binary.AppendUvarint(dst, uint64(len(values))<<1)
	}
	pending := 0 // start of the values that wait to be bit-packed
	for i := 0; i < len(values); {
		run := runLength(values[i:])
		// Bit-packed groups have eight values, so a run gives up what fills the
		// group before it.
		fillUp := (8 - (i-pending)&7) & 7
		if run-fillUp < minRun {
			i += run
			continue
		}
		i += fillUp
		dst = appendPacked(dst, values[pending:i], width)
		run -= fillUp
		dst = binary.AppendUvarint(dst, uint64(run)<<1)
		for k := uint(0); k < width; k += 8 {
			dst = append(dst, byte(uint32(values[i])>>k))
		}
		i += run
		pending = i
	}
	return appendPacked(dst, values[pending:], width)
}

func runLength(values []int32) int {
	n := 1
	for n < len(values) && values[n] == values[0] {
		n++
	}
	return n
}

// appendPacked appends a bit-packed run; the last group is filled with zeros,
// which only the end of all values may need.
func appendPacked(dst []byte, values []int32, width uint) []byte {
	if len(values) == 0 {
		return dst
	}
	groups := (len(values) + 7) / 8
	dst = binary.AppendUvarint(dst, uint64(groups)<<1|1)
	whole := len(values) &^ 7
	dst = pack(dst, values[:whole], width)
	if rest := values[whole:]; len(rest) > 0 {
		var group [8]int32
		copy(group[:], rest)
		dst = pack(dst, group[:], width)
	}
	return dst
}

func pack(dst []byte, values []int32, width uint) []byte {
	size := len(values) * int(width) / 8
	at := len(dst)
	dst = append(dst, make([]byte, size)...)
	bitpack.Pack(dst[at:], values, width)
	return dst
}
