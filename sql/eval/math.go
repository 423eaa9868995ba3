package eval

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"strconv"
	"strings"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
)

// mathFunctions are the numeric functions.
func mathFunctions() []*Function {
	out := []*Function{
		special("abs", "(T) T", "the magnitude of a number", resolveSameNumber, compileRow(rowAbs)),
		special("positive", "(T) T", "the number itself", func(name string, args []expr.Expr) (expr.Expr, error) {
			if err := wantArgs(name, args, 1, 1); err != nil {
				return nil, err
			}
			return signedArg(name, args[0])
		}, nil),
		special("negative", "(T) T", "the number with its sign changed", func(_ string, args []expr.Expr) (expr.Expr, error) {
			return Resolve(expr.OpNegate, args)
		}, nil),
		special("mod", "(T, T) T", "the remainder, with the sign of the first argument", func(_ string, args []expr.Expr) (expr.Expr, error) {
			return Resolve(expr.OpModulo, args)
		}, nil),
		special("pmod", "(T, T) T", "the remainder that is not negative", resolvePmod, compilePmod),
		special("sign signum", "(T) DOUBLE", "-1, 0 or 1", resolveSign, compileRow(rowSign)),
		function("pow power", "the first argument to the power of the second", over("DOUBLE, DOUBLE", "DOUBLE", func(f *frame, i int) error {
			x, y := f.float(0, i), f.float(1, i)
			f.out.Float64s[i] = math.Pow(x, y)
			if math.Abs(x) == 1 && (math.IsNaN(y) || math.IsInf(y, 0)) { // as in Java, not in C
				f.out.Float64s[i] = math.NaN()
			}
			return nil
		})),
		function("atan2", "the angle of the point (second, first)", over("DOUBLE, DOUBLE", "DOUBLE", func(f *frame, i int) error {
			f.out.Float64s[i] = math.Atan2(f.float(0, i)+0, f.float(1, i)+0) // -0 counts as 0
			return nil
		})),
		function("log", "the natural logarithm, or the one to the base of the first argument", orNull(over("DOUBLE", "DOUBLE", rowLog(logarithm))),
			orNull(over("DOUBLE, DOUBLE", "DOUBLE", rowLogBase))),
		function("pi", "the number pi", over("", "DOUBLE", func(f *frame, i int) error { f.out.Float64s[i] = math.Pi; return nil })),
		function("e", "Euler's number", over("", "DOUBLE", func(f *frame, i int) error { f.out.Float64s[i] = math.E; return nil })),
		function("hex", "hexadecimal digits", over("BIGINT", "STRING", func(f *frame, i int) error {
			return f.setString(i, hexUpperInt(f.int(0, i)))
		}), over("STRING", "STRING", rowHex), over("BINARY", "STRING", rowHex)),
		function("unhex", "the bytes of hexadecimal digits", orNull(over("STRING", "BINARY", rowUnhex))),
		function("bin", "binary digits", over("BIGINT", "STRING", func(f *frame, i int) error {
			return f.setString(i, strconv.FormatUint(uint64(f.int(0, i)), 2))
		})),
		special("bit_count", "(BIGINT | BOOLEAN) INT", "the number of bits that are set", resolveBitCount, compileRow(func(f *frame, i int) error {
			f.out.Int32s[i] = int32(bits.OnesCount64(uint64(f.int(0, i))))
			return nil
		})),
		function("width_bucket", "the number of the part into which a value falls if the range from the second to the third argument is cut into that many",
			widthBucket("DOUBLE", (*frame).float), widthBucket("INTERVAL YEAR TO MONTH", (*frame).months), widthBucket("INTERVAL DAY TO SECOND", (*frame).micros)),
		function("shiftleft", "bits moved left", shift("INT", func(x int64, n uint) int64 { return int64(int32(x) << (n & 31)) }),
			shift("BIGINT", func(x int64, n uint) int64 { return x << (n & 63) })),
		function("shiftright", "bits moved right", shift("INT", func(x int64, n uint) int64 { return int64(int32(x) >> (n & 31)) }),
			shift("BIGINT", func(x int64, n uint) int64 { return x >> (n & 63) })),
		function("shiftrightunsigned", "bits moved right, with zeros from the left", shift("INT", func(x int64, n uint) int64 { return int64(uint32(x) >> (n & 31)) }),
			shift("BIGINT", func(x int64, n uint) int64 { return int64(uint64(x) >> (n & 63)) })),
	}
	out = append(out, roundFunctions()...)
	out = append(out, bitFunctions()...)
	out = append(out, doubleFunctions()...)
	rand := function("rand random", "a random number from 0 to below 1; a whole number as seed makes the sequence repeatable", lenient(over("BIGINT?", "DOUBLE", rowRand))).strictly(types.Type.IsInteger)
	rand.Volatile = true
	for _, name := range []string{"try_add", "try_subtract", "try_multiply", "try_divide", "try_mod"} {
		f := special(name, "(T, T) T", "the operator, with NULL where it has no result", resolveArithmetic, (*compiler).compileArithmetic)
		out = append(out, f)
	}
	return append(out, rand)
}

