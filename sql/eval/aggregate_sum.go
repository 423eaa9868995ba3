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
func (s *countState) Merge(other AggregateState, from, to []int32) error {
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

// sumState is sum and avg of numbers and intervals. Rows are added in their
// order, in what Spark adds them: whole numbers in 64 bits, for avg in doubles,
// decimals in 38 digits. A sum that overflows on the way is an error, though
// later rows would bring it back; so it is for each worker's rows.
type sumState struct {
	in, out types.Type
	avg     bool
	ints    []int64            // sums of whole numbers, and of intervals
	wide    []types.Decimal128 // sums of decimals
	floats  []float64          // the other sums
	counts  []int64            // rows added; for sum just not 0 where there are any
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
	switch {
	case s.in.Kind == types.Decimal:
		s.wide = growSlice(s.wide, groups)
	case s.inFloats():
		s.floats = growSlice(s.floats, groups)
	default:
		s.ints = growSlice(s.ints, groups)
	}
}

func (s *sumState) inFloats() bool {
	return isFloat(s.in) || s.avg && s.in.IsInteger()
}

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
	if !s.add(v, sel, n, groups) {
		return s.overflow()
	}
	return nil
}

func (s *sumState) overflow() error {
	if s.out.Kind == types.BigInt {
		return invalid("the sum overflows BIGINT; cast the argument to DECIMAL")
	}
	return overflow(s.out, "the sum")
}

// add reports false if a sum has overflowed.
func (s *sumState) add(v *vector.Vector, sel vector.Selection, n int, groups []int32) bool {
	switch p := v.Type.Physical(); {
	case p == types.PhysInt64 && s.in.Kind == types.Decimal:
		sumShortDecimals(s.wide, v.Int64s, sel, n, groups)
	case p == types.PhysInt128:
		return sumLongDecimals(s.wide, v.Int128s, sel, n, groups)
	case p == types.PhysInt32 && s.avg:
		sumFloats(s.floats, v.Int32s, sel, n, groups)
	case p == types.PhysInt64 && s.avg:
		sumFloats(s.floats, v.Int64s, sel, n, groups)
	case p == types.PhysInt32:
		return sumInts(s.ints, v.Int32s, sel, n, groups)
	case p == types.PhysInt64:
		return sumInts(s.ints, v.Int64s, sel, n, groups)
	case p == types.PhysFloat32:
		sumFloats(s.floats, v.Float32s, sel, n, groups)
	case p == types.PhysFloat64:
		sumFloats(s.floats, v.Float64s, sel, n, groups)
	case p == types.PhysInterval:
		for k := range rowsOf(sel, n) {
			i := rowAt(sel, k)
			if !s.addSpan(groupOf(groups, i), spanOf(s.in, v.Intervals[i])) {
				return false
			}
		}
	}
	return true
}

