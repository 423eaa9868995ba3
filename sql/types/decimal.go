package types

import (
	"encoding/binary"
	"math"
	"math/big"
	"math/bits"
	"strconv"
	"strings"
)

// Decimal128 is the unscaled value of a DECIMAL: a two's complement integer
// of 128 bits. Its scale is in the Type. Every DECIMAL(38) fits.
type Decimal128 struct {
	Hi int64
	Lo uint64
}

// Decimal128FromInt64 widens v.
func Decimal128FromInt64(v int64) Decimal128 { return Decimal128{Hi: v >> 63, Lo: uint64(v)} }

// Int64 gives the value as int64; ok is false if it does not fit.
func (d Decimal128) Int64() (v int64, ok bool) { return int64(d.Lo), d.Hi == int64(d.Lo)>>63 }

// BigEndian gives the bytes of the value in two's complement, the highest first,
// as few as hold it.
func (d Decimal128) BigEndian() []byte {
	var full [16]byte
	binary.BigEndian.PutUint64(full[:8], uint64(d.Hi))
	binary.BigEndian.PutUint64(full[8:], d.Lo)
	i := 0
	for i < 15 && (full[i] == 0 && full[i+1] < 0x80 || full[i] == 0xff && full[i+1] >= 0x80) {
		i++
	}
	return full[i:]
}

// Sign is -1, 0 or 1.
func (d Decimal128) Sign() int {
	switch {
	case d.Hi < 0:
		return -1
	case d.Hi == 0 && d.Lo == 0:
		return 0
	}
	return 1
}

// Cmp compares two unscaled values: -1, 0 or 1.
func (d Decimal128) Cmp(e Decimal128) int {
	switch {
	case d.Hi != e.Hi:
		if d.Hi < e.Hi {
			return -1
		}
		return 1
	case d.Lo != e.Lo:
		if d.Lo < e.Lo {
			return -1
		}
		return 1
	}
	return 0
}

// Neg gives -d; the smallest 128-bit integer, which no DECIMAL holds, wraps.
func (d Decimal128) Neg() Decimal128 {
	lo, borrow := bits.Sub64(0, d.Lo, 0)
	hi, _ := bits.Sub64(0, uint64(d.Hi), borrow)
	return Decimal128{Hi: int64(hi), Lo: lo}
}

// Abs gives the magnitude of d.
func (d Decimal128) Abs() Decimal128 {
	if d.Hi < 0 {
		return d.Neg()
	}
	return d
}

// Add gives d+e; ok is false on overflow of 128 bits.
func (d Decimal128) Add(e Decimal128) (sum Decimal128, ok bool) {
	lo, carry := bits.Add64(d.Lo, e.Lo, 0)
	hi, _ := bits.Add64(uint64(d.Hi), uint64(e.Hi), carry)
	sum = Decimal128{Hi: int64(hi), Lo: lo}
	return sum, (d.Hi^sum.Hi)&(e.Hi^sum.Hi) >= 0
}

// Sub gives d-e; ok is false on overflow of 128 bits.
func (d Decimal128) Sub(e Decimal128) (diff Decimal128, ok bool) {
	lo, borrow := bits.Sub64(d.Lo, e.Lo, 0)
	hi, _ := bits.Sub64(uint64(d.Hi), uint64(e.Hi), borrow)
	diff = Decimal128{Hi: int64(hi), Lo: lo}
	return diff, (d.Hi^e.Hi)&(d.Hi^diff.Hi) >= 0
}

// Mul gives d*e; ok is false on overflow of 128 bits.
func (d Decimal128) Mul(e Decimal128) (product Decimal128, ok bool) {
	a, b := d.Abs(), e.Abs()
	if a.Hi != 0 && b.Hi != 0 {
		return Decimal128{}, false
	}
	hi, lo := bits.Mul64(a.Lo, b.Lo)
	crossHi, cross := bits.Mul64(uint64(a.Hi), b.Lo)
	if a.Hi == 0 {
		crossHi, cross = bits.Mul64(a.Lo, uint64(b.Hi))
	}
	sum, carry := bits.Add64(hi, cross, 0)
	if crossHi != 0 || carry != 0 || sum > math.MaxInt64 {
		return Decimal128{}, false
	}
	product = Decimal128{Hi: int64(sum), Lo: lo}
	if (d.Hi < 0) != (e.Hi < 0) {
		product = product.Neg()
	}
	return product, true
}

