package eval

import (
	"math"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// numericKernel casts between numbers: typed loops for those that can't fail
// and row by row for those that can.
func numericKernel(from, to types.Type) kernel {
	switch {
	case from.IsInteger() && to.Kind == types.BigInt:
		return convertKernel(int32sOf, int64sOf)
	case from.IsInteger() && to.IsInteger():
		return rowKernel(rowNarrowInteger)
	case from.Kind == types.Float && to.Kind == types.Double:
		return convertKernel(float32sOf, float64sOf)
	case from.Kind == types.Double && to.Kind == types.Float:
		return convertKernel(float64sOf, float32sOf)
	case from.Kind == types.BigInt && to.Kind == types.Double:
		return convertKernel(int64sOf, float64sOf)
	case from.Kind == types.BigInt && to.Kind == types.Float:
		return convertKernel(int64sOf, float32sOf)
	case from.IsInteger() && to.Kind == types.Double:
		return convertKernel(int32sOf, float64sOf)
	case from.IsInteger() && to.Kind == types.Float:
		return convertKernel(int32sOf, float32sOf)
	case from.Kind == types.Decimal && to.Kind == types.Double && from.Physical() == types.PhysInt64:
		return decimalToDouble(int(from.Scale))
	case to.Kind == types.Decimal:
		return toDecimalKernel(from, to)
	case to.IsInteger() && from.Kind == types.Decimal:
		return rowKernel(rowDecimalToInteger)
	case to.IsInteger():
		return rowKernel(rowFloatToInteger)
	}
	return rowKernel(func(f *frame, i int) error { f.setFloat(i, f.toFloat(0, i)); return nil })
}

// convertKernel is Go's own conversion of all rows.
func convertKernel[A, R number](as func(*vector.Vector) []A, rs func(*vector.Vector) []R) kernel {
	return func(f *frame) error {
		a, r := as(f.args[0])[:f.n], rs(f.out)[:f.n]
		if f.sel != nil && len(f.sel)*sparseFraction < f.n {
			for _, i := range f.sel {
				r[i] = R(a[i])
			}
			return nil
		}
		for i, x := range a {
			r[i] = R(x)
		}
		return nil
	}
}

// decimalToDouble divides exact doubles, so that each quotient is rounded once;
// unscaled values beyond 2^53 go the longer way.
func decimalToDouble(scale int) kernel {
	unit := math.Pow10(scale)
	return func(f *frame) error {
		a, r := f.args[0].Int64s[:f.n], f.out.Float64s[:f.n]
		for k := range rowsOf(f.sel, f.n) {
			i := rowAt(f.sel, k)
			x := a[i]
			if x > -1<<53 && x < 1<<53 {
				r[i] = float64(x) / unit
			} else {
				r[i] = types.Decimal128FromInt64(x).Float64(scale)
			}
		}
		return nil
	}
}

func rowNarrowInteger(f *frame, i int) error {
	x := f.int(0, i)
	if lo, hi := f.out.Type.IntegerRange(); x < lo || x > hi {
		return invalidCast(x, f.args[0].Type, f.out.Type)
	}
	f.setInt(i, x)
	return nil
}

func rowDecimalToInteger(f *frame, i int) error {
	from := f.args[0].Type
	d := f.decimal(0, i)
	whole, _ := truncateScale(d, int(from.Scale), 0)
	x, ok := whole.Int64()
	if lo, hi := f.out.Type.IntegerRange(); !ok || x < lo || x > hi {
		return invalidCast(d, from, f.out.Type)
	}
	f.setInt(i, x)
	return nil
}

func rowFloatToInteger(f *frame, i int) error {
	x := math.Trunc(f.float(0, i))
	lo, hi := f.out.Type.IntegerRange()
	if !(x >= float64(lo) && x <= float64(hi)) { // NaN too
		return invalidCast(f.float(0, i), f.args[0].Type, f.out.Type)
	}
	f.setInt(i, saturate(x)) // 2^63 is as near to the greatest BIGINT as a float can be
	return nil
}

func toDecimalKernel(from, to types.Type) kernel {
	if k, ok := scaleUpKernel(from, to); ok {
		return k
	}
	p, s := int(to.Precision), int(to.Scale)
	return rowKernel(func(f *frame, i int) error {
		var d types.Decimal128
		var ok bool
		switch {
		case from.Kind == types.Decimal:
			d, ok = f.decimal(0, i).Rescale(int(from.Scale), s)
		case from.IsInteger():
			d, ok = types.Decimal128FromInt64(f.int(0, i)).Rescale(0, s)
		default:
			if x := f.float(0, i); math.IsNaN(x) || math.IsInf(x, 0) { // NULL, not an error, in Spark
				f.setNull(i)
				return nil
			}
			d, ok = decimalFromFloat(f.float(0, i), s)
		}
		if !ok || !d.FitsPrecision(p) {
			return invalidCast(f.value(0, i), from, to)
		}
		f.setDecimal(i, d)
		return nil
	})
}

// scaleUpKernel serves the casts to DECIMAL that can't fail, because no digit is
// lost and the result has room for all whole digits.
func scaleUpKernel(from, to types.Type) (k kernel, ok bool) {
	source, ok := asDecimal(from)
	up := int(to.Scale) - int(source.Scale)
	if !ok || up < 0 || up > types.MaxDecimal64Precision || to.Precision-to.Scale < source.Precision-source.Scale {
		return nil, false
	}
	unit := types.Pow10Int64(up)
	narrow := to.Physical() == types.PhysInt64
	switch from.Physical() {
	case types.PhysInt32:
		if narrow {
			return scaleLoop(int32sOf, unit), true
		}
		return widenLoop(int32sOf, unit), true
	case types.PhysInt64:
		if narrow {
			return scaleLoop(int64sOf, unit), true
		}
		return widenLoop(int64sOf, unit), true
	}
	return nil, false
}

// scaleLoop computes all rows: those that do not count may wrap around.
func scaleLoop[T int32 | int64](slice func(*vector.Vector) []T, unit int64) kernel {
	return func(f *frame) error {
		a, r := slice(f.args[0])[:f.n], f.out.Int64s[:f.n]
		for i, x := range a {
			r[i] = int64(x) * unit
		}
		return nil
	}
}

func widenLoop[T int32 | int64](slice func(*vector.Vector) []T, unit int64) kernel {
	return func(f *frame) error {
		a, r := slice(f.args[0])[:f.n], f.out.Int128s[:f.n]
		for i, x := range a {
			hi, lo := mul64(int64(x), unit)
			r[i] = types.Decimal128{Hi: hi, Lo: lo}
		}
		return nil
	}
}

// decimalFromFloat rounds the shortest decimal text of a double, as Spark does
// by way of Java's BigDecimal; a FLOAT is taken as a DOUBLE.
func decimalFromFloat(x float64, scale int) (types.Decimal128, bool) {
	d, s, ok := types.ParseDecimal(shortestFloat(x, types.Of(types.Double)))
	if !ok {
		return types.Decimal128{}, false
	}
	return d.Rescale(s, scale)
}
