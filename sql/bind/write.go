package bind

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/tarndb/tarn/sql/ast"
	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/parser"
	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/sql/types"
)

// ruled is met by tables that set rules on their writers.
type ruled interface{ WriteRules() []types.WriteRule }

// target is a table that a statement writes to, with its rules bound.
type target struct {
	source    plan.Source
	schema    types.Schema
	qualifier []string
	rules     []plan.Rule
	defaults  map[int]expr.Expr // by column
	generated map[int]expr.Expr // by column; over the table's columns
}

func (b *binder) target(t *ast.TableName, alias *ast.Ident) (*target, error) {
	if t.At != nil {
		name, err := b.tableName(t)
		if err != nil {
			return nil, err
		}
		asOf, err := b.asOf(t.At)
		if err != nil {
			return nil, err
		}
		return nil, b.errorAt(t, plan.ErrReadOnlySnapshot, "%s%s can't be written to; write to the table itself", name, asOf)
	}
	if b.columnAt == nil {
		b.columnAt = map[*expr.Column]ast.Pos{}
	}
	name, err := b.tableName(t)
	if err != nil {
		return nil, err
	}
	source, err := b.Catalog.Target(b.ctx, name)
	if err != nil {
		return nil, b.wrapAt(t.Pos(), err)
	}
	out := &target{source: source, schema: source.Schema(), qualifier: qualifierOf(t), defaults: map[int]expr.Expr{}, generated: map[int]expr.Expr{}}
	if alias != nil {
		out.qualifier = []string{alias.Name}
	}
	return out, b.wrapAt(t.Pos(), b.bindRules(out))
}

// bindRules parses and binds the constraints, defaults and generated columns
// of a table over a row of its columns.
func (b *binder) bindRules(t *target) error {
	row := &plan.Values{Fields: t.schema.Fields}
	for i, f := range t.schema.Fields {
		if !f.Nullable {
			t.rules = append(t.rules, plan.Rule{Name: "NOT NULL " + types.QuoteIdent(f.Name), Condition: expr.IsNotNull(plan.ColumnOf(nullable(row), i))})
		}
	}
	r, ok := t.source.(ruled)
	if !ok {
		return nil
	}
	s := newScope(nil)
	s.addNode(nullable(row))
	for _, rule := range r.WriteRules() {
		if err := b.bindRule(t, rule, s); err != nil {
			return err
		}
	}
	return nil
}

// nullable gives the row with every column nullable, as it is before checks.
func nullable(v *plan.Values) *plan.Values {
	fields := append([]types.Field{}, v.Fields...)
	for i := range fields {
		fields[i].Nullable = true
	}
	return &plan.Values{Fields: fields}
}

func (b *binder) bindRule(t *target, rule types.WriteRule, s *scope) error {
	tree, err := parser.ParseExpr(rule.Text)
	if err != nil {
		return err
	}
	inner := &binder{Options: Options{Catalog: b.Catalog, Text: rule.Text, Env: b.Env}, ctx: b.ctx, columnAt: map[*expr.Column]ast.Pos{}}
	switch rule.Kind {
	case types.RuleCheck:
		cond, err := inner.condition(tree, exprContext{scope: s, clause: "CHECK"})
		if err != nil {
			return err
		}
		t.rules = append(t.rules, plan.Rule{Name: rule.Name, Condition: cond})
	case types.RuleDefault, types.RuleGenerated:
		i := t.schema.Index(rule.Column)
		e, err := inner.expr(tree, exprContext{scope: s, clause: "a default"})
		if err == nil {
			e, err = inner.assign(tree, e, t.schema.Fields[i])
		}
		if err != nil {
			return err
		}
		if rule.Kind == types.RuleDefault {
			t.defaults[i] = e
		} else {
			t.generated[i] = e
		}
	}
	return nil
}

// assign converts a value for storing it in a column. Text is converted to
// any type, checked when the statement runs; otherwise the conversions of
// Spark's ANSI store assignment are allowed.
func (b *binder) assign(at ast.Node, e expr.Expr, f types.Field) (expr.Expr, error) {
	e, err := Assign(e, f)
	if err == nil {
		e, err = eval.FoldConstants(e, b.Env)
	}
	return e, b.wrapAt(at.Pos(), err)
}

// Assign converts e for storing it in a column, as INSERT does.
func Assign(e expr.Expr, f types.Field) (expr.Expr, error) {
	var out expr.Expr
	var err error
	if e.Type().Kind == types.String && f.Type.Kind != types.String && !f.Type.IsNested() {
		out, err = eval.NewCast(e, f.Type, false)
	} else {
		out, err = eval.Coerce(e, f.Type)
	}
	if err != nil {
		return nil, fmt.Errorf("column %s is %s: %w", types.QuoteIdent(f.Name), f.Type, err)
	}
	return out, nil
}

