package eval

import (
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// resolveSequence brings the ends together, and the step too unless it is an
// interval.
func resolveSequence(name string, args []expr.Expr) (expr.Expr, error) {
	if err := wantArgs(name, args, 2, 3); err != nil {
		return nil, err
	}
	ends := args
	if len(args) == 3 && args[2].Type().Kind == types.IntervalKind {
		ends = args[:2]
	}
	cast, t, err := coerceAll(name, ends)
	switch {
	case err == nil && t.IsInteger() && len(ends) == len(args):
	case err == nil && isDatetime(t) && len(ends) < len(args):
		cast = append(cast, args[2])
	case err == nil && isDatetime(t) && len(args) == 2:
		cast = append(cast, &expr.Literal{T: types.Of(types.IntervalKind), Value: types.Interval{Days: 1}})
	default:
		return nil, noOverload(name, args)
	}
	return typedCall(name, types.ArrayOf(t, false), cast...), nil
}

func rowSequence(f *frame, i int) (any, error) {
	start, stop := f.int(0, i), f.int(1, i)
	if isDatetime(f.args[0].Type) {
		return datetimeSequence(f, i, start, stop)
	}
	step := int64(1)
	if start > stop {
		step = -1
	}
	if len(f.args) > 2 {
		step = f.int(2, i)
	}
	if step == 0 && start != stop || step > 0 && start > stop || step < 0 && start < stop {
		return nil, invalid("a sequence from %d to %d can't go by %d", start, stop, step)
	}
	steps := uint64(0)
	switch { // in uint64 no difference of two int64 overflows
	case step > 0:
		steps = (uint64(stop) - uint64(start)) / uint64(step)
	case step < 0:
		steps = (uint64(start) - uint64(stop)) / -uint64(step)
	}
	if steps >= maxListElements {
		return nil, tooManyElements("the sequence")
	}
	out := make([]any, steps+1)
	for k := range out {
		out[k] = start + int64(k)*step
	}
	return out, nil
}

// datetimeSequence adds multiples of the step to the start, so that the ends of
// months stay ends of months.
func datetimeSequence(f *frame, i int, start, stop int64) (any, error) {
	t, step := f.args[0].Type, f.interval(2, i)
	op := timestampAdder(f, t)
	next, err := op(start, step, 1)
	if err != nil {
		return nil, err
	}
	up := next > start
	if next == start && start != stop || start != stop && up != (start < stop) {
		return nil, invalid("a sequence can't go by INTERVAL '%s' from the first %s to the second", step, t)
	}
	// A month is at most twice as long as another.
	if next != start && (stop-start)/(next-start) > 2*maxListElements {
		return nil, tooManyElements("the sequence")
	}
	out := []any{}
	for n, x := int32(0), start; up && x <= stop || !up && x >= stop; {
		if out = append(out, x); len(out) > maxListElements {
			return nil, tooManyElements("the sequence")
		}
		n++
		if x, err = op(start, step, n); err != nil {
			return nil, err
		}
		if next == start {
			break
		}
	}
	return out, nil
}

// timestampAdder gives the function that adds an interval n times.
func timestampAdder(f *frame, t types.Type) func(x int64, v types.Interval, n int32) (int64, error) {
	in := vector.New(t, 1)
	by := vector.New(types.Of(types.IntervalKind), 1)
	one := frame{name: f.name, env: f.env, args: []*vector.Vector{in, by}, out: vector.New(t, 1), n: 1}
	return func(x int64, v types.Interval, n int32) (int64, error) {
		by.Intervals[0] = types.Interval{Months: v.Months * n, Days: v.Days * n, Micros: v.Micros * int64(n)}
		if t.Kind == types.Date {
			in.Int32s[0] = int32(x)
			err := rowDateInterval(&one, 0, 1)
			return int64(one.out.Int32s[0]), err
		}
		in.Int64s[0] = x
		err := rowTimestampInterval(&one, 0, 1)
		return one.out.Int64s[0], err
	}
}