// quoRem64 divides a magnitude by a single word.
func (d Decimal128) quoRem64(v uint64) (quo Decimal128, rem uint64) {
	hi := uint64(d.Hi) / v
	lo, r := bits.Div64(uint64(d.Hi)%v, d.Lo, v)
	return Decimal128{Hi: int64(hi), Lo: lo}, r
}

var powersOf10 = func() (p [MaxDecimalPrecision + 1]Decimal128) {
	p[0] = Decimal128{Lo: 1}
	for i := 1; i < len(p); i++ {
		p[i], _ = p[i-1].Mul(Decimal128{Lo: 10})
	}
	return p
}()

// Pow10 gives 10 to the n, 0 <= n <= 38.
func Pow10(n int) Decimal128 { return powersOf10[n] }

// Pow10Int64 gives 10 to the n, 0 <= n <= 18.
func Pow10Int64(n int) int64 { return int64(powersOf10[n].Lo) }

// FitsPrecision reports whether d has at most precision digits.
func (d Decimal128) FitsPrecision(precision int) bool {
	return d.Abs().Cmp(powersOf10[precision]) < 0
}

// Precision is the least one of a DECIMAL with this scale that d fits.
func (d Decimal128) Precision(scale int) int {
	p := max(scale, 1)
	for !d.FitsPrecision(p) {
		p++
	}
	return p
}

// Rescale moves the point from one scale to another, rounding half away from
// zero; ok is false if the result overflows 128 bits.
func (d Decimal128) Rescale(from, to int) (r Decimal128, ok bool) {
	if to >= from {
		if to-from > MaxDecimalPrecision {
			return Decimal128{}, d.Sign() == 0
		}
		return d.Mul(powersOf10[to-from])
	}
	if from-to > MaxDecimalPrecision {
		return Decimal128{}, true
	}
	return d.DivRound(powersOf10[from-to])
}

// DivRound divides and rounds half away from zero; ok is false for a zero
// divisor.
func (d Decimal128) DivRound(e Decimal128) (q Decimal128, ok bool) {
	if e.Sign() == 0 {
		return Decimal128{}, false
	}
	quo, rem := d.QuoRem(e)
	// Half or more of the divisor is left: |rem| >= |e| - |rem|.
	rest, _ := e.Abs().Sub(rem.Abs())
	if rem.Abs().Cmp(rest) >= 0 {
		one := Decimal128{Lo: 1}
		if (d.Hi < 0) != (e.Hi < 0) {
			one = one.Neg()
		}
		quo, ok = quo.Add(one)
		return quo, ok
	}
	return quo, true
}

// QuoRem divides with truncation toward zero; the divisor must not be zero.
func (d Decimal128) QuoRem(e Decimal128) (quo, rem Decimal128) {
	a, b := d.Abs(), e.Abs()
	if b.Hi == 0 {
		var r uint64
		quo, r = a.quoRem64(b.Lo)
		rem = Decimal128{Lo: r}
	} else {
		q, r := new(big.Int).QuoRem(a.Big(), b.Big(), new(big.Int))
		quo, _ = Decimal128FromBig(q)
		rem, _ = Decimal128FromBig(r)
	}
	if (d.Hi < 0) != (e.Hi < 0) {
		quo = quo.Neg()
	}
	if d.Hi < 0 {
		rem = rem.Neg()
	}
	return quo, rem
}

// Big gives the value as a big.Int.
func (d Decimal128) Big() *big.Int {
	v := new(big.Int).SetInt64(d.Hi)
	v.Lsh(v, 64)
	return v.Or(v, new(big.Int).SetUint64(d.Lo))
}

var (
	minBig128 = new(big.Int).Neg(new(big.Int).Lsh(big.NewInt(1), 127))
	maxBig128 = new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), 127), big.NewInt(1))
	lowWord   = new(big.Int).SetUint64(math.MaxUint64)
)

// Decimal128FromBig narrows v; ok is false if it does not fit.
func Decimal128FromBig(v *big.Int) (d Decimal128, ok bool) {
	if v.Cmp(minBig128) < 0 || v.Cmp(maxBig128) > 0 {
		return Decimal128{}, false
	}
	hi := new(big.Int).Rsh(v, 64)
	return Decimal128{Hi: hi.Int64(), Lo: new(big.Int).And(v, lowWord).Uint64()}, true
}

// Float64 gives the nearest double of the value at a scale.
func (d Decimal128) Float64(scale int) float64 {
	if v, ok := d.Int64(); ok && scale <= 22 && v > -1<<53 && v < 1<<53 {
		return float64(v) / math.Pow10(scale) // both exact, so the quotient is rounded once
	}
	f, _ := new(big.Rat).SetFrac(d.Big(), powersOf10[scale].Big()).Float64()
	return f
}

