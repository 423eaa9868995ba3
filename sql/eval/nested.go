package eval

import (
	"strconv"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// nestedKernel makes a kernel whose results are ARRAY, MAP or STRUCT values; nil
// is NULL.
func nestedKernel(row func(f *frame, i int) (any, error)) kernel {
	return builderKernel(func(b *vector.Builder, f *frame, i int) error {
		value, err := row(f, i)
		if err == nil {
			b.AppendValue(value)
		}
		return err
	})
}

// builderKernel makes a kernel whose results are appended one by one.
func builderKernel(appendRow func(b *vector.Builder, f *frame, i int) error) kernel {
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
			if err := appendRow(b, f, i); err != nil {
				return err
			}
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

// nestedFunctions make arrays and structs and take fields.
func nestedFunctions() []*Function {
	out := []*Function{
		special("array", "(T…) ARRAY<T>", "an array of the arguments", resolveArray, compileNestedArgs(false, rowArray)),
		special("struct", "(ANY…) STRUCT", "a struct of the arguments", resolveStruct, compileNestedArgs(false, rowArray)),
		special("named_struct", "(STRING, ANY, …) STRUCT", "a struct of names and values in turn", resolveNamedStruct, nil),
	}
	for _, f := range out {
		f.lenient = true
	}
	return append(out,
		special("struct_field", "(STRUCT, INT) ANY", "the field at a position, from 0", resolveStructField, compileStructField),
		special("array_field", "(ARRAY<STRUCT>, INT) ARRAY", "the field at a position, from 0, of each struct", resolveArrayField, compileArrayField),
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

// resolveArrayField is resolveStructField for the structs of an array.
func resolveArrayField(name string, args []expr.Expr) (expr.Expr, error) {
	if err := wantArgs(name, args, 2, 2); err != nil {
		return nil, err
	}
	t := args[0].Type()
	if t.Kind != types.Array {
		return nil, mismatch("%s takes an array of structs, not %s", name, t)
	}
	field, err := resolveStructField(name, []expr.Expr{&expr.Column{T: t.Elem.Type, MayBeNull: t.Elem.Nullable}, args[1]})
	if err != nil {
		return nil, err
	}
	return typedCall(name, types.ArrayOf(field.Type(), field.Nullable()), args[0], field.(*expr.Call).Args[1]), nil
}

// compileArrayField shares the array's offsets and one child of its structs.
func compileArrayField(c *compiler, e *expr.Call) (node, error) {
	args, err := c.compileAll(e.Args[:1])
	if err != nil {
		return nil, err
	}
	field := int(e.Args[1].(*expr.Literal).Value.(int64))
	return newCall(c, e.Name, e.T, args, true, func(f *frame) error {
		a := f.args[0]
		*f.out = vector.Vector{Type: e.T, Len: f.n, Valid: a.Valid, Offsets: a.Offsets, Child: childOf(a.Child, field)}
		return nil
	}), nil
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
	return childOf(v, n.field), nil
}

// childOf gives a field of a flat vector of structs, NULL where they are.
func childOf(v *vector.Vector, field int) *vector.Vector {
	child := v.Children[field]
	if v.Valid == nil {
		return child
	}
	out := *child.Flatten()
	out.Valid = vector.And(out.Valid, v.Valid)
	return &out
}

// constantVectorOf makes row i of v a constant of n rows.
func constantVectorOf(v *vector.Vector, i, n int) *vector.Vector {
	out := constantVector(v.Type, v.Value(i))
	out.Len = n
	return out
}
