package pushdown

import (
	"slices"

	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/plan"
)

// RemoveEmpty takes out of a plan what is known to give no rows: what stands
// under a condition that is never true, the joins around it, and the padded side
// of an outer join whose rows never match, of which NULLs are left. Such NULLs
// count in the conditions above. The scan that a statement changes stays.
func RemoveEmpty(n plan.Node) plan.Node {
	n = rewriteChildren(n, RemoveEmpty)
	switch n := n.(type) {
	case *plan.Scan:
		if never(n.Spec.PartitionFilter) || never(n.Spec.DataFilter) || never(n.Spec.Residual) {
			return emptied(n)
		}
	case *plan.Filter:
		if isEmpty(n.Input) || never(withNulls(n.Condition, n.Input)) {
			return emptied(n)
		}
	case *plan.Limit:
		if isEmpty(n.Input) || n.Count == 0 {
			return emptied(n)
		}
	case *plan.Project, *plan.Sort, plan.Extender:
		if isEmpty(n.Children()[0]) {
			return emptied(n)
		}
	case *plan.Aggregate:
		if isEmpty(n.Input) && len(n.Keys) > 0 {
			return emptied(n)
		}
	case *plan.Union:
		return withoutEmpty(n)
	case *plan.Join:
		if unmatched(n) {
			return withoutMatches(n)
		}
	}
	return n
}

// emptied gives a node of n's columns without rows in its place.
func emptied(n plan.Node) plan.Node {
	if changesRows(n) {
		return n
	}
	return &plan.Values{Fields: n.Schema().Fields}
}

// changesRows reports whether n has the scan whose rows the statement changes.
func changesRows(n plan.Node) bool {
	if s, ok := n.(*plan.Scan); ok {
		return s.RowPositions
	}
	return slices.ContainsFunc(n.Children(), changesRows)
}

func isEmpty(n plan.Node) bool {
	v, ok := n.(*plan.Values)
	return ok && len(v.Rows) == 0
}

// withoutEmpty gives a union without the inputs that have no rows, but for the
// first, which names the columns.
func withoutEmpty(u *plan.Union) plan.Node {
	inputs := slices.DeleteFunc(slices.Clone(u.Inputs[1:]), isEmpty)
	if len(inputs) == 0 {
		return u.Inputs[0]
	}
	return &plan.Union{Inputs: append([]plan.Node{u.Inputs[0]}, inputs...)}
}

// unmatched reports whether no row of one side of a join matches one of the other.
func unmatched(j *plan.Join) bool {
	if isEmpty(j.Left) || isEmpty(j.Right) || never(withNulls(j.Condition, j.Left, j.Right)) {
		return true
	}
	return slices.ContainsFunc(j.Keys, func(k plan.JoinKey) bool {
		return !k.NullSafe && (isNull(withNulls(k.Left, j.Left)) || isNull(withNulls(k.Right, j.Right)))
	})
}

// withoutMatches gives what a join in which nothing matches leaves.
func withoutMatches(j *plan.Join) plan.Node {
	switch {
	case changesRows(j):
		return j
	case j.Kind == plan.LeftJoin, j.Kind == plan.SingleJoin, j.Kind == plan.FullJoin && isEmpty(j.Right):
		return padded(j, j.Left, 0)
	case j.Kind == plan.RightJoin, j.Kind == plan.FullJoin && isEmpty(j.Left):
		return padded(j, j.Right, len(j.Left.Schema().Fields))
	case j.Kind == plan.FullJoin:
		return j
	case j.Kind == plan.AntiJoin:
		return j.Left
	case j.Kind == plan.RightAntiJoin:
		return j.Right
	case j.Kind == plan.MarkJoin && isEmpty(j.Right) && !isEmpty(j.Left):
		return project(j.Left, append(plan.ColumnsOf(j.Left), expr.False), j.Schema().Names())
	case j.Kind == plan.MarkJoin && !isEmpty(j.Left):
		return j // what is unknown in its condition is not FALSE
	}
	return emptied(j)
}

// padded gives the rows of one side of a join, which begin at a column, with
// NULLs for the other's.
func padded(j *plan.Join, side plan.Node, at int) plan.Node {
	if isEmpty(side) {
		return emptied(j)
	}
	fields := j.Schema().Fields
	exprs := make([]expr.Expr, len(fields))
	for i, f := range fields {
		exprs[i] = expr.Null(f.Type)
	}
	copy(exprs[at:], plan.ColumnsOf(side))
	return project(side, exprs, j.Schema().Names())
}

// folded gives an expression without what its literals decide.
func folded(e expr.Expr) expr.Expr {
	if out, err := eval.FoldConstants(e, nil); err == nil {
		return out
	}
	return e
}

// never reports whether a condition is true of no row.
func never(condition expr.Expr) bool {
	return slices.ContainsFunc(expr.SplitConjuncts(condition), func(c expr.Expr) bool {
		l, ok := folded(c).(*expr.Literal)
		return ok && l.Value != true
	})
}

// always reports whether a condition is true of every row.
func always(condition expr.Expr) bool {
	l, ok := folded(condition).(*expr.Literal)
	return ok && l.Value == true
}

// isNull reports whether an expression is NULL in every row.
func isNull(e expr.Expr) bool {
	l, ok := folded(e).(*expr.Literal)
	return ok && l.Value == nil
}

// withNulls gives an expression over the columns of inputs, in this order, with
// NULL for those that are NULL in every row.
func withNulls(e expr.Expr, inputs ...plan.Node) expr.Expr {
	if e == nil {
		return nil
	}
	return expr.Rewrite(e, func(n expr.Expr) expr.Expr {
		if c, ok := n.(*expr.Column); ok && nullColumn(c.Index, inputs...) {
			return expr.Null(c.T)
		}
		return n
	})
}

// nullColumn reports whether a column of inputs, in this order, is known to be
// NULL in every row.
func nullColumn(column int, inputs ...plan.Node) bool {
	n := inputs[0]
	if width := len(n.Schema().Fields); column >= width {
		return len(inputs) > 1 && nullColumn(column-width, inputs[1:]...)
	}
	switch n := n.(type) {
	case *plan.Project:
		if c, ok := n.Exprs[column].(*expr.Column); ok {
			return nullColumn(c.Index, n.Input)
		}
		return isNull(n.Exprs[column])
	case *plan.Join:
		switch {
		case n.Kind.LeftOnly():
			return nullColumn(column, n.Left)
		case n.Kind.RightOnly():
			return nullColumn(column, n.Right)
		}
		return nullColumn(column, n.Left, n.Right)
	case *plan.Filter, *plan.Sort, *plan.Limit, plan.Extender:
		return nullColumn(column, n.Children()...)
	}
	return false
}
