package plan

import (
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
)

// JoinKind says which rows a join gives.
type JoinKind uint8

// The kinds of joins.
const (
	InnerJoin     JoinKind = iota
	LeftJoin               // and left rows without a match, padded with NULLs
	RightJoin              // and right rows without a match
	FullJoin               // and both
	SemiJoin               // left rows that have a match
	AntiJoin               // left rows that have none
	SingleJoin             // LeftJoin; a second match of a left row is an error
	MarkJoin               // left rows, each with a Boolean: whether it has a match
	RightSemiJoin          // right rows that have a match
	RightAntiJoin          // right rows that have none
)

// String is the word that EXPLAIN prints.
func (k JoinKind) String() string {
	return [...]string{"Inner", "Left", "Right", "Full", "Semi", "Anti", "Single", "Mark", "Right semi", "Right anti"}[k]
}

// Pads reports whether the join gives left rows without a match, padded with
// NULLs.
func (k JoinKind) Pads() bool { return k == LeftJoin || k == FullJoin || k == SingleJoin }

// LeftOnly reports whether the join gives no right columns.
func (k JoinKind) LeftOnly() bool { return k == SemiJoin || k == AntiJoin || k == MarkJoin }

// RightOnly reports whether the join gives no left columns.
func (k JoinKind) RightOnly() bool { return k == RightSemiJoin || k == RightAntiJoin }

// JoinKey is a pair of expressions, each over its own side's columns, that are
// equal in rows that match. NULL equals nothing, but NULL if NullSafe is set.
type JoinKey struct {
	Left, Right expr.Expr
	NullSafe    bool
	// Feeds is the ID of the dynamic filter that the right values are for; 0 if
	// there is none.
	Feeds int
}

// Op is the comparison that the key makes.
func (k JoinKey) Op() string {
	if k.NullSafe {
		return expr.OpNullSafe
	}
	return expr.OpEqual
}

// Join matches rows of two inputs: those whose Keys are all equal and for which
// Condition, if any, over the left columns followed by the right ones, is true.
// Its rows are the left columns and then the right ones; SemiJoin and AntiJoin
// give only the left ones, MarkJoin these and the mark, RightSemiJoin and
// RightAntiJoin the right ones. No keys: every pair is
// tried.
//
// The mark is TRUE if the row has a match, else NULL if for a row of equal keys
// the Condition is NULL, else FALSE. With NullAware, for MarkJoin with one key
// and no Condition, it is also NULL where NULLs leave it open whether the key
// has an equal.
type Join struct {
	Kind        JoinKind
	Left, Right Node
	Keys        []JoinKey
	Condition   expr.Expr
	NullAware   bool
}

// MarkColumn is the name of the Boolean that MarkJoin adds.
const MarkColumn = "_mark"

// LeftKeys are the left sides of the keys.
func (j *Join) LeftKeys() []expr.Expr {
	out := make([]expr.Expr, len(j.Keys))
	for i, k := range j.Keys {
		out[i] = k.Left
	}
	return out
}

// RightKeys are the right sides of the keys.
func (j *Join) RightKeys() []expr.Expr {
	out := make([]expr.Expr, len(j.Keys))
	for i, k := range j.Keys {
		out[i] = k.Right
	}
	return out
}

// Schema implements Node.
func (j *Join) Schema() types.Schema {
	left := j.Left.Schema().Fields
	switch j.Kind {
	case SemiJoin, AntiJoin:
		return types.Schema{Fields: left}
	case RightSemiJoin, RightAntiJoin:
		return j.Right.Schema()
	case MarkJoin:
		mark := types.Field{Name: MarkColumn, Type: types.Of(types.Boolean), Nullable: j.NullAware || j.Condition != nil && j.Condition.Nullable()}
		return types.Schema{Fields: append(append([]types.Field{}, left...), mark)}
	}
	fields := make([]types.Field, 0, len(left)+8)
	for _, f := range left {
		f.Nullable = f.Nullable || j.Kind == RightJoin || j.Kind == FullJoin
		fields = append(fields, f)
	}
	for _, f := range j.Right.Schema().Fields {
		f.Nullable = f.Nullable || j.Kind.Pads()
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

// MapExprs implements ExprMapper.
func (j *Join) MapExprs(f func(expr.Expr) expr.Expr) Node {
	out := *j
	out.Keys = make([]JoinKey, len(j.Keys))
	for i, k := range j.Keys {
		out.Keys[i] = JoinKey{Left: f(k.Left), Right: f(k.Right), NullSafe: k.NullSafe}
	}
	out.Condition = mapOptional(j.Condition, f)
	return &out
}
