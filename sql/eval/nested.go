package eval

import (
	"sort"
	"strconv"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// nestedKernel makes a kernel whose results are ARRAY, MAP or STRUCT values,
// appended one by one; nil is NULL.
func nestedKernel(row func(f *frame, i int) (any, error)) kernel {
	return func(f *frame) error {
		b := vector.NewBuilder(f.out.Type, f.n)
		k := 0
		for i := range f.n {
			if f.sel != nil && (k == len(f.sel) || int(f.sel[k]) != i) {
				b.AppendNull()
				continue
			}
			k++
			if !f.out.Valid.Valid(i) {
				b.AppendNull()
				continue
			}
			value, err := row(f, i)
			if err != nil {
				return err
			}
			b.AppendValue(value)
		}
		*f.out = *b.Vector()
		return nil
	}
}

// compileNestedRow makes a node of a function with nested results.
func compileNestedRow(row func(f *frame, i int) (any, error)) compiled {
	return compileNestedArgs(true, row)
}

func compileNestedArgs(strict bool, row func(f *frame, i int) (any, error)) compiled {
	return func(c *compiler, e *expr.Call) (node, error) {
		args, err := c.compileAll(e.Args)
		if err != nil {
			return nil, err
		}
		return newCall(c, e.Name, e.T, args, strict, nestedKernel(row)), nil
	}
}

// nestedFunctions make and take apart arrays, maps and structs.
func nestedFunctions() []*Function {
	out := []*Function{
		special("array", "(T…) ARRAY<T>", "an array of the arguments", resolveArray, compileNestedArgs(false, rowArray)),
		special("map", "(K, V, …) MAP<K, V>", "a map of keys and values in turn", resolveMap, compileNestedArgs(false, rowMap)),
		special("struct", "(ANY…) STRUCT", "a struct of the arguments", resolveStruct, compileNestedArgs(false, rowArray)),
		special("named_struct", "(STRING, ANY, …) STRUCT", "a struct of names and values in turn", resolveNamedStruct, nil),
	}
	for _, f := range out {
		f.lenient = true
	}
	return append(out,
		special("struct_field", "(STRUCT, INT) ANY", "the field at a position, from 0", resolveStructField, compileStructField),
		special("element_at", "(ARRAY<T> | MAP<K, T>, INT | K) T", "the element at a position from 1, or from the end if negative, or the value of a key", resolveElementAt, compileElementAt),
		special("try_element_at", "(ARRAY<T> | MAP<K, T>, INT | K) T", "element_at with NULL where there is none", resolveElementAt, compileElementAt),
		special("get", "(ARRAY<T>, INT) T", "the element at a position from 0, NULL where there is none", resolveElementAt, compileElementAt),
		special("array_element subscript", "(ARRAY<T> | MAP<K, T>, INT | K) T", "the subscript: the element at a position from 0, or the value of a key", resolveElementAt, compileElementAt),
		special("size cardinality array_size", "(ARRAY | MAP) INT", "the number of elements", resolveSize, compileRow(rowSize)),
		special("array_contains", "(ARRAY<T>, T) BOOLEAN", "tells whether an array holds a value", resolveContains, compileRow(rowArrayContains)),
		special("array_position", "(ARRAY<T>, T) BIGINT", "the position of a value from 1, or 0", resolveContains, compileRow(rowArrayContains)),
		special("sort_array array_sort", "(ARRAY<T>, BOOLEAN?) ARRAY<T>", "in ascending order, or descending if the second argument is false", resolveSortArray, compileNestedRow(rowSortArray)),
		special("array_distinct", "(ARRAY<T>) ARRAY<T>", "without repetitions", resolveSameArray, compileNestedRow(rowArrayDistinct)),
		special("array_max", "(ARRAY<T>) T", "the greatest element", resolveArrayExtreme, compileArrayExtreme),
		special("array_min", "(ARRAY<T>) T", "the least element", resolveArrayExtreme, compileArrayExtreme),
		special("array_join", "(ARRAY<STRING>, STRING, STRING?) STRING", "the elements joined; the third argument stands for NULL", resolveArrayJoin, compileRow(rowArrayJoin)),
		special("map_keys", "(MAP<K, V>) ARRAY<K>", "the keys", resolveMapPart, compileMapPart),
		special("map_values", "(MAP<K, V>) ARRAY<V>", "the values", resolveMapPart, compileMapPart),
		special("map_contains_key", "(MAP<K, V>, K) BOOLEAN", "tells whether a map has a key", resolveContains, compileRow(rowArrayContains)),
	)
}

func resolveArray(name string, args []expr.Expr) (expr.Expr, error) {
	cast, t, err := coerceAll(name, args)
	if err != nil {
		return nil, err
	}
	return &expr.Call{Name: name, Args: cast, T: types.ArrayOf(t, anyNullable(cast))}, nil
}

func rowArray(f *frame, i int) (any, error) {
	out := make([]any, len(f.args))
	for a := range f.args {
		out[a] = f.value(a, i)
	}
	return out, nil
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
	cast := make([]expr.Expr, 0, len(args))
	for i := range keys {
		cast = append(cast, keys[i], vals[i])
	}
	return &expr.Call{Name: name, Args: cast, T: types.MapOf(kt, vt, anyNullable(vals))}, nil
}

func rowMap(f *frame, i int) (any, error) {
	out := make([]vector.MapEntry, 0, len(f.args)/2)
	for a := 0; a < len(f.args); a += 2 {
		key := f.value(a, i)
		if key == nil {
			return nil, invalid("a map can't have the key NULL")
		}
		for _, e := range out {
			if sameValue(f.args[a].Type, e.Key, key) {
				return nil, invalid("a map can't have the key %s twice", printValue(f.args[a].Type, key))
			}
		}
		out = append(out, vector.MapEntry{Key: key, Value: f.value(a+1, i)})
	}
	return out, nil
}

func sameValue(t types.Type, a, b any) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	order, ok := types.CompareValues(t, a, b)
	return ok && order == 0
}

