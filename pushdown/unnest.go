package pushdown

import (
	"fmt"
	"slices"

	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/parser"
	"github.com/tarndb/tarn/sql/plan"
)

// unnester computes a correlated subquery for all outer rows at once: every
// node of it is made to give, beside its own columns, the values of the
// parameters that the row belongs to. They come from an equality with a column
// of the subquery where there is one for every parameter, else from a join
// with the distinct values that the outer rows have (the domain).
type unnester struct {
	left   plan.Node
	params []plan.Param
	shared *plan.Shared // left, if it could give other rows when read again
	copied bool         // it is read again, for the domain
	// given are the kept rows that bear the parameters now.
	given map[*plan.WorkingTable]*plan.WorkingTable
}

func (d *decorrelator) unnester(a *plan.Apply) *unnester {
	u := &unnester{left: a.Left, params: slices.Clone(a.Params), given: map[*plan.WorkingTable]*plan.WorkingTable{}}
	if !repeatable(a.Left) {
		u.shared = plan.NewShared(a.Left, d.shared+1)
	}
	return u
}

// unnested is a node of a subquery for all outer rows. Its columns are those of
// the original node and then others.
type unnested struct {
	node plan.Node
	at   []int // position of each parameter; nil if the rows are the same for all values
	// strict: the parameters are not NULL, for having been compared
	strict bool
}

// join gives the join of the outer rows with the subquery.
func (u *unnester) join(a *plan.Apply) (plan.Node, error) {
	right := u.abstract(a.Right)
	var merge func(int, *expr.Column) expr.Expr
	empty, counts := noRows(right)
	counts = counts && (a.Kind == plan.SingleJoin || a.Kind == plan.LeftJoin)
	var in unnested
	var err error
	if counts {
		in, err = u.overGroups(right)
	} else {
		in, err = u.each(right)
	}
	if err != nil {
		return nil, err
	}
	if u.copied && u.shared != nil {
		a = a.WithChildren([]plan.Node{u.shared, a.Right}).(*plan.Apply)
	}
	if counts {
		marker := len(a.Left.Schema().Fields) + len(in.node.Schema().Fields) - 1
		merge = func(i int, found *expr.Column) expr.Expr {
			m := &expr.Column{Index: marker, Name: "_found", T: markerType, MayBeNull: true}
			return ifMissing(m, bindOuters(empty[i], u.params, func(i int) expr.Expr { return u.params[i].Value }), found)
		}
	}
	var keys []plan.JoinKey
	for i, p := range u.params {
		keys = append(keys, plan.JoinKey{Left: p.Value, Right: plan.ColumnOf(in.node, in.at[i]), NullSafe: !in.strict && p.Value.Nullable()})
	}
	return joinOn(a, in.node, nil, keys, merge), nil
}

// abstract makes a parameter of each largest expression that reads parameters
// and literals only, so that an equality with it can be found.
func (u *unnester) abstract(n plan.Node) plan.Node {
	var out []plan.Param
	next := -1 // IDs of the binder are not negative
	n = mapTree(n, func(e expr.Expr) expr.Expr {
		return expr.ReplaceTopDown(e, func(x expr.Expr) (expr.Expr, bool) {
			if !refersTo(x, u.params) || len(expr.Columns(x)) > 0 || eval.IsVolatile(x) || !expr.HasValue(x) {
				return x, false
			}
			value := bindOuters(x, u.params, func(i int) expr.Expr { return u.params[i].Value })
			for _, p := range out {
				if expr.Equal(p.Value, value) {
					return &expr.Outer{ID: p.ID, Name: value.String(), T: value.Type(), MayBeNull: value.Nullable()}, true
				}
			}
			out = append(out, plan.Param{ID: next, Value: value})
			next--
			return &expr.Outer{ID: out[len(out)-1].ID, Name: value.String(), T: value.Type(), MayBeNull: value.Nullable()}, true
		})
	})
	u.params = out
	return n
}

// domain gives the distinct values of the parameters.
func (u *unnester) domain() unnested {
	u.copied = true
	p := &plan.Project{Names: u.names()}
	if u.shared != nil {
		p.Input = u.shared.Rows
	} else {
		p.Input = withoutPositions(u.left)
	}
	for _, param := range u.params {
		p.Exprs = append(p.Exprs, param.Value)
	}
	return unnested{node: plan.Distinct(p), at: u.behind(0)}
}

// bound gives every row for every value of the parameters, if that was open.
func (u *unnester) bound(in unnested) unnested {
	if in.at != nil {
		return in
	}
	return unnested{node: &plan.Join{Kind: plan.InnerJoin, Left: in.node, Right: u.domain().node}, at: u.behind(len(in.node.Schema().Fields))}
}

