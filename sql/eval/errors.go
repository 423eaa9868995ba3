package eval

import (
	"errors"
	"fmt"
	"strings"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
)

// The states that a caller tests for with errors.Is.
var (
	// ErrFunctionNotFound says that no function has the name.
	ErrFunctionNotFound = errors.New("function not found")
	// ErrTypeMismatch says that an expression's types do not fit together.
	ErrTypeMismatch = errors.New("type mismatch")
	// ErrInvalidValue says that a value has no result: a failed cast, an
	// overflow, a division by zero.
	ErrInvalidValue = errors.New("invalid value")
	// ErrInvalidPattern says that a LIKE pattern has an escape character before
	// what needs none.
	ErrInvalidPattern = errors.New("invalid pattern")
	// ErrDuplicateKey is the ErrInvalidValue of a map with a key twice.
	ErrDuplicateKey = fmt.Errorf("%w: duplicate key", ErrInvalidValue)
	// ErrLimitExceeded is the ErrInvalidValue of a result with no room.
	ErrLimitExceeded = fmt.Errorf("%w: limit exceeded", ErrInvalidValue)
)

// UnknownFunction names a function that is not in the table and the known name
// that is nearest to it, or none. It wraps ErrFunctionNotFound.
type UnknownFunction struct {
	Name    string
	Nearest string
}

// Error implements error.
func (e *UnknownFunction) Error() string {
	s := fmt.Sprintf("%s: %s", ErrFunctionNotFound, e.Name)
	if e.Nearest != "" {
		s += "; did you mean " + e.Nearest + "?"
	}
	return s
}

// Unwrap gives the sentinel.
func (e *UnknownFunction) Unwrap() error { return ErrFunctionNotFound }

func mismatch(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrTypeMismatch, fmt.Sprintf(format, args...))
}

func invalid(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrInvalidValue, fmt.Sprintf(format, args...))
}

// castError is a value that a cast has no result for.
type castError struct {
	value    string
	from, to types.Type
}

// Error implements error.
func (e *castError) Error() string {
	why := fmt.Sprintf("of type %s can't be cast to", e.from)
	if e.from.IsNumeric() && e.to.IsNumeric() {
		why = "does not fit"
	}
	return fmt.Sprintf("%s: %s %s %s; use TRY_CAST to get NULL instead", ErrInvalidValue, e.value, why, e.to)
}

// Unwrap gives the sentinel.
func (e *castError) Unwrap() error { return ErrInvalidValue }

func invalidCast(value any, from, to types.Type) error {
	return &castError{printValue(from, value), from, to}
}

// FailedCast gives the types of the cast that an error is about.
func FailedCast(err error) (from, to types.Type, ok bool) {
	var e *castError
	if !errors.As(err, &e) {
		return from, to, false
	}
	return e.from, e.to, true
}

// NotUTF8 is the error about a text that a program or the log can't pass on as
// a STRING.
func NotUTF8(s string) error {
	return invalid("the text %q is not UTF-8; BINARY holds any bytes", s)
}

func overflow(t types.Type, operation string) error {
	return invalid("%s overflows %s; cast an operand to a wider type", operation, t)
}

var errDivideByZero = fmt.Errorf("%w: division by zero; use NULLIF(divisor, 0) to get NULL instead", ErrInvalidValue)

// errNoRemainder is the error of try_mod too, as it is in Spark.
var errNoRemainder = fmt.Errorf("%w: there is no remainder where the quotient has more than %d digits; round the operands", ErrInvalidValue, types.MaxDecimalPrecision)

// printValue prints a value for an error message, shortened.
func printValue(t types.Type, value any) string {
	s := expr.FormatLiteral(t, value)
	if len(s) > 80 {
		s = strings.ToValidUTF8(s[:77], "") + "…"
	}
	return s
}
