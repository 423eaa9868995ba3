package eval

import (
	"math"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
)

// resolveTemporal types op on dates, timestamps and intervals; ok is false if
// none of the operands is one.
func resolveTemporal(op string, args []expr.Expr) (e expr.Expr, ok bool, err error) {
	switch op {
	case expr.OpIntDivide:
		return resolveIntervals(op, args)
	case expr.OpMultiply, expr.OpDivide:
		return resolveScaledInterval(op, args)
	case expr.OpAdd, expr.OpSubtract:
	default:
		return nil, false, nil
	}
	if e, ok, err = resolveIntervals(op, args); ok {
		return e, ok, err
	}
	a, b := args[0], args[1]
	if op == expr.OpAdd && (a.Type().Kind == types.IntervalKind || b.Type().Kind == types.Date) {
		a, b = b, a // the interval or the number of days comes second
	}
	switch at, bt := a.Type(), b.Type(); {
	case bt.Kind == types.IntervalKind:
		e, err = shiftByInterval(op, a, b)
	case op == expr.OpAdd && (isDatetime(at) && bt.Kind == types.Void || at.Kind == types.Void && isDatetime(bt)):
		e = expr.Null(addedNull(at, bt))
	case op == expr.OpSubtract && (isMoment(bt) || isMoment(at) && (bt.Kind == types.String || bt.Kind == types.Void)):
		e, err = differenceOf(a, b)
	case at.Kind == types.Date && bt.IsInteger() && bt.Kind != types.BigInt:
		e = typedCall(op, at, a, castTo(b, types.Of(types.Int)))
	case isDatetime(at) || isDatetime(bt) || at.Kind == types.IntervalKind:
		err = mismatch("%s does not take %s; dates go with INT and intervals, timestamps with intervals", op, typeList(args))
	default:
		return nil, false, nil
	}
	return e, true, err
}

// addedNull is the type of a date or a timestamp plus NULL.
func addedNull(a, b types.Type) types.Type {
	if a.Kind == types.Void {
		a = b
	}
	if a.Kind == types.Date {
		return types.Of(types.Timestamp)
	}
	return a
}

// shiftByInterval types the moment that is an interval away from another. A
// DATE becomes a TIMESTAMP where the interval has a unit below the day.
func shiftByInterval(op string, at, by expr.Expr) (expr.Expr, error) {
	t, interval := at.Type(), by.Type()
	switch {
	case t.Kind == types.Date && interval.IsDayTime() && interval.To != types.UnitDay:
		t = types.Of(types.Timestamp)
	case t.Kind == types.Moment:
		if interval.IsDayTime() && interval.To != types.UnitDay {
			t.Precision = 1
		}
	case isDatetime(t), t.Kind == types.Time:
	case t.Kind == types.String && !interval.IsYearMonth():
		t = types.Of(types.Timestamp)
		return castTo(typedCall(op, t, castTo(at, t), by), stringType), nil
	default:
		return nil, mismatch("%s does not take %s and %s", op, t, interval)
	}
	return typedCall(op, t, castTo(at, t), by), nil
}

// differenceOf types the interval between two moments.
func differenceOf(a, b expr.Expr) (expr.Expr, error) {
	at, bt := a.Type(), b.Type()
	if at.Kind == types.String || at.Kind == types.Void {
		at = bt
	}
	if bt.Kind == types.String || bt.Kind == types.Void {
		bt = at
	}
	if !isMoment(at) || !isMoment(bt) || (at.Kind == types.Time) != (bt.Kind == types.Time) {
		return nil, mismatch("- does not take %s and %s", at, bt)
	}
	common, t := at, types.DayTime
	switch {
	case at.Kind == types.Time:
		t.From = types.UnitHour
	default:
		if common = commonDatetime(at, bt); common.Kind == types.Date {
			t.To = types.UnitDay
		}
	}
	return typedCall(expr.OpSubtract, t, castTo(a, common), castTo(b, common)), nil
}

func anyNullable(args []expr.Expr) bool {
	for _, a := range args {
		if a.Nullable() {
			return true
		}
	}
	return false
}

