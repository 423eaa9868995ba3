package eval

import (
	"math"
	"math/big"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
)

// span reads an interval of the year-month family as months, one of the
// day-time family as microseconds.
func (f *frame) span(a, i int) int64 {
	return spanOf(f.args[a].Type, f.interval(a, i))
}

func spanOf(t types.Type, v types.Interval) int64 {
	if t.IsYearMonth() {
		return int64(v.Months)
	}
	return v.Length()
}

// intervalOf is the inverse of spanOf; ok is false if the type has no room.
func intervalOf(t types.Type, x int64) (v types.Interval, ok bool) {
	if t.IsDayTime() {
		return types.DayTimeInterval(x), true
	}
	return types.Interval{Months: int32(x)}, x == int64(int32(x))
}

// setSpan stores months or microseconds, as the result's type has it.
func (f *frame) setSpan(i int, x int64) error {
	v, ok := intervalOf(f.out.Type, x)
	if !ok {
		return overflow(f.out.Type, "interval arithmetic")
	}
	f.out.Intervals[i] = v
	return nil
}

// resolveIntervals types an operation of two intervals of one family, of which
// one may be NULL; ok is false where that is not what the operands are.
func resolveIntervals(op string, args []expr.Expr) (e expr.Expr, ok bool, err error) {
	a, b := args[0].Type(), args[1].Type()
	switch {
	case a.Kind == types.Void && b.Kind == types.IntervalKind && !b.IsCalendar():
		a = b
	case b.Kind == types.Void && a.Kind == types.IntervalKind && !a.IsCalendar():
		b = a
	case a.Kind != types.IntervalKind || b.Kind != types.IntervalKind:
		return nil, false, nil
	}
	t, ok := types.CommonInterval(a, b)
	if !ok || op == expr.OpIntDivide && t.IsCalendar() {
		return nil, true, mismatch("%s does not take %s and %s", op, a, b)
	}
	out := t
	if op == expr.OpIntDivide {
		out = types.Of(types.BigInt)
	}
	return typedCall(op, out, castTo(args[0], t), castTo(args[1], t)), true, nil
}

// resolveScaledInterval types the product of an interval and a number, and
// their quotient. The result has all units of its family.
func resolveScaledInterval(op string, args []expr.Expr) (e expr.Expr, ok bool, err error) {
	a, b := args[0], args[1]
	if op == expr.OpMultiply && b.Type().Kind == types.IntervalKind {
		a, b = b, a
	}
	t := a.Type()
	if t.Kind != types.IntervalKind {
		return nil, false, nil
	}
	text := b.Type().Kind == types.String || b.Type().Kind == types.Void
	if !text && !b.Type().IsNumeric() {
		return nil, true, mismatch("%s takes an interval and a number, not %s", op, typeList(args))
	}
	if text || t.IsCalendar() {
		b = castTo(b, types.Of(types.Double))
	}
	switch {
	case t.IsYearMonth():
		t = types.YearMonth
	case t.IsDayTime():
		t = types.DayTime
	}
	return typedCall(op, t, a, b), true, nil
}

// rowAddIntervals adds intervals of one type, or subtracts them.
func rowAddIntervals(op string) rowFunc {
	return func(f *frame, i int) error {
		if f.out.Type.IsCalendar() {
			return f.addCalendar(op, i)
		}
		x, err := int64Op(op, f.span(0, i), f.span(1, i))
		if err != nil {
			return overflow(f.out.Type, "interval arithmetic")
		}
		return f.setSpan(i, x)
	}
}

func (f *frame) addCalendar(op string, i int) error {
	x, y := f.interval(0, i), f.interval(1, i)
	months, _ := int64Op(op, int64(x.Months), int64(y.Months))
	days, _ := int64Op(op, int64(x.Days), int64(y.Days))
	micros, err := int64Op(op, x.Micros, y.Micros)
	if err != nil || int64(int32(months)) != months || int64(int32(days)) != days {
		return overflow(f.out.Type, "interval arithmetic")
	}
	f.out.Intervals[i] = types.Interval{Months: int32(months), Days: int32(days), Micros: micros}
	return nil
}

// rowDivideIntervals gives how often the second interval goes into the first.
// The least one wraps around when its sign changes, as in Spark.
func rowDivideIntervals(f *frame, i int) error {
	a, b := f.span(0, i), f.span(1, i)
	switch {
	case b == 0:
		return errDivideByZero
	case f.args[0].Type.IsYearMonth():
		f.out.Int64s[i] = int64(int32(a) / int32(b))
	default:
		f.out.Int64s[i] = a / b
	}
	return nil
}

