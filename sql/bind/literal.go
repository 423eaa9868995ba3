package bind

import (
	"math"
	"strconv"
	"strings"

	"github.com/tarndb/tarn/sql/ast"
	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
)

// literal gives a constant its type and value.
func (b *binder) literal(l *ast.Literal) (expr.Expr, error) {
	constant := func(k types.Kind, v any) (expr.Expr, error) {
		return &expr.Literal{T: types.Of(k), Value: v}, nil
	}
	switch l.Kind {
	case ast.NullLiteral:
		return expr.Null(types.Of(types.Void)), nil
	case ast.BoolLiteral:
		return constant(types.Boolean, strings.EqualFold(l.Text, "true"))
	case ast.StringLiteral:
		return constant(types.String, l.Text)
	case ast.BinaryLiteral:
		return constant(types.Binary, []byte(l.Text))
	case ast.IntegerLiteral, ast.TinyIntLiteral, ast.SmallIntLiteral, ast.BigIntLiteral:
		return b.wholeLiteral(l)
	case ast.DecimalLiteral:
		return b.decimalLiteral(l)
	case ast.FloatLiteral, ast.DoubleLiteral:
		kind, bits := types.Double, 64
		if l.Kind == ast.FloatLiteral {
			kind, bits = types.Float, 32
		}
		f, err := strconv.ParseFloat(l.Text, bits)
		if exact, _ := strconv.ParseFloat(l.Text, 64); err != nil || bits == 32 && exact > math.MaxFloat32 {
			return nil, b.errorAt(l, eval.ErrInvalidValue, "%s is out of range for %s", l.Text, kind)
		}
		return constant(kind, f)
	}
	return b.typedLiteral(l)
}

func (b *binder) wholeLiteral(l *ast.Literal) (expr.Expr, error) {
	sizes := map[ast.LiteralKind]struct {
		kind types.Kind
		bits int
	}{ast.TinyIntLiteral: {types.TinyInt, 8}, ast.SmallIntLiteral: {types.SmallInt, 16}, ast.BigIntLiteral: {types.BigInt, 64}}
	if size, ok := sizes[l.Kind]; ok {
		v, err := strconv.ParseInt(l.Text, 10, size.bits)
		if err != nil {
			return nil, b.errorAt(l, eval.ErrInvalidValue, "%s is out of range for %s", l.Text, size.kind)
		}
		return &expr.Literal{T: types.Of(size.kind), Value: v}, nil
	}
	v, err := strconv.ParseInt(l.Text, 10, 64)
	switch {
	case err != nil:
		return b.decimalLiteral(l)
	case v == int64(int32(v)):
		return &expr.Literal{T: types.Of(types.Int), Value: v}, nil
	}
	return expr.Int(v), nil
}

func (b *binder) decimalLiteral(l *ast.Literal) (expr.Expr, error) {
	out, ok := expr.DecimalLiteral(l.Text)
	if !ok {
		return nil, b.errorAt(l, eval.ErrInvalidValue, "%s has more than %d digits", l.Text, types.MaxDecimalPrecision)
	}
	return out, nil
}

// typedKinds are the types of DATE '…', TIME '…' and the timestamps.
var typedKinds = map[ast.LiteralKind]types.Kind{
	ast.DateLiteral: types.Date, ast.TimeLiteral: types.Time, ast.TimestampLiteral: types.Timestamp,
	ast.TimestampNTZLiteral: types.TimestampNTZ, ast.TimestampLTZLiteral: types.Timestamp,
}

// typedLiteral reads a literal of a type by the cast from text.
func (b *binder) typedLiteral(l *ast.Literal) (expr.Expr, error) {
	t := types.Of(typedKinds[l.Kind])
	if nanos, err := b.nanosOf(l, t); nanos != nil || err != nil {
		return nanos, err
	}
	v, err := eval.EvalConstant(&expr.Cast{Arg: expr.Str(l.Text), T: t}, b.Env)
	if err != nil {
		return nil, b.errorAt(l, ErrInvalidSQL, "%q is not a %s", l.Text, t)
	}
	return &expr.Literal{T: t, Value: v}, nil
}

// nanosOf reads a timestamp whose text has digits below the microsecond as a
// Moment, which has them where a type of nanoseconds asks for them and is cut
// elsewhere, as in Spark; nil for others, and for those that no such type reaches.
func (b *binder) nanosOf(l *ast.Literal, t types.Type) (expr.Expr, error) {
	nanos, ok := map[types.Kind]types.Kind{types.Timestamp: types.TimestampNS, types.TimestampNTZ: types.TimestampNTZNS}[t.Kind]
	if !ok || b.moments == nil {
		return nil, nil
	}
	v, err := eval.EvalConstant(&expr.Cast{Arg: expr.Str(l.Text), T: types.Of(nanos)}, b.Env)
	n, whole := v.(int64)
	if err != nil || !whole || n%1000 == 0 {
		return nil, nil
	}
	moment, value := types.MomentLiteral(n, t.Kind, b.zone())
	return b.moments.literal(l, expr.Literal{T: moment, Value: value}, b.Env)
}

// literalText is the text of a string or of a number.
func literalText(l *expr.Literal) string {
	if s, ok := l.Value.(string); ok {
		return s
	}
	return l.String()
}
