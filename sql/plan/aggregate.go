package plan

import (
	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
)

// AggregateCall is one aggregate of an Aggregate node.
type AggregateCall struct {
	Function *eval.Aggregate
	Distinct bool
	Filter   expr.Expr // FILTER (WHERE …); nil for all rows
	Name     string
}

// Aggregate groups the input's rows by Keys. Its rows are the keys and then
// the aggregates. Without keys there is one group, also over no rows.
type Aggregate struct {
	Input      Node
	Keys       []expr.Expr
	KeyNames   []string
	Aggregates []AggregateCall
}

// Schema implements Node.
func (a *Aggregate) Schema() types.Schema {
	out := exprSchema(a.Keys, a.KeyNames)
	for _, c := range a.Aggregates {
		out.Fields = append(out.Fields, types.Field{Name: c.Name, Type: c.Function.Type, Nullable: c.Function.Nullable})
	}
	return out
}

// Children implements Node.
func (a *Aggregate) Children() []Node { return []Node{a.Input} }

// WithChildren implements Node.
func (a *Aggregate) WithChildren(c []Node) Node {
	out := *a
	out.Input = c[0]
	return &out
}

// MapExprs implements ExprMapper.
func (a *Aggregate) MapExprs(f func(expr.Expr) expr.Expr) Node {
	out := &Aggregate{Input: a.Input, Keys: mapAll(a.Keys, f), KeyNames: a.KeyNames, Aggregates: make([]AggregateCall, len(a.Aggregates))}
	for i, c := range a.Aggregates {
		function := *c.Function
		function.Args = mapAll(c.Function.Args, f)
		c.Function, c.Filter = &function, mapOptional(c.Filter, f)
		out.Aggregates[i] = c
	}
	return out
}

// Distinct gives the distinct rows of a node.
func Distinct(input Node) *Aggregate {
	return &Aggregate{Input: input, Keys: ColumnsOf(input), KeyNames: input.Schema().Names()}
}

// ColumnOf refers to column i of a node's rows.
func ColumnOf(n Node, i int) *expr.Column { return columnOf(n.Schema().Fields[i], i) }

// ColumnsOf refers to all columns of a node's rows.
func ColumnsOf(n Node) []expr.Expr {
	fields := n.Schema().Fields
	out := make([]expr.Expr, len(fields))
	for i, f := range fields {
		out[i] = columnOf(f, i)
	}
	return out
}

func columnOf(f types.Field, i int) *expr.Column {
	return &expr.Column{Index: i, Name: f.Name, T: f.Type, MayBeNull: f.Nullable}
}