// compileRow makes a node of a row function for special functions.
func compileRow(row rowFunc) compiled {
	return func(c *compiler, e *expr.Call) (node, error) {
		args, err := c.compileAll(e.Args)
		if err != nil {
			return nil, err
		}
		return newCall(c, e.Name, e.T, args, true, rowKernel(row)), nil
	}
}

// doubleFunctions apply a function of Go's math package.
func doubleFunctions() []*Function {
	var out []*Function
	for _, d := range []struct {
		name, doc string
		f         func(float64) float64
	}{
		{"sqrt", "the square root", math.Sqrt}, {"cbrt", "the cube root", math.Cbrt}, {"exp", "Euler's number to the power of the argument", math.Exp},
		{"expm1", "exp(x) - 1", math.Expm1}, {"sin", "the sine", math.Sin}, {"cos", "the cosine", math.Cos}, {"tan", "the tangent", math.Tan},
		{"asin", "the arc sine", math.Asin}, {"acos", "the arc cosine", math.Acos}, {"atan", "the arc tangent", math.Atan},
		{"sinh", "the hyperbolic sine", math.Sinh}, {"cosh", "the hyperbolic cosine", math.Cosh}, {"tanh", "the hyperbolic tangent", math.Tanh},
		{"radians", "degrees as radians", func(x float64) float64 { return x * (math.Pi / 180) }},
		{"degrees", "radians as degrees", func(x float64) float64 { return x * (180 / math.Pi) }},
		{"rint", "the nearest whole number, the even one of two", math.RoundToEven},
		{"cot", "the cotangent", func(x float64) float64 { return 1 / math.Tan(x) }},
	} {
		out = append(out, function(d.name, d.doc, over("DOUBLE", "DOUBLE", func(f *frame, i int) error {
			f.out.Float64s[i] = d.f(f.float(0, i))
			return nil
		})))
	}
	for _, l := range []struct {
		name, doc string
		f         func(float64) float64
	}{
		{"ln", "the natural logarithm", logarithm}, {"log10", "the logarithm to base 10", logarithm10},
		{"log2", "the logarithm to base 2", math.Log2}, {"log1p", "ln(x + 1)", math.Log1p},
	} {
		least := 0.0
		if l.name == "log1p" {
			least = -1
		}
		out = append(out, function(l.name, l.doc, orNull(over("DOUBLE", "DOUBLE", func(f *frame, i int) error {
			if x := f.float(0, i); x <= least {
				f.setNull(i)
			} else {
				f.out.Float64s[i] = l.f(x)
			}
			return nil
		}))))
	}
	return out
}

// logarithm and logarithm10 are those of package math, which are wrong about
// subnormal numbers on some processors.
func logarithm(x float64) float64   { return ofNormal(math.Log, math.Ln2, x) }
func logarithm10(x float64) float64 { return ofNormal(math.Log10, math.Ln2/math.Ln10, x) }

// ofNormal computes a logarithm of x by way of a normal number; two is the
// logarithm of 2.
func ofNormal(log func(float64) float64, two, x float64) float64 {
	const least, shift = 0x1p-1022, 54
	if x > 0 && x < least {
		return log(math.Ldexp(x, shift)) - shift*two
	}
	return log(x)
}

// rowLog is NULL for what has no logarithm, as in Spark.
func rowLog(log func(float64) float64) rowFunc {
	return func(f *frame, i int) error {
		x := f.float(0, i)
		if x <= 0 {
			f.setNull(i)
			return nil
		}
		f.out.Float64s[i] = log(x)
		return nil
	}
}

func rowLogBase(f *frame, i int) error {
	base, x := f.float(0, i), f.float(1, i)
	if base <= 0 || x <= 0 {
		f.setNull(i)
		return nil
	}
	f.out.Float64s[i] = logarithm(x) / logarithm(base)
	return nil
}

// resolveSameNumber types a function of a number that gives a number of its
// type.
func resolveSameNumber(name string, args []expr.Expr) (expr.Expr, error) {
	if err := wantArgs(name, args, 1, 1); err != nil {
		return nil, err
	}
	if t := args[0].Type(); t.IsYearMonth() || t.IsDayTime() {
		return typedCall(name, t, args[0]), nil
	}
	a, err := numberArg(name, args[0])
	if err != nil {
		return nil, err
	}
	return typedCall(name, a.Type(), a), nil
}

