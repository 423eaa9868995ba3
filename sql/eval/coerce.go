package eval

import (
	"strings"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
)

// plain is t without the length of CHAR and VARCHAR, which only columns have.
func plain(t types.Type) types.Type {
	if t.Kind == types.String {
		return types.Of(types.String)
	}
	return t
}

// sameValues reports whether a value of type a is one of type b as it is.
func sameValues(a, b types.Type) bool {
	if a.Kind == types.String && b.Kind == types.String {
		return b.Length == 0 || a.Equal(b)
	}
	return a.Equal(b)
}

// castTo wraps e in a cast unless it has the type already.
func castTo(e expr.Expr, t types.Type) expr.Expr {
	if sameValues(e.Type(), t) {
		return e
	}
	if l, ok := e.(*expr.Literal); ok && l.Value == nil {
		return expr.Null(t)
	}
	return &expr.Cast{Arg: e, T: t}
}

// widening finds the type that the values of two types are brought to; ok is
// false if there is none.
type widening func(a, b types.Type) (t types.Type, ok bool)

// implicitly casts an argument to the type of its parameter, if Spark's ANSI
// mode does so without being asked.
func implicitly(name string, e expr.Expr, t types.Type) (expr.Expr, error) {
	if t.Kind == types.Void && e.Type().Kind != types.Void || castCost(e.Type(), t) >= impossible {
		return nil, mismatch("%s takes %s, not %s", name, t, e.Type())
	}
	return castTo(e, t), nil
}

// exactly is implicitly for a parameter that takes no other type, but NULL.
func exactly(name string, e expr.Expr, t types.Type) (expr.Expr, error) {
	if from := e.Type().Kind; from != t.Kind && from != types.Void && (from != types.Moment || !isDatetime(t)) {
		return nil, mismatch("%s takes %s, not %s", name, t, e.Type())
	}
	return castTo(e, t), nil
}

// CommonType gives the least type that the values of all types convert to
// without an explicit cast, as Spark's ANSI mode chooses it for CASE, COALESCE
// and VALUES. ok is false if there is none, as for structs whose fields have
// other names.
func CommonType(ts ...types.Type) (t types.Type, ok bool) { return widenAll(commonByName, ts) }

// CommonTypeByPosition is CommonType for comparisons, IN and UNION, which pair
// the fields of structs by position.
func CommonTypeByPosition(ts ...types.Type) (t types.Type, ok bool) {
	return widenAll(commonByPosition, ts)
}

func widenAll(widen widening, ts []types.Type) (t types.Type, ok bool) {
	if len(ts) == 1 {
		return ts[0], true
	}
	ok = true
	// Strings come last, so that the result does not depend on where in the
	// list a string stands.
	for _, strings := range []bool{false, true} {
		for _, u := range ts {
			if (u.Kind == types.String) != strings {
				continue
			}
			if t, ok = widen(t, plain(u)); !ok {
				return types.Type{}, false
			}
		}
	}
	return t, true
}

func commonByPosition(a, b types.Type) (types.Type, bool) {
	switch {
	case a.Equal(b), b.Kind == types.Void:
		return a, true
	case a.Kind == types.Void:
		return b, true
	case a.IsNumeric() && b.IsNumeric():
		return commonNumeric(a, b), true
	case a.Kind == types.String:
		return commonWithString(b)
	case b.Kind == types.String:
		return commonWithString(a)
	case isDatetime(a) && isDatetime(b):
		return commonDatetime(a, b), true
	case a.Kind == types.IntervalKind && b.Kind == types.IntervalKind:
		return types.CommonInterval(a, b)
	case isBytes(a) && isBytes(b):
		return types.Of(types.Binary), true
	case a.IsNested():
		return commonNested(a, b, commonByPosition)
	}
	return types.Type{}, false
}

func commonByName(a, b types.Type) (types.Type, bool) {
	if a.IsNested() && b.IsNested() {
		return nestedByName(a, b, commonByName)
	}
	return commonByPosition(a, b)
}

