package partition

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tarndb/tarn/sql/types"
)

// Parse gives the value that text stands for, in the form of
// vector.Vector.Value. The empty text is NULL, but for strings: the protocol
// has it so for any type, yet writers that mean NULL write null, and the
// reference implementation reads the empty string as it is. Timestamps without
// a zone are taken to be in UTC, since nothing tells the writer's zone.
func Parse(t types.Type, text string) (any, error) {
	if text == "" && t.Kind != types.String {
		return nil, nil
	}
	v, ok := parse(t, text)
	if !ok {
		return nil, fmt.Errorf("partition value %q is no %s", text, t)
	}
	return v, nil
}

func parse(t types.Type, text string) (any, bool) {
	switch t.Kind {
	case types.String:
		return text, true
	case types.Boolean:
		b, err := strconv.ParseBool(strings.ToLower(text))
		return b, err == nil
	case types.TinyInt:
		return parseInt(text, 8)
	case types.SmallInt:
		return parseInt(text, 16)
	case types.Int:
		return parseInt(text, 32)
	case types.BigInt:
		return parseInt(text, 64)
	case types.Float:
		return parseFloat(text, 32)
	case types.Double:
		return parseFloat(text, 64)
	case types.Decimal:
		return types.ParseDecimalAs(text, int(t.Precision), int(t.Scale))
	case types.Date:
		d, ok := types.ParseDate(text)
		return int64(d), ok
	case types.Timestamp:
		wall, zone, ok := types.ParseTimestamp(text)
		if zone == nil {
			zone = time.UTC
		}
		return types.WallToInstant(wall, zone), ok
	case types.TimestampNTZ:
		wall, zone, ok := types.ParseTimestamp(text)
		return wall, ok && (zone == nil || zone == time.UTC)
	case types.Binary:
		return parseBinary(text)
	}
	return nil, false
}

func parseInt(text string, bits int) (any, bool) {
	n, err := strconv.ParseInt(text, 10, bits)
	return n, err == nil
}

// parseFloat reads what Java prints, which has its own names for the special
// values.
func parseFloat(text string, bits int) (any, bool) {
	if strings.ContainsAny(text, "xX_") {
		return nil, false
	}
	f, err := strconv.ParseFloat(text, bits)
	return f, err == nil
}

// parseBinary takes the characters U+0000 to U+00FF for the bytes that they
// number, as the protocol's escaped form has them; other text is UTF-8, which
// is what Spark writes.
func parseBinary(text string) (any, bool) {
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); {
		if rest := text[i:]; len(rest) >= 6 && rest[0] == '\\' && rest[1] == 'u' {
			if n, err := strconv.ParseUint(rest[2:6], 16, 8); err == nil {
				out = append(out, byte(n))
				i += 6
				continue
			}
		}
		_, size := utf8.DecodeRuneInString(text[i:])
		out = append(out, text[i:i+size]...)
		i += size
	}
	return out, true
}

// Format gives the text for a value; ok is false for NULL and for the empty
// string and binary, which readers that follow the protocol take for NULL.
func Format(t types.Type, value any) (text string, ok bool) {
	switch v := value.(type) {
	case nil:
		return "", false
	case bool:
		return strconv.FormatBool(v), true
	case int64:
		return formatWhole(t, v), true
	case float64:
		return formatFloat(t, v), true
	case types.Decimal128:
		return v.Format(int(t.Scale)), true
	case string:
		return v, v != ""
	case []byte:
		return string(v), len(v) > 0
	}
	panic(fmt.Sprintf("partition: value of type %T", value))
}

func formatWhole(t types.Type, v int64) string {
	switch t.Kind {
	case types.Date:
		return types.FormatDate(int32(v))
	case types.Timestamp:
		// The form adjusted to UTC, which no reader's zone can change.
		days, us := types.SplitMicros(v)
		clock := types.FormatTimeOfDay(us - us%types.MicrosPerSecond)
		return fmt.Sprintf("%sT%s.%06dZ", types.FormatDate(days), clock, us%types.MicrosPerSecond)
	case types.TimestampNTZ:
		return types.FormatTimestamp(v)
	}
	return strconv.FormatInt(v, 10)
}

func formatFloat(t types.Type, v float64) string {
	bits := 64
	if t.Kind == types.Float {
		bits = 32
	}
	switch {
	case math.IsNaN(v):
		return "NaN"
	case math.IsInf(v, 0):
		return strings.TrimPrefix(strconv.FormatFloat(v, 'g', -1, bits), "+") + "inity"
	}
	text := strconv.FormatFloat(v, 'g', -1, bits)
	if !strings.ContainsAny(text, ".e") {
		text += ".0" // as Java prints it
	}
	return text
}
