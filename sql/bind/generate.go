package bind

import (
	"slices"
	"strings"

	"github.com/tarndb/tarn/sql/ast"
	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/plan"
)

// generatorBase is added to the number of a generator's column in a select list to
// make the position of the column that stands for it until the Generate nodes are
// made.
const generatorBase = 1 << 27

// generators are the functions in a select list that give rows.
type generators struct {
	calls []generatorCall
	count int // of their columns
}

// generatorCall is one of them.
type generatorCall struct {
	at ast.Node
	f  *eval.TableFunction
}

// hasGenerator reports whether an expression reads what a generator gives.
func hasGenerator(e expr.Expr) bool {
	return slices.ContainsFunc(expr.Columns(e), func(c *expr.Column) bool { return c.Index >= generatorBase })
}

// unsupportedTables are the table functions that only the grammar knows.
var unsupportedTables = []string{"read_parquet", "read_csv", "read_json", "table_changes"}

// tableCall types a call of a function that gives rows.
func (b *binder) tableCall(at ast.Node, names []ast.Ident, args []ast.Expr, c exprContext) (*eval.TableFunction, error) {
	name := strings.ToLower(names[len(names)-1].Name)
	if slices.Contains(unsupportedTables, name) {
		return nil, b.unsupported(at, "the table function "+name)
	}
	if eval.IsFunction(name) && !eval.IsTableFunction(name) {
		return nil, b.errorAt(at, eval.ErrFunctionNotFound, "%s gives a value and no rows; it stands in a select list", name)
	}
	bound := make([]expr.Expr, len(args))
	for i, a := range args {
		if n, ok := a.(*ast.NamedArg); ok {
			return nil, b.unsupported(n, "a named argument")
		}
		var err error
		if bound[i], err = b.expr(a, c); err != nil {
			return nil, err
		}
	}
	f, err := eval.ResolveTableFunction(name, bound)
	if err != nil && slices.ContainsFunc(bound, eval.IsOpen) {
		f, err = eval.ResolveTableFunction(name, instants(bound))
	}
	if err != nil {
		return nil, b.wrapAt(at.Pos(), err)
	}
	b.remember(at, f.Generator.Args...)
	return f, nil
}

// generate puts a function that gives rows on top of a node, and gives its columns
// over the result.
func (b *binder) generate(n plan.Node, f *eval.TableFunction, q *subqueries, padded bool) (*plan.Generate, []expr.Expr, error) {
	args := make([]*expr.Expr, len(f.Generator.Args))
	for i := range args {
		args[i] = &f.Generator.Args[i]
	}
	n, err := b.attach(n, q, args...)
	if err != nil {
		return nil, nil, err
	}
	columns := make([]expr.Expr, len(f.Columns))
	for i, c := range f.Columns {
		columns[i] = expr.Shift(c.Expr, len(n.Schema().Fields))
	}
	return plan.NewGenerate(n, f.Generator, f.Outer || padded), columns, nil
}

// tableFunction binds a function of FROM for a row of the outer scope. padded asks
// for a row of NULLs where it gives none.
func (b *binder) tableFunction(t *ast.TableFunc, outer *scope, padded bool) (plan.Node, *scope, error) {
	if t.Sample != nil {
		return nil, nil, b.unsupported(t, "TABLESAMPLE")
	}
	var subs subqueries
	f, err := b.tableCall(t, t.Name, t.Args, exprContext{scope: newScope(outer), subqueries: &subs, clause: "a table function"})
	if err != nil {
		return nil, nil, err
	}
	if t.WithOrdinality {
		number, err := eval.Resolve(expr.OpAdd, []expr.Expr{f.Generator.Position(), expr.Int(1)})
		if err != nil {
			return nil, nil, err
		}
		f.Columns = append(f.Columns, eval.TableColumn{Name: "ordinality", Expr: number})
	}
	node, columns, err := b.generate(&plan.Values{Rows: [][]expr.Expr{{}}}, f, &subs, padded)
	if err != nil {
		return nil, nil, err
	}
	return b.aliased(&plan.Project{Input: node, Exprs: columns, Names: f.Names()}, t.Alias, t.Columns, outer)
}

