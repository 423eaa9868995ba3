package expr

import (
	"slices"
	"strings"

	"github.com/tarndb/tarn/sql/types"
)

// Lambda is a function that a Call takes as an argument: x -> body. Its type is
// that of its results.
type Lambda struct {
	Params []*Variable
	Body   Expr
}

// Variable is, in the body of a Lambda, the value of one of its parameters.
type Variable struct {
	ID        int // the number of parameters of the lambdas around, and then this one's position
	Name      string
	T         types.Type
	MayBeNull bool
}

// Type implements Expr.
func (l *Lambda) Type() types.Type { return l.Body.Type() }

// Nullable implements Expr.
func (l *Lambda) Nullable() bool { return l.Body.Nullable() }

// Children implements Expr.
func (l *Lambda) Children() []Expr { return []Expr{l.Body} }

func (l *Lambda) withChildren(c []Expr) Expr { return &Lambda{Params: l.Params, Body: c[0]} }

// String implements Expr.
func (l *Lambda) String() string {
	names := make([]string, len(l.Params))
	for i, p := range l.Params {
		names[i] = p.String()
	}
	params := strings.Join(names, ", ")
	if len(names) != 1 {
		params = "(" + params + ")"
	}
	return params + " -> " + l.Body.String()
}

// Bind gives the body with values in the place of the parameters.
func (l *Lambda) Bind(values []Expr) Expr {
	at := map[int]Expr{}
	for i, p := range l.Params {
		at[p.ID] = values[i]
	}
	return bindVariables(l.Body, at)
}

// bindVariables replaces variables, but not those of lambdas inside that have the
// same IDs.
func bindVariables(e Expr, at map[int]Expr) Expr {
	return ReplaceTopDown(e, func(n Expr) (Expr, bool) {
		switch n := n.(type) {
		case *Variable:
			value, ok := at[n.ID]
			return value, ok
		case *Lambda:
			inner := map[int]Expr{}
			for id, value := range at {
				inner[id] = value
			}
			for _, p := range n.Params {
				delete(inner, p.ID)
			}
			return &Lambda{Params: n.Params, Body: bindVariables(n.Body, inner)}, true
		}
		return n, false
	})
}

// Type implements Expr.
func (v *Variable) Type() types.Type { return v.T }

// Nullable implements Expr.
func (v *Variable) Nullable() bool { return v.MayBeNull }

// Children implements Expr.
func (v *Variable) Children() []Expr { return nil }

func (v *Variable) withChildren([]Expr) Expr { return v }

// String implements Expr.
func (v *Variable) String() string { return types.QuoteIdent(v.Name) }

// HasValue tells whether an expression has a value on its own: it is no Lambda
// and closed.
func HasValue(e Expr) bool {
	_, isLambda := e.(*Lambda)
	return !isLambda && IsClosed(e)
}

// IsClosed tells whether an expression reads no parameter of a lambda around it.
func IsClosed(e Expr) bool { return readsOnly(e, nil) }

// readsOnly tells whether an expression reads no parameters but those given and
// those of lambdas inside.
func readsOnly(e Expr, params []*Variable) bool {
	switch n := e.(type) {
	case *Variable:
		return slices.ContainsFunc(params, func(p *Variable) bool { return p.ID == n.ID })
	case *Lambda:
		params = slices.Concat(params, n.Params)
	}
	return !slices.ContainsFunc(e.Children(), func(c Expr) bool { return !readsOnly(c, params) })
}
