package plan

import (
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
)

// Expand gives every row of the input once per set: the input's columns and
// then the values of the set, one per name. GROUP BY with several grouping sets
// is an Aggregate over it, the keys that are not of a set being NULL there.
type Expand struct {
	Input Node
	Sets  [][]expr.Expr // of the same types
	Names []string
}

// Schema implements Node.
func (x *Expand) Schema() types.Schema {
	in := x.Input.Schema().Fields
	out := types.Schema{Fields: append(make([]types.Field, 0, len(in)+len(x.Names)), in...)}
	for i, name := range x.Names {
		f := types.Field{Name: name, Type: x.Sets[0][i].Type()}
		for _, s := range x.Sets {
			f.Nullable = f.Nullable || s[i].Nullable()
		}
		out.Fields = append(out.Fields, f)
	}
	return out
}

// Children implements Node.
func (x *Expand) Children() []Node { return []Node{x.Input} }

// WithChildren implements Node.
func (x *Expand) WithChildren(c []Node) Node {
	return &Expand{Input: c[0], Sets: x.Sets, Names: x.Names}
}

// MapExprs implements ExprMapper.
func (x *Expand) MapExprs(f func(expr.Expr) expr.Expr) Node {
	out := &Expand{Input: x.Input, Sets: make([][]expr.Expr, len(x.Sets)), Names: x.Names}
	for i, s := range x.Sets {
		out.Sets[i] = mapAll(s, f)
	}
	return out
}

// Keep implements Extender: rows come once per set also without values.
func (x *Expand) Keep(own []int) Node {
	out := &Expand{Input: x.Input, Sets: make([][]expr.Expr, len(x.Sets))}
	for _, i := range own {
		out.Names = append(out.Names, x.Names[i])
		for s, set := range x.Sets {
			out.Sets[s] = append(out.Sets[s], set[i])
		}
	}
	return out
}

// RowWise implements Extender.
func (x *Expand) RowWise() bool { return true }

// Explain implements Node.
func (x *Expand) Explain() []string {
	lines := []string{"Expand " + names(x.Names)}
	for _, s := range x.Sets {
		lines = append(lines, "set: "+exprs(s))
	}
	return lines
}