// Format prints the value at a scale, with all digits of the scale.
func (d Decimal128) Format(scale int) string {
	return string(d.Append(nil, scale))
}

// Append appends the text that Format gives to dst.
func (d Decimal128) Append(dst []byte, scale int) []byte {
	if d.Hi < 0 {
		dst = append(dst, '-')
	}
	var digits [40]byte
	v := d.Abs()
	if v.Hi == 0 {
		return appendShortDecimal(dst, strconv.AppendUint(digits[:0], v.Lo, 10), scale)
	}
	i := len(digits)
	for v != (Decimal128{}) || len(digits)-i <= scale {
		var r uint64
		v, r = v.quoRem64(10)
		i--
		digits[i] = byte('0' + r)
	}
	whole := digits[i : len(digits)-scale]
	dst = append(dst, whole...)
	if scale > 0 {
		dst = append(dst, '.')
		dst = append(dst, digits[len(digits)-scale:]...)
	}
	return dst
}

// appendShortDecimal appends digits with a point before the last scale of them.
func appendShortDecimal(dst, digits []byte, scale int) []byte {
	whole := len(digits) - scale
	if whole <= 0 {
		dst = append(dst, '0')
	} else {
		dst = append(dst, digits[:whole]...)
	}
	if scale <= 0 {
		return dst
	}
	dst = append(dst, '.')
	for ; whole < 0; whole++ {
		dst = append(dst, '0')
	}
	return append(dst, digits[whole:]...)
}

// TrimBlanks drops the characters around a text that do not count where it is
// read as a value: blanks and control characters of ASCII.
func TrimBlanks(s string) string {
	return strings.TrimFunc(s, isBlank)
}

// ParseDecimal reads [+-]digits[.digits][e[+-]digits] exactly. It gives the
// unscaled value and the scale that the text has; ok is false for other text
// and for more than 38 significant digits.
func ParseDecimal(text string) (d Decimal128, scale int, ok bool) {
	s := TrimBlanks(text)
	neg := strings.HasPrefix(s, "-")
	if neg || strings.HasPrefix(s, "+") {
		s = s[1:]
	}
	mantissa, exponent, hasExp := cutExponent(s)
	exp := 0
	if hasExp {
		if exp, ok = parseExponent(exponent); !ok {
			return Decimal128{}, 0, false
		}
	}
	whole, frac, _ := strings.Cut(mantissa, ".")
	if whole == "" && frac == "" {
		return Decimal128{}, 0, false
	}
	for _, part := range []string{whole, frac} {
		for i := 0; i < len(part); i++ {
			if part[i] < '0' || part[i] > '9' {
				return Decimal128{}, 0, false
			}
			next, ok := d.Mul(Decimal128{Lo: 10})
			if ok {
				next, ok = next.Add(Decimal128{Lo: uint64(part[i] - '0')})
			}
			if !ok || !next.FitsPrecision(MaxDecimalPrecision) {
				return Decimal128{}, 0, false
			}
			d = next
		}
	}
	if neg {
		d = d.Neg()
	}
	scale = len(frac) - exp
	if scale < 0 { // DECIMAL has no negative scale: write the zeros out
		d, ok = d.Rescale(scale, 0)
		return d, 0, ok && d.FitsPrecision(MaxDecimalPrecision)
	}
	return d, scale, true
}

func cutExponent(s string) (mantissa, exponent string, found bool) {
	if i := strings.IndexAny(s, "eE"); i >= 0 {
		return s[:i], s[i+1:], true
	}
	return s, "", false
}

func parseExponent(s string) (int, bool) {
	neg := strings.HasPrefix(s, "-")
	if neg || strings.HasPrefix(s, "+") {
		s = s[1:]
	}
	v, rest, n := leadingInt(s, 4)
	if neg {
		v = -v
	}
	return v, n > 0 && rest == ""
}

// ParseDecimalAs reads text into a DECIMAL(precision, scale), rounding half
// away from zero; ok is false if it is no number or does not fit.
func ParseDecimalAs(text string, precision, scale int) (Decimal128, bool) {
	d, s, ok := ParseDecimal(text)
	if !ok {
		return Decimal128{}, false
	}
	d, ok = d.Rescale(s, scale)
	return d, ok && d.FitsPrecision(precision)
}
