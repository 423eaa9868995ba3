package pushdown

import (
	"maps"
	"math/bits"
	"slices"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/plan"
)

// maxOrdered is the largest number of joined inputs whose order is searched.
const maxOrdered = 10

// OrderJoins puts the inputs of inner joins into the order that is estimated
// to be the cheapest, the smaller side of each join on the right, where exec
// builds its table. A Project restores the order of columns.
func OrderJoins(n plan.Node) plan.Node {
	j, ok := n.(*plan.Join)
	if !ok {
		return rewriteChildren(n, OrderJoins)
	}
	if j.Kind != plan.InnerJoin {
		return buildSmaller(rewriteChildren(n, OrderJoins).(*plan.Join))
	}
	g := &joinGraph{}
	g.collect(j)
	if len(g.inputs) > maxOrdered {
		return rewriteChildren(n, OrderJoins)
	}
	for i := range g.inputs {
		g.inputs[i].node = OrderJoins(g.inputs[i].node)
	}
	return g.plan(n)
}

// swapped are the kinds that give the same rows with the inputs exchanged.
var swapped = map[plan.JoinKind]plan.JoinKind{plan.LeftJoin: plan.RightJoin, plan.RightJoin: plan.LeftJoin, plan.FullJoin: plan.FullJoin,
	plan.SemiJoin: plan.RightSemiJoin, plan.AntiJoin: plan.RightAntiJoin}

// muchSmaller is how many times smaller the left input of a join that is not
// inner must be to be exchanged with the right one.
const muchSmaller = 2

// buildSmaller exchanges the inputs of a join if the left one is the smaller.
func buildSmaller(j *plan.Join) plan.Node {
	kind, ok := swapped[j.Kind]
	if !ok || len(j.Keys) == 0 || givesPositions(j) || muchSmaller*estimateRows(j.Left) > estimateRows(j.Right) {
		return j
	}
	return exchanged(j, kind)
}

// exchanged gives the rows of a join by a join of a kind with the inputs exchanged.
func exchanged(j *plan.Join, kind plan.JoinKind) plan.Node {
	left, right := len(j.Left.Schema().Fields), len(j.Right.Schema().Fields)
	at := map[int]int{}
	for i := range left + right {
		at[i] = (i + right) % (left + right)
	}
	out := &plan.Join{Kind: kind, Left: j.Right, Right: j.Left, Condition: expr.Remap(j.Condition, at)}
	for _, k := range j.Keys {
		out.Keys = append(out.Keys, plan.JoinKey{Left: k.Right, Right: k.Left, NullSafe: k.NullSafe})
	}
	if kind.RightOnly() {
		return out
	}
	p := &plan.Project{Input: out, Names: j.Schema().Names()}
	columns := plan.ColumnsOf(out)
	for i := range p.Names {
		p.Exprs = append(p.Exprs, columns[at[i]])
	}
	return p
}

// givesPositions reports whether rows below a node have their positions, by
// which a statement changes a table: its joins stay as they are.
func givesPositions(n plan.Node) bool {
	s, ok := n.(*plan.Scan)
	return ok && s.RowPositions || slices.ContainsFunc(n.Children(), givesPositions)
}

// joinGraph is a tree of inner joins taken apart. Columns are numbered over
// all inputs, from left to right.
type joinGraph struct {
	inputs     []joinInput
	predicates []joinPredicate // each of two inputs or more
	filters    []expr.Expr     // of fewer: filtered after the joins
	width      int
}

// joinInput is something that is joined.
type joinInput struct {
	node  plan.Node
	first int     // number of its first column
	rows  float64 // estimate, filters applied
	base  float64 // rows of its table, without filters
}

// inputSet is a set of inputs, a bit each.
type inputSet uint

// joinPredicate is a condition between inputs. An equality of two of them has
// its sides apart.
type joinPredicate struct {
	condition   expr.Expr
	inputs      inputSet
	left, right expr.Expr // nil if it is no key
	nullSafe    bool
	sides       [2]inputSet
	distinct    float64 // values that the key has
}

// collect takes a tree apart.
func (g *joinGraph) collect(n plan.Node) {
	j, ok := n.(*plan.Join)
	if !ok || j.Kind != plan.InnerJoin {
		in := joinInput{node: n, first: g.width, rows: estimateRows(n)}
		in.base = in.rows
		if s, ok := n.(*plan.Scan); ok {
			in.base = sourceRows(s)
		}
		g.inputs = append(g.inputs, in)
		g.width += len(n.Schema().Fields)
		return
	}
	left := g.width
	g.collect(j.Left)
	right := g.width
	g.collect(j.Right)
	for _, k := range j.Keys {
		l, r := expr.Shift(k.Left, left), expr.Shift(k.Right, right)
		g.add(joinPredicate{condition: expr.Compare(k.Op(), l, r), left: l, right: r, nullSafe: k.NullSafe})
	}
	for _, c := range expr.SplitConjuncts(j.Condition) {
		g.add(joinPredicate{condition: expr.Shift(c, left)})
	}
}

func (g *joinGraph) add(p joinPredicate) {
	p.inputs = g.inputsOf(p.condition)
	if bits.OnesCount(uint(p.inputs)) < 2 {
		g.filters = append(g.filters, p.condition)
		return
	}
	if p.left != nil {
		p.sides = [2]inputSet{g.inputsOf(p.left), g.inputsOf(p.right)}
		p.distinct = max(g.distinct(p.left), g.distinct(p.right))
	}
	g.predicates = append(g.predicates, p)
}

// inputsOf are the inputs that an expression reads.
func (g *joinGraph) inputsOf(e expr.Expr) inputSet {
	var s inputSet
	for _, c := range expr.Columns(e) {
		s |= 1 << g.inputOf(c.Index)
	}
	return s
}

