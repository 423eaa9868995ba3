package prune

import (
	"strings"

	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
)

// Columns gives the Range of a column over the rows that are asked about.
type Columns func(*expr.Column) Range

// InclusiveMetrics reports whether filter may be true for some row. False is
// certain: the rows can be skipped.
func InclusiveMetrics(filter expr.Expr, columns Columns) bool {
	return filter == nil || expr.Fold(domain{columns}, filter).mayBeTrue()
}

// StrictMetrics reports whether filter is certainly true for every row.
func StrictMetrics(filter expr.Expr, columns Columns) bool {
	if filter == nil {
		return true
	}
	r := expr.Fold(domain{columns}, filter)
	return !r.MayBeNull && !r.mayBeFalse()
}

// domain is the expr.Domain of Ranges.
type domain struct{ columns Columns }

// Literal implements expr.Domain.
func (domain) Literal(l *expr.Literal) Range { return Exactly(l.Value) }

// Column implements expr.Domain.
func (d domain) Column(c *expr.Column) Range { return d.columns(c) }

// Case implements expr.Domain.
func (domain) Case(*expr.Case, []Range) Range { return Anything() }

// Cast implements expr.Domain: an order-preserving cast maps bounds to bounds.
func (domain) Cast(c *expr.Cast, arg Range) Range {
	if c.Arg.Type().Kind == types.Date && c.T.Kind == types.Timestamp {
		return midnights(arg, c.Try)
	}
	if !preservesOrder(c.Arg.Type(), c.T) {
		return Anything()
	}
	out := Range{MayBeNull: arg.MayBeNull || c.Try, MayBeValue: arg.MayBeValue, MayBeNaN: arg.MayBeNaN}
	out.Min, out.Max = convertBound(c, arg.Min), convertBound(c, arg.Max)
	return out
}

// convertBound casts a bound; nil, no bound, where it has no image: that makes
// the range wider, not wrong.
func convertBound(c *expr.Cast, bound any) any {
	if bound == nil {
		return nil
	}
	v, err := eval.EvalConstant(&expr.Cast{Arg: &expr.Literal{T: c.Arg.Type(), Value: bound}, T: c.T}, &eval.Env{})
	if err != nil {
		return nil
	}
	return v
}

// midnights bounds the instants at which days begin, in whatever zone: none is
// a day away from UTC.
func midnights(days Range, try bool) Range {
	out := Range{MayBeNull: days.MayBeNull || try, MayBeValue: days.MayBeValue}
	const most = 1 << 24 // days, far from where microseconds overflow
	if d, ok := days.Min.(int64); ok && d > -most && d < most {
		out.Min = (d - 1) * types.MicrosPerDay
	}
	if d, ok := days.Max.(int64); ok && d > -most && d < most {
		out.Max = (d + 1) * types.MicrosPerDay
	}
	return out
}

// preservesOrder lists the casts that never fail on part of their input and
// keep the order of values.
func preservesOrder(from, to types.Type) bool {
	switch {
	case from.IsInteger():
		return to.IsInteger() && to.Kind >= from.Kind || to.Kind == types.Decimal || to.Kind == types.Double || to.Kind == types.Float
	case from.Kind == types.Float:
		return to.Kind == types.Double
	case from.Kind == types.Decimal:
		return to.Kind == types.Decimal && to.Scale >= from.Scale || to.Kind == types.Double
	case from.Kind == types.Date:
		return to.Kind == types.TimestampNTZ
	case from.Kind == types.String:
		return to.Kind == types.String && to.Char == types.NoChar
	}
	return false
}

// Call implements expr.Domain.
func (domain) Call(c *expr.Call, args []Range) Range {
	switch c.Name {
	case expr.OpAnd:
		return and(args)
	case expr.OpOr:
		return not(and(mapRanges(args, not)))
	case expr.OpNot:
		return not(args[0])
	case expr.OpIsNull:
		return truth(args[0].MayBeNull, args[0].MayBeValue, false)
	case expr.OpIsNotNull:
		return truth(args[0].MayBeValue, args[0].MayBeNull, false)
	case expr.OpEqual, expr.OpNotEqual, expr.OpLess, expr.OpLessEqual, expr.OpGreater, expr.OpGreaterEqual:
		return comparison(c.Name, c.Args[0].Type(), args[0], args[1])
	case expr.OpNullSafe:
		return nullSafe(c.Args[0].Type(), args[0], args[1])
	case expr.OpIn:
		return in(c, args)
	case expr.OpLike:
		return like(c, args)
	case "isnan":
		return isNaNRange(args[0])
	case "startswith", "starts_with":
		if c.Args[0].Type().Kind == types.String && args[1].isPoint(types.Of(types.String)) && !args[1].MayBeNull {
			return prefix(args[0], args[1].Min.(string))
		}
	}
	return Anything()
}

func mapRanges(args []Range, f func(Range) Range) []Range {
	out := make([]Range, len(args))
	for i, a := range args {
		out[i] = f(a)
	}
	return out
}

func not(r Range) Range { return truth(r.mayBeFalse(), r.mayBeTrue(), r.MayBeNull) }

