package pushdown

import (
	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/plan"
)

// side tells which inputs of a join an expression reads.
type side uint8

const (
	neitherSide side = 0
	leftSide    side = 1
	rightSide   side = 2
	bothSides   side = 3
)

func sideOf(e expr.Expr, leftColumns int) side {
	s := neitherSide
	for _, c := range expr.Columns(e) {
		if c.Index < leftColumns {
			s |= leftSide
		} else {
			s |= rightSide
		}
	}
	return s
}

// pushJoin distributes the conjuncts above a join (which see its result) and
// those of its ON condition (which decide on matches):
//
//	            above, left   above, right   ON, left     ON, right
//	Inner       left          right          left         right
//	Left        left          stays above    stays in ON  right
//	Right       stays above   right          left         stays in ON
//	Full        stays above   stays above    stays in ON  stays in ON
//	Semi        left          –              left         right
//	Anti, Mark  left          –              stays in ON  right
//	Single      left          stays above    stays in ON  right
//
// A condition on the mark of a Mark join stays above. What is unknown in a Mark
// join's ON is told apart from what is false, so all of it stays there.
// A Left join whose padded rows a condition above rejects is an Inner one. What
// goes to one side as a condition on a key goes to the other as well, if rows
// that fail it have no match to lose there.
// An equality of ON between the two sides becomes a key pair. Conjuncts above
// an inner join are first made part of ON.
func pushJoin(j *plan.Join, conjuncts []expr.Expr) plan.Node {
	width := len(j.Left.Schema().Fields)
	j = rejectPadding(j, conjuncts)
	if j.Kind == plan.MarkJoin {
		return pushMarkJoin(j, conjuncts)
	}
	on := conjunctsOf(j.Condition)
	var left, right, keep, above []expr.Expr
	if j.Kind == plan.InnerJoin {
		on = append(on, conjuncts...)
	} else {
		for _, c := range conjuncts {
			switch s := sideOf(c, width); {
			case s == leftSide && j.Kind != plan.RightJoin && j.Kind != plan.FullJoin:
				left = append(left, c)
			case s == rightSide && j.Kind == plan.RightJoin:
				right = append(right, expr.Shift(c, -width))
			default:
				above = append(above, c)
			}
		}
	}
	out := *j
	out.Keys = append([]plan.JoinKey{}, j.Keys...)
	leftOK := j.Kind == plan.InnerJoin || j.Kind == plan.RightJoin || j.Kind == plan.SemiJoin
	rightOK := j.Kind != plan.RightJoin && j.Kind != plan.FullJoin
	for _, c := range on {
		switch s := sideOf(c, width); {
		case s == leftSide && leftOK:
			left = append(left, c)
		case s == rightSide && rightOK:
			right = append(right, expr.Shift(c, -width))
		default:
			if l := impliedBy(c, leftSide, width); l != nil && leftOK {
				left = append(left, l)
			}
			if r := impliedBy(c, rightSide, width); r != nil && rightOK {
				right = append(right, expr.Shift(r, -width))
			}
			if key, ok := equiKey(c, width); ok {
				out.Keys = append(out.Keys, key)
			} else {
				keep = append(keep, c)
			}
		}
	}
	out.Condition = expr.And(keep...)
	if j.Kind != plan.RightJoin && j.Kind != plan.FullJoin {
		right = append(right, transferred(left, right, out.Keys, func(k plan.JoinKey) (from, to expr.Expr) { return k.Left, k.Right })...)
	}
	if leftOK {
		left = append(left, transferred(right, left, out.Keys, func(k plan.JoinKey) (from, to expr.Expr) { return k.Right, k.Left })...)
	}
	out.Left = push(j.Left, left)
	out.Right = push(j.Right, right)
	return filter(&out, above)
}

// transferred gives what conjuncts on one side of a join say of the other, by
// the keys: of rows that match, a key that is a column on one side has the same
// value on the other. have are the other side's conjuncts already.
func transferred(conjuncts, have []expr.Expr, keys []plan.JoinKey, sides func(plan.JoinKey) (from, to expr.Expr)) []expr.Expr {
	var out []expr.Expr
	for _, c := range conjuncts {
		read := expr.Columns(c)
		if len(read) != 1 || eval.IsVolatile(c) || eval.MayFail(c) {
			continue
		}
		for _, k := range keys {
			from, to := sides(k)
			if f, ok := from.(*expr.Column); !ok || f.Index != read[0].Index || eval.IsVolatile(to) || eval.MayFail(to) {
				continue
			}
			moved := expr.Rewrite(c, func(n expr.Expr) expr.Expr {
				if _, ok := n.(*expr.Column); ok {
					return to
				}
				return n
			})
			if indexOf(have, moved) < 0 && indexOf(out, moved) < 0 {
				out = append(out, moved)
			}
		}
	}
	return out
}

