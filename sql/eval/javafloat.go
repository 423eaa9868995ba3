package eval

import (
	"math"
	"math/big"
	"math/bits"
	"strconv"

	"github.com/tarndb/tarn/sql/types"
)

// javaFloat prints like the Double.toString and Float.toString of Java before
// version 19: plain between 10^-3 and 10^7, else with an exponent, and always
// with a digit after the point.
//
// Those digits are not always the fewest (JDK-4511638: the FLOAT 1E16 is
// 1.00000003E16), so they are made the same way: by Steele and White's generation
// of digits (How to Print Floating-Point Numbers Accurately, PLDI 1990) with the
// shortcuts of David Gay's dtoa, in numbers of 32 or 64 bits where they suffice.
func javaFloat(x float64, t types.Type) string {
	switch {
	case math.IsNaN(x):
		return "NaN"
	case math.IsInf(x, 1):
		return "Infinity"
	case math.IsInf(x, -1):
		return "-Infinity"
	}
	sign := ""
	if math.Signbit(x) {
		sign = "-"
	}
	if x == 0 {
		return sign + "0.0"
	}
	digits, point := javaDigits(floatBitsOf(math.Abs(x), t))
	switch {
	case point > 0 && point < 8:
		for len(digits) <= point {
			digits += "0"
		}
		return sign + digits[:point] + "." + digits[point:]
	case point <= 0 && point > -3:
		return sign + "0." + "000"[:-point] + digits
	case len(digits) == 1:
		digits += "0"
	}
	return sign + digits[:1] + "." + digits[1:] + "E" + strconv.Itoa(point-1)
}

// floatBits is the number fraction * 2^(exponent-52), where fraction has 53 bits;
// the lower ones of a FLOAT are 0.
type floatBits struct {
	fraction    uint64
	exponent    int
	significant int // how many bits of the fraction the type keeps
}

// floatBitsOf takes a positive number apart.
func floatBitsOf(x float64, t types.Type) floatBits {
	raw := math.Float64bits(x)
	b := floatBits{fraction: raw & (1<<52 - 1), exponent: int(raw >> 52), significant: 53}
	if b.exponent == 0 { // a subnormal DOUBLE
		b.significant = bits.Len64(b.fraction)
		b.fraction <<= 53 - b.significant
		b.exponent = 1 - (53 - b.significant)
	}
	b.fraction |= 1 << 52
	b.exponent -= 1023
	if t.Kind == types.Float {
		b.significant = min(24, b.exponent+150) // fewer where it is subnormal
	}
	return b
}

// javaDigits gives the digits of a number and how many of them stand before the
// point.
func javaDigits(b floatBits) (digits string, point int) {
	zeros := bits.TrailingZeros64(b.fraction)
	used := 53 - zeros
	after := max(0, used-b.exponent-1) // bits after the point
	if after == 0 && b.exponent <= 62 {
		return wholeDigits(b)
	}
	point = estimatePoint(b)
	q := quotient{estimate: point, used: used, five: [2]int{max(0, -point), max(0, point)}}
	two := q.five[0] + after + b.exponent
	q.tolerance = two - b.significant
	q.two = [2]int{two - (used - 1), q.five[1] + after}
	common := min(q.two[0], q.two[1])
	q.two[0], q.two[1], q.tolerance = q.two[0]-common, q.two[1]-common, q.tolerance-common
	if used == 1 { // the neighbour below a power of two is nearer
		q.tolerance--
	}
	if q.tolerance < 0 {
		q.two[0], q.two[1], q.tolerance = q.two[0]-q.tolerance, q.two[1]-q.tolerance, 0
	}
	return q.digits(b.fraction >> zeros)
}

// wholeDigits prints a whole number below 2^63. Digits beyond the precision of
// the type are rounded away, and zeros at the end are left out.
func wholeDigits(b floatBits) (digits string, point int) {
	var n uint64
	if b.exponent >= 52 {
		n = b.fraction << (b.exponent - 52)
	} else {
		n = b.fraction >> (52 - b.exponent)
	}
	dropped := 0
	if p := b.exponent - b.significant - 1; p > 1 {
		dropped = int(float64(p) * math.Log10(2))
	}
	for range dropped - 1 {
		n /= 10
	}
	if dropped > 0 {
		n = (n + 5) / 10
	}
	digits = strconv.FormatUint(n, 10)
	point = dropped + len(digits)
	for len(digits) > 1 && digits[len(digits)-1] == '0' {
		digits = digits[:len(digits)-1]
	}
	return digits, point
}

