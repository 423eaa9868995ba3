package plan

import (
	"fmt"
	"strings"

	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
)

// Window computes calls over the rows around each row: those of its partition,
// which have equal PartitionBy, in the order of OrderBy. Its rows are the
// input's columns and then one column per call.
type Window struct {
	Input       Node
	PartitionBy []expr.Expr
	OrderBy     []SortKey
	Calls       []WindowCall
}

// WindowCall is one call of a Window node: of a Function that only a window
// gives a meaning to, or of an Aggregate over the rows of the frame.
type WindowCall struct {
	Function  *eval.WindowFunction // nil for an aggregate
	Aggregate *eval.Aggregate
	Filter    expr.Expr // of an aggregate: FILTER (WHERE …); nil for all rows
	Frame     Frame     // of an aggregate and of a Function that reads one
	Name      string
}

// FrameUnit says what a frame's bounds count.
type FrameUnit uint8

// The units of frames.
const (
	FrameRows   FrameUnit = iota // rows
	FrameRange                   // differences of the one order key
	FrameGroups                  // groups of rows that are equal in the order
)

// Frame is the part of its partition that a row's call sees. Its zero value is
// no frame, for a Function that reads none.
type Frame struct {
	Unit       FrameUnit
	Start, End FrameBound
	// Key is the order key in the type of the Edges; nil without Edges.
	Key expr.Expr
}

// FrameBoundKind says where a frame begins or ends.
type FrameBoundKind uint8

// The bounds of frames. FrameUnbounded is the partition's first row for a start
// and its last for an end. FrameCurrent is the row, or with the other units
// those equal to it.
const (
	FrameUnbounded FrameBoundKind = iota
	FrameCurrent
	FrameOffset
)

// FrameBound is one end of a frame.
type FrameBound struct {
	Kind FrameBoundKind
	// Offset is how many rows or groups the bound lies behind the row; it is
	// negative for PRECEDING.
	Offset int64
	// Edge is, for FrameRange, the order key's value at the bound.
	Edge expr.Expr
	// Text is the bound as EXPLAIN prints it.
	Text string
}

// WholePartition reports whether every row of a partition sees all of it.
func (f Frame) WholePartition() bool {
	return f.Start.Kind == FrameUnbounded && f.End.Kind == FrameUnbounded
}

// Numbered adds a column to a node: the ranking of every row within those of
// equal partitionBy, by a function without arguments such as row_number.
func Numbered(input Node, function string, partitionBy []expr.Expr, orderBy []SortKey) (*Window, error) {
	f, err := eval.ResolveWindow(function, nil, false)
	if err != nil {
		return nil, err
	}
	return &Window{Input: input, PartitionBy: partitionBy, OrderBy: orderBy, Calls: []WindowCall{{Function: f, Name: function + "()"}}}, nil
}

// Number is the ranking that Numbered adds, an INT, as a BIGINT.
func (w *Window) Number() expr.Expr {
	return &expr.Cast{Arg: ColumnOf(w, len(w.Input.Schema().Fields)), T: types.Of(types.BigInt)}
}

// Args are the arguments of the call, however it is computed.
func (c WindowCall) Args() []expr.Expr {
	if c.Function != nil {
		return c.Function.Args
	}
	return c.Aggregate.Args
}

// Exprs are all expressions over the input's rows that the call reads; nil ones
// among them stand for none.
func (c WindowCall) Exprs() []expr.Expr {
	return append(append([]expr.Expr{}, c.Args()...), c.Filter, c.Frame.Key, c.Frame.Start.Edge, c.Frame.End.Edge)
}

// Rewrite gives the call with its expressions changed. nil ones stay nil.
func (c WindowCall) Rewrite(change func(expr.Expr) expr.Expr) WindowCall {
	each := func(e expr.Expr) expr.Expr { return mapOptional(e, change) }
	args := mapAll(c.Args(), change)
	if c.Function != nil {
		f := *c.Function
		f.Args, c.Function = args, &f
	} else {
		a := *c.Aggregate
		a.Args, c.Aggregate = args, &a
	}
	c.Filter, c.Frame.Key = each(c.Filter), each(c.Frame.Key)
	c.Frame.Start.Edge, c.Frame.End.Edge = each(c.Frame.Start.Edge), each(c.Frame.End.Edge)
	return c
}

