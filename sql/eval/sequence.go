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
	return wholeSequence(start, stop, step)
}

func wholeSequence(start, stop, step int64) (any, error) {
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
// months stay ends of months. Dates are midnights, and go by a day at least.
func datetimeSequence(f *frame, i int, start, stop int64) (any, error) {
	t, unit, step := f.args[0].Type, int64(1), types.Interval{Days: 1}
	if t.Kind == types.Date {
		unit = types.MicrosPerDay
	}
	if len(f.args) > 2 {
		step = f.interval(2, i)
	} else if start > stop {
		step.Days = -1
	}
	if t.Kind == types.Date && step.Months == 0 && step.Micros == 0 && step.Days != 0 {
		return wholeSequence(start, stop, int64(step.Days))
	}
	length := float64(step.Months)*28*types.MicrosPerDay + float64(step.Days)*types.MicrosPerDay + float64(step.Micros)
	tooShort := t.Kind == types.Date && step.Months == 0 && step.Days == 0
	if tooShort || start < stop && length <= 0 || start > stop && length >= 0 {
		return nil, invalid("a sequence from one %s to another can't go by this step: dates take a day at least, and the step must lead to the end", t)
	}
	if length == 0 {
		return []any{start}, nil
	}
	if (float64(stop)-float64(start))*float64(unit)/length > 2*maxListElements {
		return nil, tooManyElements("the sequence")
	}
	for _, x := range []int64{start, stop} {
		if _, err := int64Op(expr.OpMultiply, x, unit); err != nil {
			return nil, overflow(t, "sequence")
		}
	}
	add, out := wallAdder(f, t), []any{}
	for n, x := int64(1), start; length > 0 && x <= stop || length < 0 && x >= stop; n++ {
		if out = append(out, x); len(out) > maxListElements {
			return nil, tooManyElements("the sequence")
		}
		next, err := add(start*unit, step, n)
		if err != nil {
			return nil, err
		}
		x, _ = floorDivMod(next, unit)
	}
	return out, nil
}

// wallAdder gives the function that adds an interval n times to a timestamp, or
// to the midnight of a date.
func wallAdder(f *frame, t types.Type) func(x int64, v types.Interval, n int64) (int64, error) {
	if t.Kind == types.Date {
		t = types.Of(types.TimestampNTZ)
	}
	in := vector.New(t, 1)
	by := vector.New(types.Of(types.IntervalKind), 1)
	one := frame{name: f.name, env: f.env, args: []*vector.Vector{in, by}, out: vector.New(t, 1), n: 1}
	return func(x int64, v types.Interval, n int64) (int64, error) {
		by.Intervals[0] = types.Interval{Months: v.Months * int32(n), Days: v.Days * int32(n), Micros: v.Micros * n}
		in.Int64s[0] = x
		err := rowTimestampInterval(&one, 0, 1)
		return one.out.Int64s[0], err
	}
}
