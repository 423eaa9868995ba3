package eval

import (
	"math"
	"sort"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// fractions are what percentiles are asked for: one, or an array of them that
// makes the result an array.
type fractions struct {
	at    []float64
	array bool
}

// fractionsOf reads the second argument, a constant; the median has none.
func fractionsOf(a *Aggregate) (fractions, error) {
	if len(a.Args) < 2 {
		return fractions{at: []float64{0.5}}, nil
	}
	double := types.Of(types.Double)
	wrong := mismatch("%s takes a constant fraction from 0 to 1, or an array of such, not %s", a.Name, a.Args[1])
	out := fractions{array: a.Args[1].Type().Kind == types.Array}
	if out.array {
		double = types.ArrayOf(double, true)
	}
	if !castAllowed(a.Args[1].Type(), double) {
		return out, wrong
	}
	v, _ := literalOf(castTo(a.Args[1], double))
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	for _, x := range list {
		f, ok := x.(float64)
		if !ok || !(f >= 0 && f <= 1) {
			return out, wrong
		}
		out.at = append(out.at, f)
	}
	return out, nil
}

// typeOf is the type of the result for values of type t.
func (f fractions) typeOf(t types.Type) types.Type {
	if f.array {
		return types.ArrayOf(t, false)
	}
	return t
}

// appendTo adds the values at all fractions; none are NULL.
func (f fractions) appendTo(b *vector.Builder, values []any) {
	switch {
	case len(values) == 0:
		b.AppendNull()
	case f.array:
		b.AppendValue(values)
	default:
		b.AppendValue(values[0])
	}
}

func percentileFunctions() []aggregateFunction {
	return []aggregateFunction{
		{name: "median", signature: "(NUMBER | INTERVAL) DOUBLE | INTERVAL", doc: "the middle value", least: 1, most: 1, resolve: resolvePercentile},
		{name: "percentile", signature: "(NUMBER | INTERVAL, DOUBLE | ARRAY<DOUBLE>, BIGINT?) DOUBLE | INTERVAL | ARRAY", doc: "the value below which a fraction lies, interpolated; each value counts as often as a third argument says", least: 2, most: 3, resolve: resolvePercentile},
		{name: "percentile_cont", signature: "(DOUBLE | ARRAY<DOUBLE>) WITHIN GROUP (ORDER BY NUMBER | INTERVAL) DOUBLE | INTERVAL | ARRAY", doc: "the value at a fraction of the order, interpolated", least: 2, most: 2, resolve: resolvePercentile, withinGroup: true},
		{name: "percentile_disc", signature: "(DOUBLE | ARRAY<DOUBLE>) WITHIN GROUP (ORDER BY NUMBER | INTERVAL) DOUBLE | INTERVAL | ARRAY", doc: "the first value of the order at or before which that fraction of the values lies", least: 2, most: 2, resolve: resolvePercentile, withinGroup: true},
		{name: "percentile_approx", aliases: []string{"approx_percentile"}, signature: "(T, DOUBLE | ARRAY<DOUBLE>, BIGINT?) T | ARRAY<T>", doc: "about the least value below or at which a fraction lies; a third argument says how near, at the cost of memory", least: 2, most: 3, resolve: resolveQuantiles},
	}
}

func resolvePercentile(a *Aggregate) error {
	f, err := fractionsOf(a)
	if err != nil {
		return err
	}
	of := types.Of(types.Double)
	switch t := a.Args[0].Type(); {
	case t.IsYearMonth():
		of = types.YearMonth
	case t.IsDayTime():
		of = types.DayTime
	case castCost(t, of) >= impossible:
		return mismatch("%s takes numbers and intervals, not %s", a.Name, t)
	}
	args := []expr.Expr{castTo(a.Args[0], of)}
	if len(a.Args) == 3 {
		if t := a.Args[2].Type(); !t.IsInteger() && t.Kind != types.Void {
			return mismatch("%s takes whole numbers as frequencies, not %s", a.Name, t)
		}
		args = append(args, castTo(a.Args[2], types.Of(types.BigInt)))
	}
	a.Args, a.Type = args, f.typeOf(of)
	discrete, descending := a.Name == "percentile_disc", a.descending
	a.newState = func() AggregateState {
		return &percentileState{fractions: f, t: a.Type, of: of, discrete: discrete, descending: descending}
	}
	return nil
}

// percentileState is median and the percentiles: it keeps all values, sorts them for
// the result and interpolates between neighbours.
type percentileState struct {
	fractions fractions
	t         types.Type
	of        types.Type // DOUBLE, or an interval, whose lengths are the values
	// discrete: the values themselves are results, and none between them
	discrete   bool
	descending bool // the order is from the greatest value down
	values     [][]weighted
	size       int64
	rows       aggregateRows
	flats      aggregateRows
}

// weighted is a value and how often it counts.
type weighted struct {
	value float64
	count int64
}

// Grow implements AggregateState.
func (s *percentileState) Grow(groups int) { s.values = growSlice(s.values, groups) }

// Update implements AggregateState.
func (s *percentileState) Update(args []*vector.Vector, sel vector.Selection, n int, groups []int32) error {
	sel, ok := s.rows.allValid(args, sel, n)
	if !ok {
		return nil
	}
	xs, counts := s.flats.flat(0, args[0], sel, n), []int64(nil)
	if len(args) == 2 {
		counts = s.flats.flat(1, args[1], sel, n).Int64s
	}
	for k := range rowsOf(sel, n) {
		i := rowAt(sel, k)
		w := weighted{s.number(xs, i), 1}
		if counts != nil {
			w.count = counts[i]
		}
		switch {
		case w.count < 0:
			return invalid("percentile: the frequency %d is negative", w.count)
		case w.count == 0:
			continue
		}
		g := groupOf(groups, i)
		s.values[g] = append(s.values[g], w)
		s.size += 16
	}
	return nil
}

// number reads row i of a flat vector.
func (s *percentileState) number(v *vector.Vector, i int) float64 {
	if s.of.Kind == types.IntervalKind {
		return float64(spanOf(s.of, v.Intervals[i]))
	}
	return v.Float64s[i]
}

// result is the inverse of number; the fraction of a unit is dropped.
func (s *percentileState) result(x float64) any {
	if s.of.Kind == types.IntervalKind {
		v, _ := intervalOf(s.of, int64(x))
		return v
	}
	return x
}

// Merge implements AggregateState.
func (s *percentileState) Merge(other AggregateState, from, to []int32) error {
	o, err := otherState[*percentileState](other)
	if err != nil {
		return err
	}
	for k, g := range to {
		add := o.values[sourceGroup(from, k)]
		s.values[g] = append(s.values[g], add...)
		s.size += int64(16 * len(add))
	}
	return nil
}

// Result implements AggregateState.
func (s *percentileState) Result(from, to int) (*vector.Vector, error) {
	b := vector.NewBuilder(s.t, to-from)
	for _, vals := range s.values[from:to] {
		sort.Slice(vals, func(i, j int) bool {
			if s.descending {
				i, j = j, i
			}
			return compareBits(vals[i].value, vals[j].value) < 0
		})
		ends := make([]int64, len(vals)) // the ranks below which a value and those before it lie
		total := int64(0)
		for i, w := range vals {
			total += w.count
			ends[i] = total
		}
		var values []any
		for _, fraction := range s.fractions.at {
			switch {
			case total == 0:
			case s.discrete:
				values = append(values, s.result(valueAt(vals, ends, max(int64(math.Ceil(fraction*float64(total)))-1, 0))))
			default:
				values = append(values, s.at(vals, ends, fraction*float64(total-1)))
			}
		}
		s.fractions.appendTo(b, values)
	}
	return b.Vector(), nil
}

// at interpolates between the values of the ranks next to a fractional one.
func (s *percentileState) at(vals []weighted, ends []int64, rank float64) any {
	low := math.Floor(rank)
	x, y := valueAt(vals, ends, int64(low)), valueAt(vals, ends, int64(math.Ceil(rank)))
	if x == y {
		return s.result(x)
	}
	return s.result((low+1-rank)*x + (rank-low)*y)
}

// valueAt finds the value of a rank, counted from 0.
func valueAt(vals []weighted, ends []int64, rank int64) float64 {
	return vals[sort.Search(len(ends)-1, func(i int) bool { return ends[i] > rank })].value
}

// Size implements AggregateState.
func (s *percentileState) Size() int64 { return s.size + int64(24*cap(s.values)) }
