package plan

import (
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
)

// JoinKind says which rows a join gives.
type JoinKind uint8

// The kinds of joins.
const (
	InnerJoin JoinKind = iota
	LeftJoin           // and left rows without a match, padded with NULLs
	RightJoin          // and right rows without a match
	FullJoin           // and both
	SemiJoin           // left rows that have a match
	AntiJoin           // left rows that have none
)

// String is the word that EXPLAIN prints.
func (k JoinKind) String() string {
	return [...]string{"Inner", "Left", "Right", "Full", "Semi", "Anti"}[k]
}

// Join matches rows of two inputs: those for which every LeftKeys[i] equals
// RightKeys[i] (NULL equals nothing) and Condition, if any, is true. Its rows
// are the left columns and then the right ones; only the left ones for
// SemiJoin and AntiJoin. Keys refer to their own side's columns, Condition to
// the left columns followed by the right ones. No keys: every pair is tried.
type Join struct {
	Kind        JoinKind
	Left, Right Node
	LeftKeys    []expr.Expr
	RightKeys   []expr.Expr
	Condition   expr.Expr
}

// Schema implements Node.
func (j *Join) Schema() types.Schema {
	left := j.Left.Schema().Fields
	if j.Kind == SemiJoin || j.Kind == AntiJoin {
		return types.Schema{Fields: left}
	}
	fields := make([]types.Field, 0, len(left)+8)
	for _, f := range left {
		f.Nullable = f.Nullable || j.Kind == RightJoin || j.Kind == FullJoin
		fields = append(fields, f)
	}
	for _, f := range j.Right.Schema().Fields {
		f.Nullable = f.Nullable || j.Kind == LeftJoin || j.Kind == FullJoin
		fields = append(fields, f)
	}
	return types.Schema{Fields: fields}
}

// Children implements Node.
func (j *Join) Children() []Node { return []Node{j.Left, j.Right} }

// WithChildren implements Node.
func (j *Join) WithChildren(c []Node) Node {
	out := *j
	out.Left, out.Right = c[0], c[1]
	return &out
}
