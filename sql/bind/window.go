package bind

import (
	"slices"
	"strings"

	"github.com/tarndb/tarn/sql/ast"
	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/plan"
)

// windowBase is added to the number of a call with OVER to make the position of
// the column that stands for its result until the Window nodes are made, as
// aggregateBase is for aggregates. The next doubling is not part of it.
const windowBase = 2 * aggregateBase

// windows are the calls with OVER of a query block.
type windows struct {
	named []ast.WindowDef // the WINDOW clause
	calls []boundWindow
	// inside is the call whose arguments or window are being bound, if any.
	inside  *ast.Call
	qualify expr.Expr
}

// boundWindow is a call with its window, which is a node without its input.
type boundWindow struct {
	at     ast.Node
	window plan.Window
	call   plan.WindowCall
}

func (w *boundWindow) equal(o *boundWindow) bool {
	a, c := w.call, o.call
	return w.window.SameOrder(&o.window) && a.Name == c.Name && a.String() == c.String() && (a.Function == nil) == (c.Function == nil) &&
		slices.EqualFunc(a.Exprs(), c.Exprs(), expr.Equal)
}

func isWindow(e expr.Expr) bool {
	c, ok := e.(*expr.Column)
	return ok && c.Index >= windowBase && c.Index < 2*windowBase
}

// hasWindow reports whether an expression has the result of a call with OVER in
// it, maybe as what a subquery is compared with.
func hasWindow(e expr.Expr, q *subqueries) bool {
	if slices.ContainsFunc(expr.Columns(e), func(c *expr.Column) bool { return isWindow(c) }) {
		return true
	}
	return q != nil && slices.ContainsFunc(q.used(e), func(i int) bool {
		return slices.ContainsFunc(q.list[i].tests, func(t comparison) bool { return hasWindow(t.left, q) })
	})
}

func (k *block) hasWindow(e expr.Expr) bool { return hasWindow(e, &k.subs) }

// windowCall binds a call with OVER and gives the column of its result.
func (b *binder) windowCall(e *ast.Call, name string, c exprContext) (expr.Expr, error) {
	switch {
	case c.aggregates != nil && c.aggregates.inside != nil:
		return nil, b.errorAt(e, ErrInvalidSQL, "the window function %s stands inside the aggregate %s; compute it in a subquery", name, ast.String(c.aggregates.inside))
	case c.windows != nil && c.windows.inside != nil:
		return nil, b.nestedWindow(e, c.windows.inside)
	case c.windows == nil:
		return nil, b.errorAt(e, ErrInvalidSQL, "the window function %s can't stand in %s; compute it in a subquery", name, c.clause)
	case e.Distinct:
		return nil, b.unsupported(e, "DISTINCT in a window function")
	case eval.IsFunction(name) && !eval.IsAggregate(name) && !eval.IsWindowFunction(name):
		return nil, b.errorAt(e, ErrInvalidSQL, "%s is no window function and no aggregate: OVER doesn't apply", name)
	}
	c.windows.inside = e
	defer func() { c.windows.inside = nil }()
	c.aliasesFirst = false // the window is over the input's rows
	out := boundWindow{at: e, call: plan.WindowCall{Name: ast.String(e)}}
	spec, err := b.windowSpec(e.Over, c.windows.named)
	if err != nil {
		return nil, err
	}
	if (e.WithinGroup != nil || e.OrderBy != nil) && (spec.OrderBy != nil || spec.Frame != nil) {
		return nil, b.unsupported(e, "an ordered aggregate over a window with ORDER BY or a frame")
	}
	if err := b.windowFunction(e, name, c, &out.call); err != nil {
		return nil, err
	}
	if err := b.windowOrder(spec, c, &out.window); err != nil {
		return nil, err
	}
	f := out.call.Function
	if f != nil && f.Ordered && len(out.window.OrderBy) == 0 {
		return nil, b.errorAt(e, ErrInvalidSQL, "%s needs a window with ORDER BY", name)
	}
	if f == nil || f.ReadsFrame {
		out.call.Frame, err = b.frame(spec, &out.window)
	} else if spec.Frame != nil && !ownFrame(f.Name, spec.Frame) {
		err = b.errorAt(spec.Frame, ErrInvalidSQL, "%s takes no frame: it is about the whole partition", name)
	}
	if err != nil {
		return nil, err
	}
	return c.windows.add(out), nil
}

func (b *binder) nestedWindow(at ast.Node, outer *ast.Call) error {
	return b.errorAt(at, ErrInvalidSQL, "a window function stands inside the window function %s; compute it in a subquery", ast.String(outer))
}