// and is true only if every argument is, false if one is, else NULL.
func and(args []Range) Range {
	mayBeTrue, mayBeFalse, mayBeNull := true, false, false
	neverFalse := true // all arguments but false ones can avoid being false
	for _, a := range args {
		mayBeTrue = mayBeTrue && a.mayBeTrue()
		mayBeFalse = mayBeFalse || a.mayBeFalse()
		mayBeNull = mayBeNull || a.MayBeNull
		neverFalse = neverFalse && (a.mayBeTrue() || a.MayBeNull)
	}
	return truth(mayBeTrue, mayBeFalse, mayBeNull && neverFalse)
}

func comparison(op string, t types.Type, a, b Range) Range {
	if op == expr.OpGreater || op == expr.OpGreaterEqual {
		op, a, b = expr.Mirror(op), b, a
	}
	mayBeNull := a.MayBeNull || b.MayBeNull
	if !a.MayBeValue || !b.MayBeValue {
		return truth(false, false, mayBeNull)
	}
	yes, no := true, true
	lowHigh, okLH := compare(t, a.Min, b.Max) // the smallest a against the largest b
	highLow, okHL := compare(t, a.Max, b.Min)
	okLH = okLH && !b.MayBeNaN
	okHL = okHL && !a.MayBeNaN
	switch op {
	case expr.OpEqual, expr.OpNotEqual:
		yes, no = mayBeEqual(t, a, b)
		if op == expr.OpNotEqual {
			yes, no = no, yes
		}
	case expr.OpLess:
		yes = !okLH || lowHigh < 0
		no = !okHL || highLow >= 0
	case expr.OpLessEqual:
		yes = !okLH || lowHigh <= 0
		no = !okHL || highLow > 0
	}
	return truth(yes, no, mayBeNull)
}

// mayBeEqual tells whether values of a and b may be equal, and may differ.
// NaN outside a's bounds equals nothing but a NaN of b.
func mayBeEqual(t types.Type, a, b Range) (equal, differ bool) {
	equal = true
	if c, ok := compare(t, a.Min, b.Max); ok && c > 0 {
		equal = false
	}
	if c, ok := compare(t, a.Max, b.Min); ok && c < 0 {
		equal = false
	}
	if !equal && a.MayBeNaN && (b.MayBeNaN || isNaN(b.Max)) || b.MayBeNaN && isNaN(a.Max) {
		equal = true
	}
	if !a.isPoint(t) || !b.isPoint(t) {
		return equal, true
	}
	return equal, !equal
}

func isNaN(v any) bool {
	f, ok := v.(float64)
	return ok && f != f
}

// isNaNRange is isnan of a Range, which is false of NULL.
func isNaNRange(r Range) Range {
	mayBe := r.MayBeValue && (r.MayBeNaN || r.Max == nil || isNaN(r.Max))
	return truth(mayBe, r.MayBeNull || r.MayBeValue && !isNaN(r.Min), false)
}

func nullSafe(t types.Type, a, b Range) Range {
	equal, differ := false, a.MayBeNull && b.MayBeValue || a.MayBeValue && b.MayBeNull
	if a.MayBeValue && b.MayBeValue {
		e, d := mayBeEqual(t, a, b)
		equal, differ = e, differ || d
	}
	return truth(equal || a.MayBeNull && b.MayBeNull, differ, false)
}

// in is the OR of equalities.
func in(c *expr.Call, args []Range) Range {
	equalities := make([]Range, len(args)-1)
	for i := range equalities {
		equalities[i] = not(comparison(expr.OpEqual, c.Args[0].Type(), args[0], args[i+1]))
	}
	return not(and(equalities))
}

// like uses the literal text before the pattern's first wildcard.
func like(c *expr.Call, args []Range) Range {
	pattern, ok := c.Args[1].(*expr.Literal)
	if !ok || pattern.Value == nil {
		return Anything()
	}
	escape := `\`
	if len(c.Args) > 2 {
		lit, ok := c.Args[2].(*expr.Literal)
		if !ok || lit.Value == nil {
			return Anything()
		}
		escape = lit.Value.(string)
	}
	text := pattern.Value.(string)
	end := strings.IndexAny(text, "%_"+escape)
	if end < 0 {
		return comparison(expr.OpEqual, c.Args[0].Type(), args[0], Exactly(text))
	}
	r := prefix(args[0], text[:end])
	if text[end:] != "%" && r.mayBeTrue() {
		r = truth(true, true, r.MayBeNull) // more than the prefix is asked for
	}
	return r
}

// prefix is "the string starts with p".
func prefix(s Range, p string) Range {
	if !s.MayBeValue {
		return truth(false, false, s.MayBeNull)
	}
	yes, no := true, true
	lo, okLo := s.Min.(string)
	hi, okHi := s.Max.(string)
	if okHi && hi < p {
		yes = false // everything is below the first string with the prefix
	}
	if okLo && lo > p && !strings.HasPrefix(lo, p) {
		yes = false // everything is above the last one
	}
	if okLo && okHi && strings.HasPrefix(lo, p) && strings.HasPrefix(hi, p) {
		no = false
	}
	return truth(yes, no, s.MayBeNull)
}
