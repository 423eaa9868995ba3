package eval

import (
	"math/big"
	"math/bits"
	"strings"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
)

// decimalResult gives the type of a DECIMAL operation by Spark's rules: enough
// digits for every exact result, cut down to 38 where that is more.
func decimalResult(op string, a, b types.Type) types.Type {
	p1, s1, p2, s2 := int(a.Precision), int(a.Scale), int(b.Precision), int(b.Scale)
	switch op {
	case expr.OpAdd, expr.OpSubtract:
		scale := max(s1, s2)
		return adjustDecimal(max(p1-s1, p2-s2)+scale+1, scale)
	case expr.OpMultiply:
		return adjustDecimal(p1+p2+1, s1+s2)
	case expr.OpDivide:
		scale := max(6, s1+p2+1)
		return adjustDecimal(p1-s1+s2+scale, scale)
	}
	scale := max(s1, s2) // the remainder
	return adjustDecimal(min(p1-s1, p2-s2)+scale, scale)
}

// minAdjustedScale is the scale that whole digits can't take away.
const minAdjustedScale = 6

func adjustDecimal(precision, scale int) types.Type {
	if precision <= types.MaxDecimalPrecision {
		return types.DecimalOf(precision, scale)
	}
	whole := precision - scale
	kept := max(types.MaxDecimalPrecision-whole, min(scale, minAdjustedScale))
	return types.DecimalOf(types.MaxDecimalPrecision, kept)
}

// compileDecimal chooses the kernel of a DECIMAL operation.
func (c *compiler) compileDecimal(e *expr.Call) (node, error) {
	a, b := e.Args[0].Type(), e.Args[1].Type()
	op := baseOperator(e.Name)
	if op == expr.OpIntDivide {
		return c.newBinary(e, e.Args, rowKernel(rowDecimalIntDivide))
	}
	switch op {
	case expr.OpAdd, expr.OpSubtract:
		left, right := alignScale(e.Args[0], e.T), alignScale(e.Args[1], e.T)
		if int(e.T.Scale) == max(int(a.Scale), int(b.Scale)) && left != nil && right != nil {
			if left.Type().Physical() != right.Type().Physical() {
				left, right = widenDecimal(left), widenDecimal(right)
			}
			return c.compileRepeated(e, []expr.Expr{left, right}, decimalSumKernel(op, left.Type(), e.T))
		}
	case expr.OpMultiply:
		if int(e.T.Scale) == int(a.Scale)+int(b.Scale) {
			return c.compileRepeated(e, e.Args, decimalProductKernel(a, b, e.T))
		}
	}
	return c.newBinary(e, e.Args, rowKernel(decimalRow(op, a, b, e.T)))
}

// alignScale brings an operand of a sum to the scale of the result; nil if
// that takes more digits than a DECIMAL has.
func alignScale(e expr.Expr, to types.Type) expr.Expr {
	t := e.Type()
	if t.Scale == to.Scale {
		return e
	}
	precision := int(t.Precision) + int(to.Scale) - int(t.Scale)
	if precision > types.MaxDecimalPrecision || to.Scale < t.Scale {
		return nil
	}
	return castDecimal(e, types.DecimalOf(precision, int(to.Scale)))
}

// widenDecimal brings an operand to two words.
func widenDecimal(e expr.Expr) expr.Expr {
	t := e.Type()
	return castDecimal(e, types.DecimalOf(max(int(t.Precision), types.MaxDecimal64Precision+1), int(t.Scale)))
}

func castDecimal(e expr.Expr, wide types.Type) expr.Expr {
	t := e.Type()
	if t.Equal(wide) {
		return e
	}
	if l, ok := e.(*expr.Literal); ok && l.Value != nil {
		if d, ok := l.Value.(types.Decimal128).Rescale(int(t.Scale), int(wide.Scale)); ok {
			return &expr.Literal{T: wide, Value: d}
		}
	}
	return &expr.Cast{Arg: e, T: wide}
}

