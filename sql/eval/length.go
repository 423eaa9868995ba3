package eval

import (
	"encoding/binary"
	"unicode/utf8"

	"github.com/tarndb/tarn/sql/vector"
)

// kernelLength counts the characters of strings.
func kernelLength(f *frame) error {
	v := f.args[0]
	if v.Form == vector.Constant || f.sel != nil || f.out.Valid != nil {
		return rowKernel(rowLength)(f)
	}
	views, out, data := v.Views[:f.n], f.out.Int32s[:f.n], v.Data
	for i, view := range views {
		out[i] = int32(runeCount(data[view.Offset : view.Offset+view.Length]))
	}
	return nil
}

func rowLength(f *frame, i int) error {
	f.out.Int32s[i] = int32(runeCount(f.bytes(0, i)))
	return nil
}

const highBits = 0x8080808080808080

// runeCount is utf8.RuneCount with a short way for ASCII, eight bytes at a
// time. What is no valid UTF-8 counts a character for each byte, so the others
// can't be told by counting continuation bytes alone; checking that they are
// valid first took half as long again as RuneCount.
func runeCount(b []byte) int {
	if len(b) < 8 {
		return utf8.RuneCount(b)
	}
	// The last word overlaps the one before.
	seen := binary.LittleEndian.Uint64(b[len(b)-8:])
	for rest := b; len(rest) > 8; rest = rest[8:] {
		seen |= binary.LittleEndian.Uint64(rest)
	}
	if seen&highBits == 0 {
		return len(b)
	}
	return utf8.RuneCount(b)
}
