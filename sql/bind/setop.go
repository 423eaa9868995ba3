package bind

import (
	"fmt"
	"strings"

	"github.com/tarndb/tarn/sql/ast"
	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/sql/types"
)

var setOpNames = map[ast.SetOpKind]string{ast.Union: "UNION", ast.Intersect: "INTERSECT", ast.Except: "EXCEPT"}

// setOp binds UNION, INTERSECT and EXCEPT.
func (b *binder) setOp(q *ast.SetOp, outer *scope) (plan.Node, error) {
	name := setOpNames[q.Op]
	left, err := b.body(q.Left, outer)
	if err != nil {
		return nil, err
	}
	right, err := b.body(q.Right, outer)
	if err != nil {
		return nil, err
	}
	if q.ByName {
		left, right = alignByName(left, right)
	}
	inputs, err := b.alike(q, name, left, right)
	if err != nil {
		return nil, err
	}
	if q.Op != ast.Union {
		return b.semiSetOp(q, inputs)
	}
	union := &plan.Union{}
	for _, in := range inputs {
		if u, ok := in.(*plan.Union); ok && q.All {
			union.Inputs = append(union.Inputs, u.Inputs...)
		} else {
			union.Inputs = append(union.Inputs, in)
		}
	}
	if q.All {
		return union, nil
	}
	return plan.Distinct(union), b.comparable(q, name, plan.ColumnsOf(union)...)
}