// each gives every row of a node for every value of the parameters that it belongs
// to.
func (u *unnester) each(n plan.Node) (unnested, error) {
	in, err := u.node(n)
	if err != nil {
		return unnested{}, err
	}
	return u.bound(in), nil
}

// behind are the positions of the parameters behind so many columns.
func (u *unnester) behind(columns int) []int {
	at := make([]int, len(u.params))
	for i := range at {
		at[i] = columns + i
	}
	return at
}

// columns are the parameters in a node.
func (u *unnester) columns(in unnested) []expr.Expr {
	out := make([]expr.Expr, len(in.at))
	for i, at := range in.at {
		out[i] = plan.ColumnOf(in.node, at)
	}
	return out
}

func (u *unnester) names() []string {
	out := make([]string, len(u.params))
	for i, p := range u.params {
		out[i] = p.Value.String()
	}
	return out
}

// replace makes an expression over the original node one over in.
func (u *unnester) replace(e expr.Expr, in unnested) expr.Expr {
	return bindOuters(e, u.params, func(i int) expr.Expr { return plan.ColumnOf(in.node, in.at[i]) })
}

// layout gives the node with the expressions as its columns and the parameters
// behind them.
func (u *unnester) layout(in unnested, exprs []expr.Expr, names []string) unnested {
	node := project(in.node, slices.Concat(exprs, u.columns(in)), slices.Concat(names, u.names()))
	return unnested{node: node, at: u.behind(len(exprs)), strict: in.strict}
}

func (u *unnester) node(n plan.Node) (unnested, error) {
	if !u.correlated(n) {
		return unnested{node: n}, nil
	}
	switch n := n.(type) {
	case *plan.Filter:
		return u.filter(n)
	case *plan.Project:
		in, err := u.each(n.Input)
		if err != nil {
			return unnested{}, err
		}
		exprs := make([]expr.Expr, len(n.Exprs))
		for i, e := range n.Exprs {
			exprs[i] = u.replace(e, in)
		}
		return u.layout(in, exprs, n.Names), nil
	case *plan.Aggregate:
		return u.aggregate(n)
	case *plan.Join:
		return u.joinNode(n)
	case *plan.Union:
		return u.union(n)
	case plan.Extender:
		return u.extender(n)
	case *plan.Limit:
		return u.limit(n)
	case *plan.Sort:
		return u.node(n.Input) // a subquery's rows have no order
	case *plan.Values:
		return u.values(n)
	case *plan.Shared:
		return u.keep(n)
	case *plan.Recursion:
		return u.recursion(n)
	case *plan.WorkingTable:
		return u.kept(n, u.given[n]), nil
	}
	return unnested{}, fmt.Errorf("pushdown: no correlated %T", n)
}

// correlated reports whether a node depends on the parameters, maybe by rows that
// a node met before keeps.
func (u *unnester) correlated(n plan.Node) bool {
	if w, ok := n.(*plan.WorkingTable); ok && u.given[w] != nil {
		return true
	}
	return hasExpr(n, func(e expr.Expr) bool { return refersTo(e, u.params) }) || slices.ContainsFunc(n.Children(), u.correlated)
}

// kept reads rows that bear the parameters behind their own columns.
func (u *unnester) kept(was, rows *plan.WorkingTable) unnested {
	return unnested{node: rows, at: u.behind(len(was.Fields))}
}

// all gives a node for all values of the parameters, with its own columns and
// then those.
func (u *unnester) all(n plan.Node) (unnested, error) {
	in, err := u.each(n)
	if err != nil {
		return unnested{}, err
	}
	return u.layout(in, columnsTo(in.node, len(n.Schema().Fields)), n.Schema().Names()), nil
}

// keep keeps the parameters with the rows.
func (u *unnester) keep(n *plan.Shared) (unnested, error) {
	in, err := u.all(n.Input)
	if err != nil {
		return unnested{}, err
	}
	out := plan.NewShared(in.node, n.Rows.Shared)
	u.given[n.Rows] = out.Rows
	in.node = out
	return in, nil
}

