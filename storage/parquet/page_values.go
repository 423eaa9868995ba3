package parquet

import (
	"encoding/binary"
	"math"

	"github.com/parquet-go/parquet-go/format"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage/parquet/internal/compress"
	"github.com/tarndb/tarn/storage/parquet/internal/encoding"
)

// plainDictionary is the encoding by which version 1 files name dictionary
// codes, and the dictionary's own values. New files must not have it; old ones
// do, so reading it is no use of something deprecated.
//
//lint:ignore SA1019 files of version 1 have it
const plainDictionary = format.PlainDictionary

// openValues makes the values of the current page ready in the form that suits
// their encoding (Encodings.md).
func (p *pages) openValues(b []byte) error {
	switch p.head.Encoding {
	case plainDictionary, format.RLEDictionary:
		return p.openCodes(b)
	case format.Plain:
		if width := fixedWidth(p.leaf.physical); width > 0 {
			p.form, p.fixed = formFixed, b
			return nil
		}
	}
	p.form = formValues
	if p.n > maxPageValues {
		return p.corrupt(nil, "page of %d values", p.n)
	}
	err := p.decodeValues(&p.raw, b, p.head.Encoding, p.n)
	if err != nil {
		return p.decodeError(err, "values can't be read")
	}
	return nil
}

// fixedWidth is the size of the physical types that vectors hold as they are
// in the file; 0 for others.
func fixedWidth(t format.Type) int {
	switch t {
	case format.Int32, format.Float:
		return 4
	case format.Int64, format.Double:
		return 8
	}
	return 0
}

func (p *pages) openCodes(b []byte) error {
	if p.dict == nil {
		return p.corrupt(nil, "page needs a dictionary, and the chunk has none")
	}
	p.form = formCodes
	if len(b) == 0 { // no values but NULLs
		p.codes.Reset(nil, 1)
		return nil
	}
	width := uint(b[0])
	if width > 32 {
		return p.corrupt(nil, "dictionary codes of %d bits", width)
	}
	p.codesFit = width < 32 && uint32(1)<<width <= p.maxCode
	p.codes.Reset(b[1:], width)
	return nil
}

// loadDictionary decodes the dictionary page whose header was just read.
func (p *pages) loadDictionary() error {
	h := &p.head
	if !h.HasBody || p.dict != nil {
		return p.corrupt(nil, "dictionary page is malformed or the second one")
	}
	if h.Encoding != format.Plain && h.Encoding != plainDictionary || h.NumValues < 0 || h.NumValues > maxPageValues {
		return p.corrupt(nil, "dictionary page has encoding %d and %d values", h.Encoding, h.NumValues)
	}
	if err := p.readBody(); err != nil {
		return err
	}
	b, err := compress.Decompress(p.codec, p.dictBuf, p.body, int(h.UncompressedSize))
	if err != nil {
		return p.decodeError(err, "dictionary can't be decompressed")
	}
	p.dictBuf = b
	n := int(h.NumValues)
	if width := fixedWidth(p.leaf.physical); width > 0 {
		if len(b) < n*width {
			return p.corrupt(nil, "dictionary of %d values has %d bytes", n, len(b))
		}
		setFixed(&p.dictRaw, p.leaf.physical, b[:n*width])
	} else if err := p.decodeValues(&p.dictRaw, b, format.Plain, n); err != nil {
		return p.decodeError(err, "dictionary can't be read")
	}
	if p.dictRaw.Len != n {
		return p.corrupt(nil, "dictionary of %d values has %d", n, p.dictRaw.Len)
	}
	return p.convertDictionary(n)
}

// convertDictionary makes the vector of the dictionary, with a header of its
// own, by which its users tell it from others.
func (p *pages) convertDictionary(n int) error {
	p.maxCode = uint32(n)
	if p.convert == nil {
		dict := p.dictRaw
		dict.Type = p.want
		p.dict = &dict
		return nil
	}
	p.dictStore.Reset(n)
	if err := p.convert(&p.dictStore, 0, &p.dictRaw, 0, n); err != nil {
		return p.corrupt(err, "a value can't be read as %s", p.want)
	}
	dict := p.dictStore
	p.dict = &dict
	return nil
}