// column finds a column of the target by name.
func (b *binder) targetColumn(t *target, name ast.Ident) (int, error) {
	i := t.schema.Index(name.Name)
	if i < 0 {
		return 0, b.errorAt(name, ErrColumnNotFound, "table %s has no column %s%s", t.source.Name(), types.QuoteIdent(name.Name), didYouMean(name.Name, t.schema.Names()))
	}
	return i, nil
}

// missing is the value of a column that a statement leaves out.
func (t *target) missing(i int) expr.Expr {
	if e, ok := t.defaults[i]; ok {
		return e
	}
	return expr.Null(t.schema.Fields[i].Type)
}

// insert binds INSERT: the source's columns go to the named columns, or to all
// in order, or to those of the same names.
func (b *binder) insert(s *ast.Insert) (plan.Node, error) {
	saved := b.ctes
	defer func() { b.ctes = saved }()
	if len(s.Partition) > 0 {
		return nil, b.unsupported(s.Partition[0], "INSERT … PARTITION (…)")
	}
	if err := b.with(s.With); err != nil {
		return nil, err
	}
	t, err := b.target(s.Table, nil)
	if err != nil {
		return nil, err
	}
	out := &plan.Insert{Target: t.source, Rules: t.rules, Overwrite: s.Overwrite}
	if s.ReplaceWhere != nil {
		if out.ReplaceWhere, err = b.replaceWhere(s, t, out); err != nil {
			return nil, err
		}
	}
	positions, err := b.insertColumns(s, t)
	if err != nil {
		return nil, err
	}
	if s.Source == nil { // DEFAULT VALUES
		row := &plan.Values{Rows: [][]expr.Expr{{}}}
		out.Input, err = b.fill(s, t, row, nil, nil)
		return out, err
	}
	if v, ok := s.Source.Body.(*ast.Values); ok && s.Source.With == nil && s.Source.OrderBy == nil && s.Source.Limit == nil && s.Source.Offset == nil && !s.ByName {
		out.Input, err = b.insertValues(v, t, positions)
		return out, err
	}
	node, _, err := b.query(s.Source, nil)
	if err != nil {
		return nil, err
	}
	if s.ByName {
		if positions, err = b.byName(s, t, node); err != nil {
			return nil, err
		}
	}
	if n := len(node.Schema().Fields); n != len(positions) {
		return nil, b.errorAt(s.Source, ErrInvalidSQL, "INSERT gives %d values for %d columns of %s", n, len(positions), t.source.Name())
	}
	out.Input, err = b.fill(s.Source, t, node, positions, columnsOf(node))
	return out, err
}

// replaceWhere binds the condition of INSERT … REPLACE WHERE, which the new
// rows must satisfy too.
func (b *binder) replaceWhere(s *ast.Insert, t *target, out *plan.Insert) (expr.Expr, error) {
	sc := newScope(nil)
	sc.addNode(&plan.Values{Fields: t.schema.Fields}, t.qualifier...)
	cond, err := b.condition(s.ReplaceWhere, exprContext{scope: sc, clause: "REPLACE WHERE"})
	if err != nil {
		return nil, err
	}
	out.Overwrite = true
	out.Rules = append(out.Rules, plan.Rule{Name: "REPLACE WHERE", Condition: expr.Compare(expr.OpNullSafe, cond, expr.True)})
	return cond, nil
}

// insertColumns gives the positions of the columns that INSERT names; all, if
// it names none.
func (b *binder) insertColumns(s *ast.Insert, t *target) ([]int, error) {
	var positions []int
	seen := map[int]bool{}
	for _, name := range s.Columns {
		i, err := b.targetColumn(t, name)
		if err != nil {
			return nil, err
		}
		if seen[i] {
			return nil, b.errorAt(name, ErrInvalidSQL, "column %s is named twice", name.Name)
		}
		seen[i] = true
		positions = append(positions, i)
	}
	if len(s.Columns) == 0 {
		for i := range t.schema.Fields {
			if _, computed := t.generated[i]; !computed {
				positions = append(positions, i)
			}
		}
	}
	return positions, nil
}