// Field describes the column of the call's results.
func (c WindowCall) Field() types.Field {
	if c.Function != nil {
		return types.Field{Name: c.Name, Type: c.Function.Type, Nullable: c.Function.Nullable}
	}
	return types.Field{Name: c.Name, Type: c.Aggregate.Type, Nullable: c.Aggregate.Nullable}
}

// SameOrder reports whether two nodes' partitions and orders are the same, so
// that one of them can have the calls of both.
func (w *Window) SameOrder(o *Window) bool {
	if len(w.PartitionBy) != len(o.PartitionBy) || len(w.OrderBy) != len(o.OrderBy) {
		return false
	}
	for i, e := range w.PartitionBy {
		if !expr.Equal(e, o.PartitionBy[i]) {
			return false
		}
	}
	for i, k := range w.OrderBy {
		l := o.OrderBy[i]
		if k.Descending != l.Descending || k.NullsFirst != l.NullsFirst || !expr.Equal(k.Expr, l.Expr) {
			return false
		}
	}
	return true
}

// Keys are the keys that bring the rows into the order of the node: partitions
// one after the other, each in its own order.
func (w *Window) Keys() []SortKey {
	keys := make([]SortKey, 0, len(w.PartitionBy)+len(w.OrderBy))
	for _, e := range w.PartitionBy {
		keys = append(keys, SortKey{Expr: e, NullsFirst: true})
	}
	return append(keys, w.OrderBy...)
}

// Schema implements Node.
func (w *Window) Schema() types.Schema {
	in := w.Input.Schema().Fields
	fields := make([]types.Field, 0, len(in)+len(w.Calls))
	fields = append(fields, in...)
	for _, c := range w.Calls {
		fields = append(fields, c.Field())
	}
	return types.Schema{Fields: fields}
}

// Children implements Node.
func (w *Window) Children() []Node { return []Node{w.Input} }

// WithChildren implements Node.
func (w *Window) WithChildren(c []Node) Node {
	out := *w
	out.Input = c[0]
	return &out
}

// MapExprs implements ExprMapper.
func (w *Window) MapExprs(f func(expr.Expr) expr.Expr) Node {
	out := &Window{Input: w.Input, PartitionBy: mapAll(w.PartitionBy, f), OrderBy: MapKeys(w.OrderBy, f), Calls: make([]WindowCall, len(w.Calls))}
	for i, c := range w.Calls {
		out.Calls[i] = c.Rewrite(f)
	}
	return out
}

// Keep implements Extender.
func (w *Window) Keep(own []int) Node {
	if len(own) == 0 {
		return w.Input
	}
	out := *w
	out.Calls = make([]WindowCall, len(own))
	for k, i := range own {
		out.Calls[k] = w.Calls[i]
	}
	return &out
}

// RowWise implements Extender.
func (w *Window) RowWise() bool { return false }

// Explain implements Node.
func (w *Window) Explain() []string {
	lines := []string{"Window"}
	if len(w.PartitionBy) > 0 {
		lines = append(lines, "partition by: "+exprs(w.PartitionBy))
	}
	if len(w.OrderBy) > 0 {
		lines = append(lines, "order by: "+sortKeys(w.OrderBy))
	}
	parts := make([]string, len(w.Calls))
	for i, c := range w.Calls {
		parts[i] = c.String()
	}
	return append(lines, "calls: "+strings.Join(parts, ", "))
}

// String prints the call as SQL, with its frame but without its window.
func (c WindowCall) String() string {
	var s string
	if c.Function != nil {
		s = c.Function.String()
	} else {
		s = AggregateCall{Function: c.Aggregate, Filter: c.Filter}.String()
	}
	if f := c.Frame.String(); f != "" {
		s += " " + f
	}
	return s
}

// String prints the frame as SQL; nothing for none and for the whole partition.
func (f Frame) String() string {
	if f.WholePartition() {
		return ""
	}
	unit := [...]string{"ROWS", "RANGE", "GROUPS"}[f.Unit]
	return fmt.Sprintf("%s BETWEEN %s AND %s", unit, f.Start.text("PRECEDING"), f.End.text("FOLLOWING"))
}

func (b FrameBound) text(side string) string {
	switch b.Kind {
	case FrameUnbounded:
		return "UNBOUNDED " + side
	case FrameCurrent:
		return "CURRENT ROW"
	}
	return b.Text
}