// recursion computes the recursions of all values of the parameters together.
func (u *unnester) recursion(n *plan.Recursion) (unnested, error) {
	anchor, err := u.all(n.Anchor)
	if err != nil {
		return unnested{}, err
	}
	rows := &plan.WorkingTable{Fields: slices.Concat(n.Rows.Fields, anchor.node.Schema().Fields[len(n.Rows.Fields):])}
	u.given[n.Rows] = rows
	step, err := u.all(n.Step)
	if err != nil {
		return unnested{}, err
	}
	out := u.kept(n.Rows, rows)
	out.node = &plan.Recursion{Anchor: anchor.node, Step: step.node, Rows: rows, Distinct: n.Distinct}
	return out, nil
}

func unsupported(what string) error {
	return fmt.Errorf("%w: %s is not supported yet", parser.ErrUnsupportedSQL, what)
}

func (u *unnester) filter(n *plan.Filter) (unnested, error) {
	in, err := u.node(n.Input)
	if err != nil {
		return unnested{}, err
	}
	conjuncts := conjunctsOf(n.Condition)
	if in.at == nil {
		in, conjuncts = u.bindByEquality(in, conjuncts)
	}
	in = u.bound(in)
	for i, c := range conjuncts {
		conjuncts[i] = u.replace(c, in)
	}
	in.node = filter(in.node, conjuncts)
	return in, nil
}

// bindByEquality takes the parameters from conjuncts that compare each with an
// expression over the node, if there is one for every parameter.
func (u *unnester) bindByEquality(in unnested, conjuncts []expr.Expr) (unnested, []expr.Expr) {
	equal := make([]expr.Expr, len(u.params))
	var rest []expr.Expr
	for _, c := range conjuncts {
		if i, e := u.equality(c); i >= 0 && equal[i] == nil {
			equal[i] = e
			continue
		}
		rest = append(rest, c)
	}
	var known []expr.Expr
	for _, e := range equal {
		if e == nil {
			return in, conjuncts
		}
		if e.Nullable() {
			known = append(known, expr.IsNotNull(e))
		}
	}
	width := len(in.node.Schema().Fields)
	node := filter(in.node, known)
	node = project(node, append(columnsTo(node, width), equal...), append(node.Schema().Names(), u.names()...))
	return unnested{node: node, at: u.behind(width), strict: true}, rest
}

// equality finds the parameter that a conjunct makes equal to an expression
// without parameters; -1 if it does not.
func (u *unnester) equality(c expr.Expr) (int, expr.Expr) {
	call, ok := c.(*expr.Call)
	if !ok || call.Name != expr.OpEqual {
		return -1, nil
	}
	for side, a := range call.Args {
		o, ok := a.(*expr.Outer)
		if other := call.Args[1-side]; ok && !refersTo(other, u.params) && len(expr.Columns(other)) > 0 && !eval.IsVolatile(other) {
			return paramOf(o, u.params), other
		}
	}
	return -1, nil
}

// grouped groups by the parameters too. The columns are the keys, the
// aggregates and the parameters.
func (u *unnester) grouped(n *plan.Aggregate, in unnested) unnested {
	agg := mapExprs(n, func(e expr.Expr) expr.Expr { return u.replace(e, in) }).(*plan.Aggregate)
	agg.Input = in.node
	keys := len(n.Keys)
	agg.Keys = append(agg.Keys, u.columns(in)...)
	agg.KeyNames = slices.Concat(n.KeyNames, u.names())
	exprs := columnsTo(agg, keys)
	for i := range n.Aggregates {
		exprs = append(exprs, plan.ColumnOf(agg, keys+len(u.params)+i))
	}
	return u.layout(unnested{node: agg, at: u.behind(keys), strict: in.strict}, exprs, n.Schema().Names())
}

// aggregate gives a group for each combination of keys and parameters. Without
// keys there is one row also for parameters that have no input rows.
func (u *unnester) aggregate(n *plan.Aggregate) (unnested, error) {
	in, err := u.each(n.Input)
	if err != nil {
		return unnested{}, err
	}
	out := u.grouped(n, in)
	if len(n.Keys) > 0 {
		return out, nil
	}
	empty, ok := noRows(n)
	if !ok {
		return unnested{}, unsupported("a correlated subquery with these aggregates")
	}
	domain := u.domain()
	width := len(u.params)
	j := &plan.Join{Kind: plan.LeftJoin, Left: domain.node, Right: marked(out.node)}
	u.joinParams(j, domain, out)
	marker := plan.ColumnOf(j, len(j.Schema().Fields)-1)
	exprs := make([]expr.Expr, len(n.Aggregates))
	for i := range exprs {
		exprs[i] = ifMissing(marker, empty[i], plan.ColumnOf(j, width+i))
	}
	return u.layout(unnested{node: j, at: domain.at}, exprs, n.Schema().Names()), nil
}

