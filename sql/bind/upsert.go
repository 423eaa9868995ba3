package bind

import (
	"slices"

	"github.com/tarndb/tarn/sql/ast"
	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/sql/types"
)

// upsert binds UPSERT INTO: rows as those of INSERT, and the keys.
func (b *binder) upsert(s *ast.Upsert) (plan.Node, error) {
	saved := b.ctes
	defer func() { b.ctes = saved }()
	if err := b.with(s.With, nil); err != nil {
		return nil, err
	}
	t, err := b.target(s.Table, nil)
	if err != nil {
		return nil, err
	}
	out := &plan.Upsert{Target: t.source, Rules: t.rules}
	var given []int
	if out.Input, given, err = b.insertRows(&ast.Insert{Loc: s.Loc, Table: s.Table, Columns: s.Columns, Source: s.Source}, t); err != nil {
		return nil, err
	}
	keys, err := b.keys(s.Table, t, s.Keys)
	if err != nil {
		return nil, err
	}
	for _, k := range keys {
		if !slices.Contains(given, k) && t.generated[k] == nil {
			return nil, b.errorAt(s.Table, ErrInvalidSQL, "UPSERT gives no value for the key %s", types.QuoteIdent(t.schema.Fields[k].Name))
		}
	}
	out.Keys = t.names(keys)
	return out, nil
}

// keys gives the positions of the key columns that a statement names, or of the
// table's own.
func (b *binder) keys(at ast.Node, t *target, named []ast.Ident) ([]int, error) {
	if named == nil {
		if k, ok := t.source.(plan.Keyed); ok {
			for _, name := range k.KeyColumns() {
				named = append(named, ast.Ident{Loc: ast.Loc{Offset: at.Pos()}, Name: name})
			}
		}
	}
	if len(named) == 0 {
		return nil, b.errorAt(at, ErrInvalidSQL, "table %s does not say which columns tell its rows apart; name them by KEYS (…)", t.source.Name())
	}
	var keys []int
	for _, name := range named {
		i, err := b.targetColumn(t, name)
		if err != nil {
			return nil, err
		}
		switch f := t.schema.Fields[i]; {
		case slices.Contains(keys, i):
			return nil, b.errorAt(name, ErrInvalidSQL, "column %s is named twice", types.QuoteIdent(f.Name))
		case !f.Type.CanBeKey():
			return nil, b.errorAt(name, eval.ErrTypeMismatch, "column %s can't be a key, as it is %s", types.QuoteIdent(f.Name), f.Type)
		}
		keys = append(keys, i)
	}
	return keys, nil
}

func (t *target) names(positions []int) []string {
	names := make([]string, len(positions))
	for i, p := range positions {
		names[i] = t.schema.Fields[p].Name
	}
	return names
}

// applyChanges binds APPLY CHANGES: of the rows of the source with equal keys, the
// last one by SEQUENCE BY is written, or deletes.
func (b *binder) applyChanges(s *ast.ApplyChanges) (plan.Node, error) {
	t, err := b.target(s.Table, nil)
	if err != nil {
		return nil, err
	}
	source, sc, err := b.table(s.Source, nil)
	if err != nil {
		return nil, err
	}
	keys, err := b.keys(s.Table, t, s.Keys)
	if err != nil {
		return nil, err
	}
	c := &changesBinder{b: b, s: s, t: t, scope: sc, keys: keys}
	rows, err := c.rows(source)
	if err != nil {
		return nil, err
	}
	return c.last(rows)
}

// changesBinder binds an APPLY CHANGES.
type changesBinder struct {
	b     *binder
	s     *ast.ApplyChanges
	t     *target
	scope *scope // of the source
	keys  []int  // of t
}

// rows gives, for each row of the source, the table's columns, whether it deletes,
// and its place in the sequence.
func (c *changesBinder) rows(source plan.Node) (plan.Node, error) {
	var subs subqueries
	deletes, err := c.b.condition(c.s.DeleteWhen, exprContext{scope: c.scope, subqueries: &subs, clause: "DELETE WHEN"})
	if err != nil {
		return nil, err
	}
	sequence, err := c.b.expr(c.s.SequenceBy, exprContext{scope: c.scope, subqueries: &subs, clause: "SEQUENCE BY"})
	if err != nil {
		return nil, err
	}
	if err := c.b.comparable(c.s.SequenceBy, "SEQUENCE BY", sequence); err != nil {
		return nil, err
	}
	positions, values, err := c.columns(c.used(&subs, deletes, sequence))
	if err != nil {
		return nil, err
	}
	row, err := c.b.fullRow(c.s.Source, c.t, positions, values)
	if err != nil {
		return nil, err
	}
	if deletes == nil {
		deletes = expr.False
	}
	if source, err = c.b.attach(source, &subs, &deletes, &sequence); err != nil {
		return nil, err
	}
	return &plan.Project{Input: source, Exprs: append(row, deletes, sequence), Names: append(c.t.schema.Names(), "_deletes", "_sequence")}, nil
}

