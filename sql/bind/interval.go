package bind

import (
	"strings"
	"unicode"

	"github.com/tarndb/tarn/sql/ast"
	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
)

// interval gives an interval literal its type, which has the units written,
// and its value.
func (b *binder) interval(iv *ast.Interval) (expr.Expr, error) {
	if iv.To != "" {
		return b.intervalTo(iv)
	}
	var words []string
	for _, p := range iv.Parts {
		text, err := b.intervalNumber(p)
		if err != nil {
			return nil, err
		}
		if p.Unit != "" && strings.ContainsFunc(text, unicode.IsLetter) {
			return nil, b.errorAt(p, ErrInvalidSQL, "%q is not a number of %sS", text, p.Unit)
		}
		words = append(words, text, p.Unit)
	}
	text := strings.Join(words, " ")
	v, fields, ok := types.ParseUnits(text)
	if !ok {
		kind := eval.ErrInvalidValue
		if iv.Parts[0].Unit == "" {
			kind = ErrInvalidSQL
		}
		return nil, b.errorAt(iv, kind, "%q is not an interval: whole numbers and units are expected in turn, and together they must not be too long", strings.TrimSpace(text))
	}
	from, to := fields[0], fields[0]
	for _, f := range fields {
		from, to = min(from, f), max(to, f)
	}
	t, ok := types.IntervalOf(from, to)
	if !ok {
		return nil, b.errorAt(iv, ErrInvalidSQL, "an interval literal can't mix years and months with days and shorter units; use CAST('1 month 1 day' AS INTERVAL)")
	}
	if v, ok = normalInterval(t, v); !ok {
		return nil, b.errorAt(iv, eval.ErrInvalidValue, "%q is too long for %s", strings.TrimSpace(text), t)
	}
	return &expr.Literal{T: t, Value: v}, nil
}

// normalInterval gives the parts of a day-time interval the form that its type
// asks for.
func normalInterval(t types.Type, v types.Interval) (types.Interval, bool) {
	if t.IsYearMonth() {
		return v, true
	}
	length, ok := types.Decimal128FromInt64(int64(v.Days)).Mul(types.Decimal128FromInt64(types.MicrosPerDay))
	length, _ = length.Add(types.Decimal128FromInt64(v.Micros))
	micros, fits := length.Int64()
	return types.DayTimeInterval(micros), ok && fits
}

// intervalTo reads INTERVAL '1-2' YEAR TO MONTH and its like.
func (b *binder) intervalTo(iv *ast.Interval) (expr.Expr, error) {
	p := iv.Parts[0]
	from, _ := types.UnitNamed(p.Unit)
	to, _ := types.UnitNamed(iv.To)
	t, ok := types.IntervalOf(from, to)
	if !ok || from == to {
		return nil, b.errorAt(iv, eval.ErrInvalidValue, "there is no INTERVAL %s TO %s", p.Unit, iv.To)
	}
	text, err := b.intervalNumber(p)
	if err != nil {
		return nil, err
	}
	v, ok := types.ParseInterval(t, text)
	if !ok {
		kind := eval.ErrInvalidValue
		if t.IsDayTime() && fieldTooGreat(t, text) {
			kind = ErrInvalidSQL
		}
		return nil, b.errorAt(p, kind, "%q is not a value of %s, such as %s", text, t, types.FormatInterval(t, types.Interval{}))
	}
	return &expr.Literal{T: t, Value: v}, nil
}

// fieldTooGreat reports whether text has the form of t's literals, but a field
// behind the first is as great as the one before it, or the first has no room.
func fieldTooGreat(t types.Type, text string) bool {
	zeros := func(r rune) rune {
		if unicode.IsDigit(r) {
			return '0'
		}
		return r
	}
	start := strings.IndexFunc(text, unicode.IsDigit)
	if start < 0 {
		return false
	}
	end := start + strings.IndexFunc(text[start:]+" ", func(r rune) bool { return !unicode.IsDigit(r) })
	first, others := text[:end], text[end:]
	return parses(t, strings.Map(zeros, text)) && !(parses(t, strings.Map(zeros, first)+others) && parses(t, first+strings.Map(zeros, others)))
}

func parses(t types.Type, text string) bool {
	_, ok := types.ParseInterval(t, text)
	return ok
}

// intervalNumber gives the text of a part's value; -'1' is '-1'.
func (b *binder) intervalNumber(p ast.IntervalPart) (string, error) {
	value, negative := p.Value, false
	if u, ok := value.(*ast.Unary); ok && u.Op == ast.OpNeg {
		if l, ok := u.Expr.(*ast.Literal); ok && l.Kind == ast.StringLiteral {
			value, negative = l, true
		}
	}
	e, err := b.constant(value)
	if err != nil {
		return "", err
	}
	text := literalText(e)
	if rest, minus := strings.CutPrefix(text, "-"); negative && minus {
		return rest, nil
	} else if negative {
		return "-" + text, nil
	}
	return text, nil
}
