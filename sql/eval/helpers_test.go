package eval

import (
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

var (
	tBool      = types.Of(types.Boolean)
	tInt       = types.Of(types.Int)
	tBigInt    = types.Of(types.BigInt)
	tDouble    = types.Of(types.Double)
	tString    = types.Of(types.String)
	tDate      = types.Of(types.Date)
	tTimestamp = types.Of(types.Timestamp)
	tBinary    = types.Of(types.Binary)
)

var testEnv = &Env{Now: time.Date(2024, 5, 6, 7, 8, 9, 123456000, time.UTC)}

// lit makes a literal; Go ints are BIGINT, strings with a type are cast to it.
func lit(t types.Type, v any) expr.Expr {
	switch x := v.(type) {
	case int:
		v = int64(x)
	case string:
		if t.Kind != types.String && t.Kind != types.Binary {
			value, err := EvalConstant(&expr.Cast{Arg: expr.Str(x), T: t}, testEnv)
			if err != nil {
				panic(err)
			}
			v = value
		}
		if t.Kind == types.Binary {
			v = []byte(x)
		}
	}
	return &expr.Literal{T: t, Value: v}
}

func col(i int, t types.Type) expr.Expr {
	return &expr.Column{Index: i, Name: string(rune('a' + i)), T: t, MayBeNull: true}
}

func must(e expr.Expr, err error) expr.Expr {
	if err != nil {
		panic(err)
	}
	return e
}

func call(name string, args ...expr.Expr) expr.Expr { return must(Resolve(name, args)) }

func dec(text string, precision, scale int) expr.Expr {
	d, ok := types.ParseDecimalAs(text, precision, scale)
	if !ok {
		panic(text)
	}
	return &expr.Literal{T: types.DecimalOf(precision, scale), Value: d}
}

// text evaluates e and prints its value as CAST AS STRING does; NULL for NULL
// and the error's text for an error.
func text(t *testing.T, e expr.Expr) string {
	t.Helper()
	v, err := EvalConstant(&expr.Cast{Arg: e, T: tString}, testEnv)
	if err != nil {
		if !errors.Is(err, ErrInvalidPattern) {
			require.ErrorIs(t, err, ErrInvalidValue)
		}
		return "error"
	}
	if v == nil {
		return "NULL"
	}
	return v.(string)
}

func vec(t types.Type, values ...any) *vector.Vector {
	b := vector.NewBuilder(t, len(values))
	for _, v := range values {
		if x, ok := v.(int); ok {
			v = int64(x)
		}
		if x, ok := v.(int64); ok && t.Kind == types.Decimal {
			v = types.Decimal128FromInt64(x)
		}
		b.AppendValue(v)
	}
	return b.Vector()
}

func compile(t *testing.T, e expr.Expr) *Program {
	t.Helper()
	p, err := Compile(e, testEnv)
	require.NoError(t, err)
	return p
}

func values(v *vector.Vector) []any {
	out := make([]any, v.Len)
	for i := range out {
		out[i] = v.Value(i)
	}
	return out
}
