package types

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Civil time is the proleptic Gregorian calendar, as the SQL standard and both
// table formats use it. Dates are days and times microseconds since 1970-01-01.

// Microseconds in the longer units.
const (
	MicrosPerSecond = 1_000_000
	MicrosPerMinute = 60 * MicrosPerSecond
	MicrosPerHour   = 60 * MicrosPerMinute
	MicrosPerDay    = 24 * MicrosPerHour
)

// DaysFromCivil counts the days from 1970-01-01 to a date. Months beyond 1–12
// are not normalised; see AddMonths.
func DaysFromCivil(year, month, day int) int32 { return int32(daysFromCivil(year, month, day)) }

func daysFromCivil(year, month, day int) int64 {
	if month <= 2 {
		year--
	}
	era := floorDiv(year, 400)
	yearOfEra := year - era*400
	shifted := (month + 9) % 12 // March is 0
	dayOfYear := (153*shifted+2)/5 + day - 1
	dayOfEra := yearOfEra*365 + yearOfEra/4 - yearOfEra/100 + dayOfYear
	return int64(era)*146097 + int64(dayOfEra) - 719468
}

// CivilFromDays is the inverse of DaysFromCivil.
func CivilFromDays(days int32) (year, month, day int) {
	z := int(days) + 719468
	era := floorDiv(z, 146097)
	dayOfEra := z - era*146097
	yearOfEra := (dayOfEra - dayOfEra/1460 + dayOfEra/36524 - dayOfEra/146096) / 365
	dayOfYear := dayOfEra - (365*yearOfEra + yearOfEra/4 - yearOfEra/100)
	shifted := (5*dayOfYear + 2) / 153
	day = dayOfYear - (153*shifted+2)/5 + 1
	month = (shifted+2)%12 + 1
	year = yearOfEra + era*400
	if month <= 2 {
		year++
	}
	return year, month, day
}

func floorDiv(a, b int) int {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

// DaysInMonth is the length of a month, 1 to 12.
func DaysInMonth(year, month int) int {
	switch month {
	case 2:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	case 4, 6, 9, 11:
		return 30
	}
	return 31
}

// AddMonths moves a date by whole months; a day that the target month lacks
// becomes its last day. The result may be beyond the days of a DATE.
func AddMonths(days int32, months int) int64 {
	y, m, d := CivilFromDays(days)
	total := y*12 + m - 1 + months
	y, m = floorDiv(total, 12), total-floorDiv(total, 12)*12+1
	return daysFromCivil(y, m, min(d, DaysInMonth(y, m)))
}

// SplitMicros gives the day of a timestamp and the microseconds into that day.
func SplitMicros(micros int64) (days int32, ofDay int64) {
	d := micros / MicrosPerDay
	r := micros % MicrosPerDay
	if r < 0 {
		d--
		r += MicrosPerDay
	}
	return int32(d), r
}

// JoinMicros is the inverse of SplitMicros; ok is false if the timestamp is beyond
// the ends of time.
func JoinMicros(days, ofDay int64) (micros int64, ok bool) {
	sum, _ := addProduct(Decimal128FromInt64(ofDay), days, MicrosPerDay)
	return sum.Int64()
}

// FormatDate prints a date as YYYY-MM-DD.
func FormatDate(days int32) string {
	y, m, d := CivilFromDays(days)
	return formatYear(y) + fmt.Sprintf("-%02d-%02d", m, d)
}

func formatYear(y int) string {
	switch {
	case y < 0:
		return fmt.Sprintf("-%04d", -y)
	case y > 9999:
		return fmt.Sprintf("+%d", y)
	}
	return fmt.Sprintf("%04d", y)
}

// FormatTimestamp prints microseconds since 1970 as YYYY-MM-DD HH:MM:SS with
// as many fractional digits as the value needs.
func FormatTimestamp(micros int64) string {
	days, us := SplitMicros(micros)
	return FormatDate(days) + " " + FormatTimeOfDay(us)
}

// FormatTimeOfDay prints microseconds since midnight as HH:MM:SS with as many
// fractional digits as the value needs.
func FormatTimeOfDay(us int64) string {
	s := fmt.Sprintf("%02d:%02d:%02d", us/MicrosPerHour, us/MicrosPerMinute%60, us/MicrosPerSecond%60)
	if frac := us % MicrosPerSecond; frac != 0 {
		s += "." + strings.TrimRight(fmt.Sprintf("%06d", frac), "0")
	}
	return s
}

// ParseDate reads [+-]YYYY[-MM[-DD]], as Spark's cast to DATE does; text after
// a T or a blank that follows a whole date is ignored by it and so here.
func ParseDate(text string) (int32, bool) {
	s := TrimBlanks(text)
	days, rest, ok := parseDatePrefix(s)
	if !ok || rest != "" && rest[0] != 'T' && rest[0] != ' ' {
		return 0, false
	}
	return days, true
}

func parseDatePrefix(s string) (days int32, rest string, ok bool) {
	neg := false
	if s != "" && (s[0] == '-' || s[0] == '+') {
		neg = s[0] == '-'
		s = s[1:]
	}
	y, s, n := leadingInt(s, 7)
	if n < 4 {
		return 0, "", false
	}
	if neg {
		y = -y
	}
	m, d, n := 1, 1, 0
	if strings.HasPrefix(s, "-") {
		if m, s, n = leadingInt(s[1:], 2); n == 0 {
			return 0, "", false
		}
		if strings.HasPrefix(s, "-") {
			if d, s, n = leadingInt(s[1:], 2); n == 0 {
				return 0, "", false
			}
		}
	}
	days, ok = DaysOfDate(y, m, d)
	return days, s, ok
}

// DaysOfDate is DaysFromCivil for a date that may not exist, or be beyond the
// days of a DATE.
func DaysOfDate(year, month, day int) (days int32, ok bool) {
	if month < 1 || month > 12 || day < 1 || day > DaysInMonth(year, month) {
		return 0, false
	}
	all := daysFromCivil(year, month, day)
	return int32(all), all == int64(int32(all))
}

func leadingInt(s string, maxDigits int) (v int, rest string, n int) {
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		if n == maxDigits {
			return 0, s, 0
		}
		v = v*10 + int(s[n]-'0')
		n++
	}
	return v, s[n:], n
}

