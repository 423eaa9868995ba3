package eval

import (
	"errors"
	"fmt"
	"slices"
	"sort"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
)

// arrayFunctions work on one array.
func arrayFunctions() []*Function {
	return []*Function{
		special("size cardinality", "(ARRAY | MAP) INT", "the number of elements", resolveSize, compileRow(rowSize)),
		special("array_size", "(ARRAY) INT", "the number of elements", resolveSize, compileRow(rowSize)),
		special("sort_array", "(ARRAY<T>, BOOLEAN?) ARRAY<T>", "in ascending order, or descending if the second argument is false; NULL is the least", resolveSortArray, compileNestedRow(rowSortArray)),
		special("array_sort", "(ARRAY<T>) ARRAY<T> | (ARRAY<T>, (T, T) -> INT) ARRAY<T> | (ARRAY<T>, INT) ARRAY<T>", "in ascending order, NULLs last, or as a function compares two elements: negative if the first one comes first; a number is what it gives for all", resolveSortArray, compileArraySort).takes(compareParams).asLenient(),
		special("array_distinct", "(ARRAY<T>) ARRAY<T>", "without repetitions", resolveOrderedArray, compileNestedRow(rowArrayDistinct)),
		special("array_max", "(ARRAY<T>) T", "the greatest element", resolveOrderedArray, compileArrayExtreme),
		special("array_min", "(ARRAY<T>) T", "the least element", resolveOrderedArray, compileArrayExtreme),
		special("array_compact", "(ARRAY<T>) ARRAY<T>", "the elements that are not NULL", resolveArrayCompact, compileNestedRow(rowArrayCompact)),
		special("array_join", "(ARRAY<STRING>, STRING, STRING?) STRING", "the elements joined; the third argument stands for NULL", resolveArrayJoin, compileRow(rowArrayJoin)),
		special("array_repeat", "(T, INT) ARRAY<T>", "a value so many times", resolveArrayRepeat, compileNestedArgs(false, rowArrayRepeat)).asLenient(),
		special("slice", "(ARRAY<T>, INT, INT) ARRAY<T>", "the elements from a position, from the end if negative, of a length", resolveSlice, compileNestedRow(rowSlice)),
		special("flatten", "(ARRAY<ARRAY<T>>) ARRAY<T>", "the elements of the arrays in an array", resolveFlatten, compileNestedRow(rowFlatten)),
		special("sequence", "(T, T, T?) ARRAY<T>", "the whole numbers, dates or timestamps from the first to the second by steps", resolveSequence, compileNestedRow(rowSequence)),
	}
}

// asLenient marks a function that sees NULL arguments.
func (f *Function) asLenient() *Function {
	f.lenient = true
	return f
}

// list reads an array that is not NULL.
func (f *frame) list(a, i int) []any { return f.value(a, i).([]any) }

func distinctValues(t types.Type, list []any) []any {
	out, seen := []any{}, newElementSet(t, nil)
	for _, x := range list {
		if seen.add(x) {
			out = append(out, x)
		}
	}
	return out
}

// arrayArg gives an argument that is an array; NULL is an ARRAY<VOID>.
func arrayArg(name string, e expr.Expr) (expr.Expr, error) {
	switch e.Type().Kind {
	case types.Array:
		return e, nil
	case types.Void:
		return castTo(e, types.ArrayOf(types.Type{}, true)), nil
	}
	return nil, mismatch("%s takes an array, not %s", name, e.Type())
}

func resolveSize(name string, args []expr.Expr) (expr.Expr, error) {
	if err := wantArgs(name, args, 1, 1); err != nil {
		return nil, err
	}
	in, err := args[0], error(nil)
	if in.Type().Kind != types.Map || name == "array_size" {
		if in, err = arrayArg(name, in); err != nil {
			return nil, noOverload(name, args)
		}
	}
	return typedCall(name, types.Of(types.Int), in), nil
}

func rowSize(f *frame, i int) error {
	v, p := f.at(0, i)
	f.out.Int32s[i] = v.Offsets[p+1] - v.Offsets[p]
	return nil
}