// alike brings the columns of the sides of a set operation to common types and
// to the names of the first side.
func (b *binder) alike(q *ast.SetOp, name string, sides ...plan.Node) ([]plan.Node, error) {
	first, second := sides[0].Schema().Fields, sides[1].Schema().Fields
	if len(first) != len(second) {
		return nil, b.errorAt(q.Right, ErrInvalidSQL, "the sides of %s have %d and %d columns", name, len(first), len(second))
	}
	ts := make([]types.Type, len(first))
	for i := range first {
		var err error
		if ts[i], err = b.commonType(q.Right, fmt.Sprintf("the sides of column %d of %s", i+1, name), []expr.Expr{plan.ColumnOf(sides[0], i), plan.ColumnOf(sides[1], i)}, eval.CommonTypeByPosition); err != nil {
			return nil, err
		}
	}
	out := make([]plan.Node, len(sides))
	for i, in := range sides {
		var err error
		if out[i], err = b.castColumns(q, in, ts, sides[0].Schema().Names()); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// alignByName gives both sides of UNION BY NAME the columns of the left one and
// then those that only the right one has; a column that a side lacks is NULL.
func alignByName(left, right plan.Node) (l, r plan.Node) {
	lf, rf := left.Schema(), right.Schema()
	lp, rp := &plan.Project{Input: left}, &plan.Project{Input: right}
	add := func(name string, inLeft, inRight int) {
		pick := func(n plan.Node, i int) expr.Expr {
			if i < 0 {
				return expr.Null(types.Of(types.Void))
			}
			return plan.ColumnOf(n, i)
		}
		lp.Exprs, lp.Names = append(lp.Exprs, pick(left, inLeft)), append(lp.Names, name)
		rp.Exprs, rp.Names = append(rp.Exprs, pick(right, inRight)), append(rp.Names, name)
	}
	for i, f := range lf.Fields {
		add(f.Name, i, rf.Index(f.Name))
	}
	for i, f := range rf.Fields {
		if lf.Index(f.Name) < 0 {
			add(f.Name, -1, i)
		}
	}
	return lp, rp
}

// semiSetOp binds INTERSECT and EXCEPT: the left rows that have, or have not,
// an equal among the right ones.
func (b *binder) semiSetOp(q *ast.SetOp, sides []plan.Node) (plan.Node, error) {
	j := &plan.Join{Kind: plan.SemiJoin, Left: sides[0], Right: sides[1]}
	if q.Op == ast.Except {
		j.Kind = plan.AntiJoin
	}
	visible := plan.ColumnsOf(j.Left)
	if err := b.comparable(q, setOpNames[q.Op], visible...); err != nil {
		return nil, err
	}
	if q.All { // the n-th of equal rows has a match if the other side has n of them
		var err error
		if j.Left, err = plan.Numbered(j.Left, "row_number", visible, nil); err != nil {
			return nil, err
		}
		if j.Right, err = plan.Numbered(j.Right, "row_number", plan.ColumnsOf(j.Right), nil); err != nil {
			return nil, err
		}
	} else {
		j.Left = plan.Distinct(j.Left)
	}
	left, right := plan.ColumnsOf(j.Left), plan.ColumnsOf(j.Right)
	for i := range left {
		j.Keys = append(j.Keys, plan.JoinKey{Left: left[i], Right: right[i], NullSafe: left[i].Nullable() && right[i].Nullable()})
	}
	return firstColumns(j, len(visible)), nil // without the numbers
}

// recursiveCTE binds a common table expression that refers to itself: a UNION
// whose right side is computed again and again over its own last rows.
func (b *binder) recursiveCTE(c *cte, body *ast.SetOp) (plan.Node, error) {
	anchor, err := b.body(body.Left, c.outer)
	if err != nil {
		return nil, err
	}
	out := &plan.Recursion{Anchor: anchor, Rows: &plan.WorkingTable{}, Distinct: !body.All}
	for i, f := range anchor.Schema().Fields {
		if len(c.def.Columns) == len(anchor.Schema().Fields) {
			f.Name = c.def.Columns[i].Name
		}
		f.Nullable = true
		out.Rows.Fields = append(out.Rows.Fields, f)
	}
	visible := map[string]*cte{}
	for k, v := range b.ctes {
		visible[k] = v
	}
	visible[strings.ToLower(c.def.Name.Name)] = &cte{def: c.def, rows: out.Rows}
	saved := b.ctes
	b.ctes = visible
	step, err := b.body(body.Right, c.outer)
	b.ctes = saved
	if err != nil {
		return nil, err
	}
	if n := len(step.Schema().Fields); n != len(out.Rows.Fields) {
		return nil, b.errorAt(body.Right, ErrInvalidSQL, "the sides of UNION have %d and %d columns", len(out.Rows.Fields), n)
	}
	ts := types.Schema{Fields: out.Rows.Fields}.Types()
	for i, f := range step.Schema().Fields {
		if _, err := eval.Coerce(plan.ColumnOf(step, i), ts[i]); err != nil {
			return nil, b.errorAt(body.Right, eval.ErrTypeMismatch, "column %s of the recursion is %s and must not become %s", out.Rows.Fields[i].Name, ts[i], f.Type)
		}
	}
	names := types.Schema{Fields: out.Rows.Fields}.Names()
	if out.Anchor, err = b.castColumns(body, anchor, ts, names); err != nil {
		return nil, err
	}
	if out.Step, err = b.castColumns(body, step, ts, names); err != nil {
		return nil, err
	}
	if out.Distinct {
		return out, b.comparable(body, "UNION", plan.ColumnsOf(out)...)
	}
	return out, nil
}

// castColumns converts the columns of a node; one that needs no change is
// given back as it is.
func (b *binder) castColumns(at ast.Node, n plan.Node, ts []types.Type, names []string) (plan.Node, error) {
	p := &plan.Project{Input: n, Names: names}
	same := true
	for i, f := range n.Schema().Fields {
		var e expr.Expr = plan.ColumnOf(n, i)
		if !f.Type.Equal(ts[i]) {
			same = false
			var err error
			if e, err = b.castFolded(at, e, ts[i]); err != nil {
				return nil, err
			}
		}
		p.Exprs = append(p.Exprs, e)
	}
	if same {
		return n, nil
	}
	return p, nil
}
