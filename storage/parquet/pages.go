package parquet

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"math/bits"

	"github.com/parquet-go/parquet-go/format"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage/parquet/internal/compress"
	"github.com/tarndb/tarn/storage/parquet/internal/encoding"
	"github.com/tarndb/tarn/storage/parquet/internal/meta"
)

// pageForm says how the values of an open page are held.
type pageForm uint8

const (
	formCodes  pageForm = iota // codes of the chunk's dictionary
	formValues                 // in raw, all of the page
	formFixed                  // in fixed, as in the file
)

// pages walks the pages of one column chunk after the other. It holds the
// buffers, which are used again for the next chunk. Invariants:
//
//  1. A page that one skip passes over whole is not decompressed.
//  2. The dictionary is decoded once per chunk, and dict is a vector of its own
//     for the chunk.
//  3. What read methods give stays valid until the next page is opened.
type pages struct {
	path string
	leaf *leaf
	want types.Type
	// convert makes table values of raw ones; nil if bytes stay bytes.
	convert converter
	flat    bool // definition levels are bits, NULL or not, read with defs

	located   int                   // row group that locations are of, plus one
	locations []format.PageLocation // from the offset index, if that was read
	sparse    [][]byte              // bytes of the pages that were fetched, by page; nil: data has all
	nextPage  int                   // in sparse

	codec format.CompressionCodec
	win   window
	pos   int64 // of the next page's header in the file
	left  int64 // values in the pages that follow
	rows  int64 // values of the chunk

	load        func(at int64, n int) ([]byte, error) // of win
	windowBytes int                                   // of the next window
	windowBuf   []byte

	head   meta.PageHeader // of the current page
	body   []byte          // once it is open
	bodyAt int64           // place of the body in the file
	n      int             // values of the current page, NULLs included
	at     int             // how many of them are behind
	opened bool
	absent bool // the page was not fetched: its rows are only passed over

	defs      encoding.Hybrid // flat columns
	defLevels []uint8         // other columns: all levels of the page
	repLevels []uint8

	form  pageForm
	codes encoding.Hybrid
	raw   vector.Vector // formValues
	fixed []byte        // formFixed
	valAt int           // values that are behind, without NULLs

	dict      *vector.Vector
	maxCode   uint32 // codes must be below it
	codesFit  bool   // the width of the codes allows no other
	dictRaw   vector.Vector
	dictBuf   []byte
	pageBuf   []byte
	levelBuf  []byte
	splitBuf  []byte
	scratch   vector.Vector // a copy of some values of fixed
	view      vector.Vector // some values of fixed, in place
	deltas    []int64
	narrow    []int32
	strings   encoding.ByteArrays
	dictStore vector.Vector // memory of converted dictionaries
}

func newPages(path string, l *leaf, want types.Type, c converter) *pages {
	p := &pages{path: path, leaf: l, want: want, convert: c}
	p.raw.Type = rawType(l.physical)
	p.dictRaw.Type, p.scratch.Type, p.dictStore.Type = p.raw.Type, p.raw.Type, want
	return p
}

// start begins a chunk of which w has the first bytes.
func (p *pages) start(m *meta.ColumnMetaData, w window) {
	p.codec, p.win, p.pos, p.left, p.rows = m.Codec, w, w.base, m.NumValues, m.NumValues
	p.n, p.at, p.opened, p.absent = 0, 0, false, false
	p.dict = nil
	p.sparse, p.nextPage = nil, 0
}

// startSparse begins a chunk of which only some pages were fetched. What comes
// before the first page is head.
func (p *pages) startSparse(m *meta.ColumnMetaData, head window, sparse [][]byte) {
	p.start(m, head)
	p.sparse = sparse
}

func (p *pages) corrupt(cause error, format string, args ...any) error {
	return corrupt(p.path, p.bodyAt, cause, "column "+types.QuoteIdent(p.leaf.name)+": "+format, args...)
}

func (p *pages) decodeError(cause error, what string) error {
	return decodeError(p.path, p.bodyAt, cause, "column "+types.QuoteIdent(p.leaf.name)+": "+what)
}

// advance makes sure that the current page has values left, without opening it.
// It answers false at the end of the chunk.
func (p *pages) advance() (bool, error) {
	for p.at == p.n {
		if p.left == 0 {
			return false, nil
		}
		var err error
		if p.sparse != nil && p.pos == p.win.end {
			err = p.nextSparse()
		} else {
			err = p.next()
		}
		if err != nil {
			return false, err
		}
	}
	return true, nil
}

