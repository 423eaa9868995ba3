package bind

import (
	"slices"

	"github.com/tarndb/tarn/sql/ast"
	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/sql/types"
)

// subqueryBase is added to the number of a subquery to make the position of the
// column that stands for its value until attach computes it.
const subqueryBase = 1 << 26

// subqueries are the subqueries in the expressions of a query block.
type subqueries struct {
	list []*subquery
	// overGroups, once the block is grouped, rewrites an expression over the
	// block's input into one over its groups.
	overGroups func(at ast.Node, e expr.Expr) (expr.Expr, error)
	// overGenerators, once the block has its Generate nodes, does the same for what
	// they give.
	overGenerators func(expr.Expr) expr.Expr
	// overWindows, once the block has its Window nodes, puts their columns in the
	// place of calls with OVER.
	overWindows func(expr.Expr) expr.Expr
}

// subquery is a query that stands for a value (SingleJoin) or for a condition
// on its rows (MarkJoin).
type subquery struct {
	at    ast.Node
	kind  plan.JoinKind
	node  plan.Node
	scope *scope       // of the block whose row it is computed for
	outer []int        // IDs of the columns of scope that node refers to
	tests []comparison // all must hold; none for EXISTS
}

// comparison compares an expression over the block with one over a subquery.
type comparison struct {
	op          string
	left, right expr.Expr
}

// outerColumn is what an expr.Outer refers to.
type outerColumn struct {
	scope  *scope
	column int
}

// outerRef resolves a name in the enclosing queries, the nearest first; nil if
// none has it.
func (b *binder) outerRef(ref *ast.ColumnRef, s *scope) (expr.Expr, error) {
	for o := s.outer; o != nil; o = o.outer {
		found, used := o.find(ref.Parts)
		if len(found) == 0 {
			continue
		}
		if len(found) > 1 {
			return nil, b.ambiguous(ref, o, found)
		}
		key := outerColumn{o, found[0]}
		id := slices.Index(b.outers, key)
		if id < 0 {
			id = len(b.outers)
			b.outers = append(b.outers, key)
		}
		b.outerUses = append(b.outerUses, id)
		c := o.column(found[0])
		return b.fields(&expr.Outer{ID: id, Name: c.Name, T: c.T, MayBeNull: c.MayBeNull}, ref.Parts[used:])
	}
	return nil, nil
}

// subquery binds a query for the rows of a block and notes it there.
func (b *binder) subquery(at ast.Node, q *ast.Query, kind plan.JoinKind, c exprContext) (*subquery, error) {
	if c.subqueries == nil {
		return nil, b.unsupported(at, "a subquery in "+c.clause)
	}
	node, ids, err := b.correlated(q, c.scope)
	return &subquery{at: at, kind: kind, node: node, scope: c.scope, outer: ids}, err
}

// correlated binds a query that may refer to a row of s, and gives the IDs of
// the columns that it does refer to.
func (b *binder) correlated(q *ast.Query, s *scope) (n plan.Node, ids []int, err error) {
	before := len(b.outerUses)
	n, _, err = b.query(q, s)
	return n, b.usedOuters(before, s), err
}

