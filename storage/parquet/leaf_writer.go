package parquet

import (
	"encoding/binary"
	"hash/crc32"
	"math"
	"math/bits"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/parquet/internal/compress"
	"github.com/tarndb/tarn/storage/parquet/internal/encoding"
	"github.com/tarndb/tarn/storage/parquet/internal/meta"
)

// leafWriter writes the chunks of one leaf column. A chunk begins with codes
// of a dictionary; it goes over to plain values when the dictionary gets too
// large, and at its first page already if the dictionary doesn't pay.
type leafWriter struct {
	w        *Writer
	field    types.Field
	physical format.Type
	width    int
	at       writePath

	// The page at hand.
	rep, def []uint8 // empty while the level can only be 0
	entries  int
	rows     int
	dict     *dictionary // nil in plain mode
	codes    []int32
	plain    []byte // plain values; a byte each for Booleans
	page     bounds // of the values in plain; those of codes come at the end

	// The chunk at hand.
	hadDict      bool // pages with codes were written
	hadPlain     bool
	pages        []byte
	unpacked     int64
	chunkEntries int64
	chunkRows    int64
	chunk        bounds
	total        bounds
	sizeBytes    int64 // compressed, in the file
	index        pageIndex

	spare *dictionary // memory for the next chunk's
	// mapping gives the codes of the entries of the dictionary that is being
	// written from, -1 where one was not met yet; nil if there is none.
	mapping    []int32
	mappingBuf []int32

	body   []byte
	packed []byte // body, compressed
	seen   []bool // by code, while bounds of a page are looked for
	key    [16]byte
}

func newLeafWriter(w *Writer, f types.Field, e *meta.SchemaElement, at writePath) *leafWriter {
	l := &leafWriter{w: w, field: f, physical: e.Type, width: int(e.TypeLength), at: at}
	if n := fixedWidth(e.Type); n > 0 {
		l.width = n
	}
	l.page.t, l.total.t = f.Type, f.Type
	l.startChunk()
	return l
}

func (l *leafWriter) startChunk() {
	l.hadDict, l.hadPlain, l.pages, l.unpacked, l.chunkEntries = false, false, l.pages[:0], 0, 0
	l.chunkRows, l.index = 0, pageIndex{}
	l.chunk = bounds{t: l.field.Type}
	if l.physical == format.Boolean {
		return
	}
	if l.spare == nil {
		l.spare = newDictionary(l.width)
	}
	l.spare.reset()
	l.dict = l.spare
}

// level adds an entry at its levels.
func (l *leafWriter) level(rep, def int) {
	if l.at.rep > 0 {
		l.rep = append(l.rep, uint8(rep))
	}
	if l.at.def > 0 {
		l.def = append(l.def, uint8(def))
	}
	if def < l.at.def {
		l.page.nulls++
	}
	if rep == 0 {
		l.rows++
	}
	l.entries++
}

// value adds value p of a flat vector.
func (l *leafWriter) value(v *vector.Vector, p int) error {
	switch v.Type.Physical() {
	case types.PhysBool:
		b := byte(0)
		if v.Bools[p] {
			b = 1
		}
		l.page.int(int64(b))
		l.plain = append(l.plain, b)
	case types.PhysInt32:
		l.int(int64(v.Int32s[p]))
	case types.PhysInt64:
		l.int(v.Int64s[p])
	case types.PhysFloat32:
		l.float(float64(v.Float32s[p]), uint64(math.Float32bits(v.Float32s[p])))
	case types.PhysFloat64:
		l.float(v.Float64s[p], math.Float64bits(v.Float64s[p]))
	case types.PhysInt128:
		l.decimal(v.Int128s[p])
	case types.PhysBytes:
		return l.bytes(v.Bytes(p))
	}
	return nil
}

func (l *leafWriter) int(x int64) {
	if l.dict != nil {
		l.codes = append(l.codes, l.dict.fixed(uint64(x)))
		return
	}
	l.page.int(x)
	l.fixed(uint64(x))
}

func (l *leafWriter) float(x float64, raw uint64) {
	if l.dict != nil {
		l.codes = append(l.codes, l.dict.fixed(raw))
		return
	}
	l.page.float(x)
	l.fixed(raw)
}

// fixed appends a plain value of 4 or 8 bytes.
func (l *leafWriter) fixed(raw uint64) {
	if l.width == 4 {
		l.plain = binary.LittleEndian.AppendUint32(l.plain, uint32(raw))
	} else {
		l.plain = binary.LittleEndian.AppendUint64(l.plain, raw)
	}
}

