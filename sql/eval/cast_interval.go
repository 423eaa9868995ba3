package eval

import (
	"math/big"

	"github.com/tarndb/tarn/sql/types"
)

// intervalCastAllowed is the part of the table of casts for intervals: from and
// to text, whole numbers, decimals and the other types of the family. INTERVAL
// comes from text and goes to text.
func intervalCastAllowed(from, to types.Type) bool {
	other := from
	if from.Kind == types.IntervalKind {
		other = to
	}
	switch {
	case other.Kind == types.String:
		return true
	case from.IsCalendar() || to.IsCalendar():
		return false
	case other.Kind == types.IntervalKind:
		return from.IsYearMonth() == to.IsYearMonth()
	}
	return other.IsInteger() || other.Kind == types.Decimal
}

// intervalCast gives the function for a cast from or to an interval, but for
// text.
func intervalCast(from, to types.Type) rowFunc {
	switch {
	case from.Kind == types.IntervalKind && to.Kind == types.IntervalKind:
		return rowShortenInterval
	case to.Kind == types.IntervalKind:
		return rowNumberToInterval
	}
	return rowIntervalToNumber
}

// rowShortenInterval drops what is shorter than the last unit of the type.
func rowShortenInterval(f *frame, i int) error {
	x := f.span(0, i)
	if to := f.out.Type.To; to != types.UnitSecond {
		x -= x % to.Size()
	}
	return f.setSpan(i, x)
}

// rowNumberToInterval takes a number as so many of the type's last unit.
func rowNumberToInterval(f *frame, i int) error {
	numerator, denominator := f.exactNumber(0, i)
	numerator.Mul(numerator, big.NewInt(f.out.Type.To.Size()))
	x, ok := roundedQuotient(numerator, denominator)
	if !ok || f.setSpan(i, x) != nil {
		return invalidCast(f.value(0, i), f.args[0].Type, f.out.Type)
	}
	return nil
}

// rowIntervalToNumber counts the type's last unit: whole ones, but for the
// seconds of a decimal.
func rowIntervalToNumber(f *frame, i int) error {
	from, to := f.args[0].Type, f.out.Type
	x, scale := f.span(0, i), 0
	if from.To == types.UnitSecond && to.Kind == types.Decimal {
		scale = 6
	} else {
		x /= from.To.Size()
	}
	if to.Kind == types.Decimal {
		d, ok := types.Decimal128FromInt64(x).Rescale(scale, int(to.Scale))
		if !ok || !d.FitsPrecision(int(to.Precision)) {
			return invalidCast(f.value(0, i), from, to)
		}
		f.setDecimal(i, d)
		return nil
	}
	if lo, hi := to.IntegerRange(); x < lo || x > hi {
		return invalidCast(f.value(0, i), from, to)
	}
	f.setInt(i, x)
	return nil
}

// parseIntervalText casts text to an interval.
func parseIntervalText(f *frame, i int, s string) bool {
	v, ok := types.ParseInterval(f.out.Type, s)
	f.out.Intervals[i] = v
	return ok
}

// rowTextToCalendar casts text to INTERVAL, NULL where it is none.
func rowTextToCalendar(f *frame, i int) error {
	if !parseIntervalText(f, i, f.text(0, i)) {
		f.setNull(i)
	}
	return nil
}