func (b *binder) byName(s *ast.Insert, t *target, n plan.Node) ([]int, error) {
	var positions []int
	for _, f := range n.Schema().Fields {
		i, err := b.targetColumn(t, ast.Ident{Loc: s.Source.Loc, Name: f.Name})
		if err != nil {
			return nil, err
		}
		positions = append(positions, i)
	}
	return positions, nil
}

// insertValues converts each value of VALUES to its column's type by itself,
// so that rows need no common type and DEFAULT may stand for a value.
func (b *binder) insertValues(v *ast.Values, t *target, positions []int) (plan.Node, error) {
	out := &plan.Values{Fields: make([]types.Field, len(positions)), Rows: make([][]expr.Expr, len(v.Rows))}
	for c, p := range positions {
		out.Fields[c] = t.schema.Fields[p]
		out.Fields[c].Nullable = true
	}
	empty := exprContext{scope: newScope(nil), clause: "VALUES"}
	for r, row := range v.Rows {
		if len(row) != len(positions) {
			return nil, b.errorAt(row[0], ErrInvalidSQL, "row %d has %d values for %d columns of %s", r+1, len(row), len(positions), t.source.Name())
		}
		out.Rows[r] = make([]expr.Expr, len(row))
		for c, e := range row {
			f := t.schema.Fields[positions[c]]
			if _, ok := e.(*ast.Default); ok {
				out.Rows[r][c] = t.missing(positions[c])
				continue
			}
			value, err := b.expr(e, empty)
			if err != nil {
				return nil, err
			}
			if out.Rows[r][c], err = b.assign(e, value, f); err != nil {
				return nil, err
			}
		}
	}
	return b.fill(v, t, out, positions, columnsOf(out))
}

// fill makes a whole row of the table from values for some of its columns.
func (b *binder) fill(at ast.Node, t *target, n plan.Node, positions []int, values []expr.Expr) (plan.Node, error) {
	row, err := b.fullRow(at, t, positions, values)
	if err != nil {
		return nil, err
	}
	return &plan.Project{Input: n, Exprs: row, Names: t.schema.Names()}, nil
}

// fullRow gives a value per column of the table: the given ones converted,
// defaults for the rest, and generated columns computed from both.
func (b *binder) fullRow(at ast.Node, t *target, positions []int, values []expr.Expr) ([]expr.Expr, error) {
	row := make([]expr.Expr, len(t.schema.Fields))
	for k, p := range positions {
		e, err := b.assign(at, values[k], t.schema.Fields[p])
		if err != nil {
			return nil, err
		}
		row[p] = e
	}
	for i := range row {
		if row[i] == nil {
			row[i] = t.missing(i)
		}
	}
	for i, e := range t.generated {
		if slices.Contains(positions, i) {
			continue // a value that was given is checked by the table's rules
		}
		row[i] = expr.Rewrite(e, func(n expr.Expr) expr.Expr {
			if c, ok := n.(*expr.Column); ok {
				return row[c.Index]
			}
			return n
		})
	}
	return row, nil
}

// InsertFrom gives the plan of an INSERT into columns of a table (all, if none
// are named) of the rows that input gives. input is called with the columns,
// in the types that its rows must have.
func InsertFrom(ctx context.Context, table string, columns []string, input func([]types.Field) plan.Node, o Options) (*plan.Insert, error) {
	name, err := parser.ParseTableName(table)
	if err != nil {
		return nil, err
	}
	o.Text = table
	b := &binder{ctx: ctx, Options: o}
	t, err := b.target(name, nil)
	if err != nil {
		return nil, err
	}
	s := &ast.Insert{Loc: name.Loc, Table: name}
	for _, c := range columns {
		s.Columns = append(s.Columns, ast.Ident{Loc: name.Loc, Name: c})
	}
	positions, err := b.insertColumns(s, t)
	if err != nil {
		return nil, err
	}
	fields := make([]types.Field, len(positions))
	for i, p := range positions {
		fields[i] = t.schema.Fields[p]
		fields[i].Nullable = true
		if fields[i].Type.Kind == types.String { // storing checks the length
			fields[i].Type = types.Of(types.String)
		}
	}
	out := &plan.Insert{Target: t.source, Rules: t.rules}
	node := input(fields)
	out.Input, err = b.fill(s, t, node, positions, columnsOf(node))
	return out, err
}

// positionedScan reads the target for a change: all its columns and then the
// rows' files and positions.
func (b *binder) positionedScan(t *target) (*plan.Scan, *scope, error) {
	name := t.source.Name()
	source, err := b.Catalog.Resolve(b.ctx, name, nil)
	if err != nil {
		return nil, nil, err
	}
	scan := newScan(source, nil)
	scan.RowPositions = true
	s := newScope(nil)
	s.addNode(scan, t.qualifier...)
	width := len(t.schema.Fields)
	s.hide(width)
	s.hide(width + 1)
	return scan, s, nil
}