// rowScaleInterval multiplies an interval by a number, or divides it by one;
// halves are rounded away from zero.
func rowScaleInterval(divide bool) rowFunc {
	return func(f *frame, i int) error {
		t := f.args[1].Type
		if f.args[0].Type.IsCalendar() {
			return f.scaleCalendar(i, divide)
		}
		x, ok := f.span(0, i), false
		if t.Kind == types.Float || t.Kind == types.Double {
			by := f.float(1, i)
			if divide && by == 0 {
				return errDivideByZero
			}
			x, ok = roundedFloat(scaled(float64(x), by, divide))
		} else {
			numerator, denominator := big.NewInt(x), big.NewInt(1)
			by, unit := f.exactNumber(1, i)
			if divide {
				by, unit = unit, by
			}
			if unit.Sign() == 0 {
				return errDivideByZero
			}
			x, ok = roundedQuotient(numerator.Mul(numerator, by), denominator.Mul(denominator, unit))
		}
		if !ok {
			return overflow(f.out.Type, "interval arithmetic")
		}
		return f.setSpan(i, x)
	}
}

func scaled(x, by float64, divide bool) float64 {
	if divide {
		return x / by
	}
	return x * by
}

func roundedFloat(x float64) (int64, bool) {
	x = math.Round(x)
	return int64(x), x >= -1<<63 && x < 1<<63
}

// exactNumber gives a whole number or a decimal as a fraction.
func (f *frame) exactNumber(a, i int) (numerator, denominator *big.Int) {
	t := f.args[a].Type
	if t.Kind != types.Decimal {
		return big.NewInt(f.int(a, i)), big.NewInt(1)
	}
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(t.Scale)), nil)
	return f.decimal(a, i).Big(), scale
}

// roundedQuotient rounds halves away from zero.
func roundedQuotient(a, b *big.Int) (int64, bool) {
	q, r := new(big.Int).QuoRem(a, b, new(big.Int))
	if r.Lsh(r, 1).CmpAbs(b) >= 0 {
		q.Add(q, big.NewInt(int64(a.Sign()*b.Sign())))
	}
	return q.Int64(), q.IsInt64()
}

// scaleCalendar multiplies or divides each part; what is left of a day goes to
// the microseconds.
func (f *frame) scaleCalendar(i int, divide bool) error {
	v, by := f.interval(0, i), f.float(1, i)
	if divide && by == 0 {
		return errDivideByZero
	}
	months := math.Trunc(scaled(float64(v.Months), by, divide))
	days := scaled(float64(v.Days), by, divide)
	whole := math.Trunc(days)
	micros := math.Floor(scaled(float64(v.Micros), by, divide) + (days-whole)*types.MicrosPerDay + 0.5)
	if !(math.Abs(months) <= math.MaxInt32 && math.Abs(whole) <= math.MaxInt32 && math.Abs(micros) < 1<<63) {
		return overflow(f.out.Type, "interval arithmetic")
	}
	f.out.Intervals[i] = types.Interval{Months: int32(months), Days: int32(whole), Micros: int64(micros)}
	return nil
}

// rowNegateInterval changes the sign of an interval.
func rowNegateInterval(f *frame, i int) error {
	v := f.interval(0, i)
	if v.Months == math.MinInt32 || v.Days == math.MinInt32 || !f.out.Type.IsCalendar() && v.Length() == math.MinInt64 || v.Micros == math.MinInt64 {
		return overflow(f.out.Type, "negation")
	}
	f.out.Intervals[i] = types.Interval{Months: -v.Months, Days: -v.Days, Micros: -v.Micros}
	return nil
}

// rowAbsInterval gives the magnitude of an interval of one family.
func rowAbsInterval(f *frame, i int) error {
	if f.span(0, i) < 0 {
		return rowNegateInterval(f, i)
	}
	f.out.Intervals[i] = f.interval(0, i)
	return nil
}

// intervalField reads a field of an interval: what is left of it behind the
// next longer unit. A calendar interval's days have 24 hours.
func (f *frame) intervalField(a, i int, u types.Unit) int64 {
	v := f.interval(a, i)
	if u <= types.UnitMonth {
		return [...]int64{types.UnitYear: int64(v.Months / 12), types.UnitMonth: int64(v.Months % 12)}[u]
	}
	x := v.Micros
	if u == types.UnitDay {
		return int64(v.Days) + x/types.MicrosPerDay
	}
	return x % (u - 1).Size() / u.Size()
}

// intervalFields are the fields of intervals by the functions that take them
// from dates and timestamps.
var intervalFields = map[string]struct {
	unit types.Unit
	t    types.Type
}{
	"year": {types.UnitYear, types.Of(types.Int)}, "month": {types.UnitMonth, types.Of(types.TinyInt)}, "day": {types.UnitDay, types.Of(types.Int)},
	"hour": {types.UnitHour, types.Of(types.TinyInt)}, "minute": {types.UnitMinute, types.Of(types.TinyInt)},
	"extract_second": {types.UnitSecond, types.DecimalOf(8, 6)},
}

