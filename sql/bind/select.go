package bind

import (
	"fmt"
	"slices"
	"strings"

	"github.com/tarndb/tarn/sql/ast"
	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/plan"
)

// selectItem is an item of the select list after * was expanded.
type selectItem struct {
	at   ast.Node
	e    expr.Expr
	name string
}

// block is a SELECT while it is bound.
type block struct {
	b          *binder
	s          *ast.Select
	input      plan.Node
	scope      *scope
	aggs       aggregates
	windows    windows
	generators generators
	subs       subqueries
	items      []selectItem
}

func groupError(c *expr.Column) error {
	return fmt.Errorf("%w: %s must stand in GROUP BY or inside an aggregate", ErrInvalidSQL, c)
}

// selectBlock binds SELECT … with the ORDER BY that follows it, which may
// refer to the block's input as well as to its output.
func (b *binder) selectBlock(s *ast.Select, order []ast.OrderItem, outer *scope) (plan.Node, error) {
	k := &block{b: b, s: s, windows: windows{named: s.Windows}}
	err := b.checkNames(s.Windows)
	if err != nil {
		return nil, err
	}
	if k.input, k.scope, err = b.from(s.From, outer); err != nil {
		return nil, err
	}
	for _, v := range s.LateralViews {
		if k.input, k.scope, err = b.lateralView(v, k.input, k.scope); err != nil {
			return nil, err
		}
	}
	where, err := b.condition(s.Where, exprContext{scope: k.scope, subqueries: &k.subs, clause: "WHERE"})
	if err != nil {
		return nil, err
	}
	if k.input, err = b.filter(k.input, &k.subs, where); err != nil {
		return nil, err
	}
	k.scope.padKeys(s.GroupBy)
	if err := k.bindItems(); err != nil {
		return nil, err
	}
	sortKeys, err := k.orderKeys(order)
	if err != nil {
		return nil, err
	}
	on, err := k.distinctOn()
	if err != nil {
		return nil, err
	}
	having, err := k.having()
	if err != nil {
		return nil, err
	}
	if err := k.bindQualify(); err != nil {
		return nil, err
	}
	if err := k.group(&having, append(sortKeys, on...)); err != nil {
		return nil, err
	}
	if k.input, err = b.filter(k.input, &k.subs, having); err != nil {
		return nil, err
	}
	if err := k.addGenerators(append(sortKeys, on...)); err != nil {
		return nil, err
	}
	if err := k.addWindows(append(sortKeys, on...)); err != nil {
		return nil, err
	}
	return k.project(sortKeys, on)
}

func (k *block) context(clause string) exprContext {
	return exprContext{scope: k.scope, aggregates: &k.aggs, windows: &k.windows, subqueries: &k.subs, clause: clause, unfolded: severalSets(k.s.GroupBy)}
}

// having binds the HAVING clause.
func (k *block) having() (expr.Expr, error) {
	c := k.context("HAVING")
	c.aliases, c.windows = k.items, nil
	having, err := k.b.condition(k.s.Having, c)
	if err == nil && hasGenerator(having) {
		err = k.b.errorAt(k.s.Having, ErrInvalidSQL, "what a generator gives can't stand in HAVING; filter it in a query around this one")
	}
	if err == nil && k.hasWindow(having) {
		err = k.b.errorAt(k.s.Having, ErrInvalidSQL, "a window function can't stand in HAVING; QUALIFY filters by one")
	}
	return having, err
}

// bindItems binds the select list.
func (k *block) bindItems() error {
	for _, item := range k.s.Items {
		if star, ok := item.Expr.(*ast.Star); ok {
			if err := k.star(star); err != nil {
				return err
			}
			continue
		}
		if call, ok := generatorCallOf(item); ok {
			if err := k.generator(item, call); err != nil {
				return err
			}
			continue
		}
		if item.Aliases != nil {
			return k.b.errorAt(item, ErrInvalidSQL, "several names need a function that gives rows, such as explode")
		}
		c := k.context("the select list")
		c.aliases = k.items
		e, err := k.b.expr(item.Expr, c)
		if err != nil {
			return err
		}
		k.items = append(k.items, selectItem{at: item, e: e, name: itemName(item)})
	}
	return nil
}