// nextSparse goes to the next page of the offset index.
func (p *pages) nextSparse() error {
	i := p.nextPage
	if i == len(p.locations) {
		return p.corrupt(nil, "pages of the offset index have fewer values than the chunk")
	}
	p.nextPage++
	l := p.locations[i]
	rows := pageRows(p.locations, i, p.rows)
	data := p.sparse[i]
	p.win, p.pos = window{data: data, base: l.Offset, end: l.Offset + int64(len(data))}, l.Offset
	if data == nil {
		p.n, p.at, p.opened, p.absent = int(rows.to-rows.from), 0, false, true
		p.left -= int64(p.n)
		return nil
	}
	if err := p.next(); err != nil {
		return err
	}
	if int64(p.n) != rows.to-rows.from {
		return p.corrupt(nil, "page of %d rows has %d in the offset index", p.n, rows.to-rows.from)
	}
	return nil
}

// readHeader parses the header at pos. Most have a few dozen bytes, but their
// statistics may be long.
func (p *pages) readHeader() (size int, err error) {
	for n := int64(256); ; n *= 16 {
		b, err := p.win.bytes(p.pos, n)
		if err != nil {
			return 0, err
		}
		size, err := meta.ParsePageHeader(b, &p.head)
		if err == nil || int64(len(b)) < n || n > maxWindowBytes {
			if err != nil {
				err = p.corrupt(err, "page header can't be read")
			}
			return size, err
		}
	}
}

// next reads the header of the next page, and all of a dictionary page.
func (p *pages) next() error {
	p.bodyAt = p.pos
	size, err := p.readHeader()
	if err != nil {
		return err
	}
	h := &p.head
	p.bodyAt += int64(size)
	if left := p.win.end - p.bodyAt; h.CompressedSize < 0 || int64(h.CompressedSize) > left {
		return p.corrupt(nil, "page of %d bytes in a chunk that has %d left", h.CompressedSize, left)
	}
	if h.UncompressedSize < 0 {
		return p.corrupt(nil, "page unpacks to %d bytes", h.UncompressedSize)
	}
	if isOversized(h) {
		return unsupported(p.path, fmt.Sprintf("page at %d of %d bytes that unpacks to %d", p.bodyAt, h.CompressedSize, h.UncompressedSize))
	}
	p.pos = p.bodyAt + int64(h.CompressedSize)
	p.n, p.at, p.opened, p.absent = 0, 0, false, false
	switch h.Type {
	case format.DictionaryPage:
		return p.loadDictionary()
	case format.DataPage, format.DataPageV2:
		if !h.HasBody || h.NumValues < 0 || int64(h.NumValues) > p.left {
			return p.corrupt(nil, "page of %d values in a chunk that has %d left", h.NumValues, p.left)
		}
		p.n = int(h.NumValues)
		p.left -= int64(p.n)
	}
	return nil
}

const (
	// plainPageBytes is a size of pages that is taken on trust.
	plainPageBytes = 64 << 20
	maxPageBytes   = 1 << 30
	// maxPageRatio bounds how far a large page may have been compressed.
	maxPageRatio = 4096
	// maxPageValues bounds the values of a page that are decoded at a time.
	maxPageValues = 1 << 26
)

// isOversized tells sizes that would cost memory out of proportion to the
// input.
func isOversized(h *meta.PageHeader) bool {
	size := int64(h.UncompressedSize)
	return size > maxPageBytes || size > plainPageBytes && size/maxPageRatio > int64(h.CompressedSize)
}

// readBody brings the bytes of the current page into the window.
func (p *pages) readBody() error {
	var err error
	if p.body, err = p.win.bytes(p.bodyAt, int64(p.head.CompressedSize)); err != nil {
		return err
	}
	if p.head.HasCRC && crc32.ChecksumIEEE(p.body) != p.head.CRC {
		return p.corrupt(nil, "checksum of the page is wrong")
	}
	return nil
}

// open decompresses the current page and finds its levels and values.
func (p *pages) open() error {
	if p.opened {
		return nil
	}
	if p.absent {
		return p.corrupt(nil, "column index rules out a page that is needed")
	}
	if err := p.readBody(); err != nil {
		return err
	}
	var values []byte
	var err error
	if p.head.Type == format.DataPageV2 {
		values, err = p.openV2()
	} else {
		values, err = p.openV1()
	}
	if err != nil {
		return err
	}
	p.opened, p.valAt = true, 0
	return p.openValues(values)
}

// unpack decompresses into the page buffer. Bytes that are not compressed are
// used in place.
func (p *pages) unpack(body []byte, size int, compressed bool) ([]byte, error) {
	if p.codec == format.Uncompressed || !compressed {
		if len(body) != size {
			return nil, p.corrupt(nil, "page of %d bytes should have %d", len(body), size)
		}
		return body, nil
	}
	out, err := compress.Decompress(p.codec, p.pageBuf, body, size)
	if err != nil {
		return nil, p.decodeError(err, "page can't be decompressed")
	}
	p.pageBuf = out
	return out, nil
}

