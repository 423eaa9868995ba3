package parquet

import (
	"encoding/binary"
	"unsafe"
)

// littleEndian tells whether values lie in memory as they lie in files.
var littleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// viewAs gives b as values of T, without copying, if its address allows.
func viewAs[T int32 | int64 | float32 | float64](b []byte) ([]T, bool) {
	var zero T
	size := int(unsafe.Sizeof(zero))
	if !littleEndian || len(b) < size || uintptr(unsafe.Pointer(&b[0]))%unsafe.Alignof(zero) != 0 {
		return nil, len(b) < size
	}
	return unsafe.Slice((*T)(unsafe.Pointer(&b[0])), len(b)/size), true
}

// asWords gives codes as words of two, but for one at either end that a word
// can't have.
func asWords(codes []int32) (first []int32, words []uint64, last []int32) {
	if len(codes) > 0 && uintptr(unsafe.Pointer(&codes[0]))%unsafe.Alignof(uint64(0)) != 0 {
		first, codes = codes[:1], codes[1:]
	}
	if pairs := len(codes) / 2; pairs > 0 {
		words = unsafe.Slice((*uint64)(unsafe.Pointer(&codes[0])), pairs)
	}
	return first, words, codes[len(codes)&^1:]
}
