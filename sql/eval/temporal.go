package eval

import (
	"math"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
)

// temporalType gives the type of op on dates, timestamps and intervals; ok is
// false if none of the operands is one or the operation has no meaning.
func temporalType(op string, a, b types.Type) (t types.Type, ok bool) {
	interval := types.Of(types.IntervalKind)
	ai, bi := a.Kind == types.IntervalKind, b.Kind == types.IntervalKind
	switch op {
	case expr.OpAdd:
		switch {
		case ai && bi:
			return interval, true
		case bi && (isDatetime(a) || a.Kind == types.Time):
			return a, true
		case ai && (isDatetime(b) || b.Kind == types.Time):
			return b, true
		case a.Kind == types.Date && b.IsInteger():
			return a, true
		case b.Kind == types.Date && a.IsInteger():
			return b, true
		}
	case expr.OpSubtract:
		switch {
		case ai && bi, isDatetime(a) && isDatetime(b):
			return interval, true
		case bi && (isDatetime(a) || a.Kind == types.Time):
			return a, true
		case a.Kind == types.Date && b.IsInteger():
			return a, true
		}
	case expr.OpMultiply:
		return interval, ai && b.IsNumeric() || bi && a.IsNumeric()
	case expr.OpDivide:
		return interval, ai && b.IsNumeric()
	}
	return types.Type{}, false
}

// resolveTemporal types op on dates, timestamps and intervals. A DATE meets an
// interval as TIMESTAMP where the interval's fields below the day are not
// known to be zero, as only a literal's are.
func resolveTemporal(op string, args []expr.Expr) (expr.Expr, bool, error) {
	a, b := args[0], args[1]
	t, ok := temporalType(op, a.Type(), b.Type())
	if !ok {
		return nil, false, nil
	}
	if op == expr.OpAdd && a.Type().Kind == types.IntervalKind && b.Type().Kind != types.IntervalKind ||
		op == expr.OpAdd && a.Type().IsInteger() || op == expr.OpMultiply && b.Type().Kind == types.IntervalKind {
		a, b = b, a // the interval or the number of days comes second, except in products
	}
	switch {
	case b.Type().IsInteger() && a.Type().Kind == types.Date:
		b = castTo(b, types.Of(types.Int))
	case b.Type().IsNumeric():
		b = castTo(b, types.Of(types.Double))
	case isDatetime(a.Type()) && isDatetime(b.Type()):
		common := commonDatetime(a.Type(), b.Type())
		a, b = castTo(a, common), castTo(b, common)
	case t.Kind == types.Date && hasTimeOfDay(b):
		t = types.Of(types.Timestamp)
		a = castTo(a, t)
	}
	args = []expr.Expr{a, b}
	return &expr.Call{Name: op, Args: args, T: t, MayBeNull: anyNullable(args)}, true, nil
}

// hasTimeOfDay reports whether an interval is a literal with hours, minutes or
// seconds.
func hasTimeOfDay(e expr.Expr) bool {
	switch e := e.(type) {
	case *expr.Literal:
		v, ok := e.Value.(types.Interval)
		return ok && v.Micros != 0
	case *expr.Call:
		for _, a := range e.Args {
			if hasTimeOfDay(a) {
				return true
			}
		}
	}
	return false
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
	if _, ok := temporalType(op, a, b); !ok {
		return nil, false
	}
	sign := int64(1)
	if op == expr.OpSubtract {
		sign = -1
	}
	switch {
	case a.Kind == types.IntervalKind && b.Kind == types.IntervalKind:
		return func(f *frame, i int) error { return addIntervals(f, i, sign) }, true
	case a.Kind == types.IntervalKind:
		return func(f *frame, i int) error { return scaleInterval(f, i, op == expr.OpDivide) }, true
	case b.Kind != types.IntervalKind && isDatetime(b):
		return rowDatetimeDifference, true
	case a.Kind == types.Date && b.IsInteger():
		return func(f *frame, i int) error { return storeDate(f, i, f.int(0, i)+sign*f.int(1, i)) }, true
	case a.Kind == types.Date:
		return func(f *frame, i int) error { return rowDateInterval(f, i, sign) }, true
	case a.Kind == types.Time:
		return func(f *frame, i int) error { return rowTimeInterval(f, i, sign) }, true
	}
	return func(f *frame, i int) error { return rowTimestampInterval(f, i, sign) }, true
}