// openV1 reads a page whose levels are compressed with its values
// (README.md, "Data Pages").
func (p *pages) openV1() ([]byte, error) {
	b, err := p.unpack(p.body, int(p.head.UncompressedSize), true)
	if err != nil {
		return nil, err
	}
	if p.leaf.maxRep > 0 {
		if b, err = p.levelsV1(b, p.head.RepEncoding, p.leaf.maxRep, true); err != nil {
			return nil, err
		}
	}
	if p.leaf.maxDef > 0 {
		b, err = p.levelsV1(b, p.head.DefEncoding, p.leaf.maxDef, false)
	}
	return b, err
}

func levelWidth(maxLevel int) uint { return uint(bits.Len(uint(maxLevel))) }

func (p *pages) levelsV1(b []byte, enc format.Encoding, maxLevel int, rep bool) ([]byte, error) {
	width := levelWidth(maxLevel)
	if enc == format.BitPacked {
		size := (p.n*int(width) + 7) / 8
		if size > len(b) {
			return nil, p.corrupt(nil, "page ends within its levels")
		}
		return b[size:], p.bitPackedLevels(b[:size], width, maxLevel, rep)
	}
	if enc != format.RLE {
		return nil, p.corrupt(nil, "levels have encoding %d", enc)
	}
	if len(b) < 4 || uint64(binary.LittleEndian.Uint32(b)) > uint64(len(b)-4) {
		return nil, p.corrupt(nil, "page ends within its levels")
	}
	size := int(binary.LittleEndian.Uint32(b))
	return b[4+size:], p.levels(b[4:4+size], width, maxLevel, rep)
}

// openV2 reads a page whose levels stand uncompressed before its values
// (README.md, "Data Pages").
func (p *pages) openV2() ([]byte, error) {
	h := &p.head
	rep, def := int64(h.RepBytes), int64(h.DefBytes)
	if rep < 0 || def < 0 || rep+def > int64(len(p.body)) || rep+def > int64(h.UncompressedSize) {
		return nil, p.corrupt(nil, "page ends within its levels")
	}
	if p.leaf.maxRep > 0 {
		if err := p.levels(p.body[:rep], levelWidth(p.leaf.maxRep), p.leaf.maxRep, true); err != nil {
			return nil, err
		}
	}
	if p.leaf.maxDef > 0 {
		if err := p.levels(p.body[rep:rep+def], levelWidth(p.leaf.maxDef), p.leaf.maxDef, false); err != nil {
			return nil, err
		}
	}
	return p.unpack(p.body[rep+def:], int(int64(h.UncompressedSize)-rep-def), h.Compressed)
}

func (p *pages) levels(b []byte, width uint, maxLevel int, rep bool) error {
	if p.flat {
		p.defs.Reset(b, width)
		return nil
	}
	dst, err := p.levelMemory(rep)
	if err != nil {
		return err
	}
	var h encoding.Hybrid
	h.Reset(b, width)
	var buf [256]int32
	for i := 0; i < len(dst); i += len(buf) {
		part := buf[:min(len(buf), len(dst)-i)]
		if err := h.Codes(part); err != nil {
			return p.decodeError(err, "levels can't be read")
		}
		for k, v := range part {
			if uint32(v) > uint32(maxLevel) {
				return p.corrupt(nil, "level %d is above %d", v, maxLevel)
			}
			dst[i+k] = uint8(v)
		}
	}
	if h.HasRun() {
		return p.corrupt(nil, "page has more levels than its %d values", p.n)
	}
	return nil
}

func (p *pages) levelMemory(rep bool) ([]uint8, error) {
	levels := &p.defLevels
	if rep {
		levels = &p.repLevels
	}
	if p.n > maxPageValues {
		return nil, p.corrupt(nil, "page of %d values", p.n)
	}
	*levels = resize(*levels, p.n)
	return *levels, nil
}

func resize[T any](s []T, n int) []T {
	if cap(s) >= n {
		return s[:n]
	}
	return make([]T, n, n+n/4)
}

// bitPackedLevels reads the deprecated encoding. The bits of a flat column are
// turned around into a bit-packed run of the usual one.
func (p *pages) bitPackedLevels(b []byte, width uint, maxLevel int, rep bool) error {
	if p.flat {
		p.levelBuf = binary.AppendUvarint(p.levelBuf[:0], uint64(len(b))<<1|1)
		for _, c := range b {
			p.levelBuf = append(p.levelBuf, bits.Reverse8(c))
		}
		p.defs.Reset(p.levelBuf, width)
		return nil
	}
	dst, err := p.levelMemory(rep)
	if err != nil {
		return err
	}
	if err := encoding.BitPacked(dst, b, width); err != nil {
		return p.decodeError(err, "levels can't be read")
	}
	for _, v := range dst {
		if int(v) > maxLevel {
			return p.corrupt(nil, "level %d is above %d", v, maxLevel)
		}
	}
	return nil
}
