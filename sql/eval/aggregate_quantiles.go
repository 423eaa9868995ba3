package eval

import (
	"cmp"
	"math"
	"slices"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// quantiles is a summary of numbers that answers about the value at a rank: that
// of Greenwald and Khanna (Space-efficient Online Computation of Quantile
// Summaries, SIGMOD 2001). Spark's has the bounds below, which decide what is
// answered.
type quantiles struct {
	err        float64 // of a rank, relative to count
	samples    []quantileSample
	count      int64     // of the numbers in samples
	recent     []float64 // not in samples yet
	compressed bool
}

// quantileSample is a number with the least distance of its rank from that of
// the sample before it, and how much more the rank may be.
type quantileSample struct {
	value    float64
	gap, off int64
}

const (
	quantilesRecent  = 50_000 // numbers that are put into the samples at once
	quantilesSamples = 10_000 // samples that are compressed when the numbers were put in
)

func (q *quantiles) add(x float64) {
	q.recent = append(q.recent, x)
	q.compressed = false
	if len(q.recent) >= quantilesRecent {
		q.insertRecent()
		if len(q.samples) >= quantilesSamples {
			q.compress()
		}
	}
	if float64(len(q.samples)) >= 4*math.Floor(1/q.err) {
		q.compress()
	}
}

// compareBits has -0.0 before 0.0.
func compareBits(a, b float64) int {
	return cmp.Or(types.CompareFloat64(a, b), cmp.Compare(truth(math.Signbit(b)), truth(math.Signbit(a))))
}

// insertRecent merges the recent numbers into the samples.
func (q *quantiles) insertRecent() {
	slices.SortFunc(q.recent, compareBits)
	old := q.samples
	q.samples = make([]quantileSample, 0, len(old)+len(q.recent))
	for i, x := range q.recent {
		for len(old) > 0 && old[0].value <= x {
			q.samples, old = append(q.samples, old[0]), old[1:]
		}
		q.count++
		s := quantileSample{value: x, gap: 1}
		if len(q.samples) > 0 && (len(old) > 0 || i < len(q.recent)-1) { // neither the least nor the greatest
			s.off = int64(math.Floor(2 * q.err * float64(q.count)))
		}
		q.samples = append(q.samples, s)
	}
	q.samples = append(q.samples, old...)
	q.recent = q.recent[:0]
}

// finish puts everything into compressed samples.
func (q *quantiles) finish() {
	if !q.compressed {
		q.compress()
	}
}

// compress drops samples that their neighbours can stand for, but never the
// first and the last.
func (q *quantiles) compress() {
	if len(q.recent) > 0 {
		q.insertRecent()
	}
	q.compressed = true
	if len(q.samples) == 0 {
		return
	}
	limit := 2 * q.err * float64(q.count)
	last := len(q.samples) - 1
	to, head := last, q.samples[last] // samples[to+1:] is what is kept
	for i := last - 1; i >= 1; i-- {
		s := q.samples[i]
		if float64(s.gap+head.gap+head.off) < limit {
			head.gap += s.gap
			continue
		}
		q.samples[to], head = head, s
		to--
	}
	q.samples[to] = head
	if first := q.samples[0]; last > 0 && first.value <= head.value {
		to--
		q.samples[to] = first
	}
	q.samples = q.samples[to:]
}

// merge adds the numbers of o; both are finished.
func (q *quantiles) merge(o *quantiles) {
	q.finish()
	o.finish()
	if o.count == 0 || q.count == 0 {
		if q.count == 0 {
			q.samples, q.count = o.samples, o.count
		}
		return
	}
	a, b := q.samples, o.samples
	ofB, ofA := int64(math.Floor(2*o.err*float64(o.count))), int64(math.Floor(2*q.err*float64(q.count)))
	q.samples = make([]quantileSample, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		s := b[0]
		if a[0].value < s.value {
			s, a = a[0], a[1:]
			if len(b) < len(o.samples) {
				s.off += ofB
			}
		} else {
			b = b[1:]
			if len(q.samples) > len(o.samples)-len(b)-1 { // one of a is there
				s.off += ofA
			}
		}
		q.samples = append(q.samples, s)
	}
	q.samples = append(append(q.samples, a...), b...)
	q.count += o.count
	q.compress()
}

// at gives the values at fractions. They are looked for in one pass, from the
// least fraction to the greatest.
func (q *quantiles) at(fractions []float64) []float64 {
	q.finish()
	order := make([]int, len(fractions))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(fractions[a], fractions[b]) })
	widest := int64(0)
	for _, s := range q.samples {
		widest = max(widest, s.gap+s.off)
	}
	off := widest / 2
	out := make([]float64, len(fractions))
	last := len(q.samples) - 1
	at, least := 0, q.samples[0].gap
	for _, i := range order {
		switch f := fractions[i]; {
		case f <= q.err:
			out[i] = q.samples[0].value
		case f >= 1-q.err:
			out[i] = q.samples[last].value
		default:
			rank := int64(math.Ceil(f * float64(q.count)))
			for at < last && (least+q.samples[at].off-off > rank || rank > least+off) {
				at++
				least += q.samples[at].gap
			}
			if at == last {
				least = 0
			}
			out[i] = q.samples[at].value
		}
	}
	return out
}

