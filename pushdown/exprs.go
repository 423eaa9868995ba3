package pushdown

import (
	"slices"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/plan"
)

// mapExprs gives n with f applied to each expression of its own, not to those
// of its inputs.
func mapExprs(n plan.Node, f func(expr.Expr) expr.Expr) plan.Node {
	if m, ok := n.(plan.ExprMapper); ok {
		return m.MapExprs(f)
	}
	return n
}

// hasExpr reports whether test holds for an expression of n's own.
func hasExpr(n plan.Node, test func(expr.Expr) bool) bool {
	found := false
	mapExprs(n, func(e expr.Expr) expr.Expr {
		found = found || test(e)
		return e
	})
	return found
}

// anyExpr is hasExpr for the whole tree.
func anyExpr(n plan.Node, test func(expr.Expr) bool) bool {
	return hasExpr(n, test) || slices.ContainsFunc(n.Children(), func(c plan.Node) bool { return anyExpr(c, test) })
}

// mapTree is mapExprs for the whole tree.
func mapTree(n plan.Node, f func(expr.Expr) expr.Expr) plan.Node {
	return mapExprs(rewriteChildren(n, func(c plan.Node) plan.Node { return mapTree(c, f) }), f)
}
