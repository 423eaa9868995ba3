package eval

import (
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/uuid"

	"github.com/tarndb/tarn/sql/types"
)

// fromStringKernel casts STRING to another simple type. Blanks and control
// characters around the text do not count.
func fromStringKernel(to types.Type, env *Env) (kernel, bool) {
	row := func(parse func(f *frame, i int, s string) bool) kernel {
		return rowKernel(func(f *frame, i int) error {
			s := f.text(0, i)
			if !parse(f, i, types.TrimBlanks(s)) {
				return invalidCast(strings.Clone(s), types.Of(types.String), to)
			}
			return nil
		})
	}
	switch {
	case to.IsInteger():
		return row(parseInteger), true
	case to.Kind == types.Float || to.Kind == types.Double:
		return row(parseFloat), true
	case to.Kind == types.Decimal:
		return row(func(f *frame, i int, s string) bool {
			d, ok := types.ParseDecimalAs(asciiDigits(s), int(to.Precision), int(to.Scale))
			f.setDecimal(i, d)
			return ok
		}), true
	case to.Kind == types.Boolean:
		return row(parseBool), true
	case to.Kind == types.Date:
		return row(func(f *frame, i int, s string) bool {
			days, ok := types.ParseDate(s)
			if at, special := specialMoment(s, env); special {
				days, _ = types.SplitMicros(at)
				ok = true
			}
			f.setInt(i, int64(days))
			return ok
		}), true
	case to.IsTimestamp():
		return row(func(f *frame, i int, s string) bool { return parseTimestamp(f, i, s, to, env) }), true
	case to.Kind == types.Time:
		return row(func(f *frame, i int, s string) bool {
			us, ok := types.ParseTimeOfDay(s)
			f.setInt(i, us)
			return ok
		}), true
	case to.Kind == types.UUID:
		return row(func(f *frame, i int, s string) bool {
			id, err := uuid.Parse(s)
			return err == nil && f.setBytes(i, id[:]) == nil
		}), true
	case to.IsCalendar():
		return rowKernel(rowTextToCalendar), true
	case to.Kind == types.IntervalKind:
		return row(parseIntervalText), true
	case to.Kind == types.Binary:
		return rowKernel(func(f *frame, i int) error { return f.setBytes(i, f.bytes(0, i)) }), true
	case to.Kind == types.Fixed:
		return rowKernel(rowBytesToFixed), true
	}
	return nil, false
}

// parseInteger reads a whole number; as in Spark, no fraction is allowed.
func parseInteger(f *frame, i int, s string) bool {
	x, err := strconv.ParseInt(s, 10, 64)
	lo, hi := f.out.Type.IntegerRange()
	if err != nil || x < lo || x > hi {
		return false
	}
	f.setInt(i, x)
	return true
}

func parseFloat(f *frame, i int, s string) bool {
	size := 64
	if f.out.Type.Kind == types.Float {
		size = 32
	}
	x, ok := parseFloatText(s, size)
	f.setFloat(i, x)
	return ok
}

func parseFloatText(s string, size int) (float64, bool) {
	switch strings.ToLower(strings.TrimLeft(s, "+-")) {
	case "inf", "infinity", "nan":
		x, err := strconv.ParseFloat(s, 64)
		return x, err == nil
	}
	s = strings.TrimRight(s, "dDfF") // Java's suffixes
	if s == "" || strings.ContainsAny(s, "xX_pPiInN") {
		return 0, false
	}
	x, err := strconv.ParseFloat(s, size)
	if err != nil && !math.IsInf(x, 0) { // too large is infinite
		return 0, false
	}
	return x, true
}

func parseBool(f *frame, i int, s string) bool {
	switch strings.ToLower(s) {
	case "t", "true", "y", "yes", "1":
		f.out.Bools[i] = true
	case "f", "false", "n", "no", "0":
		f.out.Bools[i] = false
	default:
		return false
	}
	return true
}