// decimalSumKernel adds operands of one scale and one width. Sums of one-word
// operands fit a word: each is below 10^18. Only a result of 38 digits can
// overflow.
func decimalSumKernel(op string, a, t types.Type) kernel {
	subtract := op == expr.OpSubtract
	if a.Physical() == types.PhysInt64 {
		return sum64Kernel(subtract, t)
	}
	one := func(x, y types.Decimal128) (types.Decimal128, error) {
		r, ok := x.Add(y)
		if subtract {
			r, ok = x.Sub(y)
		}
		if !ok || !r.FitsPrecision(int(t.Precision)) {
			return r, overflow(t, x.Format(int(t.Scale))+" "+op+" "+y.Format(int(t.Scale)))
		}
		return r, nil
	}
	if subtract {
		return binaryKernel(int128sOf, int128sOf, int128sOf, subInt128, one)
	}
	return binaryKernel(int128sOf, int128sOf, int128sOf, addInt128, one)
}

func sum64Kernel(subtract bool, t types.Type) kernel {
	if t.Physical() == types.PhysInt64 {
		if subtract {
			return binaryKernel(int64sOf, int64sOf, int64sOf, subInt64, func(x, y int64) (int64, error) { return x - y, nil })
		}
		return binaryKernel(int64sOf, int64sOf, int64sOf, addInt64, func(x, y int64) (int64, error) { return x + y, nil })
	}
	if subtract {
		return binaryKernel(int64sOf, int64sOf, int128sOf, subWiden, func(x, y int64) (types.Decimal128, error) {
			return types.Decimal128FromInt64(x - y), nil
		})
	}
	return binaryKernel(int64sOf, int64sOf, int128sOf, addWiden, func(x, y int64) (types.Decimal128, error) {
		return types.Decimal128FromInt64(x + y), nil
	})
}

func addWiden(dst []types.Decimal128, a, b []int64) bool {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = types.Decimal128FromInt64(a[i] + b[i])
	}
	return false
}

func subWiden(dst []types.Decimal128, a, b []int64) bool {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		dst[i] = types.Decimal128FromInt64(a[i] - b[i])
	}
	return false
}

// safeHi is the high word below which, in magnitude, two values have sums of
// fewer than 38 digits.
const safeHi = 1 << 60

func addInt128(dst, a, b []types.Decimal128) bool {
	a, b = a[:len(dst)], b[:len(dst)]
	var large int64
	for i := range dst {
		x, y := a[i], b[i]
		lo, carry := bits.Add64(x.Lo, y.Lo, 0)
		hi, _ := bits.Add64(uint64(x.Hi), uint64(y.Hi), carry)
		large |= (x.Hi + safeHi) | (safeHi - x.Hi) | (y.Hi + safeHi) | (safeHi - y.Hi)
		dst[i] = types.Decimal128{Hi: int64(hi), Lo: lo}
	}
	return large < 0
}

func subInt128(dst, a, b []types.Decimal128) bool {
	a, b = a[:len(dst)], b[:len(dst)]
	var large int64
	for i := range dst {
		x, y := a[i], b[i]
		lo, borrow := bits.Sub64(x.Lo, y.Lo, 0)
		hi, _ := bits.Sub64(uint64(x.Hi), uint64(y.Hi), borrow)
		large |= (x.Hi + safeHi) | (safeHi - x.Hi) | (y.Hi + safeHi) | (safeHi - y.Hi)
		dst[i] = types.Decimal128{Hi: int64(hi), Lo: lo}
	}
	return large < 0
}

