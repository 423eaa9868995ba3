package exec

import (
	"errors"
	"fmt"
	"unsafe"

	"github.com/zeebo/xxh3"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// A block is a batch in a temporary file, in the byte order and layout of the
// machine that wrote it: nobody else reads it. It is a whole number of 64-bit
// words, so that what it holds can be used in place:
//
//	checksum of the rest | rows | column | column | …
//
// and a column is, each part padded to a word,
//
//	rows | 1 if there is validity, else 0 | bytes of text | validity | values
//
// where the values of text are views and then its bytes, those of a list are
// offsets and then a column, and those of a struct a column per field.

const (
	wordBytes        = 8
	blockHeaderWords = 2
)

// errBlock says that a block is not as it was written.
var errBlock = errors.New("a temporary file has changed")

// bytesOf gives the memory of values, which hold no pointers.
func bytesOf[T any](values []T) []byte {
	if len(values) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&values[0])), len(values)*int(unsafe.Sizeof(values[0])))
}

func appendWord(dst []byte, w uint64) []byte { return append(dst, bytesOf([]uint64{w})...) }

func appendPadded(dst, part []byte) []byte {
	dst = append(dst, part...)
	for len(dst)%wordBytes != 0 {
		dst = append(dst, 0)
	}
	return dst
}

// appendBlock appends the selected rows of a batch to dst, which is empty. The
// checksum is left to sealBlock.
func appendBlock(dst []byte, b *vector.Batch) []byte {
	b = b.Compact()
	dst = append(dst, make([]byte, wordBytes)...)
	dst = appendWord(dst, uint64(b.Len))
	for _, c := range b.Columns {
		dst = appendColumn(dst, c)
	}
	return dst
}

// sealBlock puts the checksum in its place.
func sealBlock(block []byte) []byte {
	copy(block, bytesOf([]uint64{xxh3.Hash(block[wordBytes:])}))
	return block
}

// checksumOf is what the first word of a block must be.
func checksumOf(block []uint64) uint64 { return xxh3.Hash(bytesOf(block[1:])) }

func appendColumn(dst []byte, v *vector.Vector) []byte {
	v = v.Flatten()
	n := v.Len
	hasValid, text := uint64(0), 0
	if v.Valid != nil {
		hasValid = 1
	}
	if v.Type.Physical() == types.PhysBytes {
		for i := range n {
			if v.Valid.Valid(i) {
				text += int(v.Views[i].Length)
			}
		}
	}
	dst = appendWord(appendWord(appendWord(dst, uint64(n)), hasValid), uint64(text))
	if v.Valid != nil {
		dst = appendPadded(dst, bytesOf(v.Valid[:(n+63)/64]))
	}
	switch v.Type.Physical() {
	case types.PhysBool:
		return appendPadded(dst, bytesOf(v.Bools[:n]))
	case types.PhysInt32:
		return appendPadded(dst, bytesOf(v.Int32s[:n]))
	case types.PhysInt64:
		return appendPadded(dst, bytesOf(v.Int64s[:n]))
	case types.PhysInt128:
		return appendPadded(dst, bytesOf(v.Int128s[:n]))
	case types.PhysFloat32:
		return appendPadded(dst, bytesOf(v.Float32s[:n]))
	case types.PhysFloat64:
		return appendPadded(dst, bytesOf(v.Float64s[:n]))
	case types.PhysInterval:
		return appendPadded(dst, bytesOf(v.Intervals[:n]))
	case types.PhysBytes:
		return appendText(dst, v)
	case types.PhysList:
		return appendLists(dst, v)
	case types.PhysStruct:
		for _, c := range v.Children {
			dst = appendColumn(dst, c)
		}
	}
	return dst
}

// appendText appends views of text that follows without gaps.
func appendText(dst []byte, v *vector.Vector) []byte {
	at := uint32(0)
	for i, w := range v.Views[:v.Len] {
		if !v.Valid.Valid(i) {
			w = vector.View{}
		}
		dst = append(dst, bytesOf([]vector.View{{Offset: at, Length: w.Length}})...)
		at += w.Length
	}
	for i, w := range v.Views[:v.Len] {
		if v.Valid.Valid(i) {
			dst = append(dst, v.Data[w.Offset:w.Offset+w.Length]...)
		}
	}
	return appendPadded(dst, nil)
}