// used are the columns of the source that the clauses read.
func (c *changesBinder) used(subs *subqueries, clauses ...expr.Expr) map[int]bool {
	for _, s := range subs.list {
		for _, test := range s.tests {
			clauses = append(clauses, test.left)
		}
	}
	used := map[int]bool{}
	for _, clause := range clauses {
		for _, column := range expr.Columns(clause) {
			used[column.Index] = true
		}
	}
	for _, o := range c.b.outers {
		used[o.column] = used[o.column] || o.scope == c.scope
	}
	return used
}

// columns gives the source's columns that are written, by name. Others serve the
// clauses only.
func (c *changesBinder) columns(used map[int]bool) (positions []int, values []expr.Expr, err error) {
	for i, column := range c.scope.columns {
		at := c.t.schema.Index(column.name)
		switch {
		case column.hidden || at < 0 && used[i]:
			continue
		case at < 0:
			return nil, nil, c.b.errorAt(c.s.Source, ErrColumnNotFound, "table %s has no column %s, and neither DELETE WHEN nor SEQUENCE BY needs it%s",
				c.t.source.Name(), types.QuoteIdent(column.name), didYouMean(column.name, c.t.schema.Names()))
		case slices.Contains(positions, at):
			return nil, nil, c.b.errorAt(c.s.Source, ErrAmbiguousColumn, "the changes have several columns %s", types.QuoteIdent(column.name))
		}
		positions, values = append(positions, at), append(values, c.scope.column(i))
	}
	for _, k := range c.keys {
		if !slices.Contains(positions, k) {
			return nil, nil, c.b.errorAt(c.s.Source, ErrColumnNotFound, "the changes have no column %s, which is a key", types.QuoteIdent(c.t.schema.Fields[k].Name))
		}
	}
	return positions, values, nil
}

// last keeps the last row of each key. A place in the sequence that is NULL, or
// that a key has twice at the end, would leave open which row that is. Those rows
// are kept too, for the rules to refuse them. What deletes obeys no other rule.
func (c *changesBinder) last(rows plan.Node) (plan.Node, error) {
	width := len(c.t.schema.Fields)
	w := &plan.Window{Input: rows, OrderBy: []plan.SortKey{{Expr: plan.ColumnOf(rows, width+1), Descending: true}}}
	for _, k := range c.keys {
		w.PartitionBy = append(w.PartitionBy, plan.ColumnOf(rows, k))
	}
	for _, name := range []string{"rank", "row_number"} {
		f, err := eval.ResolveWindow(name, nil, false)
		if err != nil {
			return nil, err
		}
		w.Calls = append(w.Calls, plan.WindowCall{Function: f, Name: "_" + name})
	}
	is := func(column int, n int64) expr.Expr {
		return expr.Compare(expr.OpEqual, plan.ColumnOf(w, column), &expr.Literal{T: types.Of(types.Int), Value: n})
	}
	deletes, sequence := plan.ColumnOf(w, width), plan.ColumnOf(w, width+1)
	out := &plan.Upsert{Target: c.t.source, Keys: c.t.names(c.keys), Deletes: true,
		Input: &plan.Filter{Input: w, Condition: expr.Or(is(width+2, 1), expr.IsNull(sequence))},
		Rules: []plan.Rule{{Name: "SEQUENCE BY IS NOT NULL", Condition: expr.IsNotNull(sequence)},
			{Name: "SEQUENCE BY IS UNIQUE PER KEY", Condition: is(width+3, 1)}}}
	for _, r := range c.t.rules {
		if c.s.DeleteWhen != nil {
			r.Condition = expr.Or(expr.Compare(expr.OpNullSafe, deletes, expr.True), r.Condition)
		}
		out.Rules = append(out.Rules, r)
	}
	return out, nil
}
