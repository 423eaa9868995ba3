package eval

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/tarndb/tarn/sql/types"
)

// datePattern is a pattern of Java's DateTimeFormatter with the letters that
// Spark documents: G y M L d D F E a h H k K m s S q Q V z O X x Z, quoted text
// and [optional parts]. E, F, q and Q are for printing only.
type datePattern struct {
	text    string
	parsing bool
	items   []patternItem
}

// patternItem is a run of one letter, literal text where letter is 0, or an
// optional part where it is [.
type patternItem struct {
	letter byte
	n      int
	text   string
	items  []patternItem
}

// pattern reads a pattern from an argument, for parsing text or for printing.
func (f *frame) pattern(a, i int, parsing bool) (*datePattern, error) {
	return f.patternOf(f.text(a, i), parsing)
}

// patternOf keeps the last pattern from row to row.
func (f *frame) patternOf(text string, parsing bool) (*datePattern, error) {
	if p, ok := f.state.(*datePattern); ok && p.text == text {
		return p, nil
	}
	p, err := parseDatePattern(strings.Clone(text), parsing)
	if err != nil {
		return nil, err
	}
	f.state = p
	return p, nil
}

func parseDatePattern(text string, parsing bool) (*datePattern, error) {
	p := &datePattern{text: text, parsing: parsing}
	return p, p.read()
}

// letterRuns are the letters and how often each may be repeated.
var letterRuns = map[byte]int{
	'G': 4, 'y': 6, 'M': 4, 'L': 4, 'd': 2, 'D': 3, 'F': 1, 'E': 4, 'a': 1, 'h': 2, 'H': 2, 'k': 2, 'K': 2, 'm': 2, 's': 2, 'S': 9,
	'q': 4, 'Q': 4, 'V': 2, 'z': 4, 'O': 4, 'X': 5, 'x': 5, 'Z': 5,
}

// Letters that count weeks and those that only print; the ones that Java's
// SimpleDateFormat knows.
const (
	weekLetters   = "YWwuec"
	printLetters  = "EFqQ"
	legacyLetters = "GyYMLwWDdFEuaHkKhmsSzZX"
)

// read takes the text apart. As in Spark a pattern that was right for an older
// formatter, which would mean something else now, is a wrong statement.
func (p *datePattern) read() error {
	open := []*[]patternItem{&p.items} // the parts that have not ended
	add := func(it patternItem) { last := open[len(open)-1]; *last = append(*last, it) }
	legacy := p.isLegacy()
	plain := "" // what is left of the text up to the next quote
	for s := p.text; s != ""; {
		n, c := 1, s[0]
		if plain == "" {
			if plain, _, _ = strings.Cut(s, "'"); strings.ContainsAny(plain, weekLetters) {
				return mismatch("the datetime pattern %q counts weeks, for which there is no pattern; use EXTRACT", p.text)
			}
		}
		switch {
		case c == '\'':
			end := strings.IndexByte(s[1:], '\'')
			if end < 0 {
				return invalid("the datetime pattern %q has a quote that does not end", p.text)
			}
			n = end + 2
			quoted := s[1 : 1+end]
			if end == 0 {
				quoted = "'"
			}
			add(patternItem{text: quoted})
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
			for n < len(s) && s[n] == c {
				n++
			}
			if err := p.checkRun(c, n, legacy); err != nil {
				return err
			}
			add(patternItem{letter: c, n: n})
		case c == '[':
			add(patternItem{letter: c, items: []patternItem{}})
			part := *open[len(open)-1]
			open = append(open, &part[len(part)-1].items)
		case c == ']' && len(open) > 1:
			open = open[:len(open)-1]
		case strings.IndexByte("]{}#", c) >= 0:
			return p.wrong(s[:1], legacy)
		default:
			add(patternItem{text: s[:1]})
		}
		s = s[n:]
		plain = plain[min(n, len(plain)):]
	}
	return nil
}

// checkRun refuses letters that are not known, or not as often.
func (p *datePattern) checkRun(c byte, n int, legacy bool) error {
	most, known := letterRuns[c]
	wrongLength := n > most || c == 'V' && n == 1 || c == 'O' && n > 1 && n < 4
	switch {
	case !known, wrongLength, p.parsing && strings.IndexByte(printLetters, c) >= 0:
		return p.wrong(strings.Repeat(string(rune(c)), n), legacy)
	}
	return nil
}

func (p *datePattern) wrong(part string, legacy bool) error {
	if legacy {
		return mismatch("the datetime pattern %q has %q, which means nothing any more", p.text, part)
	}
	return invalid("the datetime pattern %q has %q, which is not known", p.text, part)
}

// isLegacy reports whether SimpleDateFormat takes the pattern.
func (p *datePattern) isLegacy() bool {
	parts := strings.Split(p.text, "'")
	for i := 0; i < len(parts); i += 2 {
		for _, c := range parts[i] {
			if (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z') && !strings.ContainsRune(legacyLetters, c) {
				return false
			}
		}
	}
	return len(parts)%2 == 1
}

// append prints a wall clock and its offset from UTC in seconds.
func (p *datePattern) append(dst []byte, wall int64, offset int) []byte {
	return appendPattern(dst, p.items, wall, offset)
}

func appendPattern(dst []byte, items []patternItem, wall int64, offset int) []byte {
	days, us := types.SplitMicros(wall)
	y, m, d := types.CivilFromDays(days)
	hour := us / types.MicrosPerHour
	num := func(x int64, n int) { dst = fmt.Appendf(dst, "%0*d", n, x) }
	for _, it := range items {
		switch it.letter {
		case 0:
			dst = append(dst, it.text...)
		case '[':
			dst = appendPattern(dst, it.items, wall, offset)
		case 'G':
			dst = appendEra(dst, y, it.n)
		case 'F':
			num(int64(d-1)%7+1, it.n)
		case 'y':
			dst = appendYear(dst, y, it.n)
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

// appendYear prints a year, with a sign where it has more digits than asked
// for; two letters ask for its last two digits.
func appendYear(dst []byte, y, n int) []byte {
	switch {
	case n == 2:
		return fmt.Appendf(dst, "%02d", (y%100+100)%100)
	case y < 0:
		return fmt.Appendf(dst, "-%0*d", n, -y)
	case n >= 4 && len(strconv.Itoa(y)) > n:
		return fmt.Appendf(dst, "+%d", y)
	}
	return fmt.Appendf(dst, "%0*d", n, y)
}

func appendEra(dst []byte, y, n int) []byte {
	long, short := "Anno Domini", "AD"
	if y < 1 {
		long, short = "Before Christ", "BC"
	}
	if n == 4 {
		return append(dst, long...)
	}
	return append(dst, short...)
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
	beforeChrist                           bool
	zone                                   *time.Location
}

// parse reads all of s.
func (p *datePattern) parse(s string) (parsedTime, bool) {
	v := timeFields{year: 1970, month: 1, day: 1}
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
		adjacent := k+1 < len(items) && items[k+1].letter != 0 && items[k+1].letter != '['
		rest, ok := v.read(it, s, adjacent)
		if !ok {
			return s, false
		}
		s = rest
	}
	return s, true
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
	case 'G':
		return v.readEra(s)
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
	case it.letter == 'y':
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
		if x > 12 {
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