func resolveSortArray(name string, args []expr.Expr) (expr.Expr, error) {
	if err := wantArgs(name, args, 1, 2); err != nil {
		return nil, err
	}
	if name == "array_sort" && len(args) == 2 {
		return resolveComparedArray(name, args)
	}
	if name == "array_sort" && args[0].Type().Kind == types.Void {
		return nil, noOverload(name, args)
	}
	in, err := arrayArg(name, args[0])
	if err != nil || !Orderable(in.Type().Elem.Type) {
		return nil, noOverload(name, args)
	}
	cast := []expr.Expr{in}
	if len(args) == 2 {
		ascending, err := exactly(name, args[1], types.Of(types.Boolean))
		if err != nil {
			return nil, noOverload(name, args)
		}
		cast = append(cast, ascending)
	}
	return typedCall(name, in.Type(), cast...), nil
}

// resolveComparedArray takes an INT in the place of the function that compares
// two elements. It may be NULL as long as nothing is compared.
func resolveComparedArray(name string, args []expr.Expr) (expr.Expr, error) {
	in, err := arrayArg(name, args[0])
	if l, ok := lambdaArg(args, 1); ok && len(l.Params) != 2 {
		return nil, noOverload(name, args)
	}
	if err != nil || args[1].Type().Kind != types.Int {
		return nil, noOverload(name, args)
	}
	return &expr.Call{Name: name, Args: []expr.Expr{in, args[1]}, T: in.Type(), MayBeNull: in.Nullable()}, nil
}

// rowCompareArray sorts where each element compares to the one before it as the
// second argument says: all are in order, or the last one comes first.
func rowCompareArray(f *frame, i int) (any, error) {
	if f.isNull(0, i) {
		return nil, nil
	}
	out := f.list(0, i)
	switch {
	case len(out) < 2:
	case f.isNull(1, i):
		return nil, invalid("array_sort: the comparison of two elements gives NULL")
	case f.int(1, i) < 0:
		slices.Reverse(out)
	}
	return out, nil
}

func compileArraySort(c *compiler, e *expr.Call) (node, error) {
	if _, ok := lambdaArg(e.Args, 1); ok {
		return compileLambdas(runComparedArray)(c, e)
	}
	if len(e.Args) == 2 {
		return compileNestedArgs(false, rowCompareArray)(c, e)
	}
	return compileNestedRow(rowSortArray)(c, e)
}

// rowSortArray puts NULLs first in ascending order and last in descending and
// in array_sort.
func rowSortArray(f *frame, i int) (any, error) {
	sign, nullsFirst := 1, f.name == "sort_array"
	if len(f.args) > 1 && !f.bool(1, i) {
		sign, nullsFirst = -1, false
	}
	t := f.out.Type.Elem.Type
	out := f.list(0, i)
	sort.SliceStable(out, func(a, b int) bool {
		x, y := out[a], out[b]
		if x == nil || y == nil {
			return (x == nil) != (y == nil) && (x == nil) == nullsFirst
		}
		order, _ := types.CompareValues(t, x, y)
		return sign*order < 0
	})
	return out, nil
}

// resolveOrderedArray takes an array whose elements have an order.
func resolveOrderedArray(name string, args []expr.Expr) (expr.Expr, error) {
	if err := wantArgs(name, args, 1, 1); err != nil {
		return nil, err
	}
	in, err := arrayArg(name, args[0])
	if err != nil {
		return nil, err
	}
	t := in.Type()
	switch {
	case !Orderable(t.Elem.Type):
		return nil, mismatch("%s takes an array of values with an order, not %s", name, t)
	case name == "array_distinct":
		return typedCall(name, t, in), nil
	}
	return &expr.Call{Name: name, Args: []expr.Expr{in}, T: t.Elem.Type, MayBeNull: true}, nil
}

func rowArrayDistinct(f *frame, i int) (any, error) {
	return distinctValues(f.out.Type.Elem.Type, f.list(0, i)), nil
}

func compileArrayExtreme(c *compiler, e *expr.Call) (node, error) {
	sign := 1
	if e.Name == "array_min" {
		sign = -1
	}
	return compileNestedRow(func(f *frame, i int) (any, error) {
		var best any
		for _, x := range f.list(0, i) {
			if x == nil {
				continue
			}
			if best == nil {
				best = x
			} else if order, _ := types.CompareValues(e.T, x, best); sign*order > 0 {
				best = x
			}
		}
		return best, nil
	})(c, e)
}

