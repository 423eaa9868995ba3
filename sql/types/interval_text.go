package types

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// formatYearMonth prints months by the units of t, as 1-2.
func formatYearMonth(t Type, months int64) string {
	sign := ""
	if months < 0 {
		sign, months = "-", -months
	}
	switch {
	case t.To == UnitYear:
		return fmt.Sprintf("%s%d", sign, months/12)
	case t.From == UnitMonth:
		return fmt.Sprintf("%s%d", sign, months)
	}
	return fmt.Sprintf("%s%d-%d", sign, months/12, months%12)
}

// formatDayTime prints microseconds by the units of t, as 1 02:03:04.5. Only
// days and what follows another unit may exceed two digits.
func formatDayTime(t Type, micros int64) string {
	rest := uint64(micros)
	var dst []byte
	if micros < 0 {
		rest = -rest
		dst = append(dst, '-')
	}
	for u := t.From; u <= t.To; u++ {
		if u > t.From {
			dst = append(dst, separatorBefore(u))
		}
		n := rest / uint64(u.Size())
		rest %= uint64(u.Size())
		if n < 10 && u != UnitDay {
			dst = append(dst, '0')
		}
		dst = strconv.AppendUint(dst, n, 10)
	}
	if t.To == UnitSecond && rest > 0 {
		dst = append(dst, strings.TrimRight(fmt.Sprintf(".%06d", rest), "0")...)
	}
	return string(dst)
}

// separatorBefore is the character between a unit and the longer one before it.
func separatorBefore(u Unit) byte {
	switch u {
	case UnitMonth:
		return '-'
	case UnitHour:
		return ' '
	}
	return ':'
}

// formatCalendar prints an INTERVAL as 1 years 2 months 3 days 4.5 seconds.
func formatCalendar(v Interval) string {
	var parts []string
	add := func(n int64, unit string) {
		if n != 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, unit))
		}
	}
	add(int64(v.Months/12), "years")
	add(int64(v.Months%12), "months")
	add(int64(v.Days), "days")
	add(v.Micros/MicrosPerHour, "hours")
	add(v.Micros/MicrosPerMinute%60, "minutes")
	if us := v.Micros % MicrosPerMinute; us != 0 {
		sign := ""
		if us < 0 {
			sign, us = "-", -us
		}
		sec := strings.TrimRight(fmt.Sprintf("%s%d.%06d", sign, us/MicrosPerSecond, us%MicrosPerSecond), "0")
		parts = append(parts, strings.TrimSuffix(sec, ".")+" seconds")
	}
	if parts == nil {
		return "0 seconds"
	}
	return strings.Join(parts, " ")
}

// ParseInterval reads a value of an interval type from the text that
// FormatInterval prints, or from that between the quotes.
func ParseInterval(t Type, text string) (v Interval, ok bool) {
	if t.IsCalendar() {
		v, _, ok = ParseUnits(text)
		return v, ok
	}
	s := TrimBlanks(text)
	s, negative, ok := unquoteInterval(t, s)
	if !ok {
		return Interval{}, false
	}
	s, minus := cutSign(s)
	total, ok := parseFields(t, s, negative != minus)
	if !ok {
		return Interval{}, false
	}
	if t.IsDayTime() {
		return DayTimeInterval(total), true
	}
	return Interval{Months: int32(total)}, total == int64(int32(total))
}

func isBlank(r rune) bool { return r <= ' ' || r == 0x7F }

func cutSign(s string) (rest string, minus bool) {
	if s != "" && (s[0] == '-' || s[0] == '+') {
		return s[1:], s[0] == '-'
	}
	return s, false
}

// unquoteInterval takes INTERVAL -'…' UNITS, with the units of t, off the text
// between the quotes. Other text stays as it is.
func unquoteInterval(t Type, s string) (body string, negative, ok bool) {
	const word = "INTERVAL"
	if len(s) < len(word) || !strings.EqualFold(s[:len(word)], word) {
		return s, false, true
	}
	rest := strings.TrimLeftFunc(s[len(word):], isBlank)
	quoted, negative := cutSign(rest)
	body, units, found := strings.Cut(strings.TrimPrefix(quoted, "'"), "'")
	given := strings.Join(strings.Fields(strings.ToUpper(units)), " ")
	ok = found && len(rest) < len(s)-len(word) && strings.HasPrefix(quoted, "'") && isBlank(rune((units + "x")[0]))
	return body, negative, ok && word+" "+given == t.intervalName()
}

// parseFields reads the units of t one after the other and adds them up in
// months or microseconds. Only the first may exceed the next longer unit.
func parseFields(t Type, s string, negative bool) (total int64, ok bool) {
	switch {
	case t.From < t.To && t.To == UnitMonth:
		return parseYearMonth(s, negative)
	case t.From == t.To && t.To != UnitSecond:
		return parseField(t.From, s, negative)
	}
	sum := Decimal128{}
	for u := t.From; u <= t.To; u++ {
		most := mostDigits[u]
		if u > t.From {
			if s == "" || s[0] != separatorBefore(u) {
				return 0, false
			}
			s, most = s[1:], 2
		}
		n, rest, digits := leadingInt(s, most)
		if digits == 0 || u > t.From && int64(n)*u.Size() >= (u-1).Size() {
			return 0, false
		}
		s = rest
		if sum, ok = addProduct(sum, int64(n), u.Size()); !ok {
			return 0, false
		}
	}
	if t.To == UnitSecond && strings.HasPrefix(s, ".") {
		micros, rest, digits := leadingFraction(s[1:])
		if digits == 0 || digits > 9 {
			return 0, false
		}
		negative = negative && (t.From != UnitSecond || sum.Sign() > 0) // Spark takes the sign of -0.5 off with the 0
		sum, _ = addProduct(sum, micros, 1)
		s = rest
	}
	if negative {
		sum = sum.Neg()
	}
	total, ok = sum.Int64()
	return total, ok && s == ""
}

