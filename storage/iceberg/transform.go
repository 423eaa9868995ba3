package iceberg

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/twmb/murmur3"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// transformKind names a partition transform (spec, "Partition Transforms").
type transformKind uint8

const (
	identityTransform transformKind = iota
	bucketTransform
	truncateTransform
	yearTransform
	monthTransform
	dayTransform
	hourTransform
	voidTransform
	unknownTransform // of a later version of the spec: it prunes nothing
)

// Transform makes a partition value of a column's value. It is NULL of NULL.
type Transform struct {
	kind  transformKind
	param int    // buckets, or the width
	text  string // of an unknown one
}

var transformNames = map[string]transformKind{
	"identity": identityTransform, "year": yearTransform, "month": monthTransform, "day": dayTransform, "hour": hourTransform, "void": voidTransform,
}

// parseTransform reads a transform; one that is not known prunes nothing (spec,
// "Partition Specs": v3 readers ignore it).
func parseTransform(text string) Transform {
	t := Transform{kind: unknownTransform, text: text}
	word := strings.ToLower(strings.TrimSpace(text))
	if kind, ok := transformNames[word]; ok {
		return Transform{kind: kind}
	}
	name, rest, ok := strings.Cut(word, "[")
	param, err := strconv.Atoi(strings.TrimSuffix(rest, "]"))
	if !ok || err != nil || param <= 0 || param > math.MaxInt32 || !strings.HasSuffix(rest, "]") {
		return t
	}
	switch name {
	case "bucket":
		return Transform{kind: bucketTransform, param: param}
	case "truncate":
		return Transform{kind: truncateTransform, param: param}
	}
	return t
}

// String is the transform as metadata has it (spec, "Partition Transforms").
func (t Transform) String() string {
	switch t.kind {
	case bucketTransform:
		return fmt.Sprintf("bucket[%d]", t.param)
	case truncateTransform:
		return fmt.Sprintf("truncate[%d]", t.param)
	case unknownTransform:
		return t.text
	}
	for name, kind := range transformNames {
		if kind == t.kind {
			return name
		}
	}
	panic("iceberg: a transform without a name")
}

// resultType is the type of partition values made of a source type.
func (t Transform) resultType(source types.Type) types.Type {
	switch t.kind {
	case bucketTransform, yearTransform, monthTransform, hourTransform:
		return types.Of(types.Int)
	case dayTransform:
		return types.Of(types.Date)
	case unknownTransform:
		return types.Of(types.Binary)
	}
	return source
}

// apply gives the partition value of a value of the source type.
func (t Transform) apply(source types.Type, v any) any {
	if v == nil {
		return nil
	}
	switch t.kind {
	case identityTransform:
		return v
	case bucketTransform:
		return int64(hashValue(source, v)&math.MaxInt32) % int64(t.param)
	case truncateTransform:
		if n, ok := v.(int64); ok && source.Kind == types.Int {
			return int64(int32(n - floorMod(n, int64(t.param)))) // see wrapsAround
		}
		return t.truncate(v)
	case yearTransform, monthTransform, dayTransform, hourTransform:
		return t.units(source, v.(int64))
	}
	return nil
}

// truncate cuts a value down to the width (spec, "Truncate Transform Details").
func (t Transform) truncate(v any) any {
	switch v := v.(type) {
	case int64:
		return v - floorMod(v, int64(t.param))
	case types.Decimal128:
		width := types.Decimal128FromInt64(int64(t.param))
		_, rem := v.QuoRem(width)
		if rem.Sign() < 0 {
			rem, _ = rem.Add(width)
		}
		out, _ := v.Sub(rem)
		return out
	case string:
		end := 0
		for range t.param {
			if end >= len(v) {
				return v
			}
			_, n := utf8.DecodeRuneInString(v[end:])
			end += n
		}
		return v[:end]
	case []byte:
		return v[:min(len(v), t.param)]
	}
	return nil
}

// microsOf gives an instant of a timestamp's unit in microseconds, rounded down.
func microsOf(source types.Type, v int64) int64 {
	if source.Kind == types.TimestampNS || source.Kind == types.TimestampNTZNS {
		return floorDiv(v, 1000)
	}
	return v
}

// units counts whole years, months, days or hours since 1970, rounded down.
func (t Transform) units(source types.Type, v int64) any {
	days := v
	if source.Kind != types.Date {
		micros := microsOf(source, v)
		if t.kind == hourTransform {
			return floorDiv(micros, 3600*types.MicrosPerSecond)
		}
		days = floorDiv(micros, types.MicrosPerDay)
	}
	if t.kind == dayTransform {
		return days
	}
	year, month, _ := types.CivilFromDays(int32(days))
	if t.kind == yearTransform {
		return int64(year - 1970)
	}
	return int64((year-1970)*12 + month - 1)
}