// commonWithoutStrings is commonByName that reads no string as something else.
func commonWithoutStrings(a, b types.Type) (types.Type, bool) {
	switch {
	case a.IsNested() && b.IsNested():
		return nestedByName(a, b, commonWithoutStrings)
	case a.Kind != types.Void && b.Kind != types.Void && (a.Kind == types.String) != (b.Kind == types.String):
		return types.Type{}, false
	}
	return commonByPosition(plain(a), plain(b))
}

// tightestType is narrower than commonWithoutStrings: a DECIMAL goes with
// itself and with the whole numbers that it holds, a FLOAT with all of them.
func tightestType(a, b types.Type) (types.Type, bool) {
	if a.Kind > b.Kind {
		a, b = b, a
	}
	switch {
	case a.IsNested() && b.IsNested():
		return nestedByName(a, b, tightestType)
	case a.IsInteger() && b.Kind == types.Decimal:
		whole, _ := asDecimal(a)
		return b, b.Precision-b.Scale >= whole.Precision
	case a.IsNumeric() && b.IsNumeric():
		return b, b.Kind != types.Decimal || a.Equal(b)
	}
	return commonWithoutStrings(a, b)
}

// commonWithString follows Spark's ANSI promotion of strings: the string is
// cast to the other side, to the widest of its family for numbers.
func commonWithString(t types.Type) (types.Type, bool) {
	switch {
	case t.IsInteger():
		return types.Of(types.BigInt), true
	case t.IsNumeric():
		return types.Of(types.Double), true
	case t.IsNested(), t.Kind == types.Variant, t.Kind == types.IntervalKind:
		return types.Type{}, false
	}
	return t, true
}

func commonNumeric(a, b types.Type) types.Type {
	switch {
	case a.IsInteger() && b.IsInteger():
		if a.Kind > b.Kind {
			return a
		}
		return b
	case a.Kind == types.Decimal || b.Kind == types.Decimal:
		da, oka := asDecimal(a)
		db, okb := asDecimal(b)
		if !oka || !okb {
			return types.Of(types.Double)
		}
		return commonDecimal(da, db)
	case a.Kind == types.Float && b.Kind == types.Float:
		return a
	}
	return types.Of(types.Double)
}

// asDecimal is the DECIMAL that holds every value of a whole-number type.
func asDecimal(t types.Type) (types.Type, bool) {
	switch t.Kind {
	case types.Decimal:
		return t, true
	case types.TinyInt:
		return types.DecimalOf(3, 0), true
	case types.SmallInt:
		return types.DecimalOf(5, 0), true
	case types.Int:
		return types.DecimalOf(10, 0), true
	case types.BigInt:
		return types.DecimalOf(20, 0), true
	}
	return types.Type{}, false
}

// commonDecimal keeps the whole digits first and then as much of the scale as
// 38 digits leave.
func commonDecimal(a, b types.Type) types.Type {
	scale := max(int(a.Scale), int(b.Scale))
	whole := max(int(a.Precision)-int(a.Scale), int(b.Precision)-int(b.Scale))
	if whole+scale > types.MaxDecimalPrecision {
		scale = types.MaxDecimalPrecision - whole
	}
	return types.DecimalOf(whole+scale, scale)
}

func isDatetime(t types.Type) bool { return t.Kind == types.Date || t.IsTimestamp() }

// isMoment reports whether values of t have a distance in time.
func isMoment(t types.Type) bool { return isDatetime(t) || t.Kind == types.Time }

func isBytes(t types.Type) bool {
	return t.Kind == types.Binary || t.Kind == types.Fixed || t.Kind == types.UUID
}

func commonDatetime(a, b types.Type) types.Type {
	switch {
	case a.Kind == types.Moment && b.Kind == types.Moment:
		a.Precision = max(a.Precision, b.Precision)
		if a.Scale != b.Scale {
			a.Scale = uint8(min(a.Undecided(), b.Undecided()))
		}
		return a
	case a.Kind == types.Moment:
		return besideMoment(b, a)
	case b.Kind == types.Moment:
		return besideMoment(a, b)
	}
	if a.Kind == types.Date {
		return b
	}
	if b.Kind == types.Date {
		return a
	}
	instant := isInstant(a) || isInstant(b)
	nanos := isNanos(a) || isNanos(b)
	switch {
	case instant && nanos:
		return types.Of(types.TimestampNS)
	case instant:
		return types.Of(types.Timestamp)
	case nanos:
		return types.Of(types.TimestampNTZNS)
	}
	return types.Of(types.TimestampNTZ)
}

