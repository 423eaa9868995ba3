package eval

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/tarndb/tarn/sql/types"
)

// datePattern is a pattern of Java's DateTimeFormatter with the letters that
// Spark documents: y u M L d D E a h H k K m s S q Q V z O X x Z and quoted text.
type datePattern struct {
	text  string
	items []patternItem
}

// patternItem is a run of one letter, or literal text where letter is 0.
type patternItem struct {
	letter byte
	n      int
	text   string
}

func (f *frame) pattern(a, i int) (*datePattern, error) { return f.patternOf(f.text(a, i)) }

// patternOf keeps the last pattern from row to row.
func (f *frame) patternOf(text string) (*datePattern, error) {
	if p, ok := f.state.(*datePattern); ok && p.text == text {
		return p, nil
	}
	p, err := parseDatePattern(strings.Clone(text))
	if err != nil {
		return nil, err
	}
	f.state = p
	return p, nil
}

func parseDatePattern(s string) (*datePattern, error) {
	p := &datePattern{text: s}
	literal := func(text string) { p.items = append(p.items, patternItem{text: text}) }
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == '\'':
			end := strings.IndexByte(s[i+1:], '\'')
			if end < 0 {
				return nil, invalid("the datetime pattern %q has a quote that does not end", s)
			}
			if literal(s[i+1 : i+1+end]); end == 0 {
				p.items[len(p.items)-1].text = "'"
			}
			i += end + 2
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
			n := 1
			for i+n < len(s) && s[i+n] == c {
				n++
			}
			if !strings.ContainsRune("yuMLdDEahHkKmsSqQVzOXxZ", rune(c)) || n > 9 {
				return nil, invalid("the datetime pattern %q has %q, which is not known", s, s[i:i+n])
			}
			p.items = append(p.items, patternItem{letter: c, n: n})
			i += n
		case c == '[' || c == ']': // optional parts are read like others
			i++
		default:
			literal(s[i : i+1])
			i++
		}
	}
	return p, nil
}

// append prints a wall clock and its offset from UTC in seconds.
func (p *datePattern) append(dst []byte, wall int64, offset int) []byte {
	days, us := types.SplitMicros(wall)
	y, m, d := types.CivilFromDays(days)
	hour := us / types.MicrosPerHour
	num := func(x int64, n int) { dst = fmt.Appendf(dst, "%0*d", n, x) }
	for _, it := range p.items {
		switch it.letter {
		case 0:
			dst = append(dst, it.text...)
		case 'y', 'u':
			if it.n == 2 {
				num(int64(((y%100)+100)%100), 2)
			} else {
				num(int64(y), it.n)
			}
		case 'M', 'L':
			dst = appendMonth(dst, m, it.n)
		case 'd':
			num(int64(d), it.n)
		case 'D':
			num(dayOfYear(days), it.n)
		case 'q', 'Q':
			dst = appendQuarter(dst, (m+2)/3, it.n)
		case 'E':
			dst = append(dst, shortened(time.Weekday(weekday(days)%7).String(), it.n)...)
		case 'a':
			dst = append(dst, []string{"AM", "PM"}[hour/12]...)
		case 'h':
			num((hour+11)%12+1, it.n)
		case 'H':
			num(hour, it.n)
		case 'k':
			num((hour+23)%24+1, it.n)
		case 'K':
			num(hour%12, it.n)
		case 'm':
			num(us/types.MicrosPerMinute%60, it.n)
		case 's':
			num(us/types.MicrosPerSecond%60, it.n)
		case 'S':
			frac := fmt.Sprintf("%06d000", us%types.MicrosPerSecond)
			dst = append(dst, frac[:it.n]...)
		default:
			dst = appendOffset(dst, offset, it)
		}
	}
	return dst
}

func shortened(name string, n int) string {
	if n < 4 {
		return name[:3]
	}
	return name
}

func appendMonth(dst []byte, m, n int) []byte {
	if n < 3 {
		return fmt.Appendf(dst, "%0*d", n, m)
	}
	return append(dst, shortened(time.Month(m).String(), n)...)
}

