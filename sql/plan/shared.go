package plan

import (
	"fmt"

	"github.com/tarndb/tarn/sql/types"
)

// Shared gives its input's rows, and keeps them for the places that read them
// again by Rows: what they read are the same rows, also where computing them again
// could give others.
type Shared struct {
	Input Node
	Rows  *WorkingTable
}

// NewShared shares the rows of a node under a number that EXPLAIN shows.
func NewShared(input Node, number int) *Shared {
	return &Shared{Input: input, Rows: &WorkingTable{Fields: input.Schema().Fields, Shared: number}}
}

// Schema implements Node.
func (s *Shared) Schema() types.Schema { return types.Schema{Fields: s.Rows.Fields} }

// Children implements Node.
func (s *Shared) Children() []Node { return []Node{s.Input} }

// WithChildren implements Node.
func (s *Shared) WithChildren(c []Node) Node { return &Shared{Input: c[0], Rows: s.Rows} }

// Explain implements Node.
func (s *Shared) Explain() []string { return []string{fmt.Sprintf("Keep rows %d", s.Rows.Shared)} }
