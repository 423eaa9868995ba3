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
