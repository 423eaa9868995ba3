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
	era     bool // years are counted from the era's beginning
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
			var text string
			if text, n = quotedText(s); n == 0 {
				return invalid("the datetime pattern %q has a quote that does not end", p.text)
			}
			add(patternItem{text: text})
		case c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z':
			for n < len(s) && s[n] == c {
				n++
			}
			if err := p.checkRun(c, n, legacy); err != nil {
				return err
			}
			p.era = p.era || c == 'G'
			add(patternItem{letter: c, n: n})
		case c == '[' && len(open) > maxOptionalDepth:
			return invalid("the datetime pattern has more than %d optional parts in one another", maxOptionalDepth)
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

// maxOptionalDepth bounds the brackets of a pattern that are open at once.
const maxOptionalDepth = 100

// quotedText reads the text between quotes, where two stand for one, and its
// length with them, 0 if it has no end. Quotes around nothing are one.
func quotedText(s string) (text string, n int) {
	for n = 1; n < len(s); n++ {
		switch {
		case s[n] != '\'':
			text += s[n : n+1]
		case n+1 < len(s) && s[n+1] == '\'':
			text += "'"
			n++
		case text == "" && n == 1:
			return "'", 2
		default:
			return text, n + 1
		}
	}
	return "", 0
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
	return len(parts)%2 == 1 && !strings.Contains(p.text, "XXXX")
}

// append prints a wall clock in a zone.
func (p *datePattern) append(dst []byte, wall int64, zone zoneAt) []byte {
	return p.appendItems(dst, p.items, wall, zone)
}

func (p *datePattern) appendItems(dst []byte, items []patternItem, wall int64, zone zoneAt) []byte {
	days, us := types.SplitMicros(wall)
	y, m, d := types.CivilFromDays(days)
	hour := us / types.MicrosPerHour
	num := func(x int64, n int) { dst = fmt.Appendf(dst, "%0*d", n, x) }
	for _, it := range items {
		switch it.letter {
		case 0:
			dst = append(dst, it.text...)
		case '[':
			dst = p.appendItems(dst, it.items, wall, zone)
		case 'G':
			dst = appendEra(dst, y, it.n)
		case 'F':
			num(int64(d-1)%7+1, it.n)
		case 'y':
			shown := y
			if p.era && y < 1 {
				shown = 1 - y
			}
			dst = appendYear(dst, shown, it.n)
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
			dst = appendZone(dst, zone, it)
		}
	}
	return dst
}

// appendYear prints a year, with a sign where it has more digits than asked
// for; two letters ask for its last two digits.
func appendYear(dst []byte, y, n int) []byte {
	switch {
	case n == 2:
		return fmt.Appendf(dst, "%02d", max(y%100, -y%100))
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

// zoneAt is a time zone at some moment.
type zoneAt struct {
	name   string // Europe/Berlin
	short  string // CET
	offset int    // seconds east of UTC
}

var utc = zoneAt{name: "UTC", short: "UTC"}

func zoneOf(instant int64, zone *time.Location) zoneAt {
	short, offset := time.UnixMicro(instant).In(zone).Zone()
	return zoneAt{zone.String(), short, offset}
}

// appendZone prints V, z, O, Z, X and x. Long names are not known but of UTC.
func appendZone(dst []byte, z zoneAt, it patternItem) []byte {
	switch {
	case it.letter == 'V':
		return append(dst, z.name...)
	case it.letter == 'z' && it.n == 4 && z.name == "UTC":
		return append(dst, "Coordinated Universal Time"...)
	case it.letter == 'z':
		return append(dst, z.short...)
	case it.letter == 'O' || it.letter == 'Z' && it.n == 4:
		return appendGMT(dst, z.offset, it.n)
	case z.offset == 0 && (it.letter == 'X' || it.letter == 'Z' && it.n == 5):
		return append(dst, 'Z')
	}
	sign, h, m := splitOffset(z.offset)
	switch {
	case it.n == 1 && it.letter != 'Z' && m == 0:
		return fmt.Appendf(dst, "%c%02d", sign, h)
	case it.n == 3 && it.letter != 'Z', it.n == 5:
		return fmt.Appendf(dst, "%c%02d:%02d", sign, h, m)
	}
	return fmt.Appendf(dst, "%c%02d%02d", sign, h, m)
}

func splitOffset(offset int) (sign byte, h, m int) {
	sign = '+'
	if offset < 0 {
		sign, offset = '-', -offset
	}
	return sign, offset / 3600, offset / 60 % 60
}

// appendGMT prints GMT+1, or GMT+01:00 by four letters.
func appendGMT(dst []byte, offset, n int) []byte {
	sign, h, m := splitOffset(offset)
	dst = append(dst, "GMT"...)
	switch {
	case offset == 0:
		return dst
	case n == 4:
		return fmt.Appendf(dst, "%c%02d:%02d", sign, h, m)
	case m == 0:
		return fmt.Appendf(dst, "%c%d", sign, h)
	}
	return fmt.Appendf(dst, "%c%d:%02d", sign, h, m)
}
