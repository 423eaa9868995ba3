package eval

import (
	"strings"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
)

// Resolve finds the function or operator of a name, chooses its overload for
// the arguments, casts them to the parameters' types where Spark's ANSI mode
// does so without being asked, and gives the typed call. Its errors wrap
// ErrFunctionNotFound (*UnknownFunction) or ErrTypeMismatch.
func Resolve(name string, args []expr.Expr) (expr.Expr, error) {
	f, ok := lookup(name)
	if !ok {
		return nil, unknownFunction(name)
	}
	if f.resolve != nil {
		return f.resolve(f.Name, args)
	}
	return f.call(args)
}

// call types a call by the overloads.
func (f *Function) call(args []expr.Expr) (expr.Expr, error) {
	o, _ := f.pick(args)
	if o == nil {
		return nil, f.noOverload(args)
	}
	cast := make([]expr.Expr, len(args))
	for i, a := range args {
		p, _ := o.param(i)
		cast[i] = a
		if p.Kind != types.Void {
			cast[i] = castTo(a, p)
		}
	}
	return &expr.Call{Name: f.Name, Args: cast, T: o.result, MayBeNull: o.nullable || !o.lenient && anyNullable(cast)}, nil
}

// strictly limits the types of the first arguments, for functions whose
// arguments Spark does not cast at will. NULL stays allowed.
func (f *Function) strictly(checks ...func(types.Type) bool) *Function {
	f.resolve = func(_ string, args []expr.Expr) (expr.Expr, error) {
		for i, check := range checks {
			if i < len(args) && check != nil && args[i].Type().Kind != types.Void && !check(args[i].Type()) {
				return nil, f.noOverload(args)
			}
		}
		return f.call(args)
	}
	return f
}

func (f *Function) noOverload(args []expr.Expr) error {
	return mismatch("%s does not take (%s); it is %s", f.Name, typeList(args), strings.Join(f.Signatures, " or "))
}

// wantArgs checks the number of arguments of a special function.
func wantArgs(name string, args []expr.Expr, least, most int) error {
	if len(args) >= least && (len(args) <= most || most < 0) {
		return nil
	}
	return noOverload(name, args)
}

// noOverload is the error of a special function that does not take arguments of
// such types.
func noOverload(name string, args []expr.Expr) error {
	f, _ := lookup(name)
	return f.noOverload(args)
}

// typedCall makes a typed call that is NULL where an argument is.
func typedCall(name string, t types.Type, args ...expr.Expr) *expr.Call {
	return &expr.Call{Name: name, Args: args, T: t, MayBeNull: anyNullable(args)}
}

// literalOf gives the value of a literal argument, through casts of literals.
func literalOf(e expr.Expr) (any, bool) {
	if l, ok := e.(*expr.Literal); ok {
		return l.Value, l.Value != nil
	}
	if len(expr.Columns(e)) > 0 {
		return nil, false
	}
	v, err := EvalConstant(e, nil)
	return v, err == nil && v != nil
}
