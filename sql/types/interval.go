package types

import (
	"cmp"
	"strings"
)

// Unit is a field of an interval type. A later one is shorter.
type Unit uint8

// The units of intervals. UnitYear and UnitMonth make up the year-month family
// of types, the others the day-time family.
const (
	NoUnit Unit = iota // of INTERVAL, which has both families' units
	UnitYear
	UnitMonth
	UnitDay
	UnitHour
	UnitMinute
	UnitSecond
)

var unitNames = [...]string{"", "YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND"}

// String is the SQL name of the unit.
func (u Unit) String() string { return unitNames[u] }

// UnitNamed finds a unit by its name in upper case.
func UnitNamed(name string) (u Unit, ok bool) {
	for u := UnitYear; u <= UnitSecond; u++ {
		if unitNames[u] == name {
			return u, true
		}
	}
	return NoUnit, false
}

// Size is the length of the unit: in months for the year-month family, else in
// microseconds.
func (u Unit) Size() int64 {
	return [...]int64{0, 12, 1, MicrosPerDay, MicrosPerHour, MicrosPerMinute, MicrosPerSecond}[u]
}

// IntervalOf gives INTERVAL from TO to, or the type of one unit where both are
// the same. ok is false for units of two families or in the wrong order.
func IntervalOf(from, to Unit) (t Type, ok bool) {
	if from == NoUnit || from > to || (from <= UnitMonth) != (to <= UnitMonth) {
		return Type{}, false
	}
	return Type{Kind: IntervalKind, From: from, To: to}, true
}

// The widest type of each family of intervals.
var (
	YearMonth = Type{Kind: IntervalKind, From: UnitYear, To: UnitMonth}
	DayTime   = Type{Kind: IntervalKind, From: UnitDay, To: UnitSecond}
)

// IsYearMonth reports whether t is an interval of years and months.
func (t Type) IsYearMonth() bool {
	return t.Kind == IntervalKind && (t.From == UnitYear || t.From == UnitMonth)
}

// IsDayTime reports whether t is an interval of days and shorter units.
func (t Type) IsDayTime() bool { return t.Kind == IntervalKind && t.From >= UnitDay }

// IsCalendar reports whether t is INTERVAL, which may hold all units. Its
// values have no order.
func (t Type) IsCalendar() bool { return t.Kind == IntervalKind && t.From == NoUnit }

// CommonInterval is the least interval type with the units of both; ok is
// false if they are of two families.
func CommonInterval(a, b Type) (t Type, ok bool) {
	if a.IsCalendar() && b.IsCalendar() {
		return a, true
	}
	return IntervalOf(min(a.From, b.From), max(a.To, b.To))
}

// intervalName prints the type as SQL.
func (t Type) intervalName() string {
	switch {
	case t.From == NoUnit:
		return "INTERVAL"
	case t.From == t.To:
		return "INTERVAL " + t.From.String()
	}
	return "INTERVAL " + t.From.String() + " TO " + t.To.String()
}

// Interval is a value of an interval type:
//
//  1. of the year-month family only Months is set;
//  2. of the day-time family Days and Micros are, which have the same sign, and
//     Micros is less than a day, so that equal lengths are equal values;
//  3. INTERVAL has three parts that do not convert into each other: a month
//     has no fixed number of days, and a day of civil time no fixed number of
//     microseconds.
type Interval struct {
	Months int32
	Days   int32
	Micros int64
}

// DayTimeInterval gives the day-time interval of a length.
func DayTimeInterval(micros int64) Interval {
	return Interval{Days: int32(micros / MicrosPerDay), Micros: micros % MicrosPerDay}
}

// Length is the length of a day-time interval in microseconds.
func (v Interval) Length() int64 { return int64(v.Days)*MicrosPerDay + v.Micros }

// Compare orders the intervals of one family by their length. Intervals are
// equal if all their parts are.
func (v Interval) Compare(w Interval) int {
	return cmp.Or(cmp.Compare(v.Months, w.Months), cmp.Compare(v.Days, w.Days), cmp.Compare(v.Micros, w.Micros))
}

// SQL prints a value of type t as an expression that has it.
func (v Interval) SQL(t Type) string {
	if t.IsCalendar() {
		return "CAST('" + FormatInterval(t, v) + "' AS INTERVAL)"
	}
	return FormatInterval(t, v)
}

// FormatInterval prints a value of type t as a cast to STRING does: as a
// literal, or as 1 months 2 days for INTERVAL.
func FormatInterval(t Type, v Interval) string {
	var body string
	switch {
	case t.IsCalendar():
		return formatCalendar(v)
	case t.IsYearMonth():
		body = formatYearMonth(t, int64(v.Months))
	default:
		body = formatDayTime(t, v.Length())
	}
	return "INTERVAL '" + body + "'" + strings.TrimPrefix(t.intervalName(), "INTERVAL")
}