// impliedBy gives what an OR of both sides says of one: if each branch has
// conjuncts on that side, one of them must hold. nil: nothing.
func impliedBy(c expr.Expr, one side, leftColumns int) expr.Expr {
	or, ok := c.(*expr.Call)
	if !ok || or.Name != expr.OpOr {
		return nil
	}
	branches := make([]expr.Expr, len(or.Args))
	for i, b := range or.Args {
		var parts []expr.Expr
		for _, p := range expr.SplitConjuncts(b) {
			if sideOf(p, leftColumns) == one && !eval.IsVolatile(p) && !eval.MayFail(p) {
				parts = append(parts, p)
			}
		}
		if parts == nil {
			return nil
		}
		branches[i] = expr.And(parts...)
	}
	return expr.Or(branches...)
}

// pushMarkJoin passes conjuncts on the left columns; the mark is in the place
// where the condition has the first right column.
func pushMarkJoin(j *plan.Join, conjuncts []expr.Expr) plan.Node {
	width := len(j.Left.Schema().Fields)
	var left, above []expr.Expr
	for _, c := range conjuncts {
		if sideOf(c, width) == leftSide {
			left = append(left, c)
		} else {
			above = append(above, c)
		}
	}
	return filter(j.WithChildren([]plan.Node{push(j.Left, left), SplitFilters(j.Right)}), above)
}

// rejectPadding gives the join without the padded rows that the conjuncts above
// it drop.
func rejectPadding(j *plan.Join, conjuncts []expr.Expr) *plan.Join {
	if j.Kind != plan.LeftJoin && j.Kind != plan.RightJoin && j.Kind != plan.FullJoin {
		return j
	}
	width := len(j.Left.Schema().Fields)
	padsLeft, padsRight := j.Kind != plan.LeftJoin, j.Kind != plan.RightJoin // which columns are padded
	for _, c := range conjuncts {
		padsLeft = padsLeft && !rejectsNulls(c, func(column int) bool { return column < width })
		padsRight = padsRight && !rejectsNulls(c, func(column int) bool { return column >= width })
	}
	out := *j
	switch {
	case padsLeft && padsRight:
		out.Kind = plan.FullJoin
	case padsLeft:
		out.Kind = plan.RightJoin
	case padsRight:
		out.Kind = plan.LeftJoin
	default:
		out.Kind = plan.InnerJoin
	}
	return &out
}

// rejectsNulls reports whether a condition is not true of any row in which all
// the columns are NULL.
func rejectsNulls(c expr.Expr, columns func(int) bool) bool {
	nulls := expr.Rewrite(c, func(n expr.Expr) expr.Expr {
		if col, ok := n.(*expr.Column); ok && columns(col.Index) {
			return expr.Null(col.T)
		}
		return n
	})
	return never(nulls)
}

// equiKey takes an equality between the two sides apart, giving the right
// part in the right input's positions.
func equiKey(c expr.Expr, leftColumns int) (key plan.JoinKey, ok bool) {
	call, ok := c.(*expr.Call)
	if !ok || call.Name != expr.OpEqual && call.Name != expr.OpNullSafe {
		return plan.JoinKey{}, false
	}
	a, b := call.Args[0], call.Args[1]
	nullSafe := call.Name == expr.OpNullSafe && a.Nullable() && b.Nullable()
	switch {
	case sideOf(a, leftColumns) == leftSide && sideOf(b, leftColumns) == rightSide:
		return plan.JoinKey{Left: a, Right: expr.Shift(b, -leftColumns), NullSafe: nullSafe}, true
	case sideOf(a, leftColumns) == rightSide && sideOf(b, leftColumns) == leftSide:
		return plan.JoinKey{Left: b, Right: expr.Shift(a, -leftColumns), NullSafe: nullSafe}, true
	}
	return plan.JoinKey{}, false
}
