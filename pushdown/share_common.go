package pushdown

import (
	"reflect"
	"slices"
	"strings"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/plan"
)

// ShareCommon lets an Aggregate that a plan has several times, as a common table
// expression that is read twice, be computed once: the first becomes a Shared
// node and the others read its rows. Other nodes are computed again, as their rows
// may be as many as those that they read.
func ShareCommon(n plan.Node) plan.Node {
	s := &commonNodes{found: map[string][]*commonNode{}}
	s.find(n)
	if !s.some {
		return n
	}
	s.number = lastShared(n)
	return s.replace(n)
}

// commonNodes are the Aggregates of a plan by what EXPLAIN says of them, those
// inside others of several left out.
type commonNodes struct {
	found  map[string][]*commonNode
	some   bool // some is there more than once
	number int  // of the Shared node before
}

type commonNode struct {
	node  plan.Node
	count int
	rows  *plan.WorkingTable // once it is shared
}

// find counts the Aggregates, those above before those below.
func (s *commonNodes) find(n plan.Node) {
	if c := s.common(n); c != nil {
		if c.count++; c.count > 1 {
			s.some = true
			return
		}
	} else if a, ok := n.(*plan.Aggregate); ok && len(a.Keys) > 0 && isShareable(n) {
		text := explained(n)
		s.found[text] = append(s.found[text], &commonNode{node: n, count: 1})
	}
	if _, ok := n.(*plan.Recursion); ok {
		return // its rounds would need rows of their own
	}
	for _, c := range n.Children() {
		s.find(c)
	}
}

// common gives what was found before that is the same as a node; nil if nothing
// was.
func (s *commonNodes) common(n plan.Node) *commonNode {
	if a, ok := n.(*plan.Aggregate); !ok || len(a.Keys) == 0 || len(s.found) == 0 {
		return nil
	}
	for _, c := range s.found[explained(n)] {
		if sameNodes(c.node, n) {
			return c
		}
	}
	return nil
}

func (s *commonNodes) replace(n plan.Node) plan.Node {
	c := s.common(n)
	switch _, isRecursion := n.(*plan.Recursion); {
	case isRecursion:
		return n
	case c == nil || c.count == 1:
		return rewriteChildren(n, s.replace)
	case c.rows != nil:
		return c.rows
	}
	s.number++
	shared := plan.NewShared(n, s.number)
	c.rows = shared.Rows
	return shared
}

// explained is what EXPLAIN says of a node and those below. The same nodes have
// the same text.
func explained(n plan.Node) string {
	parts := n.Explain()
	for _, c := range n.Children() {
		parts = append(parts, "(", explained(c), ")")
	}
	return strings.Join(parts, "\n")
}

// lastShared is the greatest number of a Shared node of a plan.
func lastShared(n plan.Node) int {
	last := 0
	if s, ok := n.(*plan.Shared); ok {
		last = s.Rows.Shared
	}
	for _, c := range n.Children() {
		last = max(last, lastShared(c))
	}
	return last
}

// isShareable reports whether a node and those below it give the same rows each
// time and can be compared.
func isShareable(n plan.Node) bool {
	switch n := n.(type) {
	case *plan.Scan:
		return !n.RowPositions && reflect.TypeOf(n.Source).Kind() == reflect.Pointer && repeatable(n)
	case *plan.Filter, *plan.Project, *plan.Aggregate, *plan.Join, *plan.Union:
		return repeatable(n) && !slices.ContainsFunc(n.Children(), func(c plan.Node) bool { return !isShareable(c) })
	}
	return false
}

// sameNodes reports whether two nodes, of which the first is shareable, and those
// below them are the same.
func sameNodes(a, b plan.Node) bool {
	if !sameNode(a, b) {
		return false
	}
	return slices.EqualFunc(a.Children(), b.Children(), sameNodes)
}

func sameNode(a, b plan.Node) bool {
	switch a := a.(type) {
	case *plan.Scan:
		b, ok := b.(*plan.Scan)
		return ok && a.Source == b.Source && reflect.DeepEqual(a.AsOf, b.AsOf) && a.RowPositions == b.RowPositions && sameSpec(a.Spec, b.Spec)
	case *plan.Filter:
		b, ok := b.(*plan.Filter)
		return ok && expr.Equal(a.Condition, b.Condition)
	case *plan.Project:
		b, ok := b.(*plan.Project)
		return ok && slices.EqualFunc(a.Exprs, b.Exprs, expr.Equal) && slices.Equal(a.Names, b.Names)
	case *plan.Aggregate:
		b, ok := b.(*plan.Aggregate)
		return ok && slices.EqualFunc(a.Keys, b.Keys, expr.Equal) && slices.Equal(a.KeyNames, b.KeyNames) && slices.EqualFunc(a.Aggregates, b.Aggregates, sameCall)
	case *plan.Join:
		b, ok := b.(*plan.Join)
		return ok && a.Kind == b.Kind && a.NullAware == b.NullAware && expr.Equal(a.Condition, b.Condition) && slices.EqualFunc(a.Keys, b.Keys, sameKey)
	case *plan.Union:
		_, ok := b.(*plan.Union)
		return ok
	}
	return false
}

func sameSpec(a, b plan.ScanSpec) bool {
	return slices.Equal(a.Columns, b.Columns) && expr.Equal(a.PartitionFilter, b.PartitionFilter) && expr.Equal(a.DataFilter, b.DataFilter) &&
		expr.Equal(a.Residual, b.Residual) && a.LimitHint == b.LimitHint
}

func sameCall(a, b plan.AggregateCall) bool {
	return a.Name == b.Name && a.Distinct == b.Distinct && expr.Equal(a.Filter, b.Filter) && a.Function.Name == b.Function.Name &&
		a.Function.Type.Equal(b.Function.Type) && a.Function.Distinct == b.Function.Distinct && slices.EqualFunc(a.Function.Args, b.Function.Args, expr.Equal)
}

func sameKey(a, b plan.JoinKey) bool {
	return a.NullSafe == b.NullSafe && expr.Equal(a.Left, b.Left) && expr.Equal(a.Right, b.Right)
}
