package eval

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
)

// decimalFormat is a pattern of Java's DecimalFormat, such as #,##0.00, with
// the symbols of English.
type decimalFormat struct {
	prefix, suffix         string // of numbers that are not negative
	minusPrefix, minusTail string // of negative ones
	multiplier             int64  // 100 for %, 1000 for ‰
	minInt, maxInt         int    // digits before the point
	minFrac, maxFrac       int    // and after it
	group                  int    // digits between two commas, 0 for none
	point                  bool   // always shown
	minExponent            int    // digits of the exponent, 0 for none
}

const (
	// What Java limits the digits of a DOUBLE and a BIGINT to.
	mostIntDigits  = 309
	mostFracDigits = 340
)

// parseDecimalFormat reads a pattern; ok is false if Java would not.
func parseDecimalFormat(pattern string) (f *decimalFormat, ok bool) {
	p := &formatParser{rest: pattern}
	if !p.read(true) || !p.complete() {
		return nil, false
	}
	f = p.format()
	f.minusPrefix, f.minusTail = "'-"+f.prefix, f.suffix
	if !p.readMinus(f, pattern) {
		return nil, false
	}
	for _, affix := range []*string{&f.prefix, &f.suffix, &f.minusPrefix, &f.minusTail} {
		*affix = affixText.Replace(*affix)
	}
	return f, true
}

// affixText replaces what stands for something else in prefixes and suffixes.
var affixText = strings.NewReplacer("'¤¤", "USD", "'¤", "$", "'%", "%", "'‰", "‰", "'-", "-", "''", "'")

// readMinus reads the part for negative numbers, if there is one that differs.
func (p *formatParser) readMinus(f *decimalFormat, pattern string) bool {
	minus := &formatParser{rest: p.rest}
	switch {
	case !p.separated: // it is read again, for which a second exponent is no suffix
		minus.rest = pattern
	case p.rest == "":
		return true
	}
	if !minus.read(false) || minus.quoted {
		return false
	}
	prefix, suffix := minus.affixes[0].String(), minus.affixes[1].String()
	if prefix != f.prefix || suffix != f.suffix {
		f.minusPrefix, f.minusTail = prefix, suffix
	}
	return true
}

// formatParser reads one of the two parts of a pattern: a prefix, the digits
// and a suffix.
type formatParser struct {
	rest       string
	affixes    [2]strings.Builder // with a quote before what stands for something else
	suffix     bool               // what comes now is in the suffix
	quoted     bool
	separated  bool // the part ended with a semicolon
	multiplier int64

	left, zeros, right int // the counts of #, of 0 and of # after them
	grouping           int // digits after the last comma, -1 without one
	decimal            int // digits before the point, -1 without one
	minExponent        int
}

// read leaves the part after a semicolon in rest.
func (p *formatParser) read(positive bool) bool {
	p.multiplier, p.grouping, p.decimal = 1, -1, -1
	for p.rest != "" {
		switch c := p.rest[0]; {
		case p.quoted || !strings.ContainsRune("#0,.;", rune(c)):
			if !p.readAffix() {
				return false
			}
		case c == ';':
			p.rest, p.separated = p.rest[1:], true
			return positive && p.suffix
		case !positive:
			p.rest = strings.TrimLeft(p.rest, "#0,.E")
			p.suffix = true
		case !p.readDigits():
			return false
		}
	}
	return true
}

// readAffix reads a character of the prefix or the suffix.
func (p *formatParser) readAffix() bool {
	affix := &p.affixes[truth(p.suffix)]
	c, size := utf8.DecodeRuneInString(p.rest)
	text := p.rest[:size]
	p.rest = p.rest[size:]
	switch {
	case c == '\'' && strings.HasPrefix(p.rest, "'"):
		affix.WriteString("''")
		p.rest = p.rest[1:]
	case c == '\'':
		p.quoted = !p.quoted
	case p.quoted:
		affix.WriteString(text)
	case c == '¤':
		n := 1 + truth(strings.HasPrefix(p.rest, "¤"))
		affix.WriteString("'" + strings.Repeat("¤", n))
		p.rest = p.rest[(n-1)*size:]
	case c == '%' || c == '‰':
		if p.multiplier != 1 {
			return false
		}
		p.multiplier = map[rune]int64{'%': 100, '‰': 1000}[c]
		affix.WriteString("'" + text)
	case c == '-':
		affix.WriteString("'-")
	default:
		affix.WriteString(text)
	}
	return true
}

// readDigits reads the digits up to the suffix.
func (p *formatParser) readDigits() bool {
	p.suffix = true
	for p.rest != "" {
		c := p.rest[0]
		switch {
		case c == '#' && p.zeros > 0:
			p.right++
		case c == '#':
			p.left++
		case c == '0' && p.right > 0:
			return false
		case c == '0':
			p.zeros++
		case c == ',':
			p.grouping = 0
		case c == '.' && p.decimal >= 0:
			return false
		case c == '.':
			p.decimal = p.left + p.zeros + p.right
		case c == 'E':
			return p.readExponent()
		default:
			return true
		}
		p.rest = p.rest[1:]
		if c != ',' && p.grouping >= 0 && p.decimal < 0 {
			p.grouping++
		}
	}
	return true
}

