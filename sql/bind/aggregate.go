package bind

import (
	"slices"

	"github.com/tarndb/tarn/sql/ast"
	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/plan"
)

// aggregateBase is added to the number of an aggregate call to make the
// position of the column that stands for its result until the Aggregate node
// is made. No input has so many columns.
const aggregateBase = 1 << 24

// aggregates are the aggregate calls of a query block.
type aggregates struct {
	calls    []plan.AggregateCall
	written  []writtenAggregate // the calls as they were written
	grouping bool               // a grouping function was called
	// inside is the aggregate whose arguments are being bound, if any.
	inside *ast.Call
}

// writtenAggregate is a call before its settings became part of the function.
type writtenAggregate struct {
	name     string
	distinct bool
	args     []expr.Expr
	filter   expr.Expr
}

func (w writtenAggregate) equal(o writtenAggregate) bool {
	return w.name == o.name && w.distinct == o.distinct && slices.EqualFunc(w.args, o.args, expr.Equal) && expr.Equal(w.filter, o.filter)
}

// aggregateCall binds an aggregate and gives the column of its result.
func (b *binder) aggregateCall(e *ast.Call, name string, c exprContext) (expr.Expr, error) {
	switch {
	case c.aggregates == nil:
		return nil, b.errorAt(e, ErrInvalidSQL, "the aggregate %s can't stand in %s", name, c.clause)
	case c.aggregates.inside != nil:
		return nil, b.errorAt(e, ErrInvalidSQL, "the aggregate %s stands inside the aggregate %s", name, ast.String(c.aggregates.inside))
	}
	c.aggregates.inside = e
	defer func() { c.aggregates.inside = nil }()
	var args []expr.Expr
	for _, a := range e.Args {
		if _, star := a.(*ast.Star); star {
			continue // count(t.*) counts rows, as count(*) does
		}
		c.aliasesFirst, c.unfolded = false, false // the aggregate is over the input's rows
		arg, err := b.expr(a, c)
		if err != nil {
			return nil, err
		}
		if hasAggregate(arg) {
			return nil, b.errorAt(a, ErrInvalidSQL, "the aggregate %s is over another aggregate", name)
		}
		if hasGenerator(arg) {
			return nil, b.errorAt(a, ErrInvalidSQL, "the aggregate %s is over what a generator gives; compute it in a query around this one", name)
		}
		if hasWindow(arg, c.subqueries) {
			return nil, b.errorAt(a, ErrInvalidSQL, "the aggregate %s is over a window function; compute it in a subquery", name)
		}
		args = append(args, arg)
	}
	f, err := eval.ResolveAggregate(name, args, e.Distinct)
	if err != nil {
		return nil, b.wrapAt(e.Pos(), err)
	}
	call := plan.AggregateCall{Function: f, Distinct: e.Distinct, Name: ast.String(e)}
	if call.Filter, err = b.condition(e.Filter, exprContext{scope: c.scope, subqueries: c.subqueries, clause: "FILTER"}); err != nil {
		return nil, err
	}
	return c.aggregates.add(writtenAggregate{f.Name, e.Distinct, args, call.Filter}, call), nil
}

// add numbers a call; one that is there already is not computed twice.
func (a *aggregates) add(written writtenAggregate, call plan.AggregateCall) *expr.Column {
	i := slices.IndexFunc(a.written, written.equal)
	if i < 0 {
		i = len(a.calls)
		a.calls, a.written = append(a.calls, call), append(a.written, written)
	}
	f := a.calls[i].Function
	return &expr.Column{Index: aggregateBase + i, Name: a.calls[i].Name, T: f.Type, MayBeNull: f.Nullable}
}

// overGroups rewrites an expression over a block's input into one over its
// Aggregate node: parts that equal a key, as it was written, become that key's
// column.
func (b *binder) overGroups(at ast.Node, e expr.Expr, g *grouping, agg *plan.Aggregate) (expr.Expr, error) {
	var failure error
	out := expr.ReplaceTopDown(e, func(n expr.Expr) (expr.Expr, bool) {
		for i, k := range g.keys {
			if expr.Equal(n, k) {
				return plan.ColumnOf(agg, i), true
			}
		}
		if call, ok := n.(*expr.Call); ok && (call.Name == groupingFunction || call.Name == groupingIDFunction) {
			value, err := b.groupingValue(at, call, g, agg)
			if failure == nil {
				failure = err
			}
			return value, true
		}
		c, ok := n.(*expr.Column)
		if !ok {
			return n, false
		}
		if c.Index >= windowBase {
			return c, true
		}
		if c.Index >= aggregateBase {
			return plan.ColumnOf(agg, len(agg.Keys)+c.Index-aggregateBase), true
		}
		pos, known := b.columnAt[c]
		if !known {
			pos = at.Pos()
		}
		if failure == nil {
			failure = b.wrapAt(pos, groupError(c))
		}
		return n, true
	})
	return out, failure
}
