package eval

import (
	"math/big"
	"math/bits"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// countState is count(*) and count(x, …).
type countState struct {
	counts []int64
	rows   aggregateRows
}

func resolveCount(a *Aggregate) error {
	a.Type, a.Nullable = types.Of(types.BigInt), false
	a.newState = func() AggregateState { return &countState{} }
	return nil
}

// Grow implements AggregateState.
func (s *countState) Grow(groups int) { s.counts = growSlice(s.counts, groups) }

// Update implements AggregateState.
func (s *countState) Update(args []*vector.Vector, sel vector.Selection, n int, groups []int32) error {
	for _, v := range args {
		sel = s.rows.valid(v, sel, n)
	}
	countRows(s.counts, sel, n, groups)
	return nil
}

// countRows adds 1 per row.
func countRows(counts []int64, sel vector.Selection, n int, groups []int32) {
	switch {
	case groups == nil:
		counts[0] += int64(rowsOf(sel, n))
	case sel == nil:
		for _, g := range groups[:n] {
			counts[g]++
		}
	default:
		for _, i := range sel {
			counts[groups[i]]++
		}
	}
}

// Merge implements AggregateState.
func (s *countState) Merge(other AggregateState, groups []int32) error {
	return s.mergePairs(other, nil, groups)
}

func (s *countState) mergePairs(other AggregateState, from, to []int32) error {
	o, err := otherState[*countState](other)
	if err != nil {
		return err
	}
	for k, g := range to {
		s.counts[g] += o.counts[sourceGroup(from, k)]
	}
	return nil
}

// Result implements AggregateState.
func (s *countState) Result(from, to int) (*vector.Vector, error) {
	v := vector.New(types.Of(types.BigInt), to-from)
	copy(v.Int64s, s.counts[from:to])
	return v, nil
}

func (s *countState) prepare(args []*vector.Vector, sel vector.Selection, n int) vector.Selection {
	for _, v := range args {
		sel = s.rows.valid(v, sel, n)
	}
	return sel
}

func (s *countState) restart() { s.counts[0] = 0 }

func (s *countState) addRow([]*vector.Vector, int) error {
	s.counts[0]++
	return nil
}

func (s *countState) storeValue(out *vector.Vector, i int) error {
	out.Int64s[i] = s.counts[0]
	return nil
}

// Size implements AggregateState.
func (s *countState) Size() int64 { return int64(8 * cap(s.counts)) }

// sumState is sum and avg of numbers. Whole numbers and decimals are added
// exactly in 128 bits, so that only the final sum can overflow; the others as
// doubles.
type sumState struct {
	in, out types.Type
	avg     bool
	wide    []types.Decimal128
	floats  []float64
	counts  []int64 // rows added; for sum just not 0 where there are any
	rows    aggregateRows
}

func resolveSum(a *Aggregate) error {
	t, err := numericArgument(a)
	if err != nil {
		return err
	}
	switch {
	case t.Kind == types.Decimal:
		a.Type = types.DecimalOf(min(int(t.Precision)+10, types.MaxDecimalPrecision), int(t.Scale))
	case t.IsInteger():
		a.Type = types.Of(types.BigInt)
	case t.Kind == types.IntervalKind:
		a.Type = t
	default:
		a.Type = types.Of(types.Double)
	}
	a.newState = func() AggregateState { return &sumState{in: t, out: a.Type} }
	return nil
}

func resolveAvg(a *Aggregate) error {
	t, err := numericArgument(a)
	if err != nil {
		return err
	}
	a.Type = types.Of(types.Double)
	switch {
	case t.IsYearMonth():
		a.Type = types.YearMonth
	case t.IsDayTime():
		a.Type = types.DayTime
	case t.Kind == types.Decimal:
		a.Type = types.DecimalOf(min(int(t.Precision)+4, types.MaxDecimalPrecision), min(int(t.Scale)+4, types.MaxDecimalPrecision))
	}
	a.newState = func() AggregateState { return &sumState{in: t, out: a.Type, avg: true} }
	return nil
}

// numericArgument casts the first argument to a number where it is none.
func numericArgument(a *Aggregate) (types.Type, error) {
	t := a.Args[0].Type()
	if t.Kind == types.String || t.Kind == types.Void || isInstant(t) {
		a.Args[0] = castTo(a.Args[0], types.Of(types.Double))
		t = types.Of(types.Double)
	}
	if !t.IsNumeric() && !t.IsYearMonth() && !t.IsDayTime() {
		return t, mismatch("%s takes a number or an interval, not %s: %s", a.Name, t, a.Args[0])
	}
	return t, nil
}

// Grow implements AggregateState.
func (s *sumState) Grow(groups int) {
	s.counts = growSlice(s.counts, groups)
	if s.exact() {
		s.wide = growSlice(s.wide, groups)
	} else {
		s.floats = growSlice(s.floats, groups)
	}
}

func (s *sumState) exact() bool { return s.in.Kind != types.Float && s.in.Kind != types.Double }

// Update implements AggregateState.
func (s *sumState) Update(args []*vector.Vector, sel vector.Selection, n int, groups []int32) error {
	v := s.rows.flat(0, args[0], sel, n)
	if args[0].Form == vector.Constant && args[0].IsNull(0) {
		return nil
	}
	sel = s.rows.valid(v, sel, n)
	if s.avg {
		countRows(s.counts, sel, n, groups)
	} else {
		markGroups(s.counts, sel, n, groups)
	}
	switch v.Type.Physical() {
	case types.PhysInt32:
		sumInts(s.wide, v.Int32s, sel, n, groups)
	case types.PhysInt64:
		sumInts(s.wide, v.Int64s, sel, n, groups)
	case types.PhysInt128:
		if !sumInt128s(s.wide, v.Int128s, sel, n, groups) {
			return overflow(s.out, "sum")
		}
	case types.PhysFloat32:
		sumFloats(s.floats, v.Float32s, sel, n, groups)
	case types.PhysFloat64:
		sumFloats(s.floats, v.Float64s, sel, n, groups)
	case types.PhysInterval:
		for k := range rowsOf(sel, n) {
			i := rowAt(sel, k)
			addInt(&s.wide[groupOf(groups, i)], spanOf(s.in, v.Intervals[i]))
		}
	}
	return nil
}

// markGroups makes the counts of groups that have rows something else than 0,
// which is cheaper than to count.
func markGroups(counts []int64, sel vector.Selection, n int, groups []int32) {
	switch {
	case groups == nil:
		counts[0] += int64(rowsOf(sel, n))
	case sel == nil:
		for _, g := range groups[:n] {
			counts[g] = 1
		}
	default:
		for _, i := range sel {
			counts[groups[i]] = 1
		}
	}
}

func sumInts[T int32 | int64](acc []types.Decimal128, a []T, sel vector.Selection, n int, groups []int32) {
	if groups == nil {
		var lo, carry uint64
		hi := int64(0)
		if sel == nil {
			for _, x := range a[:n] {
				lo, carry = bits.Add64(lo, uint64(int64(x)), 0)
				hi += int64(x)>>63 + int64(carry)
			}
		} else {
			for _, i := range sel {
				x := int64(a[i])
				lo, carry = bits.Add64(lo, uint64(x), 0)
				hi += x>>63 + int64(carry)
			}
		}
		acc[0], _ = acc[0].Add(types.Decimal128{Hi: hi, Lo: lo})
		return
	}
	if sel == nil {
		groups = groups[:n]
		for i, x := range a[:n] {
			addInt(&acc[groups[i]], int64(x))
		}
		return
	}
	for _, i := range sel {
		addInt(&acc[groups[i]], int64(a[i]))
	}
}

func addInt(acc *types.Decimal128, x int64) {
	lo, carry := bits.Add64(acc.Lo, uint64(x), 0)
	acc.Lo = lo
	acc.Hi += x>>63 + int64(carry)
}

// sumInt128s reports false if a sum has overflowed 128 bits.
func sumInt128s(acc, a []types.Decimal128, sel vector.Selection, n int, groups []int32) bool {
	var over int64
	switch {
	case groups == nil && sel == nil:
		total := acc[0]
		for i := range a[:n] {
			over |= addInt128To(&total, &a[i])
		}
		acc[0] = total
	case groups == nil:
		total := acc[0]
		for _, i := range sel {
			over |= addInt128To(&total, &a[i])
		}
		acc[0] = total
	case sel == nil:
		for i, g := range groups[:n] {
			over |= addInt128To(&acc[g], &a[i])
		}
	default:
		for _, i := range sel {
			over |= addInt128To(&acc[groups[i]], &a[i])
		}
	}
	return over >= 0
}

// addInt128To is negative on overflow.
func addInt128To(acc, x *types.Decimal128) int64 {
	lo, carry := bits.Add64(acc.Lo, x.Lo, 0)
	hi := acc.Hi + x.Hi + int64(carry)
	over := (acc.Hi ^ hi) & (x.Hi ^ hi)
	acc.Hi, acc.Lo = hi, lo
	return over
}

func sumFloats[T float32 | float64](acc []float64, a []T, sel vector.Selection, n int, groups []int32) {
	switch {
	case groups == nil && sel == nil:
		total := acc[0]
		for _, x := range a[:n] {
			total += float64(x)
		}
		acc[0] = total
	case groups == nil:
		total := acc[0]
		for _, i := range sel {
			total += float64(a[i])
		}
		acc[0] = total
	case sel == nil:
		groups = groups[:n]
		for i, x := range a[:n] {
			acc[groups[i]] += float64(x)
		}
	default:
		for _, i := range sel {
			acc[groups[i]] += float64(a[i])
		}
	}
}

// Merge implements AggregateState.
func (s *sumState) Merge(other AggregateState, groups []int32) error {
	return s.mergePairs(other, nil, groups)
}

func (s *sumState) mergePairs(other AggregateState, from, to []int32) error {
	o, err := otherState[*sumState](other)
	if err != nil {
		return err
	}
	for k, g := range to {
		add := sourceGroup(from, k)
		s.counts[g] += o.counts[add]
		if !s.exact() {
			s.floats[g] += o.floats[add]
			continue
		}
		sum, ok := s.wide[g].Add(o.wide[add])
		if !ok {
			return overflow(s.out, "sum")
		}
		s.wide[g] = sum
	}
	return nil
}

// Result implements AggregateState.
func (s *sumState) Result(from, to int) (*vector.Vector, error) {
	v := vector.New(s.out, to-from)
	for g := from; g < to; g++ {
		i := g - from
		if s.counts[g] == 0 {
			v.SetNull(i)
			continue
		}
		if err := s.store(v, i, g); err != nil {
			return nil, err
		}
	}
	return v, nil
}

func (s *sumState) store(v *vector.Vector, i, g int) error {
	switch {
	case !s.exact() && s.avg:
		v.Float64s[i] = s.floats[g] / float64(s.counts[g])
	case !s.exact():
		v.Float64s[i] = s.floats[g]
	case s.out.Kind == types.Double:
		v.Float64s[i] = s.wide[g].Float64(0) / float64(s.counts[g])
	case s.out.Kind == types.IntervalKind:
		return s.storeInterval(v, i, g)
	case s.out.Kind == types.BigInt:
		x, ok := s.wide[g].Int64()
		if !ok {
			return invalid("the sum %s overflows BIGINT; cast the argument to DECIMAL", s.wide[g].Format(0))
		}
		v.Int64s[i] = x
	default:
		return s.storeDecimal(v, i, g)
	}
	return nil
}

// storeInterval gives a sum, which must fit the type for the mean too, or the
// mean with halves rounded away from zero.
func (s *sumState) storeInterval(v *vector.Vector, i, g int) error {
	x, ok := s.wide[g].Int64()
	if ok && s.avg {
		if _, ok = intervalOf(s.out, x); ok {
			x, _ = roundedQuotient(big.NewInt(x), big.NewInt(s.counts[g]))
		}
	}
	if ok {
		v.Intervals[i], ok = intervalOf(s.out, x)
	}
	if !ok {
		return overflow(s.out, "the sum of intervals")
	}
	return nil
}

func (s *sumState) storeDecimal(v *vector.Vector, i, g int) error {
	d, ok := s.wide[g], true
	if s.avg {
		d, ok = decimalOp(expr.OpDivide, d, types.Decimal128FromInt64(s.counts[g]), int(s.in.Scale), 0, int(s.out.Scale))
	}
	if !ok || !d.FitsPrecision(int(s.out.Precision)) {
		return overflow(s.out, "the sum of DECIMAL values")
	}
	if s.out.Physical() == types.PhysInt64 {
		v.Int64s[i] = int64(d.Lo)
	} else {
		v.Int128s[i] = d
	}
	return nil
}

// Size implements AggregateState.
func (s *sumState) Size() int64 { return int64(16*cap(s.wide) + 8*cap(s.floats) + 8*cap(s.counts)) }
