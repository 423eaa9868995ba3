package bind

import (
	"strings"

	"github.com/tarndb/tarn/sql/ast"
	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/expr"
)

// lambdaArgs binds the arguments of a function that takes lambda functions: their
// parameters are of types that the arguments before them decide.
func (b *binder) lambdaArgs(e *ast.Call, name string, c exprContext) ([]expr.Expr, error) {
	bound := make([]expr.Expr, len(e.Args))
	for i, a := range e.Args {
		l, ok := a.(*ast.Lambda)
		var err error
		if !ok {
			bound[i], err = b.bindExpr(a, c)
		} else {
			bound[i], err = b.lambda(l, name, i, bound[:i], c)
		}
		if err != nil {
			return nil, err
		}
	}
	return bound, nil
}

// lambda binds a lambda function as an argument. Its parameters hide columns and the
// parameters of lambdas around it.
func (b *binder) lambda(l *ast.Lambda, name string, at int, before []expr.Expr, c exprContext) (expr.Expr, error) {
	if at == 0 {
		return nil, b.errorAt(l, eval.ErrTypeMismatch, "the first argument of %s is no function", name)
	}
	fields, least, ok := eval.LambdaParams(name, at, before)
	if !ok {
		return nil, b.errorAt(l, eval.ErrTypeMismatch, "%s takes no function here for the arguments before it", name)
	}
	if len(l.Params) < least || len(l.Params) > len(fields) {
		return nil, b.errorAt(l, eval.ErrTypeMismatch, "the function that %s takes has %d parameters here, not %d", name, len(fields), len(l.Params))
	}
	out := &expr.Lambda{Params: make([]*expr.Variable, len(l.Params))}
	for i, p := range l.Params {
		for _, other := range out.Params[:i] {
			if strings.EqualFold(other.Name, p.Name) {
				return nil, b.errorAt(p, ErrInvalidSQL, "two parameters are named %s", p.Name)
			}
		}
		out.Params[i] = &expr.Variable{ID: len(c.variables) + i, Name: p.Name, T: fields[i].Type, MayBeNull: fields[i].Nullable}
	}
	inner := exprContext{scope: c.scope, aliases: c.aliases, aliasesFirst: c.aliasesFirst, clause: "a lambda function", unfolded: c.unfolded}
	inner.variables = append(append(inner.variables, c.variables...), out.Params...)
	var err error
	out.Body, err = b.bindExpr(l.Body, inner)
	return out, err
}

// variable finds the parameter of a lambda that a name means; nil for none.
func (c exprContext) variable(name string) *expr.Variable {
	for i := len(c.variables) - 1; i >= 0; i-- {
		if strings.EqualFold(c.variables[i].Name, name) {
			return c.variables[i]
		}
	}
	return nil
}