// besideMoment is the type that a Moment takes beside a date or a timestamp:
// that one, and a clock with a time of day beside a DATE.
func besideMoment(t, moment types.Type) types.Type {
	switch {
	case t.Kind != types.Date || moment.Precision == 0:
		return t
	case moment.Scale != 0:
		return types.Of(moment.Undecided())
	}
	return types.Of(types.TimestampNTZ)
}

// isInstant reports whether t has no clock of its own; a Moment of which nobody
// asked for the clock has none.
func isInstant(t types.Type) bool {
	return t.Kind == types.Timestamp || t.Kind == types.TimestampNS || t.Kind == types.Moment && t.Undecided() == types.Timestamp
}

func isNanos(t types.Type) bool {
	return t.Kind == types.TimestampNS || t.Kind == types.TimestampNTZNS
}

// commonNested widens the parts of two nested types; fields of structs are
// paired by position and named as in the first.
func commonNested(a, b types.Type, widen widening) (types.Type, bool) {
	if a.Kind != b.Kind || len(a.Fields) != len(b.Fields) {
		return types.Type{}, false
	}
	switch a.Kind {
	case types.Array:
		elem, ok := widen(a.Elem.Type, b.Elem.Type)
		return types.ArrayOf(elem, a.Elem.Nullable || b.Elem.Nullable), ok
	case types.Map:
		key, okKey := widen(a.Key.Type, b.Key.Type)
		value, ok := widen(a.Elem.Type, b.Elem.Type)
		return types.MapOf(key, value, a.Elem.Nullable || b.Elem.Nullable), ok && okKey
	}
	fields := make([]types.Field, len(a.Fields))
	for i, f := range a.Fields {
		t, ok := widen(plain(f.Type), plain(b.Fields[i].Type))
		if !ok {
			return types.Type{}, false
		}
		fields[i] = types.Field{Name: f.Name, Type: t, Nullable: f.Nullable || b.Fields[i].Nullable}
	}
	return types.StructOf(fields...), true
}

// nestedByName is commonNested for structs whose fields have the same names.
func nestedByName(a, b types.Type, widen widening) (types.Type, bool) {
	t, ok := commonNested(a, b, widen)
	for i := range t.Fields {
		ok = ok && strings.EqualFold(a.Fields[i].Name, b.Fields[i].Name)
	}
	return t, ok
}

// coerceAll casts all expressions to their CommonType.
func coerceAll(what string, args []expr.Expr) ([]expr.Expr, types.Type, error) {
	return coerce(what, args, commonByName)
}

// coerceByPosition casts all expressions to their CommonTypeByPosition.
func coerceByPosition(what string, args []expr.Expr) ([]expr.Expr, types.Type, error) {
	return coerce(what, args, commonByPosition)
}

func coerce(what string, args []expr.Expr, widen widening) ([]expr.Expr, types.Type, error) {
	ts := make([]types.Type, len(args))
	for i, a := range args {
		ts[i] = a.Type()
	}
	t, ok := widenAll(widen, ts)
	if !ok {
		return nil, t, mismatch("%s takes values of one type, not %s; add a CAST", what, typeList(args))
	}
	out := make([]expr.Expr, len(args))
	for i, a := range args {
		out[i] = castTo(a, plain(t))
	}
	return out, plain(t), nil
}

func typeList(args []expr.Expr) string {
	s := ""
	for i, a := range args {
		if i > 0 {
			s += ", "
		}
		s += a.Type().String()
	}
	return s
}

