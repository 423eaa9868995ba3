package bind

import (
	"fmt"

	"context"
	"slices"

	"github.com/tarndb/tarn/sql/ast"
	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/parser"
	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/sql/types"
)

// insert binds INSERT: the source's columns go to the named columns, or to all
// in order, or to those of the same names.
func (b *binder) insert(s *ast.Insert) (plan.Node, error) {
	saved := b.ctes
	defer func() { b.ctes = saved }()
	if len(s.Partition) > 0 {
		return nil, b.unsupported(s.Partition[0], "INSERT … PARTITION (…)")
	}
	if err := b.with(s.With, nil); err != nil {
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
	out.Input, _, err = b.insertRows(s, t)
	return out, err
}

// insertRows gives whole rows of the table, and the columns that the statement
// gives values for.
func (b *binder) insertRows(s *ast.Insert, t *target) (rows plan.Node, positions []int, err error) {
	if positions, err = b.insertColumns(s, t); err != nil {
		return nil, nil, err
	}
	if s.Source == nil { // DEFAULT VALUES
		rows, err = b.fill(s, t, &plan.Values{Rows: [][]expr.Expr{{}}}, nil, nil)
		return rows, nil, err
	}
	if v, ok := s.Source.Body.(*ast.Values); ok && s.Source.With == nil && s.Source.OrderBy == nil && s.Source.Limit == nil && s.Source.Offset == nil && !s.ByName {
		rows, err = b.insertValues(v, t, positions)
		return rows, positions, err
	}
	node, _, err := b.query(s.Source, nil)
	if err != nil {
		return nil, nil, err
	}
	if s.ByName {
		if positions, err = b.byName(s, t, node); err != nil {
			return nil, nil, err
		}
	}
	if n := len(node.Schema().Fields); n != len(positions) {
		return nil, nil, b.errorAt(s.Source, ErrInvalidSQL, "there are %d values for %d columns of %s", n, len(positions), t.source.Name())
	}
	rows, err = b.fill(s.Source, t, node, positions, plan.ColumnsOf(node))
	return rows, positions, err
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
		positions = t.given()
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
	var subs subqueries
	empty := exprContext{scope: newScope(nil), subqueries: &subs, clause: "VALUES"}
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
			if out.Rows[r][c], err = b.assignConstant(e, value, f, &subs); err != nil {
				return nil, err
			}
		}
	}
	rows, err := b.rows(out, &subs)
	if err != nil {
		return nil, err
	}
	return b.fill(v, t, rows, positions, plan.ColumnsOf(rows))
}

// assignConstant is assign for a value of VALUES: one that does not fit its
// column is an error at once, with its place, and not when the row is written.
func (b *binder) assignConstant(at ast.Node, e expr.Expr, f types.Field, subs *subqueries) (expr.Expr, error) {
	out, err := b.assign(at, e, f)
	if _, folded := out.(*expr.Literal); err != nil || folded || eval.IsOpen(out) || subs.later(out) {
		return out, err
	}
	if _, err := eval.EvalConstant(out, b.Env); err != nil {
		return nil, b.wrapAt(at.Pos(), fmt.Errorf("column %s is %s: %w", types.QuoteIdent(f.Name), f.Type, err))
	}
	return out, nil
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
	out.Input, err = b.fill(s, t, node, positions, plan.ColumnsOf(node))
	return out, err
}