// estimatePoint gives the decimal exponent of a number or one more, by the
// tangent of the logarithm at 1.5.
func estimatePoint(b floatBits) int {
	m := math.Float64frombits(b.fraction&(1<<52-1) | 1023<<52)
	// The conversions keep each product rounded, without a fused addition.
	return int(math.Floor(float64((m-1.5)*0.289529654) + 0.176091259 + float64(float64(b.exponent)*0.301029995663981)))
}

// quotient is a number as B / S times 10^estimate, which gives its digits one
// by one: B is the fraction with powers of 5 and 2, S has powers only. The
// number may be off by M / S, whose power of 5 is that of B.
type quotient struct {
	estimate  int
	used      int    // bits of the fraction
	five, two [2]int // the powers in B and S
	tolerance int    // the power of 2 in M
}

func (q *quotient) digits(fraction uint64) (digits string, point int) {
	numerator := q.used + q.two[0] + bitsOfPower(q.five[0])
	tenfold := q.two[1] + 1 + bitsOfPower(q.five[1]+1)
	switch {
	case numerator < 32 && tenfold < 32:
		return smallDigits[int32](q, fraction)
	case numerator < 64 && tenfold < 64:
		return smallDigits[int64](q, fraction)
	}
	return q.bigDigits(fraction)
}

// bitsOfPower is at least the number of bits that a factor of 5^n adds.
func bitsOfPower(n int) int {
	if n == 0 {
		return 0
	}
	if n < 27 {
		return bits.Len64(powerOf5(n))
	}
	return 3 * n
}

func powerOf5(n int) uint64 {
	p := uint64(1)
	for range n {
		p *= 5
	}
	return p
}

// smallDigits works in T; that M may wrap around stops it, as in Java.
func smallDigits[T int32 | int64](q *quotient, fraction uint64) (digits string, point int) {
	b := T(fraction) * T(powerOf5(q.five[0])) << q.two[0]
	s := T(powerOf5(q.five[1])) << q.two[1]
	m := T(powerOf5(q.five[0])) << q.tolerance
	tenfold := s * 10
	var out []byte
	next := func() byte {
		d := byte(b / s)
		b = 10 * (b % s)
		m *= 10
		return '0' + d
	}
	d := next()
	low, high := b < m, b+m > tenfold
	out, point = firstDigit(out, d, &low, &high, q.estimate)
	for !low && !high {
		out = append(out, next())
		low, high = true, true
		if m > 0 {
			low, high = b < m, b+m > tenfold
		}
	}
	rest := 0
	switch twice := b<<1 - tenfold; {
	case twice > 0:
		rest = 1
	case twice < 0:
		rest = -1
	}
	return lastDigit(out, point, low, high, rest)
}

func (q *quotient) bigDigits(fraction uint64) (digits string, point int) {
	power := func(five, two int) *big.Int {
		p := new(big.Int).Exp(big.NewInt(5), big.NewInt(int64(five)), nil)
		return p.Lsh(p, uint(two))
	}
	b := power(q.five[0], q.two[0])
	b.Mul(b, new(big.Int).SetUint64(fraction))
	s, m, tenfold := power(q.five[1], q.two[1]), power(q.five[0], q.tolerance), power(q.five[1]+1, q.two[1]+1)
	ten, digit, sum := big.NewInt(10), new(big.Int), new(big.Int)
	var out []byte
	var low, high bool
	next := func() byte {
		digit.QuoRem(b, s, b)
		b.Mul(b, ten)
		m.Mul(m, ten)
		low, high = b.Cmp(m) < 0, sum.Add(b, m).Cmp(tenfold) >= 0
		return '0' + byte(digit.Uint64())
	}
	d := next()
	out, point = firstDigit(out, d, &low, &high, q.estimate)
	for !low && !high {
		out = append(out, next())
	}
	return lastDigit(out, point, low, high, b.Lsh(b, 1).Cmp(tenfold))
}

// firstDigit leaves a zero out, where the estimate was one too much. What has
// an exponent has two digits, whatever the first leaves.
func firstDigit(out []byte, d byte, low, high *bool, estimate int) (digits []byte, point int) {
	if d == '0' && !*high {
		estimate--
	} else {
		out = append(out, d)
	}
	if estimate < -3 || estimate >= 8 {
		*low, *high = false, false
	}
	return out, estimate + 1
}

// lastDigit rounds the digits up where only that is near enough, or where both
// are and the rest is more than a half, or a half after an odd digit.
func lastDigit(out []byte, point int, low, high bool, rest int) (digits string, after int) {
	odd := out[len(out)-1]&1 == 1
	if !high || low && (rest < 0 || rest == 0 && !odd) {
		return string(out), point
	}
	i := len(out) - 1
	for i > 0 && out[i] == '9' {
		out[i] = '0'
		i--
	}
	if out[i] == '9' {
		out[i] = '1'
		return string(out), point + 1
	}
	out[i]++
	return string(out), point
}