func appendQuarter(dst []byte, q, n int) []byte {
	switch n {
	case 3:
		return fmt.Appendf(dst, "Q%d", q)
	case 4:
		return append(dst, []string{"1st", "2nd", "3rd", "4th"}[q-1]+" quarter"...)
	}
	return fmt.Appendf(dst, "%0*d", n, q)
}

// appendOffset prints X (Z for UTC), x, Z, O, z and V.
func appendOffset(dst []byte, offset int, it patternItem) []byte {
	if offset == 0 && it.letter == 'X' {
		return append(dst, 'Z')
	}
	sign, abs := byte('+'), offset
	if offset < 0 {
		sign, abs = '-', -offset
	}
	h, m := abs/3600, abs/60%60
	switch {
	case it.letter == 'O' || it.letter == 'z' || it.letter == 'V':
		if offset == 0 {
			return append(dst, []string{"UTC", "GMT"}[truth(it.letter == 'O')]...)
		}
		return fmt.Appendf(append(dst, "GMT"...), "%c%02d:%02d", sign, h, m)
	case it.letter == 'Z' && it.n < 4, it.n == 2, it.n == 4 && it.letter != 'Z':
		return fmt.Appendf(dst, "%c%02d%02d", sign, h, m)
	case it.letter == 'Z' && it.n == 4:
		return fmt.Appendf(append(dst, "GMT"...), "%c%02d:%02d", sign, h, m)
	case it.n == 1 && m == 0:
		return fmt.Appendf(dst, "%c%02d", sign, h)
	case it.n == 1:
		return fmt.Appendf(dst, "%c%02d%02d", sign, h, m)
	}
	return fmt.Appendf(dst, "%c%02d:%02d", sign, h, m)
}

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
	zone                                   *time.Location
}

// parse reads all of s.
func (p *datePattern) parse(s string) (parsedTime, bool) {
	v := timeFields{year: 1970, month: 1, day: 1}
	ok := true
	for k, it := range p.items {
		adjacent := k+1 < len(p.items) && p.items[k+1].letter != 0
		if s, ok = v.read(it, s, adjacent); !ok {
			return parsedTime{}, false
		}
	}
	if s != "" {
		return parsedTime{}, false
	}
	return v.finish()
}

// read takes the text of one item off s. A number takes just the digits of the
// pattern where another field follows at once.
func (v *timeFields) read(it patternItem, s string, adjacent bool) (string, bool) {
	if it.letter == 0 {
		return strings.CutPrefix(s, it.text)
	}
	switch it.letter {
	case 'a':
		return v.readHalf(s)
	case 'E':
		_, rest, ok := readName(s, it.n, func(k int) string { return time.Weekday(k % 7).String() }, 7)
		return rest, ok
	case 'S':
		return v.readFraction(s, it.n)
	case 'V', 'z', 'O', 'X', 'x', 'Z':
		return v.readZone(s)
	}
	if (it.letter == 'M' || it.letter == 'L') && it.n >= 3 {
		m, rest, ok := readName(s, it.n, func(k int) string { return time.Month(k).String() }, 12)
		v.month = m
		return rest, ok
	}
	most := 2
	switch {
	case it.letter == 'y' || it.letter == 'u':
		most = max(it.n, 4)
		if it.n == 2 {
			most = 2
		}
	case it.letter == 'D':
		most = 3
	}
	if adjacent {
		most = it.n
	}
	n := 0
	for n < len(s) && n < most && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	if n < it.n || n == 0 {
		return s, false
	}
	x, err := strconv.Atoi(s[:n])
	return s[n:], err == nil && v.set(it, x)
}

func (v *timeFields) set(it patternItem, x int) bool {
	switch it.letter {
	case 'y', 'u':
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
		if x > 12 {
			return false
		}
		v.hour = x % 12
	case 'm':
		v.minute = x
	case 's':
		v.second = x
	case 'q', 'Q':
		v.month = 3*x - 2
	}
	return true
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

func (v *timeFields) readZone(s string) (string, bool) {
	end := strings.IndexAny(s, " ,)]")
	if end < 0 {
		end = len(s)
	}
	zone, ok := types.ParseZone(s[:end])
	v.zone = zone
	return s[end:], ok
}

func (v *timeFields) finish() (parsedTime, bool) {
	if v.half == 2 {
		v.hour += 12
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