// delete binds DELETE.
func (b *binder) delete(s *ast.Delete) (plan.Node, error) {
	if s.With != nil {
		return nil, b.unsupported(s.With, "WITH before DELETE")
	}
	t, err := b.target(s.Table, s.Alias)
	if err != nil {
		return nil, err
	}
	scan, sc, err := b.positionedScan(t)
	if err != nil {
		return nil, b.wrapAt(s.Table.Pos(), err)
	}
	out := &plan.Delete{Target: t.source}
	if out.Filter, err = b.condition(s.Where, exprContext{scope: sc, clause: "WHERE"}); err != nil {
		return nil, err
	}
	width := len(t.schema.Fields)
	var in plan.Node = scan
	if out.Filter != nil {
		in = &plan.Filter{Input: scan, Condition: out.Filter}
	}
	out.Input = &plan.Project{Input: in, Exprs: columnsOf(scan)[width:], Names: []string{plan.FileColumn, plan.PositionColumn}}
	return out, nil
}

// update binds UPDATE.
func (b *binder) update(s *ast.Update) (plan.Node, error) {
	if s.With != nil {
		return nil, b.unsupported(s.With, "WITH before UPDATE")
	}
	t, err := b.target(s.Table, s.Alias)
	if err != nil {
		return nil, err
	}
	scan, sc, err := b.positionedScan(t)
	if err != nil {
		return nil, b.wrapAt(s.Table.Pos(), err)
	}
	out := &plan.Update{Target: t.source, Rules: t.rules}
	if out.Filter, err = b.condition(s.Where, exprContext{scope: sc, clause: "WHERE"}); err != nil {
		return nil, err
	}
	row, err := b.assignments(t, s.Set, sc)
	if err != nil {
		return nil, err
	}
	var in plan.Node = scan
	if out.Filter != nil {
		in = &plan.Filter{Input: scan, Condition: out.Filter}
	}
	width := len(t.schema.Fields)
	out.Input = &plan.Project{Input: in, Exprs: append(row, columnsOf(scan)[width:]...),
		Names: append(t.schema.Names(), plan.FileColumn, plan.PositionColumn)}
	return out, nil
}

// assignments gives the new row of UPDATE SET: assigned columns get their
// values, generated ones are computed anew, the rest stays.
func (b *binder) assignments(t *target, set []ast.Assignment, sc *scope) ([]expr.Expr, error) {
	row := make([]expr.Expr, len(t.schema.Fields))
	for _, a := range set {
		i, err := b.assignedColumn(t, a.Column)
		if err != nil {
			return nil, err
		}
		if row[i] != nil {
			return nil, b.errorAt(a.Column, ErrInvalidSQL, "column %s is set twice", t.schema.Fields[i].Name)
		}
		if _, ok := a.Value.(*ast.Default); ok {
			row[i] = t.missing(i)
			continue
		}
		e, err := b.expr(a.Value, exprContext{scope: sc, clause: "SET"})
		if err != nil {
			return nil, err
		}
		if row[i], err = b.assign(a.Value, e, t.schema.Fields[i]); err != nil {
			return nil, err
		}
	}
	for i := range row {
		if row[i] == nil && t.generated[i] == nil {
			row[i] = sc.column(i)
		}
	}
	for i, e := range t.generated {
		if row[i] == nil {
			row[i] = expr.Rewrite(e, func(n expr.Expr) expr.Expr {
				if c, ok := n.(*expr.Column); ok {
					return row[c.Index]
				}
				return n
			})
		}
	}
	return row, nil
}

func (b *binder) assignedColumn(t *target, ref *ast.ColumnRef) (int, error) {
	parts := ref.Parts
	if len(parts) > 1 && matches(t.qualifier, parts[:len(parts)-1]) {
		parts = parts[len(parts)-1:]
	}
	if len(parts) > 1 {
		return 0, b.unsupported(ref, "assigning to the nested field "+ast.String(ref))
	}
	return b.targetColumn(t, parts[0])
}