func (l *leafWriter) decimal(d types.Decimal128) {
	binary.BigEndian.PutUint64(l.key[:8], uint64(d.Hi))
	binary.BigEndian.PutUint64(l.key[8:], d.Lo)
	if l.addBytes(l.key[16-l.width:]) {
		l.page.decimal(d)
	}
}

func (l *leafWriter) bytes(b []byte) error {
	if l.physical == format.FixedLenByteArray && len(b) != l.width {
		return storageError(l.field, "value has %d bytes and not %d", len(b), l.width)
	}
	if l.addBytes(b) {
		l.page.bytes(b)
	}
	return nil
}

// addBytes adds a value and reports whether it went to plain.
func (l *leafWriter) addBytes(b []byte) bool {
	if l.dict != nil {
		l.codes = append(l.codes, l.dict.bytes(b, l.physical == format.ByteArray))
		return false
	}
	if l.physical == format.ByteArray {
		l.plain = binary.LittleEndian.AppendUint32(l.plain, uint32(len(b)))
	}
	l.plain = append(l.plain, b...)
	return true
}

// endRows ends the page where it is full. It is called between rows only.
func (l *leafWriter) endRows() error {
	if l.rows >= l.w.o.PageRows || l.pageBytes() >= l.w.o.PageBytes {
		return l.flushPage()
	}
	if l.dict != nil && len(l.dict.plain) > l.w.o.PageBytes {
		return l.flushPage()
	}
	return nil
}

func (l *leafWriter) pageBytes() int {
	if l.dict != nil {
		return len(l.codes) * int(l.dict.codeWidth()) / 8
	}
	return len(l.plain)
}

func (l *leafWriter) pendingBytes() int64 {
	n := len(l.pages) + l.pageBytes()
	if l.dict != nil {
		n += len(l.dict.plain)
	}
	return int64(n)
}

// flushPage encodes the page at hand and decides how the next one begins.
func (l *leafWriter) flushPage() error {
	if l.entries == 0 {
		return nil
	}
	if l.dict != nil {
		l.boundCodes()
		if !l.hadDict && !l.dict.pays(l.codes) {
			l.toPlain()
		}
	}
	h := format.DataPageHeader{NumValues: int32(l.entries), Encoding: format.Plain, DefinitionLevelEncoding: format.RLE, RepetitionLevelEncoding: format.RLE,
		Statistics: format.Statistics{NullCount: l.page.nulls}}
	l.body = l.body[:0]
	l.body = appendLevels(l.body, l.rep, l.at.rep)
	l.body = appendLevels(l.body, l.def, l.at.def)
	if l.dict != nil {
		h.Encoding = format.RLEDictionary
		width := l.dict.codeWidth()
		l.body = append(l.body, byte(width))
		l.body = encoding.AppendHybrid(l.body, l.codes, width)
		l.hadDict = true
	} else {
		l.hadPlain = true
		l.appendPlain()
	}
	start := len(l.pages)
	if err := l.appendPage(&format.PageHeader{Type: format.DataPage, DataPageHeader: thrift.New(h)}); err != nil {
		return err
	}
	l.index.add(l, format.PageLocation{Offset: int64(start), CompressedPageSize: int32(len(l.pages) - start), FirstRowIndex: l.chunkRows})
	if l.dict != nil && len(l.dict.plain) > l.w.o.PageBytes {
		l.dict = nil // spare keeps it for the chunk's end
	}
	l.chunkEntries += int64(l.entries)
	l.chunkRows += int64(l.rows)
	l.chunk.add(&l.page)
	l.page.clear()
	l.rep, l.def, l.codes, l.plain = l.rep[:0], l.def[:0], l.codes[:0], l.plain[:0]
	l.entries, l.rows = 0, 0
	return nil
}

// boundCodes tells the page's bounds of the values that its codes stand for.
func (l *leafWriter) boundCodes() {
	l.seen = resize(l.seen, l.dict.len())
	clear(l.seen)
	for _, code := range l.codes {
		if l.seen[code] {
			continue
		}
		l.seen[code] = true
		b := l.dict.entry(code)
		switch l.physical {
		case format.Int32:
			l.page.int(int64(int32(binary.LittleEndian.Uint32(b))))
		case format.Int64:
			l.page.int(int64(binary.LittleEndian.Uint64(b)))
		case format.Float:
			l.boundFloat(float64(math.Float32frombits(binary.LittleEndian.Uint32(b))), code)
		case format.Double:
			l.boundFloat(math.Float64frombits(binary.LittleEndian.Uint64(b)), code)
		case format.ByteArray:
			l.page.bytes(b[4:])
		default:
			if l.field.Type.Kind == types.Decimal {
				d, _ := bigEndian128(b)
				l.page.decimal(d)
			} else {
				l.page.bytes(b)
			}
		}
	}
}

