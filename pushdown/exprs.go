package pushdown

import (
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/plan"
)

// mapExprs gives n with f applied to each expression of its own, not to those
// of its inputs.
func mapExprs(n plan.Node, f func(expr.Expr) expr.Expr) plan.Node {
	each := func(exprs []expr.Expr) []expr.Expr {
		out := make([]expr.Expr, len(exprs))
		for i, e := range exprs {
			out[i] = f(e)
		}
		return out
	}
	optional := func(e expr.Expr) expr.Expr {
		if e == nil {
			return nil
		}
		return f(e)
	}
	switch n := n.(type) {
	case *plan.Filter:
		return &plan.Filter{Input: n.Input, Condition: f(n.Condition)}
	case *plan.Project:
		return &plan.Project{Input: n.Input, Exprs: each(n.Exprs), Names: n.Names}
	case *plan.Values:
		out := &plan.Values{Rows: make([][]expr.Expr, len(n.Rows)), Fields: n.Fields}
		for i, row := range n.Rows {
			out.Rows[i] = each(row)
		}
		return out
	case *plan.Expand:
		out := &plan.Expand{Input: n.Input, Sets: make([][]expr.Expr, len(n.Sets)), Names: n.Names}
		for i, s := range n.Sets {
			out.Sets[i] = each(s)
		}
		return out
	case *plan.Sort:
		return &plan.Sort{Input: n.Input, Keys: mapKeys(n.Keys, f)}
	case *plan.Window:
		out := &plan.Window{Input: n.Input, PartitionBy: each(n.PartitionBy), OrderBy: mapKeys(n.OrderBy, f), Calls: make([]plan.WindowCall, len(n.Calls))}
		for i, c := range n.Calls {
			out.Calls[i] = c.Rewrite(f)
		}
		return out
	case *plan.Aggregate:
		out := &plan.Aggregate{Input: n.Input, Keys: each(n.Keys), KeyNames: n.KeyNames, Aggregates: make([]plan.AggregateCall, len(n.Aggregates))}
		for i, c := range n.Aggregates {
			function := *c.Function
			function.Args = each(c.Function.Args)
			c.Function, c.Filter = &function, optional(c.Filter)
			out.Aggregates[i] = c
		}
		return out
	case *plan.Join:
		out := *n
		out.Keys = make([]plan.JoinKey, len(n.Keys))
		for i, k := range n.Keys {
			out.Keys[i] = plan.JoinKey{Left: f(k.Left), Right: f(k.Right), NullSafe: k.NullSafe}
		}
		out.Condition = optional(n.Condition)
		return &out
	}
	return n
}

func mapKeys(keys []plan.SortKey, f func(expr.Expr) expr.Expr) []plan.SortKey {
	out := make([]plan.SortKey, len(keys))
	for i, k := range keys {
		k.Expr = f(k.Expr)
		out[i] = k
	}
	return out
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