// merge binds MERGE INTO as a join of the table with the source.
func (b *binder) merge(s *ast.Merge) (plan.Node, error) {
	if s.SchemaEvolution {
		return nil, b.unsupported(s, "MERGE WITH SCHEMA EVOLUTION")
	}
	saved := b.ctes
	defer func() { b.ctes = saved }()
	if err := b.with(s.With); err != nil {
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
	marked := &plan.Project{Input: source, Exprs: append(columnsOf(source), expr.True), Names: append(source.Schema().Names(), "_matched")}
	sourceScope.columns = append(sourceScope.columns, scopeColumn{name: "_matched", typ: types.Of(types.Boolean), hidden: true})
	both := newScope(nil)
	both.join(targetScope)
	both.join(sourceScope)
	on, err := b.condition(s.On, exprContext{scope: both, clause: "ON"})
	if err != nil {
		return nil, err
	}
	m := &mergeBinder{b: b, t: t, scope: both, source: sourceScope, offset: len(targetScope.columns)}
	out := &plan.Merge{Target: t.source, Rules: t.rules, Filter: targetOnly(on, len(t.schema.Fields)),
		Input: &plan.Join{Kind: mergeJoin(s.Clauses), Left: scan, Right: marked, Condition: on}}
	for _, c := range s.Clauses {
		clause, err := m.clause(c)
		if err != nil {
			return nil, err
		}
		out.Clauses = append(out.Clauses, clause)
	}
	return out, nil
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

// targetOnly keeps the conjuncts of ON that read only the table.
func targetOnly(on expr.Expr, columns int) expr.Expr {
	var keep []expr.Expr
	for _, c := range expr.SplitConjuncts(on) {
		only := len(expr.Columns(c)) > 0
		for _, col := range expr.Columns(c) {
			only = only && col.Index < columns
		}
		if only {
			keep = append(keep, c)
		}
	}
	return expr.And(keep...)
}

// mergeBinder binds the clauses of a MERGE.
type mergeBinder struct {
	b      *binder
	t      *target
	scope  *scope // the table's columns, then the source's
	source *scope
	offset int // of the source's columns in scope
}

func (m *mergeBinder) clause(c ast.MergeClause) (plan.MergeClause, error) {
	out := plan.MergeClause{
		Match:  map[ast.MergeMatch]plan.MergeMatch{ast.Matched: plan.WhenMatched, ast.NotMatched: plan.WhenNotMatched, ast.NotMatchedBySource: plan.WhenNotMatchedBySource}[c.Match],
		Action: map[ast.MergeAction]plan.MergeAction{ast.MergeUpdate: plan.MergeUpdate, ast.MergeDelete: plan.MergeDelete, ast.MergeInsert: plan.MergeInsert}[c.Action],
	}
	visible := m.visible(c.Match)
	var err error
	if out.Condition, err = m.b.condition(c.Cond, exprContext{scope: visible, clause: "WHEN"}); err != nil {
		return out, err
	}
	switch {
	case c.Action == ast.MergeUpdate && c.Star:
		out.Values, err = m.updateStar(c)
	case c.Action == ast.MergeUpdate:
		out.Values, err = m.b.assignments(m.t, c.Set, visible)
	case c.Action == ast.MergeInsert && c.Star:
		out.Values, err = m.insertStar(c)
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
		if !col.hidden && strings.EqualFold(col.name, name) {
			found = i
		}
	}
	if found < 0 {
		return nil, m.b.errorAt(c, ErrColumnNotFound, "the source of MERGE has no column %s, which * needs", types.QuoteIdent(name))
	}
	return m.scope.column(m.offset + found), nil
}

func (m *mergeBinder) updateStar(c ast.MergeClause) ([]expr.Expr, error) {
	return m.insertStar(c) // both take every column from the source
}

func (m *mergeBinder) insertStar(c ast.MergeClause) ([]expr.Expr, error) {
	var positions []int
	var values []expr.Expr
	for i, f := range m.t.schema.Fields {
		if _, computed := m.t.generated[i]; computed {
			continue
		}
		e, err := m.sourceColumn(c, f.Name)
		if err != nil {
			return nil, err
		}
		positions, values = append(positions, i), append(values, e)
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
		for i := range m.t.schema.Fields {
			positions = append(positions, i)
		}
	}
	if len(positions) != len(c.Values) {
		return nil, m.b.errorAt(c, ErrInvalidSQL, "INSERT has %d values for %d columns", len(c.Values), len(positions))
	}
	values := make([]expr.Expr, len(c.Values))
	for k, v := range c.Values {
		if _, ok := v.(*ast.Default); ok {
			values[k] = m.t.missing(positions[k])
			continue
		}
		var err error
		if values[k], err = m.b.expr(v, exprContext{scope: visible, clause: "VALUES"}); err != nil {
			return nil, err
		}
	}
	return m.b.fullRow(c, m.t, positions, values)
}