// Coerce converts e for storing it in a column of type to, by the rules of
// Spark's ANSI store assignment: between numbers, between dates and
// timestamps, to STRING. A string literal, in a nested one too, is taken for any
// type it can be read as, because that is how programs pass exact decimals and
// dates.
func Coerce(e expr.Expr, to types.Type) (expr.Expr, error) {
	from := e.Type()
	if sameValues(from, to) {
		return e, nil
	}
	if assignable(from, to, false) {
		return castTo(e, to), nil
	}
	l, ok := e.(*expr.Literal)
	if !ok || !assignable(from, to, true) {
		return nil, mismatch("%s can't be stored as %s without an explicit CAST: %s", from, to, e)
	}
	cast := &expr.Cast{Arg: l, T: to}
	if _, err := EvalConstant(cast, &Env{}); err != nil {
		return nil, mismatch("%s can't be stored as %s: it can't be read as one", printValue(from, l.Value), to)
	}
	return cast, nil
}

// assignable is the table of store assignments; literal adds what strings can
// be read as. A NULL in a field that takes none is left to the run time, where
// it is an error of the row.
func assignable(from, to types.Type, literal bool) bool {
	switch {
	case literal && from.Kind == types.String && castAllowed(from, to):
		return true
	case from.Kind == types.Void, sameValues(from, to):
		return true
	case from.IsNumeric() && to.IsNumeric(), isDatetime(from) && isDatetime(to), isBytes(from) && isBytes(to):
		return true
	case to.Kind == types.String:
		return !from.IsNested() && from.Kind != types.Variant
	case from.Kind == types.Array && to.Kind == types.Array:
		return assignable(from.Elem.Type, to.Elem.Type, literal)
	case from.Kind == types.Map && to.Kind == types.Map:
		return assignable(from.Key.Type, to.Key.Type, literal) && assignable(from.Elem.Type, to.Elem.Type, literal)
	case from.Kind == types.Struct && to.Kind == types.Struct:
		if len(from.Fields) != len(to.Fields) {
			return false
		}
		for i := range from.Fields {
			if !assignable(from.Fields[i].Type, to.Fields[i].Type, literal) {
				return false
			}
		}
		return true
	}
	return false
}

// NewCast makes an explicit CAST, or TRY_CAST, if the types allow one. As in
// Spark a cast to CHAR or VARCHAR is one to STRING: only storing checks lengths.
func NewCast(e expr.Expr, to types.Type, try bool) (expr.Expr, error) {
	from := e.Type()
	to = plain(to)
	if sameValues(from, to) {
		return e, nil
	}
	if !castAllowed(from, to) {
		return nil, mismatch("%s can't be cast to %s: %s", from, to, e)
	}
	if l, ok := e.(*expr.Literal); ok && l.Value == nil {
		return expr.Null(to), nil
	}
	return &expr.Cast{Arg: e, T: to, Try: try}, nil
}

// castAllowed is the table of explicit casts of Spark's ANSI mode.
func castAllowed(from, to types.Type) bool {
	switch {
	case from.Kind == types.Void, sameValues(from, to):
		return true
	case from.Kind == types.Variant || to.Kind == types.Variant:
		return castVariantAllowed(from, to)
	case from.Kind == types.IntervalKind || to.Kind == types.IntervalKind:
		return intervalCastAllowed(from, to)
	case to.Kind == types.String:
		return true
	case from.IsNested() || to.IsNested():
		return castNestedAllowed(from, to)
	case from.Kind == types.String:
		return true
	case to.Kind == types.Boolean:
		return from.IsNumeric()
	case from.Kind == types.Boolean:
		return to.IsNumeric()
	case from.IsNumeric():
		return to.IsNumeric() || to.IsTimestamp() && isInstant(to)
	case isDatetime(from):
		return isDatetime(to) || to.IsNumeric() && isInstant(from) || to.Kind == types.Time && from.IsTimestamp()
	case isBytes(from):
		return isBytes(to)
	}
	return false
}

func castNestedAllowed(from, to types.Type) bool {
	if from.Kind != to.Kind {
		return false
	}
	switch from.Kind {
	case types.Array:
		return castAllowed(from.Elem.Type, to.Elem.Type)
	case types.Map:
		return castAllowed(from.Key.Type, to.Key.Type) && castAllowed(from.Elem.Type, to.Elem.Type)
	}
	if len(from.Fields) != len(to.Fields) {
		return false
	}
	for i := range from.Fields {
		if !castAllowed(from.Fields[i].Type, to.Fields[i].Type) {
			return false
		}
	}
	return true
}
