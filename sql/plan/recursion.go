package plan

import (
	"fmt"

	"github.com/tarndb/tarn/sql/types"
)

// Recursion is a recursive common table expression. It gives the rows of
// Anchor and then, again and again, those of Step computed over the rows given
// last, until there are none.
type Recursion struct {
	Anchor, Step Node
	Rows         *WorkingTable // what Step reads the last rows by
	Distinct     bool          // UNION: rows that were given before are dropped
}

// Schema implements Node.
func (r *Recursion) Schema() types.Schema { return types.Schema{Fields: r.Rows.Fields} }

// Children implements Node.
func (r *Recursion) Children() []Node { return []Node{r.Anchor, r.Step} }

// WithChildren implements Node.
func (r *Recursion) WithChildren(c []Node) Node {
	out := *r
	out.Anchor, out.Step = c[0], c[1]
	return &out
}

// Explain implements Node.
func (r *Recursion) Explain() []string {
	if r.Distinct {
		return []string{"Recursion, distinct rows"}
	}
	return []string{"Recursion"}
}

// WorkingTable stands for rows that another node keeps: in the Step of a Recursion
// for those given last, elsewhere for those of a Shared node. The pointer tells
// several of them apart.
type WorkingTable struct {
	Fields []types.Field
	Shared int // the number of the Shared node; 0 for a Recursion
}

// Schema implements Node.
func (w *WorkingTable) Schema() types.Schema { return types.Schema{Fields: w.Fields} }

// Children implements Node.
func (w *WorkingTable) Children() []Node { return nil }

// WithChildren implements Node.
func (w *WorkingTable) WithChildren([]Node) Node { return w }

// Explain implements Node.
func (w *WorkingTable) Explain() []string {
	if w.Shared != 0 {
		return []string{fmt.Sprintf("Rows %d", w.Shared)}
	}
	return []string{"Last rows of the recursion"}
}
