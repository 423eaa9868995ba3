package pushdown

import (
	"maps"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/plan"
)

// columnSet is a set of positions in a node's rows.
type columnSet map[int]bool

func (s columnSet) add(exprs ...expr.Expr) {
	for _, e := range exprs {
		for _, c := range expr.Columns(e) {
			s[c.Index] = true
		}
	}
}

func allColumns(n plan.Node) columnSet {
	s := columnSet{}
	for i := range n.Schema().Fields {
		s[i] = true
	}
	return s
}

// PruneColumns makes every scan read only what is needed above it.
func PruneColumns(n plan.Node) plan.Node {
	out, _ := prune(n, allColumns(n))
	return out
}

// prune gives n without the columns that are not in need, as far as it can
// drop them, and the new position of each column that is left.
func prune(n plan.Node, need columnSet) (plan.Node, map[int]int) {
	switch n := n.(type) {
	case *plan.Scan:
		return pruneScan(n, need)
	case *plan.Project:
		return pruneProject(n, need)
	case *plan.Filter:
		child := maps.Clone(need)
		child.add(n.Condition)
		in, at := prune(n.Input, child)
		return &plan.Filter{Input: in, Condition: expr.Remap(n.Condition, at)}, at
	case *plan.Sort:
		return pruneSort(n, need)
	case *plan.Limit:
		in, at := prune(n.Input, need)
		return n.WithChildren([]plan.Node{in}), at
	case *plan.Aggregate:
		return pruneAggregate(n, need)
	case *plan.Join:
		return pruneJoin(n, need)
	case *plan.Union:
		return pruneUnion(n, need)
	case plan.Extender:
		return pruneExtender(n, need)
	case *plan.Values:
		return n, identity(n)
	}
	// Commands and EXPLAIN need their inputs as they are.
	return rewriteChildren(n, func(c plan.Node) plan.Node { return exactly(c, allColumns(c)) }), identity(n)
}

func identity(n plan.Node) map[int]int {
	at := map[int]int{}
	for i := range n.Schema().Fields {
		at[i] = i
	}
	return at
}

// exactly prunes n to just the columns of need, in their old order.
func exactly(n plan.Node, need columnSet) plan.Node {
	out, at := prune(n, need)
	names := out.Schema().Names()
	if len(names) == len(need) {
		return out // every pruner keeps the order
	}
	p := &plan.Project{Input: out}
	columns := plan.ColumnsOf(out)
	for i := range n.Schema().Fields {
		if need[i] {
			p.Exprs = append(p.Exprs, columns[at[i]])
			p.Names = append(p.Names, names[at[i]])
		}
	}
	return p
}

func pruneScan(s *plan.Scan, need columnSet) (plan.Node, map[int]int) {
	keep := maps.Clone(need)
	schema := s.Source.Schema()
	for _, c := range expr.Columns(s.Spec.Residual) {
		for i, name := range s.Spec.Columns {
			if name == schema.Fields[c.Index].Name {
				keep[i] = true
			}
		}
	}
	out := *s
	out.Spec.Columns = nil
	at := map[int]int{}
	for i, name := range s.Spec.Columns {
		if keep[i] {
			at[i] = len(out.Spec.Columns)
			out.Spec.Columns = append(out.Spec.Columns, name)
		}
	}
	if s.RowPositions {
		at[len(s.Spec.Columns)] = len(out.Spec.Columns)
		at[len(s.Spec.Columns)+1] = len(out.Spec.Columns) + 1
	}
	return &out, at
}

func pruneProject(p *plan.Project, need columnSet) (plan.Node, map[int]int) {
	child := columnSet{}
	for i, e := range p.Exprs {
		if need[i] {
			child.add(e)
		}
	}
	in, inAt := prune(p.Input, child)
	out := &plan.Project{Input: in}
	at := map[int]int{}
	for i, e := range p.Exprs {
		if need[i] {
			at[i] = len(out.Exprs)
			out.Exprs = append(out.Exprs, expr.Remap(e, inAt))
			out.Names = append(out.Names, p.Names[i])
		}
	}
	return mergeProjects(out), at
}

// mergeProjects makes one of a Project over another that only picks columns.
func mergeProjects(p *plan.Project) *plan.Project {
	in, ok := p.Input.(*plan.Project)
	if !ok {
		return p
	}
	for _, e := range in.Exprs {
		if _, ok := e.(*expr.Column); !ok {
			return p
		}
	}
	out := &plan.Project{Input: in.Input, Names: p.Names}
	for _, e := range p.Exprs {
		out.Exprs = append(out.Exprs, substitute(e, in.Exprs))
	}
	return out
}