// preimage bounds the values of the source whose partition value lies between
// two; nil is no bound. Of a bucket nothing is known.
func (t Transform) preimage(source types.Type, lower, upper any) (low, high any) {
	switch t.kind {
	case identityTransform:
		return lower, upper
	case truncateTransform:
		return t.truncatePreimage(source, lower, upper)
	case yearTransform, monthTransform, dayTransform, hourTransform:
		if t.kind == hourTransform && hoursWrapAround(lower, upper) {
			return nil, nil
		}
		if v, ok := lower.(int64); ok {
			low = t.firstOf(source, v)
		}
		if v, ok := upper.(int64); ok {
			if next := t.firstOf(source, v+1); next != nil {
				high = next.(int64) - 1
			}
		}
	}
	return low, high
}

// firstOf is the first value of a unit; nil where the source can't hold it.
func (t Transform) firstOf(source types.Type, unit int64) any {
	var at time.Time
	if unit < -1<<40 || unit > 1<<40 {
		return nil
	}
	switch t.kind {
	case yearTransform:
		at = time.Date(1970+int(unit), 1, 1, 0, 0, 0, 0, time.UTC)
	case monthTransform:
		at = time.Date(1970, time.Month(1+unit), 1, 0, 0, 0, 0, time.UTC)
	case dayTransform:
		at = time.Unix(unit*86400, 0).UTC()
	default:
		at = time.Unix(unit*3600, 0).UTC()
	}
	seconds := at.Unix()
	if source.Kind == types.Date {
		return floorDiv(seconds, 86400)
	}
	scale := int64(types.MicrosPerSecond)
	if source.Kind == types.TimestampNS || source.Kind == types.TimestampNTZNS {
		scale *= 1000
	}
	if seconds > math.MaxInt64/scale || seconds < math.MinInt64/scale {
		return nil
	}
	return seconds * scale
}

// truncatePreimage is preimage of a truncation.
func (t Transform) truncatePreimage(source types.Type, lower, upper any) (low, high any) {
	low = lower
	if t.wrapsAround(lower, upper, math.MaxInt32) || t.wrapsAround(lower, upper, math.MaxInt64) {
		low = nil
	}
	switch v := upper.(type) {
	case int64:
		if v <= math.MaxInt64-int64(t.param) {
			high = v + int64(t.param) - 1
		}
	case types.Decimal128:
		if sum, ok := v.Add(types.Decimal128FromInt64(int64(t.param) - 1)); ok {
			high = sum
		}
	case string:
		high = v
		if utf8.RuneCountInString(v) >= t.param {
			high = nil
			if next, ok := nextString(v); ok {
				high = next
			}
		}
	case []byte:
		high = v
		if len(v) >= t.param {
			high = nil
			if next, ok := nextBytes(v); ok {
				high = next
			}
		}
	}
	return low, high
}

// wrapsAround tells whether whole numbers between two bounds can be those that the
// least numbers of a type were cut to: what lies below the type wraps around to its
// greatest numbers, as the reference implementation has it. A column of long may have
// been one of int.
func (t Transform) wrapsAround(lower, upper any, greatest int64) bool {
	low, hasLow := lower.(int64)
	high, hasHigh := upper.(int64)
	return (hasLow || hasHigh) && (!hasLow || low <= greatest) && (!hasHigh || high > greatest-int64(t.param))
}

// hoursWrapAround tells whether hours between two bounds can be those of instants that
// are too far off for the hours of a partition, which are an int: more than 2³¹.
func hoursWrapAround(lower, upper any) bool {
	const least = 1<<32 - math.MaxInt64/(3600*types.MicrosPerSecond) - 1
	low, hasLow := lower.(int64)
	high, hasHigh := upper.(int64)
	return !hasLow || !hasHigh || low <= -least || high >= least
}

// nextBytes is the least of the byte strings of the same length or shorter that
// are above all that begin with b; ok is false if there is none.
func nextBytes(b []byte) (next []byte, ok bool) {
	for i := len(b) - 1; i >= 0; i-- {
		if b[i] != 0xff {
			next = append([]byte{}, b[:i+1]...)
			next[i]++
			return next, true
		}
	}
	return nil, false
}

// nextString is a text above all that begin with s, of whole characters.
func nextString(s string) (next string, ok bool) {
	runes := []rune(s)
	for i := len(runes) - 1; i >= 0; i-- {
		r := runes[i] + 1
		if r == 0xd800 { // surrogates are no characters
			r = 0xe000
		}
		if r <= utf8.MaxRune && runes[i] != utf8.RuneError {
			return string(append(runes[:i:i], r)), true
		}
	}
	return "", false
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

func floorMod(a, b int64) int64 { return a - floorDiv(a, b)*b }

// hashValue is the hash of the bucket transform (spec, Appendix B).
func hashValue(t types.Type, v any) uint32 {
	switch v := v.(type) {
	case bool:
		if v {
			return hashLong(1)
		}
		return hashLong(0)
	case int64:
		return hashLong(uint64(microsOf(t, v)))
	case float64:
		return hashLong(vector.FloatKey(v))
	case types.Decimal128:
		return murmur3.Sum32(v.BigEndian())
	case string:
		return murmur3.Sum32([]byte(v))
	case []byte:
		return murmur3.Sum32(v)
	}
	panic(fmt.Sprintf("iceberg: no hash of %T", v))
}

func hashLong(v uint64) uint32 {
	return murmur3.Sum32(binary.LittleEndian.AppendUint64(nil, v))
}
