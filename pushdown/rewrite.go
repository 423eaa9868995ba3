package pushdown

import (
	"github.com/tarndb/tarn/sql/plan"
)

// Rewrite makes joins of the subqueries of a bound plan, pushes its filters,
// columns and limits down into its scans, takes out what gives no rows, orders its
// joins and lets what it has several times be computed once.
func Rewrite(n plan.Node) (plan.Node, error) {
	n, err := Decorrelate(n)
	if err != nil {
		return nil, err
	}
	return DynamicFilters(ShareCommon(LimitHint(PruneColumns(OrderJoins(RemoveEmpty(SplitFilters(n))))))), nil
}

// rewriteChildren applies f to each input of n.
func rewriteChildren(n plan.Node, f func(plan.Node) plan.Node) plan.Node {
	children := n.Children()
	if len(children) == 0 {
		return n
	}
	changed := make([]plan.Node, len(children))
	for i, c := range children {
		changed[i] = f(c)
	}
	return n.WithChildren(changed)
}

// LimitHint tells scans how many rows are enough where a Limit stands above
// them with nothing between that drops or adds rows.
func LimitHint(n plan.Node) plan.Node {
	if l, ok := n.(*plan.Limit); ok {
		if p, ok := l.Input.(*plan.Project); ok { // below it a Sort may be
			return p.WithChildren([]plan.Node{LimitHint(l.WithChildren([]plan.Node{p.Input}))})
		}
	}
	if l, ok := n.(*plan.Limit); ok && l.Needed() != plan.NoLimit {
		return l.WithChildren([]plan.Node{hint(LimitHint(l.Input), l.Needed())})
	}
	return rewriteChildren(n, LimitHint)
}

func hint(n plan.Node, rows int64) plan.Node {
	switch n := n.(type) {
	case *plan.Project, *plan.Union:
		return rewriteChildren(n, func(c plan.Node) plan.Node { return hint(c, rows) })
	case *plan.Scan:
		if n.Spec.Residual != nil {
			return n
		}
		out := *n
		out.Spec.LimitHint = max(rows, 1) // LIMIT 0 still needs a hint above zero
		return &out
	}
	return n
}