// add numbers a call; one that is there already is not computed twice.
func (w *windows) add(call boundWindow) *expr.Column {
	i := slices.IndexFunc(w.calls, func(have boundWindow) bool { return have.equal(&call) })
	if i < 0 {
		i = len(w.calls)
		w.calls = append(w.calls, call)
	}
	f := w.calls[i].call.Field()
	return &expr.Column{Index: windowBase + i, Name: f.Name, T: f.Type, MayBeNull: f.Nullable}
}

// windowFunction types the function itself. Where a window function and an
// aggregate have one name, FILTER asks for the aggregate.
func (b *binder) windowFunction(e *ast.Call, name string, c exprContext, call *plan.WindowCall) error {
	var args []expr.Expr
	for _, a := range e.Args {
		if _, star := a.(*ast.Star); star {
			continue
		}
		arg, err := b.windowExpr(a, c)
		if err != nil {
			return err
		}
		args = append(args, arg)
	}
	var err error
	if eval.IsWindowFunction(name) && !((e.Filter != nil || e.OrderBy != nil) && eval.IsAggregate(name)) {
		if e.Filter != nil || e.Star {
			return b.errorAt(e, ErrInvalidSQL, "%s is no aggregate: * and FILTER don't apply", name)
		}
		if call.Function, err = eval.ResolveWindow(name, args, e.Nulls == ast.IgnoreNulls); err != nil {
			return b.wrapAt(e.Pos(), err)
		}
		b.remember(e, call.Function.Args...)
		return nil
	}
	call.Aggregate, err = b.aggregateFunction(e, name, args, func(key ast.Expr) (expr.Expr, error) { return b.windowExpr(key, c) })
	if err != nil {
		return err
	}
	c.windows, c.clause = nil, "FILTER"
	call.Filter, err = b.condition(e.Filter, c)
	return err
}

// windowExpr binds an expression of a call or its window, which may not be over
// another window function, not even by its alias.
func (b *binder) windowExpr(e ast.Expr, c exprContext) (expr.Expr, error) {
	out, err := b.expr(e, c)
	if err == nil && hasWindow(out, c.subqueries) {
		err = b.nestedWindow(e, c.windows.inside)
	}
	return out, err
}

// windowSpec gives the window that is meant: as it is written, or the named one
// that it refers to or adds to.
func (b *binder) windowSpec(spec *ast.WindowSpec, named []ast.WindowDef) (*ast.WindowSpec, error) {
	if spec.Ref == nil {
		return spec, nil
	}
	i := slices.IndexFunc(named, func(d ast.WindowDef) bool { return strings.EqualFold(d.Name.Name, spec.Ref.Name) })
	if i < 0 {
		return nil, b.errorAt(spec.Ref, ErrInvalidSQL, "the WINDOW clause defines no window %s for this one", spec.Ref.Name)
	}
	others := slices.Delete(slices.Clone(named), i, i+1) // none is made of itself
	base, err := b.windowSpec(named[i].Spec, others)
	if err != nil {
		return nil, err
	}
	out := *base
	switch {
	case len(spec.PartitionBy) > 0:
		return nil, b.errorAt(spec, ErrInvalidSQL, "a window that adds to %s can't have PARTITION BY", spec.Ref.Name)
	case len(spec.OrderBy) > 0 && len(base.OrderBy) > 0:
		return nil, b.errorAt(spec, ErrInvalidSQL, "the window %s has an ORDER BY already", spec.Ref.Name)
	case base.Frame != nil && (len(spec.OrderBy) > 0 || spec.Frame != nil):
		return nil, b.errorAt(spec, ErrInvalidSQL, "nothing can be added to the window %s, which has a frame", spec.Ref.Name)
	}
	if len(spec.OrderBy) > 0 {
		out.OrderBy = spec.OrderBy
	}
	if spec.Frame != nil {
		out.Frame = spec.Frame
	}
	return &out, nil
}

// windowOrder binds PARTITION BY and ORDER BY of a window.
func (b *binder) windowOrder(spec *ast.WindowSpec, c exprContext, out *plan.Window) error {
	for _, e := range spec.PartitionBy {
		key, err := b.windowExpr(e, c)
		if err != nil {
			return err
		}
		if err := b.comparable(e, "PARTITION BY", key); err != nil {
			return err
		}
		out.PartitionBy = append(out.PartitionBy, key)
	}
	for _, item := range spec.OrderBy {
		if item.All {
			return b.errorAt(item, ErrInvalidSQL, "ORDER BY ALL does not apply to a window")
		}
		key, err := b.windowExpr(item.Expr, c)
		if err != nil {
			return err
		}
		if err := b.comparable(item, "ORDER BY", key); err != nil {
			return err
		}
		out.OrderBy = append(out.OrderBy, sortKey(key, item))
	}
	return nil
}

