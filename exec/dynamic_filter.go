package exec

import (
	"math"
	"math/bits"
	"sync/atomic"

	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
)

// dynamicFilter is what a join tells a scan of its right keys, or a Sort under a
// Limit of its first rows. It is nil until they have read them.
type dynamicFilter struct {
	known atomic.Pointer[keyBounds]
}

// tighten makes the bounds narrower.
func (f *dynamicFilter) tighten(b *keyBounds) {
	for {
		old := f.known.Load()
		if old != nil && old.low >= b.low && old.high <= b.high || f.known.CompareAndSwap(old, b) {
			return
		}
	}
}

// keyBounds are the values of a key that is a whole number.
type keyBounds struct {
	low, high int64
	nulls     bool     // NULL is one of them
	members   *members // nil if only the bounds are known
}

// dynamic gives the filter of an ID.
func (x *executor) dynamic(id int) *dynamicFilter {
	f, ok := x.filters[id]
	if !ok {
		f = &dynamicFilter{}
		x.filters[id] = f
	}
	return f
}

// runtimeFilters are the filters of a scan that are known by now.
func runtimeFilters(n *plan.Scan, filters []*dynamicFilter) []storage.RuntimeFilter {
	var out []storage.RuntimeFilter
	for i, f := range filters {
		b := f.known.Load()
		if b == nil {
			continue
		}
		at := n.Dynamic[i].Column
		column := plan.ColumnOf(n, at)
		r := storage.RuntimeFilter{Column: at, Bounds: b.condition(column)}
		if b.members != nil {
			r.Members = b.members
		}
		out = append(out, r)
	}
	return out
}

// condition is true of the values of a column between the bounds.
func (b *keyBounds) condition(column expr.Expr) expr.Expr {
	if b.low > b.high {
		return expr.False
	}
	var sides []expr.Expr
	if b.low != math.MinInt64 {
		sides = append(sides, expr.Compare(expr.OpGreaterEqual, column, wholeLiteral(column.Type(), b.low)))
	}
	if b.high != math.MaxInt64 {
		sides = append(sides, expr.Compare(expr.OpLessEqual, column, wholeLiteral(column.Type(), b.high)))
	}
	switch {
	case sides == nil:
		return expr.True
	case b.nulls:
		return expr.Or(expr.And(sides...), expr.IsNull(column))
	}
	return expr.And(sides...)
}

// wholeLiteral is a literal of a type whose values are whole numbers.
func wholeLiteral(t types.Type, v int64) expr.Expr {
	if t.Kind == types.Decimal {
		return &expr.Literal{T: t, Value: types.Decimal128FromInt64(v)}
	}
	return &expr.Literal{T: t, Value: v}
}

// members is a set of whole numbers between two bounds, a bit each; where that
// would take too many bits, several numbers share one by their hashes. Where it
// keeps nearly all rows it stops looking.
type members struct {
	low        int64
	bits       []uint64
	shift      uint // of the hash; 0 if each number has a bit
	seen, kept atomic.Int64
}

var _ storage.Members = (*members)(nil)

// A set that has seen so many rows must have kept less than usefulShare of them
// to go on.
const (
	trialRows   = 1 << 16
	usefulShare = 0.8
)

// A set of members has a bit for every number between its bounds if these are at
// most so many per member, or minMemberSpan; else so many bits per member.
const (
	maxMemberSpan = 1 << 10
	minMemberSpan = 1 << 22
	hashedBits    = 32
)

// newMembers gives an empty set for so many numbers between two bounds.
func newMembers(low, high int64, count int) *members {
	span := uint64(high) - uint64(low)
	if span < uint64(maxMemberSpan*count+minMemberSpan) {
		return &members{low: low, bits: make([]uint64, span/64+1)}
	}
	size := max(bits.Len64(uint64(hashedBits*count)), 16)
	return &members{low: low, bits: make([]uint64, 1<<(size-6)), shift: uint(64 - size)}
}

// at is the bit of a number.
func (m *members) at(v int64) uint64 {
	at := uint64(v) - uint64(m.low)
	if m.shift > 0 {
		at = at * 0x9e3779b97f4a7c15 >> m.shift
	}
	return at
}

func (m *members) add(v int64) {
	at := m.at(v)
	m.bits[at>>6] |= 1 << (at & 63)
}

func (m *members) has(v int64) bool {
	at := m.at(v)
	return at>>6 < uint64(len(m.bits)) && m.bits[at>>6]>>(at&63)&1 != 0
}

