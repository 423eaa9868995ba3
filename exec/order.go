package exec

import (
	"cmp"
	"encoding/binary"
	"math"
	"slices"

	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// orderRows gives the rows 0 to n-1 in the order of keys, whose values are in
// flat columns; equal rows stay in their order. It sorts by the first key, then
// each run of rows that are equal in it by the second, and so on, a run by
// words that stand for the key's values.
func orderRows(columns []*vector.Vector, keys []plan.SortKey, n int) vector.Selection {
	o := rowOrder{columns: columns, keys: keys, compare: comparators(columns, keys)}
	rows := make([]rowKey, n)
	for i := range rows {
		rows[i].row = int32(i)
	}
	if len(keys) > 0 {
		o.spare = make([]rowKey, n)
		o.sort(rows, 0)
	}
	out := make(vector.Selection, n)
	for i, r := range rows {
		out[i] = r.row
	}
	return out
}

// rowKey is a row with a word that is not above that of any row after it in the
// order of a key.
type rowKey struct {
	word uint64
	row  int32
}

type rowOrder struct {
	columns []*vector.Vector
	keys    []plan.SortKey
	compare []func(a, b int32) int
	spare   []rowKey
}

// sort orders rows that are equal in the keys before k, and in ascending order.
func (o *rowOrder) sort(rows []rowKey, k int) {
	if len(rows) < 2 || k == len(o.keys) {
		return
	}
	v, key := o.columns[k], o.keys[k]
	if v.Valid != nil {
		var nulls []rowKey
		rows, nulls = o.splitNulls(rows, v, key.NullsFirst)
		o.sort(nulls, k+1)
	}
	exact := fillWords(rows, v)
	if key.Descending {
		for i := range rows {
			rows[i].word = ^rows[i].word
		}
	}
	same := func(a, b rowKey) bool { return a.word == b.word }
	if exact {
		o.sortWords(rows)
	} else {
		compare := o.compare[k]
		same = func(a, b rowKey) bool { return a.word == b.word && compare(a.row, b.row) == 0 }
		slices.SortFunc(rows, func(a, b rowKey) int {
			if a.word != b.word {
				return cmp.Compare(a.word, b.word)
			}
			return cmp.Or(compare(a.row, b.row), cmp.Compare(a.row, b.row))
		})
	}
	if k+1 == len(o.keys) {
		return
	}
	for from := 0; from < len(rows); {
		to := from + 1
		for to < len(rows) && same(rows[from], rows[to]) {
			to++
		}
		o.sort(rows[from:to], k+1)
		from = to
	}
}

// splitNulls brings the rows whose key is NULL to one end and gives the others
// and them.
func (o *rowOrder) splitNulls(rows []rowKey, v *vector.Vector, first bool) (values, nulls []rowKey) {
	kept, moved := 0, 0
	for _, r := range rows {
		if v.Valid.Valid(int(r.row)) {
			rows[kept] = r
			kept++
		} else {
			o.spare[moved] = r
			moved++
		}
	}
	if !first {
		copy(rows[kept:], o.spare[:moved])
		return rows[:kept], rows[kept:]
	}
	copy(rows[moved:], rows[:kept])
	copy(rows, o.spare[:moved])
	return rows[moved:], rows[:moved]
}

// fillWords gives rows the words of their values, of which none is NULL. exact
// tells that different values have different words.
func fillWords(rows []rowKey, v *vector.Vector) (exact bool) {
	switch v.Type.Physical() {
	case types.PhysBool:
		for i := range rows {
			rows[i].word = 0
			if v.Bools[rows[i].row] {
				rows[i].word = 1
			}
		}
	case types.PhysInt32:
		wholeWords(rows, v.Int32s)
	case types.PhysInt64:
		wholeWords(rows, v.Int64s)
	case types.PhysFloat32:
		floatWords(rows, v.Float32s)
	case types.PhysFloat64:
		floatWords(rows, v.Float64s)
	case types.PhysInt128:
		for i := range rows {
			rows[i].word = uint64(v.Int128s[rows[i].row].Hi) ^ 1<<63
		}
		return false
	case types.PhysBytes:
		for i := range rows {
			var start [8]byte
			copy(start[:], v.Bytes(int(rows[i].row)))
			rows[i].word = binary.BigEndian.Uint64(start[:])
		}
		return false
	default:
		for i := range rows {
			rows[i].word = 0
		}
		return false
	}
	return true
}

func wholeWords[T int32 | int64](rows []rowKey, values []T) {
	for i := range rows {
		rows[i].word = uint64(int64(values[rows[i].row])) ^ 1<<63
	}
}

// floatWords has 0 for -0 and one NaN, above all numbers.
func floatWords[T float32 | float64](rows []rowKey, values []T) {
	for i := range rows {
		bits := vector.FloatKey(float64(values[rows[i].row]))
		switch {
		case bits == vector.FloatKey(math.NaN()):
			bits = math.MaxUint64
		case bits>>63 != 0:
			bits = ^bits
		default:
			bits |= 1 << 63
		}
		rows[i].word = bits
	}
}

// radixRows is the least number of rows for which sorting byte by byte pays.
const radixRows = 256

// sortWords sorts rows, which are in ascending order, by their words: from the
// last byte to the first, the bytes in which they differ.
func (o *rowOrder) sortWords(rows []rowKey) {
	if len(rows) < radixRows {
		slices.SortFunc(rows, func(a, b rowKey) int {
			return cmp.Or(cmp.Compare(a.word, b.word), cmp.Compare(a.row, b.row))
		})
		return
	}
	var differ uint64
	for _, r := range rows {
		differ |= r.word ^ rows[0].word
	}
	from, to := rows, o.spare[:len(rows)]
	for shift := 0; shift < 64; shift += 8 {
		if differ>>shift&0xff == 0 {
			continue
		}
		var next [256]int
		for _, r := range from {
			next[r.word>>shift&0xff]++
		}
		at := 0
		for b, n := range next {
			next[b], at = at, at+n
		}
		for _, r := range from {
			b := r.word >> shift & 0xff
			to[next[b]] = r
			next[b]++
		}
		from, to = to, from
	}
	if &from[0] != &rows[0] {
		copy(rows, from)
	}
}
