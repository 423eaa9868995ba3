package pushdown

import (
	"slices"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/sql/types"
)

// Decorrelate replaces every Apply by joins. A condition on the outer row that
// stands in a filter at the top of the subquery becomes part of the join's;
// otherwise the subquery is computed for all outer rows together (see
// unnester) and then joined with them.
func Decorrelate(n plan.Node) (plan.Node, error) { return (&decorrelator{}).rewrite(n) }

// decorrelator numbers the nodes of a plan whose rows are kept.
type decorrelator struct{ shared int }

func (d *decorrelator) rewrite(n plan.Node) (plan.Node, error) {
	if f, ok := n.(*plan.Filter); ok {
		n = filterByMark(f)
	}
	children := n.Children()
	changed := make([]plan.Node, len(children))
	for i, c := range children {
		var err error
		if changed[i], err = d.rewrite(c); err != nil {
			return nil, err
		}
	}
	if len(children) > 0 {
		n = n.WithChildren(changed)
	}
	if a, ok := n.(*plan.Apply); ok {
		return d.joinFor(a)
	}
	return n, nil
}

// filterByMark makes a semi-join of a filter for rows with a match, and an
// anti-join of one for rows without. The mark is known then.
func filterByMark(f *plan.Filter) plan.Node {
	a, ok := f.Input.(*plan.Apply)
	if !ok || a.Kind != plan.MarkJoin {
		return f
	}
	width := len(a.Left.Schema().Fields)
	isMark := func(e expr.Expr) bool {
		c, ok := e.(*expr.Column)
		return ok && c.Index == width
	}
	out := *a
	mark := expr.True
	not, negated := f.Condition.(*expr.Call)
	switch {
	case isMark(f.Condition):
		out.Kind = plan.SemiJoin
	case negated && not.Name == expr.OpNot && isMark(not.Args[0]) && !not.Args[0].Nullable():
		out.Kind, mark = plan.AntiJoin, expr.False
	default:
		return f
	}
	return project(&out, append(columnsTo(&out, width), mark), f.Schema().Names())
}

func project(n plan.Node, exprs []expr.Expr, names []string) plan.Node {
	return &plan.Project{Input: n, Exprs: exprs, Names: names}
}

// columnsTo refers to the first columns of a node.
func columnsTo(n plan.Node, count int) []expr.Expr {
	return plan.ColumnsOf(n)[:count:count]
}

// joinFor gives the join that stands for an Apply.
func (d *decorrelator) joinFor(a *plan.Apply) (plan.Node, error) {
	a = neededParams(a)
	if n, ok := rowByRow(a); ok {
		return n, nil
	}
	if a.Kind.LeftOnly() && a.Condition == nil {
		a.Right = anyRows(a.Right)
	}
	top := pullUp(a.Right, func(e expr.Expr) bool { return refersTo(e, a.Params) })
	if !correlated(top.node, a.Params) {
		return joinOn(a, top.node, top.conjuncts, nil, nil), nil
	}
	u := d.unnester(a)
	out, err := u.join(a)
	if u.copied && u.shared != nil {
		d.shared++
	}
	return out, err
}

// rowByRow puts the left rows of an Apply in the place of the single row that its
// subquery is computed from, if that is all it reads and it makes each of its rows
// from one.
func rowByRow(a *plan.Apply) (plan.Node, bool) {
	if a.Kind != plan.InnerJoin {
		return nil, false
	}
	n, ok := overLeft(a, a.Right)
	if ok && a.Condition != nil {
		n = &plan.Filter{Input: n, Condition: a.Condition}
	}
	return n, ok
}

// overLeft gives the left columns of an Apply and then those of a node of its
// subquery.
func overLeft(a *plan.Apply, n plan.Node) (plan.Node, bool) {
	width := len(a.Left.Schema().Fields)
	over := func(e expr.Expr) expr.Expr {
		return bindOuters(expr.Shift(e, width), a.Params, func(i int) expr.Expr { return a.Params[i].Value })
	}
	switch n := n.(type) {
	case *plan.Values:
		return a.Left, len(n.Rows) == 1 && len(n.Fields) == 0
	case *plan.Filter:
		in, ok := overLeft(a, n.Input)
		return &plan.Filter{Input: in, Condition: over(n.Condition)}, ok
	case *plan.Project:
		in, ok := overLeft(a, n.Input)
		if !ok {
			return nil, false
		}
		exprs := columnsTo(in, width)
		for _, e := range n.Exprs {
			exprs = append(exprs, over(e))
		}
		return project(in, exprs, append(a.Left.Schema().Names(), n.Names...)), true
	case plan.Extender:
		in, ok := overLeft(a, n.Children()[0])
		if !ok || !n.RowWise() {
			return nil, false
		}
		return mapExprs(n, over).WithChildren([]plan.Node{in}), true
	}
	return nil, false
}

