package plan

import (
	"strings"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
)

// Apply joins every left row with the rows that Right gives for it: Right may
// refer to that row by expr.Outer. It is how a correlated subquery is bound;
// pushdown.Decorrelate makes joins of it before anything is executed.
type Apply struct {
	Kind        JoinKind // not RightJoin or FullJoin
	Left, Right Node
	Params      []Param
	// Condition is over the left columns followed by the right ones, as in Join.
	Condition expr.Expr
}

// Param is what the expr.Outer of an ID stands for.
type Param struct {
	ID    int
	Value expr.Expr // over the left columns
}

// join is the Join of the same rows for a Right that refers to nothing outside.
func (a *Apply) join() *Join {
	return &Join{Kind: a.Kind, Left: a.Left, Right: a.Right, Condition: a.Condition}
}

// Schema implements Node.
func (a *Apply) Schema() types.Schema { return a.join().Schema() }

// Children implements Node.
func (a *Apply) Children() []Node { return []Node{a.Left, a.Right} }

// WithChildren implements Node.
func (a *Apply) WithChildren(c []Node) Node {
	out := *a
	out.Left, out.Right = c[0], c[1]
	return &out
}

// Explain implements Node.
func (a *Apply) Explain() []string {
	params := make([]string, len(a.Params))
	for i, p := range a.Params {
		params[i] = p.Value.String()
	}
	lines := []string{a.Kind.String() + " apply"}
	if len(params) > 0 {
		lines = append(lines, "outer: "+strings.Join(params, ", "))
	}
	if a.Condition != nil {
		lines = append(lines, "condition: "+a.Condition.String())
	}
	return lines
}
