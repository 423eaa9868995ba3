package eval

import (
	"math"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
)

// rounding says what becomes of the digits that are cut off.
type rounding uint8

const (
	halfUp rounding = iota // half away from zero
	halfEven
	upward
	downward
)

func roundFunctions() []*Function {
	modes := map[string]rounding{"round": halfUp, "bround": halfEven, "ceil": upward, "floor": downward}
	resolve := func(name string, args []expr.Expr) (expr.Expr, error) { return resolveRound(name, modes[name], args) }
	compile := func(c *compiler, e *expr.Call) (node, error) { return compileRound(c, e, modes[e.Name]) }
	return []*Function{
		special("round", "(T, INT?) T", "the number to so many digits after the point, half away from zero", resolve, compile),
		special("bround", "(T, INT?) T", "the number to so many digits after the point, half to even", resolve, compile),
		special("ceil ceiling", "(T, INT?) T", "the next number up with so many digits after the point", resolve, compile),
		special("floor", "(T, INT?) T", "the next number down with so many digits after the point", resolve, compile),
	}
}

// resolveRound types a rounding by Spark's rules. The number of digits must be
// known, because the type depends on it.
func resolveRound(name string, mode rounding, args []expr.Expr) (expr.Expr, error) {
	if err := wantArgs(name, args, 1, 2); err != nil {
		return nil, err
	}
	a, err := numberArg(name, args[0])
	if err != nil {
		return nil, err
	}
	digits := int64(0)
	whole := mode == upward || mode == downward
	if len(args) == 2 {
		var null bool
		if digits, null, err = roundDigits(name, whole, args[1]); err != nil {
			return nil, err
		}
		if null {
			a = expr.Null(a.Type())
		}
	}
	if whole && len(args) == 2 {
		a = asRoundedDecimal(args[0], a)
	}
	t := a.Type()
	switch {
	case t.Kind == types.Decimal && whole && len(args) == 1 && t.Scale == 0:
	case t.Kind == types.Decimal:
		t = roundedDecimal(t, int(digits))
	case whole:
		t = types.Of(types.BigInt)
	}
	return typedCall(name, t, a, &expr.Literal{T: types.Of(types.Int), Value: digits}), nil
}

// maxRoundDigits are more than any number has, on either side of the point.
const maxRoundDigits = 400

// roundDigits gives the number of digits, a constant, or NULL; ceil and floor
// take an INT and nothing else.
func roundDigits(name string, whole bool, e expr.Expr) (digits int64, null bool, err error) {
	wrong := mismatch("%s takes a constant number of digits, not %s", name, e)
	if len(expr.Columns(e)) > 0 || whole && e.Type().Kind != types.Int || castCost(e.Type(), types.Of(types.Int)) >= impossible {
		return 0, false, wrong
	}
	v, err := EvalConstant(castTo(e, types.Of(types.Int)), nil)
	n, ok := v.(int64)
	if err != nil || !ok && whole {
		return 0, false, wrong
	}
	return min(max(n, -maxRoundDigits), maxRoundDigits), !ok, nil
}

// asRoundedDecimal casts the argument of ceil and floor with digits to the
// DECIMAL that Spark takes for its type; number is the argument as a number.
func asRoundedDecimal(arg, number expr.Expr) expr.Expr {
	switch t := arg.Type(); t.Kind {
	case types.Void, types.String:
		return castTo(arg, types.DecimalOf(types.MaxDecimalPrecision, 18))
	case types.Float:
		return castTo(number, types.DecimalOf(14, 7))
	}
	if d, ok := asDecimal(number.Type()); ok {
		return castTo(number, d)
	}
	return castTo(number, types.DecimalOf(30, 15))
}

func roundedDecimal(t types.Type, digits int) types.Type {
	whole := int(t.Precision) - int(t.Scale) + 1
	if digits < 0 {
		return types.DecimalOf(min(max(whole, 1-digits), types.MaxDecimalPrecision), 0)
	}
	scale := min(int(t.Scale), digits)
	return types.DecimalOf(min(whole+scale, types.MaxDecimalPrecision), scale)
}

