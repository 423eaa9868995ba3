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

// typedLiteral reads DATE '…', TIME '…' and the timestamps.
func (b *binder) typedLiteral(l *ast.Literal) (expr.Expr, error) {
	bad := func(k types.Kind) error {
		return b.errorAt(l, eval.ErrInvalidValue, "%q is not a %s", l.Text, k)
	}
	switch l.Kind {
	case ast.DateLiteral:
		days, ok := types.ParseDate(l.Text)
		if !ok {
			return nil, bad(types.Date)
		}
		return &expr.Literal{T: types.Of(types.Date), Value: int64(days)}, nil
	case ast.TimeLiteral:
		us, ok := types.ParseTimeOfDay(l.Text)
		if !ok {
			return nil, bad(types.Time)
		}
		return &expr.Literal{T: types.Of(types.Time), Value: us}, nil
	}
	us, zone, ok := types.ParseTimestamp(l.Text)
	if !ok {
		return nil, bad(types.Timestamp)
	}
	if l.Kind == ast.TimestampNTZLiteral {
		return &expr.Literal{T: types.Of(types.TimestampNTZ), Value: us}, nil
	}
	if zone == nil {
		zone = b.zone()
	}
	return &expr.Literal{T: types.Of(types.Timestamp), Value: types.WallToInstant(us, zone)}, nil
}

// intervalUnits gives the months, days and microseconds of the units.
var intervalUnits = map[string]types.Interval{
	"YEAR": {Months: 12}, "QUARTER": {Months: 3}, "MONTH": {Months: 1}, "WEEK": {Days: 7}, "DAY": {Days: 1},
	"HOUR": {Micros: types.MicrosPerHour}, "MINUTE": {Micros: types.MicrosPerMinute}, "SECOND": {Micros: types.MicrosPerSecond},
	"MILLISECOND": {Micros: 1000}, "MICROSECOND": {Micros: 1},
}

// interval adds up the parts of an interval literal.
func (b *binder) interval(iv *ast.Interval) (expr.Expr, error) {
	if iv.To != "" {
		return nil, b.unsupported(iv, "INTERVAL … TO "+iv.To)
	}
	var total types.Interval
	for _, p := range iv.Parts {
		part, err := b.intervalPart(p)
		if err != nil {
			return nil, err
		}
		total.Months += part.Months
		total.Days += part.Days
		total.Micros += part.Micros
	}
	return &expr.Literal{T: types.Of(types.IntervalKind), Value: total}, nil
}

func (b *binder) intervalPart(p ast.IntervalPart) (types.Interval, error) {
	e, err := b.constant(p.Value)
	if err != nil {
		return types.Interval{}, err
	}
	text := strings.TrimSpace(literalText(e))
	if p.Unit == "" {
		return b.intervalText(p, text)
	}
	unit, ok := intervalUnits[p.Unit]
	if !ok {
		return types.Interval{}, b.unsupported(p, "INTERVAL in "+p.Unit)
	}
	return b.scaleInterval(p, text, unit)
}

// literalText is the text of a string or of a number.
func literalText(l *expr.Literal) string {
	if s, ok := l.Value.(string); ok {
		return s
	}
	return l.String()
}

// scaleInterval multiplies a unit by a number, which may have a fraction for
// units that are a fixed time.
func (b *binder) scaleInterval(p ast.IntervalPart, text string, unit types.Interval) (types.Interval, error) {
	d, scale, ok := types.ParseDecimal(text)
	whole, rounded := d.Rescale(scale, 0)
	n, fits := whole.Int64()
	back, _ := whole.Rescale(0, scale)
	exact := back == d
	switch {
	case !ok || !rounded || !fits || n != int64(int32(n)) && unit.Micros == 0 || !exact && unit.Micros == 0:
		return types.Interval{}, b.errorAt(p, eval.ErrInvalidValue, "%q is not a number of %sS", text, p.Unit)
	case unit.Micros == 0:
		return types.Interval{Months: unit.Months * int32(n), Days: unit.Days * int32(n)}, nil
	}
	us, ok := d.Mul(types.Decimal128FromInt64(unit.Micros))
	us, rounded = us.Rescale(scale, 0)
	micros, fits := us.Int64()
	if !ok || !rounded || !fits {
		return types.Interval{}, b.errorAt(p, eval.ErrInvalidValue, "%q %sS is too long", text, p.Unit)
	}
	return types.Interval{Micros: micros}, nil
}

// intervalText reads INTERVAL '1 year 2 months'.
func (b *binder) intervalText(p ast.IntervalPart, text string) (types.Interval, error) {
	words := strings.Fields(strings.ToUpper(text))
	if len(words) == 0 || len(words)%2 != 0 {
		return types.Interval{}, b.errorAt(p, eval.ErrInvalidValue, "%q is not an interval: numbers and units are expected in turn", text)
	}
	var total types.Interval
	for i := 0; i < len(words); i += 2 {
		unit, ok := intervalUnits[strings.TrimSuffix(words[i+1], "S")]
		if !ok {
			return types.Interval{}, b.errorAt(p, eval.ErrInvalidValue, "%q is not a unit of time", words[i+1])
		}
		p.Unit = strings.TrimSuffix(words[i+1], "S")
		part, err := b.scaleInterval(p, words[i], unit)
		if err != nil {
			return types.Interval{}, err
		}
		total.Months += part.Months
		total.Days += part.Days
		total.Micros += part.Micros
	}
	return total, nil
}
