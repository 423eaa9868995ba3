package pushdown

import (
	"slices"

	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/storage"
)

// SplitFilters moves every filter as far down as it may go and divides what
// arrives at a scan into partition filter, data filter and residual.
func SplitFilters(n plan.Node) plan.Node { return push(n, nil) }

// push gives n with the conjuncts, which refer to n's columns, applied in it
// or, where that is impossible, above it.
func push(n plan.Node, conjuncts []expr.Expr) plan.Node {
	switch n := n.(type) {
	case *plan.Filter:
		return push(n.Input, append(conjunctsOf(n.Condition), conjuncts...))
	case *plan.Project:
		return pushProject(n, conjuncts)
	case *plan.Join:
		return pushJoin(n, conjuncts)
	case *plan.Aggregate:
		return pushAggregate(n, conjuncts)
	case *plan.Window:
		return pushWindow(n, conjuncts)
	case plan.Extender:
		return pushExtender(n, conjuncts)
	case *plan.Sort:
		return &plan.Sort{Input: push(n.Input, conjuncts), Keys: n.Keys}
	case *plan.Union:
		return rewriteChildren(n, func(c plan.Node) plan.Node { return push(c, conjuncts) })
	case *plan.Scan:
		return pushScan(n, conjuncts)
	}
	return filter(rewriteChildren(n, SplitFilters), conjuncts)
}

// conjunctsOf takes a condition apart: the arguments of an AND and, for an OR,
// what all its branches ask for, (a AND b) OR (a AND c) being a AND (b OR c).
func conjunctsOf(condition expr.Expr) []expr.Expr {
	var out []expr.Expr
	for _, c := range expr.SplitConjuncts(condition) {
		or, ok := c.(*expr.Call)
		if !ok || or.Name != expr.OpOr {
			out = append(out, c)
			continue
		}
		common, rest := factor(or.Args)
		out = append(append(out, common...), rest...)
	}
	return out
}

// factor gives the conjuncts that all branches have, and the OR of what is
// left of them; no OR if a branch asks for nothing else.
func factor(branches []expr.Expr) (common, rest []expr.Expr) {
	parts := make([][]expr.Expr, len(branches))
	for i, b := range branches {
		parts[i] = expr.SplitConjuncts(b)
	}
	for _, c := range parts[0] {
		everywhere := !eval.IsVolatile(c)
		for _, p := range parts[1:] {
			everywhere = everywhere && indexOf(p, c) >= 0
		}
		if everywhere {
			common = append(common, c)
		}
	}
	left := make([]expr.Expr, len(parts))
	for i, p := range parts {
		var keep []expr.Expr
		for _, c := range p {
			if indexOf(common, c) < 0 {
				keep = append(keep, c)
			}
		}
		if len(keep) == 0 {
			return common, nil
		}
		left[i] = expr.And(keep...)
	}
	return common, []expr.Expr{expr.Or(left...)}
}

func indexOf(list []expr.Expr, e expr.Expr) int {
	return slices.IndexFunc(list, func(x expr.Expr) bool { return expr.Equal(x, e) })
}

// filter puts what could not be pushed above n.
func filter(n plan.Node, conjuncts []expr.Expr) plan.Node {
	if len(conjuncts) == 0 {
		return n
	}
	return &plan.Filter{Input: n, Condition: expr.And(conjuncts...)}
}

// pushProject rewrites conjuncts in terms of the input. One that reads a
// volatile expression stays above, so that the expression is computed once. One
// that the project's constants make true is done with.
func pushProject(p *plan.Project, conjuncts []expr.Expr) plan.Node {
	var below, above []expr.Expr
	for _, c := range conjuncts {
		if readsVolatile(c, p.Exprs) {
			above = append(above, c)
		} else if c = substitute(c, p.Exprs); !always(c) {
			below = append(below, c)
		}
	}
	return filter(&plan.Project{Input: push(p.Input, below), Exprs: p.Exprs, Names: p.Names}, above)
}

func readsVolatile(c expr.Expr, exprs []expr.Expr) bool {
	for _, col := range expr.Columns(c) {
		if eval.IsVolatile(exprs[col.Index]) {
			return true
		}
	}
	return false
}

// substitute replaces each column of e by the expression that computes it.
func substitute(e expr.Expr, exprs []expr.Expr) expr.Expr {
	return expr.Rewrite(e, func(n expr.Expr) expr.Expr {
		if c, ok := n.(*expr.Column); ok {
			return exprs[c.Index]
		}
		return n
	})
}