// boundFloat adds the value of a code to the page's bounds. NaN is counted as
// often as it occurs.
func (l *leafWriter) boundFloat(x float64, code int32) {
	l.page.float(x)
	if x == x {
		return
	}
	l.page.nans--
	for _, c := range l.codes {
		if c == code {
			l.page.nans++
		}
	}
}

// toPlain writes the values of the codes out and gives the dictionary up.
func (l *leafWriter) toPlain() {
	for _, code := range l.codes {
		l.plain = append(l.plain, l.dict.entry(code)...)
	}
	l.codes = l.codes[:0]
	l.dict = nil
}

func (l *leafWriter) appendPlain() {
	if l.physical != format.Boolean {
		l.body = append(l.body, l.plain...)
		return
	}
	for i := 0; i < len(l.plain); i += 8 {
		var b byte
		for k, bit := range l.plain[i:min(i+8, len(l.plain))] {
			b |= bit << k
		}
		l.body = append(l.body, b)
	}
}

// appendLevels appends levels behind their size (README.md, "Data Pages").
func appendLevels(dst []byte, levels []uint8, maxLevel int) []byte {
	if maxLevel == 0 {
		return dst
	}
	at := len(dst)
	dst = append(dst, 0, 0, 0, 0)
	values := make([]int32, len(levels))
	for i, v := range levels {
		values[i] = int32(v)
	}
	dst = encoding.AppendHybrid(dst, values, levelWidth(maxLevel))
	binary.LittleEndian.PutUint32(dst[at:], uint32(len(dst)-at-4))
	return dst
}

// appendPage appends the page with its header to the chunk.
func (l *leafWriter) appendPage(h *format.PageHeader) error {
	packed, err := compress.Compress(l.w.codec, l.packed[:0], l.body)
	if err != nil {
		return storageError(l.field, "%w", err)
	}
	l.packed = packed
	h.UncompressedPageSize, h.CompressedPageSize = int32(len(l.body)), int32(len(packed))
	h.CRC = int32(crc32.ChecksumIEEE(packed))
	before := len(l.pages)
	if l.pages, err = meta.Append(l.pages, h); err != nil {
		return storageError(l.field, "%w", err)
	}
	l.unpacked += int64(len(l.pages) - before + len(l.body))
	l.pages = append(l.pages, packed...)
	return nil
}

// flushChunk writes the chunk to the file.
func (l *leafWriter) flushChunk() (meta.ColumnChunk, error) {
	if err := l.flushPage(); err != nil {
		return meta.ColumnChunk{}, err
	}
	m := meta.ColumnMetaData{Type: l.physical, Path: l.at.file, Codec: l.w.codec, NumValues: l.chunkEntries, Statistics: l.chunk.statistics(l)}
	start := l.w.offset
	m.DataPageOffset = start
	if l.hadDict {
		dataPages := l.pages
		l.pages = nil
		l.body = append(l.body[:0], l.spare.plain...)
		h := format.DictionaryPageHeader{NumValues: int32(l.spare.len()), Encoding: format.Plain}
		if err := l.appendPage(&format.PageHeader{Type: format.DictionaryPage, DictionaryPageHeader: thrift.New(h)}); err != nil {
			return meta.ColumnChunk{}, err
		}
		if err := l.w.put(l.pages); err != nil {
			return meta.ColumnChunk{}, err
		}
		l.pages = dataPages
		m.DictionaryPageOffset, m.DataPageOffset = start, l.w.offset
		m.Encodings = append(m.Encodings, format.RLEDictionary)
	}
	if l.hadPlain || l.hadDict {
		m.Encodings = append(m.Encodings, format.Plain)
	}
	m.Encodings = append(m.Encodings, format.RLE)
	if err := l.w.put(l.pages); err != nil {
		return meta.ColumnChunk{}, err
	}
	m.TotalUncompressedSize, m.TotalCompressedSize = l.unpacked, l.w.offset-start
	l.sizeBytes += m.TotalCompressedSize
	l.total.add(&l.chunk)
	l.index.moveTo(m.DataPageOffset)
	l.w.indexes = append(l.w.indexes, l.index)
	l.startChunk()
	return meta.ColumnChunk{FileOffset: start, HasMetaData: true, MetaData: m}, nil
}

func (l *leafWriter) fileStats() storage.ColumnStats {
	s := storage.ColumnStats{Path: l.at.sql, ID: l.field.ID, Type: l.field.Type, NullCount: l.total.nulls, NaNCount: l.total.nans, SizeBytes: l.sizeBytes}
	s.Min, s.Max = l.total.values()
	return s
}

// codeBits is the width of codes below n.
func codeBits(n int) uint { return uint(bits.Len(uint(max(n-1, 0)))) }