// usedOuters lists the columns of s that were referred to since there were so many
// outerUses.
func (b *binder) usedOuters(since int, s *scope) (ids []int) {
	for _, id := range b.outerUses[since:] {
		if b.outers[id].scope == s && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids
}

// add numbers a subquery and gives the column that stands for it.
func (q *subqueries) add(s *subquery, t types.Type, nullable bool) expr.Expr {
	q.list = append(q.list, s)
	name := "subquery"
	if e, ok := s.at.(ast.Expr); ok {
		name = ast.String(e)
	}
	return &expr.Column{Index: subqueryBase + len(q.list) - 1, Name: name, T: t, MayBeNull: nullable}
}

// scalarSubquery binds (SELECT …) as a value: NULL if it gives no row.
func (b *binder) scalarSubquery(e *ast.Subquery, c exprContext) (expr.Expr, error) {
	s, err := b.subquery(e, e.Query, plan.SingleJoin, c)
	if err != nil {
		return nil, err
	}
	fields := s.node.Schema().Fields
	if len(fields) != 1 {
		return nil, b.errorAt(e, ErrInvalidSQL, "a subquery used as a value must give one column, this one gives %d", len(fields))
	}
	return c.subqueries.add(s, fields[0].Type, true), nil
}

// exists binds EXISTS (SELECT …).
func (b *binder) exists(e *ast.Exists, c exprContext) (expr.Expr, error) {
	s, err := b.subquery(e, e.Query, plan.MarkJoin, c)
	if err != nil {
		return nil, err
	}
	return c.subqueries.add(s, types.Of(types.Boolean), false), nil
}

// anyRow binds a comparison of an expression, or of the elements of a row, with
// the columns of a subquery: whether it holds for some row.
func (b *binder) anyRow(at ast.Node, op string, left ast.Expr, q *ast.Query, c exprContext) (expr.Expr, error) {
	operands := []ast.Expr{left}
	if row, ok := left.(*ast.Row); ok {
		operands = row.Elems
	}
	s, err := b.subquery(at, q, plan.MarkJoin, c)
	if err != nil {
		return nil, err
	}
	if n := len(s.node.Schema().Fields); n != len(operands) {
		return nil, b.errorAt(at, ErrInvalidSQL, "%d values are compared with a subquery of %d columns", len(operands), n)
	}
	nullable := false
	for i, o := range operands {
		l, err := b.bindExpr(o, c)
		if err != nil {
			return nil, err
		}
		compared, err := b.apply(at, op, l, plan.ColumnOf(s.node, i))
		if err != nil {
			return nil, err
		}
		args := compared.Children()
		s.tests = append(s.tests, comparison{op, args[0], args[1]})
		nullable = nullable || compared.Nullable()
	}
	return c.subqueries.add(s, types.Of(types.Boolean), nullable), nil
}

// negations are the comparisons that hold where others do not.
var negations = map[string]string{expr.OpEqual: expr.OpNotEqual, expr.OpNotEqual: expr.OpEqual, expr.OpLess: expr.OpGreaterEqual,
	expr.OpGreaterEqual: expr.OpLess, expr.OpGreater: expr.OpLessEqual, expr.OpLessEqual: expr.OpGreater}

// quantified binds x op ANY (SELECT …) and x op ALL (SELECT …), which holds
// unless the opposite holds for some row.
func (b *binder) quantified(e *ast.Quantified, c exprContext) (expr.Expr, error) {
	op := binaryNames[e.Op]
	switch {
	case e.Query == nil:
		return nil, b.unsupported(e, "ANY or ALL of an array")
	case negations[op] == "":
		return nil, b.unsupported(e, "the operator "+string(e.Op)+" with ANY or ALL")
	case e.Quantifier == ast.Any:
		return b.anyRow(e, op, e.Expr, e.Query, c)
	}
	if row, ok := e.Expr.(*ast.Row); ok && len(row.Elems) > 1 {
		return nil, b.unsupported(e, "ALL with several columns")
	}
	out, err := b.anyRow(e, negations[op], e.Expr, e.Query, c)
	if err != nil {
		return nil, err
	}
	return expr.Not(out), nil
}

// used lists the subqueries that an expression uses, in the order met.
func (q *subqueries) used(e expr.Expr) []int {
	var out []int
	for _, c := range expr.Columns(e) {
		if i := c.Index - subqueryBase; i >= 0 && i < len(q.list) {
			out = append(out, i)
		}
	}
	return out
}

// attach puts what computes the subqueries of the expressions on top of a node
// and makes the expressions refer to its columns.
func (b *binder) attach(n plan.Node, q *subqueries, exprs ...*expr.Expr) (plan.Node, error) {
	at := map[int]expr.Expr{} // the column of each subquery
	for _, e := range exprs {
		for _, i := range q.used(*e) {
			if at[i] != nil {
				continue
			}
			var err error
			if n, err = b.attachOne(n, q, q.list[i]); err != nil {
				return nil, err
			}
			at[i] = plan.ColumnOf(n, len(n.Schema().Fields)-1)
		}
		*e = expr.Rewrite(*e, func(x expr.Expr) expr.Expr {
			if c, ok := x.(*expr.Column); ok && c.Index >= subqueryBase && at[c.Index-subqueryBase] != nil {
				return at[c.Index-subqueryBase]
			}
			return x
		})
	}
	return n, nil
}

// attachOne adds the column of one subquery to a node.
func (b *binder) attachOne(n plan.Node, q *subqueries, s *subquery) (plan.Node, error) {
	out := &plan.Apply{Kind: s.kind, Right: s.node}
	overGroups := q.overGroups
	if overGroups == nil {
		overGroups = func(_ ast.Node, e expr.Expr) (expr.Expr, error) { return e, nil }
	}
	for _, id := range s.outer {
		v, err := overGroups(s.at, s.scope.column(b.outers[id].column))
		if err != nil {
			return nil, err
		}
		out.Params = append(out.Params, plan.Param{ID: id, Value: v})
	}
	tests := slices.Clone(s.tests)
	for i := range tests {
		t := &tests[i]
		var err error
		if t.left, err = overGroups(s.at, t.left); err != nil {
			return nil, err
		}
		if q.overGenerators != nil {
			t.left = q.overGenerators(t.left)
		}
		if q.overWindows != nil {
			t.left = q.overWindows(t.left)
		}
		if n, err = b.attach(n, q, &t.left); err != nil {
			return nil, err
		}
	}
	width := len(n.Schema().Fields)
	for _, t := range tests {
		out.Condition = expr.And(out.Condition, expr.Compare(t.op, t.left, expr.Shift(t.right, width)))
	}
	out.Left = n
	return out, nil
}

// filter gives the rows of a node for which a condition is true. Conjuncts
// without subqueries come first.
func (b *binder) filter(n plan.Node, q *subqueries, condition expr.Expr) (plan.Node, error) {
	var plain, rest []expr.Expr
	for _, c := range expr.SplitConjuncts(condition) {
		if len(q.used(c)) == 0 {
			plain = append(plain, c)
		} else {
			rest = append(rest, c)
		}
	}
	if plain != nil {
		n = &plan.Filter{Input: n, Condition: expr.And(plain...)}
	}
	for _, c := range rest {
		var err error
		if n, err = b.attach(n, q, &c); err != nil {
			return nil, err
		}
		n = &plan.Filter{Input: n, Condition: c}
	}
	return n, nil
}

// filterOnly is filter without the columns that the subqueries add.
func (b *binder) filterOnly(n plan.Node, q *subqueries, condition expr.Expr) (plan.Node, error) {
	out, err := b.filter(n, q, condition)
	if err != nil {
		return nil, err
	}
	return firstColumns(out, len(n.Schema().Fields)), nil
}

// rows gives the rows of VALUES; where they have subqueries, one node each.
func (b *binder) rows(v *plan.Values, q *subqueries) (plan.Node, error) {
	if len(q.list) == 0 {
		return v, nil
	}
	names := types.Schema{Fields: v.Fields}.Names()
	union := &plan.Union{}
	for _, row := range v.Rows {
		var in plan.Node = &plan.Values{Rows: [][]expr.Expr{{}}}
		for i := range row {
			var err error
			if in, err = b.attach(in, q, &row[i]); err != nil {
				return nil, err
			}
		}
		union.Inputs = append(union.Inputs, &plan.Project{Input: in, Exprs: row, Names: names})
	}
	return union, nil
}

// later reports whether an expression has no value before the statement runs.
func (q *subqueries) later(e expr.Expr) bool { return len(q.used(e)) > 0 || eval.IsVolatile(e) }