// setFixed fills a raw vector with plain values of fixed width: in place if
// they are aligned, else as a copy.
func setFixed(v *vector.Vector, t format.Type, b []byte) {
	n := len(b) / fixedWidth(t)
	*v = vector.Vector{Type: v.Type, Len: n}
	switch t {
	case format.Int32:
		v.Int32s = fixedValues(b, n, 4, func(b []byte) int32 { return int32(binary.LittleEndian.Uint32(b)) })
	case format.Int64:
		v.Int64s = fixedValues(b, n, 8, func(b []byte) int64 { return int64(binary.LittleEndian.Uint64(b)) })
	case format.Float:
		v.Float32s = fixedValues(b, n, 4, func(b []byte) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(b)) })
	case format.Double:
		v.Float64s = fixedValues(b, n, 8, func(b []byte) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(b)) })
	}
}

// fixedValues gives the n values of b.
func fixedValues[T int32 | int64 | float32 | float64](b []byte, n, width int, read func([]byte) T) []T {
	if v, ok := viewAs[T](b); ok {
		return v
	}
	out := make([]T, n)
	for i := range out {
		out[i] = read(b[i*width:])
	}
	return out
}

// decodeValues decodes all of a page's values, at most limit, into a raw
// vector.
func (p *pages) decodeValues(v *vector.Vector, b []byte, enc format.Encoding, limit int) error {
	*v = vector.Vector{Type: v.Type, Bools: v.Bools, Views: v.Views}
	switch p.leaf.physical {
	case format.Boolean:
		return p.decodeBools(v, b, enc, limit)
	case format.Int32, format.Int64:
		return p.decodeInts(v, b, enc, limit)
	case format.Float, format.Double:
		if enc != format.ByteStreamSplit {
			return encoding.ErrMalformed
		}
		split, err := encoding.ByteStreamSplit(p.splitBuf, b, fixedWidth(p.leaf.physical))
		p.splitBuf = split
		if err == nil {
			setFixed(v, p.leaf.physical, split)
		}
		return err
	}
	return p.decodeByteArrays(v, b, enc, limit)
}

func (p *pages) decodeBools(v *vector.Vector, b []byte, enc format.Encoding, limit int) error {
	if enc == format.RLE {
		if len(b) < 4 || uint64(binary.LittleEndian.Uint32(b)) > uint64(len(b)-4) {
			return encoding.ErrTruncated
		}
		// How many values there are, NULLs left out, is not written. Levels say
		// it, so bits are decoded when they are asked for.
		p.codes.Reset(b[4:4+binary.LittleEndian.Uint32(b)], 1)
		p.form, p.maxCode, p.codesFit, p.dict = formCodes, 2, true, boolDictionary
		return nil
	}
	if enc != format.Plain {
		return encoding.ErrMalformed
	}
	n := min(limit, len(b)*8)
	v.Bools = resize(v.Bools, n)
	v.Len = n
	for i := range v.Bools {
		v.Bools[i] = b[i>>3]>>(i&7)&1 != 0
	}
	return nil
}

// boolDictionary makes codes of run-length encoded Booleans.
var boolDictionary = &vector.Vector{Type: types.Of(types.Boolean), Len: 2, Bools: []bool{false, true}}

func (p *pages) decodeInts(v *vector.Vector, b []byte, enc format.Encoding, limit int) error {
	switch enc {
	case format.ByteStreamSplit:
		split, err := encoding.ByteStreamSplit(p.splitBuf, b, fixedWidth(p.leaf.physical))
		p.splitBuf = split
		if err == nil {
			setFixed(v, p.leaf.physical, split)
		}
		return err
	case format.DeltaBinaryPacked:
		deltas, _, err := encoding.DeltaBinaryPacked(p.deltas, b, limit)
		p.deltas = deltas
		v.Len = len(deltas)
		if p.leaf.physical == format.Int64 {
			v.Int64s = deltas
			return err
		}
		p.narrow = resize(p.narrow, len(deltas))
		for i, d := range deltas {
			p.narrow[i] = int32(d)
		}
		v.Int32s = p.narrow
		return err
	}
	return encoding.ErrMalformed
}