func resolveArrayCompact(name string, args []expr.Expr) (expr.Expr, error) {
	if err := wantArgs(name, args, 1, 1); err != nil {
		return nil, err
	}
	in, err := arrayArg(name, args[0])
	if err != nil {
		return nil, err
	}
	return typedCall(name, types.ArrayOf(in.Type().Elem.Type, false), in), nil
}

func rowArrayCompact(f *frame, i int) (any, error) {
	return slices.DeleteFunc(f.list(0, i), func(x any) bool { return x == nil }), nil
}

func resolveArrayJoin(name string, args []expr.Expr) (expr.Expr, error) {
	if err := wantArgs(name, args, 2, 3); err != nil {
		return nil, err
	}
	in, err := arrayArg(name, args[0])
	if err != nil || castCost(in.Type().Elem.Type, stringType) >= impossible {
		return nil, noOverload(name, args)
	}
	cast := []expr.Expr{castTo(in, types.ArrayOf(stringType, true))}
	for _, a := range args[1:] {
		text, err := exactly(name, a, stringType)
		if err != nil {
			return nil, noOverload(name, args)
		}
		cast = append(cast, text)
	}
	return typedCall(name, stringType, cast...), nil
}

func rowArrayJoin(f *frame, i int) error {
	v, p := f.at(0, i)
	start, n := len(f.out.Data), 0
	for at := int(v.Offsets[p]); at < int(v.Offsets[p+1]); at++ {
		null := v.Child.IsNull(at)
		if null && len(f.args) < 3 {
			continue
		}
		if n++; n > 1 {
			f.out.Data = append(f.out.Data, f.bytes(1, i)...)
		}
		if null {
			f.out.Data = append(f.out.Data, f.bytes(2, i)...)
		} else {
			f.out.Data = append(f.out.Data, v.Child.Bytes(at)...)
		}
		if len(f.out.Data)-start > maxTextBytes {
			return f.tooLong()
		}
	}
	return f.endBytes(i, start)
}

func resolveArrayRepeat(name string, args []expr.Expr) (expr.Expr, error) {
	if err := wantArgs(name, args, 2, 2); err != nil {
		return nil, err
	}
	times, err := exactly(name, args[1], types.Of(types.Int))
	if err != nil {
		return nil, noOverload(name, args)
	}
	t := types.ArrayOf(plain(args[0].Type()), args[0].Nullable())
	return &expr.Call{Name: name, Args: []expr.Expr{args[0], times}, T: t, MayBeNull: times.Nullable()}, nil
}

// maxListElements bounds the arrays that functions make of numbers.
const maxListElements = 1 << 24

func tooManyElements(what string) error {
	return fmt.Errorf("%w: %s would have more than %d elements", ErrLimitExceeded, what, maxListElements)
}

func rowArrayRepeat(f *frame, i int) (any, error) {
	if f.isNull(1, i) {
		return nil, nil
	}
	n := f.int(1, i)
	if n > maxListElements {
		return nil, tooManyElements("the array")
	}
	x := f.value(0, i)
	if n > 0 && valueSize(x) > maxTextBytes/n {
		return nil, fmt.Errorf("%w: the array would take more than 256 MiB", ErrLimitExceeded)
	}
	out := make([]any, max(n, 0))
	for k := range out {
		out[k] = x
	}
	return out, nil
}

func resolveSlice(name string, args []expr.Expr) (expr.Expr, error) {
	if err := wantArgs(name, args, 3, 3); err != nil {
		return nil, err
	}
	in, errIn := arrayArg(name, args[0])
	from, errFrom := implicitly(name, args[1], types.Of(types.Int))
	length, errLength := implicitly(name, args[2], types.Of(types.Int))
	if errors.Join(errIn, errFrom, errLength) != nil {
		return nil, noOverload(name, args)
	}
	return typedCall(name, in.Type(), in, from, length), nil
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
		if len(out) > maxListElements {
			return nil, tooManyElements("the array")
		}
	}
	return out, nil
}
