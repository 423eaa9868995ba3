package eval

import (
	"math"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// distinctState gives an aggregate each distinct combination of arguments of a
// group once. It keeps the combinations, so that partial states can be merged.
type distinctState struct {
	inner AggregateState
	count int // of groups
	seen  map[string]struct{}
	kept  keptRows
	key   []byte
	fresh vector.Selection
	size  int64
	// everyNaN counts each NaN as a value of its own, as Spark's collect_set does.
	everyNaN bool

	dict     *vector.Vector // whose codes seenCode is about
	seenCode []bool
}

func newDistinctState(a *Aggregate) *distinctState {
	return &distinctState{inner: a.newState(), seen: map[string]struct{}{}, kept: newKeptRows(a.Args), everyNaN: a.Name == "collect_set" && isFloat(a.Args[0].Type())}
}

// Grow implements AggregateState.
func (s *distinctState) Grow(groups int) {
	s.count = groups
	s.inner.Grow(groups)
}

// Update implements AggregateState.
func (s *distinctState) Update(args []*vector.Vector, sel vector.Selection, n int, groups []int32) error {
	s.fresh = s.fresh[:0]
	skip := s.codes(args, groups)
	for k := range rowsOf(sel, n) {
		i := rowAt(sel, k)
		if skip != nil {
			if args[0].IsNull(i) || skip[args[0].Codes[i]] {
				continue
			}
			skip[args[0].Codes[i]] = true
		}
		if s.add(args, i, groupOf(groups, i)) {
			s.fresh = append(s.fresh, int32(i))
		}
	}
	if len(s.fresh) == 0 {
		return nil
	}
	return s.inner.Update(args, s.fresh, n, groups)
}

// codes gives, for a single group and a dictionary column, which codes of its
// dictionary have been met, so that their values need not be looked up again.
func (s *distinctState) codes(args []*vector.Vector, groups []int32) []bool {
	if groups != nil || len(args) != 1 || s.everyNaN || args[0].Form != vector.Dictionary {
		return nil
	}
	if args[0].Dict != s.dict {
		s.dict = args[0].Dict
		s.seenCode = make([]bool, s.dict.Len)
	}
	return s.seenCode
}

// add keeps a combination; it reports false for one that is known and for one
// with a NULL, which no aggregate counts.
func (s *distinctState) add(args []*vector.Vector, i, group int) bool {
	key := append(s.key[:0], byte(group), byte(group>>8), byte(group>>16), byte(group>>24))
	for _, v := range args {
		if v.IsNull(i) {
			return false
		}
		key = appendKey(key, v, i)
	}
	s.key = key
	if _, ok := s.seen[string(key)]; ok && !(s.everyNaN && isNaN(args[0].Value(i))) {
		return false
	}
	s.seen[string(key)] = struct{}{}
	s.kept.add(args, i, group)
	s.size += int64(2*len(key)) + 48
	return true
}

func isFloat(t types.Type) bool { return t.Kind == types.Float || t.Kind == types.Double }

func isNaN(x any) bool {
	f, ok := x.(float64)
	return ok && math.IsNaN(f)
}

// Merge implements AggregateState.
func (s *distinctState) Merge(other AggregateState, from, to []int32) error {
	o, err := otherState[*distinctState](other)
	if err != nil {
		return err
	}
	return o.kept.mergeInto(s, targetGroups(o.count, from, to))
}

// Result implements AggregateState.
func (s *distinctState) Result(from, to int) (*vector.Vector, error) { return s.inner.Result(from, to) }

// Size implements AggregateState.
func (s *distinctState) Size() int64 { return s.size + s.inner.Size() }

// appendKey appends bytes that two values of one type share exactly if they are
// equal in SQL.
func appendKey(key []byte, v *vector.Vector, i int) []byte {
	if v.IsNull(i) {
		return append(key, 0)
	}
	key = append(key, 1)
	values, p := v.At(i)
	switch v.Type.Physical() {
	case types.PhysBool:
		return append(key, byte(truth(values.Bools[p])))
	case types.PhysInt32:
		return appendWord(key, uint64(values.Int32s[p]))
	case types.PhysInt64:
		return appendWord(key, uint64(values.Int64s[p]))
	case types.PhysInt128:
		return appendWord(appendWord(key, uint64(values.Int128s[p].Hi)), values.Int128s[p].Lo)
	case types.PhysFloat32:
		return appendWord(key, vector.FloatKey(float64(values.Float32s[p])))
	case types.PhysFloat64:
		return appendWord(key, vector.FloatKey(values.Float64s[p]))
	case types.PhysBytes:
		b := viewBytes(values, p)
		return append(appendWord(key, uint64(len(b))), b...)
	case types.PhysInterval:
		x := values.Intervals[p]
		return appendWord(appendWord(key, uint64(uint32(x.Months))|uint64(uint32(x.Days))<<32), uint64(x.Micros))
	}
	text := expr.FormatLiteral(v.Type, v.Value(i))
	return append(appendWord(key, uint64(len(text))), text...)
}

func appendWord(key []byte, x uint64) []byte {
	return append(key, byte(x), byte(x>>8), byte(x>>16), byte(x>>24), byte(x>>32), byte(x>>40), byte(x>>48), byte(x>>56))
}
