package pushdown

import (
	"slices"

	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/sql/types"
)

// repeatable reports whether a node gives the same rows each time: nothing in
// it depends on the order in which rows happen to come, or differs from call to
// call.
func repeatable(n plan.Node) bool {
	switch n := n.(type) {
	case *plan.Limit, *plan.Window:
		return false
	case *plan.Aggregate:
		for _, c := range n.Aggregates {
			if !orderless(c.Function) {
				return false
			}
		}
	}
	return !hasExpr(n, eval.IsVolatile) && !slices.ContainsFunc(n.Children(), func(c plan.Node) bool { return !repeatable(c) })
}

// orderless reports whether an aggregate is the same for every order of its
// rows.
func orderless(f *eval.Aggregate) bool {
	switch f.Name {
	case "count", "count_if", "min", "max", "every", "some", "bool_and", "bool_or", "bit_and", "bit_or", "bit_xor":
		return true
	case "sum":
		return f.Type.Kind == types.Decimal || f.Type.IsInteger()
	}
	return false
}

// withoutPositions gives NULLs in the place of the positions of rows, which only
// the scan has whose rows a statement changes, not a copy of it.
func withoutPositions(n plan.Node) plan.Node {
	s, ok := n.(*plan.Scan)
	if !ok || !s.RowPositions {
		return rewriteChildren(n, withoutPositions)
	}
	plain := *s
	plain.RowPositions = false
	fields := s.Schema().Fields
	p := &plan.Project{Input: &plain, Exprs: columnsTo(&plain, len(plain.Schema().Fields)), Names: s.Schema().Names()}
	for _, f := range fields[len(p.Exprs):] {
		p.Exprs = append(p.Exprs, expr.Null(f.Type))
	}
	return p
}