// addSpan adds months or microseconds; it reports false if the type has no room
// for the sum.
func (s *sumState) addSpan(g int, x int64) bool {
	over := addIntTo(&s.ints[g], x)
	_, ok := intervalOf(s.in, s.ints[g])
	return ok && over >= 0
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

// sumInts reports false if a sum has overflowed 64 bits.
func sumInts[T int32 | int64](acc []int64, a []T, sel vector.Selection, n int, groups []int32) bool {
	var over int64
	switch {
	case groups == nil && sel == nil:
		total := acc[0]
		for _, x := range a[:n] {
			over |= addIntTo(&total, int64(x))
		}
		acc[0] = total
	case groups == nil:
		total := acc[0]
		for _, i := range sel {
			over |= addIntTo(&total, int64(a[i]))
		}
		acc[0] = total
	case sel == nil:
		groups = groups[:n]
		for i, x := range a[:n] {
			over |= addIntTo(&acc[groups[i]], int64(x))
		}
	default:
		for _, i := range sel {
			over |= addIntTo(&acc[groups[i]], int64(a[i]))
		}
	}
	return over >= 0
}

// addIntTo is negative on overflow.
func addIntTo(acc *int64, x int64) int64 {
	sum := *acc + x
	over := (*acc ^ sum) & (x ^ sum)
	*acc = sum
	return over
}

// sumShortDecimals can't overflow: that takes 2^64 rows.
func sumShortDecimals(acc []types.Decimal128, a []int64, sel vector.Selection, n int, groups []int32) {
	if groups == nil {
		var lo, carry uint64
		hi := int64(0)
		if sel == nil {
			for _, x := range a[:n] {
				lo, carry = bits.Add64(lo, uint64(x), 0)
				hi += x>>63 + int64(carry)
			}
		} else {
			for _, i := range sel {
				x := a[i]
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
			addInt(&acc[groups[i]], x)
		}
		return
	}
	for _, i := range sel {
		addInt(&acc[groups[i]], a[i])
	}
}

func addInt(acc *types.Decimal128, x int64) {
	lo, carry := bits.Add64(acc.Lo, uint64(x), 0)
	acc.Lo = lo
	acc.Hi += x>>63 + int64(carry)
}

// sumLongDecimals reports false if a sum has more than 38 digits.
func sumLongDecimals(acc, a []types.Decimal128, sel vector.Selection, n int, groups []int32) bool {
	if sumInt128s(acc, a, sel, n, groups) {
		return true
	}
	// Some sum is near the limit: take all back, and look at each step.
	for k := range rowsOf(sel, n) {
		i := rowAt(sel, k)
		back := a[i].Neg()
		addInt128To(&acc[groupOf(groups, i)], &back)
	}
	for k := range rowsOf(sel, n) {
		i := rowAt(sel, k)
		g := &acc[groupOf(groups, i)]
		addInt128To(g, &a[i])
		if !g.FitsPrecision(types.MaxDecimalPrecision) {
			return false
		}
	}
	return true
}

// sumInt128s reports false if a sum has come near 10^38.
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

// bound38 is the upper half of 10^38.
var bound38 = types.Pow10(types.MaxDecimalPrecision).Hi

// addInt128To is negative if the upper half of the sum is not between -bound38
// and bound38, as it is of all but the greatest numbers of 38 digits. That holds
// where two of them wrap around, too.
func addInt128To(acc, x *types.Decimal128) int64 {
	lo, carry := bits.Add64(acc.Lo, x.Lo, 0)
	hi := acc.Hi + x.Hi + int64(carry)
	acc.Hi, acc.Lo = hi, lo
	return (hi + bound38) | (bound38 - 1 - hi)
}

// sumFloats is in doubles whatever T.
func sumFloats[T int32 | int64 | float32 | float64](acc []float64, a []T, sel vector.Selection, n int, groups []int32) {
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
func (s *sumState) Merge(other AggregateState, from, to []int32) error {
	o, err := otherState[*sumState](other)
	if err != nil {
		return err
	}
	for k, g := range to {
		add := sourceGroup(from, k)
		s.counts[g] += o.counts[add]
		if !s.mergeSum(int(g), o, add) {
			return s.overflow()
		}
	}
	return nil
}

// mergeSum adds the sum of group g of o to that of group to; it reports false
// on overflow.
func (s *sumState) mergeSum(to int, o *sumState, g int) bool {
	switch {
	case s.in.Kind == types.Decimal:
		sum, ok := s.wide[to].Add(o.wide[g])
		s.wide[to] = sum
		return ok && sum.FitsPrecision(types.MaxDecimalPrecision)
	case s.inFloats():
		s.floats[to] += o.floats[g]
		return true
	case s.in.Kind == types.IntervalKind:
		return s.addSpan(to, o.ints[g])
	}
	return addIntTo(&s.ints[to], o.ints[g]) >= 0
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
	case s.in.Kind == types.Decimal:
		return s.storeDecimal(v, i, g)
	case s.inFloats() && s.avg:
		v.Float64s[i] = s.floats[g] / float64(s.counts[g])
	case s.inFloats():
		v.Float64s[i] = s.floats[g]
	case s.in.Kind == types.IntervalKind:
		x := s.ints[g]
		if s.avg { // halves are rounded away from zero
			x, _ = roundedQuotient(big.NewInt(x), big.NewInt(s.counts[g]))
		}
		v.Intervals[i], _ = intervalOf(s.out, x)
	default:
		v.Int64s[i] = s.ints[g]
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
func (s *sumState) Size() int64 {
	return int64(16*cap(s.wide) + 8*cap(s.ints) + 8*cap(s.floats) + 8*cap(s.counts))
}
