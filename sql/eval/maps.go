package eval

import (
	"errors"
	"fmt"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// mapFunctions make maps and take them apart.
func mapFunctions() []*Function {
	return []*Function{
		special("map", "(K, V, …) MAP<K, V>", "a map of keys and values in turn", resolveMap, compileNestedArgs(false, rowMap)).asLenient(),
		special("map_keys", "(MAP<K, V>) ARRAY<K>", "the keys", resolveMapPart, compileMapPart),
		special("map_values", "(MAP<K, V>) ARRAY<V>", "the values", resolveMapPart, compileMapPart),
		special("map_entries", "(MAP<K, V>) ARRAY<STRUCT<key: K, value: V>>", "the entries as structs", resolveMapPart, compileNestedRow(rowMapEntries)),
		special("map_from_arrays", "(ARRAY<K>, ARRAY<V>) MAP<K, V>", "a map of an array of keys and one of values", resolveMapFromArrays, compileNestedRow(rowMapFromArrays)),
	}
}

func resolveMap(name string, args []expr.Expr) (expr.Expr, error) {
	if len(args)%2 != 0 {
		return nil, mismatch("map takes keys and values in turn, not %d arguments", len(args))
	}
	var keys, vals []expr.Expr
	for i := 0; i < len(args); i += 2 {
		keys, vals = append(keys, args[i]), append(vals, args[i+1])
	}
	keys, kt, err := coerceAll(name, keys)
	if err != nil {
		return nil, err
	}
	vals, vt, err := coerceAll(name, vals)
	if err != nil {
		return nil, err
	}
	if !Orderable(kt) {
		return nil, mismatch("a %s can't be the key of a map", kt)
	}
	cast := make([]expr.Expr, 0, len(args))
	for i := range keys {
		cast = append(cast, keys[i], vals[i])
	}
	return &expr.Call{Name: name, Args: cast, T: types.MapOf(kt, vt, anyNullable(vals))}, nil
}

func rowMap(f *frame, i int) (any, error) {
	keys, vals := make([]any, 0, len(f.args)/2), make([]any, 0, len(f.args)/2)
	for a := 0; a < len(f.args); a += 2 {
		key := f.value(a, i)
		if x, ok := key.(float64); ok {
			key = x + 0 // of equal zeros the positive one is the key
		}
		keys, vals = append(keys, key), append(vals, f.value(a+1, i))
	}
	return mapOf(f.out.Type, keys, vals)
}

// mapOf pairs keys with as many values.
func mapOf(t types.Type, keys, vals []any) (any, error) {
	out := make([]vector.MapEntry, len(keys))
	seen := newValueSet(t.Key.Type, nil)
	for n, k := range keys {
		switch {
		case k == nil:
			return nil, invalid("a map can't have the key NULL")
		case !seen.add(k):
			return nil, fmt.Errorf("%w: %s twice in a map", ErrDuplicateKey, printValue(t.Key.Type, k))
		}
		out[n] = vector.MapEntry{Key: k, Value: vals[n]}
	}
	return out, nil
}

// mapArg gives an argument that is a map; NULL is a MAP<VOID, VOID>.
func mapArg(name string, e expr.Expr) (expr.Expr, error) {
	switch e.Type().Kind {
	case types.Map:
		return e, nil
	case types.Void:
		return castTo(e, types.MapOf(types.Type{}, types.Type{}, true)), nil
	}
	return nil, mismatch("%s takes a map, not %s", name, e.Type())
}

func resolveMapPart(name string, args []expr.Expr) (expr.Expr, error) {
	if err := wantArgs(name, args, 1, 1); err != nil {
		return nil, err
	}
	m, err := mapArg(name, args[0])
	if err != nil {
		return nil, err
	}
	t := m.Type()
	result := types.ArrayOf(t.Key.Type, false)
	switch name {
	case "map_values":
		result = types.ArrayOf(t.Elem.Type, t.Elem.Nullable)
	case "map_entries":
		result = types.ArrayOf(types.StructOf(*t.Key, *t.Elem), false)
	}
	return typedCall(name, result, m), nil
}

// compileMapPart shares the map's offsets and one child of its entries.
func compileMapPart(c *compiler, e *expr.Call) (node, error) {
	args, err := c.compileAll(e.Args)
	if err != nil {
		return nil, err
	}
	part := truth(e.Name == "map_values")
	return newCall(c, e.Name, e.T, args, true, func(f *frame) error {
		a := f.args[0]
		*f.out = vector.Vector{Type: e.T, Len: f.n, Valid: a.Valid, Offsets: a.Offsets, Child: a.Child.Children[part]}
		return nil
	}), nil
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
	keys, errKeys := arrayArg(name, args[0])
	vals, errVals := arrayArg(name, args[1])
	if errors.Join(errKeys, errVals) != nil {
		return nil, noOverload(name, args)
	}
	k, v := keys.Type().Elem, vals.Type().Elem
	if !Orderable(k.Type) {
		return nil, mismatch("a %s can't be the key of a map", k.Type)
	}
	return typedCall(name, types.MapOf(k.Type, v.Type, v.Nullable), keys, vals), nil
}

func rowMapFromArrays(f *frame, i int) (any, error) {
	keys, vals := f.list(0, i), f.list(1, i)
	if len(keys) != len(vals) {
		return nil, invalid("map_from_arrays takes as many keys as values, not %d and %d", len(keys), len(vals))
	}
	return mapOf(f.out.Type, keys, vals)
}
