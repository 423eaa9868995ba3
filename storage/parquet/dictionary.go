package parquet

import (
	"bytes"
	"encoding/binary"

	"github.com/zeebo/xxh3"
)

// dictionary gives codes to distinct values. Its entries lie one after the
// other as the dictionary page has them. Numbers are told apart by their bits,
// so that every NaN and both zeros stay what they are.
type dictionary struct {
	width   int // bytes of fixed values
	plain   []byte
	ends    []uint32 // ends of the entries in plain
	hashes  []uint32
	table   []int32 // open addressing; code+1, 0 for none
	skipLen int     // bytes of the length before an entry
}

func newDictionary(width int) *dictionary {
	return &dictionary{width: width, table: make([]int32, 1<<8)}
}

func (d *dictionary) reset() {
	d.plain, d.ends, d.hashes = d.plain[:0], d.ends[:0], d.hashes[:0]
	clear(d.table)
}

func (d *dictionary) len() int { return len(d.ends) }

func (d *dictionary) codeWidth() uint { return max(codeBits(d.len()), 1) }

// entry gives the plain form of a value.
func (d *dictionary) entry(code int32) []byte {
	from := uint32(0)
	if code > 0 {
		from = d.ends[code-1]
	}
	return d.plain[from:d.ends[code]]
}

// fixed finds the code of a value of 4 or 8 bytes.
func (d *dictionary) fixed(raw uint64) (code int32) {
	if d.width == 4 {
		raw = uint64(uint32(raw))
	}
	hash := uint32((raw * 0x9e3779b97f4a7c15) >> 32)
	mask := uint32(len(d.table) - 1)
	for i := hash & mask; ; i = (i + 1) & mask {
		c := d.table[i] - 1
		if c < 0 {
			if d.width == 4 {
				d.plain = binary.LittleEndian.AppendUint32(d.plain, uint32(raw))
			} else {
				d.plain = binary.LittleEndian.AppendUint64(d.plain, raw)
			}
			return d.insert(i, hash)
		}
		if d.hashes[c] == hash && d.fixedAt(int(c)) == raw {
			return c
		}
	}
}

func (d *dictionary) fixedAt(c int) uint64 {
	if d.width == 4 {
		return uint64(binary.LittleEndian.Uint32(d.plain[c*4:]))
	}
	return binary.LittleEndian.Uint64(d.plain[c*8:])
}

// bytes finds the code of a string; withLength tells that its plain form has
// the length in front.
func (d *dictionary) bytes(b []byte, withLength bool) (code int32) {
	d.skipLen = 0
	if withLength {
		d.skipLen = 4
	}
	hash := uint32(xxh3.Hash(b))
	mask := uint32(len(d.table) - 1)
	for i := hash & mask; ; i = (i + 1) & mask {
		c := d.table[i] - 1
		if c < 0 {
			if withLength {
				d.plain = binary.LittleEndian.AppendUint32(d.plain, uint32(len(b)))
			}
			d.plain = append(d.plain, b...)
			return d.insert(i, hash)
		}
		if d.hashes[c] == hash && bytes.Equal(d.entry(c)[d.skipLen:], b) {
			return c
		}
	}
}

// insert gives the entry that was just appended to plain its code.
func (d *dictionary) insert(slot, hash uint32) int32 {
	code := int32(len(d.ends))
	d.ends = append(d.ends, uint32(len(d.plain)))
	d.hashes = append(d.hashes, hash)
	d.table[slot] = code + 1
	if len(d.ends)*2 > len(d.table) {
		d.table = make([]int32, len(d.table)*2)
		mask := uint32(len(d.table) - 1)
		for c, h := range d.hashes {
			i := h & mask
			for d.table[i] != 0 {
				i = (i + 1) & mask
			}
			d.table[i] = int32(c) + 1
		}
	}
	return code
}

// pays reports whether dictionary and codes take fewer bytes than the values.
func (d *dictionary) pays(codes []int32) bool {
	if d.len() == 0 {
		return false
	}
	average := len(d.plain) / d.len()
	return len(d.plain)+len(codes)*int(d.codeWidth())/8 < average*len(codes)
}
