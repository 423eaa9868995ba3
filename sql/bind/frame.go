package bind

import (
	"math"

	"github.com/tarndb/tarn/sql/ast"
	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/sql/types"
)

// ownFrame reports whether a frame is just the one that a ranking function has
// anyway, in which case it may be written.
func ownFrame(function string, f *ast.Frame) bool {
	unit := ast.FrameRows
	switch function {
	case "lag", "lead":
		return false
	case "cume_dist":
		unit = ast.FrameRange
	}
	return f.Unit == unit && f.Start.Kind == ast.UnboundedPreceding && (f.End == nil || f.End.Kind == ast.CurrentRow) && f.Exclude == ast.ExcludeNoOthers
}

// frame gives the frame of a window. Without one it ends with the row's equals
// where the window has an order, and is the whole partition where it has none.
func (b *binder) frame(spec *ast.WindowSpec, w *plan.Window) (plan.Frame, error) {
	f := spec.Frame
	if f == nil {
		if len(w.OrderBy) == 0 {
			return plan.Frame{}, nil
		}
		return plan.Frame{Unit: plan.FrameRange, End: plan.FrameBound{Kind: plan.FrameCurrent}}, nil
	}
	end := f.End
	if end == nil {
		end = &ast.FrameBound{Loc: f.Loc, Kind: ast.CurrentRow}
	}
	switch {
	case f.Exclude != ast.ExcludeNoOthers:
		return plan.Frame{}, b.unsupported(f, "EXCLUDE in a window's frame")
	case f.Start.Kind == ast.UnboundedFollowing:
		return plan.Frame{}, b.errorAt(f.Start, ErrInvalidSQL, "a frame can't begin with UNBOUNDED FOLLOWING")
	case end.Kind == ast.UnboundedPreceding:
		return plan.Frame{}, b.errorAt(end, ErrInvalidSQL, "a frame can't end with UNBOUNDED PRECEDING")
	}
	out := plan.Frame{Unit: map[ast.FrameUnit]plan.FrameUnit{ast.FrameRows: plan.FrameRows, ast.FrameRange: plan.FrameRange, ast.FrameGroups: plan.FrameGroups}[f.Unit]}
	start, err := b.frameBound(f, f.Start, w, &out.Start)
	if err != nil {
		return out, err
	}
	stop, err := b.frameBound(f, *end, w, &out.End)
	if err != nil {
		return out, err
	}
	if out.Unit != plan.FrameRows && !out.WholePartition() && len(w.OrderBy) == 0 {
		return out, b.errorAt(f, eval.ErrTypeMismatch, "a frame of RANGE or GROUPS needs a window with ORDER BY")
	}
	return out, b.frameEdges(f, w, &out, start, stop)
}

// frameBound binds one end of a frame and gives its offset, negative for
// PRECEDING, if it has one.
func (b *binder) frameBound(f *ast.Frame, bound ast.FrameBound, w *plan.Window, out *plan.FrameBound) (*expr.Literal, error) {
	switch bound.Kind {
	case ast.UnboundedPreceding, ast.UnboundedFollowing:
		return nil, nil
	case ast.CurrentRow:
		out.Kind = plan.FrameCurrent
		return nil, nil
	}
	out.Kind = plan.FrameOffset
	offset, err := b.constant(bound.Offset)
	if err != nil {
		return nil, err
	}
	out.Text = offset.String() + map[ast.BoundKind]string{ast.Preceding: " PRECEDING", ast.Following: " FOLLOWING"}[bound.Kind]
	if offset.Value == nil {
		return nil, b.errorAt(bound, eval.ErrTypeMismatch, "a frame's bound can't be NULL")
	}
	if f.Unit == ast.FrameRange {
		if offset, err = b.rangeOffset(bound, offset, w); err != nil {
			return nil, err
		}
	} else if n, ok := offset.Value.(int64); !ok || !offset.T.IsInteger() || n < math.MinInt32 || n > math.MaxInt32 {
		return nil, b.errorAt(bound, eval.ErrTypeMismatch, "a frame of rows or groups is bounded by an INT, not by %s, which is %s", offset, offset.T)
	}
	if bound.Kind == ast.Preceding {
		if offset, err = b.negative(bound, offset); err != nil {
			return nil, err
		}
	}
	out.Offset, _ = offset.Value.(int64)
	return offset, nil
}

