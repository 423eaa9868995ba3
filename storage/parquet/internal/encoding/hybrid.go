package encoding

import (
	"encoding/binary"
	"math/bits"

	"github.com/parquet-go/bitpack"

	"github.com/tarndb/tarn/sql/vector"
)

// Hybrid decodes the RLE/bit-packing hybrid (Encodings.md, "Run Length
// Encoding / Bit-Packing Hybrid"). The zero value is empty.
type Hybrid struct {
	p     []byte
	pos   int // of the next run's header
	width uint
	left  int // values left in the run

	repeated bool
	value    uint32
	bit      int // bit-packed runs: position of the next value, in bits of p
}

// Reset starts decoding p with values of width bits, at most 32.
func (h *Hybrid) Reset(p []byte, width uint) {
	*h = Hybrid{p: p, width: width}
}

// run reads the header of the next run.
func (h *Hybrid) run() error {
	u, n := binary.Uvarint(h.p[h.pos:])
	if n <= 0 || u>>1 > 1<<31 {
		return ErrTruncated
	}
	h.pos += n
	if h.repeated = u&1 == 0; h.repeated {
		return h.repeatedRun(int(u >> 1))
	}
	h.bit = h.pos * 8
	size := int(u>>1) * int(h.width)
	h.left = int(u>>1) * 8
	if room := len(h.p) - h.pos; size > room { // some writers cut the last group short
		size = room
		h.left = room * 8 / int(h.width)
	}
	h.pos += size
	if h.left == 0 && u>>1 != 0 {
		return ErrTruncated
	}
	return nil
}

func (h *Hybrid) repeatedRun(count int) error {
	size := int(h.width+7) / 8
	if size > len(h.p)-h.pos {
		return ErrTruncated
	}
	h.value = 0
	for i := range size {
		h.value |= uint32(h.p[h.pos+i]) << (8 * i)
	}
	if uint64(h.value)>>h.width != 0 {
		return ErrMalformed
	}
	h.pos += size
	h.left = count
	return nil
}

// next makes sure that the run has values and tells how many of n it gives.
func (h *Hybrid) next(n int) (int, error) {
	if h.width == 0 {
		h.repeated, h.value, h.left = true, 0, n
	}
	for h.left == 0 {
		if h.pos >= len(h.p) {
			return 0, ErrTruncated
		}
		if err := h.run(); err != nil {
			return 0, err
		}
	}
	return min(n, h.left), nil
}

// HasRun tells whether there is more than the padding of the last run.
func (h *Hybrid) HasRun() bool {
	return h.width > 0 && (h.left >= 8 || h.pos < len(h.p))
}

// Codes decodes len(dst) values.
func (h *Hybrid) Codes(dst []int32) error {
	for len(dst) > 0 {
		n, err := h.next(len(dst))
		if err != nil {
			return err
		}
		if h.repeated {
			fill(dst[:n], int32(h.value))
		} else {
			h.unpack(dst[:n])
			h.bit += n * int(h.width)
		}
		h.left -= n
		dst = dst[n:]
	}
	return nil
}

func fill[T any](dst []T, v T) {
	for i := range dst {
		dst[i] = v
	}
}

// unpack decodes values of the bit-packed run, whole bytes of them in bulk.
func (h *Hybrid) unpack(dst []int32) {
	i, bit, width := 0, h.bit, int(h.width)
	for ; i < len(dst) && bit&7 != 0; i++ {
		dst[i] = int32(h.at(bit))
		bit += width
	}
	if n := (len(dst) - i) &^ 7; n > 0 {
		from, need := bit>>3, n*width/8
		if from+need+bitpack.PaddingInt32 <= cap(h.p) {
			bitpack.Unpack(dst[i:i+n], h.p[from:from+need+bitpack.PaddingInt32], h.width)
			i += n
			bit += n * width
		}
	}
	for ; i < len(dst); i++ {
		dst[i] = int32(h.at(bit))
		bit += width
	}
}

// at reads the value at a bit position.
func (h *Hybrid) at(bit int) uint32 {
	i := bit >> 3
	var word uint64
	if p := h.p[:cap(h.p)]; i+8 <= len(p) {
		word = binary.LittleEndian.Uint64(p[i:])
	} else {
		for k := 0; i+k < len(p); k++ {
			word |= uint64(p[i+k]) << (8 * k)
		}
	}
	return uint32(word >> (bit & 7) & (1<<h.width - 1))
}

// Skip passes over n values.
func (h *Hybrid) Skip(n int) error {
	for n > 0 {
		k, err := h.next(n)
		if err != nil {
			return err
		}
		h.bit += k * int(h.width)
		h.left -= k
		n -= k
	}
	return nil
}

// Bits decodes n values of width 1 into the bits of dst from position at on,
// which are zero before, and counts the ones.
func (h *Hybrid) Bits(dst vector.Bitmap, at, n int) (ones int, err error) {
	for n > 0 {
		k, err := h.next(n)
		if err != nil {
			return 0, err
		}
		switch {
		case !h.repeated:
			ones += h.copyBits(dst, at, k)
			h.bit += k
		case h.value&1 != 0:
			setBits(dst, at, k)
			ones += k
		}
		h.left -= k
		at += k
		n -= k
	}
	return ones, nil
}

func setBits(dst vector.Bitmap, at, n int) {
	for n > 0 {
		k := min(n, 64-at&63)
		dst[at>>6] |= (^uint64(0) >> (64 - k)) << (at & 63)
		at += k
		n -= k
	}
}

func (h *Hybrid) copyBits(dst vector.Bitmap, at, n int) (ones int) {
	p, bit := h.p[:cap(h.p)], h.bit
	for n > 0 {
		k := min(n, 64-at&63, 56)
		var word uint64
		if i := bit >> 3; i+8 <= len(p) {
			word = binary.LittleEndian.Uint64(p[i:])
		} else {
			for j := 0; i+j < len(p); j++ {
				word |= uint64(p[i+j]) << (8 * j)
			}
		}
		word = word >> (bit & 7) & (1<<k - 1)
		dst[at>>6] |= word << (at & 63)
		ones += bits.OnesCount64(word)
		at += k
		bit += k
		n -= k
	}
	return ones
}

// BitPacked decodes len(dst) levels of the deprecated encoding that packs from
// the highest bit on (Encodings.md, "Bit-packed (Deprecated)").
func BitPacked(dst []uint8, p []byte, width uint) error {
	if len(p)*8 < len(dst)*int(width) {
		return ErrTruncated
	}
	bit := 0
	for i := range dst {
		var v uint8
		for range width {
			v = v<<1 | p[bit>>3]>>(7-bit&7)&1
			bit++
		}
		dst[i] = v
	}
	return nil
}