// mostDigits are those of the first unit of a day-time interval.
var mostDigits = [...]int{UnitDay: 9, UnitHour: 10, UnitMinute: 12, UnitSecond: 13}

// parseYearMonth reads years and months, as 1-2.
func parseYearMonth(s string, negative bool) (months int64, ok bool) {
	y, m, found := strings.Cut(s, "-")
	years, err := strconv.ParseUint(y, 10, 31)
	rest, errMonths := strconv.ParseUint(m, 10, 31)
	months = int64(years)*12 + int64(rest)
	if negative {
		months = -months
	}
	return months, found && err == nil && errMonths == nil && rest < 12
}

// parseField reads the only unit of a type, in months or microseconds. The
// microseconds wrap around at the ends of their range, as in Spark, and so do
// years before they are checked.
func parseField(u Unit, s string, negative bool) (total int64, ok bool) {
	n, err := strconv.ParseUint(s, 10, 63)
	if err != nil || u > UnitMonth && len(s) > mostDigits[u] {
		return 0, false
	}
	total = int64(n) * u.Size()
	months := int32(total)
	switch {
	case u == UnitYear && negative:
		return int64(-months), int64(months) == total
	case negative:
		total = -total
	}
	return total, true
}

func addProduct(sum Decimal128, n, size int64) (Decimal128, bool) {
	product, ok := Decimal128FromInt64(n).Mul(Decimal128FromInt64(size))
	if !ok {
		return sum, false
	}
	return sum.Add(product)
}

// leadingFraction reads the digits behind a decimal point as millionths; those
// beyond the sixth are dropped.
func leadingFraction(s string) (millionths int64, rest string, digits int) {
	unit := int64(MicrosPerSecond)
	for digits < len(s) && s[digits] >= '0' && s[digits] <= '9' {
		unit /= 10
		millionths += int64(s[digits]-'0') * unit
		digits++
	}
	return millionths, s[digits:], digits
}

// wordUnits are the units of INTERVAL '1 day 2 hours', which may stand in the
// plural: what one of each is worth and the field of the type it belongs to.
var wordUnits = map[string]struct {
	value Interval
	field Unit
}{
	"YEAR": {Interval{Months: 12}, UnitYear}, "QUARTER": {Interval{Months: 3}, UnitMonth}, "MONTH": {Interval{Months: 1}, UnitMonth},
	"WEEK": {Interval{Days: 7}, UnitDay}, "DAY": {Interval{Days: 1}, UnitDay}, "HOUR": {Interval{Micros: MicrosPerHour}, UnitHour},
	"MINUTE": {Interval{Micros: MicrosPerMinute}, UnitMinute}, "SECOND": {Interval{Micros: MicrosPerSecond}, UnitSecond},
	"MILLISECOND": {Interval{Micros: 1000}, UnitSecond}, "MICROSECOND": {Interval{Micros: 1}, UnitSecond},
}

// ParseUnits reads numbers and units in turn, as 1 month -2 days 3.5 seconds,
// perhaps behind the word INTERVAL. A fraction is for seconds only. fields are
// those of an interval type that the units belong to.
func ParseUnits(text string) (v Interval, fields []Unit, ok bool) {
	words := strings.FieldsFunc(strings.ToUpper(text), isBlank)
	if len(words) > 1 && words[0] == "INTERVAL" {
		words = words[1:]
	}
	months, days, micros := Decimal128{}, Decimal128{}, Decimal128{}
	for len(words) > 0 {
		number, minus := cutSign(words[0])
		words = words[1:]
		if number == "" && len(words) > 0 { // a sign may stand apart
			number, words = words[0], words[1:]
		}
		if len(words) == 0 {
			return Interval{}, nil, false
		}
		unit, known := wordUnits[strings.TrimSuffix(words[0], "S")]
		n, millionths, ok := parseUnitNumber(number, minus, strings.TrimSuffix(words[0], "S") == "SECOND")
		if !known || !ok {
			return Interval{}, nil, false
		}
		words = words[1:]
		var okMonths, okDays, okMicros bool
		months, okMonths = addProduct(months, n, int64(unit.value.Months))
		days, okDays = addProduct(days, n, int64(unit.value.Days))
		micros, okMicros = addProduct(micros, n, unit.value.Micros)
		micros, ok = addProduct(micros, millionths, 1)
		if !okMonths || !okDays || !okMicros || !ok {
			return Interval{}, nil, false
		}
		fields = append(fields, unit.field)
	}
	m, okMonths := months.Int64()
	d, okDays := days.Int64()
	us, ok := micros.Int64()
	fits := m == int64(int32(m)) && d == int64(int32(d))
	return Interval{Months: int32(m), Days: int32(d), Micros: us}, fields, ok && okMonths && okDays && fits && fields != nil
}

// parseUnitNumber reads digits and, for seconds, millionths behind a point.
func parseUnitNumber(s string, minus, fraction bool) (n, millionths int64, ok bool) {
	whole, frac, point := strings.Cut(s, ".")
	if point && (!fraction || whole == "" && frac == "") {
		return 0, 0, false
	}
	if point {
		us, rest, digits := leadingFraction(frac)
		if rest != "" || digits > 9 {
			return 0, 0, false
		}
		millionths = us
	}
	u, err := strconv.ParseUint("0"+whole, 10, 64)
	if s == "" || err != nil || u > math.MaxInt64 {
		return 0, 0, false
	}
	if minus {
		return -int64(u), -millionths, true
	}
	return int64(u), millionths, true
}