func storeDate(f *frame, i int, days int64) error {
	if days < math.MinInt32 || days > math.MaxInt32 {
		return overflow(types.Of(types.Date), "date arithmetic")
	}
	f.setInt(i, days)
	return nil
}

func addIntervals(f *frame, i int, sign int64) error {
	x, y := f.interval(0, i), f.interval(1, i)
	months := int64(x.Months) + sign*int64(y.Months)
	days := int64(x.Days) + sign*int64(y.Days)
	micros, err := int64Op(expr.OpAdd, x.Micros, sign*y.Micros)
	if err != nil || int64(int32(months)) != months || int64(int32(days)) != days {
		return overflow(f.out.Type, "interval arithmetic")
	}
	f.out.Intervals[i] = types.Interval{Months: int32(months), Days: int32(days), Micros: micros}
	return nil
}

// scaleInterval multiplies or divides each part of an interval; what is left
// of a day goes to the microseconds.
func scaleInterval(f *frame, i int, divide bool) error {
	v, by := f.interval(0, i), f.float(1, i)
	if divide {
		if by == 0 {
			return errDivideByZero
		}
		by = 1 / by
	}
	months := math.Trunc(float64(v.Months) * by)
	days := float64(v.Days) * by
	whole := math.Trunc(days)
	micros := math.Round(float64(v.Micros)*by + (days-whole)*types.MicrosPerDay)
	if !(math.Abs(months) <= math.MaxInt32 && math.Abs(whole) <= math.MaxInt32 && math.Abs(micros) < 1<<63) {
		return overflow(f.out.Type, "interval arithmetic")
	}
	f.out.Intervals[i] = types.Interval{Months: int32(months), Days: int32(whole), Micros: int64(micros)}
	return nil
}

// rowDatetimeDifference gives days between dates and microseconds between
// timestamps.
func rowDatetimeDifference(f *frame, i int) error {
	d, err := int64Op(expr.OpSubtract, f.int(0, i), f.int(1, i))
	if err != nil {
		return err
	}
	v := types.Interval{}
	switch t := f.args[0].Type; {
	case t.Kind == types.Date:
		if int64(int32(d)) != d {
			return overflow(f.out.Type, "date difference")
		}
		v.Days = int32(d)
	case isNanos(t):
		v.Micros = d / 1000
	default:
		v.Micros = d
	}
	f.out.Intervals[i] = v
	return nil
}

func rowDateInterval(f *frame, i int, sign int64) error {
	v := f.interval(1, i)
	if v.Micros != 0 {
		return invalid("INTERVAL '%s' has a part below the day; cast the DATE to TIMESTAMP to add it", v)
	}
	days := types.AddMonths(int32(f.int(0, i)), int(sign)*int(v.Months))
	return storeDate(f, i, int64(days)+sign*int64(v.Days))
}

// rowTimeInterval wraps around midnight.
func rowTimeInterval(f *frame, i int, sign int64) error {
	v := f.interval(1, i)
	_, ofDay := types.SplitMicros(f.int(0, i) + sign*(v.Micros%types.MicrosPerDay))
	f.setInt(i, ofDay)
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
		moved := int64(types.AddMonths(days, int(sign)*int(v.Months))) + sign*int64(v.Days)
		if moved > maxMicrosDay || moved < -maxMicrosDay {
			return overflow(t, "timestamp arithmetic")
		}
		micros = moved*types.MicrosPerDay + ofDay
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

// maxMicrosDay is the last day whose microseconds fit int64.
const maxMicrosDay = math.MaxInt64/types.MicrosPerDay - 1

func floorDivMod(a, b int64) (q, r int64) {
	q, r = a/b, a%b
	if r < 0 {
		q--
		r += b
	}
	return q, r
}
