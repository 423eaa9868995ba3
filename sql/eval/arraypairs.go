package eval

import (
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
)

// arrayPairFunctions combine an array with another or with an element.
func arrayPairFunctions() []*Function {
	two := func(name, doc string, row func(f *frame, i int) (any, error)) *Function {
		return special(name, "(ARRAY<T>, ARRAY<T>) ARRAY<T>", doc, resolveTwoArrays, compileNestedRow(row))
	}
	withElement := func(name, doc string, row func(f *frame, i int) (any, error)) *Function {
		return special(name, "(ARRAY<T>, T) ARRAY<T>", doc, resolveArrayAndElement, compileNestedArgs(false, row)).asLenient()
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
	}
}

// filterList gives the distinct elements of the first array that are, or are
// not, in the second.
func (f *frame) filterList(i int, in bool) []any {
	t := f.out.Type.Elem.Type
	other := newElementSet(t, f.list(1, i))
	out := []any{}
	for _, x := range distinctValues(t, f.list(0, i)) {
		if other.has(x) == in {
			out = append(out, x)
		}
	}
	return out
}

// resolveTwoArrays brings two arrays together.
func resolveTwoArrays(name string, args []expr.Expr) (expr.Expr, error) {
	if err := wantArgs(name, args, 2, 2); err != nil {
		return nil, err
	}
	a, b := args[0].Type(), args[1].Type()
	if a.Kind != types.Array || b.Kind != types.Array {
		return nil, mismatch("%s takes two arrays, not %s", name, typeList(args))
	}
	elem, ok := tightestType(plain(a.Elem.Type), plain(b.Elem.Type))
	if !ok || !Orderable(elem) {
		return nil, mismatch("%s can't bring %s and %s together; add a CAST", name, a, b)
	}
	nullable := a.Elem.Nullable || b.Elem.Nullable
	result := types.ArrayOf(elem, nullable)
	if name == "arrays_overlap" {
		result = types.Of(types.Boolean)
	}
	call := typedCall(name, result, castTo(args[0], types.ArrayOf(elem, a.Elem.Nullable)), castTo(args[1], types.ArrayOf(elem, b.Elem.Nullable)))
	call.MayBeNull = call.MayBeNull || name == "arrays_overlap" && nullable
	return call, nil
}

// rowOverlap is NULL where only a NULL element could make it true.
func rowOverlap(f *frame, i int) error {
	a, b := f.list(0, i), f.list(1, i)
	null, other := false, newElementSet(f.args[0].Type.Elem.Type, b)
	for _, x := range a {
		if x != nil && other.has(x) {
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
	cast, elem, err := withElement(name, args, tightestType)
	if err != nil {
		return nil, err
	}
	call := typedCall(name, types.ArrayOf(elem, args[0].Type().Elem.Nullable || args[1].Nullable()), cast...)
	if name == "array_remove" {
		if !Orderable(elem) {
			return nil, mismatch("%s can't look for %s in %s", name, args[1].Type(), args[0].Type())
		}
		return call, nil
	}
	call.MayBeNull = args[0].Nullable()
	return call, nil
}