// itemName is the alias, the column's name, or the text of the expression.
func itemName(item ast.SelectItem) string {
	if item.Alias != nil {
		return item.Alias.Name
	}
	if c, ok := item.Expr.(*ast.ColumnRef); ok {
		return c.Parts[len(c.Parts)-1].Name
	}
	return ast.String(item.Expr)
}

// star expands * and t.*.
func (k *block) star(star *ast.Star) error {
	except := map[int]bool{}
	for _, ref := range star.Except {
		found, used := k.scope.find(ref.Parts)
		if len(found) != 1 || used != len(ref.Parts) {
			return k.b.columnNotFound(ref, k.scope)
		}
		except[found[0]] = true
	}
	replace := map[string]ast.SelectItem{}
	for _, r := range star.Replace {
		replace[strings.ToLower(itemName(r))] = r
	}
	matched := false
	for i, c := range k.scope.columns {
		if c.hidden && (c.implicit || len(star.Table) == 0) || !matches(c.qualifier, star.Table) {
			continue
		}
		matched = true
		if except[i] {
			continue
		}
		item := selectItem{at: star, e: k.scope.column(i), name: c.name}
		if r, ok := replace[strings.ToLower(c.name)]; ok {
			delete(replace, strings.ToLower(c.name))
			e, err := k.b.expr(r.Expr, k.context("the select list"))
			if err != nil {
				return err
			}
			item.e = e
		}
		k.items = append(k.items, item)
	}
	for _, r := range replace {
		return k.b.errorAt(r, ErrColumnNotFound, "REPLACE names %s, which * does not have", itemName(r))
	}
	if len(star.Table) > 0 && !matched {
		return k.b.errorAt(star, ErrColumnNotFound, "no table %s in FROM", star.Table[len(star.Table)-1].Name)
	}
	if len(k.s.From) == 0 {
		return k.b.errorAt(star, ErrInvalidSQL, "* needs a FROM clause")
	}
	return nil
}

// orderKey is an item of ORDER BY: an output column or an expression over the
// input.
type orderKey struct {
	at     ast.Node
	output int // of items; -1 if e is used
	e      expr.Expr
	item   ast.OrderItem
}

// orderKeys binds ORDER BY: ordinals and output names first, then expressions
// over the input.
func (k *block) orderKeys(order []ast.OrderItem) ([]*orderKey, error) {
	var out []*orderKey
	for _, item := range order {
		if item.All {
			for i := range k.items {
				out = append(out, &orderKey{at: item, output: i, item: item})
			}
			continue
		}
		key := &orderKey{at: item.Expr, output: -1, item: item}
		var err error
		if key.output, err = k.outputRef(item.Expr); err != nil {
			return nil, err
		}
		if key.output < 0 {
			c := k.context("ORDER BY")
			c.aliases, c.aliasesFirst = k.items, true
			if key.e, err = k.b.expr(item.Expr, c); err != nil {
				return nil, err
			}
			for i, it := range k.items {
				if expr.Equal(it.e, key.e) {
					key.output = i
					break
				}
			}
		}
		out = append(out, key)
	}
	return out, nil
}

// outputRef finds the output column that an ordinal or a bare name means; -1
// if e is neither.
func (k *block) outputRef(e ast.Expr) (int, error) {
	switch e := e.(type) {
	case *ast.Literal:
		if e.Kind != ast.IntegerLiteral {
			return -1, nil
		}
		var n int
		if _, err := fmt.Sscan(e.Text, &n); err != nil || n < 1 || n > len(k.items) {
			return -1, k.b.errorAt(e, ErrInvalidSQL, "position %s is not in the select list of %d columns", e.Text, len(k.items))
		}
		return n - 1, nil
	case *ast.ColumnRef:
		if len(e.Parts) != 1 {
			return -1, nil
		}
		return k.b.alias(e, k.items)
	}
	return -1, nil
}