// numberArg casts an argument to a number where it is none.
func numberArg(name string, a expr.Expr) (expr.Expr, error) {
	t := a.Type()
	if t.Kind == types.String || t.Kind == types.Void {
		return castTo(a, types.Of(types.Double)), nil
	}
	if !t.IsNumeric() {
		return nil, mismatch("%s takes a number, not %s: %s", name, t, a)
	}
	return a, nil
}

// signedArg casts what has no sign of its own to DOUBLE where it can be read as
// a number.
func signedArg(name string, a expr.Expr) (expr.Expr, error) {
	if a.Type().Kind == types.IntervalKind {
		return a, nil
	}
	return numberArg(name, a)
}

func resolveBitCount(name string, args []expr.Expr) (expr.Expr, error) {
	if err := wantArgs(name, args, 1, 1); err != nil {
		return nil, err
	}
	if t := args[0].Type(); !t.IsInteger() && t.Kind != types.Boolean && t.Kind != types.Void {
		return nil, mismatch("%s takes a whole number or a BOOLEAN, not %s: %s", name, t, args[0])
	}
	return typedCall(name, types.Of(types.Int), castTo(args[0], types.Of(types.BigInt))), nil
}

func rowAbs(f *frame, i int) error {
	switch t := f.out.Type; {
	case t.Kind == types.IntervalKind:
		return rowAbsInterval(f, i)
	case t.Kind == types.Decimal:
		d := f.decimal(0, i)
		if d.Sign() < 0 {
			return f.setNegated(i, d)
		}
		f.setDecimal(i, d)
	case t.IsInteger():
		x := f.int(0, i)
		if lo, _ := t.IntegerRange(); x == lo {
			return overflow(t, "abs("+printValue(t, x)+")")
		}
		f.setInt(i, max(x, -x))
	default:
		f.setFloat(i, math.Abs(f.float(0, i)))
	}
	return nil
}

func resolveSign(name string, args []expr.Expr) (expr.Expr, error) {
	if err := wantArgs(name, args, 1, 1); err != nil {
		return nil, err
	}
	a, err := args[0], error(nil)
	if t := a.Type(); !t.IsYearMonth() && !t.IsDayTime() {
		if a, err = numberArg(name, a); err != nil {
			return nil, err
		}
	}
	return typedCall(name, types.Of(types.Double), a), nil
}

func rowSign(f *frame, i int) error {
	x := 0.0
	if f.args[0].Type.Kind == types.IntervalKind {
		x = float64(f.span(0, i))
	} else {
		x = f.toFloat(0, i)
	}
	switch {
	case x > 0:
		x = 1
	case x < 0:
		x = -1
	}
	f.out.Float64s[i] = x
	return nil
}

func resolvePmod(name string, args []expr.Expr) (expr.Expr, error) {
	e, err := resolveArithmetic(expr.OpModulo, args)
	if err != nil {
		return nil, err
	}
	call, ok := e.(*expr.Call)
	if !ok || call.T.Kind == types.IntervalKind {
		return nil, mismatch("pmod takes numbers, not (%s)", typeList(args))
	}
	return typedCall(name, call.T, call.Args...), nil
}

func compilePmod(c *compiler, e *expr.Call) (node, error) {
	return compileRow(func(f *frame, i int) error {
		switch t := f.out.Type; {
		case t.Kind == types.Decimal:
			return rowDecimalPmod(f, i)
		case t.IsInteger():
			a, b := f.int(0, i), f.int(1, i)
			r, err := int64Op(expr.OpModulo, a, b)
			if err != nil {
				return err
			}
			if r < 0 {
				r = (r + b) % b
			}
			f.setInt(i, r)
		default:
			a, b := f.float(0, i), f.float(1, i)
			if b == 0 {
				return errDivideByZero
			}
			r := math.Mod(a, b)
			if r < 0 {
				r = math.Mod(r+b, b)
			}
			f.setFloat(i, r)
		}
		return nil
	})(c, e)
}

