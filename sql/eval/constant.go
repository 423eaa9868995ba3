package eval

import (
	"slices"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// EvalConstant computes an expression that reads no column. Its value has the
// form that vector.Vector.Value gives.
func EvalConstant(e expr.Expr, env *Env) (any, error) {
	if l, ok := e.(*expr.Literal); ok {
		return l.Value, nil
	}
	if env == nil {
		env = &Env{}
	}
	c := &compiler{env: env}
	n, err := c.compile(e)
	if err != nil {
		return nil, err
	}
	v, err := n.eval(vector.NewBatch(1), nil)
	if err != nil {
		return nil, err
	}
	if v.IsNull(0) || v.Type.Physical() == types.PhysNone {
		return nil, nil
	}
	return v.Value(0), nil
}

// FoldConstants replaces what depends on literals only by its value, and
// simplifies AND, OR, NOT, IF, COALESCE and CASE whose outcome is known. A part
// whose evaluation is an error stays as it is, so that the error comes only if
// a row asks for it; calls of volatile functions stay too.
func FoldConstants(e expr.Expr, env *Env) (expr.Expr, error) {
	return expr.Rewrite(e, func(n expr.Expr) expr.Expr { return foldNode(n, env) }), nil
}

func foldNode(n expr.Expr, env *Env) expr.Expr {
	switch n := n.(type) {
	case *expr.Call:
		return foldCall(n, env)
	case *expr.Cast:
		if n.T.Holds(types.Moment) { // tells which arguments must be of one type
			return n
		}
		if _, ok := n.Arg.(*expr.Literal); ok {
			if env != nil && env.Settled != nil {
				env.Settled(n.Arg.Type(), n.T)
			}
			return foldToLiteral(n, env)
		}
		return n
	case *expr.Case:
		return foldCase(n)
	}
	return n
}

func foldCall(n *expr.Call, env *Env) expr.Expr {
	f, ok := lookup(n.Name)
	if !ok || f.Volatile {
		return n
	}
	if f.atFold != nil {
		if env == nil || env.Now.IsZero() {
			return n
		}
		return f.atFold(env)
	}
	switch n.Name {
	case expr.OpAnd:
		return foldLogic(n, false)
	case expr.OpOr:
		return foldLogic(n, true)
	case "coalesce":
		return foldCoalesce(n)
	}
	constant := true
	for _, a := range n.Args {
		l, ok := a.(*expr.Literal)
		constant = constant && (ok || isConstantLambda(a))
		if ok && l.Value == nil && f.strict() {
			return expr.Null(n.T)
		}
	}
	if !constant {
		return n
	}
	return foldToLiteral(n, env)
}

// isConstantLambda reports whether an argument is a lambda that depends on nothing
// but its parameters.
func isConstantLambda(e expr.Expr) bool {
	l, ok := e.(*expr.Lambda)
	return ok && len(expr.Columns(l)) == 0 && len(expr.Outers(l)) == 0 && !IsVolatile(l) && expr.IsClosed(l)
}

func foldToLiteral(n expr.Expr, env *Env) expr.Expr {
	v, err := EvalConstant(n, env)
	if err != nil {
		return n
	}
	return &expr.Literal{T: n.Type(), Value: v}
}

// foldLogic drops the arguments that can't decide and stops at one that does.
// What stands before a deciding literal goes too, as SQL gives no order to the
// operands of AND and OR.
func foldLogic(n *expr.Call, decisive bool) expr.Expr {
	var kept []expr.Expr
	null := false
	for _, a := range n.Args {
		l, ok := a.(*expr.Literal)
		switch {
		case !ok:
			kept = append(kept, a)
		case l.Value == nil:
			null = true
		case l.Value.(bool) == decisive:
			if !slices.ContainsFunc(kept, failed) {
				return a
			}
			kept = append(kept, a) // the operands are computed from the left
		}
	}
	if null {
		if len(kept) == 0 {
			return expr.Null(n.T)
		}
		kept = append(kept, expr.Null(n.T))
	}
	switch {
	case len(kept) == len(n.Args):
		return n
	case len(kept) == 0 && decisive:
		return expr.False
	case len(kept) == 0:
		return expr.True
	case decisive:
		return expr.Or(kept...)
	}
	return expr.And(kept...)
}

// failed reports whether an expression is constant but has no value: if it had
// one, it would be a literal by now.
func failed(e expr.Expr) bool {
	_, literal := e.(*expr.Literal)
	return !literal && len(expr.Columns(e)) == 0 && len(expr.Outers(e)) == 0 && !IsVolatile(e)
}

func foldCoalesce(n *expr.Call) expr.Expr {
	var kept []expr.Expr
	for _, a := range n.Args {
		if l, ok := a.(*expr.Literal); ok && l.Value == nil {
			continue
		}
		kept = append(kept, a)
		if !a.Nullable() {
			break
		}
	}
	switch len(kept) {
	case 0:
		return expr.Null(n.T)
	case 1:
		if kept[0].Type().Equal(n.T) {
			return kept[0]
		}
	case len(n.Args):
		return n
	}
	return &expr.Call{Name: n.Name, Args: kept, T: n.T, MayBeNull: n.MayBeNull}
}

// foldCase drops branches that are never taken and those after one that always
// is.
func foldCase(n *expr.Case) expr.Expr {
	out := &expr.Case{T: n.T, Else: n.Else}
	for _, w := range n.Whens {
		l, ok := w.Condition.(*expr.Literal)
		if !ok {
			out.Whens = append(out.Whens, w)
			continue
		}
		if l.Value == true {
			out.Else = w.Result
			break
		}
	}
	if len(out.Whens) > 0 {
		if len(out.Whens) == len(n.Whens) {
			return n
		}
		return out
	}
	if out.Else == nil {
		return expr.Null(n.T)
	}
	if out.Else.Type().Equal(n.T) {
		return out.Else
	}
	return &expr.Cast{Arg: out.Else, T: n.T}
}
