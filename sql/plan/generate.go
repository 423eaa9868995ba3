package plan

import (
	"strings"

	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
)

// Generate gives every row of the input once per value that Function makes of it:
// the input's columns and then what Gives lists.
type Generate struct {
	Input    Node
	Function *eval.Generator
	// Outer: a row without values is given once, with NULLs.
	Outer bool
	Gives []Generated
}

// Generated is a column of a Generate node.
type Generated uint8

// The columns of a Generate node: the value, and its number from 0.
const (
	GeneratedValue Generated = iota
	GeneratedPosition
)

// NewGenerate gives a node with both columns for the rows of input.
func NewGenerate(input Node, f *eval.Generator, outer bool) *Generate {
	return &Generate{Input: input, Function: f, Outer: outer, Gives: []Generated{GeneratedValue, GeneratedPosition}}
}

// Schema implements Node.
func (g *Generate) Schema() types.Schema {
	in := g.Input.Schema().Fields
	out := types.Schema{Fields: append(make([]types.Field, 0, len(in)+len(g.Gives)), in...)}
	for _, c := range g.Gives {
		f := types.Field{Name: "_value", Type: g.Function.Type, Nullable: g.Function.Nullable || g.Outer}
		if c == GeneratedPosition {
			f = types.Field{Name: "_position", Type: types.Of(types.BigInt), Nullable: g.Outer}
		}
		out.Fields = append(out.Fields, f)
	}
	return out
}

// Children implements Node.
func (g *Generate) Children() []Node { return []Node{g.Input} }

// WithChildren implements Node.
func (g *Generate) WithChildren(c []Node) Node {
	out := *g
	out.Input = c[0]
	return &out
}

// MapExprs implements ExprMapper.
func (g *Generate) MapExprs(f func(expr.Expr) expr.Expr) Node {
	out, function := *g, *g.Function
	function.Args = mapAll(g.Function.Args, f)
	out.Function = &function
	return &out
}

// Keep implements Extender: rows come once per value also without a column.
func (g *Generate) Keep(own []int) Node {
	out := *g
	out.Gives = nil
	for _, i := range own {
		out.Gives = append(out.Gives, g.Gives[i])
	}
	return &out
}

// RowWise implements Extender.
func (g *Generate) RowWise() bool { return true }

// Explain implements Node.
func (g *Generate) Explain() []string {
	words := []string{"Generate"}
	if g.Outer {
		words = append(words, "outer")
	}
	return []string{strings.Join(append(words, g.Function.String()), " ")}
}