func resolveQuantiles(a *Aggregate) error {
	f, err := fractionsOf(a)
	if err != nil {
		return err
	}
	accuracy := int64(10_000)
	if len(a.Args) == 3 {
		t := a.Args[2].Type()
		v, _ := literalOf(a.Args[2])
		n, ok := v.(int64)
		if !ok || !t.IsInteger() || n < 1 || n > math.MaxInt32 {
			return mismatch("%s takes a constant whole number from 1 to %d as its accuracy, not %s", a.Name, math.MaxInt32, a.Args[2])
		}
		accuracy = n
	}
	t := plain(a.Args[0].Type())
	if t.Kind == types.String || t.Kind == types.Void {
		t = types.Of(types.Double)
	}
	if !t.IsNumeric() && !isDatetime(t) && !t.IsYearMonth() && !t.IsDayTime() {
		return mismatch("%s takes numbers, dates, timestamps and intervals, not %s", a.Name, t)
	}
	a.Args, a.Type = []expr.Expr{castTo(a.Args[0], t)}, f.typeOf(t)
	a.newState = func() AggregateState {
		return &quantilesState{fractions: f, t: a.Type, of: t, err: 1 / float64(accuracy)}
	}
	return nil
}

// quantilesState is percentile_approx. Whatever the type, its values are taken
// as doubles.
type quantilesState struct {
	fractions fractions
	t, of     types.Type // of the result and of the values
	err       float64
	groups    []quantiles
	rows      aggregateRows
	flats     aggregateRows
}

// Grow implements AggregateState.
func (s *quantilesState) Grow(groups int) {
	from := len(s.groups)
	s.groups = growSlice(s.groups, groups)
	for g := from; g < groups; g++ {
		s.groups[g].err = s.err
	}
}

// Update implements AggregateState.
func (s *quantilesState) Update(args []*vector.Vector, sel vector.Selection, n int, groups []int32) error {
	sel, ok := s.rows.allValid(args, sel, n)
	if !ok {
		return nil
	}
	v := s.flats.flat(0, args[0], sel, n)
	for k := range rowsOf(sel, n) {
		i := rowAt(sel, k)
		s.groups[groupOf(groups, i)].add(s.number(v, i))
	}
	return nil
}

// number reads row i of a flat vector.
func (s *quantilesState) number(v *vector.Vector, i int) float64 {
	switch x := v.Value(i).(type) {
	case int64:
		return float64(x)
	case types.Decimal128:
		return x.Float64(int(s.of.Scale))
	case types.Interval:
		return float64(spanOf(s.of, x))
	default:
		return x.(float64)
	}
}

// value is the inverse of number.
func (s *quantilesState) value(x float64) any {
	switch {
	case isFloat(s.of):
		return x
	case s.of.Kind == types.Decimal:
		d, _ := types.ParseDecimalAs(javaFloat(x, types.Of(types.Double)), int(s.of.Precision), int(s.of.Scale))
		return d
	case s.of.Kind == types.IntervalKind:
		v, _ := intervalOf(s.of, wholeOf(x))
		return v
	}
	return wholeOf(x)
}

// wholeOf converts to the nearest BIGINT that there is.
func wholeOf(x float64) int64 {
	if x >= math.MaxInt64 {
		return math.MaxInt64
	}
	return int64(x)
}

// Merge implements AggregateState.
func (s *quantilesState) Merge(other AggregateState, from, to []int32) error {
	o, err := otherState[*quantilesState](other)
	if err != nil {
		return err
	}
	for k, g := range to {
		s.groups[g].merge(&o.groups[sourceGroup(from, k)])
	}
	return nil
}

// Result implements AggregateState.
func (s *quantilesState) Result(from, to int) (*vector.Vector, error) {
	b := vector.NewBuilder(s.t, to-from)
	for g := from; g < to; g++ {
		q := &s.groups[g]
		var values []any
		if q.finish(); q.count > 0 {
			for _, x := range q.at(s.fractions.at) {
				values = append(values, s.value(x))
			}
		}
		s.fractions.appendTo(b, values)
	}
	return b.Vector(), nil
}

// Size implements AggregateState.
func (s *quantilesState) Size() int64 {
	size := int64(0)
	for g := range s.groups {
		size += 64 + int64(8*cap(s.groups[g].recent)+24*cap(s.groups[g].samples))
	}
	return size
}