// extract types EXTRACT(field FROM e).
func extract(field string, e expr.Expr) (expr.Expr, error) {
	f, ok := lookup("extract_" + field)
	if !ok {
		return nil, mismatch("there is no field %s; there are year, quarter, month, week, day, dayofweek, doy, hour, minute, second and more", field)
	}
	t := e.Type()
	if t.Kind != types.IntervalKind {
		return Resolve(f.Name, []expr.Expr{e})
	}
	of, ok := intervalFields[f.Name]
	if !ok || !t.IsCalendar() && (of.unit < t.From || of.unit > t.To) {
		return nil, mismatch("%s has no field %s", t, field)
	}
	return typedCall("interval_field", of.t, expr.Str(of.unit.String()), e), nil
}

func rowIntervalField(f *frame, i int) error {
	u, _ := types.UnitNamed(f.text(0, i))
	if u == types.UnitSecond {
		f.out.Int64s[i] = f.interval(1, i).Micros % types.MicrosPerMinute
		return nil
	}
	f.setInt(i, f.intervalField(1, i, u))
	return nil
}

// intervalFunctions make intervals of numbers.
func intervalFunctions() []*Function {
	field := special("interval_field", "(STRING, INTERVAL) T", "a field of an interval", resolveIntervalField, compileRow(rowIntervalField))
	field.Operator = true
	return []*Function{field,
		function("make_ym_interval", "the interval of years and months", over("INT?, INT?", "INTERVAL YEAR TO MONTH", rowMakeYearMonth)),
		function("make_dt_interval", "the interval of days, hours, minutes and seconds", overDecimal(over("INT?, INT?, INT?", "INTERVAL DAY TO SECOND", rowMakeDayTime), 18, 6)),
		function("make_interval", "the INTERVAL of years, months, weeks, days, hours, minutes and seconds",
			overDecimal(over("INT?, INT?, INT?, INT?, INT?, INT?", "INTERVAL", rowMakeInterval), 18, 6)),
		function("try_make_interval", "the INTERVAL of years, months, weeks, days, hours, minutes and seconds, or NULL where it would be too long",
			orNull(overDecimal(over("INT?, INT?, INT?, INT?, INT?, INT?", "INTERVAL", rowMakeInterval), 18, 6))),
	}
}

func resolveIntervalField(name string, args []expr.Expr) (expr.Expr, error) {
	return nil, mismatch("%s can't be called; use EXTRACT", name)
}

// overDecimal adds an optional parameter of a DECIMAL type to an overload.
func overDecimal(o overload, precision, scale int) overload {
	o.params = append(o.params, types.DecimalOf(precision, scale))
	return o
}

// optional reads a whole number, 0 where the argument is left out.
func (f *frame) optional(a, i int) int64 {
	if a >= len(f.args) {
		return 0
	}
	return f.int(a, i)
}

func rowMakeYearMonth(f *frame, i int) error {
	return f.setSpan(i, f.optional(0, i)*12+f.optional(1, i))
}

func rowMakeDayTime(f *frame, i int) error {
	micros := f.optional(1, i)*types.MicrosPerHour + f.optional(2, i)*types.MicrosPerMinute
	total, err := int64Op(expr.OpMultiply, f.optional(0, i), types.MicrosPerDay)
	for _, part := range []int64{micros, f.seconds(3, i)} {
		if err == nil {
			total, err = int64Op(expr.OpAdd, total, part)
		}
	}
	if err != nil {
		return overflow(f.out.Type, f.name)
	}
	return f.setSpan(i, total)
}

func rowMakeInterval(f *frame, i int) error {
	months := f.optional(0, i)*12 + f.optional(1, i)
	days := f.optional(2, i)*7 + f.optional(3, i)
	micros, err := int64Op(expr.OpAdd, f.optional(4, i)*types.MicrosPerHour+f.optional(5, i)*types.MicrosPerMinute, f.seconds(6, i))
	if err != nil || months != int64(int32(months)) || days != int64(int32(days)) {
		return overflow(f.out.Type, f.name)
	}
	f.out.Intervals[i] = types.Interval{Months: int32(months), Days: int32(days), Micros: micros}
	return nil
}

// seconds reads a DECIMAL(n,6) as microseconds, 0 where it is left out.
func (f *frame) seconds(a, i int) int64 {
	if a >= len(f.args) {
		return 0
	}
	micros, _ := f.decimal(a, i).Int64()
	return micros
}