func (p *formatParser) readExponent() bool {
	rest := strings.TrimLeft(p.rest[1:], "0")
	again := p.minExponent > 0
	p.minExponent = len(p.rest) - 1 - len(rest)
	p.rest = rest
	return !again && p.left+p.zeros > 0 && p.minExponent > 0
}

// complete reports whether the digits make sense, after it has made #.## of
// one digit that is always shown.
func (p *formatParser) complete() bool {
	if p.zeros == 0 && p.left > 0 && p.decimal >= 0 {
		n := max(p.decimal, 1)
		p.right, p.left, p.zeros = p.left-n, n-1, 1
	}
	return (p.decimal < 0 && p.right == 0 || p.decimal >= p.left && p.decimal <= p.left+p.zeros) && p.grouping != 0 && !p.quoted
}

func (p *formatParser) format() *decimalFormat {
	total, ints := p.left+p.zeros+p.right, p.decimal
	if ints < 0 {
		ints = total
	}
	f := &decimalFormat{
		prefix: p.affixes[0].String(), suffix: p.affixes[1].String(), multiplier: p.multiplier, group: max(p.grouping, 0),
		minInt: ints - p.left, maxInt: math.MaxInt32, maxFrac: total - ints, minFrac: max(p.left+p.zeros-ints, 0),
		point: p.decimal >= 0 && (p.decimal == 0 || p.decimal == total), minExponent: p.minExponent,
	}
	if f.minExponent > 0 {
		f.maxInt = p.left + f.minInt
	}
	return f
}

// appendNumber appends a number in the format.
func (f *decimalFormat) appendNumber(out []byte, n decimalDigits) []byte {
	prefix, suffix := f.prefix, f.suffix
	if n.negative {
		prefix, suffix = f.minusPrefix, f.minusTail
	}
	out = append(out, prefix...)
	switch {
	case math.IsInf(n.double, 0):
		out = append(out, "∞"...)
	case f.minExponent > 0:
		n.round(f.maxInt + f.maxFrac)
		out = f.appendScientific(out, &n)
	default:
		n.round(f.maxFrac + n.point)
		out = f.appendPlain(out, &n)
	}
	return append(out, suffix...)
}

func (f *decimalFormat) appendPlain(out []byte, n *decimalDigits) []byte {
	start := len(out)
	for i := max(f.minInt, n.point) - 1; i >= 0; i-- {
		out = append(out, n.digit(n.point-1-i))
		if i > 0 && f.group > 0 && i%f.group == 0 {
			out = append(out, ',')
		}
	}
	fraction := min(max(f.minFrac, len(n.digits)-n.point), f.maxFrac)
	if fraction <= 0 && len(out) == start {
		out = append(out, '0')
	}
	if f.point || fraction > 0 {
		out = append(out, '.')
	}
	for i := range fraction {
		out = append(out, n.digit(n.point+i))
	}
	return out
}

func (f *decimalFormat) appendScientific(out []byte, n *decimalDigits) []byte {
	exponent, ints := n.point, f.minInt
	if f.maxInt > 1 && f.maxInt > f.minInt { // the exponent is a multiple
		if exponent >= 1 {
			exponent = (exponent - 1) / f.maxInt * f.maxInt
		} else {
			exponent = (exponent - f.maxInt) / f.maxInt * f.maxInt
		}
		ints = 1
	} else {
		exponent -= ints
	}
	if len(n.digits) > 0 {
		ints = n.point - exponent
	} else {
		exponent = 0
	}
	total := max(f.minInt+f.minFrac, ints, len(n.digits))
	for i := range total {
		if i == ints {
			out = append(out, '.')
		}
		out = append(out, n.digit(i))
	}
	if f.point && total == ints {
		out = append(out, '.')
	}
	out = append(out, 'E')
	if exponent < 0 {
		out = append(out, '-')
		exponent = -exponent
	}
	text := strconv.Itoa(exponent)
	if exponent == 0 {
		text = ""
	}
	for range f.minExponent - len(text) {
		out = append(out, '0')
	}
	return append(out, text...)
}

// decimalDigits is the number 0.digits * 10^point. The digits neither begin nor
// end with 0.
type decimalDigits struct {
	negative bool
	digits   string
	point    int
	double   float64 // whose digits they are, about; 0 if they are exact
}

// digitsOfDouble takes the digits that Java prints.
func digitsOfDouble(x float64) decimalDigits {
	n := decimalDigits{negative: math.Signbit(x), double: math.Abs(x)}
	if x != 0 && !math.IsInf(x, 0) {
		n.digits, n.point = javaDigits(floatBitsOf(n.double, types.Of(types.Double)))
		n.trim()
	}
	return n
}