func (b *binder) negative(at ast.Node, l *expr.Literal) (*expr.Literal, error) {
	e, err := b.apply(at, expr.OpNegate, l)
	if err != nil {
		return nil, err
	}
	v, err := eval.EvalConstant(e, b.Env)
	return &expr.Literal{T: e.Type(), Value: v}, b.wrapAt(at.Pos(), err)
}

// rangeOffset gives a bound of RANGE the type that is added to the order key:
// whole days or an interval to dates, an interval to timestamps, and the key's
// own type to numbers and intervals.
func (b *binder) rangeOffset(at ast.FrameBound, offset *expr.Literal, w *plan.Window) (*expr.Literal, error) {
	if len(w.OrderBy) != 1 {
		return nil, b.errorAt(at, eval.ErrTypeMismatch, "a frame of RANGE with an offset needs a window with one ORDER BY expression, not %d", len(w.OrderBy))
	}
	key, t := w.OrderBy[0].Expr.Type(), offset.T
	fits := false
	switch {
	case key.Kind == types.Date && t.IsInteger():
		if narrow, ok := b.narrowArgs([]expr.Expr{offset}); ok {
			offset = narrow[0].(*expr.Literal)
		}
		fits = offset.T.Kind != types.BigInt
	case key.Kind == types.Date:
		fits = t.IsYearMonth() || t.IsDayTime() && t.To == types.UnitDay
	case key.IsTimestamp():
		fits = t.Kind == types.IntervalKind
	case key.IsNumeric():
		fits = t.IsNumeric() || t.Kind == types.String
	case key.Kind == types.IntervalKind:
		fits = key.IsYearMonth() && t.IsYearMonth() || key.IsDayTime() && t.IsDayTime()
	}
	if !fits {
		return nil, b.errorAt(at, eval.ErrTypeMismatch, "a frame of RANGE over %s, which is %s, can't be bounded by %s, which is %s", w.OrderBy[0].Expr, key, offset, t)
	}
	if !key.IsNumeric() {
		return offset, nil
	}
	cast, err := b.castFolded(at, offset, key)
	if err != nil {
		return nil, err
	}
	v, err := eval.EvalConstant(cast, b.Env)
	return &expr.Literal{T: key, Value: v}, b.wrapAt(at.Pos(), err)
}

// frameEdges checks that the offsets agree and, for RANGE, makes of them the
// order key's values at the bounds.
func (b *binder) frameEdges(at *ast.Frame, w *plan.Window, f *plan.Frame, start, end *expr.Literal) error {
	if start != nil && end != nil {
		if start.T.Kind != end.T.Kind || start.T.IsYearMonth() != end.T.IsYearMonth() {
			return b.errorAt(at, eval.ErrTypeMismatch, "the bounds of a frame have different types: %s and %s", start.T, end.T)
		}
		if order, ok := types.CompareValues(start.T, start.Value, end.Value); ok && order > 0 {
			return b.errorAt(at, eval.ErrTypeMismatch, "the frame ends before it begins: %s", f)
		}
	}
	if f.Unit != plan.FrameRange {
		return nil
	}
	for _, bound := range []struct {
		offset *expr.Literal
		out    *plan.FrameBound
	}{{start, &f.Start}, {end, &f.End}} {
		if bound.offset == nil {
			continue
		}
		bound.out.Offset = 0
		op := expr.OpAdd
		if w.OrderBy[0].Descending {
			op = expr.OpSubtract
		}
		edge, err := b.apply(at, op, w.OrderBy[0].Expr, bound.offset)
		if err != nil {
			return err
		}
		key, err := b.newCast(at, w.OrderBy[0].Expr, edge.Type(), false)
		if err != nil {
			return err
		}
		bound.out.Edge, f.Key = edge, key
	}
	return nil
}
