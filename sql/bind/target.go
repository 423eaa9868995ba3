package bind

import (
	"fmt"

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
	e, err := b.fromGo(e, f)
	if err == nil {
		e, err = Assign(e, f)
	}
	if err == nil {
		b.remember(at, e)
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

// given are the columns that a statement gives values for which names none.
func (t *target) given() []int {
	var positions []int
	for i := range t.schema.Fields {
		if t.generated[i] == nil {
			positions = append(positions, i)
		}
	}
	return positions
}

// missing is the value of a column that a statement leaves out.
func (t *target) missing(i int) expr.Expr {
	if e, ok := t.defaults[i]; ok {
		return e
	}
	return expr.Null(t.schema.Fields[i].Type)
}