// ParseTimestamp reads a date, optionally followed by a time (after a T or a
// blank), of which the hour is enough, and by a zone (Z, UTC, +HH:MM or an IANA
// name). The result is the wall clock in microseconds since 1970; zone is nil
// where the text has none.
func ParseTimestamp(text string) (micros int64, zone *time.Location, ok bool) {
	days, rest, ok := parseDatePrefix(TrimBlanks(text))
	if !ok {
		return 0, nil, false
	}
	var ofDay int64
	if rest != "" {
		if rest[0] != 'T' && rest[0] != ' ' {
			return 0, nil, false
		}
		if ofDay, zone, ok = ParseClock(rest[1:]); !ok {
			return 0, nil, false
		}
	}
	micros, ok = JoinMicros(int64(days), ofDay)
	return micros, zone, ok
}

// ParseClock reads HH[:MM[:SS[.ffffff]]] as microseconds since midnight, and a
// zone behind the seconds; zone is nil where the text has none.
func ParseClock(text string) (ofDay int64, zone *time.Location, ok bool) {
	ofDay, rest, ok := parseTimePrefix(text)
	if h, after, n := leadingInt(text, 2); !ok && n > 0 && h < 24 && !strings.HasPrefix(after, ":") {
		ofDay, rest, ok = int64(h)*MicrosPerHour, after, true
	}
	seconds := strings.Count(text[:len(text)-len(rest)], ":") == 2
	if rest = TrimBlanks(rest); ok && rest != "" {
		zone, ok = ParseZone(rest)
		ok = ok && seconds
	}
	return ofDay, zone, ok
}

// ParseTimeOfDay reads HH:MM[:SS[.ffffff]] as microseconds since midnight.
func ParseTimeOfDay(text string) (int64, bool) {
	us, rest, ok := parseTimePrefix(TrimBlanks(text))
	return us, ok && rest == ""
}

func parseTimePrefix(s string) (us int64, rest string, ok bool) {
	h, s, n := leadingInt(s, 2)
	if n == 0 || h > 23 || !strings.HasPrefix(s, ":") {
		return 0, "", false
	}
	m, s, n := leadingInt(s[1:], 2)
	if n == 0 || m > 59 {
		return 0, "", false
	}
	us = int64(h)*MicrosPerHour + int64(m)*MicrosPerMinute
	if !strings.HasPrefix(s, ":") {
		return us, s, true
	}
	sec, s, n := leadingInt(s[1:], 2)
	if n == 0 || sec > 59 {
		return 0, "", false
	}
	us += int64(sec) * MicrosPerSecond
	if !strings.HasPrefix(s, ".") {
		return us, s, true
	}
	micros, s, _ := leadingFraction(s[1:])
	return us + micros, s, true
}