func resolveStruct(name string, args []expr.Expr) (expr.Expr, error) {
	fields := make([]types.Field, len(args))
	for i, a := range args {
		fields[i] = types.Field{Name: "col" + strconv.Itoa(i+1), Type: plain(a.Type()), Nullable: a.Nullable()}
		if c, ok := a.(*expr.Column); ok {
			fields[i].Name = c.Name
		}
	}
	return &expr.Call{Name: name, Args: args, T: types.StructOf(fields...)}, nil
}

// resolveNamedStruct makes a struct call whose type has the names.
func resolveNamedStruct(name string, args []expr.Expr) (expr.Expr, error) {
	if len(args)%2 != 0 {
		return nil, mismatch("named_struct takes names and values in turn, not %d arguments", len(args))
	}
	var fields []types.Field
	var vals []expr.Expr
	for i := 0; i < len(args); i += 2 {
		v, ok := literalOf(args[i])
		fieldName, isString := v.(string)
		if !ok || !isString {
			return nil, mismatch("named_struct takes constant strings as names, not %s", args[i])
		}
		fields = append(fields, types.Field{Name: fieldName, Type: plain(args[i+1].Type()), Nullable: args[i+1].Nullable()})
		vals = append(vals, args[i+1])
	}
	return &expr.Call{Name: "struct", Args: vals, T: types.StructOf(fields...)}, nil
}

func resolveStructField(name string, args []expr.Expr) (expr.Expr, error) {
	if err := wantArgs(name, args, 2, 2); err != nil {
		return nil, err
	}
	t := args[0].Type()
	v, _ := literalOf(args[1])
	n, ok := v.(int64)
	if t.Kind != types.Struct || !ok || n < 0 || int(n) >= len(t.Fields) {
		return nil, mismatch("%s has no field at position %s", t, args[1])
	}
	f := t.Fields[n]
	return &expr.Call{Name: name, Args: []expr.Expr{args[0], expr.Int(n)}, T: f.Type, MayBeNull: f.Nullable || args[0].Nullable()}, nil
}

// structFieldNode gives the child vector of a field, masked where the struct is
// NULL.
type structFieldNode struct {
	arg   node
	field int
}

func compileStructField(c *compiler, e *expr.Call) (node, error) {
	arg, err := c.compile(e.Args[0])
	if err != nil {
		return nil, err
	}
	return &structFieldNode{arg: arg, field: int(e.Args[1].(*expr.Literal).Value.(int64))}, nil
}