// checkNames refuses a WINDOW clause with a name twice.
func (b *binder) checkNames(named []ast.WindowDef) error {
	for i, d := range named {
		if slices.ContainsFunc(named[:i], func(o ast.WindowDef) bool { return strings.EqualFold(o.Name.Name, d.Name.Name) }) {
			return b.errorAt(d, ErrInvalidSQL, "the window %s is defined twice", d.Name.Name)
		}
	}
	return nil
}

// bindQualify binds the QUALIFY clause.
func (k *block) bindQualify() error {
	if k.s.Qualify == nil {
		return nil
	}
	c := k.context("QUALIFY")
	c.aliases = k.items
	var err error
	if k.windows.qualify, err = k.b.condition(k.s.Qualify, c); err != nil {
		return err
	}
	if len(k.windows.calls) == 0 {
		return k.b.errorAt(k.s.Qualify, ErrInvalidSQL, "QUALIFY needs a window function in it or in the select list; HAVING and WHERE filter without one")
	}
	return nil
}

// mapExprs changes all expressions that the windows are computed from.
func (w *windows) mapExprs(change func(at ast.Node, e expr.Expr) expr.Expr) {
	for i := range w.calls {
		b := &w.calls[i]
		each := func(e expr.Expr) expr.Expr { return change(b.at, e) }
		for p, e := range b.window.PartitionBy {
			b.window.PartitionBy[p] = each(e)
		}
		for o, key := range b.window.OrderBy {
			b.window.OrderBy[o].Expr = each(key.Expr)
		}
		b.call = b.call.Rewrite(each)
	}
}

// groupWindows rewrites what windows are computed from into expressions over
// the block's Aggregate.
func (k *block) groupWindows(g *grouping, agg *plan.Aggregate) error {
	var failure error
	k.windows.mapExprs(func(at ast.Node, e expr.Expr) expr.Expr {
		out, err := k.b.overGroups(at, e, g, agg)
		if failure == nil {
			failure = err
		}
		return out
	})
	if k.windows.qualify != nil && failure == nil {
		k.windows.qualify, failure = k.b.overGroups(k.s.Qualify, k.windows.qualify, g, agg)
	}
	return failure
}

// attachWindows computes the subqueries in what windows are computed from.
func (k *block) attachWindows() error {
	var exprs []*expr.Expr
	k.windows.mapExprs(func(_ ast.Node, e expr.Expr) expr.Expr {
		exprs = append(exprs, &e)
		return e
	})
	var err error
	if k.input, err = k.b.attach(k.input, &k.subs, exprs...); err != nil {
		return err
	}
	next := 0
	k.windows.mapExprs(func(ast.Node, expr.Expr) expr.Expr {
		next++
		return *exprs[next-1]
	})
	return nil
}

// addWindows adds the Window nodes, one for each order of rows, and the filter
// of QUALIFY, and puts the nodes' columns where calls stood.
func (k *block) addWindows(order []*orderKey) error {
	if len(k.windows.calls) == 0 {
		return nil
	}
	if err := k.attachWindows(); err != nil {
		return err
	}
	var nodes []*plan.Window
	type place struct{ node, call int }
	places := make([]place, len(k.windows.calls))
	for i := range k.windows.calls {
		w := &k.windows.calls[i]
		n := slices.IndexFunc(nodes, func(have *plan.Window) bool { return have.SameOrder(&w.window) })
		if n < 0 {
			n = len(nodes)
			nodes = append(nodes, &w.window)
		}
		places[i] = place{n, len(nodes[n].Calls)}
		nodes[n].Calls = append(nodes[n].Calls, w.call)
	}
	first := make([]int, len(nodes)) // the position of each node's first call
	for i, n := range nodes {
		first[i] = len(k.input.Schema().Fields)
		n.Input = k.input
		k.input = n
	}
	top := k.input
	over := func(e expr.Expr) expr.Expr {
		return expr.Rewrite(e, func(n expr.Expr) expr.Expr {
			if !isWindow(n) {
				return n
			}
			p := places[n.(*expr.Column).Index-windowBase]
			return plan.ColumnOf(top, first[p.node]+p.call)
		})
	}
	for i := range k.items {
		k.items[i].e = over(k.items[i].e)
	}
	for _, o := range order {
		o.e = over(o.e)
	}
	k.subs.overWindows = over
	var err error
	k.input, err = k.b.filter(k.input, &k.subs, over(k.windows.qualify))
	return err
}
