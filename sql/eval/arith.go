package eval

import (
	"math"
	"math/bits"
	"strings"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// An arithmetic kernel has a dense loop over typed slices, which computes all
// rows whether they count or not and only notes whether any of them failed,
// and a function for one row, which serves sparse selections and finds the row
// that failed among those that count.

// denseLoop computes dst[i] from a[i] and b[i]; failed says that some row has
// no result.
type denseLoop[A, B, R any] func(dst []R, a []A, b []B) (failed bool)

// oneRow computes one value.
type oneRow[A, B, R any] func(a A, b B) (R, error)

// sparseFraction: selections of fewer than one row in so many are computed row
// by row.
const sparseFraction = 3

// binaryKernel makes a kernel of both. The slices are taken from flat
// arguments (see callNode.repeat).
func binaryKernel[A, B, R any](as func(*vector.Vector) []A, bs func(*vector.Vector) []B, rs func(*vector.Vector) []R, dense denseLoop[A, B, R], one oneRow[A, B, R]) kernel {
	return func(f *frame) error {
		a, b, r := as(f.args[0]), bs(f.args[1]), rs(f.out)
		n := f.n
		if dense != nil && (f.sel == nil || len(f.sel)*sparseFraction >= n) && !dense(r[:n], a[:n], b[:n]) {
			return nil
		}
		valid := f.out.Valid
		for k := range rowsOf(f.sel, n) {
			i := rowAt(f.sel, k)
			if !valid.Valid(i) {
				continue
			}
			x, err := one(a[i], b[i])
			if err != nil {
				if !f.try {
					return err
				}
				f.setNull(i)
				valid = f.out.Valid
				continue
			}
			r[i] = x
		}
		return nil
	}
}

// compileArithmetic chooses the kernel of + - * / % div by the operands' types.
func (c *compiler) compileArithmetic(e *expr.Call) (node, error) {
	if k, ok := temporalKernel(e); ok {
		return c.newBinary(e, e.Args, rowKernel(k))
	}
	l := e.Args[0].Type()
	switch {
	case l.Kind == types.Decimal:
		return c.compileDecimal(e)
	case l.IsInteger() && e.Name == expr.OpIntDivide:
		return c.newBinary(e, e.Args, rowKernel(rowIntDivide))
	case l.IsInteger():
		return c.compileRepeated(e, e.Args, integerKernel(e.Name, e.T))
	case l.Kind == types.Float:
		return c.compileRepeated(e, e.Args, floatKernel(e.Name, float32sOf))
	case l.Kind == types.Double:
		return c.compileRepeated(e, e.Args, floatKernel(e.Name, float64sOf))
	}
	return nil, mismatch("no %s of %s", e.Name, typeList(e.Args))
}

func (c *compiler) newBinary(e *expr.Call, args []expr.Expr, k kernel) (*callNode, error) {
	nodes, err := c.compileAll(args)
	if err != nil {
		return nil, err
	}
	n := newCall(c, "", e.T, nodes, true, k)
	n.f.try = isTry(e.Name)
	return n, nil
}

func (c *compiler) compileRepeated(e *expr.Call, args []expr.Expr, k kernel) (node, error) {
	n, err := c.newBinary(e, args, k)
	if err != nil {
		return nil, err
	}
	n.repeat = true
	return n, nil
}

// isTry reports whether a function gives NULL in the place of an error.
func isTry(name string) bool { return strings.HasPrefix(name, "try_") }

// baseOperator strips the try_ of try_add and its like.
func baseOperator(name string) string {
	switch name {
	case "try_add":
		return expr.OpAdd
	case "try_subtract":
		return expr.OpSubtract
	case "try_multiply":
		return expr.OpMultiply
	case "try_divide":
		return expr.OpDivide
	case "try_mod":
		return expr.OpModulo
	}
	return name
}

func integerKernel(op string, t types.Type) kernel {
	op = baseOperator(op)
	if t.Physical() == types.PhysInt64 {
		return int64Kernel(op)
	}
	lo, hi := t.IntegerRange()
	one := int32Row(op, t)
	switch op {
	case expr.OpAdd:
		return binaryKernel(int32sOf, int32sOf, int32sOf, func(dst, a, b []int32) bool { return addInt32(dst, a, b, lo, hi) }, one)
	case expr.OpSubtract:
		return binaryKernel(int32sOf, int32sOf, int32sOf, func(dst, a, b []int32) bool { return subInt32(dst, a, b, lo, hi) }, one)
	case expr.OpMultiply:
		return binaryKernel(int32sOf, int32sOf, int32sOf, func(dst, a, b []int32) bool { return mulInt32(dst, a, b, lo, hi) }, one)
	}
	return binaryKernel[int32, int32, int32](int32sOf, int32sOf, int32sOf, nil, one)
}

func int64Kernel(op string) kernel {
	one := func(a, b int64) (int64, error) { return int64Op(op, a, b) }
	switch op {
	case expr.OpAdd:
		return binaryKernel(int64sOf, int64sOf, int64sOf, addInt64, one)
	case expr.OpSubtract:
		return binaryKernel(int64sOf, int64sOf, int64sOf, subInt64, one)
	case expr.OpMultiply:
		return binaryKernel(int64sOf, int64sOf, int64sOf, mulInt64, one)
	}
	return binaryKernel[int64, int64, int64](int64sOf, int64sOf, int64sOf, nil, one)
}

func int32Row(op string, t types.Type) oneRow[int32, int32, int32] {
	lo, hi := t.IntegerRange()
	return func(a, b int32) (int32, error) {
		r, err := int64Op(op, int64(a), int64(b))
		if err == nil && (r < lo || r > hi) {
			err = invalid("%d %s %d overflows %s; cast an operand to a wider type", a, op, b, t)
		}
		return int32(r), err
	}
}

func int64Op(op string, a, b int64) (r int64, err error) {
	fits := true
	switch op {
	case expr.OpAdd:
		r = a + b
		fits = (a^r)&(b^r) >= 0
	case expr.OpSubtract:
		r = a - b
		fits = (a^b)&(a^r) >= 0
	case expr.OpMultiply:
		hi, lo := mul64(a, b)
		r = int64(lo)
		fits = hi == r>>63
	default:
		if b == 0 {
			return 0, errDivideByZero
		}
		if b == -1 { // the remainder of the smallest number by it would trap
			return 0, nil
		}
		r = a % b
	}
	if !fits {
		return 0, invalid("%d %s %d overflows BIGINT; cast an operand to DECIMAL", a, op, b)
	}
	return r, nil
}

// mul64 is the signed 128-bit product.
func mul64(a, b int64) (hi int64, lo uint64) {
	h, lo := bits.Mul64(uint64(a), uint64(b))
	return int64(h) - (a>>63)&b - (b>>63)&a, lo
}

func addInt64(dst, a, b []int64) bool {
	a, b = a[:len(dst)], b[:len(dst)]
	var over int64
	for i := range dst {
		x, y := a[i], b[i]
		s := x + y
		over |= (x ^ s) & (y ^ s)
		dst[i] = s
	}
	return over < 0
}

func subInt64(dst, a, b []int64) bool {
	a, b = a[:len(dst)], b[:len(dst)]
	var over int64
	for i := range dst {
		x, y := a[i], b[i]
		s := x - y
		over |= (x ^ y) & (x ^ s)
		dst[i] = s
	}
	return over < 0
}

func mulInt64(dst, a, b []int64) bool {
	a, b = a[:len(dst)], b[:len(dst)]
	var over int64
	for i := range dst {
		hi, lo := mul64(a[i], b[i])
		over |= hi ^ int64(lo)>>63
		dst[i] = int64(lo)
	}
	return over != 0
}

func addInt32(dst, a, b []int32, lo, hi int64) bool {
	a, b = a[:len(dst)], b[:len(dst)]
	var over int64
	for i := range dst {
		s := int64(a[i]) + int64(b[i])
		over |= (s - lo) | (hi - s)
		dst[i] = int32(s)
	}
	return over < 0
}

func subInt32(dst, a, b []int32, lo, hi int64) bool {
	a, b = a[:len(dst)], b[:len(dst)]
	var over int64
	for i := range dst {
		s := int64(a[i]) - int64(b[i])
		over |= (s - lo) | (hi - s)
		dst[i] = int32(s)
	}
	return over < 0
}

func mulInt32(dst, a, b []int32, lo, hi int64) bool {
	a, b = a[:len(dst)], b[:len(dst)]
	var over int64
	for i := range dst {
		s := int64(a[i]) * int64(b[i])
		over |= (s - lo) | (hi - s)
		dst[i] = int32(s)
	}
	return over < 0
}

func rowIntDivide(f *frame, i int) error {
	a, b := f.int(0, i), f.int(1, i)
	if b == 0 {
		return errDivideByZero
	}
	if b == -1 && a == math.MinInt64 {
		return overflow(f.out.Type, "div")
	}
	f.out.Int64s[i] = a / b
	return nil
}

func floatKernel[T float32 | float64](op string, slice func(*vector.Vector) []T) kernel {
	op = baseOperator(op)
	one := func(a, b T) (T, error) { return floatOp(op, a, b) }
	var dense denseLoop[T, T, T]
	switch op {
	case expr.OpAdd:
		dense = addFloat[T]
	case expr.OpSubtract:
		dense = subFloat[T]
	case expr.OpMultiply:
		dense = mulFloat[T]
	case expr.OpDivide:
		dense = divFloat[T]
	}
	return binaryKernel(slice, slice, slice, dense, one)
}

func floatOp[T float32 | float64](op string, a, b T) (T, error) {
	switch op {
	case expr.OpAdd:
		return a + b, nil
	case expr.OpSubtract:
		return a - b, nil
	case expr.OpMultiply:
		return a * b, nil
	}
	if b == 0 {
		return 0, errDivideByZero
	}
	if op == expr.OpDivide {
		return a / b, nil
	}
	return T(math.Mod(float64(a), float64(b))), nil
}

func addFloat[T float32 | float64](dst, a, b []T) bool {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] + b[i]
	}
	return false
}

func subFloat[T float32 | float64](dst, a, b []T) bool {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] - b[i]
	}
	return false
}

func mulFloat[T float32 | float64](dst, a, b []T) bool {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = a[i] * b[i]
	}
	return false
}

func divFloat[T float32 | float64](dst, a, b []T) bool {
	a, b = a[:len(dst)], b[:len(dst)]
	zero := 0
	for i := range dst {
		zero |= truth(b[i] == 0)
		dst[i] = a[i] / b[i]
	}
	return zero != 0
}

// rowNegate changes the sign of a number or an interval.
func rowNegate(f *frame, i int) error {
	t := f.out.Type
	switch {
	case t.Kind == types.IntervalKind:
		return rowNegateInterval(f, i)
	case t.Kind == types.Decimal:
		return f.setNegated(i, f.decimal(0, i))
	case t.IsInteger():
		x := f.int(0, i)
		if lo, _ := t.IntegerRange(); x == lo {
			return overflow(t, "-("+printValue(t, x)+")")
		}
		f.setInt(i, -x)
	default:
		f.setFloat(i, -f.float(0, i))
	}
	return nil
}