func (g *joinGraph) inputOf(column int) int {
	i := len(g.inputs) - 1
	for g.inputs[i].first > column {
		i--
	}
	return i
}

// distinct guesses how many values a key has: as many as its table has rows,
// or as fit between the bounds of its column.
func (g *joinGraph) distinct(key expr.Expr) float64 {
	c, ok := key.(*expr.Column)
	if !ok {
		return 1 / equalitySelectivity
	}
	in := g.inputs[g.inputOf(c.Index)]
	n := in.base
	if s, ok := in.node.(*plan.Scan); ok {
		local := *c
		local.Index -= in.first
		if width, ok := boundsWidth(s, &local); ok {
			n = min(n, width)
		}
	}
	return max(n, 1)
}

// joined is the best plan found for a set of inputs.
type joined struct {
	cost, rows  float64
	left, right inputSet // zero for a single input
}

// plan searches all ways to divide every set of inputs in two.
func (g *joinGraph) plan(n plan.Node) plan.Node {
	best := map[inputSet]joined{}
	for i := range g.inputs {
		best[1<<i] = joined{rows: g.inputs[i].rows}
	}
	all := inputSet(1)<<len(g.inputs) - 1
	for s := inputSet(1); s <= all; s++ {
		if bits.OnesCount(uint(s)) < 2 {
			continue
		}
		rows := g.rows(s)
		found := joined{cost: -1}
		// All parts of s in ascending order, so that inputs keep their order
		// where it makes no difference.
		for left := s & -s; left != s; left = (left - s) & s {
			right := s &^ left
			l, r := best[left], best[right]
			cost := l.cost + r.cost + l.rows + 2*r.rows + rows
			if !g.connected(left, right) {
				cost += l.rows * r.rows // every pair is tried
			}
			if found.cost < 0 || cost < found.cost {
				found = joined{cost: cost, rows: rows, left: left, right: right}
			}
		}
		best[s] = found
	}
	node, at := g.build(all, best)
	return g.restore(n, node, at)
}

func (g *joinGraph) connected(left, right inputSet) bool {
	for _, p := range g.predicates {
		if p.left != nil && (p.sides[0]&^left == 0 && p.sides[1]&^right == 0 || p.sides[0]&^right == 0 && p.sides[1]&^left == 0) {
			return true
		}
	}
	return false
}

// rows estimates the rows of a set of joined inputs: all combinations, divided
// by the values of the keys. Several keys between the same two tables have no
// more values together than the smaller of them has rows.
func (g *joinGraph) rows(s inputSet) float64 {
	rows := 1.0
	for i := range g.inputs {
		if s>>i&1 != 0 {
			rows *= g.inputs[i].rows
		}
	}
	values := map[inputSet]float64{}
	for _, p := range g.predicates {
		switch {
		case p.inputs&^s != 0:
		case p.left == nil:
			rows *= otherSelectivity
		case values[p.inputs] == 0:
			values[p.inputs] = p.distinct
		default:
			values[p.inputs] *= p.distinct
		}
	}
	for pair, v := range values {
		smallest := v
		for i := range g.inputs {
			if pair>>i&1 != 0 {
				smallest = min(smallest, g.inputs[i].base)
			}
		}
		rows /= max(smallest, 1)
	}
	return max(rows, 1)
}

// build makes the joins of a set; at is where each of its columns is in the
// result.
func (g *joinGraph) build(s inputSet, best map[inputSet]joined) (node plan.Node, at map[int]int) {
	b := best[s]
	if b.left == 0 {
		in := g.inputs[bits.TrailingZeros(uint(s))]
		at := map[int]int{}
		for i := range in.node.Schema().Fields {
			at[in.first+i] = i
		}
		return in.node, at
	}
	left, leftAt := g.build(b.left, best)
	right, rightAt := g.build(b.right, best)
	width := len(left.Schema().Fields)
	j := &plan.Join{Kind: plan.InnerJoin, Left: left, Right: right}
	at = maps.Clone(leftAt)
	for from, to := range rightAt {
		at[from] = width + to
	}
	var conditions []expr.Expr
	for _, p := range g.predicates {
		if p.inputs&^s != 0 || p.inputs&^b.left == 0 || p.inputs&^b.right == 0 {
			continue // not yet, or done below
		}
		switch {
		case p.left != nil && p.sides[0]&^b.left == 0 && p.sides[1]&^b.right == 0:
			j.Keys = append(j.Keys, plan.JoinKey{Left: expr.Remap(p.left, leftAt), Right: expr.Remap(p.right, rightAt), NullSafe: p.nullSafe})
		case p.left != nil && p.sides[1]&^b.left == 0 && p.sides[0]&^b.right == 0:
			j.Keys = append(j.Keys, plan.JoinKey{Left: expr.Remap(p.right, leftAt), Right: expr.Remap(p.left, rightAt), NullSafe: p.nullSafe})
		default:
			conditions = append(conditions, expr.Remap(p.condition, at))
		}
	}
	j.Condition = expr.And(conditions...)
	return j, at
}

// restore applies what is left and puts the columns back into the order that n
// had.
func (g *joinGraph) restore(n, ordered plan.Node, at map[int]int) plan.Node {
	if len(g.filters) > 0 {
		ordered = &plan.Filter{Input: ordered, Condition: expr.Remap(expr.And(g.filters...), at)}
	}
	p := &plan.Project{Input: ordered, Names: n.Schema().Names()}
	columns, same := plan.ColumnsOf(ordered), true
	for i := range p.Names {
		same = same && at[i] == i
		p.Exprs = append(p.Exprs, columns[at[i]])
	}
	if same {
		return ordered
	}
	return p
}
