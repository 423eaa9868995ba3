package eval

import (
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// elementFunctions take an element by its position or key, or look for one.
func elementFunctions() []*Function {
	const arrayOrMap = "(ARRAY<T> | MAP<K, T>, INT | K) T"
	return []*Function{
		special("element_at", arrayOrMap, "the element at a position from 1, or from the end if negative, or the value of a key", resolveElementAt, compileElement),
		special("try_element_at", arrayOrMap, "element_at with NULL where there is none", resolveElementAt, compileElement),
		special("get", "(ARRAY<T>, INT) T", "the element at a position from 0, NULL where there is none", resolveGet, compileElement),
		special("array_element subscript", arrayOrMap, "the subscript: the element at a position from 0, or the value of a key", resolveSubscript, compileElement),
		special("array_contains", "(ARRAY<T>, T) BOOLEAN", "tells whether an array holds a value", resolveArrayContains, compileRow(rowArrayContains)),
		special("array_position", "(ARRAY<T>, T) BIGINT", "the position of a value from 1, or 0", resolveArrayPosition, compileRow(rowArrayContains)),
		special("map_contains_key", "(MAP<K, V>, K) BOOLEAN", "tells whether a map has a key", resolveMapContainsKey, compileRow(rowArrayContains)),
	}
}

// resolveElementAt takes whole numbers up to INT as positions, and as keys what
// has a common type with the map's keys.
func resolveElementAt(name string, args []expr.Expr) (expr.Expr, error) {
	if err := wantArgs(name, args, 2, 2); err != nil {
		return nil, err
	}
	switch k := args[1].Type(); args[0].Type().Kind {
	case types.Array:
		if !k.IsInteger() || k.Kind == types.BigInt {
			return nil, mismatch("%s takes an INT as the position in an array, not %s", name, k)
		}
		return elementCall(name, args[0], castTo(args[1], types.Of(types.Int))), nil
	case types.Map:
		cast, _, err := withKey(name, args, tightestType)
		if err != nil {
			return nil, err
		}
		return elementCall(name, cast[0], cast[1]), nil
	}
	return nil, mismatch("%s takes an array or a map, not %s", name, args[0].Type())
}

func elementCall(name string, from, at expr.Expr) expr.Expr {
	return &expr.Call{Name: name, Args: []expr.Expr{from, at}, T: from.Type().Elem.Type, MayBeNull: true}
}

func resolveGet(name string, args []expr.Expr) (expr.Expr, error) {
	if err := wantArgs(name, args, 2, 2); err != nil {
		return nil, err
	}
	at, err := implicitly(name, args[1], types.Of(types.Int))
	if err != nil || args[0].Type().Kind != types.Array {
		return nil, noOverload(name, args)
	}
	return elementCall(name, args[0], at), nil
}

// resolveSubscript casts the key to the type that the map's keys have.
func resolveSubscript(name string, args []expr.Expr) (expr.Expr, error) {
	if err := wantArgs(name, args, 2, 2); err != nil {
		return nil, err
	}
	t := args[0].Type()
	switch t.Kind {
	case types.Array:
		if !args[1].Type().IsInteger() && args[1].Type().Kind != types.Void {
			return nil, mismatch("an array is subscripted by a whole number, not by %s", args[1].Type())
		}
		return elementCall(name, args[0], castTo(args[1], types.Of(types.Int))), nil
	case types.Map:
		key, err := implicitly(name, args[1], plain(t.Key.Type))
		if err != nil {
			return nil, mismatch("a %s has no key of type %s", t, args[1].Type())
		}
		return elementCall(name, args[0], key), nil
	}
	return nil, mismatch("%s takes an array or a map, not %s", name, t)
}

// compileElement finds the element's row in the child vector and copies it.
func compileElement(c *compiler, e *expr.Call) (node, error) {
	args, err := c.compileAll(e.Args)
	if err != nil {
		return nil, err
	}
	find := elementFinder(e)
	k := builderKernel(func(b *vector.Builder, f *frame, i int) error {
		values, at, err := find(f, i)
		switch {
		case err != nil:
			return err
		case at < 0:
			b.AppendNull()
		default:
			b.AppendFrom(values, at)
		}
		return nil
	})
	return newCall(c, e.Name, e.T, args, true, k), nil
}

// elementFinder gives the function that finds the element in row i: a vector
// and a position in it, or -1.
func elementFinder(e *expr.Call) func(f *frame, i int) (*vector.Vector, int, error) {
	if e.Args[0].Type().Kind == types.Map {
		return findMapValue
	}
	zeroBased, try := e.Name == "array_element" || e.Name == "get", e.Name == "try_element_at" || e.Name == "get"
	return func(f *frame, i int) (*vector.Vector, int, error) {
		v, p := f.at(0, i)
		from, to := int(v.Offsets[p]), int(v.Offsets[p+1])
		n, size := int(f.int(1, i)), to-from
		at := n - 1
		switch {
		case zeroBased:
			at = n
		case n < 0:
			at = size + n
		case n == 0:
			return nil, -1, invalid("element_at counts from 1 or, from the end, from -1; 0 is neither")
		}
		if at < 0 || at >= size {
			if try {
				return nil, -1, nil
			}
			return nil, -1, invalid("the array of %d elements has none at %d; use %s to get NULL instead", size, n, map[bool]string{true: "get", false: "try_element_at"}[zeroBased])
		}
		return v.Child, from + at, nil
	}
}

func findMapValue(f *frame, i int) (*vector.Vector, int, error) {
	v, p := f.at(0, i)
	kv, kp := f.at(1, i)
	keys := v.Child.Children[0]
	for at := int(v.Offsets[p]); at < int(v.Offsets[p+1]); at++ {
		if equalAt(kv.Type, keys, at, kv, kp) {
			return v.Child.Children[1], at, nil
		}
	}
	return nil, -1, nil
}

// withElement brings an array and what it is to hold together.
func withElement(name string, args []expr.Expr, widen widening) (cast []expr.Expr, elem types.Type, err error) {
	if err := wantArgs(name, args, 2, 2); err != nil {
		return nil, types.Type{}, err
	}
	t := args[0].Type()
	if t.Kind != types.Array {
		return nil, types.Type{}, mismatch("%s takes an array, not %s", name, t)
	}
	elem, ok := widen(plain(t.Elem.Type), plain(args[1].Type()))
	if !ok {
		return nil, types.Type{}, mismatch("%s can't bring %s and %s together; add a CAST", name, t, args[1].Type())
	}
	return []expr.Expr{castTo(args[0], types.ArrayOf(elem, t.Elem.Nullable)), castTo(args[1], elem)}, elem, nil
}

// withKey brings a map and a key together.
func withKey(name string, args []expr.Expr, widen widening) (cast []expr.Expr, key types.Type, err error) {
	if err := wantArgs(name, args, 2, 2); err != nil {
		return nil, types.Type{}, err
	}
	t := args[0].Type()
	if t.Kind != types.Map {
		return nil, types.Type{}, mismatch("%s takes a map, not %s", name, t)
	}
	key, ok := widen(plain(t.Key.Type), plain(args[1].Type()))
	if !ok {
		return nil, types.Type{}, mismatch("a %s has no key of type %s", t, args[1].Type())
	}
	return []expr.Expr{castTo(args[0], types.MapOf(key, t.Elem.Type, t.Elem.Nullable)), castTo(args[1], key)}, key, nil
}

func resolveArrayContains(name string, args []expr.Expr) (expr.Expr, error) {
	cast, elem, err := withElement(name, args, commonWithoutStrings)
	if err != nil {
		return nil, err
	}
	if args[1].Type().Kind == types.Void || !Orderable(elem) {
		return nil, mismatch("%s can't look for %s in %s", name, args[1].Type(), args[0].Type())
	}
	call := typedCall(name, types.Of(types.Boolean), cast...)
	call.MayBeNull = call.MayBeNull || args[0].Type().Elem.Nullable
	return call, nil
}

func resolveArrayPosition(name string, args []expr.Expr) (expr.Expr, error) {
	cast, elem, err := withElement(name, args, tightestType)
	if err != nil {
		return nil, err
	}
	if elem.Kind == types.Void || !Orderable(elem) {
		return nil, mismatch("%s can't look for %s in %s", name, args[1].Type(), args[0].Type())
	}
	return typedCall(name, types.Of(types.BigInt), cast...), nil
}

func resolveMapContainsKey(name string, args []expr.Expr) (expr.Expr, error) {
	cast, key, err := withKey(name, args, commonWithoutStrings)
	if err != nil {
		return nil, err
	}
	if args[1].Type().Kind == types.Void || !Orderable(key) {
		return nil, mismatch("%s can't look for %s, which is no key", name, args[1].Type())
	}
	return typedCall(name, types.Of(types.Boolean), cast...), nil
}

// rowArrayContains answers NULL for a value that an array with NULLs does not
// show to hold.
func rowArrayContains(f *frame, i int) error {
	v, p := f.at(0, i)
	x, xp := f.at(1, i)
	child := v.Child
	if v.Type.Kind == types.Map {
		child = child.Children[0]
	}
	from, null, found := int(v.Offsets[p]), false, 0
	for at := from; at < int(v.Offsets[p+1]) && found == 0; at++ {
		switch {
		case child.IsNull(at):
			null = true
		case equalAt(x.Type, child, at, x, xp):
			found = at - from + 1
		}
	}
	if f.out.Type.Kind == types.BigInt {
		f.out.Int64s[i] = int64(found)
		return nil
	}
	f.out.Bools[i] = found > 0
	if found == 0 && null {
		f.setNull(i)
	}
	return nil
}