// lateralView adds the columns of LATERAL VIEW to those of a node.
func (b *binder) lateralView(v *ast.LateralView, n plan.Node, s *scope) (plan.Node, *scope, error) {
	var subs subqueries
	f, err := b.tableCall(v.Func, v.Func.Name, v.Func.Args, exprContext{scope: s, subqueries: &subs, clause: "LATERAL VIEW"})
	if err != nil {
		return nil, nil, err
	}
	width, names := len(s.columns), n.Schema().Names()
	node, columns, err := b.generate(n, f, &subs, v.Outer)
	if err != nil {
		return nil, nil, err
	}
	p := &plan.Project{Input: node, Exprs: append(plan.ColumnsOf(node)[:width], columns...), Names: append(names, f.Names()...)}
	added, from := newScope(nil), &plan.Project{Exprs: columns, Names: f.Names()}
	if v.Table != nil {
		added.addNode(from, v.Table.Name)
	} else {
		added.addNode(from)
	}
	if err := b.rename(added, v.Columns); err != nil {
		return nil, nil, err
	}
	out := &scope{columns: slices.Clone(s.columns), outer: s.outer}
	out.join(added)
	return p, out, nil
}

// generator binds an item of the select list that gives rows.
func (k *block) generator(item ast.SelectItem, call *ast.Call) error {
	c := k.context("a generator")
	c.aliases = k.items
	f, err := k.b.tableCall(call, call.Name, call.Args, c)
	if err != nil {
		return err
	}
	names := f.Names()
	aliases := item.Aliases
	if item.Alias != nil {
		aliases = []ast.Ident{*item.Alias}
	}
	if aliases != nil && len(aliases) != len(names) {
		return k.b.errorAt(item, ErrInvalidSQL, "%d names for the %d columns of %s", len(aliases), len(names), call.Name[0].Name)
	}
	for i, a := range aliases {
		names[i] = a.Name
	}
	for i, column := range f.Columns {
		e := &expr.Column{Index: generatorBase + k.generators.count, Name: names[i], T: column.Expr.Type(), MayBeNull: true}
		k.generators.count++
		k.items = append(k.items, selectItem{at: item, e: e, name: names[i]})
	}
	k.generators.calls = append(k.generators.calls, generatorCall{at: item, f: f})
	return nil
}

// generatorCallOf tells an item of a select list that gives rows.
func generatorCallOf(item ast.SelectItem) (*ast.Call, bool) {
	call, ok := item.Expr.(*ast.Call)
	if !ok || call.Over != nil || call.Filter != nil || call.Distinct || call.Star {
		return nil, false
	}
	return call, eval.IsGenerator(call.Name[len(call.Name)-1].Name)
}

// addGenerators adds the Generate nodes, one on top of the other, and puts their
// columns where the items stood for them.
func (k *block) addGenerators(order []*orderKey) error {
	if len(k.generators.calls) == 0 {
		return nil
	}
	var made []expr.Expr
	over := func(e expr.Expr) expr.Expr {
		return expr.Rewrite(e, func(n expr.Expr) expr.Expr {
			if c, ok := n.(*expr.Column); ok && c.Index >= generatorBase {
				return made[c.Index-generatorBase]
			}
			return n
		})
	}
	for _, call := range k.generators.calls {
		for i, a := range call.f.Generator.Args {
			call.f.Generator.Args[i] = over(a)
		}
		node, columns, err := k.b.generate(k.input, call.f, &k.subs, false)
		if err != nil {
			return err
		}
		k.input, made = node, append(made, columns...)
	}
	for i := range k.items {
		k.items[i].e = over(k.items[i].e)
	}
	for _, o := range order {
		o.e = over(o.e)
	}
	k.windows.mapExprs(func(_ ast.Node, e expr.Expr) expr.Expr { return over(e) })
	k.windows.qualify = over(k.windows.qualify)
	k.subs.overGenerators = over
	return nil
}