// decimalProductKernel multiplies where the exact product has the result's
// scale.
func decimalProductKernel(a, b, t types.Type) kernel {
	narrowA, narrowB := a.Physical() == types.PhysInt64, b.Physical() == types.PhysInt64
	scaleA, scaleB := int(a.Scale), int(b.Scale)
	wide := func(x, y types.Decimal128) (types.Decimal128, error) {
		r, ok := x.Mul(y)
		if !ok || !r.FitsPrecision(int(t.Precision)) {
			return r, overflow(t, x.Format(scaleA)+" * "+y.Format(scaleB))
		}
		return r, nil
	}
	switch {
	case t.Physical() == types.PhysInt64:
		return binaryKernel(int64sOf, int64sOf, int64sOf, mulInt64, func(x, y int64) (int64, error) { return x * y, nil })
	case narrowA && narrowB:
		return binaryKernel(int64sOf, int64sOf, int128sOf, mulWiden, func(x, y int64) (types.Decimal128, error) {
			hi, lo := mul64(x, y)
			return types.Decimal128{Hi: hi, Lo: lo}, nil
		})
	case narrowB:
		return binaryKernel(int128sOf, int64sOf, int128sOf, mulMixed, func(x types.Decimal128, y int64) (types.Decimal128, error) {
			return wide(x, types.Decimal128FromInt64(y))
		})
	case narrowA:
		return binaryKernel(int64sOf, int128sOf, int128sOf, func(dst []types.Decimal128, x []int64, y []types.Decimal128) bool {
			return mulMixed(dst, y, x)
		}, func(x int64, y types.Decimal128) (types.Decimal128, error) {
			return wide(types.Decimal128FromInt64(x), y)
		})
	}
	return binaryKernel(int128sOf, int128sOf, int128sOf, nil, wide)
}

// mulWiden multiplies one-word operands; two of 18 digits never overflow.
func mulWiden(dst []types.Decimal128, a, b []int64) bool {
	a, b = a[:len(dst)], b[:len(dst)]
	for i := range dst {
		hi, lo := mul64(a[i], b[i])
		dst[i] = types.Decimal128{Hi: hi, Lo: lo}
	}
	return false
}

// mulMixed multiplies two-word operands whose values mostly fit one word. One
// that does not leaves the batch to the row by row loop.
func mulMixed(dst, a []types.Decimal128, b []int64) bool {
	a, b = a[:len(dst)], b[:len(dst)]
	var large int64
	for i := range dst {
		x := int64(a[i].Lo)
		large |= a[i].Hi ^ x>>63
		hi, lo := mul64(x, b[i])
		dst[i] = types.Decimal128{Hi: hi, Lo: lo}
	}
	return large != 0
}

// decimalRow computes the operations without a typed loop, exactly, and rounds
// half away from zero to the result's scale.
func decimalRow(op string, a, b, t types.Type) rowFunc {
	sa, sb, s := int(a.Scale), int(b.Scale), int(t.Scale)
	return func(f *frame, i int) error {
		x, y := f.decimal(0, i), f.decimal(1, i)
		if (op == expr.OpDivide || op == expr.OpModulo) && y.Sign() == 0 {
			return errDivideByZero
		}
		r, ok := decimalOp(op, x, y, sa, sb, s)
		if !ok && op == expr.OpModulo {
			return errNoRemainder
		}
		if !ok || !r.FitsPrecision(int(t.Precision)) {
			return overflow(t, x.Format(sa)+" "+op+" "+y.Format(sb))
		}
		f.setDecimal(i, r)
		return nil
	}
}

func decimalOp(op string, x, y types.Decimal128, sx, sy, s int) (types.Decimal128, bool) {
	if op == expr.OpDivide {
		// x/10^sx / (y/10^sy) * 10^s = x * 10^(s-sx+sy) / y
		if shift := s - sx + sy; shift >= 0 && shift <= types.MaxDecimalPrecision {
			if n, ok := x.Mul(types.Pow10(shift)); ok {
				return n.DivRound(y)
			}
		}
	}
	return decimalOpBig(op, x, y, sx, sy, s)
}