// marked adds a column that is never NULL.
func marked(n plan.Node) plan.Node {
	return project(n, append(columnsTo(n, len(n.Schema().Fields)), expr.True), append(n.Schema().Names(), "_found"))
}

// overGroups is node for Projects over an Aggregate without keys, of which
// parameters without input rows have no row; the last column marks the others.
func (u *unnester) overGroups(n plan.Node) (unnested, error) {
	if agg, ok := n.(*plan.Aggregate); ok {
		in, err := u.each(agg.Input)
		if err != nil {
			return unnested{}, err
		}
		out := u.grouped(agg, in)
		out.node = marked(out.node)
		return out, nil
	}
	p := n.(*plan.Project)
	in, err := u.overGroups(p.Input)
	if err != nil {
		return unnested{}, err
	}
	exprs := make([]expr.Expr, len(p.Exprs))
	for i, e := range p.Exprs {
		exprs[i] = u.replace(e, in)
	}
	out := u.layout(in, exprs, p.Names)
	out.node = marked(out.node)
	return out, nil
}

// limit counts the rows of each combination of parameters.
func (u *unnester) limit(n *plan.Limit) (unnested, error) {
	input, keys := n.Input, []plan.SortKey(nil)
	exprs := columnsTo(input, len(input.Schema().Fields))
	if p, ok := input.(*plan.Project); ok { // without the columns that only the order needs
		input, exprs = p.Input, slices.Clone(p.Exprs)
	}
	if s, ok := input.(*plan.Sort); ok {
		input, keys = s.Input, slices.Clone(s.Keys)
	}
	in, err := u.each(input)
	if err != nil {
		return unnested{}, err
	}
	for i := range keys {
		keys[i].Expr = u.replace(keys[i].Expr, in)
	}
	w, err := plan.Numbered(in.node, "row_number", u.columns(in), keys)
	if err != nil {
		return unnested{}, err
	}
	number := w.Number()
	conjuncts := []expr.Expr{expr.Compare(expr.OpGreater, number, expr.Int(n.Offset))}
	if needed := n.Needed(); needed != plan.NoLimit {
		conjuncts = append(conjuncts, expr.Compare(expr.OpLessEqual, number, expr.Int(needed)))
	}
	in.node = filter(w, conjuncts)
	for i, e := range exprs {
		exprs[i] = u.replace(e, in)
	}
	return u.layout(in, exprs, n.Schema().Names()), nil
}

// union gives each input's rows with the parameters behind.
func (u *unnester) union(n *plan.Union) (unnested, error) {
	out := &plan.Union{}
	for _, c := range n.Inputs {
		in, err := u.all(c)
		if err != nil {
			return unnested{}, err
		}
		out.Inputs = append(out.Inputs, in.node)
	}
	return unnested{node: out, at: u.behind(len(n.Schema().Fields))}, nil
}

// extender keeps the parameters among the columns of the input. The partitions of
// a window are divided by them too.
func (u *unnester) extender(n plan.Extender) (unnested, error) {
	input := n.Children()[0]
	in, err := u.each(input)
	if err != nil {
		return unnested{}, err
	}
	x := mapExprs(n, func(e expr.Expr) expr.Expr { return u.replace(e, in) }).WithChildren([]plan.Node{in.node})
	if w, ok := x.(*plan.Window); ok {
		w.PartitionBy = append(w.PartitionBy, u.columns(in)...)
	}
	width, newWidth := len(input.Schema().Fields), len(in.node.Schema().Fields)
	exprs := columnsTo(x, width)
	for i := range len(n.Schema().Fields) - width {
		exprs = append(exprs, plan.ColumnOf(x, newWidth+i))
	}
	return u.layout(unnested{node: x, at: in.at, strict: in.strict}, exprs, n.Schema().Names()), nil
}

// values computes literal rows for each value of the parameters.
func (u *unnester) values(n *plan.Values) (unnested, error) {
	domain := u.domain()
	out := &plan.Union{}
	var result unnested
	for _, row := range n.Rows {
		exprs := make([]expr.Expr, len(row))
		for i, e := range row {
			exprs[i] = u.replace(e, domain)
		}
		result = u.layout(domain, exprs, n.Schema().Names())
		out.Inputs = append(out.Inputs, result.node)
	}
	result.node = out
	return result, nil
}

