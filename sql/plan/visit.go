package plan

import "github.com/tarndb/tarn/sql/expr"

// VisitExprs calls visit with every expression of a plan, those of its commands
// and of its rules among them, but for what pushdown puts into scans.
func VisitExprs(n Node, visit func(expr.Expr)) {
	if n == nil {
		return
	}
	if m, ok := n.(ExprMapper); ok {
		m.MapExprs(func(e expr.Expr) expr.Expr {
			visit(e)
			return e
		})
	}
	for _, e := range commandExprs(n) {
		if e != nil {
			visit(e)
		}
	}
	for _, c := range n.Children() {
		VisitExprs(c, visit)
	}
}

// commandExprs are the expressions of the nodes that are no ExprMapper; nil among
// them stands for none.
func commandExprs(n Node) []expr.Expr {
	switch n := n.(type) {
	case *Apply:
		out := []expr.Expr{n.Condition}
		for _, p := range n.Params {
			out = append(out, p.Value)
		}
		return out
	case *Insert:
		return append(ruleExprs(n.Rules), n.ReplaceWhere)
	case *Upsert:
		return ruleExprs(n.Rules)
	case *Delete:
		return []expr.Expr{n.Filter}
	case *DeleteKeys:
		return []expr.Expr{n.Filter}
	case *Update:
		return append(ruleExprs(n.Rules), n.Filter)
	case *Merge:
		out := ruleExprs(n.Rules)
		for _, c := range n.Clauses {
			out = append(append(out, c.Condition), c.Values...)
		}
		return out
	}
	return nil
}

func ruleExprs(rules []Rule) []expr.Expr {
	out := make([]expr.Expr, len(rules))
	for i, r := range rules {
		out[i] = r.Condition
	}
	return out
}
