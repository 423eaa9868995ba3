package driver

import (
	"database/sql/driver"
	"fmt"
	"math"
	"math/big"
	"reflect"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
)

// decomposer is met by the decimal types of several packages; the form of the
// parts is that of database/sql/driver.
type decomposer interface {
	Decompose(buf []byte) (form byte, negative bool, coefficient []byte, exponent int32)
}

// checkValue brings an argument into a form that literalOf knows: pointers and
// Valuers are followed, and the rest is left to database/sql's rules.
func checkValue(v *driver.NamedValue) error {
	value, err := plainValue(v.Value)
	v.Value = value
	return wrapError(err)
}

// plainValue is what literalOf takes for v, or ErrParameter.
func plainValue(v any) (any, error) {
	plain, err := followed(v)
	if err != nil {
		return plain, fmt.Errorf("%w: %w", ErrParameter, err)
	}
	return plain, nil
}

// followed follows pointers and Valuers to a value.
func followed(v any) (any, error) {
	pointer := reflect.ValueOf(v)
	if pointer.Kind() == reflect.Pointer && pointer.IsNil() {
		return nil, nil
	}
	switch x := v.(type) {
	case nil, bool, int64, float64, string, []byte, time.Time: // what most values are
		return v, nil
	case *big.Rat, *big.Int, Time, List, Map, Struct, decomposer:
		return v, nil
	case uint64:
		if x > math.MaxInt64 {
			return new(big.Int).SetUint64(x), nil
		}
	case driver.Valuer:
		inner, err := x.Value()
		if err != nil {
			return nil, err
		}
		if _, again := inner.(driver.Valuer); again {
			return nil, fmt.Errorf("the Value method of %T gives a Valuer again", v)
		}
		return followed(inner)
	}
	if pointer.Kind() == reflect.Pointer {
		return followed(pointer.Elem().Interface())
	}
	if use := wrapperOf(pointer.Type()); use != "" {
		return nil, fmt.Errorf("a %T is no SQL value; pass it as a %s", v, use)
	}
	return driver.DefaultParameterConverter.ConvertValue(v)
}

// wrapperOf names the type of this package that stands for values of a Go type
// which database/sql has no rule for.
func wrapperOf(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Slice, reflect.Array:
		switch {
		case t.Elem().Kind() != reflect.Uint8:
			return "driver.List"
		case t.Kind() == reflect.Array:
			return "[]byte"
		}
	case reflect.Map:
		return "driver.Map"
	case reflect.Struct:
		return "driver.Struct, or give the type the method Value of driver.Valuer"
	}
	return ""
}

// literalOf gives a value of plainValue its SQL type.
func literalOf(v any) (*expr.Literal, error) {
	of := func(k types.Kind, v any) (*expr.Literal, error) { return &expr.Literal{T: types.Of(k), Value: v}, nil }
	switch x := v.(type) {
	case nil:
		return of(types.Void, nil)
	case bool:
		return of(types.Boolean, x)
	case int64:
		return of(types.BigInt, x)
	case float64:
		return of(types.Double, x)
	case string:
		if !utf8.ValidString(x) {
			return nil, eval.NotUTF8(x)
		}
		return of(types.String, x)
	case []byte:
		if x == nil {
			return of(types.Void, nil)
		}
		return of(types.Binary, append([]byte{}, x...))
	case time.Time:
		if _, ok := types.MomentAs(x, types.Timestamp); !ok {
			return nil, fmt.Errorf("%w: no TIMESTAMP is as far off as %s", ErrInvalidValue, x)
		}
		return &expr.Literal{T: types.MomentOf(x), Value: types.EncodeMoment(x)}, nil
	case Time:
		us := time.Duration(x).Microseconds()
		if us < 0 || us >= types.MicrosPerDay {
			return nil, fmt.Errorf("%w: %s is no time of a day", ErrInvalidValue, time.Duration(x))
		}
		return of(types.Time, us)
	case *big.Int:
		return decimalLiteral(x.String())
	case *big.Rat:
		return decimalLiteral(ratText(x))
	case decomposer:
		return decomposedLiteral(x)
	}
	return nestedLiteral(v)
}

// nestedLiteral gives a list, a map or a struct the type that its elements
// have in common. A nil one is NULL.
func nestedLiteral(v any) (*expr.Literal, error) {
	var function string
	var args []expr.Expr
	var err error
	switch x := v.(type) {
	case List:
		function = "array"
		args, err = elementLiterals(function, x)
	case Map:
		function = "map"
		args, err = entryLiterals(x)
	case Struct:
		function = "named_struct"
		args, err = fieldLiterals(x)
	default:
		return nil, fmt.Errorf("%w: a value of type %T has no SQL type", ErrTypeMismatch, v)
	}
	if err != nil || reflect.ValueOf(v).IsNil() {
		return &expr.Literal{T: types.Of(types.Void)}, err
	}
	call, err := eval.Resolve(function, args)
	if err != nil {
		return nil, err
	}
	value, err := eval.EvalConstant(call, &eval.Env{})
	return &expr.Literal{T: call.Type(), Value: value}, err
}