// joinNode joins two inputs for the same values of the parameters.
func (u *unnester) joinNode(n *plan.Join) (unnested, error) {
	if n.Kind == plan.RightJoin {
		return u.node(exchanged(n, plan.LeftJoin))
	}
	if f, ok := u.filterOver(n); ok {
		return u.filter(f)
	}
	l, err := u.node(n.Left)
	if err != nil {
		return unnested{}, err
	}
	r, err := u.node(n.Right)
	if err != nil {
		return unnested{}, err
	}
	if n.Kind != plan.InnerJoin {
		l = u.bound(l) // rows without a match have their parameters from the left
	}
	if n.Kind == plan.FullJoin || slices.ContainsFunc(n.RightKeys(), func(e expr.Expr) bool { return refersTo(e, u.params) }) {
		r = u.bound(r)
	}
	width, newWidth := len(n.Left.Schema().Fields), len(l.node.Schema().Fields)
	j := &plan.Join{Kind: n.Kind, Left: l.node, Right: r.node, NullAware: n.NullAware}
	for _, k := range n.Keys {
		j.Keys = append(j.Keys, plan.JoinKey{Left: u.replace(k.Left, l), Right: u.replace(k.Right, r), NullSafe: k.NullSafe})
	}
	j.Condition = u.replace(moveRight(n.Condition, width, newWidth), l)
	if l.at != nil && r.at != nil {
		u.joinParams(j, l, r)
	}
	return u.joinLayout(n, j, l, r)
}

// joinParams asks for equal parameters on both sides. A comparison with NULLs that
// was the join's only key becomes its condition, which leaves the mark as open.
func (u *unnester) joinParams(j *plan.Join, l, r unnested) {
	if j.NullAware {
		k := j.Keys[0]
		j.Condition = expr.Compare(k.Op(), k.Left, expr.Shift(k.Right, len(l.node.Schema().Fields)))
		j.Keys, j.NullAware = nil, false
	}
	for i, p := range u.params {
		j.Keys = append(j.Keys, plan.JoinKey{Left: plan.ColumnOf(l.node, l.at[i]), Right: plan.ColumnOf(r.node, r.at[i]),
			NullSafe: !l.strict && !r.strict && p.Value.Nullable()})
	}
}

// filterOver takes what refers to the parameters out of an inner join into a
// filter above it.
func (u *unnester) filterOver(n *plan.Join) (*plan.Filter, bool) {
	if n.Kind != plan.InnerJoin {
		return nil, false
	}
	out := *n
	out.Keys = nil
	var conditions []expr.Expr
	for _, k := range n.Keys {
		if !refersTo(k.Left, u.params) && !refersTo(k.Right, u.params) {
			out.Keys = append(out.Keys, k)
			continue
		}
		conditions = append(conditions, expr.Compare(k.Op(), k.Left, expr.Shift(k.Right, len(n.Left.Schema().Fields))))
	}
	if refersTo(n.Condition, u.params) {
		conditions = append(conditions, n.Condition)
		out.Condition = nil
	}
	return &plan.Filter{Input: &out, Condition: expr.And(conditions...)}, conditions != nil
}

// moveRight adapts a join's condition to a left input of another width.
func moveRight(e expr.Expr, width, newWidth int) expr.Expr {
	return expr.Rewrite(e, func(x expr.Expr) expr.Expr {
		c, ok := x.(*expr.Column)
		if !ok || c.Index < width {
			return x
		}
		moved := *c
		moved.Index += newWidth - width
		return &moved
	})
}

// joinLayout puts the columns of a join in the order of the original one. The
// parameters of a full join's rows are on the side that the row has.
func (u *unnester) joinLayout(n, j *plan.Join, l, r unnested) (unnested, error) {
	width, newWidth := len(n.Left.Schema().Fields), len(l.node.Schema().Fields)
	out := unnested{node: j, at: l.at, strict: l.strict && j.Kind != plan.FullJoin}
	if l.at == nil {
		out.strict = r.strict
		for _, at := range r.at {
			out.at = append(out.at, newWidth+at)
		}
	}
	exprs := columnsTo(j, width)
	for i := width; i < len(n.Schema().Fields); i++ {
		exprs = append(exprs, plan.ColumnOf(j, newWidth+i-width))
	}
	if j.Kind != plan.FullJoin {
		return u.layout(out, exprs, n.Schema().Names()), nil
	}
	out.at = nil
	for i := range u.params {
		either, err := eval.Resolve("coalesce", []expr.Expr{plan.ColumnOf(j, l.at[i]), plan.ColumnOf(j, newWidth+r.at[i])})
		if err != nil {
			return unnested{}, err
		}
		out.at = append(out.at, len(exprs))
		exprs = append(exprs, either)
	}
	out.node = project(j, exprs, append(n.Schema().Names(), u.names()...))
	return out, nil
}
