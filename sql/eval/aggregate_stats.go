package eval

import (
	"math"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// momentState computes variances and covariances by running means (Welford),
// which keep their precision where sums of squares lose it.
type momentState struct {
	groups []moments
	result momentResult
	pair   bool // of two arguments
	rows   aggregateRows
	flats  aggregateRows
}

// momentResult gives a result; it is NULL where ok is false.
type momentResult func(m *moments) (value float64, ok bool, err error)

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
func sample(sum func(*moments) float64, finish func(float64) float64) momentResult {
	return func(m *moments) (float64, bool, error) { return finish(sum(m) / (m.n - 1)), m.n > 1, nil }
}

func population(sum func(*moments) float64, finish func(float64) float64) momentResult {
	return func(m *moments) (float64, bool, error) { return finish(sum(m) / m.n), m.n > 0, nil }
}

// correlation is an error where one side does not vary.
func correlation(m *moments) (float64, bool, error) {
	spread := math.Sqrt(m.m2X * m.m2Y)
	if m.n > 1 && spread == 0 {
		return 0, false, errDivideByZero
	}
	return m.cXY / spread, m.n > 1, nil
}

func resolveMoments(result momentResult) func(a *Aggregate) error {
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
	one := func(doc string, result momentResult, name string, aliases ...string) aggregateFunction {
		return aggregateFunction{name: name, aliases: aliases, doc: doc, least: 1, most: 1, resolve: resolveMoments(result)}
	}
	two := func(doc, name string, result momentResult) aggregateFunction {
		return aggregateFunction{name: name, doc: doc, least: 2, most: 2, resolve: resolveMoments(result)}
	}
	return []aggregateFunction{
		one("the standard deviation of a sample", sample(varX, math.Sqrt), "stddev", "std", "stddev_samp"),
		one("the standard deviation of a population", population(varX, math.Sqrt), "stddev_pop"),
		one("the variance of a sample", sample(varX, same), "variance", "var_samp"),
		one("the variance of a population", population(varX, same), "var_pop"),
		two("the covariance of a sample", "covar_samp", sample(covar, same)),
		two("the covariance of a population", "covar_pop", population(covar, same)),
		two("the correlation", "corr", correlation),
	}
}

// Grow implements AggregateState.
func (s *momentState) Grow(groups int) { s.groups = growSlice(s.groups, groups) }

// Update implements AggregateState.
func (s *momentState) Update(args []*vector.Vector, sel vector.Selection, n int, groups []int32) error {
	sel, ok := s.rows.allValid(args, sel, n)
	if !ok {
		return nil
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
	return s.mergePairs(other, nil, groups)
}

func (s *momentState) mergePairs(other AggregateState, from, to []int32) error {
	o, err := otherState[*momentState](other)
	if err != nil {
		return err
	}
	for k, g := range to {
		s.groups[g].merge(&o.groups[sourceGroup(from, k)])
	}
	return nil
}

// Result implements AggregateState.
func (s *momentState) Result(from, to int) (*vector.Vector, error) {
	v := vector.New(types.Of(types.Double), to-from)
	for g := from; g < to; g++ {
		x, ok, err := s.result(&s.groups[g])
		if err != nil {
			return nil, err
		}
		v.Float64s[g-from] = x
		if !ok {
			v.SetNull(g - from)
		}
	}
	return v, nil
}

// Size implements AggregateState.
func (s *momentState) Size() int64 { return int64(48 * cap(s.groups)) }