// pushAggregate passes conjuncts on the keys; those on aggregates stay. An
// aggregate without keys gives a row even for no input, so nothing passes it.
func pushAggregate(a *plan.Aggregate, conjuncts []expr.Expr) plan.Node {
	var below, above []expr.Expr
	for _, c := range conjuncts {
		onKeys := len(expr.Columns(c)) > 0
		for _, col := range expr.Columns(c) {
			onKeys = onKeys && col.Index < len(a.Keys)
		}
		if onKeys && !readsVolatile(c, a.Keys) {
			below = append(below, substitute(c, a.Keys))
		} else {
			above = append(above, c)
		}
	}
	return filter(a.WithChildren([]plan.Node{push(a.Input, below)}), above)
}

// pushExtender passes conjuncts that read nothing but the input, if the node's rows
// are made one by one. One that may fail stays: the node may give no row where it
// has no value.
func pushExtender(n plan.Extender, conjuncts []expr.Expr) plan.Node {
	input := n.Children()[0]
	width := len(input.Schema().Fields)
	var below, above []expr.Expr
	for _, c := range conjuncts {
		own := slices.ContainsFunc(expr.Columns(c), func(col *expr.Column) bool { return col.Index >= width })
		if n.RowWise() && !own && len(expr.Columns(c)) > 0 && !eval.IsVolatile(c) && !eval.MayFail(c) {
			below = append(below, c)
		} else {
			above = append(above, c)
		}
	}
	return filter(n.WithChildren([]plan.Node{push(input, below)}), above)
}

// pushWindow passes conjuncts that read nothing but partition keys: they keep or
// drop whole partitions. One that may fail is not moved before those that stay.
func pushWindow(w *plan.Window, conjuncts []expr.Expr) plan.Node {
	var below, above []expr.Expr
	for _, c := range conjuncts {
		if readsKeys(c, w.PartitionBy) && !eval.IsVolatile(c) && !(len(above) > 0 && eval.MayFail(c)) {
			below = append(below, c)
		} else {
			above = append(above, c)
		}
	}
	return filter(w.WithChildren([]plan.Node{push(w.Input, below)}), above)
}

// readsKeys reports whether e reads columns, but only as parts that equal keys.
func readsKeys(e expr.Expr, keys []expr.Expr) bool {
	if indexOf(keys, e) >= 0 {
		return !eval.IsVolatile(e) && len(expr.Columns(e)) > 0
	}
	if _, ok := e.(*expr.Column); ok {
		return false
	}
	reads := false
	for _, part := range e.Children() {
		if len(expr.Columns(part)) == 0 {
			continue
		}
		if !readsKeys(part, keys) {
			return false
		}
		reads = true
	}
	return reads
}

// pushScan divides conjuncts on a scan. The scan still gives all columns of
// its source in order, so positions in the conjuncts are positions in the
// source's schema. A conjunct that may fail is not moved before those that it
// stands behind: they may keep the rows from it for which it has no value.
func pushScan(s *plan.Scan, conjuncts []expr.Expr) plan.Node {
	source, ok := s.Source.(storage.Scannable)
	if !ok || len(conjuncts) == 0 {
		return filter(s, conjuncts)
	}
	builder := source.NewScan()
	schema := s.Source.Schema()
	partition := map[int]bool{}
	for _, name := range s.Source.PartitionColumns() {
		partition[schema.Index(name)] = true
	}
	out := *s
	var partitionFilter, dataFilter, residual, above []expr.Expr
	for _, c := range conjuncts {
		support := storage.Unsupported
		late := len(residual) > 0 || len(above) > 0 || len(dataFilter) > 0 && readsOnly(c, partition)
		if !eval.IsVolatile(c) && !(late && eval.MayFail(c)) {
			if readsPositions(c, len(schema.Fields)) {
				above = append(above, c)
				continue
			}
			support = builder.Support(c)
		}
		switch {
		case support == storage.Exact && readsOnly(c, partition):
			partitionFilter = append(partitionFilter, c)
		case support == storage.Exact:
			dataFilter = append(dataFilter, c)
		case support == storage.Inexact:
			dataFilter = append(dataFilter, c)
			residual = append(residual, c)
		default:
			residual = append(residual, c)
		}
	}
	out.Spec.PartitionFilter = expr.And(append([]expr.Expr{s.Spec.PartitionFilter}, partitionFilter...)...)
	out.Spec.DataFilter = expr.And(append([]expr.Expr{s.Spec.DataFilter}, dataFilter...)...)
	out.Spec.Residual = expr.And(append([]expr.Expr{s.Spec.Residual}, residual...)...)
	return filter(&out, above)
}

func readsPositions(c expr.Expr, columns int) bool {
	for _, col := range expr.Columns(c) {
		if col.Index >= columns {
			return true
		}
	}
	return false
}

func readsOnly(c expr.Expr, columns map[int]bool) bool {
	read := expr.Columns(c)
	for _, col := range read {
		if !columns[col.Index] {
			return false
		}
	}
	return len(read) > 0
}
