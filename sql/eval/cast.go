package eval

import (
	"math"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// compileCast chooses the kernel of a cast by its two types.
func (c *compiler) compileCast(e *expr.Cast) (node, error) {
	from, to := e.Arg.Type(), e.T
	arg, err := c.compile(e.Arg)
	if err != nil {
		return nil, err
	}
	if from.Kind == types.Void { // computed nevertheless: it may be an error
		return newCall(c, "", to, []node{arg}, false, func(f *frame) error {
			*f.out = *vector.NewNull(to, f.n)
			return nil
		}), nil
	}
	if first, ok := throughTimestamp(from, to); ok {
		return c.compileCast(&expr.Cast{Arg: &expr.Cast{Arg: e.Arg, T: first, Try: e.Try}, T: to, Try: e.Try})
	}
	if relabels(from, to) {
		return &relabelNode{arg: arg, out: vector.Vector{}, t: to}, nil
	}
	if from.Kind == types.Variant || to.Kind == types.Variant {
		return c.compileVariantCast(arg, e), nil
	}
	if from.IsNested() && to.IsNested() {
		return c.compileNestedCast(arg, e)
	}
	k, ok := castKernel(from, to, c.env)
	if !ok {
		return nil, mismatch("%s can't be cast to %s", from, to)
	}
	n := newCall(c, "", to, []node{arg}, true, k)
	n.f.try = e.Try
	return n, nil
}

// relabels reports whether every value of one type is, as it lies in a vector,
// the same value of the other.
func relabels(from, to types.Type) bool {
	switch {
	case from.Physical() != to.Physical():
		return false
	case from.Kind == types.Decimal && to.Kind == types.Decimal:
		return from.Scale == to.Scale && from.Precision <= to.Precision
	case from.IsInteger() && to.IsInteger():
		return from.Kind <= to.Kind
	case from.Kind == types.String && to.Kind == types.String, isBytes(from) && to.Kind == types.Binary:
		return to.Length == 0 || from.Equal(to)
	}
	return from.Kind == to.Kind && !from.IsNested() && from.Kind != types.Decimal && from.Equal(to)
}

// relabelNode gives its argument under another type.
type relabelNode struct {
	arg  node
	t    types.Type
	out  vector.Vector
	from *vector.Vector // the dictionary that dict relabels
	kept *vector.Vector
}

func (n *relabelNode) eval(b *vector.Batch, sel vector.Selection) (*vector.Vector, error) {
	v, err := n.arg.eval(b, sel)
	if err != nil {
		return nil, err
	}
	n.out = *v
	n.out.Type = n.t
	if v.Form == vector.Dictionary {
		if n.from != v.Dict { // a new address per dictionary, for who caches by it
			d := *v.Dict
			d.Type = n.t
			n.from, n.kept = v.Dict, &d
		}
		n.out.Dict = n.kept
	}
	return &n.out, nil
}

// castKernel gives the kernel for types that are not nested, or from nested to
// STRING.
func castKernel(from, to types.Type, env *Env) (kernel, bool) {
	switch {
	case to.Kind == types.String && from.Kind == types.String:
		return rowKernel(rowCheckLength), true
	case to.Kind == types.String:
		return toStringKernel(from, to, env), true
	case from.Kind == types.String:
		return fromStringKernel(to, env)
	case from.IsNumeric() && to.IsNumeric():
		return numericKernel(from, to), true
	case from.Kind == types.IntervalKind || to.Kind == types.IntervalKind:
		return rowKernel(intervalCast(from, to)), intervalCastAllowed(from, to)
	case from.Kind == types.Boolean && to.IsNumeric():
		return rowKernel(rowFromBool), true
	case from.IsNumeric() && to.Kind == types.Boolean:
		return rowKernel(rowToBool), true
	case from.Kind == types.Moment:
		return rowKernel(rowMoment), true
	case isDatetime(from) && isDatetime(to):
		return rowKernel(datetimeCast(from, to)), true
	case isInstant(from) && to.IsNumeric():
		return rowKernel(rowTimestampToNumber), true
	case from.IsNumeric() && isInstant(to):
		return rowKernel(rowNumberToTimestamp), true
	case from.IsTimestamp() && to.Kind == types.Time:
		return rowKernel(rowTimestampToTime), true
	case isBytes(from) && isBytes(to):
		return rowKernel(rowBytesToFixed), true
	}
	return nil, false
}

// toFloat, toDecimal128 read a number of any type.
func (f *frame) toFloat(a, i int) float64 {
	switch t := f.args[a].Type; {
	case t.Kind == types.Decimal:
		return f.decimal(a, i).Float64(int(t.Scale))
	case t.IsInteger():
		return float64(f.int(a, i))
	}
	return f.float(a, i)
}

func rowFromBool(f *frame, i int) error {
	x := int64(truth(f.bool(0, i)))
	switch t := f.out.Type; {
	case t.Kind == types.Decimal:
		d, ok := types.Decimal128FromInt64(x).Rescale(0, int(t.Scale))
		if !ok || !d.FitsPrecision(int(t.Precision)) {
			return invalidCast(x != 0, types.Of(types.Boolean), t)
		}
		f.setDecimal(i, d)
	case t.IsInteger():
		f.setInt(i, x)
	default:
		f.setFloat(i, float64(x))
	}
	return nil
}

func rowToBool(f *frame, i int) error {
	switch t := f.args[0].Type; {
	case t.Kind == types.Decimal:
		f.out.Bools[i] = f.decimal(0, i).Sign() != 0
	case t.IsInteger():
		f.out.Bools[i] = f.int(0, i) != 0
	default:
		f.out.Bools[i] = f.float(0, i) != 0
	}
	return nil
}

// rowMoment takes from a program's time what its place asks for.
func rowMoment(f *frame, i int) error {
	b, to := f.bytes(0, i), f.out.Type
	if to.Kind == types.Moment {
		return f.setBytes(i, b)
	}
	t := types.DecodeMoment(b)
	v, ok := types.MomentAs(t, to.Kind)
	if !ok {
		return invalid("no %s is as far off as %s", to, t)
	}
	f.setInt(i, v)
	return nil
}

// datetimeCast converts between DATE and the timestamps. A DATE and a clock
// without zone become an instant by the session's zone.
func datetimeCast(from, to types.Type) rowFunc {
	return func(f *frame, i int) error {
		x := f.int(0, i)
		zone := f.env.zone()
		var wall, nanos int64 // microseconds on the clock, and the rest of them
		switch {
		case from.Kind == types.Date:
			var ok bool
			if wall, ok = types.JoinMicros(x, 0); !ok && to.Kind != types.Date {
				return overflow(to, "cast of DATE")
			}
		case isNanos(from):
			wall, nanos = floorDivMod(x, 1000)
		default:
			wall = x
		}
		if isInstant(from) != isInstant(to) || to.Kind == types.Date && isInstant(from) {
			if isInstant(from) {
				wall = types.InstantToWall(wall, zone)
			} else if to.Kind != types.Date {
				wall = types.WallToInstant(wall, zone)
			}
		}
		switch {
		case to.Kind == types.Date:
			days, _ := types.SplitMicros(wall)
			f.setInt(i, int64(days))
		case isNanos(to):
			r, err := int64Op(expr.OpMultiply, wall, 1000)
			if err != nil {
				return overflow(to, "cast of "+from.String())
			}
			f.setInt(i, r+nanos)
		default:
			f.setInt(i, wall)
		}
		return nil
	}
}

// rowTimestampToNumber gives seconds since 1970: whole ones, rounded down, for
// the integers.
func rowTimestampToNumber(f *frame, i int) error {
	from, to := f.args[0].Type, f.out.Type
	x, scale := f.int(0, i), 6
	if isNanos(from) {
		scale = 9
	}
	unit := types.Pow10Int64(scale)
	switch {
	case to.IsInteger():
		seconds, _ := floorDivMod(x, unit)
		if lo, hi := to.IntegerRange(); seconds < lo || seconds > hi {
			return invalidCast(x, from, to)
		}
		f.setInt(i, seconds)
	case to.Kind == types.Decimal:
		d, ok := types.Decimal128FromInt64(x).Rescale(scale, int(to.Scale))
		if !ok || !d.FitsPrecision(int(to.Precision)) {
			return invalidCast(x, from, to)
		}
		f.setDecimal(i, d)
	default:
		f.setFloat(i, float64(x)/float64(unit))
	}
	return nil
}

// rowNumberToTimestamp takes seconds since 1970. Whole ones beyond the ends of
// time give the ends, decimals wrap around there, as in Spark.
func rowNumberToTimestamp(f *frame, i int) error {
	from, to := f.args[0].Type, f.out.Type
	scale := 6
	if isNanos(to) {
		scale = 9
	}
	unit := types.Pow10Int64(scale)
	switch {
	case from.IsInteger():
		x := f.int(0, i)
		v, err := int64Op(expr.OpMultiply, x, unit)
		if err != nil && x > 0 {
			v = math.MaxInt64
		} else if err != nil {
			v = math.MinInt64
		}
		f.setInt(i, v)
	case from.Kind == types.Decimal:
		f.setInt(i, wrappedUnits(roundTo34Digits(f.decimal(0, i)), int(from.Scale), scale))
	default:
		x := f.float(0, i) * float64(unit)
		if !(x > -1<<63 && x < 1<<63) {
			return invalidCast(f.value(0, i), from, to)
		}
		f.setInt(i, int64(x))
	}
	return nil
}

// wrappedUnits gives the low 64 bits of a decimal at another scale. What is left
// behind the point is dropped.
func wrappedUnits(d types.Decimal128, from, to int) int64 {
	if from > to {
		d, _ = truncateScale(d, from, to)
		from = to
	}
	return int64(d.Lo) * types.Pow10Int64(to-from)
}

// truncateScale moves the point and drops what is left behind it.
func truncateScale(d types.Decimal128, from, to int) (types.Decimal128, bool) {
	if to >= from {
		return d.Rescale(from, to)
	}
	q, _ := d.QuoRem(types.Pow10(from - to))
	return q, true
}

func rowTimestampToTime(f *frame, i int) error {
	t, x := f.args[0].Type, f.int(0, i)
	if isNanos(t) {
		x, _ = floorDivMod(x, 1000)
	}
	if isInstant(t) {
		x = types.InstantToWall(x, f.env.zone())
	}
	_, ofDay := types.SplitMicros(x)
	f.setInt(i, ofDay)
	return nil
}

func rowBytesToFixed(f *frame, i int) error {
	b, t := f.bytes(0, i), f.out.Type
	want := int(t.Length)
	if t.Kind == types.UUID {
		want = 16
	}
	if len(b) != want {
		return invalid("a binary value of %d bytes can't be cast to %s", len(b), t)
	}
	return f.setBytes(i, b)
}
