package eval

import (
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
)

// conditionalFunctions choose among their arguments.
func conditionalFunctions() []*Function {
	out := []*Function{
		special("coalesce", "(T, T…) T", "the first argument that is not NULL", resolveCoalesce, (*compiler).compileCoalesce),
		special("nvl ifnull", "(T, T) T", "the first argument, or the second where it is NULL", resolveNvl, nil),
		special("nvl2", "(ANY, T, T) T", "the second argument where the first is not NULL, else the third", resolveNvl2, nil),
		special("nullif", "(T, T) T", "NULL where both arguments are equal, else the first", resolveNullif, nil),
		special("if iff", "(BOOLEAN, T, T) T", "the second argument where the condition is true, else the third", resolveIf, (*compiler).compileIf),
		special("nanvl", "(DOUBLE, DOUBLE) DOUBLE", "the first argument, or the second where it is NaN", resolveNanvl, nil),
		function("isnan", "tells whether a number is NaN; NULL is not", lenient(over("DOUBLE", "BOOLEAN", func(f *frame, i int) error {
			f.out.Bools[i] = !f.isNull(0, i) && f.float(0, i) != f.float(0, i)
			return nil
		}))),
		special("isnull", "(ANY) BOOLEAN", "tells whether a value is NULL", func(_ string, args []expr.Expr) (expr.Expr, error) {
			return Resolve(expr.OpIsNull, args)
		}, nil),
		special("isnotnull", "(ANY) BOOLEAN", "tells whether a value is not NULL", func(_ string, args []expr.Expr) (expr.Expr, error) {
			return Resolve(expr.OpIsNotNull, args)
		}, nil),
		special("greatest", "(T, T…) T", "the greatest argument that is not NULL", resolveExtreme, compileExtreme),
		special("least", "(T, T…) T", "the least argument that is not NULL", resolveExtreme, compileExtreme),
	}
	for _, f := range out {
		f.lenient = true
	}
	return out
}

func resolveCoalesce(name string, args []expr.Expr) (expr.Expr, error) {
	if err := wantArgs(name, args, 1, -1); err != nil {
		return nil, err
	}
	cast, t, err := coerceAll(name, args)
	if err != nil {
		return nil, err
	}
	nullable := true
	for _, a := range cast {
		nullable = nullable && a.Nullable()
	}
	return &expr.Call{Name: name, Args: cast, T: t, MayBeNull: nullable}, nil
}

func resolveNvl(name string, args []expr.Expr) (expr.Expr, error) {
	if err := wantArgs(name, args, 2, 2); err != nil {
		return nil, err
	}
	return resolveCoalesce("coalesce", args)
}

func resolveIf(name string, args []expr.Expr) (expr.Expr, error) {
	if err := wantArgs(name, args, 3, 3); err != nil {
		return nil, err
	}
	if k := args[0].Type().Kind; k != types.Boolean && k != types.Void {
		return nil, mismatch("%s takes a condition first, not %s", name, args[0].Type())
	}
	cast, t, err := coerceAll(name, args[1:])
	if err != nil {
		return nil, err
	}
	condition := castTo(args[0], types.Of(types.Boolean))
	return &expr.Call{Name: "if", Args: append([]expr.Expr{condition}, cast...), T: t, MayBeNull: anyNullable(cast)}, nil
}

func resolveNvl2(name string, args []expr.Expr) (expr.Expr, error) {
	if err := wantArgs(name, args, 3, 3); err != nil {
		return nil, err
	}
	return resolveIf("if", []expr.Expr{expr.IsNotNull(args[0]), args[1], args[2]})
}

func resolveNullif(name string, args []expr.Expr) (expr.Expr, error) {
	if err := wantArgs(name, args, 2, 2); err != nil {
		return nil, err
	}
	equal, err := resolveCompare(expr.OpEqual, args)
	if err != nil {
		return nil, err
	}
	t := args[0].Type()
	return &expr.Case{Whens: []expr.When{{Condition: equal, Result: expr.Null(t)}}, Else: args[0], T: t}, nil
}

func resolveNanvl(name string, args []expr.Expr) (expr.Expr, error) {
	if err := wantArgs(name, args, 2, 2); err != nil {
		return nil, err
	}
	for _, a := range args {
		if castCost(a.Type(), types.Of(types.Double)) >= impossible {
			return nil, mismatch("%s takes numbers, not %s", name, typeList(args))
		}
	}
	nan, err := Resolve("isnan", args[:1])
	if err != nil {
		return nil, err
	}
	return resolveIf("if", []expr.Expr{nan, castTo(args[1], types.Of(types.Double)), castTo(args[0], types.Of(types.Double))})
}

func resolveExtreme(name string, args []expr.Expr) (expr.Expr, error) {
	if err := wantArgs(name, args, 2, -1); err != nil {
		return nil, err
	}
	strings, others := false, false // the one is not cast for the other here
	for _, a := range args {
		k := a.Type().Kind
		strings, others = strings || k == types.String, others || k != types.String && k != types.Void
	}
	if strings && others {
		return nil, mismatch("%s takes values of one type, not %s; add a CAST", name, typeList(args))
	}
	call, err := resolveCoalesce(name, args)
	if err == nil && !Orderable(call.Type()) {
		return nil, mismatch("values of type %s have no order", call.Type())
	}
	return call, err
}

// compileExtreme makes the node of greatest and least, which pass over NULLs.
func compileExtreme(c *compiler, e *expr.Call) (node, error) {
	args, err := c.compileAll(e.Args)
	if err != nil {
		return nil, err
	}
	sign := 1
	if e.Name == "least" {
		sign = -1
	}
	row := func(f *frame, i int) error {
		best := -1
		for a := range f.args {
			if f.isNull(a, i) {
				continue
			}
			if best < 0 || sign*f.compare(a, best, i) > 0 {
				best = a
			}
		}
		if best < 0 {
			f.setNull(i)
			return nil
		}
		return f.copyValue(i, best)
	}
	if e.T.IsNested() {
		return newCall(c, e.Name, e.T, args, false, nestedKernel(func(f *frame, i int) (any, error) {
			var best any
			for a := range f.args {
				v := f.value(a, i)
				if v == nil {
					continue
				}
				if best == nil {
					best = v
				} else if order, _ := types.CompareValues(e.T, v, best); sign*order > 0 {
					best = v
				}
			}
			return best, nil
		})), nil
	}
	return newCall(c, e.Name, e.T, args, false, rowKernel(row)), nil
}

// compare orders row i of two arguments that are not NULL.
func (f *frame) compare(a, b, i int) int {
	v, p := f.at(a, i)
	w, q := f.at(b, i)
	return compareAt(v.Type, v, p, w, q)
}

// copyValue makes row i of an argument, which has the result's layout, row i of
// the result.
func (f *frame) copyValue(i, a int) error {
	v, p := f.at(a, i)
	switch f.out.Type.Physical() {
	case types.PhysBool:
		f.out.Bools[i] = v.Bools[p]
	case types.PhysInt32:
		f.out.Int32s[i] = v.Int32s[p]
	case types.PhysInt64:
		f.out.Int64s[i] = v.Int64s[p]
	case types.PhysInt128:
		f.out.Int128s[i] = v.Int128s[p]
	case types.PhysFloat32:
		f.out.Float32s[i] = v.Float32s[p]
	case types.PhysFloat64:
		f.out.Float64s[i] = v.Float64s[p]
	case types.PhysBytes:
		return f.setBytes(i, viewBytes(v, p))
	case types.PhysInterval:
		f.out.Intervals[i] = v.Intervals[p]
	}
	return nil
}