// ParseZone reads Z, UTC, GMT, [+-]HH[:MM[:SS]], an IANA zone name or one of
// Java's abbreviations.
func ParseZone(name string) (*time.Location, bool) {
	switch name {
	case "Z", "UTC", "GMT", "UT":
		return time.UTC, true
	}
	trimmed := name
	for _, prefix := range []string{"UTC", "GMT", "UT"} {
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			trimmed = rest
			break
		}
	}
	if trimmed != "" && (trimmed[0] == '+' || trimmed[0] == '-') {
		return parseOffset(trimmed)
	}
	if long, ok := shortZones[name]; ok {
		name = long
	}
	loc, err := time.LoadLocation(name)
	return loc, err == nil && name != "" && name != "Local"
}

// shortZones are the abbreviations that Java knows beside the IANA names.
var shortZones = map[string]string{
	"ACT": "Australia/Darwin", "AET": "Australia/Sydney", "AGT": "America/Argentina/Buenos_Aires", "ART": "Africa/Cairo", "AST": "America/Anchorage",
	"BET": "America/Sao_Paulo", "BST": "Asia/Dhaka", "CAT": "Africa/Harare", "CNT": "America/St_Johns", "CST": "America/Chicago", "CTT": "Asia/Shanghai",
	"EAT": "Africa/Addis_Ababa", "ECT": "Europe/Paris", "IET": "America/Indiana/Indianapolis", "IST": "Asia/Kolkata", "JST": "Asia/Tokyo",
	"MIT": "Pacific/Apia", "NET": "Asia/Yerevan", "NST": "Pacific/Auckland", "PLT": "Asia/Karachi", "PNT": "America/Phoenix",
	"PRT": "America/Puerto_Rico", "PST": "America/Los_Angeles", "SST": "Pacific/Guadalcanal", "VST": "Asia/Ho_Chi_Minh",
}

func parseOffset(s string) (*time.Location, bool) {
	sign := 1
	if s[0] == '-' {
		sign = -1
	}
	if len(s) < 2 {
		return nil, false
	}
	seconds := 0
	digits := strings.ReplaceAll(s[1:], ":", "")
	if len(digits) < 3 {
		digits = (digits + "00")
	}
	if len(digits)%2 == 1 {
		digits = "0" + digits
	}
	if len(digits) > 6 || digits == "" {
		return nil, false
	}
	for i, unit := 0, 3600; i < len(digits); i, unit = i+2, unit/60 {
		n, err := strconv.Atoi(digits[i : i+2])
		if err != nil {
			return nil, false
		}
		seconds += n * unit
	}
	if seconds > 18*3600 {
		return nil, false
	}
	return time.FixedZone(s, sign*seconds), true
}

// WallToInstant converts a wall clock in zone to the instant, both in
// microseconds since 1970. A wall clock that the zone skips moves forward by
// the gap, and of two that it repeats the earlier is meant, as in Spark.
func WallToInstant(wall int64, zone *time.Location) int64 {
	if zone == time.UTC {
		return wall
	}
	days, us := SplitMicros(wall)
	y, m, d := CivilFromDays(days)
	sec := us / MicrosPerSecond
	t := time.Date(y, time.Month(m), d, int(sec/3600), int(sec/60%60), int(sec%60), 0, zone)
	return chosenInstant(t, int64(days)*(MicrosPerDay/MicrosPerSecond)+sec)*MicrosPerSecond + us%MicrosPerSecond
}

// chosenInstant is the instant of the wall clock for which time.Date, which
// leaves open what it takes of two, has given t. All are in seconds.
func chosenInstant(t time.Time, wall int64) int64 {
	_, offset := t.Zone()
	switch clock := t.Unix() + int64(offset); {
	case clock < wall: // skipped, and t is before the gap
		return wall - int64(offset)
	case clock > wall: // skipped, and t is behind the gap
		return t.Unix()
	}
	start, _ := t.ZoneBounds()
	if start.IsZero() {
		return t.Unix()
	}
	_, before := start.Add(-time.Second).Zone()
	if earlier := wall - int64(before); earlier < start.Unix() {
		return earlier // repeated
	}
	return t.Unix()
}

// InstantToWall is the clock that people in zone read at an instant.
func InstantToWall(instant int64, zone *time.Location) int64 {
	if zone == time.UTC {
		return instant
	}
	_, offset := time.UnixMicro(instant).In(zone).Zone()
	return instant + int64(offset)*MicrosPerSecond
}
