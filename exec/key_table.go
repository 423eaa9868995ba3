package exec

import (
	"bytes"
	"math"

	"github.com/zeebo/xxh3"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// keyTable numbers the distinct keys of rows, in the order in which they come.
// A key is a tuple of columns. NULL equals NULL, -0.0 equals 0.0 and NaN equals
// NaN.
//
// Every key is kept as a fixed number of 64-bit words: numbers, dates and
// Booleans as themselves, strings as the number that an interner of their
// column gave them, and before them one bit per column that says NULL. The
// table is open-addressing over flat arrays; it holds no pointer per key.
type keyTable struct {
	columns []keyColumn
	nulls   int // words of NULL bits, which come first
	words   int // per key
	count   int
	keys    []uint64   // words of key k at k*words
	dense   *denseKeys // while it is not nil there are no hashes
	hashes  []uint64   // per key
	slots   slotTable

	row      []uint64 // words of the rows of a batch
	direct   directCache
	ordinals []int32 // for columnsOf
}

// keyColumn lays a column's values out in words.
type keyColumn struct {
	typ    types.Type
	offset int
	strs   *interner // for values that are kept by number
}

// newKeyTable gives an empty table for key columns of the given types.
func newKeyTable(columns []types.Type) *keyTable {
	nulls := max(1, (len(columns)+63)/64)
	t := &keyTable{nulls: nulls, words: nulls}
	for _, typ := range columns {
		c := keyColumn{typ: typ, offset: t.words}
		t.words++
		switch typ.Physical() {
		case types.PhysInt128, types.PhysInterval:
			t.words++
		case types.PhysBytes, types.PhysList, types.PhysStruct:
			c.strs = newInterner()
		}
		t.columns = append(t.columns, c)
	}
	t.slots = newSlotTable()
	t.dense = newDenseKeys(columns)
	return t
}

// typesOf are the types of expressions.
func typesOf(exprs []expr.Expr) []types.Type {
	out := make([]types.Type, len(exprs))
	for i, e := range exprs {
		out[i] = e.Type()
	}
	return out
}

// len is the number of keys.
func (t *keyTable) len() int { return t.count }

// insert numbers the keys of the selected rows: numbers[i] becomes the number
// of row i's key.
func (t *keyTable) insert(columns []*vector.Vector, sel vector.Selection, n int, numbers []int32) {
	if t.dense != nil && t.insertDense(columns[0], sel, n, numbers) {
		return
	}
	if t.direct.prepare(columns, n) {
		t.insertDirect(columns, sel, n, numbers)
		return
	}
	t.encode(columns, sel, n, true)
	w := t.words
	number := int32(-1)
	for k, at := 0, 0; at < len(t.row); k, at = k+1, at+w {
		row := t.row[at : at+w]
		if at == 0 || !equalWords(t.row[at-w:at], row) { // equal keys often come together
			number = t.insertRow(row, hashWords(row))
		}
		if sel == nil {
			numbers[k] = number
		} else {
			numbers[sel[k]] = number
		}
	}
}

// reader gives a view of a finished table for one goroutine to find keys in.
func (t *keyTable) reader() *keyTable {
	view := *t
	view.row, view.direct, view.ordinals = nil, directCache{}, nil
	if t.dense != nil {
		dense := *t.dense
		dense.words = nil
		view.dense = &dense
	}
	view.columns = append([]keyColumn{}, t.columns...)
	for i, c := range t.columns {
		if c.strs != nil {
			strs := *c.strs
			strs.dict, strs.codes = nil, nil
			view.columns[i].strs = &strs
		}
	}
	return &view
}

// find is insert that adds nothing: the number of a key that is not in the
// table is -1.
func (t *keyTable) find(columns []*vector.Vector, sel vector.Selection, n int, numbers []int32) {
	if t.dense != nil {
		t.findDense(columns[0], sel, n, numbers)
		return
	}
	t.encode(columns, sel, n, false)
	w := t.words
	for k, at := 0, 0; at < len(t.row); k, at = k+1, at+w {
		row := t.row[at : at+w]
		number := t.findRow(row, hashWords(row))
		if sel == nil {
			numbers[k] = number
		} else {
			numbers[sel[k]] = number
		}
	}
}

// eachRow calls f with the ordinal and the position of every selected row. It
// is for the rarer layouts; the others have loops of their own.
func eachRow(sel vector.Selection, n int, f func(k, i int)) {
	if sel == nil {
		for i := range n {
			f(i, i)
		}
		return
	}
	for k, i := range sel {
		f(k, int(i))
	}
}

func hashWords(row []uint64) uint64 {
	h := uint64(0x9e3779b97f4a7c15)
	for _, w := range row {
		h = (h ^ w) * 0xff51afd7ed558ccd
		h ^= h >> 32
	}
	return h
}

func (t *keyTable) findRow(row []uint64, h uint64) int32 {
	for s := h & t.slots.mask; ; s = (s + 1) & t.slots.mask {
		v := t.slots.slots[s]
		if v == 0 {
			return -1
		}
		if k := numberIn(v); tagged(v, h) && equalWords(t.keys[int(k)*t.words:], row) {
			return k
		}
	}
}

func (t *keyTable) insertRow(row []uint64, h uint64) int32 {
	s := h & t.slots.mask
	for ; t.slots.slots[s] != 0; s = (s + 1) & t.slots.mask {
		v := t.slots.slots[s]
		if k := numberIn(v); tagged(v, h) && equalWords(t.keys[int(k)*t.words:], row) {
			return k
		}
	}
	k := int32(t.count)
	t.count++
	t.hashes = append(t.hashes, h)
	t.keys = append(t.keys, row...)
	t.slots.put(s, k, t.hashes)
	return k
}

func equalWords(a, b []uint64) bool {
	a = a[:len(b)]
	for i := range b {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// slotTable is an open-addressed table of numbers by hash. A slot holds the
// upper half of the hash, so that most others are told apart without looking
// further, and the number plus one; 0 is free.
type slotTable struct {
	slots []uint64
	mask  uint64
}

func newSlotTable() slotTable { return slotTable{slots: make([]uint64, 64), mask: 63} }

func slotOf(number int32, h uint64) uint64 { return h&^math.MaxUint32 | uint64(uint32(number+1)) }

func numberIn(slot uint64) int32 { return int32(uint32(slot)) - 1 }

// tagged reports whether a slot may be of a hash.
func tagged(slot, h uint64) bool { return (slot^h)>>32 == 0 }

// put stores a number, the last of hashes, in a free slot, and makes the table
// larger when it is half full.
func (t *slotTable) put(at uint64, number int32, hashes []uint64) {
	t.slots[at] = slotOf(number, hashes[number])
	if 2*len(hashes) <= len(t.slots) {
		return
	}
	factor := 4
	if len(t.slots) > 1<<18 {
		factor = 2
	}
	t.slots = make([]uint64, factor*len(t.slots))
	t.mask = uint64(len(t.slots) - 1)
	for k, h := range hashes {
		at := h & t.mask
		for t.slots[at] != 0 {
			at = (at + 1) & t.mask
		}
		t.slots[at] = slotOf(int32(k), h)
	}
}

// noString is the number of a string that no key has.
const noString = math.MaxUint64

// encode lays the rows out as words in t.row. Strings that no key has get
// noString unless add is set.
func (t *keyTable) encode(columns []*vector.Vector, sel vector.Selection, n int, add bool) {
	rows := n
	if sel != nil {
		rows = len(sel)
	}
	if cap(t.row) < rows*t.words {
		t.row = make([]uint64, rows*t.words)
	}
	t.row = t.row[:rows*t.words]
	if rows == 0 {
		return
	}
	for k := 0; k < len(t.row); k += t.words {
		clear(t.row[k : k+t.nulls])
	}
	for i := range t.columns {
		t.encodeColumn(i, columns[i], sel, n, add)
	}
}

func (t *keyTable) encodeColumn(c int, v *vector.Vector, sel vector.Selection, n int, add bool) {
	col := &t.columns[c]
	values := v
	if v.Form == vector.Dictionary {
		values = v.Dict
	}
	switch col.typ.Physical() {
	case types.PhysBytes, types.PhysList, types.PhysStruct:
		t.encodeStrings(c, v, sel, n, add)
		return
	case types.PhysInt32:
		encodeInts(t.row[col.offset:], t.words, v, values.Int32s, sel, n)
	case types.PhysInt64:
		encodeInts(t.row[col.offset:], t.words, v, values.Int64s, sel, n)
	default:
		t.encodeOther(col, v, sel, n)
	}
	if !v.MayHaveNulls() {
		return
	}
	eachRow(sel, n, func(k, i int) {
		if v.IsNull(i) {
			t.setNull(c, k)
		}
	})
}

// setNull makes row k's value of column c NULL.
func (t *keyTable) setNull(c, k int) {
	t.row[k*t.words+c>>6] |= 1 << (c & 63)
	t.row[k*t.words+t.columns[c].offset] = 0
	if p := t.columns[c].typ.Physical(); p == types.PhysInt128 || p == types.PhysInterval {
		t.row[k*t.words+t.columns[c].offset+1] = 0
	}
}

// encodeInts puts whole numbers into every words-th word of dst. src are the
// values of v, or of its dictionary.
func encodeInts[T int32 | int64](dst []uint64, words int, v *vector.Vector, src []T, sel vector.Selection, n int) {
	switch {
	case v.Form == vector.Constant:
		for at := 0; at < len(dst); at += words {
			dst[at] = uint64(src[0])
		}
	case len(src) == 0: // an empty dictionary: every row is NULL
	case v.Form == vector.Dictionary && sel == nil:
		for i, at := 0, 0; i < n; i, at = i+1, at+words {
			dst[at] = uint64(src[v.Codes[i]])
		}
	case v.Form == vector.Dictionary:
		for k, at := 0, 0; k < len(sel); k, at = k+1, at+words {
			dst[at] = uint64(src[v.Codes[sel[k]]])
		}
	case sel == nil:
		for i, at := 0, 0; i < n; i, at = i+1, at+words {
			dst[at] = uint64(src[i])
		}
	default:
		for k, at := 0, 0; k < len(sel); k, at = k+1, at+words {
			dst[at] = uint64(src[sel[k]])
		}
	}
}

// encodeOther lays out the fixed-width values that are no whole numbers.
func (t *keyTable) encodeOther(col *keyColumn, v *vector.Vector, sel vector.Selection, n int) {
	eachRow(sel, n, func(k, i int) {
		at := k*t.words + col.offset
		if v.IsNull(i) {
			return
		}
		values, p := v.At(i)
		switch col.typ.Physical() {
		case types.PhysBool:
			t.row[at] = 0
			if values.Bools[p] {
				t.row[at] = 1
			}
		case types.PhysFloat32:
			t.row[at] = vector.FloatKey(float64(values.Float32s[p]))
		case types.PhysFloat64:
			t.row[at] = vector.FloatKey(values.Float64s[p])
		case types.PhysInt128:
			t.row[at], t.row[at+1] = values.Int128s[p].Lo, uint64(values.Int128s[p].Hi)
		case types.PhysInterval:
			iv := values.Intervals[p]
			t.row[at], t.row[at+1] = uint64(uint32(iv.Months))|uint64(uint32(iv.Days))<<32, uint64(iv.Micros)
		}
	})
}

// encodeStrings numbers strings through the column's interner; a dictionary's
// entries are numbered once and then looked up by code.
func (t *keyTable) encodeStrings(c int, v *vector.Vector, sel vector.Selection, n int, add bool) {
	col := &t.columns[c]
	byCode := v.Form == vector.Dictionary && v.Type.Physical() == types.PhysBytes
	nulls := v.MayHaveNulls()
	eachRow(sel, n, func(k, i int) {
		if nulls && v.IsNull(i) {
			t.setNull(c, k)
			return
		}
		values, p := v.At(i)
		if byCode {
			t.row[k*t.words+col.offset] = col.strs.codeNumber(values, p, add)
		} else {
			t.row[k*t.words+col.offset] = col.strs.number(keyBytesOf(values, p), add)
		}
	})
}

// keyBytesOf gives bytes that are equal exactly for equal values.
func keyBytesOf(v *vector.Vector, p int) []byte {
	if v.Type.Physical() == types.PhysBytes {
		return v.Bytes(p)
	}
	return vector.AppendKey(nil, v, p)
}

// interner numbers distinct strings.
type interner struct {
	data   []byte
	ends   []int // end of string s in data
	hashes []uint64
	slots  slotTable

	dict  *vector.Vector // the dictionary that codes belongs to
	codes []uint64       // number + 1 of each entry, 0 where it is not known yet
}

func newInterner() *interner { return &interner{slots: newSlotTable()} }

func (s *interner) bytes(k int) []byte {
	from := 0
	if k > 0 {
		from = s.ends[k-1]
	}
	return s.data[from:s.ends[k]]
}

func (s *interner) number(b []byte, add bool) uint64 {
	h := xxh3.Hash(b)
	at := h & s.slots.mask
	for ; s.slots.slots[at] != 0; at = (at + 1) & s.slots.mask {
		slot := s.slots.slots[at]
		if k := int(numberIn(slot)); tagged(slot, h) && bytes.Equal(s.bytes(k), b) {
			return uint64(k)
		}
	}
	if !add {
		return noString
	}
	k := len(s.hashes)
	s.hashes = append(s.hashes, h)
	s.data = append(s.data, b...)
	s.ends = append(s.ends, len(s.data))
	s.slots.put(at, int32(k), s.hashes)
	return uint64(k)
}

// codeNumber is number for an entry of a dictionary.
func (s *interner) codeNumber(dict *vector.Vector, code int, add bool) uint64 {
	if s.dict != dict || len(s.codes) != dict.Len {
		s.dict = dict
		if cap(s.codes) < dict.Len {
			s.codes = make([]uint64, dict.Len)
		}
		s.codes = s.codes[:dict.Len]
		clear(s.codes)
	}
	if known := s.codes[code]; known != 0 {
		return known - 1
	}
	k := s.number(dict.Bytes(code), add)
	s.codes[code] = k + 1 // noString wraps to 0: looked up again
	return k
}
