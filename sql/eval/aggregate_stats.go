package eval

import (
	"math"
	"sort"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// momentState computes variances and covariances by running means (Welford),
// which keep their precision where sums of squares lose it.
type momentState struct {
	groups []moments
	result func(m *moments) (value float64, ok bool)
	pair   bool // of two arguments
	rows   aggregateRows
	flats  aggregateRows
}

// moments are the count, the means and the sums of squared differences.
type moments struct {
	n, meanX, meanY, m2X, m2Y, cXY float64
}

func (m *moments) add(x, y float64) {
	m.n++
	dx := x - m.meanX
	m.meanX += dx / m.n
	m.m2X += dx * (x - m.meanX)
	dy := y - m.meanY
	m.meanY += dy / m.n
	m.m2Y += dy * (y - m.meanY)
	m.cXY += dx * (y - m.meanY)
}

func (m *moments) merge(o *moments) {
	if o.n == 0 {
		return
	}
	if m.n == 0 {
		*m = *o
		return
	}
	n := m.n + o.n
	dx, dy := o.meanX-m.meanX, o.meanY-m.meanY
	m.m2X += o.m2X + dx*dx*m.n*o.n/n
	m.m2Y += o.m2Y + dy*dy*m.n*o.n/n
	m.cXY += o.cXY + dx*dy*m.n*o.n/n
	m.meanX += dx * o.n / n
	m.meanY += dy * o.n / n
	m.n = n
}

// sample divides by n-1 and is NULL for a single row, as in Spark.
func sample(sum func(*moments) float64, finish func(float64) float64) func(*moments) (float64, bool) {
	return func(m *moments) (float64, bool) { return finish(sum(m) / (m.n - 1)), m.n > 1 }
}

func population(sum func(*moments) float64, finish func(float64) float64) func(*moments) (float64, bool) {
	return func(m *moments) (float64, bool) { return finish(sum(m) / m.n), m.n > 0 }
}

func resolveMoments(result func(*moments) (float64, bool)) func(a *Aggregate) error {
	return func(a *Aggregate) error {
		for i := range a.Args {
			if t := a.Args[i].Type(); castCost(t, types.Of(types.Double)) >= impossible {
				return mismatch("%s takes numbers, not %s", a.Name, t)
			}
			a.Args[i] = castTo(a.Args[i], types.Of(types.Double))
		}
		a.Type = types.Of(types.Double)
		a.newState = func() AggregateState { return &momentState{result: result, pair: len(a.Args) == 2} }
		return nil
	}
}

func momentFunctions() []aggregateFunction {
	varX := func(m *moments) float64 { return m.m2X }
	covar := func(m *moments) float64 { return m.cXY }
	same := func(x float64) float64 { return x }
	one := func(doc string, result func(*moments) (float64, bool), name string, aliases ...string) aggregateFunction {
		return aggregateFunction{name: name, aliases: aliases, doc: doc, least: 1, most: 1, resolve: resolveMoments(result)}
	}
	two := func(doc, name string, result func(*moments) (float64, bool)) aggregateFunction {
		return aggregateFunction{name: name, doc: doc, least: 2, most: 2, resolve: resolveMoments(result)}
	}
	return []aggregateFunction{
		one("the standard deviation of a sample", sample(varX, math.Sqrt), "stddev", "std", "stddev_samp"),
		one("the standard deviation of a population", population(varX, math.Sqrt), "stddev_pop"),
		one("the variance of a sample", sample(varX, same), "variance", "var_samp"),
		one("the variance of a population", population(varX, same), "var_pop"),
		two("the covariance of a sample", "covar_samp", sample(covar, same)),
		two("the covariance of a population", "covar_pop", population(covar, same)),
		two("the correlation", "corr", func(m *moments) (float64, bool) { return m.cXY / math.Sqrt(m.m2X*m.m2Y), m.n > 1 }),
	}
}

// Grow implements AggregateState.
func (s *momentState) Grow(groups int) { s.groups = growSlice(s.groups, groups) }

// Update implements AggregateState.
func (s *momentState) Update(args []*vector.Vector, sel vector.Selection, n int, groups []int32) error {
	for _, v := range args {
		if v.Form == vector.Constant && v.IsNull(0) {
			return nil
		}
		sel = s.rows.valid(v, sel, n)
	}
	xs := s.flats.flat(0, args[0], sel, n).Float64s
	ys := xs
	if s.pair {
		ys = s.flats.flat(1, args[1], sel, n).Float64s
	}
	for k := range rowsOf(sel, n) {
		i := rowAt(sel, k)
		s.groups[groupOf(groups, i)].add(xs[i], ys[i])
	}
	return nil
}

// Merge implements AggregateState.
func (s *momentState) Merge(other AggregateState, groups []int32) error {
	o, err := otherState[*momentState](other)
	if err != nil {
		return err
	}
	for g := range o.groups {
		s.groups[groups[g]].merge(&o.groups[g])
	}
	return nil
}

// Result implements AggregateState.
func (s *momentState) Result(from, to int) (*vector.Vector, error) {
	v := vector.New(types.Of(types.Double), to-from)
	for g := from; g < to; g++ {
		x, ok := s.result(&s.groups[g])
		v.Float64s[g-from] = x
		if !ok {
			v.SetNull(g - from)
		}
	}
	return v, nil
}

// Size implements AggregateState.
func (s *momentState) Size() int64 { return int64(48 * cap(s.groups)) }

// percentileState is median and percentile: it keeps all values, sorts them for
// the result and interpolates between neighbours.
type percentileState struct {
	fraction float64
	t        types.Type
	values   [][]float64
	size     int64
	rows     aggregateRows
}

func percentileFunctions() []aggregateFunction {
	fractionOf := func(a *Aggregate) (float64, error) {
		if len(a.Args) < 2 {
			return 0.5, nil
		}
		v, _ := literalOf(castTo(a.Args[1], types.Of(types.Double)))
		f, ok := v.(float64)
		if !ok || !(f >= 0 && f <= 1) {
			return 0, mismatch("%s takes a constant fraction from 0 to 1, not %s", a.Name, a.Args[1])
		}
		return f, nil
	}
	exact := func(a *Aggregate) error {
		fraction, err := fractionOf(a)
		if err != nil {
			return err
		}
		if t := a.Args[0].Type(); castCost(t, types.Of(types.Double)) >= impossible {
			return mismatch("%s takes numbers, not %s", a.Name, t)
		}
		a.Args = []expr.Expr{castTo(a.Args[0], types.Of(types.Double))}
		a.Type = types.Of(types.Double)
		a.newState = func() AggregateState { return &percentileState{fraction: fraction, t: a.Type} }
		return nil
	}
	approx := func(a *Aggregate) error {
		fraction, err := fractionOf(a)
		if err != nil {
			return err
		}
		t := plain(a.Args[0].Type())
		if !t.IsNumeric() && !isDatetime(t) {
			return mismatch("%s takes numbers, dates and timestamps, not %s", a.Name, t)
		}
		a.Args, a.Type = a.Args[:1], t
		a.newState = func() AggregateState { return &rankState{listState{t: t}, fraction} }
		return nil
	}
	return []aggregateFunction{
		{name: "median", doc: "the middle value", least: 1, most: 1, resolve: exact},
		{name: "percentile", aliases: []string{"percentile_cont"}, doc: "the value below which a fraction lies, interpolated", least: 2, most: 2, resolve: exact},
		{name: "percentile_approx", aliases: []string{"approx_percentile"}, doc: "the least value below or at which a fraction lies", least: 2, most: 3, resolve: approx},
	}
}

// rankState is percentile_approx, exact here: the value at a rank.
type rankState struct {
	listState
	fraction float64
}

// Merge implements AggregateState.
func (s *rankState) Merge(other AggregateState, groups []int32) error {
	o, err := otherState[*rankState](other)
	if err != nil {
		return err
	}
	return s.listState.Merge(&o.listState, groups)
}

// Result implements AggregateState.
func (s *rankState) Result(from, to int) (*vector.Vector, error) {
	b := vector.NewBuilder(s.t, to-from)
	for _, list := range s.lists[from:to] {
		if len(list) == 0 {
			b.AppendNull()
			continue
		}
		sort.Slice(list, func(i, j int) bool {
			order, _ := types.CompareValues(s.t, list[i], list[j])
			return order < 0
		})
		b.AppendValue(list[max(int(math.Ceil(s.fraction*float64(len(list))))-1, 0)])
	}
	return b.Vector(), nil
}

// Grow implements AggregateState.
func (s *percentileState) Grow(groups int) { s.values = growSlice(s.values, groups) }

// Update implements AggregateState.
func (s *percentileState) Update(args []*vector.Vector, sel vector.Selection, n int, groups []int32) error {
	if args[0].Form == vector.Constant && args[0].IsNull(0) {
		return nil
	}
	v := s.rows.flat(0, args[0], sel, n)
	sel = s.rows.valid(v, sel, n)
	for k := range rowsOf(sel, n) {
		i := rowAt(sel, k)
		g := groupOf(groups, i)
		s.values[g] = append(s.values[g], v.Float64s[i])
	}
	s.size += int64(8 * rowsOf(sel, n))
	return nil
}

// Merge implements AggregateState.
func (s *percentileState) Merge(other AggregateState, groups []int32) error {
	o, err := otherState[*percentileState](other)
	if err != nil {
		return err
	}
	for g, vals := range o.values {
		s.values[groups[g]] = append(s.values[groups[g]], vals...)
	}
	s.size += o.size
	return nil
}

// Result implements AggregateState.
func (s *percentileState) Result(from, to int) (*vector.Vector, error) {
	v := vector.New(s.t, to-from)
	for g := from; g < to; g++ {
		vals := s.values[g]
		if len(vals) == 0 {
			v.SetNull(g - from)
			continue
		}
		sort.Slice(vals, func(i, j int) bool { return types.CompareFloat64(vals[i], vals[j]) < 0 })
		v.Float64s[g-from] = s.pick(vals)
	}
	return v, nil
}

func (s *percentileState) pick(sorted []float64) float64 {
	at := s.fraction * float64(len(sorted)-1)
	low := math.Floor(at)
	x, y := sorted[int(low)], sorted[int(math.Ceil(at))]
	if x == y {
		return x
	}
	return (low+1-at)*x + (at-low)*y
}

// Size implements AggregateState.
func (s *percentileState) Size() int64 { return s.size + int64(24*cap(s.values)) }
