package plan

import (
	"github.com/tarndb/tarn/sql/expr"
)

// Upsert writes the input's rows, which have the table's columns, in place of
// those with the same keys; of rows with equal keys the last stays. NULL equals
// NULL.
type Upsert struct {
	command
	Target Source
	Input  Node
	Rules  []Rule // over the input's columns
	Keys   []string
	// Deletes tells that the first column after the table's is a BOOLEAN: where it
	// is true, the rows with the keys go and none is written.
	Deletes bool
}

// Children implements Node.
func (n *Upsert) Children() []Node { return []Node{n.Input} }

// WithChildren implements Node.
func (n *Upsert) WithChildren(c []Node) Node {
	out := *n
	out.Input = c[0]
	return &out
}

// Explain implements Node.
func (n *Upsert) Explain() []string {
	return append([]string{"Upsert into " + n.Target.Name().String(), "keys: " + names(n.Keys)}, explainRules(n.Rules)...)
}

// DeleteKeys takes away the rows that have the keys of the input's rows, which have
// the table's columns; only keys count. It does not tell how many rows those are.
type DeleteKeys struct {
	command
	Target Source
	Input  Node
	Keys   []string
	Filter expr.Expr // as in Delete
}

// Children implements Node.
func (n *DeleteKeys) Children() []Node { return []Node{n.Input} }

// WithChildren implements Node.
func (n *DeleteKeys) WithChildren(c []Node) Node {
	out := *n
	out.Input = c[0]
	return &out
}

// Explain implements Node.
func (n *DeleteKeys) Explain() []string {
	return []string{"Delete keys from " + n.Target.Name().String(), "keys: " + names(n.Keys)}
}
