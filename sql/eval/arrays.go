package eval

import (
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// arrayFunctions combine arrays and maps.
func arrayFunctions() []*Function {
	two := func(name, doc string, row func(f *frame, i int) (any, error)) *Function {
		return special(name, "(ARRAY<T>, ARRAY<T>) ARRAY<T>", doc, resolveTwoArrays, compileNestedRow(row))
	}
	withElement := func(name, doc string, row func(f *frame, i int) (any, error)) *Function {
		fn := special(name, "(ARRAY<T>, T) ARRAY<T>", doc, resolveArrayAndElement, compileNestedArgs(false, row))
		fn.lenient = true
		return fn
	}
	return []*Function{
		two("array_union", "the distinct elements of both", func(f *frame, i int) (any, error) {
			all := append(append([]any{}, f.list(0, i)...), f.list(1, i)...)
			return distinctValues(f.out.Type.Elem.Type, all), nil
		}),
		two("array_intersect", "the distinct elements that both have", func(f *frame, i int) (any, error) {
			return f.filterList(i, true), nil
		}),
		two("array_except", "the distinct elements of the first that the second has not", func(f *frame, i int) (any, error) {
			return f.filterList(i, false), nil
		}),
		special("arrays_overlap", "(ARRAY<T>, ARRAY<T>) BOOLEAN", "tells whether both have an element that is not NULL", resolveTwoArrays, compileRow(rowOverlap)),
		withElement("array_append", "the array with an element at the end", func(f *frame, i int) (any, error) {
			if f.isNull(0, i) {
				return nil, nil
			}
			return append(f.list(0, i), f.value(1, i)), nil
		}),
		withElement("array_prepend", "the array with an element at the start", func(f *frame, i int) (any, error) {
			if f.isNull(0, i) {
				return nil, nil
			}
			return append([]any{f.value(1, i)}, f.list(0, i)...), nil
		}),
		special("array_remove", "(ARRAY<T>, T) ARRAY<T>", "the array without the elements equal to a value", resolveArrayAndElement, compileNestedRow(func(f *frame, i int) (any, error) {
			out := []any{}
			for _, x := range f.list(0, i) {
				if !sameValue(f.args[1].Type, x, f.value(1, i)) {
					out = append(out, x)
				}
			}
			return out, nil
		})),
		special("array_compact", "(ARRAY<T>) ARRAY<T>", "the elements that are not NULL", resolveSameArray, compileNestedRow(func(f *frame, i int) (any, error) {
			out := []any{}
			for _, x := range f.list(0, i) {
				if x != nil {
					out = append(out, x)
				}
			}
			return out, nil
		})),
		special("array_repeat", "(T, INT) ARRAY<T>", "a value so many times", resolveArrayRepeat, compileNestedArgs(false, rowArrayRepeat)).asLenient(),
		special("slice", "(ARRAY<T>, INT, INT) ARRAY<T>", "the elements from a position, from the end if negative, of a length", resolveSlice, compileNestedRow(rowSlice)),
		special("flatten", "(ARRAY<ARRAY<T>>) ARRAY<T>", "the elements of the arrays in an array", resolveFlatten, compileNestedRow(rowFlatten)),
		special("sequence", "(T, T, T?) ARRAY<T>", "the whole numbers, dates or timestamps from the first to the second by steps", resolveSequence, compileNestedRow(rowSequence)),
		special("map_entries", "(MAP<K, V>) ARRAY<STRUCT<key: K, value: V>>", "the entries as structs", resolveMapEntries, compileNestedRow(rowMapEntries)),
		special("map_from_arrays", "(ARRAY<K>, ARRAY<V>) MAP<K, V>", "a map of an array of keys and one of values", resolveMapFromArrays, compileNestedRow(rowMapFromArrays)),
	}
}

// asLenient marks a function that sees NULL arguments.
func (f *Function) asLenient() *Function {
	f.lenient = true
	return f
}

// list reads an array that is not NULL.
func (f *frame) list(a, i int) []any { return f.value(a, i).([]any) }

// filterList gives the distinct elements of the first array that are, or are
// not, in the second.
func (f *frame) filterList(i int, in bool) []any {
	t := f.out.Type.Elem.Type
	other := f.list(1, i)
	out := []any{}
	for _, x := range distinctValues(t, f.list(0, i)) {
		if holds(t, other, x) == in {
			out = append(out, x)
		}
	}
	return out
}

func holds(t types.Type, list []any, x any) bool {
	for _, y := range list {
		if sameValue(t, x, y) {
			return true
		}
	}
	return false
}

func distinctValues(t types.Type, list []any) []any {
	out := []any{}
	for _, x := range list {
		if !holds(t, out, x) {
			out = append(out, x)
		}
	}
	return out
}

func resolveTwoArrays(name string, args []expr.Expr) (expr.Expr, error) {
	if err := wantArgs(name, args, 2, 2); err != nil {
		return nil, err
	}
	cast, t, err := coerceAll(name, args)
	if err != nil {
		return nil, err
	}
	if t.Kind != types.Array || !Orderable(t.Elem.Type) {
		return nil, mismatch("%s takes two arrays, not %s", name, typeList(args))
	}
	if name == "arrays_overlap" {
		call := typedCall(name, types.Of(types.Boolean), cast...)
		call.MayBeNull = call.MayBeNull || t.Elem.Nullable
		return call, nil
	}
	return typedCall(name, t, cast...), nil
}

// rowOverlap is NULL where only a NULL element could make it true.
func rowOverlap(f *frame, i int) error {
	a, b := f.list(0, i), f.list(1, i)
	null := false
	for _, x := range a {
		if x != nil && holds(f.args[0].Type.Elem.Type, b, x) {
			f.out.Bools[i] = true
			return nil
		}
		null = null || x == nil
	}
	for _, y := range b {
		null = null || y == nil
	}
	f.out.Bools[i] = false
	if null && len(a) > 0 && len(b) > 0 {
		f.setNull(i)
	}
	return nil
}

func resolveArrayAndElement(name string, args []expr.Expr) (expr.Expr, error) {
	if err := wantArgs(name, args, 2, 2); err != nil {
		return nil, err
	}
	t := args[0].Type()
	if t.Kind != types.Array {
		return nil, mismatch("%s takes an array, not %s", name, t)
	}
	elem, ok := CommonType(t.Elem.Type, args[1].Type())
	if !ok {
		return nil, mismatch("%s can't bring %s and %s together", name, t, args[1].Type())
	}
	out := types.ArrayOf(plain(elem), t.Elem.Nullable || args[1].Nullable())
	call := typedCall(name, out, castTo(args[0], out), castTo(args[1], plain(elem)))
	call.MayBeNull = args[0].Nullable() || name == "array_remove" && args[1].Nullable()
	return call, nil
}

func resolveArrayRepeat(name string, args []expr.Expr) (expr.Expr, error) {
	if err := wantArgs(name, args, 2, 2); err != nil {
		return nil, err
	}
	if !args[1].Type().IsInteger() {
		return nil, mismatch("%s takes a number of repetitions, not %s", name, args[1].Type())
	}
	t := types.ArrayOf(plain(args[0].Type()), args[0].Nullable())
	return &expr.Call{Name: name, Args: []expr.Expr{args[0], castTo(args[1], types.Of(types.Int))}, T: t, MayBeNull: args[1].Nullable()}, nil
}

// maxListElements bounds the arrays that functions make of numbers.
const maxListElements = 1 << 24

func rowArrayRepeat(f *frame, i int) (any, error) {
	if f.isNull(1, i) {
		return nil, nil
	}
	n := f.int(1, i)
	if n > maxListElements {
		return nil, invalid("array_repeat gives %d elements; at most %d are allowed", n, maxListElements)
	}
	out := make([]any, max(n, 0))
	for k := range out {
		out[k] = f.value(0, i)
	}
	return out, nil
}

func resolveSlice(name string, args []expr.Expr) (expr.Expr, error) {
	if err := wantArgs(name, args, 3, 3); err != nil {
		return nil, err
	}
	t := args[0].Type()
	if t.Kind != types.Array || !args[1].Type().IsInteger() || !args[2].Type().IsInteger() {
		return nil, noOverload(name, args)
	}
	return typedCall(name, t, args[0], castTo(args[1], types.Of(types.Int)), castTo(args[2], types.Of(types.Int))), nil
}

func rowSlice(f *frame, i int) (any, error) {
	list, start, length := f.list(0, i), int(f.int(1, i)), int(f.int(2, i))
	if start == 0 || length < 0 {
		return nil, invalid("slice counts from 1 or, from the end, from -1, and takes no negative length; not %d and %d", start, length)
	}
	if start < 0 {
		start += len(list) + 1
	}
	if start < 1 || start > len(list) {
		return []any{}, nil
	}
	return list[start-1 : min(start-1+length, len(list))], nil
}

func resolveFlatten(name string, args []expr.Expr) (expr.Expr, error) {
	if err := wantArgs(name, args, 1, 1); err != nil {
		return nil, err
	}
	t := args[0].Type()
	if t.Kind != types.Array || t.Elem.Type.Kind != types.Array {
		return nil, mismatch("flatten takes an array of arrays, not %s", t)
	}
	call := typedCall(name, t.Elem.Type, args...)
	call.MayBeNull = call.MayBeNull || t.Elem.Nullable
	return call, nil
}

func rowFlatten(f *frame, i int) (any, error) {
	out := []any{}
	for _, inner := range f.list(0, i) {
		if inner == nil {
			return nil, nil
		}
		out = append(out, inner.([]any)...)
	}
	return out, nil
}

func resolveSequence(name string, args []expr.Expr) (expr.Expr, error) {
	if err := wantArgs(name, args, 2, 3); err != nil {
		return nil, err
	}
	cast, t, err := coerceAll(name, args[:2])
	if err != nil {
		return nil, err
	}
	step := expr.Expr(&expr.Literal{T: types.Of(types.IntervalKind), Value: types.Interval{Days: 1}})
	if t.IsInteger() {
		step = expr.Null(t)
	}
	if len(args) == 3 {
		step = args[2]
	}
	switch {
	case t.IsInteger() && (step.Type().IsInteger() || step.Type().Kind == types.Void):
		if len(args) == 3 {
			cast = append(cast, castTo(step, t))
		}
	case isDatetime(t) && step.Type().Kind == types.IntervalKind:
		cast = append(cast, step)
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
	out := []any{start}
	for x := start; step != 0 && x != stop; {
		next := x + step
		if (next > x) != (step > 0) || step > 0 && next > stop || step < 0 && next < stop {
			break
		}
		if len(out) == maxListElements {
			return nil, invalid("the sequence has more than %d elements", maxListElements)
		}
		out = append(out, next)
		x = next
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
	out := []any{}
	for n, x := int32(0), start; up && x <= stop || !up && x >= stop; {
		if out = append(out, x); len(out) > maxListElements {
			return nil, invalid("the sequence has more than %d elements", maxListElements)
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

func resolveMapEntries(name string, args []expr.Expr) (expr.Expr, error) {
	if err := wantArgs(name, args, 1, 1); err != nil {
		return nil, err
	}
	t := args[0].Type()
	if t.Kind != types.Map {
		return nil, mismatch("%s takes a map, not %s", name, t)
	}
	return typedCall(name, types.ArrayOf(types.StructOf(*t.Key, *t.Elem), false), args...), nil
}

func rowMapEntries(f *frame, i int) (any, error) {
	out := []any{}
	for _, e := range f.value(0, i).([]vector.MapEntry) {
		out = append(out, []any{e.Key, e.Value})
	}
	return out, nil
}

func resolveMapFromArrays(name string, args []expr.Expr) (expr.Expr, error) {
	if err := wantArgs(name, args, 2, 2); err != nil {
		return nil, err
	}
	k, v := args[0].Type(), args[1].Type()
	if k.Kind != types.Array || v.Kind != types.Array {
		return nil, mismatch("%s takes two arrays, not %s", name, typeList(args))
	}
	return typedCall(name, types.MapOf(k.Elem.Type, v.Elem.Type, v.Elem.Nullable), args...), nil
}

func rowMapFromArrays(f *frame, i int) (any, error) {
	keys, vals := f.list(0, i), f.list(1, i)
	if len(keys) != len(vals) {
		return nil, invalid("map_from_arrays takes as many keys as values, not %d and %d", len(keys), len(vals))
	}
	t := f.args[0].Type.Elem.Type
	out := make([]vector.MapEntry, 0, len(keys))
	for n, k := range keys {
		if k == nil || holds(t, keys[:n], k) {
			return nil, invalid("a map can't have the key %s %s", printValue(t, k), []string{"", "twice"}[truth(k != nil)])
		}
		out = append(out, vector.MapEntry{Key: k, Value: vals[n]})
	}
	return out, nil
}