// temporalKernel gives the function of a typed temporal operation.
func temporalKernel(e *expr.Call) (rowFunc, bool) {
	a, b := e.Args[0].Type(), e.Args[1].Type()
	op := baseOperator(e.Name)
	sign := int64(1)
	if op == expr.OpSubtract {
		sign = -1
	}
	switch {
	case a.Kind == types.IntervalKind && b.Kind == types.IntervalKind && op == expr.OpIntDivide:
		return rowDivideIntervals, true
	case a.Kind == types.IntervalKind && b.Kind == types.IntervalKind:
		return rowAddIntervals(op), true
	case a.Kind == types.IntervalKind:
		return rowScaleInterval(op == expr.OpDivide), true
	case isMoment(b):
		return rowDatetimeDifference, true
	case a.Kind == types.Date && b.IsInteger():
		return func(f *frame, i int) error { f.setInt(i, f.int(0, i)+sign*f.int(1, i)); return nil }, true
	case a.Kind == types.Date:
		return func(f *frame, i int) error { return rowDateInterval(f, i, sign) }, true
	case a.Kind == types.Time:
		return func(f *frame, i int) error { return rowTimeInterval(f, i, sign) }, true
	case a.IsTimestamp():
		return func(f *frame, i int) error { return rowTimestampInterval(f, i, sign) }, true
	}
	return nil, false
}

func storeDate(f *frame, i int, days int64) error {
	if days < math.MinInt32 || days > math.MaxInt32 {
		return overflow(types.Of(types.Date), "date arithmetic")
	}
	f.setInt(i, days)
	return nil
}

// rowDatetimeDifference gives the days between dates and the microseconds
// between times and timestamps, by the clock of the session's zone for instants.
func rowDatetimeDifference(f *frame, i int) error {
	unit := int64(1)
	var a, b int64
	switch f.args[0].Type.Kind {
	case types.Date:
		a, b, unit = f.int(0, i), f.int(1, i), types.MicrosPerDay
	case types.Time:
		a, b = f.int(0, i), f.int(1, i)
	default:
		a, b = f.wall(0, i), f.wall(1, i)
	}
	d, err := int64Op(expr.OpSubtract, a, b)
	if err == nil {
		d, err = int64Op(expr.OpMultiply, d, unit)
	}
	if err != nil {
		return overflow(f.out.Type, "the difference")
	}
	return f.setSpan(i, d)
}

// rowDateInterval wraps around at the ends of the days of a DATE where the
// interval is a number of days by its type, as Spark does.
func rowDateInterval(f *frame, i int, sign int64) error {
	v := f.interval(1, i)
	if f.args[1].Type.IsDayTime() {
		f.setInt(i, f.int(0, i)+sign*int64(v.Days))
		return nil
	}
	if v.Micros != 0 {
		return invalid("%s has a part below the day; cast the DATE to TIMESTAMP to add it", types.FormatInterval(f.args[1].Type, v))
	}
	days := types.AddMonths(int32(f.int(0, i)), int(sign)*int(v.Months))
	return storeDate(f, i, days+sign*int64(v.Days))
}

// rowTimeInterval fails where the sum is not within the day.
func rowTimeInterval(f *frame, i int, sign int64) error {
	v := f.interval(1, i)
	sum := f.int(0, i) + sign*v.Micros
	if v.Months != 0 || v.Days != 0 || sum < 0 || sum >= types.MicrosPerDay {
		return invalid("TIME '%s' plus or minus %s is not within the day", types.FormatTimeOfDay(f.int(0, i)), types.FormatInterval(f.args[1].Type, v))
	}
	f.setInt(i, sum)
	return nil
}

// rowTimestampInterval adds months and days on the wall clock of the session's
// zone and then the microseconds as elapsed time.
func rowTimestampInterval(f *frame, i int, sign int64) error {
	t, v := f.out.Type, f.interval(1, i)
	micros, nanos := f.int(0, i), int64(0)
	if isNanos(t) {
		micros, nanos = floorDivMod(micros, 1000)
	}
	if v.Months != 0 || v.Days != 0 {
		zone := f.env.zone()
		if isInstant(t) {
			micros = types.InstantToWall(micros, zone)
		}
		days, ofDay := types.SplitMicros(micros)
		moved, ok := types.JoinMicros(types.AddMonths(days, int(sign)*int(v.Months))+sign*int64(v.Days), ofDay)
		if !ok {
			return overflow(t, "timestamp arithmetic")
		}
		micros = moved
		if isInstant(t) {
			micros = types.WallToInstant(micros, zone)
		}
	}
	micros, err := int64Op(expr.OpAdd, micros, sign*v.Micros)
	if err == nil && isNanos(t) {
		if micros, err = int64Op(expr.OpMultiply, micros, 1000); err == nil {
			micros, err = int64Op(expr.OpAdd, micros, nanos)
		}
	}
	if err != nil {
		return overflow(t, "timestamp arithmetic")
	}
	f.setInt(i, micros)
	return nil
}

func floorDivMod(a, b int64) (q, r int64) {
	q, r = a/b, a%b
	if r < 0 {
		q--
		r += b
	}
	return q, r
}