// keyNumbers are the values of a key that is a whole number.
type keyNumbers struct {
	values    []uint64
	known     vector.Bitmap // the rows that have a key; nil for all
	low, high int64
	any       bool
}

func newKeyNumbers(rows int) *keyNumbers {
	return &keyNumbers{values: make([]uint64, rows), low: 0, high: -1}
}

// add notes the numbers of n rows, from row from on, of which sel have a key.
func (k *keyNumbers) add(from int, v *vector.Vector, sel vector.Selection, n int) {
	numbersOf(k.values[from:from+n], v, nil, n)
	if sel != nil && k.known == nil {
		k.known = vector.NewBitmap(len(k.values))
		for i := range from {
			k.known.Set(i)
		}
	}
	eachRow(sel, n, func(_, i int) {
		x := int64(k.values[from+i])
		if !k.any {
			k.low, k.high, k.any = x, x, true
		}
		k.low, k.high = min(k.low, x), max(k.high, x)
		if k.known != nil {
			k.known.Set(from + i)
		}
	})
}

// bounds gives the bounds and the set.
func (k *keyNumbers) bounds() *keyBounds {
	b := &keyBounds{low: k.low, high: k.high}
	if !k.any {
		return b
	}
	b.members = newMembers(k.low, k.high, len(k.values))
	for row, v := range k.values {
		if k.known.Valid(row) {
			b.members.add(int64(v))
		}
	}
	return b
}

// boundsOf gives the bounds of an expression that is a whole number.
func boundsOf(rows *vector.Batch, e expr.Expr, env *eval.Env) (*keyBounds, error) {
	program, err := eval.CompileSet([]expr.Expr{e}, env)
	if err != nil {
		return nil, err
	}
	numbers := newKeyNumbers(rows.Len)
	_, err = eachKeyBatch(rows, []plan.JoinKey{{Right: e}}, program, func(from, n int, columns []*vector.Vector, sel vector.Selection) {
		numbers.add(from, columns[0], sel, n)
	})
	return numbers.bounds(), err
}

// Select implements storage.Members.
func (m *members) Select(v *vector.Vector, sel vector.Selection, n int, out vector.Selection) vector.Selection {
	rows := n
	if sel != nil {
		rows = len(sel)
	}
	if seen := m.seen.Load(); seen > trialRows && float64(m.kept.Load()) > usefulShare*float64(seen) {
		out = out[:rows]
		eachRow(sel, n, func(k, i int) { out[k] = int32(i) })
		return out
	}
	values, codes := v, []int32(nil)
	if v.Form == vector.Dictionary {
		values, codes = v.Dict, v.Codes
	}
	switch {
	case v.Form == vector.Constant:
		out = m.selectEach(v, sel, n, out)
	case v.Type.Physical() == types.PhysInt32:
		out = selectMembers(m, values.Int32s, codes, sel, n, out)
	default:
		out = selectMembers(m, values.Int64s, codes, sel, n, out)
	}
	if v.MayHaveNulls() {
		kept := out[:0]
		for _, i := range out {
			if !v.IsNull(int(i)) {
				kept = append(kept, i)
			}
		}
		out = kept
	}
	m.seen.Add(int64(rows))
	m.kept.Add(int64(len(out)))
	return out
}

// selectEach is Select for the rare layouts.
func (m *members) selectEach(v *vector.Vector, sel vector.Selection, n int, out vector.Selection) vector.Selection {
	out = out[:0]
	eachRow(sel, n, func(_, i int) {
		if v.IsNull(i) {
			return
		}
		values, p := v.At(i)
		var x int64
		if v.Type.Physical() == types.PhysInt32 {
			x = int64(values.Int32s[p])
		} else {
			x = values.Int64s[p]
		}
		if m.has(x) {
			out = append(out, int32(i))
		}
	})
	return out
}

func selectMembers[T int32 | int64](m *members, values []T, codes []int32, sel vector.Selection, n int, out vector.Selection) vector.Selection {
	k := 0
	keep := func(i int, v T) {
		out[k] = int32(i)
		if m.has(int64(v)) {
			k++
		}
	}
	rows := n
	if sel != nil {
		rows = len(sel)
	}
	out = out[:rows]
	switch {
	case len(values) == 0: // an empty dictionary: every row is NULL
	case codes == nil && sel == nil:
		for i, v := range values[:n] {
			keep(i, v)
		}
	case codes == nil:
		for _, i := range sel {
			keep(int(i), values[i])
		}
	case sel == nil:
		for i, c := range codes[:n] {
			keep(i, values[c])
		}
	default:
		for _, i := range sel {
			keep(int(i), values[codes[i]])
		}
	}
	return out[:k]
}