func pruneSort(s *plan.Sort, need columnSet) (plan.Node, map[int]int) {
	child := maps.Clone(need)
	for _, k := range s.Keys {
		child.add(k.Expr)
	}
	in, at := prune(s.Input, child)
	return &plan.Sort{Input: in, Keys: plan.MapKeys(s.Keys, func(e expr.Expr) expr.Expr { return expr.Remap(e, at) })}, at
}

// pruneExtender drops the node's own columns that nobody reads, and the node if
// that leaves it nothing to do.
func pruneExtender(n plan.Extender, need columnSet) (plan.Node, map[int]int) {
	input := n.Children()[0]
	width := len(input.Schema().Fields)
	child, own := columnSet{}, []int(nil)
	for i := range n.Schema().Fields {
		switch {
		case !need[i]:
		case i < width:
			child[i] = true
		default:
			own = append(own, i-width)
		}
	}
	kept := n.Keep(own)
	if kept == input {
		return prune(input, child)
	}
	mapExprs(kept, func(e expr.Expr) expr.Expr {
		child.add(e)
		return e
	})
	in, inAt := prune(input, child)
	out := mapExprs(kept, func(e expr.Expr) expr.Expr { return expr.Remap(e, inAt) }).WithChildren([]plan.Node{in})
	at := maps.Clone(inAt)
	newWidth := len(in.Schema().Fields)
	for k, i := range own {
		at[width+i] = newWidth + k
	}
	return out, at
}

// pruneAggregate drops aggregates that nobody reads; keys make the groups and
// stay.
func pruneAggregate(a *plan.Aggregate, need columnSet) (plan.Node, map[int]int) {
	child := columnSet{}
	child.add(a.Keys...)
	for i, c := range a.Aggregates {
		if need[len(a.Keys)+i] {
			child.add(c.Function.Args...)
			child.add(c.Filter)
		}
	}
	in, inAt := prune(a.Input, child)
	out := &plan.Aggregate{Input: in, KeyNames: a.KeyNames, Keys: remapAll(a.Keys, inAt)}
	at := map[int]int{}
	for i := range a.Keys {
		at[i] = i
	}
	for i, c := range a.Aggregates {
		if !need[len(a.Keys)+i] {
			continue
		}
		f := *c.Function
		f.Args = remapAll(c.Function.Args, inAt)
		c.Function = &f
		c.Filter = expr.Remap(c.Filter, inAt)
		at[len(a.Keys)+i] = len(a.Keys) + len(out.Aggregates)
		out.Aggregates = append(out.Aggregates, c)
	}
	return out, at
}

func remapAll(exprs []expr.Expr, at map[int]int) []expr.Expr {
	out := make([]expr.Expr, len(exprs))
	for i, e := range exprs {
		out[i] = expr.Remap(e, at)
	}
	return out
}

func pruneJoin(j *plan.Join, need columnSet) (plan.Node, map[int]int) {
	width := len(j.Left.Schema().Fields)
	both := maps.Clone(need)
	if j.Kind == plan.MarkJoin {
		if !need[width] {
			return prune(j.Left, need) // the mark is all that the join adds
		}
		delete(both, width)
	}
	if j.Kind.RightOnly() {
		both = columnSet{}
		for c := range need {
			both[width+c] = true
		}
	}
	both.add(j.Condition)
	left, right := columnSet{}, columnSet{}
	for c := range both {
		if c < width {
			left[c] = true
		} else {
			right[c-width] = true
		}
	}
	left.add(j.LeftKeys()...)
	right.add(j.RightKeys()...)

	out := *j
	var leftAt, rightAt map[int]int
	out.Left, leftAt = prune(j.Left, left)
	out.Right, rightAt = prune(j.Right, right)
	newWidth := len(out.Left.Schema().Fields)
	at := maps.Clone(leftAt)
	for from, to := range rightAt {
		at[width+from] = newWidth + to
	}
	out.Keys = make([]plan.JoinKey, len(j.Keys))
	for i, k := range j.Keys {
		out.Keys[i] = plan.JoinKey{Left: expr.Remap(k.Left, leftAt), Right: expr.Remap(k.Right, rightAt), NullSafe: k.NullSafe}
	}
	out.Condition = expr.Remap(j.Condition, at)
	switch {
	case j.Kind.RightOnly():
		at = rightAt
	case j.Kind == plan.MarkJoin:
		at = leftAt
		at[width] = newWidth
	}
	return &out, at
}

// pruneUnion keeps the inputs alike.
func pruneUnion(u *plan.Union, need columnSet) (plan.Node, map[int]int) {
	out := rewriteChildren(u, func(c plan.Node) plan.Node { return exactly(c, need) })
	at := map[int]int{}
	for i := range u.Schema().Fields {
		if need[i] {
			at[i] = len(at)
		}
	}
	return out, at
}