// decodeByteArrays gives views into the page, or into memory of the decoder.
func (p *pages) decodeByteArrays(v *vector.Vector, b []byte, enc format.Encoding, limit int) error {
	var err error
	switch {
	case enc == format.Plain && p.leaf.physical == format.ByteArray:
		v.Data = b
		v.Views, err = plainViews(v.Views, b, limit)
	case enc == format.Plain:
		v.Data = b
		v.Views, err = fixedViews(v.Views, b, p.leaf.width, limit)
	case enc == format.ByteStreamSplit && p.leaf.physical == format.FixedLenByteArray:
		p.splitBuf, err = encoding.ByteStreamSplit(p.splitBuf, b, p.leaf.width)
		if err == nil {
			v.Data = p.splitBuf
			v.Views, err = fixedViews(v.Views, v.Data, p.leaf.width, limit)
		}
	case enc == format.DeltaLengthByteArray && p.leaf.physical == format.ByteArray:
		err = p.strings.DeltaLength(b, limit)
		v.Data, v.Views = p.strings.Data, p.strings.Views
	case enc == format.DeltaByteArray && p.leaf.physical != format.Int96:
		err = p.strings.Delta(b, limit, max(plainPageBytes, min(64*len(b), maxPageBytes)))
		v.Data, v.Views = p.strings.Data, p.strings.Views
		if err == nil && p.leaf.physical == format.FixedLenByteArray {
			err = checkWidths(v.Views, p.leaf.width)
		}
	default:
		return encoding.ErrMalformed
	}
	v.Len = len(v.Views)
	return err
}

func checkWidths(views []vector.View, width int) error {
	for _, view := range views {
		if int(view.Length) != width {
			return encoding.ErrMalformed
		}
	}
	return nil
}

// plainViews finds strings, each behind its length (Encodings.md, "Plain").
func plainViews(views []vector.View, b []byte, limit int) ([]vector.View, error) {
	if most := len(b) / 4; limit > most {
		limit = most
	}
	views = resize(views, limit)
	at := 0
	for i := range views {
		if at == len(b) { // the rest are NULLs
			return views[:i], nil
		}
		if len(b)-at < 4 {
			return views[:i], encoding.ErrTruncated
		}
		n := binary.LittleEndian.Uint32(b[at:])
		if uint64(n) > uint64(len(b)-at-4) {
			return views[:i], encoding.ErrTruncated
		}
		views[i] = vector.View{Offset: uint32(at + 4), Length: n}
		at += 4 + int(n)
	}
	if at != len(b) {
		return views, encoding.ErrMalformed
	}
	return views, nil
}

func fixedViews(views []vector.View, b []byte, width, limit int) ([]vector.View, error) {
	if width <= 0 {
		return views[:0], encoding.ErrMalformed
	}
	if len(b)%width != 0 {
		return views[:0], encoding.ErrMalformed
	}
	views = resize(views, min(limit, len(b)/width))
	for i := range views {
		views[i] = vector.View{Offset: uint32(i * width), Length: uint32(width)}
	}
	return views, nil
}

// readCodes decodes the next codes of the page and checks that they are within
// the dictionary.
func (p *pages) readCodes(dst []int32) error {
	if err := p.codes.Codes(dst); err != nil {
		return p.decodeError(err, "dictionary codes can't be read")
	}
	p.valAt += len(dst)
	if p.codesFit {
		return nil
	}
	if !codesBelow(dst, p.maxCode) {
		return p.corrupt(nil, "dictionary code is not below %d", p.maxCode)
	}
	return nil
}

// codesBelow reports whether all codes are from 0 to limit-1; limit is below
// 1<<31. It takes two codes as one word: the high bit of each half of
// highs+last-w stays where the code is not above last, provided that no code
// has that bit itself, of which seen tells.
func codesBelow(codes []int32, limit uint32) bool {
	if limit == 0 {
		return len(codes) == 0
	}
	const highs = 1<<63 | 1<<31
	last := uint64(limit - 1)
	top := highs + (last<<32 | last)
	kept, seen := uint64(highs), uint64(0)
	first, words, rest := asWords(codes)
	for ; len(words) >= 4; words = words[4:] {
		w := words[:4:4]
		kept &= (top - w[0]) & (top - w[1]) & (top - w[2]) & (top - w[3])
		seen |= w[0] | w[1] | w[2] | w[3]
	}
	for _, w := range words {
		kept &= top - w
		seen |= w
	}
	for _, c := range first {
		kept &= top - uint64(uint32(c))
		seen |= uint64(uint32(c))
	}
	for _, c := range rest {
		kept &= top - uint64(uint32(c))
		seen |= uint64(uint32(c))
	}
	return kept&^seen&highs == highs
}

