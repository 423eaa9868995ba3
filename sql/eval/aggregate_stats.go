package eval

import (
	"math"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// momentState computes variances and covariances by running means, step by step
// as Spark does: both sides may differ from the exact result, but not from each
// other.
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

// add counts a row of a variance: the mean and the sum of squares of x.
func (m *moments) add(x float64) {
	m.n++
	dx := x - m.meanX
	step := dx / m.n
	m.meanX += step
	m.m2X += float64(dx * (dx - step))
}

// addPair counts a row of a covariance or a correlation.
func (m *moments) addPair(x, y float64) {
	m.n++
	dx, dy := x-m.meanX, y-m.meanY
	m.meanX += dx / m.n
	m.meanY += dy / m.n
	m.cXY += float64(dx * (y - m.meanY))
	m.m2X += float64(dx * (x - m.meanX))
	m.m2Y += float64(dy * (y - m.meanY))
}

// merge adds the rows of o. What overflows on the way makes the result NaN,
// also where one side is empty.
func (m *moments) merge(o *moments) {
	n := m.n + o.n
	if n == 0 {
		return
	}
	dx, dy := o.meanX-m.meanX, o.meanY-m.meanY
	stepX, stepY := dx/n, dy/n
	m.cXY = m.cXY + o.cXY + float64(dx*stepY*m.n*o.n)
	m.m2X = m.m2X + o.m2X + float64(dx*stepX*m.n*o.n)
	m.m2Y = m.m2Y + o.m2Y + float64(dy*stepY*m.n*o.n)
	m.meanX += float64(stepX * o.n)
	m.meanY += float64(stepY * o.n)
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
		return aggregateFunction{name: name, aliases: aliases, signature: "(DOUBLE) DOUBLE", doc: doc, least: 1, most: 1, resolve: resolveMoments(result)}
	}
	two := func(doc, name string, result momentResult) aggregateFunction {
		return aggregateFunction{name: name, signature: "(DOUBLE, DOUBLE) DOUBLE", doc: doc, least: 2, most: 2, resolve: resolveMoments(result)}
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
	if !s.pair {
		for k := range rowsOf(sel, n) {
			i := rowAt(sel, k)
			s.groups[groupOf(groups, i)].add(xs[i])
		}
		return nil
	}
	ys := s.flats.flat(1, args[1], sel, n).Float64s
	for k := range rowsOf(sel, n) {
		i := rowAt(sel, k)
		s.groups[groupOf(groups, i)].addPair(xs[i], ys[i])
	}
	return nil
}

// Merge implements AggregateState.
func (s *momentState) Merge(other AggregateState, from, to []int32) error {
	o, err := otherState[*momentState](other)
	if err != nil {
		return err
	}
	for k, g := range to {
		switch other := &o.groups[sourceGroup(from, k)]; {
		case s.groups[g].n == 0:
			s.groups[g] = *other
		case other.n > 0:
			s.groups[g].merge(other)
		}
	}
	return nil
}

// MergeIntoEmpty merges the groups of a state into empty ones, as Spark does with
// those of each partition but not in windows. It makes the variance of the
// greatest numbers NaN and changes nothing else.
func MergeIntoEmpty(state AggregateState) {
	switch s := state.(type) {
	case *momentState:
		for g := range s.groups {
			var all moments
			all.merge(&s.groups[g])
			s.groups[g] = all
		}
	case *distinctState:
		MergeIntoEmpty(s.inner)
	case *distinctInts:
		MergeIntoEmpty(s.inner)
	}
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