// decimalOpBig computes with integers of any size.
func decimalOpBig(op string, x, y types.Decimal128, sx, sy, s int) (types.Decimal128, bool) {
	bx, by := x.Big(), y.Big()
	common := max(sx, sy)
	switch op {
	case expr.OpMultiply:
		return roundBig(bx.Mul(bx, by), sx+sy, s)
	case expr.OpDivide:
		// Both at one scale; the quotient then has the scale of the shift.
		bx.Mul(bx, bigPow10(s+sy))
		by.Mul(by, bigPow10(sx))
		return types.Decimal128FromBig(divRoundBig(bx, by))
	}
	bx.Mul(bx, bigPow10(common-sx))
	by.Mul(by, bigPow10(common-sy))
	switch op {
	case expr.OpAdd:
		bx.Add(bx, by)
	case expr.OpSubtract:
		bx.Sub(bx, by)
	default:
		if q, _ := new(big.Int).QuoRem(bx, by, bx); !hasDecimalDigits(q) {
			return types.Decimal128{}, false
		}
	}
	return roundBig(bx, common, s)
}

// hasDecimalDigits reports whether a whole number has at most 38 digits, but for
// zeros at its end. A greater quotient has no remainder in Spark.
func hasDecimalDigits(v *big.Int) bool {
	return v.BitLen() < 64 || len(strings.Trim(v.String(), "-0")) <= types.MaxDecimalPrecision
}

func bigPow10(n int) *big.Int { return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil) }

func roundBig(v *big.Int, from, to int) (types.Decimal128, bool) {
	if to >= from {
		return types.Decimal128FromBig(v.Mul(v, bigPow10(to-from)))
	}
	return types.Decimal128FromBig(divRoundBig(v, bigPow10(from-to)))
}

func divRoundBig(a, b *big.Int) *big.Int {
	q, r := new(big.Int).QuoRem(a, b, new(big.Int))
	if r.Abs(r).Lsh(r, 1).CmpAbs(b) >= 0 {
		q.Add(q, big.NewInt(int64(a.Sign()*b.Sign())))
	}
	return q
}

// roundTo34Digits rounds to so many significant digits, a half to the even one:
// to the decimals of 128 bits by IEEE 754, in which Spark computes here and
// there.
func roundTo34Digits(d types.Decimal128) types.Decimal128 {
	const digits = 34
	if d.FitsPrecision(digits) {
		return d
	}
	dropped := d.Precision(0) - digits
	q, r := d.QuoRem(types.Pow10(dropped))
	rest, _ := r.Abs().Int64()
	if half := types.Pow10Int64(dropped) / 2; rest > half || rest == half && q.Lo&1 == 1 {
		q, _ = q.Add(types.Decimal128FromInt64(int64(d.Sign())))
	}
	q, _ = q.Mul(types.Pow10(dropped))
	return q
}

// setNegated stores -d, rounded to 34 digits as Spark does.
func (f *frame) setNegated(i int, d types.Decimal128) error {
	r := roundTo34Digits(d.Neg())
	if t := f.out.Type; !r.FitsPrecision(int(t.Precision)) {
		return overflow(t, "-("+d.Format(int(t.Scale))+")")
	}
	f.setDecimal(i, r)
	return nil
}

// rowDecimalIntDivide is div: the whole part of the quotient as BIGINT. One of
// up to 38 digits wraps around at the ends of that range, as in Spark.
func rowDecimalIntDivide(f *frame, i int) error {
	x, y := f.decimal(0, i), f.decimal(1, i)
	if y.Sign() == 0 {
		return errDivideByZero
	}
	bx, by := x.Big(), y.Big()
	bx.Mul(bx, bigPow10(int(f.args[1].Type.Scale)))
	by.Mul(by, bigPow10(int(f.args[0].Type.Scale)))
	q, ok := types.Decimal128FromBig(bx.Quo(bx, by))
	if !ok || !q.FitsPrecision(types.MaxDecimalPrecision) {
		return overflow(f.out.Type, "div")
	}
	f.out.Int64s[i] = int64(q.Lo)
	return nil
}