// parseTimestamp reads a timestamp; a text without zone is a clock of the
// session's zone, and a clock without zone ignores one.
func parseTimestamp(f *frame, i int, s string, to types.Type, env *Env) bool {
	wall, zone, ok := types.ParseTimestamp(s)
	if !ok {
		wall, zone, ok = relativeMoment(s, to, env)
	}
	if !ok {
		return false
	}
	if isInstant(to) {
		if zone == nil {
			zone = env.zone()
		}
		wall = types.WallToInstant(wall, zone)
	}
	if isNanos(to) {
		if wall > math.MaxInt64/1000-1 || wall < math.MinInt64/1000+1 {
			return false
		}
		wall = wall*1000 + nanosOf(s)
	}
	f.setInt(i, wall)
	return true
}

// relativeMoment reads the words of specialMoment, and for an instant a time of
// the current day.
func relativeMoment(s string, to types.Type, env *Env) (wall int64, zone *time.Location, ok bool) {
	if wall, ok = specialMoment(s, env); ok {
		if isInstant(to) && strings.EqualFold(s[:min(len(s), len("epoch"))], "epoch") {
			zone = time.UTC
		}
		return wall, zone, true
	}
	clock, marked := strings.CutPrefix(s, "T")
	ofDay, zone, ok := types.ParseClock(clock)
	if !ok || !isInstant(to) || env == nil || env.Now.IsZero() || !marked && !strings.Contains(clock, ":") {
		return 0, nil, false
	}
	in := zone
	if in == nil {
		in = env.zone()
	}
	days, _ := types.SplitMicros(types.InstantToWall(env.Now.UnixMicro(), in))
	return int64(days)*types.MicrosPerDay + ofDay, zone, true
}

// specialMoment gives the clock of the session's zone that epoch, now, today,
// tomorrow or yesterday stands for.
func specialMoment(s string, env *Env) (wall int64, ok bool) {
	word, zone, _ := strings.Cut(s, " ") // before the case is changed, which may change lengths
	word = strings.ToLower(word)
	if _, ok := types.ParseZone(strings.TrimLeft(zone, " ")); zone != "" && !ok {
		return 0, false
	}
	if word == "epoch" || env == nil || env.Now.IsZero() {
		return 0, word == "epoch"
	}
	now := types.InstantToWall(env.Now.UnixMicro(), env.zone())
	days, _ := types.SplitMicros(now)
	midnight := int64(days) * types.MicrosPerDay
	switch word {
	case "now":
		return now, true
	case "today":
		return midnight, true
	case "tomorrow":
		return midnight + types.MicrosPerDay, true
	case "yesterday":
		return midnight - types.MicrosPerDay, true
	}
	return 0, false
}

// nanosOf reads the digits of a fraction of a second beyond the sixth.
func nanosOf(s string) int64 {
	_, frac, found := strings.Cut(s, ".")
	if !found || len(frac) < 7 {
		return 0
	}
	n, unit := int64(0), int64(100)
	for _, c := range frac[6:] {
		if c < '0' || c > '9' {
			break
		}
		n += int64(c-'0') * unit
		unit /= 10
	}
	return n
}

// rowCheckLength stores a string as CHAR(n) or VARCHAR(n): blanks beyond n are
// dropped, anything else beyond it is an error, and CHAR is filled up.
func rowCheckLength(f *frame, i int) error {
	s, t := f.bytes(0, i), f.out.Type
	n := utf8.RuneCount(s)
	for n > int(t.Length) && s[len(s)-1] == ' ' {
		s = s[:len(s)-1]
		n--
	}
	if n > int(t.Length) {
		return invalid("%s is longer than %s allows", printValue(types.Of(types.String), f.string(0, i)), t)
	}
	start := len(f.out.Data)
	f.out.Data = append(f.out.Data, s...)
	if t.Char == types.Char {
		for ; n < int(t.Length); n++ {
			f.out.Data = append(f.out.Data, ' ')
		}
	}
	return f.endBytes(i, start)
}

