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
	name      string
	modifiers string
	distinct  bool
	args      []expr.Expr
	filter    expr.Expr
}

func (w writtenAggregate) equal(o writtenAggregate) bool {
	return w.name == o.name && w.modifiers == o.modifiers && w.distinct == o.distinct && slices.EqualFunc(w.args, o.args, expr.Equal) && expr.Equal(w.filter, o.filter)
}

// modifiers prints what a call says of the order of its rows and of NULLs.
func modifiers(e *ast.Call) string {
	if e.OrderBy == nil && e.WithinGroup == nil && e.Nulls == ast.NullsUnspecified {
		return ""
	}
	return ast.String(&ast.Call{Name: e.Name, OrderBy: e.OrderBy, WithinGroup: e.WithinGroup, Nulls: e.Nulls})
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
		arg, err := b.aggregateArg(a, name, c)
		if err != nil {
			return nil, err
		}
		args = append(args, arg)
	}
	f, err := b.aggregateFunction(e, name, args, func(key ast.Expr) (expr.Expr, error) { return b.aggregateArg(key, name, c) })
	if err != nil {
		return nil, err
	}
	call := plan.AggregateCall{Function: f, Distinct: e.Distinct, Name: ast.String(e)}
	if call.Filter, err = b.condition(e.Filter, exprContext{scope: c.scope, subqueries: c.subqueries, clause: "FILTER"}); err != nil {
		return nil, err
	}
	return c.aggregates.add(writtenAggregate{name: f.Name, modifiers: modifiers(e), distinct: e.Distinct, args: args, filter: call.Filter}, call), nil
}

// aggregateArg binds an argument of an aggregate or a key of its order.
func (b *binder) aggregateArg(a ast.Expr, name string, c exprContext) (expr.Expr, error) {
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
	return arg, nil
}

// nullPickers are the aggregates that IGNORE NULLS tells to pass over NULLs.
var nullPickers = []string{"first", "first_value", "last", "last_value", "any_value"}

// aggregateFunction types an aggregate, with what WITHIN GROUP, ORDER BY and IGNORE
// NULLS say; bind binds keys of the order.
func (b *binder) aggregateFunction(e *ast.Call, name string, args []expr.Expr, bind func(ast.Expr) (expr.Expr, error)) (*eval.Aggregate, error) {
	if e.Nulls != ast.NullsUnspecified {
		picks := slices.Contains(nullPickers, name) && len(args) > 0
		if !picks && e.Nulls == ast.IgnoreNulls {
			return nil, b.errorAt(e, ErrInvalidSQL, "%s does not take IGNORE NULLS", name)
		}
		if picks {
			args = []expr.Expr{args[0], &expr.Literal{T: expr.True.Type(), Value: e.Nulls == ast.IgnoreNulls}}
		}
	}
	items := append(slices.Clone(e.OrderBy), e.WithinGroup...)
	keys := make([]expr.Expr, len(items))
	order := make([]eval.AggregateOrder, len(items))
	for i, item := range items {
		if item.All {
			return nil, b.errorAt(item, ErrInvalidSQL, "ORDER BY ALL does not apply to an aggregate")
		}
		var err error
		if keys[i], err = bind(item.Expr); err != nil {
			return nil, err
		}
		if err := b.comparable(item, "ORDER BY", keys[i]); err != nil {
			return nil, err
		}
		key := sortKey(keys[i], item)
		order[i] = eval.AggregateOrder{Descending: key.Descending, NullsFirst: key.NullsFirst}
	}
	if e.WithinGroup != nil {
		return b.withinGroup(e, name, args, keys, order)
	}
	if eval.NeedsWithinGroup(name) {
		return nil, b.errorAt(e, ErrInvalidSQL, "%s needs WITHIN GROUP (ORDER BY …)", name)
	}
	return b.inOrder(e, name, args, keys, order)
}

// withinGroup types an aggregate with WITHIN GROUP, which gives the value that it
// is about, or the order of a list.
func (b *binder) withinGroup(e *ast.Call, name string, args, keys []expr.Expr, order []eval.AggregateOrder) (*eval.Aggregate, error) {
	if f, ok, err := eval.ResolveWithinGroup(name, args, keys[0], order[0].Descending); ok {
		switch {
		case len(keys) > 1:
			return nil, b.errorAt(e, ErrInvalidSQL, "%s takes one key in WITHIN GROUP", name)
		case e.Distinct:
			return nil, b.errorAt(e, ErrInvalidSQL, "%s takes no DISTINCT with WITHIN GROUP", name)
		case err != nil:
			return nil, b.wrapAt(e.Pos(), err)
		}
		b.remember(e, f.Args...)
		return f, nil
	}
	if name != "listagg" && name != "string_agg" {
		return nil, b.errorAt(e, ErrInvalidSQL, "%s does not take WITHIN GROUP; ORDER BY inside of the parentheses orders what an aggregate takes", name)
	}
	return b.inOrder(e, name, args, keys, order)
}

// inOrder types an aggregate of rows in an order.
func (b *binder) inOrder(e *ast.Call, name string, args, keys []expr.Expr, order []eval.AggregateOrder) (*eval.Aggregate, error) {
	f, err := eval.ResolveAggregate(name, args, e.Distinct)
	if err != nil {
		return nil, b.wrapAt(e.Pos(), err)
	}
	b.remember(e, f.Args...)
	if len(keys) == 0 {
		return f, nil
	}
	if e.WithinGroup != nil {
		args = f.Args // the order is that of what is listed
	}
	for _, k := range keys {
		if e.Distinct && !slices.ContainsFunc(args, func(a expr.Expr) bool { return expr.Equal(a, k) }) {
			return nil, b.errorAt(e, ErrInvalidSQL, "%s of DISTINCT values can be ordered by these only, not by %s", name, k)
		}
	}
	return f.OrderBy(keys, order), nil
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
