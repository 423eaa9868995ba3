package eval

import (
	"math"
	"strings"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
)

// castFunctions are the types' names used as functions, and other functions
// that are written as something else.
func castFunctions() []*Function {
	var out []*Function
	for _, t := range []types.Type{types.Of(types.Boolean), types.Of(types.TinyInt), types.Of(types.SmallInt), types.Of(types.Int), types.Of(types.BigInt),
		types.Of(types.Float), types.Of(types.Double), types.DecimalOf(10, 0), types.Of(types.String), types.Of(types.Binary), types.Of(types.Timestamp)} {
		name := strings.ToLower(t.Kind.String())
		out = append(out, special(name, "(ANY) "+t.String(), "CAST to "+t.String(), func(_ string, args []expr.Expr) (expr.Expr, error) {
			if err := wantArgs(name, args, 1, 1); err != nil {
				return nil, err
			}
			return NewCast(args[0], t, false)
		}, nil))
	}
	return append(out,
		special("equal_null", "(T, T) BOOLEAN", "equality that takes two NULLs as equal", func(_ string, args []expr.Expr) (expr.Expr, error) {
			return Resolve(expr.OpNullSafe, args)
		}, nil).asLenient(),
		special("zeroifnull", "(T) T", "the number, or 0 where it is NULL", func(name string, args []expr.Expr) (expr.Expr, error) {
			if err := wantArgs(name, args, 1, 1); err != nil {
				return nil, err
			}
			return Resolve("coalesce", []expr.Expr{args[0], &expr.Literal{T: types.Of(types.Int), Value: int64(0)}})
		}, nil).asLenient(),
		special("nullifzero", "(T) T", "the number, or NULL where it is 0", func(name string, args []expr.Expr) (expr.Expr, error) {
			if err := wantArgs(name, args, 1, 1); err != nil {
				return nil, err
			}
			return Resolve("nullif", []expr.Expr{args[0], &expr.Literal{T: types.Of(types.Int), Value: int64(0)}})
		}, nil).asLenient(),
		function("hypot", "the length of the vector of both arguments", over("DOUBLE, DOUBLE", "DOUBLE", func(f *frame, i int) error {
			f.out.Float64s[i] = math.Hypot(f.float(0, i), f.float(1, i))
			return nil
		})),
		function("factorial", "the product of the whole numbers up to the argument, which is from 0 to 20; else NULL", orNull(over("INT", "BIGINT", func(f *frame, i int) error {
			n, product := f.int(0, i), int64(1)
			if n < 0 || n > 20 {
				f.setNull(i)
			}
			for ; n > 1 && n <= 20; n-- {
				product *= n
			}
			f.out.Int64s[i] = product
			return nil
		}))),
	)
}
