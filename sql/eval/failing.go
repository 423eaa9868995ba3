package eval

import (
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
)

// neverFailing are the operators that have a value, or NULL, for all operands.
var neverFailing = map[string]bool{
	expr.OpEqual: true, expr.OpNotEqual: true, expr.OpLess: true, expr.OpLessEqual: true, expr.OpGreater: true, expr.OpGreaterEqual: true,
	expr.OpNullSafe: true, expr.OpAnd: true, expr.OpOr: true, expr.OpNot: true, expr.OpIsNull: true, expr.OpIsNotNull: true, expr.OpIn: true,
}

// MayFail reports whether the evaluation of e can be an error for some row: it
// is false only for columns, literals, comparisons and conditions of such, and
// casts that lose nothing. What may fail is not evaluated before the conditions
// that stand before it.
func MayFail(e expr.Expr) bool {
	fails := false
	expr.Walk(e, func(n expr.Expr) bool {
		switch n := n.(type) {
		case *expr.Column, *expr.Literal, *expr.Case:
		case *expr.Call:
			fails = fails || !neverFailing[n.Name]
		case *expr.Cast:
			fails = fails || !n.Try && !widens(n.Arg.Type(), n.T)
		default:
			fails = true
		}
		return !fails
	})
	return fails
}

// widens reports whether a cast has a value for all others.
func widens(from, to types.Type) bool {
	switch {
	case relabels(from, to), from.Kind == types.Void:
		return true
	case from.IsInteger() && to.IsInteger():
		return from.Kind <= to.Kind
	case from.IsNumeric() && to.Kind == types.Double, from.IsInteger() && to.Kind == types.Float:
		return true
	case to.Kind == types.Decimal:
		source, ok := asDecimal(from)
		return ok && source.Scale <= to.Scale && source.Precision-source.Scale <= to.Precision-to.Scale
	}
	return to.Kind == types.String && to.Length == 0
}
