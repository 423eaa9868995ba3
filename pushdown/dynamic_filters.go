package pushdown

import (
	"slices"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/sql/types"
)

// DynamicFilters ties the keys of joins that drop left rows without a match to
// the scans that the left keys come from. When such a join has read its right
// input it tells the scan which values the key has there, and the scan skips
// files, row groups, pages and rows without them.
func DynamicFilters(n plan.Node) plan.Node {
	d := &dynamicFilters{}
	return d.rewrite(n)
}

// dynamicFilters numbers the filters of a plan, from 1.
type dynamicFilters struct{ last int }

func (d *dynamicFilters) rewrite(n plan.Node) plan.Node {
	n = rewriteChildren(n, d.rewrite)
	if l, ok := n.(*plan.Limit); ok {
		return d.topN(l)
	}
	j, ok := n.(*plan.Join)
	if !ok || j.Kind != plan.InnerJoin && j.Kind != plan.SemiJoin && j.Kind != plan.RightJoin && !j.Kind.RightOnly() {
		return n
	}
	out := *j
	out.Keys = slices.Clone(j.Keys)
	for i, k := range out.Keys {
		c, ok := k.Left.(*expr.Column)
		if !ok || k.NullSafe || !wholeNumber(k.Left.Type()) || !wholeNumber(k.Right.Type()) {
			continue
		}
		if left, ok := feed(out.Left, c.Index, plan.DynamicFilter{ID: d.last + 1}); ok {
			d.last++
			out.Left, out.Keys[i].Feeds = left, d.last
		}
	}
	return &out
}

// topN ties the first key of a Sort under a Limit to the scan that it comes
// from.
func (d *dynamicFilters) topN(l *plan.Limit) plan.Node {
	s, ok := l.Input.(*plan.Sort)
	if !ok || l.Needed() == plan.NoLimit {
		return l
	}
	k := s.Keys[0]
	c, ok := k.Expr.(*expr.Column)
	if !ok || !wholeNumber(c.T) {
		return l
	}
	fed, ok := feed(s.Input, c.Index, plan.DynamicFilter{ID: d.last + 1, TopN: true, Descending: k.Descending})
	if !ok {
		return l
	}
	d.last++
	return l.WithChildren([]plan.Node{&plan.Sort{Input: fed, Keys: s.Keys, Feeds: d.last}})
}

func wholeNumber(t types.Type) bool {
	p := t.Physical()
	return p == types.PhysInt32 || p == types.PhysInt64
}

// feed gives n with the dynamic filter on one of its columns in the scan that
// the column comes from, where dropping rows there drops just the rows of n
// with those values.
func feed(n plan.Node, column int, filter plan.DynamicFilter) (plan.Node, bool) {
	switch n := n.(type) {
	case *plan.Scan:
		if n.RowPositions || column >= len(n.Spec.Columns) {
			return n, false
		}
		out := *n
		filter.Column = column
		out.Dynamic = append(slices.Clone(n.Dynamic), filter)
		return &out, true
	case *plan.Filter, *plan.Sort:
		return feedChild(n, 0, column, filter)
	case *plan.Project:
		return feedThrough(n, n.Exprs[column], filter)
	case *plan.Aggregate:
		if column >= len(n.Keys) {
			return n, false
		}
		return feedThrough(n, n.Keys[column], filter)
	case *plan.Union:
		for i := range n.Inputs {
			fed, ok := feedChild(n, i, column, filter)
			if !ok {
				return n, false
			}
			n = fed.(*plan.Union)
		}
		return n, true
	case *plan.Join:
		if n.Kind.RightOnly() {
			return feedChild(n, 1, column, filter)
		}
		width := len(n.Left.Schema().Fields)
		switch {
		case column < width && n.Kind != plan.RightJoin && n.Kind != plan.FullJoin:
			return feedChild(n, 0, column, filter)
		case column >= width && n.Kind == plan.InnerJoin:
			return feedChild(n, 1, column-width, filter)
		}
	}
	return n, false
}

func feedThrough(n plan.Node, e expr.Expr, filter plan.DynamicFilter) (plan.Node, bool) {
	c, ok := e.(*expr.Column)
	if !ok {
		return n, false
	}
	return feedChild(n, 0, c.Index, filter)
}

func feedChild(n plan.Node, child, column int, filter plan.DynamicFilter) (plan.Node, bool) {
	children := slices.Clone(n.Children())
	fed, ok := feed(children[child], column, filter)
	if !ok {
		return n, false
	}
	children[child] = fed
	return n.WithChildren(children), true
}
