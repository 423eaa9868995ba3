package encoding

import (
	"encoding/binary"

	"github.com/parquet-go/bitpack"

	"github.com/tarndb/tarn/sql/vector"
)

// maxBlock bounds the values of a block; writers use 128.
const maxBlock = 1 << 16

// varints reads the integers of a delta header.
type varints struct {
	p   []byte
	pos int
	err error
}

func (r *varints) uvarint() uint64 {
	v, n := binary.Uvarint(r.p[r.pos:])
	if n <= 0 {
		r.err = ErrTruncated
		r.pos = len(r.p)
		return 0
	}
	r.pos += n
	return v
}

func (r *varints) varint() int64 {
	u := r.uvarint()
	return int64(u>>1) ^ -int64(u&1)
}

// DeltaBinaryPacked decodes at most limit integers (Encodings.md, "Delta
// Encoding") and appends them to dst[:0]. It tells how many bytes of p they
// took. 32-bit integers are the low halves of the results.
func DeltaBinaryPacked(dst []int64, p []byte, limit int) (values []int64, size int, err error) {
	r := &varints{p: p}
	block, mini, total := r.uvarint(), r.uvarint(), r.uvarint()
	value := r.varint()
	if r.err != nil {
		return dst[:0], 0, r.err
	}
	if block == 0 || block > maxBlock || mini == 0 || block%mini != 0 || block/mini%8 != 0 || total > uint64(limit) {
		return dst[:0], 0, ErrMalformed
	}
	if total == 0 {
		return dst[:0], r.pos, nil
	}
	dst = append(dst[:0], value)
	perMini := int(block / mini)
	for uint64(len(dst)) < total && r.err == nil {
		dst = r.block(dst, int(total), int(mini), perMini)
	}
	return dst, r.pos, r.err
}

// block decodes one block: the smallest delta, the widths of the miniblocks,
// and these. Miniblocks after the last value may have a width but no bytes.
func (r *varints) block(dst []int64, total, mini, perMini int) []int64 {
	least := r.varint()
	if mini > len(r.p)-r.pos {
		r.err = ErrTruncated
		return dst
	}
	widths := r.p[r.pos : r.pos+mini]
	r.pos += mini
	for _, width := range widths {
		if len(dst) == total || r.err != nil {
			break
		}
		if width > 64 {
			r.err = ErrMalformed
			break
		}
		dst = r.miniblock(dst, min(perMini, total-len(dst)), perMini, uint(width), least)
	}
	return dst
}

func (r *varints) miniblock(dst []int64, n, perMini int, width uint, least int64) []int64 {
	size := perMini * int(width) / 8
	body := r.p[r.pos:]
	if need := (n*int(width) + 7) / 8; need > len(body) {
		r.err = ErrTruncated
		return dst
	}
	r.pos += min(size, len(body))
	last, at := dst[len(dst)-1], len(dst)
	if cap(dst) < at+n {
		dst = append(dst, make([]int64, n)...)
	}
	dst = dst[:at+n]
	unpack64(dst[at:], body, width)
	for i := at; i < len(dst); i++ {
		last += dst[i] + least
		dst[i] = last
	}
	return dst
}

func unpack64(dst []int64, p []byte, width uint) {
	if need := (len(dst)*int(width)+7)/8 + bitpack.PaddingInt64; need <= cap(p) && len(dst)%8 == 0 {
		bitpack.Unpack(dst, p[:need], width)
		return
	}
	bit := 0
	for i := range dst {
		var v uint64
		for k := uint(0); k < width; {
			take := min(width-k, uint(8-bit&7))
			v |= uint64(p[bit>>3]>>(bit&7)) & (1<<take - 1) << k
			k += take
			bit += int(take)
		}
		dst[i] = int64(v)
	}
}

// ByteArrays holds the result of the delta encodings of strings.
type ByteArrays struct {
	Views []vector.View
	Data  []byte

	lengths, prefixes []int64
	buf               []byte
}

// DeltaLength decodes at most limit strings (Encodings.md, "Delta-length byte
// array"). Data becomes a part of p.
func (a *ByteArrays) DeltaLength(p []byte, limit int) error {
	lengths, size, err := DeltaBinaryPacked(a.lengths, p, limit)
	a.lengths = lengths
	if err != nil {
		return err
	}
	a.Data, a.Views = p[size:], a.Views[:0]
	at := int64(0)
	for _, n := range lengths {
		n = int64(int32(n))
		if n < 0 || n > int64(len(a.Data))-at {
			return ErrTruncated
		}
		a.Views = append(a.Views, vector.View{Offset: uint32(at), Length: uint32(n)})
		at += n
	}
	return nil
}

// Delta decodes at most limit strings that leave out what they have in common
// with the one before (Encodings.md, "Delta Strings"). They take at most
// maxBytes.
func (a *ByteArrays) Delta(p []byte, limit, maxBytes int) error {
	prefixes, size, err := DeltaBinaryPacked(a.prefixes, p, limit)
	a.prefixes = prefixes
	if err != nil {
		return err
	}
	if err := a.DeltaLength(p[size:], limit); err != nil {
		return err
	}
	if len(a.Views) != len(prefixes) {
		return ErrMalformed
	}
	suffixes := a.Data
	a.buf = a.buf[:0]
	var last vector.View
	for i, suffix := range a.Views {
		n := int64(int32(prefixes[i]))
		if n < 0 || n > int64(last.Length) {
			return ErrMalformed
		}
		if len(a.buf)+int(n)+int(suffix.Length) > maxBytes {
			return ErrMalformed
		}
		start := len(a.buf)
		a.buf = append(a.buf, a.buf[last.Offset:int64(last.Offset)+n]...)
		a.buf = append(a.buf, suffixes[suffix.Offset:suffix.Offset+suffix.Length]...)
		last = vector.View{Offset: uint32(start), Length: uint32(len(a.buf) - start)}
		a.Views[i] = last
	}
	a.Data = a.buf
	return nil
}

// ByteStreamSplit puts the bytes of values of a width back together
// (Encodings.md, "Byte Stream Split") in dst[:0].
func ByteStreamSplit(dst, p []byte, width int) ([]byte, error) {
	if width <= 0 || len(p)%width != 0 {
		return dst, ErrMalformed
	}
	n := len(p) / width
	if cap(dst) < len(p)+slack {
		dst = make([]byte, len(p)+slack)
	}
	dst = dst[:len(p)]
	for k := range width {
		stream := p[k*n : (k+1)*n]
		for i, b := range stream {
			dst[i*width+k] = b
		}
	}
	return dst, nil
}
