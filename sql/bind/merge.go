package bind

import (
	"slices"
	"strings"

	"github.com/tarndb/tarn/sql/ast"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/sql/types"
)

// merge binds MERGE INTO as a join of the table with the source.
func (b *binder) merge(s *ast.Merge) (plan.Node, error) {
	if s.SchemaEvolution {
		return nil, b.unsupported(s, "MERGE WITH SCHEMA EVOLUTION")
	}
	saved := b.ctes
	defer func() { b.ctes = saved }()
	if err := b.with(s.With, nil); err != nil {
		return nil, err
	}
	t, err := b.target(s.Target, s.Target.Alias)
	if err != nil {
		return nil, err
	}
	scan, targetScope, err := b.positionedScan(t)
	if err != nil {
		return nil, b.wrapAt(s.Target.Pos(), err)
	}
	source, sourceScope, err := b.table(s.Source, nil)
	if err != nil {
		return nil, err
	}
	marked := &plan.Project{Input: source, Exprs: append(plan.ColumnsOf(source), expr.True), Names: append(source.Schema().Names(), "_matched")}
	sourceScope.columns = append(sourceScope.columns, scopeColumn{name: "_matched", typ: types.Of(types.Boolean), hidden: true})
	both := newScope(nil)
	both.join(targetScope)
	both.join(sourceScope)
	m := &mergeBinder{b: b, t: t, scope: both, source: sourceScope, offset: len(targetScope.columns)}
	out := &plan.Merge{Target: t.source, RowIDs: plan.KeepsRowIDs(scan.Source), Rules: t.rules, SourceMark: len(both.columns) - 1}
	if out.Input, err = b.joinOn(&plan.Join{Kind: mergeJoin(s.Clauses), Left: scan, Right: marked}, both, s.On); err != nil {
		return nil, err
	}
	for _, c := range s.Clauses {
		clause, err := m.clause(c)
		if err != nil {
			return nil, err
		}
		out.Clauses = append(out.Clauses, clause)
	}
	out.Input, err = m.attach(out.Input, out.Clauses)
	return out, err
}

// attach computes the subqueries of the clauses.
func (m *mergeBinder) attach(n plan.Node, clauses []plan.MergeClause) (plan.Node, error) {
	var exprs []*expr.Expr
	for i := range clauses {
		c := &clauses[i]
		if c.Condition != nil {
			exprs = append(exprs, &c.Condition)
		}
		for v := range c.Values {
			exprs = append(exprs, &c.Values[v])
		}
	}
	return m.b.attach(n, &m.subs, exprs...)
}

// mergeJoin is the smallest join that gives the rows that the clauses need.
func mergeJoin(clauses []ast.MergeClause) plan.JoinKind {
	kind := plan.InnerJoin
	for _, c := range clauses {
		switch {
		case c.Match == ast.NotMatched && kind == plan.InnerJoin:
			kind = plan.RightJoin
		case c.Match == ast.NotMatchedBySource && kind == plan.InnerJoin:
			kind = plan.LeftJoin
		case c.Match == ast.NotMatched && kind == plan.LeftJoin, c.Match == ast.NotMatchedBySource && kind == plan.RightJoin:
			kind = plan.FullJoin
		}
	}
	return kind
}

// mergeBinder binds the clauses of a MERGE.
type mergeBinder struct {
	b      *binder
	t      *target
	scope  *scope // the table's columns, then the source's
	source *scope
	offset int // of the source's columns in scope
	subs   subqueries
}

func (m *mergeBinder) clause(c ast.MergeClause) (plan.MergeClause, error) {
	out := plan.MergeClause{
		Match:  map[ast.MergeMatch]plan.MergeMatch{ast.Matched: plan.WhenMatched, ast.NotMatched: plan.WhenNotMatched, ast.NotMatchedBySource: plan.WhenNotMatchedBySource}[c.Match],
		Action: map[ast.MergeAction]plan.MergeAction{ast.MergeUpdate: plan.MergeUpdate, ast.MergeDelete: plan.MergeDelete, ast.MergeInsert: plan.MergeInsert}[c.Action],
	}
	visible := m.visible(c.Match)
	var err error
	if out.Condition, err = m.b.condition(c.Cond, exprContext{scope: visible, subqueries: &m.subs, clause: "WHEN"}); err != nil {
		return out, err
	}
	switch {
	case c.Star:
		out.Values, err = m.star(c)
	case c.Action == ast.MergeUpdate:
		out.Values, err = m.b.assignments(m.t, c.Set, exprContext{scope: visible, subqueries: &m.subs, clause: "SET"})
	case c.Action == ast.MergeInsert:
		out.Values, err = m.insertValues(c, visible)
	}
	return out, err
}

// visible hides the side that a clause's rows do not have.
func (m *mergeBinder) visible(match ast.MergeMatch) *scope {
	out := &scope{columns: append([]scopeColumn{}, m.scope.columns...)}
	for i := range out.columns {
		if match == ast.NotMatched && i < m.offset || match == ast.NotMatchedBySource && i >= m.offset {
			out.hide(i)
		}
	}
	return out
}

// sourceColumn finds the source column that * takes for a column of the table.
func (m *mergeBinder) sourceColumn(c ast.MergeClause, name string) (expr.Expr, error) {
	found := -1
	for i, col := range m.source.columns {
		if col.hidden || !strings.EqualFold(col.name, name) {
			continue
		}
		if found >= 0 {
			return nil, m.b.errorAt(c, ErrAmbiguousColumn, "the source of MERGE has several columns %s, and * needs one", types.QuoteIdent(name))
		}
		found = i
	}
	if found < 0 {
		return nil, m.b.errorAt(c, ErrColumnNotFound, "the source of MERGE has no column %s, which * needs", types.QuoteIdent(name))
	}
	return m.scope.column(m.offset + found), nil
}

// star binds SET * and INSERT *: every column is taken from the source.
func (m *mergeBinder) star(c ast.MergeClause) ([]expr.Expr, error) {
	positions := m.t.given()
	values := make([]expr.Expr, len(positions))
	for k, i := range positions {
		var err error
		if values[k], err = m.sourceColumn(c, m.t.schema.Fields[i].Name); err != nil {
			return nil, err
		}
	}
	return m.b.fullRow(c, m.t, positions, values)
}

func (m *mergeBinder) insertValues(c ast.MergeClause, visible *scope) ([]expr.Expr, error) {
	var positions []int
	for _, ref := range c.Columns {
		i, err := m.b.assignedColumn(m.t, ref)
		if err != nil {
			return nil, err
		}
		if slices.Contains(positions, i) {
			return nil, m.b.errorAt(ref, ErrInvalidSQL, "column %s is named twice", ast.String(ref))
		}
		positions = append(positions, i)
	}
	if c.Columns == nil {
		positions = m.t.given()
	}
	if len(positions) != len(c.Values) {
		return nil, m.b.errorAt(c, ErrInvalidSQL, "INSERT has %d values for %d columns", len(c.Values), len(positions))
	}
	var set []int
	var values []expr.Expr
	for k, v := range c.Values {
		if _, ok := v.(*ast.Default); ok {
			continue // as a column that is not named
		}
		e, err := m.b.expr(v, exprContext{scope: visible, subqueries: &m.subs, clause: "VALUES"})
		if err != nil {
			return nil, err
		}
		set, values = append(set, positions[k]), append(values, e)
	}
	return m.b.fullRow(c, m.t, set, values)
}