// elementLiterals refuses elements that only a conversion would bring to one
// type.
func elementLiterals(what string, elements []any) ([]expr.Expr, error) {
	out := make([]expr.Expr, len(elements))
	first := types.Of(types.Void)
	for i, v := range elements {
		v, err := plainValue(v)
		if err != nil {
			return nil, err
		}
		l, err := literalOf(v)
		if err != nil {
			return nil, err
		}
		switch {
		case first.Kind == types.Void:
			first = l.T
		case l.T.Kind != first.Kind && l.T.Kind != types.Void:
			return nil, fmt.Errorf("%w: the elements of one %s are %s and %s", ErrTypeMismatch, what, first, l.T)
		}
		out[i] = l
	}
	return out, nil
}

func entryLiterals(m Map) ([]expr.Expr, error) {
	keys, values := make([]any, len(m)), make([]any, len(m))
	for i, e := range m {
		keys[i], values[i] = e.Key, e.Value
	}
	k, err := elementLiterals("map", keys)
	if err != nil {
		return nil, err
	}
	v, err := elementLiterals("map", values)
	out := make([]expr.Expr, 0, 2*len(m))
	for i := range v {
		out = append(out, k[i], v[i])
	}
	return out, err
}

func fieldLiterals(s Struct) ([]expr.Expr, error) {
	var out []expr.Expr
	for _, f := range s {
		v, err := elementLiterals("struct", []any{f.Value})
		if err != nil {
			return nil, err
		}
		out = append(out, expr.Str(f.Name), v[0])
	}
	return out, nil
}

// ratText writes a fraction out with as many digits as it needs, rounded to
// those that a DECIMAL has.
func ratText(r *big.Rat) string {
	digits, exact := r.FloatPrec()
	room := types.MaxDecimalPrecision
	if whole := new(big.Int).Quo(r.Num(), r.Denom()); whole.Sign() != 0 {
		room -= len(whole.Abs(whole).String())
	}
	if !exact || digits > room {
		digits = max(room, 0)
	}
	return r.FloatString(digits)
}

func decimalLiteral(text string) (*expr.Literal, error) {
	out, ok := expr.DecimalLiteral(text)
	if !ok {
		return nil, fmt.Errorf("%w: %s has more than %d digits", ErrInvalidValue, text, types.MaxDecimalPrecision)
	}
	return out, nil
}

func decomposedLiteral(d decomposer) (*expr.Literal, error) {
	form, negative, coefficient, exponent := d.Decompose(nil)
	if form != 0 {
		return nil, fmt.Errorf("%w: a DECIMAL is neither infinite nor NaN", ErrInvalidValue)
	}
	if exponent > types.MaxDecimalPrecision || exponent < -types.MaxDecimalPrecision {
		return nil, fmt.Errorf("%w: a decimal with the exponent %d", ErrInvalidValue, exponent)
	}
	text := fmt.Sprintf("%se%d", new(big.Int).SetBytes(coefficient), exponent)
	if negative {
		text = "-" + text
	}
	return decimalLiteral(text)
}

// Time is a time of day: the value of a TIME column as the time since
// midnight.
type Time time.Duration

// Scan implements sql.Scanner.
func (t *Time) Scan(src any) error {
	text, ok := src.(string)
	us, isTime := types.ParseTimeOfDay(text)
	if !ok || !isTime {
		return wrapError(fmt.Errorf("%w: %v (%T) is no TIME", ErrTypeMismatch, src, src))
	}
	*t = Time(time.Duration(us) * time.Microsecond)
	return nil
}

// String prints the time as 15:04:05, with a fraction if there is one.
func (t Time) String() string {
	return types.FormatTimeOfDay(time.Duration(t).Microseconds())
}

// Scan implements sql.Scanner; NULL gives nil.
func (l *List) Scan(src any) error { return scanSame(l, src) }

// Scan implements sql.Scanner; NULL gives nil.
func (m *Map) Scan(src any) error { return scanSame(m, src) }

// Scan implements sql.Scanner; NULL gives nil.
func (s *Struct) Scan(src any) error { return scanSame(s, src) }

// scanSame takes a value of the same type, and the zero value for NULL.
func scanSame[T List | Map | Struct | Variant](dest *T, src any) error {
	v, ok := src.(T)
	if !ok && src != nil {
		return wrapError(fmt.Errorf("%w: a %T is no %s", ErrTypeMismatch, src, strings.TrimPrefix(fmt.Sprintf("%T", *dest), "driver.")))
	}
	*dest = v
	return nil
}