func (n *structFieldNode) eval(b *vector.Batch, sel vector.Selection) (*vector.Vector, error) {
	v, err := n.arg.eval(b, sel)
	if err != nil {
		return nil, err
	}
	if v.Form == vector.Dictionary {
		v = flattenNested(v, sel)
	}
	child := v.Children[n.field]
	if v.Form == vector.Constant {
		if v.IsNull(0) || child.IsNull(0) {
			return vector.NewNull(child.Type, b.Len), nil
		}
		return constantVectorOf(child, 0, b.Len), nil
	}
	if v.Valid == nil {
		return child, nil
	}
	out := *child.Flatten()
	out.Valid = vector.And(out.Valid, v.Valid)
	return &out, nil
}

// constantVectorOf makes row i of v a constant of n rows.
func constantVectorOf(v *vector.Vector, i, n int) *vector.Vector {
	out := constantVector(v.Type, v.Value(i))
	out.Len = n
	return out
}

func resolveElementAt(name string, args []expr.Expr) (expr.Expr, error) {
	if err := wantArgs(name, args, 2, 2); err != nil {
		return nil, err
	}
	t := args[0].Type()
	var key types.Type
	switch t.Kind {
	case types.Array:
		key = types.Of(types.Int)
		if !args[1].Type().IsInteger() && args[1].Type().Kind != types.Void {
			return nil, mismatch("an array is subscripted by a whole number, not by %s", args[1].Type())
		}
	case types.Map:
		key = plain(t.Key.Type)
		if common, ok := CommonType(key, args[1].Type()); !ok || !common.Equal(key) {
			return nil, mismatch("a %s has no key of type %s", t, args[1].Type())
		}
	default:
		return nil, mismatch("%s takes an array or a map, not %s", name, t)
	}
	return &expr.Call{Name: name, Args: []expr.Expr{args[0], castTo(args[1], key)}, T: t.Elem.Type, MayBeNull: true}, nil
}