// rowDecimalPmod computes at the greater of the two scales. Beside a negative
// divisor the remainder keeps its sign.
func rowDecimalPmod(f *frame, i int) error {
	a, b := f.decimal(0, i), f.decimal(1, i)
	sa, sb, t := int(f.args[0].Type.Scale), int(f.args[1].Type.Scale), f.out.Type
	if b.Sign() == 0 {
		return errDivideByZero
	}
	common := max(sa, sb)
	r, ok := decimalOpBig(expr.OpModulo, a, b, sa, sb, common)
	if !ok {
		return errNoRemainder
	}
	if r.Sign() < 0 && b.Sign() > 0 {
		r, ok = decimalOpBig(expr.OpAdd, r, b, common, sb, common)
	}
	if ok {
		r, ok = r.Rescale(common, int(t.Scale))
	}
	if !ok || !r.FitsPrecision(int(t.Precision)) {
		return overflow(t, "pmod("+a.Format(sa)+", "+b.Format(sb)+")")
	}
	f.setDecimal(i, r)
	return nil
}

// rowRand draws from a generator that is the frame's own; a seed makes its
// sequence repeatable.
func rowRand(f *frame, i int) error {
	if f.state == nil {
		seed := rand.Uint64()
		if len(f.args) > 0 { // NULL is 0
			seed = 0
		}
		if len(f.args) > 0 && !f.isNull(0, i) {
			seed = uint64(f.int(0, i))
		}
		f.state = rand.New(rand.NewPCG(seed, 0x9E3779B97F4A7C15))
	}
	f.out.Float64s[i] = f.state.(*rand.Rand).Float64()
	return nil
}

func (f *frame) months(a, i int) float64 { return float64(f.interval(a, i).Months) }
func (f *frame) micros(a, i int) float64 { return float64(f.interval(a, i).Length()) }

// widthBucket numbers the parts from 1, what lies before them being 0 and what
// lies behind them one more than there are. A range may fall.
func widthBucket(t string, number func(f *frame, a, i int) float64) overload {
	return orNull(over(t+", "+t+", "+t+", BIGINT", "BIGINT", func(f *frame, i int) error {
		x, from, to, parts := number(f, 0, i), number(f, 1, i), number(f, 2, i), f.int(3, i)
		isRange := from != to && !math.IsInf(from, 0) && !math.IsInf(to, 0) && from == from && to == to
		if parts <= 0 || parts == math.MaxInt64 || x != x || !isRange {
			f.setNull(i)
			return nil
		}
		if from > to {
			x, from, to = -x, -from, -to
		}
		switch {
		case x < from:
			f.out.Int64s[i] = 0
		case x >= to:
			f.out.Int64s[i] = parts + 1
		default:
			f.out.Int64s[i] = saturate(float64(parts)*(x-from)/(to-from)) + 1
		}
		return nil
	}))
}

func shift(t string, op func(x int64, n uint) int64) overload {
	return over(t+", INT", t, func(f *frame, i int) error {
		f.setInt(i, op(f.int(0, i), uint(f.int(1, i))))
		return nil
	})
}

// bitFunctions are & | ^ and ~.
func bitFunctions() []*Function {
	binary := func(name, doc string, op func(a, b int64) int64) *Function {
		names := strings.Fields(name)
		return special(name, "(T, T) T", doc, func(_ string, args []expr.Expr) (expr.Expr, error) { return resolveBits(names[0], args, 2) }, compileRow(func(f *frame, i int) error {
			f.setInt(i, op(f.int(0, i), f.int(1, i)))
			return nil
		}))
	}
	return []*Function{
		binary("& bitand", "the bits that both arguments have", func(a, b int64) int64 { return a & b }),
		binary("| bitor", "the bits that either argument has", func(a, b int64) int64 { return a | b }),
		binary("^ bitxor", "the bits that one argument has", func(a, b int64) int64 { return a ^ b }),
		special("~ bitnot", "(T) T", "the bits that the argument has not", func(_ string, args []expr.Expr) (expr.Expr, error) { return resolveBits("~", args, 1) }, compileRow(func(f *frame, i int) error {
			f.setInt(i, ^f.int(0, i))
			return nil
		})),
	}
}

// resolveBits types an operation on the bits of whole numbers of one type. A
// string beside a number is taken for a BIGINT.
func resolveBits(name string, args []expr.Expr, operands int) (expr.Expr, error) {
	if err := wantArgs(name, args, operands, operands); err != nil {
		return nil, err
	}
	untyped := true
	for _, a := range args {
		untyped = untyped && a.Type().Kind == types.Void
	}
	if untyped {
		return expr.Null(types.Of(types.Int)), nil
	}
	number := false
	for _, a := range args {
		number = number || a.Type().IsInteger()
	}
	cast, t, err := coerceAll(name, args)
	if err != nil || !number || !t.IsInteger() {
		return nil, mismatch("%s takes whole numbers, not %s", name, typeList(args))
	}
	return typedCall(name, t, cast...), nil
}