// toStringKernel prints values as Spark's cast to STRING does.
func toStringKernel(from, to types.Type, env *Env) kernel {
	return rowKernel(func(f *frame, i int) error {
		start := len(f.out.Data)
		switch {
		case from.IsInteger():
			f.out.Data = strconv.AppendInt(f.out.Data, f.int(0, i), 10)
		case from.Kind == types.Decimal:
			f.out.Data = f.decimal(0, i).Append(f.out.Data, int(from.Scale))
		case from.Kind == types.Binary:
			f.out.Data = append(f.out.Data, f.bytes(0, i)...)
		default:
			f.out.Data = appendText(f.out.Data, from, f.value(0, i), env.zone())
		}
		if to.Length > 0 && utf8.RuneCount(f.out.Data[start:]) > int(to.Length) {
			return invalid("%s is longer than %s allows", f.out.Data[start:], to)
		}
		return f.endBytes(i, start)
	})
}

// appendText prints a value of type t, as vector.Vector.Value gives it.
func appendText(dst []byte, t types.Type, value any, zone *time.Location) []byte {
	switch v := value.(type) {
	case nil:
		return append(dst, "null"...)
	case bool:
		return strconv.AppendBool(dst, v)
	case int64:
		return appendWhole(dst, t, v, zone)
	case float64:
		return append(dst, javaFloat(v, t)...)
	case types.Decimal128:
		return v.Append(dst, int(t.Scale))
	case string:
		return append(dst, v...)
	case []byte:
		switch {
		case t.Kind == types.UUID && len(v) == 16:
			return append(dst, uuid.UUID(v).String()...)
		case t.Kind == types.Variant:
			return appendVariantText(dst, v, zone)
		}
		return append(dst, v...)
	case types.Interval:
		return append(dst, types.FormatInterval(t, v)...)
	}
	return appendNested(dst, t, value, zone)
}

func appendWhole(dst []byte, t types.Type, v int64, zone *time.Location) []byte {
	switch t.Kind {
	case types.Date:
		return append(dst, types.FormatDate(int32(v))...)
	case types.Time:
		return append(dst, types.FormatTimeOfDay(v)...)
	case types.Timestamp:
		return append(dst, types.FormatTimestamp(types.InstantToWall(v, zone))...)
	case types.TimestampNTZ:
		return append(dst, types.FormatTimestamp(v)...)
	case types.TimestampNS, types.TimestampNTZNS:
		us, ns := floorDivMod(v, 1000)
		if t.Kind == types.TimestampNS {
			us = types.InstantToWall(us, zone)
		}
		return appendNanos(dst, us, ns)
	}
	return strconv.AppendInt(dst, v, 10)
}

func appendNanos(dst []byte, us, ns int64) []byte {
	if ns == 0 {
		return append(dst, types.FormatTimestamp(us)...)
	}
	whole, frac := floorDivMod(us, types.MicrosPerSecond)
	dst = append(dst, types.FormatTimestamp(whole*types.MicrosPerSecond)...)
	digits := strconv.FormatInt(1_000_000_000+frac*1000+ns, 10)
	return append(append(dst, '.'), strings.TrimRight(digits[1:], "0")...)
}

// asciiDigits replaces the digits of other scripts, which Spark reads in a
// DECIMAL.
func asciiDigits(s string) string {
	return strings.Map(func(r rune) rune {
		if r < utf8.RuneSelf || !unicode.IsDigit(r) {
			return r
		}
		zero := r // digits come in runs of ten
		for unicode.IsDigit(zero - 1) {
			zero--
		}
		return '0' + (r-zero)%10
	}, s)
}

// shortestFloat prints the shortest decimal that reads back as x.
func shortestFloat(x float64, t types.Type) string {
	size := 64
	if t.Kind == types.Float {
		size = 32
	}
	return strconv.FormatFloat(x, 'g', -1, size)
}