// compileElementAt finds the element's row in the child vector and copies it.
func compileElementAt(c *compiler, e *expr.Call) (node, error) {
	args, err := c.compileAll(e.Args)
	if err != nil {
		return nil, err
	}
	find := elementFinder(e)
	k := func(f *frame) error {
		b := vector.NewBuilder(e.T, f.n)
		next := 0
		for i := range f.n {
			if f.sel != nil && (next == len(f.sel) || int(f.sel[next]) != i) {
				b.AppendNull()
				continue
			}
			next++
			if !f.out.Valid.Valid(i) {
				b.AppendNull()
				continue
			}
			values, at, err := find(f, i)
			switch {
			case err != nil:
				return err
			case at < 0:
				b.AppendNull()
			default:
				b.AppendFrom(values, at)
			}
		}
		*f.out = *b.Vector()
		return nil
	}
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
			return nil, -1, invalid("the array of %d elements has none at %d; use try_element_at to get NULL instead", size, n)
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

func resolveSize(name string, args []expr.Expr) (expr.Expr, error) {
	if err := wantArgs(name, args, 1, 1); err != nil {
		return nil, err
	}
	if k := args[0].Type().Kind; k != types.Array && k != types.Map {
		return nil, mismatch("%s takes an array or a map, not %s", name, args[0].Type())
	}
	return typedCall(name, types.Of(types.Int), args...), nil
}

func rowSize(f *frame, i int) error {
	v, p := f.at(0, i)
	f.out.Int32s[i] = v.Offsets[p+1] - v.Offsets[p]
	return nil
}

// resolveContains types array_contains, array_position and map_contains_key.
func resolveContains(name string, args []expr.Expr) (expr.Expr, error) {
	if err := wantArgs(name, args, 2, 2); err != nil {
		return nil, err
	}
	t := args[0].Type()
	result := types.Of(types.Boolean)
	var elem types.Type
	switch {
	case name == "map_contains_key" && t.Kind == types.Map:
		elem = t.Key.Type
	case name != "map_contains_key" && t.Kind == types.Array:
		elem = t.Elem.Type
	default:
		return nil, mismatch("%s does not take %s", name, t)
	}
	if name == "array_position" {
		result = types.Of(types.BigInt)
	}
	common, ok := CommonType(elem, args[1].Type())
	if !ok || !Orderable(common) {
		return nil, mismatch("%s can't look for %s in %s", name, args[1].Type(), t)
	}
	array := args[0]
	if t.Kind == types.Array {
		array = castTo(array, types.ArrayOf(common, t.Elem.Nullable))
	} else if !sameValues(elem, common) {
		return nil, mismatch("a %s has no key of type %s", t, args[1].Type())
	}
	call := typedCall(name, result, array, castTo(args[1], common))
	call.MayBeNull = call.MayBeNull || name == "array_contains" && t.Elem.Nullable
	return call, nil
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

func resolveSameArray(name string, args []expr.Expr) (expr.Expr, error) {
	if err := wantArgs(name, args, 1, 1); err != nil {
		return nil, err
	}
	if t := args[0].Type(); t.Kind != types.Array {
		return nil, mismatch("%s takes an array, not %s", name, t)
	}
	return typedCall(name, args[0].Type(), args...), nil
}

func resolveSortArray(name string, args []expr.Expr) (expr.Expr, error) {
	if err := wantArgs(name, args, 1, 2); err != nil {
		return nil, err
	}
	t := args[0].Type()
	if t.Kind != types.Array || !Orderable(t.Elem.Type) || len(args) == 2 && args[1].Type().Kind != types.Boolean {
		return nil, noOverload(name, args)
	}
	return typedCall(name, t, args...), nil
}

// rowSortArray puts NULLs first in ascending order and last in descending.
func rowSortArray(f *frame, i int) (any, error) {
	sign := 1
	if len(f.args) > 1 && !f.bool(1, i) {
		sign = -1
	}
	t := f.out.Type.Elem.Type
	out := f.value(0, i).([]any)
	sort.SliceStable(out, func(a, b int) bool {
		x, y := out[a], out[b]
		if x == nil || y == nil {
			return (x == nil && y != nil) == (sign > 0) && (x == nil) != (y == nil)
		}
		order, _ := types.CompareValues(t, x, y)
		return sign*order < 0
	})
	return out, nil
}

func rowArrayDistinct(f *frame, i int) (any, error) {
	return distinctValues(f.out.Type.Elem.Type, f.list(0, i)), nil
}

func resolveArrayExtreme(name string, args []expr.Expr) (expr.Expr, error) {
	if err := wantArgs(name, args, 1, 1); err != nil {
		return nil, err
	}
	t := args[0].Type()
	if t.Kind != types.Array || !Orderable(t.Elem.Type) {
		return nil, mismatch("%s takes an array of values with an order, not %s", name, t)
	}
	return &expr.Call{Name: name, Args: args, T: t.Elem.Type, MayBeNull: true}, nil
}

func compileArrayExtreme(c *compiler, e *expr.Call) (node, error) {
	sign := 1
	if e.Name == "array_min" {
		sign = -1
	}
	return compileNestedRow(func(f *frame, i int) (any, error) {
		var best any
		for _, x := range f.value(0, i).([]any) {
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

func resolveArrayJoin(name string, args []expr.Expr) (expr.Expr, error) {
	if err := wantArgs(name, args, 2, 3); err != nil {
		return nil, err
	}
	cast := append([]expr.Expr{}, args...)
	if args[0].Type().Kind != types.Array {
		return nil, mismatch("array_join takes an array, not %s", args[0].Type())
	}
	cast[0] = castTo(args[0], types.ArrayOf(stringType, true))
	for i := 1; i < len(args); i++ {
		cast[i] = castTo(args[i], stringType)
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
	}
	return f.endBytes(i, start)
}

func resolveMapPart(name string, args []expr.Expr) (expr.Expr, error) {
	if err := wantArgs(name, args, 1, 1); err != nil {
		return nil, err
	}
	t := args[0].Type()
	if t.Kind != types.Map {
		return nil, mismatch("%s takes a map, not %s", name, t)
	}
	result := types.ArrayOf(t.Key.Type, false)
	if name == "map_values" {
		result = types.ArrayOf(t.Elem.Type, t.Elem.Nullable)
	}
	return typedCall(name, result, args...), nil
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
