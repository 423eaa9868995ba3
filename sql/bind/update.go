package bind

import (
	"slices"

	"github.com/tarndb/tarn/sql/ast"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/plan"
)

// positionedScan reads the target for a change: all its columns, the rows' ids if
// it keeps them, and then their files and positions.
func (b *binder) positionedScan(t *target) (*plan.Scan, *scope, error) {
	name := t.source.Name()
	source, err := b.Catalog.Resolve(b.ctx, name, nil)
	if err != nil {
		return nil, nil, err
	}
	scan := newScan(source, nil)
	scan.RowPositions = true
	if plan.KeepsRowIDs(source) {
		scan.Spec.Columns = append(scan.Spec.Columns, plan.RowIDColumn)
	}
	s := newScope(nil)
	s.addNode(scan, t.qualifier...)
	for i := len(t.schema.Fields); i < len(s.columns); i++ {
		s.hide(i)
	}
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
	var subs subqueries
	if out.Filter, err = b.condition(s.Where, exprContext{scope: sc, subqueries: &subs, clause: "WHERE"}); err != nil {
		return nil, err
	}
	if byKey := deleteKeys(t, out.Filter); byKey != nil {
		return byKey, nil
	}
	in, err := b.filter(scan, &subs, out.Filter)
	if err != nil {
		return nil, err
	}
	out.Input = &plan.Project{Input: in, Exprs: plan.ColumnsOf(scan)[len(scan.Spec.Columns):], Names: []string{plan.FileColumn, plan.PositionColumn}}
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
	out := &plan.Update{Target: t.source, RowIDs: plan.KeepsRowIDs(scan.Source), Rules: t.rules}
	var subs subqueries
	if out.Filter, err = b.condition(s.Where, exprContext{scope: sc, subqueries: &subs, clause: "WHERE"}); err != nil {
		return nil, err
	}
	row, err := b.assignments(t, s.Set, exprContext{scope: sc, subqueries: &subs, clause: "SET"})
	if err != nil {
		return nil, err
	}
	in, err := b.filter(scan, &subs, out.Filter)
	if err != nil {
		return nil, err
	}
	for i := range row {
		if in, err = b.attach(in, &subs, &row[i]); err != nil {
			return nil, err
		}
	}
	width := len(t.schema.Fields)
	out.Input = &plan.Project{Input: in, Exprs: append(row, plan.ColumnsOf(scan)[width:]...), Names: scan.Schema().Names()}
	return out, nil
}

// assignments gives the new row of UPDATE SET: assigned columns get their
// values, generated ones are computed anew, the rest stays.
func (b *binder) assignments(t *target, set []ast.Assignment, c exprContext) ([]expr.Expr, error) {
	row := make([]expr.Expr, len(t.schema.Fields))
	var assigned []int
	for _, a := range set {
		i, err := b.assignedColumn(t, a.Column)
		if err != nil {
			return nil, err
		}
		if slices.Contains(assigned, i) {
			return nil, b.errorAt(a.Column, ErrInvalidSQL, "column %s is set twice", t.schema.Fields[i].Name)
		}
		assigned = append(assigned, i)
		if _, ok := a.Value.(*ast.Default); ok {
			if t.generated[i] == nil {
				row[i] = t.missing(i)
			}
			continue
		}
		e, err := b.expr(a.Value, c)
		if err != nil {
			return nil, err
		}
		if row[i], err = b.assign(a.Value, e, t.schema.Fields[i]); err != nil {
			return nil, err
		}
	}
	for i := range row {
		if row[i] == nil && t.generated[i] == nil {
			row[i] = c.scope.column(i)
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
