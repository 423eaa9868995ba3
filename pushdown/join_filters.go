package pushdown

import (
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

// shift moves a right-side expression to the right input's own positions.
func shift(e expr.Expr, leftColumns int) expr.Expr {
	return expr.Rewrite(e, func(n expr.Expr) expr.Expr {
		c, ok := n.(*expr.Column)
		if !ok {
			return n
		}
		moved := *c
		moved.Index -= leftColumns
		return &moved
	})
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
//	Anti        left          –              stays in ON  right
//
// An equality of ON between the two sides becomes a key pair. Conjuncts above
// an inner join are first made part of ON.
func pushJoin(j *plan.Join, conjuncts []expr.Expr) plan.Node {
	width := len(j.Left.Schema().Fields)
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
				right = append(right, shift(c, width))
			default:
				above = append(above, c)
			}
		}
	}
	out := *j
	out.LeftKeys = append([]expr.Expr{}, j.LeftKeys...)
	out.RightKeys = append([]expr.Expr{}, j.RightKeys...)
	leftOK := j.Kind == plan.InnerJoin || j.Kind == plan.RightJoin || j.Kind == plan.SemiJoin
	rightOK := j.Kind != plan.RightJoin && j.Kind != plan.FullJoin
	for _, c := range on {
		switch s := sideOf(c, width); {
		case s == leftSide && leftOK:
			left = append(left, c)
		case s == rightSide && rightOK:
			right = append(right, shift(c, width))
		default:
			if l, r, ok := equiKey(c, width); ok {
				out.LeftKeys = append(out.LeftKeys, l)
				out.RightKeys = append(out.RightKeys, r)
			} else {
				keep = append(keep, c)
			}
		}
	}
	out.Condition = expr.And(keep...)
	out.Left = push(j.Left, left)
	out.Right = push(j.Right, right)
	return filter(&out, above)
}

// equiKey takes an equality between the two sides apart, giving the right
// part in the right input's positions.
func equiKey(c expr.Expr, leftColumns int) (left, right expr.Expr, ok bool) {
	call, ok := c.(*expr.Call)
	if !ok || call.Name != expr.OpEqual {
		return nil, nil, false
	}
	a, b := call.Args[0], call.Args[1]
	switch {
	case sideOf(a, leftColumns) == leftSide && sideOf(b, leftColumns) == rightSide:
		return a, shift(b, leftColumns), true
	case sideOf(a, leftColumns) == rightSide && sideOf(b, leftColumns) == leftSide:
		return b, shift(a, leftColumns), true
	}
	return nil, nil, false
}