func compileRound(c *compiler, e *expr.Call, mode rounding) (node, error) {
	digits := int(e.Args[1].(*expr.Literal).Value.(int64))
	from := e.Args[0].Type()
	arg, err := c.compile(e.Args[0])
	if err != nil {
		return nil, err
	}
	row := func(f *frame, i int) error {
		switch {
		case from.Kind == types.Decimal:
			d, ok := roundDecimal(f.decimal(0, i), int(from.Scale), digits, int(e.T.Scale), mode)
			if !ok || !d.FitsPrecision(int(e.T.Precision)) {
				return overflow(e.T, e.Name)
			}
			f.setDecimal(i, d)
			return nil
		case from.IsInteger():
			d, ok := roundDecimal(types.Decimal128FromInt64(f.int(0, i)), 0, digits, 0, mode)
			return storeRounded(f, i, d, ok, e)
		}
		x := roundFloat(f.float(0, i), from, digits, mode)
		if !e.T.IsInteger() {
			f.setFloat(i, x)
			return nil
		}
		f.setInt(i, saturate(x))
		return nil
	}
	return newCall(c, e.Name, e.T, []node{arg}, true, rowKernel(row)), nil
}

// saturate is the whole number nearest to x, 0 for NaN.
func saturate(x float64) int64 {
	switch {
	case x != x:
		return 0
	case x >= math.MaxInt64:
		return math.MaxInt64
	case x <= math.MinInt64:
		return math.MinInt64
	}
	return int64(x)
}

func storeRounded(f *frame, i int, d types.Decimal128, ok bool, e *expr.Call) error {
	x, fits := d.Int64()
	if lo, hi := e.T.IntegerRange(); !ok || !fits || x < lo || x > hi {
		return overflow(e.T, e.Name)
	}
	f.setInt(i, x)
	return nil
}

// roundDecimal rounds an unscaled value to digits after the point and gives it
// at the scale to.
func roundDecimal(d types.Decimal128, scale, digits, to int, mode rounding) (types.Decimal128, bool) {
	if digits < scale {
		cut := scale - digits
		if cut > types.MaxDecimalPrecision {
			return types.Decimal128{}, true
		}
		d = cutDigits(d, cut, mode)
		scale = digits
	}
	if scale < 0 {
		var ok bool
		if d, ok = d.Mul(types.Pow10(-scale)); !ok {
			return d, false
		}
		scale = 0
	}
	return d.Rescale(scale, to)
}

// cutDigits drops the last digits of an integer.
func cutDigits(d types.Decimal128, digits int, mode rounding) types.Decimal128 {
	unit := types.Pow10(digits)
	q, r := d.QuoRem(unit)
	if r.Sign() == 0 {
		return q
	}
	rest, _ := unit.Sub(r.Abs())
	half := r.Abs().Cmp(rest)
	away := false
	switch mode {
	case halfUp:
		away = half >= 0
	case halfEven:
		away = half > 0 || half == 0 && q.Lo&1 == 1
	case upward:
		away = d.Sign() > 0
	case downward:
		away = d.Sign() < 0
	}
	if away {
		q, _ = q.Add(types.Decimal128FromInt64(int64(d.Sign())))
	}
	return q
}

// roundFloat rounds the shortest decimal text of x, as Spark does.
func roundFloat(x float64, t types.Type, digits int, mode rounding) float64 {
	if digits == 0 {
		switch mode {
		case upward:
			return math.Ceil(x)
		case downward:
			return math.Floor(x)
		case halfEven:
			return math.RoundToEven(x) + 0
		}
		return math.Round(x) + 0 // never -0
	}
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return x
	}
	d, scale, ok := types.ParseDecimal(shortestFloat(x, t))
	if !ok || digits >= scale {
		return x // beyond 38 digits there is nothing to cut off in a double
	}
	if digits < 0 {
		if d, ok = roundDecimal(d, scale, digits, 0, mode); !ok {
			return x
		}
		return d.Float64(0)
	}
	return cutDigits(d, scale-digits, mode).Float64(digits)
}