// digitsOfText takes the digits of a decimal's text.
func digitsOfText(text string) decimalDigits {
	digits, negative := strings.CutPrefix(text, "-")
	whole, fraction, _ := strings.Cut(digits, ".")
	n := decimalDigits{negative: negative, digits: whole + fraction, point: len(whole)}
	n.trim()
	return n
}

// trim drops zeros at both ends.
func (n *decimalDigits) trim() {
	digits := strings.TrimLeft(n.digits, "0")
	n.point -= len(n.digits) - len(digits)
	n.digits = strings.TrimRight(digits, "0")
	if n.digits == "" {
		n.point = 0
	}
}

func (n *decimalDigits) digit(i int) byte {
	if i < 0 || i >= len(n.digits) {
		return '0'
	}
	return n.digits[i]
}

// round keeps count digits. Halves are rounded to an even digit.
func (n *decimalDigits) round(count int) {
	if count >= len(n.digits) {
		return
	}
	up := count >= 0 && n.roundsUp(count)
	kept := []byte(n.digits[:max(count, 0)])
	i := len(kept) - 1
	for ; up && i >= 0 && kept[i] == '9'; i-- {
		kept[i] = '0'
	}
	switch {
	case up && i >= 0:
		kept[i]++
	case up:
		kept = append([]byte{'1'}, kept...)
		n.point++
	}
	n.digits = string(kept)
	n.trim()
}

func (n *decimalDigits) roundsUp(count int) bool {
	switch half := strings.Compare(n.digits[count:], "5"); {
	case half != 0:
		return half > 0
	case n.double != 0 && n.double < 1<<63 && n.double == math.Trunc(n.double): // Java doesn't know that the digits are exact
		return true
	case n.double != 0: // the digits may be those of a number nearby
		exact, _, _ := strings.Cut(strconv.FormatFloat(n.double, 'e', 800, 64), "e")
		exact = strings.TrimRight(strings.Replace(exact, ".", "", 1), "0")
		if order := strings.Compare(exact, n.digits); order != 0 {
			return order > 0
		}
	}
	return count > 0 && n.digits[count-1]&1 == 1
}

// resolveFormatNumber takes a number of digits or a pattern.
func resolveFormatNumber(name string, args []expr.Expr) (expr.Expr, error) {
	if err := wantArgs(name, args, 2, 2); err != nil {
		return nil, err
	}
	number, how := args[0], args[1]
	switch t := number.Type(); {
	case t.IsInteger():
		number = castTo(number, types.Of(types.BigInt))
	case t.Kind != types.Decimal:
		if !t.IsNumeric() && t.Kind != types.Void {
			return nil, noOverload(name, args)
		}
		number = castTo(number, types.Of(types.Double))
	}
	switch k := how.Type().Kind; k {
	case types.Void:
		how = castTo(how, types.Of(types.Int))
	case types.Int, types.String:
	default:
		return nil, noOverload(name, args)
	}
	call := typedCall(name, stringType, number, how)
	call.MayBeNull = true
	return call, nil
}

func rowFormatNumber(f *frame, i int) error {
	format := &decimalFormat{minusPrefix: "-", multiplier: 1, minInt: 1, maxInt: math.MaxInt32, group: 3}
	if f.args[1].Type.Kind == types.Int {
		digits := int(f.int(1, i))
		if digits < 0 {
			f.setNull(i)
			return nil
		}
		format.minFrac, format.maxFrac = digits, digits
	} else if pattern := f.text(1, i); pattern != "" {
		var ok bool
		if format, ok = parseDecimalFormat(pattern); !ok {
			return invalid("format_number: %q is no pattern; one is #,##0.00", pattern)
		}
	}
	if format.minInt > maxTextBytes || format.minFrac > maxTextBytes {
		return f.tooLong()
	}
	start := len(f.out.Data)
	switch f.args[0].Type.Kind {
	case types.Decimal:
		text := f.decimal(0, i).Format(int(f.args[0].Type.Scale))
		f.out.Data = format.appendNumber(f.out.Data, digitsOfText(text).times(format.multiplier))
	case types.BigInt:
		text := strconv.FormatInt(f.int(0, i), 10)
		f.out.Data = format.limited().appendNumber(f.out.Data, digitsOfText(text).times(format.multiplier))
	default:
		if x := f.float(0, i) * float64(format.multiplier); math.IsNaN(x) {
			f.out.Data = append(f.out.Data, "NaN"...)
		} else {
			f.out.Data = format.limited().appendNumber(f.out.Data, digitsOfDouble(x))
		}
	}
	return f.endBytes(i, start)
}

// times multiplies an exact number by a power of ten.
func (n decimalDigits) times(power int64) decimalDigits {
	if n.digits != "" {
		n.point += len(strconv.FormatInt(power, 10)) - 1
	}
	return n
}

// limited is the format for a DOUBLE or a BIGINT.
func (f *decimalFormat) limited() *decimalFormat {
	out := *f
	out.minInt, out.maxInt = min(f.minInt, mostIntDigits), min(f.maxInt, mostIntDigits)
	out.minFrac, out.maxFrac = min(f.minFrac, mostFracDigits), min(f.maxFrac, mostFracDigits)
	return &out
}