// neededParams drops what the subquery does not refer to.
func neededParams(a *plan.Apply) *plan.Apply {
	read := map[int]bool{}
	anyExpr(a.Right, func(e expr.Expr) bool {
		for _, o := range expr.Outers(e) {
			read[o.ID] = true
		}
		return false
	})
	out := *a
	out.Params = nil
	for _, p := range a.Params {
		if read[p.ID] {
			out.Params = append(out.Params, p)
		}
	}
	return &out
}

// refersTo reports whether an expression reads the row that the parameters
// are computed from.
func refersTo(e expr.Expr, params []plan.Param) bool {
	return slices.ContainsFunc(expr.Outers(e), func(o *expr.Outer) bool { return paramOf(o, params) >= 0 })
}

func paramOf(o *expr.Outer, params []plan.Param) int {
	return slices.IndexFunc(params, func(p plan.Param) bool { return p.ID == o.ID })
}

func correlated(n plan.Node, params []plan.Param) bool {
	return len(params) > 0 && anyExpr(n, func(e expr.Expr) bool { return refersTo(e, params) })
}

// anyRows gives a node that has rows exactly when n has.
func anyRows(n plan.Node) plan.Node {
	for {
		switch in := n.(type) {
		case *plan.Project:
			n = in.Input
		case *plan.Sort:
			n = in.Input
		case *plan.Window:
			n = in.Input
		case *plan.Limit:
			if in.Offset > 0 || in.Count == 0 {
				return n
			}
			n = in.Input
		case *plan.Aggregate:
			if len(in.Keys) == 0 {
				return n
			}
			n = in.Input
		default:
			return n
		}
	}
}

// pulled is a subquery without the conjuncts that were taken out of it. Its
// columns are the subquery's and then what the conjuncts read besides.
type pulled struct {
	node      plan.Node
	conjuncts []expr.Expr
}

// pullUp takes conjuncts out of the filters at the top of n.
func pullUp(n plan.Node, take func(expr.Expr) bool) pulled {
	switch n := n.(type) {
	case *plan.Filter:
		in := pullUp(n.Input, take)
		var rest []expr.Expr
		for _, c := range conjunctsOf(n.Condition) {
			if take(c) {
				in.conjuncts = append(in.conjuncts, c)
			} else {
				rest = append(rest, c)
			}
		}
		in.node = filter(in.node, rest)
		return in
	case *plan.Sort:
		return pullUp(n.Input, take) // a subquery's rows have no order
	case *plan.Project:
		in := pullUp(n.Input, take)
		if len(in.conjuncts) == 0 {
			return pulled{node: n}
		}
		width := len(n.Exprs)
		all := columnsTo(in.node, len(in.node.Schema().Fields))
		out := project(in.node, append(slices.Clone(n.Exprs), all...), append(slices.Clone(n.Names), in.node.Schema().Names()...))
		for i, c := range in.conjuncts {
			in.conjuncts[i] = expr.Shift(c, width)
		}
		return pulled{node: out, conjuncts: in.conjuncts}
	}
	return pulled{node: n}
}