// rawValues gives the next n values of a page without codes: they are at from
// in the vector.
func (p *pages) rawValues(n int) (v *vector.Vector, from int, err error) {
	from = p.valAt
	p.valAt += n
	if p.form == formValues {
		if p.valAt > p.raw.Len {
			return nil, 0, p.decodeError(encoding.ErrTruncated, "values can't be read")
		}
		return &p.raw, from, nil
	}
	width := fixedWidth(p.leaf.physical)
	if p.valAt*width > len(p.fixed) {
		return nil, 0, p.decodeError(encoding.ErrTruncated, "values can't be read")
	}
	b := p.fixed[from*width : p.valAt*width]
	if p.viewFixed(b, n) {
		return &p.view, 0, nil
	}
	p.copyFixed(b, n)
	return &p.scratch, 0, nil
}

// viewFixed looks at plain values of fixed width where they are, if they are
// aligned.
func (p *pages) viewFixed(b []byte, n int) (ok bool) {
	p.view.Len = n
	switch p.leaf.physical {
	case format.Int32:
		p.view.Int32s, ok = viewAs[int32](b)
	case format.Int64:
		p.view.Int64s, ok = viewAs[int64](b)
	case format.Float:
		p.view.Float32s, ok = viewAs[float32](b)
	case format.Double:
		p.view.Float64s, ok = viewAs[float64](b)
	}
	return ok
}

// copyFixed moves plain values of fixed width to scratch, aligned. A batch of
// them stays in the first cache level.
func (p *pages) copyFixed(b []byte, n int) {
	p.scratch.Len = n
	switch p.leaf.physical {
	case format.Int32:
		p.scratch.Int32s = resize(p.scratch.Int32s, n)
		for i := range p.scratch.Int32s {
			p.scratch.Int32s[i] = int32(binary.LittleEndian.Uint32(b[i*4:]))
		}
	case format.Int64:
		p.scratch.Int64s = resize(p.scratch.Int64s, n)
		for i := range p.scratch.Int64s {
			p.scratch.Int64s[i] = int64(binary.LittleEndian.Uint64(b[i*8:]))
		}
	case format.Float:
		p.scratch.Float32s = resize(p.scratch.Float32s, n)
		for i := range p.scratch.Float32s {
			p.scratch.Float32s[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[i*4:]))
		}
	case format.Double:
		p.scratch.Float64s = resize(p.scratch.Float64s, n)
		for i := range p.scratch.Float64s {
			p.scratch.Float64s[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[i*8:]))
		}
	}
}

// pass leaves k entries of the current page behind. A page that was opened and
// is read to its end must have no values left: if it has, its levels or the
// column's repetition are not what they were written as.
func (p *pages) pass(k int) error {
	p.at += k
	if p.at < p.n || !p.opened {
		return nil
	}
	if p.flat && p.leaf.maxDef > 0 && p.defs.HasRun() {
		return p.corrupt(nil, "page has more levels than its %d values", p.n)
	}
	isLeft := false
	switch p.form {
	case formFixed:
		isLeft = len(p.fixed) != p.valAt*fixedWidth(p.leaf.physical)
	case formCodes:
		isLeft = p.valAt > 0 && p.codes.HasRun()
	case formValues:
		isLeft = p.valAt != p.raw.Len && p.leaf.physical != format.Boolean // whose last byte is padded
	}
	if isLeft {
		return p.corrupt(nil, "page has more values than the %d that its levels tell of", p.valAt)
	}
	return nil
}

// skipValues passes over n values of the open page.
func (p *pages) skipValues(n int) error {
	if p.form == formCodes {
		if err := p.codes.Skip(n); err != nil {
			return p.decodeError(err, "dictionary codes can't be read")
		}
	}
	p.valAt += n
	return nil
}