// group adds the Aggregate node, if the block has one, and rewrites what is
// computed above it.
func (k *block) group(having *expr.Expr, order []*orderKey) error {
	g, err := k.grouping()
	if err != nil {
		return err
	}
	if k.s.GroupBy == nil && len(k.aggs.calls) == 0 && !k.aggs.grouping && *having == nil {
		return nil
	}
	if err := k.b.comparable(k.s, "GROUP BY", g.keys...); err != nil {
		return err
	}
	agg := &plan.Aggregate{Keys: slices.Clone(g.keys), KeyNames: g.names, Aggregates: k.aggs.calls}
	if agg.Input, err = k.attachGrouping(agg); err != nil {
		return err
	}
	if g.sets != nil {
		g.expand(agg)
	}
	k.input = agg
	k.subs.overGroups = func(at ast.Node, e expr.Expr) (expr.Expr, error) { return k.b.overGroups(at, e, g, agg) }
	for i := range k.items {
		if k.items[i].e, err = k.b.overGroups(k.items[i].at, k.items[i].e, g, agg); err != nil {
			return err
		}
	}
	for _, c := range k.generators.calls {
		for i, a := range c.f.Generator.Args {
			if c.f.Generator.Args[i], err = k.b.overGroups(c.at, a, g, agg); err != nil {
				return err
			}
		}
	}
	if *having != nil {
		if *having, err = k.b.overGroups(k.s.Having, *having, g, agg); err != nil {
			return err
		}
	}
	for _, o := range order {
		if o.output < 0 {
			if o.e, err = k.b.overGroups(o.at, o.e, g, agg); err != nil {
				return err
			}
		}
	}
	return k.groupWindows(g, agg)
}

// attachGrouping computes the subqueries in the keys and the aggregates.
func (k *block) attachGrouping(agg *plan.Aggregate) (plan.Node, error) {
	var exprs []*expr.Expr
	for i := range agg.Keys {
		exprs = append(exprs, &agg.Keys[i])
	}
	for i := range agg.Aggregates {
		c := &agg.Aggregates[i]
		for j := range c.Function.Args {
			exprs = append(exprs, &c.Function.Args[j])
		}
		if c.Filter != nil {
			exprs = append(exprs, &c.Filter)
		}
	}
	return k.b.attach(k.input, &k.subs, exprs...)
}

// groupKey binds a key: an ordinal, an output name that is no input column, or
// an expression.
func (k *block) groupKey(e ast.Expr) (key expr.Expr, name string, err error) {
	_, isOrdinal := e.(*ast.Literal)
	ref, isName := e.(*ast.ColumnRef)
	if isName {
		found, _ := k.scope.find(ref.Parts)
		isName = found == nil
	}
	if isOrdinal || isName {
		i, err := k.outputRef(e)
		if err != nil {
			return nil, "", err
		}
		if i >= 0 {
			if hasAggregate(k.items[i].e) {
				return nil, "", k.b.errorAt(e, ErrInvalidSQL, "GROUP BY refers to %s, which is an aggregate", k.items[i].name)
			}
			if k.hasWindow(k.items[i].e) {
				return nil, "", k.b.errorAt(e, ErrInvalidSQL, "GROUP BY refers to %s, which is a window function", k.items[i].name)
			}
			if hasGenerator(k.items[i].e) {
				return nil, "", k.b.errorAt(e, ErrInvalidSQL, "GROUP BY refers to %s, which a generator gives; group in a query around this one", k.items[i].name)
			}
			return k.items[i].e, k.items[i].name, nil
		}
	}
	key, err = k.b.expr(e, exprContext{scope: k.scope, subqueries: &k.subs, clause: "GROUP BY", unfolded: severalSets(k.s.GroupBy)})
	return key, itemName(ast.SelectItem{Expr: e}), err
}

// comparable refuses keys of grouping and sorting that have no order: maps.
func (b *binder) comparable(at ast.Node, clause string, keys ...expr.Expr) error {
	for _, k := range keys {
		if !eval.Orderable(k.Type()) {
			return b.errorAt(at, eval.ErrTypeMismatch, "%s can't compare values of %s, which is %s", clause, k, k.Type())
		}
	}
	return nil
}

func hasAggregate(e expr.Expr) bool {
	for _, c := range expr.Columns(e) {
		if c.Index >= aggregateBase && c.Index < windowBase {
			return true
		}
	}
	return false
}

