package eval

import (
	"strings"
	"time"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
)

// dateFunctions take dates and timestamps apart and compute with dates. A
// TIMESTAMP shows the calendar of the session's zone. Days that are added,
// subtracted and cut off wrap around at the ends of their range, as in Spark.
func dateFunctions() []*Function {
	out := []*Function{
		dateField("year extract_year", "the year", func(d int32) int64 { y, _, _ := types.CivilFromDays(d); return int64(y) }),
		dateField("quarter extract_quarter", "the quarter, 1 to 4", func(d int32) int64 { _, m, _ := types.CivilFromDays(d); return int64(m+2) / 3 }),
		dateField("month extract_month", "the month, 1 to 12", func(d int32) int64 { _, m, _ := types.CivilFromDays(d); return int64(m) }),
		dateField("day dayofmonth extract_day", "the day of the month", func(d int32) int64 { _, _, day := types.CivilFromDays(d); return int64(day) }),
		dateField("dayofweek extract_dayofweek", "the day of the week, 1 is Sunday", func(d int32) int64 { return weekday(d)%7 + 1 }),
		dateField("dayofweek_iso extract_dayofweek_iso", "the day of the week, 1 is Monday", weekday),
		dateField("weekday", "the day of the week, 0 is Monday", func(d int32) int64 { return weekday(d) - 1 }),
		dateField("dayofyear extract_doy", "the day of the year", dayOfYear),
		dateField("weekofyear week extract_week", "the ISO week of the year", func(d int32) int64 { _, w := isoWeek(d); return w }),
		dateField("yearofweek extract_yearofweek", "the year of the ISO week", func(d int32) int64 { y, _ := isoWeek(d); return y }),
		dateField("unix_date", "the days since 1970-01-01", func(d int32) int64 { return int64(d) }).strictly(isDate),
		function("dayname", "the short name of the day", over("DATE", "STRING", func(f *frame, i int) error {
			return f.setString(i, time.Weekday(weekday(int32(f.int(0, i))) % 7).String()[:3])
		})),
		function("monthname", "the short name of the month", over("DATE", "STRING", func(f *frame, i int) error {
			_, m, _ := types.CivilFromDays(int32(f.int(0, i)))
			return f.setString(i, time.Month(m).String()[:3])
		})),
		special("date_part datepart", "(STRING, DATE | TIMESTAMP | INTERVAL) INT", "the field that the first argument names", resolveDatePart, nil),
		function("date_add dateadd", "so many days later", over("DATE, INT", "DATE", func(f *frame, i int) error {
			f.setInt(i, f.int(0, i)+f.int(1, i))
			return nil
		})).strictly(nil, isDays),
		function("date_sub", "so many days earlier", over("DATE, INT", "DATE", func(f *frame, i int) error {
			f.setInt(i, f.int(0, i)-f.int(1, i))
			return nil
		})).strictly(nil, isDays),
		function("datediff date_diff", "the days from the second date to the first", over("DATE, DATE", "INT", func(f *frame, i int) error {
			f.setInt(i, f.int(0, i)-f.int(1, i))
			return nil
		})),
		function("add_months", "so many months later; the last day where the month is shorter", over("DATE, INT", "DATE", func(f *frame, i int) error {
			return storeDate(f, i, types.AddMonths(int32(f.int(0, i)), int(f.int(1, i))))
		})),
		function("last_day", "the last day of the month", over("DATE", "DATE", func(f *frame, i int) error {
			y, m, _ := types.CivilFromDays(int32(f.int(0, i)))
			f.out.Int32s[i] = types.DaysFromCivil(y, m, types.DaysInMonth(y, m))
			return nil
		})),
		function("next_day", "the next day of the week that the second argument names", over("DATE, STRING", "DATE", rowNextDay)),
		function("trunc", "the first day of the year, quarter, month or week", orNull(over("DATE, STRING", "DATE", func(f *frame, i int) error {
			days, ok := truncDays(int32(f.int(0, i)), f.text(1, i))
			switch {
			case !ok:
				f.setNull(i)
			case strings.EqualFold(f.text(1, i), "QUARTER"): // the one unit that does not wrap around
				return storeDate(f, i, days)
			default:
				f.setInt(i, days)
			}
			return nil
		}))),
		function("make_date", "the date of year, month and day", over("INT, INT, INT", "DATE", func(f *frame, i int) error {
			days, err := makeDate(f.int(0, i), f.int(1, i), f.int(2, i))
			f.out.Int32s[i] = days
			return err
		})),
		function("date_from_unix_date", "the date so many days after 1970-01-01", over("INT", "DATE", func(f *frame, i int) error {
			f.out.Int32s[i] = int32(f.int(0, i))
			return nil
		})),
	}
	for _, f := range out {
		f.addFieldAliases()
	}
	return out
}

func isDate(t types.Type) bool { return t.Kind == types.Date }

// isDays reports whether t is a number of days for date_add, or text of one.
func isDays(t types.Type) bool {
	return t.IsInteger() && t.Kind != types.BigInt || t.Kind == types.String
}

