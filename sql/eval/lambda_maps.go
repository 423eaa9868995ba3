package eval

import (
	"slices"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

func lambdaMapFunctions() []*Function {
	return []*Function{
		special("map_filter", "(MAP<K, V>, (K, V) -> BOOLEAN) MAP<K, V>", "the entries for which the condition is true", resolveFilter(types.Map), compileLambdas(runFilter)).takes(entryParams),
		special("transform_keys", "(MAP<K, V>, (K, V) -> L) MAP<L, V>", "a map with the keys that the function makes of each entry", resolveTransformKeys, compileLambdas(runTransformKeys)).takes(entryParams),
		special("transform_values", "(MAP<K, V>, (K, V) -> W) MAP<K, W>", "a map with the values that the function makes of each entry", resolveTransformValues, compileLambdas(runTransformValues)).takes(entryParams),
		special("map_zip_with", "(MAP<K, V>, MAP<K, W>, (K, V, W) -> X) MAP<K, X>", "a map of all keys of both, with what the function makes of them and their values, NULL for a missing one", resolveMapZip, compileLambdas(runMapZip)).takes(mapZipParams),
	}
}

// entryParams are the key and the value of a map's entries.
func entryParams(at int, args []expr.Expr) ([]types.Field, int, bool) {
	if at != 1 {
		return nil, 0, false
	}
	entry, ok := entryOf(args[0])
	return entry, 2, ok
}

func resolveTransformKeys(name string, args []expr.Expr) (expr.Expr, error) {
	l, err := lambdaOver(types.Map, name, args)
	if err != nil {
		return nil, err
	}
	if !Orderable(l.Type()) {
		return nil, mismatch("a %s can't be the key of a map", l.Type())
	}
	value := args[0].Type().Elem
	return &expr.Call{Name: name, Args: args, T: types.MapOf(plain(l.Type()), value.Type, value.Nullable), MayBeNull: args[0].Nullable()}, nil
}

func resolveTransformValues(name string, args []expr.Expr) (expr.Expr, error) {
	l, err := lambdaOver(types.Map, name, args)
	if err != nil {
		return nil, err
	}
	return &expr.Call{Name: name, Args: args, T: types.MapOf(args[0].Type().Key.Type, plain(l.Type()), l.Nullable()), MayBeNull: args[0].Nullable()}, nil
}

// entriesOf are the keys and values of maps one after the other.
func entriesOf(maps *vector.Vector, e *listElements) (keys, values *vector.Vector) {
	entries := maps.Child.Select(e.at).Flatten()
	return entries.Children[0], entries.Children[1]
}

// entriesVector makes the child of maps.
func entriesVector(t types.Type, keys, values *vector.Vector) *vector.Vector {
	return &vector.Vector{Type: types.StructOf(*t.Key, *t.Elem), Len: keys.Len, Children: []*vector.Vector{keys, values}}
}

func runTransformValues(n *lambdaNode, r *lambdaRows) (*vector.Vector, error) {
	maps := r.args[0]
	e := elementsOf(maps)
	keys, values := entriesOf(maps, e)
	made, err := n.apply(r, 1, e.rows, keys, values)
	if err != nil {
		return nil, err
	}
	return listOf(n.t, r.n, maps.Valid, e.offsets, entriesVector(n.t, keys.Flatten(), made)), nil
}

func runTransformKeys(n *lambdaNode, r *lambdaRows) (*vector.Vector, error) {
	maps := r.args[0]
	e := elementsOf(maps)
	keys, values := entriesOf(maps, e)
	made, err := n.apply(r, 1, e.rows, keys, values)
	if err != nil {
		return nil, err
	}
	b := vector.NewBuilder(n.t, r.n)
	for i := range r.n {
		if maps.IsNull(i) {
			b.AppendNull()
			continue
		}
		var ks, vs []any
		for k := e.offsets[i]; k < e.offsets[i+1]; k++ {
			ks, vs = append(ks, made.Value(int(k))), append(vs, values.Value(int(k)))
		}
		entries, err := mapOf(n.t, ks, vs)
		if err != nil {
			return nil, err
		}
		b.AppendValue(entries)
	}
	return b.Vector(), nil
}

func mapZipParams(at int, args []expr.Expr) ([]types.Field, int, bool) {
	if at != 2 {
		return nil, 0, false
	}
	a, ok := entryOf(args[0])
	b, also := entryOf(args[1])
	if !ok || !also {
		return nil, 0, false
	}
	key, ok := zippedKey(a[0].Type, b[0].Type)
	if !ok {
		return nil, 0, false
	}
	return []types.Field{{Type: key}, {Type: a[1].Type, Nullable: true}, {Type: b[1].Type, Nullable: true}}, 3, true
}

// zippedKey is the type of the keys of two maps, of which one may have no type.
func zippedKey(a, b types.Type) (types.Type, bool) {
	switch {
	case a.Kind == types.Void:
		return b, true
	case b.Kind == types.Void:
		return a, true
	}
	return plain(a), sameValues(a, b)
}

func resolveMapZip(name string, args []expr.Expr) (expr.Expr, error) {
	l, ok := lambdaArg(args, 2)
	if !ok || len(args) != 3 {
		return nil, noOverload(name, args)
	}
	cast := slices.Clone(args)
	key, _ := zippedKey(args[0].Type().Key.Type, args[1].Type().Key.Type)
	for i, m := range args[:2] {
		cast[i] = castTo(m, types.MapOf(key, m.Type().Elem.Type, m.Type().Elem.Nullable))
	}
	return &expr.Call{Name: name, Args: cast, T: types.MapOf(key, plain(l.Type()), l.Nullable()), MayBeNull: args[0].Nullable() || args[1].Nullable()}, nil
}

// runMapZip gives the keys of the first map and then those that only the second
// has.
func runMapZip(n *lambdaNode, r *lambdaRows) (*vector.Vector, error) {
	a, b := r.args[0], r.args[1]
	rows, keys := vector.Selection{}, vector.NewBuilder(n.t.Key.Type, 0)
	left, right := vector.NewBuilder(a.Type.Elem.Type, 0), vector.NewBuilder(b.Type.Elem.Type, 0)
	offsets, valid := make([]int32, 1, r.n+1), vector.NewBitmap(r.n)
	for i := range r.n {
		if !a.IsNull(i) && !b.IsNull(i) {
			valid.Set(i)
			for _, e := range zippedEntries(n.t.Key.Type, a.Value(i).([]vector.MapEntry), b.Value(i).([]vector.MapEntry)) {
				rows = append(rows, int32(i))
				keys.AppendValue(e[0])
				left.AppendValue(e[1])
				right.AppendValue(e[2])
			}
		}
		offsets = append(offsets, int32(len(rows)))
	}
	made, err := n.apply(r, 2, rows, keys.Vector(), left.Vector(), right.Vector())
	if err != nil {
		return nil, err
	}
	return listOf(n.t, r.n, valid, offsets, entriesVector(n.t, keys.Vector(), made)), nil
}

// zippedEntries pairs the values of equal keys: key, left and right value.
func zippedEntries(key types.Type, a, b []vector.MapEntry) [][3]any {
	var out [][3]any
	for _, e := range a {
		out = append(out, [3]any{e.Key, e.Value, nil})
	}
	for _, e := range b {
		i := slices.IndexFunc(out[:len(a)], func(have [3]any) bool { return sameValue(key, have[0], e.Key) })
		if i < 0 {
			out = append(out, [3]any{e.Key, nil, e.Value})
		} else {
			out[i][2] = e.Value
		}
	}
	return out
}

// compareParams are those of the function that compares two elements.
func compareParams(at int, args []expr.Expr) ([]types.Field, int, bool) {
	element, ok := elementOf(args[0])
	return []types.Field{element, element}, 2, ok && at == 1
}

// runComparedArray sorts by a function that is negative, zero or positive as its
// first argument comes before the second, with it or after it.
func runComparedArray(n *lambdaNode, r *lambdaRows) (*vector.Vector, error) {
	lists := r.args[0]
	e := elementsOf(lists)
	for i := range r.n {
		var failure error
		slices.SortStableFunc(e.at[e.offsets[i]:e.offsets[i+1]], func(x, y int32) int {
			if failure != nil {
				return 0
			}
			v, err := n.apply(r, 1, vector.Selection{int32(i)}, lists.Child.Select(vector.Selection{x}), lists.Child.Select(vector.Selection{y}))
			switch {
			case err != nil:
				failure = err
			case v.IsNull(0):
				failure = invalid("array_sort: the comparison of two elements gives NULL")
			default:
				return int(v.Int32s[0])
			}
			return 0
		})
		if failure != nil {
			return nil, failure
		}
	}
	return listOf(n.t, r.n, lists.Valid, e.offsets, lists.Child.Select(e.at)), nil
}