// joinOn joins the left rows of an Apply with what its subquery has become.
// conjuncts, over the columns of right, must be true of a pair; keys must be
// equal. merge, if not nil, gives the value of a column of the subquery.
func joinOn(a *plan.Apply, right plan.Node, conjuncts []expr.Expr, keys []plan.JoinKey, merge func(i int, column *expr.Column) expr.Expr) plan.Node {
	width := len(a.Left.Schema().Fields)
	j := &plan.Join{Kind: a.Kind, Left: a.Left, Right: right, Keys: keys}
	for _, c := range conjuncts {
		c = bindOuters(expr.Shift(c, width), a.Params, func(i int) expr.Expr { return a.Params[i].Value })
		if key, ok := equiKey(c, width); ok {
			j.Keys = append(j.Keys, key)
		} else if a.Kind == plan.MarkJoin && c.Nullable() {
			j.Condition = expr.And(j.Condition, expr.Compare(expr.OpNullSafe, c, expr.True))
		} else {
			j.Condition = expr.And(j.Condition, c)
		}
	}
	addTests(j, a.Condition, width)
	if j.Kind == plan.SingleJoin && oneRowPerKey(right, j.RightKeys()) {
		j.Kind = plan.LeftJoin
	}
	count := len(a.Schema().Fields)
	if merge == nil && len(j.Schema().Fields) == count {
		return j
	}
	out := columnsTo(j, count)
	for i := width; i < count && merge != nil; i++ {
		out[i] = merge(i-width, out[i].(*expr.Column))
	}
	return project(j, out, a.Schema().Names())
}

// addTests adds the comparisons of IN, ANY and ALL to a join. In a mark join
// what is unknown must stay so: a comparison with NULLs is a key only if it is
// all that the join has.
func addTests(j *plan.Join, tests expr.Expr, width int) {
	conjuncts := expr.SplitConjuncts(tests)
	if j.Kind != plan.MarkJoin {
		j.Condition = expr.And(append([]expr.Expr{j.Condition}, conjuncts...)...)
		return
	}
	for _, c := range conjuncts {
		key, ok := equiKey(c, width)
		alone := len(j.Keys) == 0 && j.Condition == nil && len(conjuncts) == 1
		switch {
		case ok && (alone || !c.Nullable()):
			j.Keys = append(j.Keys, key)
			j.NullAware = c.Nullable()
		default:
			j.Condition = expr.And(j.Condition, c)
		}
	}
}

// bindOuters replaces references to the parameters.
func bindOuters(e expr.Expr, params []plan.Param, value func(i int) expr.Expr) expr.Expr {
	return expr.Rewrite(e, func(x expr.Expr) expr.Expr {
		if o, ok := x.(*expr.Outer); ok {
			if i := paramOf(o, params); i >= 0 {
				return value(i)
			}
		}
		return x
	})
}

// oneRowPerKey reports whether a node has at most one row for each combination
// of values of the keys.
func oneRowPerKey(n plan.Node, keys []expr.Expr) bool {
	switch n := n.(type) {
	case *plan.Aggregate:
		for i := range n.Keys {
			if !slices.ContainsFunc(keys, func(k expr.Expr) bool { c, ok := k.(*expr.Column); return ok && c.Index == i }) {
				return false
			}
		}
		return true
	case *plan.Limit:
		return n.Count >= 0 && n.Count <= 1
	case *plan.Values:
		return len(n.Rows) <= 1
	case *plan.Filter:
		return oneRowPerKey(n.Input, keys)
	case *plan.Sort:
		return oneRowPerKey(n.Input, keys)
	case *plan.Project:
		var below []expr.Expr
		for _, k := range keys {
			below = append(below, substitute(k, n.Exprs))
		}
		return oneRowPerKey(n.Input, below)
	}
	return false
}

// noRows says of a subquery that is an Aggregate without keys, with Projects
// above it, what each column is over no rows; ok is false for other ones.
func noRows(n plan.Node) (values []expr.Expr, ok bool) {
	switch n := n.(type) {
	case *plan.Project:
		below, ok := noRows(n.Input)
		if !ok {
			return nil, false
		}
		for _, e := range n.Exprs {
			values = append(values, substitute(e, below))
		}
		return values, true
	case *plan.Aggregate:
		for _, c := range n.Aggregates {
			v, err := c.Function.Empty()
			if err != nil {
				return nil, false
			}
			values = append(values, &expr.Literal{T: c.Function.Type, Value: v})
		}
		return values, len(n.Keys) == 0
	}
	return nil, false
}

// ifMissing gives value where marker, which is never NULL in a row that was
// found, is NULL; else found.
func ifMissing(marker, value, found expr.Expr) expr.Expr {
	if l, ok := value.(*expr.Literal); ok && l.Value == nil {
		return found
	}
	return &expr.Case{Whens: []expr.When{{Condition: expr.IsNull(marker), Result: value}}, Else: found, T: found.Type()}
}

var markerType = types.Of(types.Boolean)