// project adds the select list, DISTINCT and ORDER BY. Sort keys that are not
// in the select list are computed beside it and dropped after sorting.
func (k *block) project(order, on []*orderKey) (plan.Node, error) {
	var exprs []*expr.Expr
	for i := range k.items {
		exprs = append(exprs, &k.items[i].e)
	}
	keys := append(slices.Clone(order), on...)
	for _, o := range keys {
		if o.output < 0 {
			exprs = append(exprs, &o.e)
		}
	}
	input, err := k.b.attach(k.input, &k.subs, exprs...)
	if err != nil {
		return nil, err
	}
	p := &plan.Project{Input: input}
	for _, it := range k.items {
		e := it.e
		p.Exprs = append(p.Exprs, e)
		p.Names = append(p.Names, it.name)
	}
	visible := len(p.Exprs)
	for _, o := range keys {
		if o.output >= 0 {
			continue
		}
		if k.s.Distinct && on == nil {
			return nil, k.b.errorAt(o.at, ErrInvalidSQL, "ORDER BY of SELECT DISTINCT must name columns of the select list")
		}
		o.output = len(p.Exprs)
		p.Exprs = append(p.Exprs, o.e)
		p.Names = append(p.Names, o.e.String())
	}
	node, err := k.distinct(p, order, on)
	if err != nil {
		return nil, err
	}
	if len(order) > 0 {
		s := &plan.Sort{Input: node}
		if s.Keys, err = k.sortKeys(node, order); err != nil {
			return nil, err
		}
		node = s
	}
	return firstColumns(node, visible), nil
}

// sortKeys are the keys of an ORDER BY over a node with the block's output.
func (k *block) sortKeys(n plan.Node, order []*orderKey) ([]plan.SortKey, error) {
	var out []plan.SortKey
	for _, o := range order {
		key := plan.ColumnOf(n, o.output)
		if err := k.b.comparable(o.at, "ORDER BY", key); err != nil {
			return nil, err
		}
		out = append(out, sortKey(key, o.item))
	}
	return out, nil
}

// distinctOn binds the expressions of DISTINCT ON as those of an ORDER BY.
func (k *block) distinctOn() ([]*orderKey, error) {
	var items []ast.OrderItem
	for _, e := range k.s.DistinctOn {
		items = append(items, ast.OrderItem{Expr: e})
	}
	return k.orderKeys(items)
}

// distinct drops the rows that DISTINCT takes for equal to others: all but the
// first in the order, for DISTINCT ON.
func (k *block) distinct(p *plan.Project, order, on []*orderKey) (plan.Node, error) {
	switch {
	case !k.s.Distinct:
		return p, nil
	case on == nil:
		return plan.Distinct(p), k.b.comparable(k.s, "DISTINCT", p.Exprs...)
	}
	keys, err := k.sortKeys(p, order)
	if err != nil {
		return nil, err
	}
	var partition []expr.Expr
	for _, o := range on {
		partition = append(partition, plan.ColumnOf(p, o.output))
	}
	if err := k.b.comparable(k.s, "DISTINCT ON", partition...); err != nil {
		return nil, err
	}
	numbered, err := plan.Numbered(p, "row_number", partition, keys)
	if err != nil {
		return nil, err
	}
	return firstOf(numbered, 1), nil
}

func sortKey(e expr.Expr, item ast.OrderItem) plan.SortKey {
	k := plan.SortKey{Expr: e, Descending: item.Desc, NullsFirst: !item.Desc}
	if item.Nulls != ast.NullsDefault {
		k.NullsFirst = item.Nulls == ast.NullsFirst
	}
	return k
}

// orderOutput adds an ORDER BY that sees only output columns, as after UNION.
func (b *binder) orderOutput(n plan.Node, order []ast.OrderItem) (plan.Node, error) {
	if len(order) == 0 {
		return n, nil
	}
	k := &block{b: b, s: &ast.Select{}, input: n, scope: newScope(nil)}
	k.scope.addNode(n)
	for i, f := range n.Schema().Fields {
		k.items = append(k.items, selectItem{at: order[0], e: k.scope.column(i), name: f.Name})
	}
	keys, err := k.orderKeys(order)
	if err != nil {
		return nil, err
	}
	if err := k.addWindows(keys); err != nil {
		return nil, err
	}
	return k.project(keys, nil)
}