// fieldAliases are the other names of EXTRACT's fields.
var fieldAliases = map[string][]string{
	"year": {"y", "years", "yr", "yrs"}, "quarter": {"qtr"}, "month": {"mon", "mons", "months"}, "day": {"d", "days"},
	"dayofweek": {"dow"}, "dayofweek_iso": {"dow_iso"}, "dayofyear": {"dayofyear"}, "weekofyear": {"w", "weeks"}, "yearofweek": {"isoyear"},
	"hour": {"h", "hours", "hr", "hrs"}, "minute": {"m", "min", "mins", "minutes"}, "extract_second": {"s", "sec", "secs", "seconds"},
}

func (f *Function) addFieldAliases() {
	for _, alias := range fieldAliases[f.Name] {
		f.Aliases = append(f.Aliases, "extract_"+alias)
	}
}

// dateField makes a function of the day of a date or a timestamp.
func dateField(names, doc string, field func(days int32) int64) *Function {
	day := overKernel("DATE", "INT", func(f *frame) error {
		a, r := f.args[0].Int32s, f.out.Int32s
		for k := range rowsOf(f.sel, f.n) {
			i := rowAt(f.sel, k)
			r[i] = int32(field(a[i]))
		}
		return nil
	})
	at := func(f *frame, i int) error {
		days, _ := types.SplitMicros(f.wall(0, i))
		f.out.Int32s[i] = int32(field(days))
		return nil
	}
	return function(names, doc, day, over("TIMESTAMP", "INT", at), over("TIMESTAMP_NTZ", "INT", at))
}

// wall reads a timestamp as microseconds on the clock: of the session's zone
// for an instant.
func (f *frame) wall(a, i int) int64 {
	x := f.int(a, i)
	t := f.args[a].Type
	if isNanos(t) {
		x, _ = floorDivMod(x, 1000)
	}
	if isInstant(t) {
		x = types.InstantToWall(x, f.env.zone())
	}
	return x
}

// setWall stores a clock's microseconds as a timestamp.
func (f *frame) setWall(i int, wall int64) {
	if isInstant(f.out.Type) {
		wall = types.WallToInstant(wall, f.env.zone())
	}
	f.out.Int64s[i] = wall
}

// weekday is 1 for Monday to 7 for Sunday; 1970-01-01 was a Thursday.
func weekday(days int32) int64 {
	_, r := floorDivMod(int64(days)+3, 7)
	return r + 1
}

func dayOfYear(days int32) int64 {
	y, _, _ := types.CivilFromDays(days)
	return int64(days-types.DaysFromCivil(y, 1, 1)) + 1
}

// isoWeek gives the week with the date's Thursday, and its year.
func isoWeek(days int32) (year, week int64) {
	thursday := days + 4 - int32(weekday(days))
	y, _, _ := types.CivilFromDays(thursday)
	return int64(y), (dayOfYear(thursday)-1)/7 + 1
}

// resolveDatePart takes date_part('field', x) as extract_field(x).
func resolveDatePart(name string, args []expr.Expr) (expr.Expr, error) {
	if err := wantArgs(name, args, 2, 2); err != nil {
		return nil, err
	}
	v, _ := literalOf(args[0])
	field, ok := v.(string)
	if !ok {
		return nil, mismatch("%s takes the name of a field as a constant string, not %s", name, args[0])
	}
	return extract(strings.ToLower(field), args[1])
}

func makeDate(y, m, d int64) (int32, error) {
	days, ok := types.DaysOfDate(int(y), int(m), int(d))
	if !ok {
		return 0, invalid("there is no date of year %d, month %d, day %d", y, m, d)
	}
	return days, nil
}

func rowNextDay(f *frame, i int) error {
	name := strings.ToUpper(f.text(1, i))
	for k, full := range []string{"MONDAY", "TUESDAY", "WEDNESDAY", "THURSDAY", "FRIDAY", "SATURDAY", "SUNDAY"} {
		if name == full || name == full[:2] || name == full[:3] {
			f.out.Int32s[i] = nextWeekday(int32(f.int(0, i)), int32(k))
			return nil
		}
	}
	return invalid("%q is not a day of the week", f.string(1, i))
}

// nextWeekday gives the first later day that is a day of the week, 0 is Monday.
// All steps wrap around at the ends of the range, as in Spark, where the result
// may then be another day of the week.
func nextWeekday(days, weekday int32) int32 {
	fromThursday := (weekday + 4) % 7 // 1970-01-01 was one
	return days + 1 + ((fromThursday-1-days)%7+7)%7
}

// truncDays gives the first day of the unit around a date, which may be before
// the days of a DATE.
func truncDays(days int32, unit string) (int64, bool) {
	y, m, _ := types.CivilFromDays(days)
	switch strings.ToUpper(unit) {
	case "YEAR", "YYYY", "YY":
		m = 1
	case "QUARTER":
		m = (m-1)/3*3 + 1
	case "MONTH", "MON", "MM":
	case "WEEK":
		const monday = 0
		return int64(nextWeekday(days-7, monday)), true
	default:
		return 0, false
	}
	into := days - types.DaysFromCivil(y, m, 1) // few days, though the first may wrap around
	return int64(days) - int64(into), true
}
