package pushdown

import (
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

// anyExpr reports whether test holds for an expression in the tree of n.
func anyExpr(n plan.Node, test func(expr.Expr) bool) bool {
	found := false
	mapExprs(n, func(e expr.Expr) expr.Expr {
		found = found || test(e)
		return e
	})
	for _, c := range n.Children() {
		found = found || anyExpr(c, test)
	}
	return found
}

// mapTree is mapExprs for the whole tree.
func mapTree(n plan.Node, f func(expr.Expr) expr.Expr) plan.Node {
	return mapExprs(rewriteChildren(n, func(c plan.Node) plan.Node { return mapTree(c, f) }), f)
}
