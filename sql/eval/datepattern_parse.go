package eval

import (
	"strconv"
	"strings"
	"time"

	"github.com/tarndb/tarn/sql/types"
)

// parsedTime is what a text said by a pattern.
type parsedTime struct {
	days int32
	us   int64
	zone *time.Location
}

func (p *parsedTime) wall() int64 { return int64(p.days)*types.MicrosPerDay + p.us }

// timeFields collects the fields while a text is read.
type timeFields struct {
	year, month, day, hour, minute, second int
	micros                                 int64
	dayOfYear                              int
	half                                   int // 1 for AM, 2 for PM
	beforeChrist                           bool
	seen                                   map[byte]int
	zone                                   *time.Location
}

// parse reads all of s.
func (p *datePattern) parse(s string) (parsedTime, bool) {
	v := timeFields{year: 1970, month: 1, day: 1, seen: map[byte]int{}}
	s, ok := v.readItems(p.items, s)
	if !ok || s != "" {
		return parsedTime{}, false
	}
	return v.finish()
}

// readItems takes the text of items off s, as far as optional ones are there.
func (v *timeFields) readItems(items []patternItem, s string) (string, bool) {
	for k, it := range items {
		if it.letter == '[' {
			with := *v
			if rest, ok := with.readItems(it.items, s); ok {
				*v, s = with, rest
			}
			continue
		}
		rest, ok := v.read(it, s, fixedDigits(items[k+1:]))
		if !ok {
			return s, false
		}
		s = rest
	}
	return s, true
}

// fixedDigits counts the digits of the numbers of fixed length that follow at
// once, which a number before them leaves to them.
func fixedDigits(items []patternItem) int {
	n := 0
	for _, it := range items {
		switch {
		case it.letter == 'y' && it.n == 2, it.letter == 'D' && it.n == 3,
			strings.IndexByte("MLdHhKkms", it.letter) >= 0 && it.letter != 0 && it.n == 2:
			n += it.n
		default:
			return n
		}
	}
	return n
}

// read takes the text of one item off s, and leaves digits of a number to
// those that follow it.
func (v *timeFields) read(it patternItem, s string, reserved int) (string, bool) {
	if it.letter == 0 {
		n := min(len(it.text), len(s))
		return s[n:], strings.EqualFold(s[:n], it.text)
	}
	switch it.letter {
	case 'a':
		return v.readHalf(s)
	case 'G':
		return v.readEra(s)
	case 'S':
		return v.readFraction(s, it.n)
	case 'V', 'z', 'O', 'X', 'x', 'Z':
		return v.readZone(s, it.letter)
	}
	if (it.letter == 'M' || it.letter == 'L') && it.n >= 3 {
		m, rest, ok := readName(s, it.n, func(k int) string { return time.Month(k).String() }, 12)
		v.month = m
		return rest, ok
	}
	fixed := fixedDigits([]patternItem{it}) > 0
	sign, s := "", s
	if it.letter == 'y' && !fixed && s != "" && (s[0] == '-' || s[0] == '+' && it.n >= 4) {
		sign, s = s[:1], s[1:]
	}
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	switch {
	case fixed:
		n = min(n, it.n)
	case reserved > 0:
		n = max(n-reserved, min(it.n, n))
	}
	signed := it.letter == 'y' && it.n >= 4 // more digits than asked for have a sign, and no others
	if n < it.n || n > 18 || signed && (sign == "+") != (n > it.n) && sign != "-" {
		return s, false
	}
	x, err := strconv.Atoi(sign + s[:n])
	return s[n:], err == nil && v.set(it, x)
}

// set notes the value of a field, which must be the same each time.
func (v *timeFields) set(it patternItem, x int) bool {
	if before, again := v.seen[it.letter]; again && before != x {
		return false
	}
	v.seen[it.letter] = x
	switch it.letter {
	case 'y':
		if it.n == 2 {
			x += 2000
		}
		v.year = x
	case 'M', 'L':
		v.month = x
	case 'd':
		v.day = x
	case 'D':
		v.dayOfYear = x
	case 'H':
		v.hour = x
	case 'k':
		v.hour = x % 24
	case 'h', 'K':
		if x > 12 || x == 0 && it.letter == 'h' || x == 12 && it.letter == 'K' {
			return false
		}
		v.hour = x % 12
	case 'm':
		v.minute = x
	case 's':
		v.second = x
	}
	return true
}

func (v *timeFields) readEra(s string) (string, bool) {
	if len(s) < 2 {
		return s, false
	}
	v.beforeChrist = strings.EqualFold(s[:2], "BC")
	return s[2:], v.beforeChrist || strings.EqualFold(s[:2], "AD")
}

func (v *timeFields) readHalf(s string) (string, bool) {
	if len(s) < 2 {
		return s, false
	}
	switch strings.ToUpper(s[:2]) {
	case "AM":
		v.half = 1
	case "PM":
		v.half = 2
	default:
		return s, false
	}
	return s[2:], true
}

// readName finds the name of a day or a month, numbered from 1.
func readName(s string, n int, name func(int) string, count int) (int, string, bool) {
	for k := 1; k <= count; k++ {
		want := shortened(name(k), n)
		if len(s) >= len(want) && strings.EqualFold(s[:len(want)], want) {
			return k, s[len(want):], true
		}
	}
	return 0, s, false
}

func (v *timeFields) readFraction(s string, most int) (string, bool) {
	unit, n := int64(types.MicrosPerSecond), 0
	for n < len(s) && n < most && s[n] >= '0' && s[n] <= '9' {
		unit /= 10
		v.micros += int64(s[n]-'0') * unit
		n++
	}
	return s[n:], n > 0
}

func (v *timeFields) readZone(s string, letter byte) (string, bool) {
	end := strings.IndexAny(s, " ,)]")
	if end < 0 {
		end = len(s)
	}
	zone, ok := types.ParseZone(s[:end])
	v.zone = zone
	return s[end:], ok && (letter != 'x' || s[:end] != "Z")
}

func (v *timeFields) finish() (parsedTime, bool) {
	_, hour24 := v.seen['H']
	_, hour24k := v.seen['k']
	switch {
	case v.half == 2 && !hour24 && !hour24k:
		v.hour += 12
	case v.half > 0 && v.hour/12 != v.half-1:
		return parsedTime{}, false
	}
	if v.beforeChrist {
		v.year = 1 - v.year
	}
	if v.month < 1 || v.month > 12 || v.day < 1 || v.day > types.DaysInMonth(v.year, v.month) || v.hour > 23 || v.minute > 59 || v.second > 59 {
		return parsedTime{}, false
	}
	days := types.DaysFromCivil(v.year, v.month, v.day)
	if v.dayOfYear > 0 {
		days = types.DaysFromCivil(v.year, 1, 1) + int32(v.dayOfYear) - 1
		if v.dayOfYear > 366 || v.dayOfYear == 366 && types.DaysInMonth(v.year, 2) == 28 {
			return parsedTime{}, false
		}
	}
	us := int64(v.hour)*types.MicrosPerHour + int64(v.minute)*types.MicrosPerMinute + int64(v.second)*types.MicrosPerSecond + v.micros
	return parsedTime{days: days, us: us, zone: v.zone}, true
}
