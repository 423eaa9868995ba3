package eval

import (
	"strings"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
)

// timeUnit gives one of the unit of a name as an interval.
func timeUnit(name string) (*expr.Literal, bool) {
	v, fields, ok := types.ParseUnits("1 " + strings.TrimSpace(name))
	if strings.EqualFold(name, "DAYOFYEAR") {
		v, fields, ok = types.Interval{Days: 1}, []types.Unit{types.UnitDay}, true
	}
	switch {
	case !ok || len(fields) != 1:
		return nil, false
	case fields[0] <= types.UnitMonth:
		return &expr.Literal{T: types.YearMonth, Value: v}, true
	}
	return &expr.Literal{T: types.DayTime, Value: v}, true
}

// unitArg reads the constant name of a unit.
func unitArg(name string, e expr.Expr) (*expr.Literal, error) {
	v, _ := literalOf(e)
	text, _ := v.(string)
	unit, ok := timeUnit(text)
	if !ok {
		return unit, mismatch("%s takes a unit such as 'DAY' or 'HOUR' first, not %s", name, e)
	}
	return unit, nil
}

// resolveTimestampAdd takes timestampadd(unit, n, t) as t + INTERVAL 1 unit * n.
func resolveTimestampAdd(name string, args []expr.Expr) (expr.Expr, error) {
	if err := wantArgs(name, args, 3, 3); err != nil {
		return nil, err
	}
	unit, err := unitArg(name, args[0])
	if err != nil {
		return nil, err
	}
	at := args[2]
	if !at.Type().IsTimestamp() {
		if at, err = NewCast(at, types.Of(types.Timestamp), false); err != nil {
			return nil, err
		}
	}
	n, err := Resolve(expr.OpMultiply, []expr.Expr{unit, castTo(args[1], types.Of(types.BigInt))})
	if err != nil {
		return nil, err
	}
	return Resolve(expr.OpAdd, []expr.Expr{at, n})
}

func resolveTimestampDiff(name string, args []expr.Expr) (expr.Expr, error) {
	if err := wantArgs(name, args, 3, 3); err != nil {
		return nil, err
	}
	unit, err := unitArg(name, args[0])
	if err != nil {
		return nil, err
	}
	if v, _ := literalOf(args[0]); strings.EqualFold(v.(string), "DAYOFYEAR") && args[1].Type().Kind != types.Void && args[2].Type().Kind != types.Void {
		return nil, invalid("timestampdiff counts no DAYOFYEAR; use DAY")
	}
	cast := []expr.Expr{unit}
	for _, a := range args[1:] {
		t, ok := CommonType(a.Type(), types.Of(types.TimestampNTZ))
		if !ok || isNanos(t) {
			return nil, noOverload(name, args)
		}
		if t.Kind == types.TimestampNTZ && a.Type().Kind != types.TimestampNTZ {
			t = types.Of(types.Timestamp)
		}
		cast = append(cast, castTo(a, t))
	}
	return typedCall(name, types.Of(types.BigInt), cast...), nil
}

// compileTimestampDiff counts months on the calendar and shorter units as
// elapsed time, days as 24 hours of the clock.
func compileTimestampDiff(c *compiler, e *expr.Call) (node, error) {
	unit := e.Args[0].(*expr.Literal).Value.(types.Interval)
	return compileRow(func(f *frame, i int) error {
		from, to := f.wall(1, i), f.wall(2, i)
		if unit.Months > 0 {
			f.out.Int64s[i] = wholeMonths(from, to) / int64(unit.Months)
			return nil
		}
		if unit.Days == 0 {
			from, to = f.int(1, i), f.int(2, i)
		}
		micros, _ := types.Decimal128FromInt64(to).Sub(types.Decimal128FromInt64(from))
		q, _ := micros.QuoRem(types.Decimal128FromInt64(unit.Length()))
		n, ok := q.Int64()
		if !ok {
			return overflow(f.out.Type, "timestampdiff")
		}
		f.out.Int64s[i] = n
		return nil
	})(c, e)
}

// wholeMonths counts the months that fit between two clocks, negative if the
// second is earlier. A day that has not ended does not count.
func wholeMonths(from, to int64) int64 {
	d1, us1 := types.SplitMicros(from)
	d2, us2 := types.SplitMicros(to)
	switch {
	case d2 > d1 && us2 < us1:
		d2--
	case d2 < d1 && us2 > us1:
		d2++
	}
	y1, m1, day1 := types.CivilFromDays(d1)
	y2, m2, day2 := types.CivilFromDays(d2)
	const most = 32 // days of a month, and more
	return ((int64(y2-y1)*12+int64(m2-m1))*most + int64(day2-day1)) / most
}
