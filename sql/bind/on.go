package bind

import (
	"slices"

	"github.com/tarndb/tarn/sql/ast"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/plan"
)

// onBinder joins two nodes on a condition with subqueries.
type onBinder struct {
	b     *binder
	at    ast.Node
	join  *plan.Join // without its condition
	scope *scope     // of both sides
	width int        // of the left side
	subs  subqueries
}

// joinOn gives a join its condition, over the columns of both sides.
func (b *binder) joinOn(j *plan.Join, both *scope, on ast.Expr) (plan.Node, error) {
	o := &onBinder{b: b, at: on, join: j, scope: both, width: len(j.Left.Schema().Fields)}
	condition, err := b.condition(on, exprContext{scope: both, subqueries: &o.subs, clause: "ON"})
	if err != nil {
		return nil, err
	}
	if len(o.subs.list) == 0 {
		j.Condition = condition
		return j, nil
	}
	if j.Kind == plan.InnerJoin {
		return b.filterOnly(j, &o.subs, condition) // of all pairs
	}
	for i := range o.subs.list {
		if o.reads(i) == bothSides {
			return o.applied(condition)
		}
	}
	return o.bySides(condition)
}

// firstColumns gives the first columns of a node.
func firstColumns(n plan.Node, count int) plan.Node {
	all := plan.ColumnsOf(n)
	if len(all) == count {
		return n
	}
	return &plan.Project{Input: n, Exprs: all[:count], Names: n.Schema().Names()[:count]}
}

// sides are sides of a join.
type sides uint8

const (
	leftSide sides = 1 << iota
	rightSide
	bothSides = leftSide | rightSide
)

func (o *onBinder) side(column int) sides {
	if column < o.width {
		return leftSide
	}
	return rightSide
}

// reads gives the sides whose columns a subquery reads or is compared with.
func (o *onBinder) reads(subquery int) sides {
	var out sides
	s := o.subs.list[subquery]
	for _, id := range s.outer {
		out |= o.side(o.b.outers[id].column)
	}
	for _, t := range s.tests {
		for _, c := range expr.Columns(t.left) {
			if c.Index < aggregateBase {
				out |= o.side(c.Index)
			}
		}
		for _, i := range o.subs.used(t.left) {
			out |= o.reads(i)
		}
	}
	return out
}

// mapColumns replaces the columns of the two sides.
func mapColumns(e expr.Expr, f func(c *expr.Column) expr.Expr) expr.Expr {
	return expr.Rewrite(e, func(n expr.Expr) expr.Expr {
		if c, ok := n.(*expr.Column); ok && c.Index < aggregateBase {
			return f(c)
		}
		return n
	})
}

// onRight makes an expression over both sides that reads the right one only an
// expression over that.
func (o *onBinder) onRight(_ ast.Node, e expr.Expr) (expr.Expr, error) {
	return mapColumns(e, func(c *expr.Column) expr.Expr { return expr.Shift(c, -o.width) }), nil
}

// bySides computes each subquery for the rows of the side that it reads.
func (o *onBinder) bySides(condition expr.Expr) (plan.Node, error) {
	left, right := o.join.Left, o.join.Right
	values := make([]expr.Expr, len(o.subs.list)) // over the side
	for i, s := range o.subs.list {
		values[i] = &expr.Column{Index: subqueryBase + i}
		side := &left
		o.subs.overGroups = nil
		if o.reads(i) != leftSide {
			side, o.subs.overGroups = &right, o.onRight
		}
		var err error
		if *side, err = o.b.attach(*side, &o.subs, &values[i]); err != nil {
			return nil, o.b.wrapAt(s.at.Pos(), err)
		}
	}
	width := len(left.Schema().Fields)
	condition = expr.Rewrite(condition, func(n expr.Expr) expr.Expr {
		c, ok := n.(*expr.Column)
		switch {
		case !ok || c.Index < o.width:
			return n
		case c.Index < aggregateBase:
			return expr.Shift(c, width-o.width)
		}
		i := c.Index - subqueryBase
		if o.reads(i) == leftSide {
			return values[i]
		}
		return expr.Shift(values[i], width)
	})
	j := &plan.Join{Kind: o.join.Kind, Left: left, Right: right, Condition: condition}
	if j.Kind.LeftOnly() {
		return firstColumns(j, o.width), nil
	}
	all, names := plan.ColumnsOf(j), j.Schema().Names()
	end := width + len(o.scope.columns) - o.width
	return &plan.Project{Input: j, Exprs: slices.Concat(all[:o.width], all[width:end]), Names: slices.Concat(names[:o.width], names[width:end])}, nil
}

// applied computes the matches of a row by a filter of the other side's rows,
// which is what a subquery that reads both sides needs.
func (o *onBinder) applied(condition expr.Expr) (plan.Node, error) {
	if o.join.Kind == plan.FullJoin {
		return nil, o.b.unsupported(o.at, "a subquery in the ON of a FULL JOIN that reads columns of both sides")
	}
	a := &plan.Apply{Kind: o.join.Kind, Left: o.join.Left, Right: o.join.Right}
	kept := leftSide
	if a.Kind == plan.RightJoin {
		a.Kind, a.Left, a.Right, kept = plan.LeftJoin, a.Right, a.Left, rightSide
	}
	over := func(_ ast.Node, e expr.Expr) (expr.Expr, error) {
		return mapColumns(e, func(c *expr.Column) expr.Expr {
			at := 0
			if o.side(c.Index) == rightSide {
				at = o.width
			}
			if o.side(c.Index) != kept {
				return expr.Shift(c, -at)
			}
			return o.param(a, c.Index-at)
		}), nil
	}
	condition, _ = over(nil, condition)
	o.subs.overGroups = over
	var err error
	if a.Right, err = o.b.filterOnly(a.Right, &o.subs, condition); err != nil {
		return nil, err
	}
	if kept == leftSide {
		return a, nil
	}
	all, names, at := plan.ColumnsOf(a), a.Schema().Names(), len(a.Left.Schema().Fields)
	return &plan.Project{Input: a, Exprs: append(all[at:], all[:at]...), Names: append(names[at:], names[:at]...)}, nil
}

// param stands for a column of the left rows of an Apply in its subquery.
func (o *onBinder) param(a *plan.Apply, column int) expr.Expr {
	c := plan.ColumnOf(a.Left, column)
	for _, p := range a.Params {
		if expr.Equal(p.Value, c) {
			return &expr.Outer{ID: p.ID, Name: c.Name, T: c.T, MayBeNull: c.MayBeNull}
		}
	}
	id := len(o.b.outers)
	o.b.outers = append(o.b.outers, outerColumn{scope: o.scope, column: column})
	a.Params = append(a.Params, plan.Param{ID: id, Value: c})
	return &expr.Outer{ID: id, Name: c.Name, T: c.T, MayBeNull: c.MayBeNull}
}
