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

// cte is a common table expression in scope. It is bound anew where it is
// used, with the expressions that were in scope at its definition.
type cte struct {
	def     ast.CTE
	visible map[string]*cte
	outer   *scope // of the query that defines it
	// recursive: the definition may refer to itself
	recursive bool
	rows      *plan.WorkingTable // inside such a definition, its last rows
}

// query binds a query expression and gives its node and output scope.
func (b *binder) query(q *ast.Query, outer *scope) (plan.Node, *scope, error) {
	saved := b.ctes
	defer func() { b.ctes = saved }()
	if err := b.with(q.With, outer); err != nil {
		return nil, nil, err
	}
	var node plan.Node
	var err error
	if s, ok := q.Body.(*ast.Select); ok {
		node, err = b.selectBlock(s, q.OrderBy, outer)
		if err == nil {
			node, err = b.limit(node, q)
		}
	} else if node, err = b.body(q.Body, outer); err == nil {
		node, err = b.ordered(node, q)
	}
	if err != nil {
		return nil, nil, err
	}
	out := newScope(outer)
	out.addNode(node)
	return node, out, nil
}

// ordered adds the ORDER BY and LIMIT of a query that is no single SELECT.
func (b *binder) ordered(n plan.Node, q *ast.Query) (plan.Node, error) {
	n, err := b.orderOutput(n, q.OrderBy)
	if err != nil {
		return nil, err
	}
	return b.limit(n, q)
}

// with brings common table expressions into scope.
func (b *binder) with(w *ast.With, outer *scope) error {
	if w == nil {
		return nil
	}
	for _, c := range w.CTEs {
		next := map[string]*cte{}
		for k, v := range b.ctes {
			next[k] = v
		}
		next[strings.ToLower(c.Name.Name)] = &cte{def: c, visible: b.ctes, outer: outer, recursive: w.Recursive}
		b.ctes = next
	}
	return nil
}

func (b *binder) body(body ast.QueryBody, outer *scope) (plan.Node, error) {
	switch q := body.(type) {
	case *ast.Query:
		n, _, err := b.query(q, outer)
		return n, err
	case *ast.Select:
		return b.selectBlock(q, nil, outer)
	case *ast.Values:
		return b.values(q.Rows, outer)
	case *ast.TableBody:
		n, s, err := b.table(q.Table, outer)
		if err != nil {
			return nil, err
		}
		return visible(n, s), nil
	case *ast.SetOp:
		return b.setOp(q, outer)
	}
	return nil, b.unsupported(body, "this query")
}

// values brings each column of VALUES to one type.
func (b *binder) values(rows [][]ast.Expr, outer *scope) (plan.Node, error) {
	width := len(rows[0])
	out := &plan.Values{Rows: make([][]expr.Expr, len(rows)), Fields: make([]types.Field, width)}
	var subs subqueries
	for r, row := range rows {
		if len(row) != width {
			return nil, b.errorAt(row[0], ErrInvalidSQL, "row %d of VALUES has %d values, the first has %d", r+1, len(row), width)
		}
		out.Rows[r] = make([]expr.Expr, width)
		for c, e := range row {
			var err error
			if out.Rows[r][c], err = b.expr(e, exprContext{scope: newScope(outer), subqueries: &subs, clause: "VALUES"}); err != nil {
				return nil, err
			}
		}
	}
	for c := range out.Fields {
		column := make([]expr.Expr, len(rows))
		for r := range rows {
			column[r] = out.Rows[r][c]
		}
		t, err := b.commonType(rows[0][c], fmt.Sprintf("the values of column %d", c+1), column, eval.CommonType)
		if err != nil {
			return nil, err
		}
		out.Fields[c] = types.Field{Name: fmt.Sprintf("col%d", c+1), Type: t}
		for r := range rows {
			cast, err := b.castFolded(rows[r][c], column[r], t)
			if err != nil {
				return nil, err
			}
			out.Rows[r][c] = cast
			out.Fields[c].Nullable = out.Fields[c].Nullable || cast.Nullable()
		}
	}
	return b.rows(out, &subs)
}

// castFolded converts e to t; constants are converted at once.
func (b *binder) castFolded(at ast.Node, e expr.Expr, t types.Type) (expr.Expr, error) {
	cast, err := b.newCast(at, e, t, false)
	if err != nil {
		return nil, err
	}
	cast, err = eval.FoldConstants(cast, b.Env)
	return cast, b.wrapAt(at.Pos(), err)
}

// limit adds LIMIT and OFFSET.
func (b *binder) limit(n plan.Node, q *ast.Query) (plan.Node, error) {
	if q.Limit == nil && q.Offset == nil {
		return n, nil
	}
	out := &plan.Limit{Input: n, Count: plan.NoLimit}
	var err error
	if q.Limit != nil {
		if out.Count, err = b.rowCount(q.Limit, "LIMIT"); err != nil {
			return nil, err
		}
	}
	if q.Offset != nil {
		if out.Offset, err = b.rowCount(q.Offset, "OFFSET"); err != nil {
			return nil, err
		}
	}
	if !q.WithTies {
		return out, nil
	}
	if len(q.OrderBy) == 0 {
		return nil, b.errorAt(q, ErrInvalidSQL, "WITH TIES needs ORDER BY")
	}
	if out.Needed() == plan.NoLimit {
		return out, nil
	}
	out.Input, err = withTies(n, out.Needed())
	out.Count = plan.NoLimit
	return out, err
}

// withTies keeps the first rows of an ordered node, and those equal to the last
// of them in the order.
func withTies(n plan.Node, rows int64) (plan.Node, error) {
	s, ok := n.(*plan.Sort)
	if !ok { // columns that only the order needs are dropped above it
		in, err := withTies(n.Children()[0], rows)
		if err != nil {
			return nil, err
		}
		return n.WithChildren([]plan.Node{in}), nil
	}
	ranked, err := plan.Numbered(s.Input, "rank", nil, s.Keys)
	if err != nil {
		return nil, err
	}
	return s.WithChildren([]plan.Node{firstOf(ranked, rows)}), nil
}

// firstOf keeps the rows whose number, the last column, is at most rows, and
// drops the numbers.
func firstOf(numbered *plan.Window, rows int64) plan.Node {
	f := &plan.Filter{Input: numbered, Condition: expr.Compare(expr.OpLessEqual, numbered.Number(), expr.Int(rows))}
	return firstColumns(f, len(numbered.Input.Schema().Fields))
}

func (b *binder) rowCount(e ast.Expr, clause string) (int64, error) {
	l, err := b.constant(e)
	if err != nil {
		return 0, err
	}
	n, ok := l.Value.(int64)
	if !ok || !l.T.IsInteger() || n < 0 {
		return 0, b.errorAt(e, ErrInvalidSQL, "%s needs a whole number that is not negative, not %s", clause, l)
	}
	return n, nil
}