func appendLists(dst []byte, v *vector.Vector) []byte {
	first := v.Offsets[0]
	offsets := make([]int32, v.Len+1)
	for i, o := range v.Offsets[:v.Len+1] {
		offsets[i] = o - first
	}
	dst = appendPadded(dst, bytesOf(offsets))
	return appendColumn(dst, v.Child.Flatten().Slice(int(first), int(v.Offsets[v.Len])))
}

// readBlock gives the batch of a block, whose memory it shares.
func readBlock(block []uint64, columns []types.Type) (*vector.Batch, error) {
	if len(block) < blockHeaderWords || block[0] != checksumOf(block) {
		return nil, fmt.Errorf("%w: its checksum does not match", errBlock)
	}
	return unpackBlock(block, columns)
}

// unpackBlock is readBlock for a block that needs no checksum.
func unpackBlock(block []uint64, columns []types.Type) (*vector.Batch, error) {
	r := blockReader{rest: bytesOf(block[blockHeaderWords:])}
	b := &vector.Batch{Len: int(block[1]), Columns: make([]*vector.Vector, len(columns))}
	for i, t := range columns {
		b.Columns[i] = r.column(t)
		if r.err == nil && b.Columns[i].Len != b.Len {
			r.fail()
		}
		if r.err != nil {
			return nil, r.err
		}
	}
	return b, nil
}

// blockReader takes a block apart. After an error it gives nothing but empty
// columns.
type blockReader struct {
	rest []byte
	err  error
}

func (r *blockReader) fail() {
	r.err = fmt.Errorf("%w: it does not have the columns that were written", errBlock)
	r.rest = nil
}

// take gives the next n values.
func take[T any](r *blockReader, n int) []T {
	var zero T
	size := uint64(unsafe.Sizeof(zero))
	if r.err != nil || n == 0 {
		return nil
	}
	bytes := (uint64(n)*size + wordBytes - 1) / wordBytes * wordBytes
	if n < 0 || uint64(n) > uint64(len(r.rest)) || bytes > uint64(len(r.rest)) {
		r.fail()
		return nil
	}
	values := unsafe.Slice((*T)(unsafe.Pointer(&r.rest[0])), n)
	r.rest = r.rest[bytes:]
	return values
}

func (r *blockReader) column(t types.Type) *vector.Vector {
	v := &vector.Vector{Type: t}
	header := take[uint64](r, 3)
	if header == nil || header[0] > 1<<31 || header[2] > 1<<32 {
		r.fail()
		return v
	}
	v.Len = int(header[0])
	if header[1] != 0 {
		v.Valid = vector.Bitmap(take[uint64](r, (v.Len+63)/64))
		if v.Valid == nil {
			v.Valid = vector.Bitmap{}
		}
	}
	switch t.Physical() {
	case types.PhysBool:
		v.Bools = take[bool](r, v.Len)
	case types.PhysInt32:
		v.Int32s = take[int32](r, v.Len)
	case types.PhysInt64:
		v.Int64s = take[int64](r, v.Len)
	case types.PhysInt128:
		v.Int128s = take[types.Decimal128](r, v.Len)
	case types.PhysFloat32:
		v.Float32s = take[float32](r, v.Len)
	case types.PhysFloat64:
		v.Float64s = take[float64](r, v.Len)
	case types.PhysInterval:
		v.Intervals = take[types.Interval](r, v.Len)
	case types.PhysBytes:
		v.Views = take[vector.View](r, v.Len)
		v.Data = take[byte](r, int(header[2]))
	case types.PhysList:
		v.Offsets = take[int32](r, v.Len+1)
		v.Child = r.column(listChild(t))
	case types.PhysStruct:
		for _, f := range t.Fields {
			v.Children = append(v.Children, r.column(f.Type))
		}
	}
	return v
}

// listChild is the type of what lists of a type hold.
func listChild(t types.Type) types.Type {
	if t.Kind == types.Map {
		return types.StructOf(*t.Key, *t.Elem)
	}
	return t.Elem.Type
}
