package expr

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/tarndb/tarn/sql/types"
)

// FormatLiteral prints a value of type t as an SQL literal.
func FormatLiteral(t types.Type, value any) string {
	if value == nil {
		return "NULL"
	}
	switch v := value.(type) {
	case bool:
		return strings.ToUpper(strconv.FormatBool(v))
	case int64:
		return formatWhole(t, v)
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case types.Decimal128:
		return v.Format(int(t.Scale))
	case string:
		return "'" + strings.ReplaceAll(v, "'", "''") + "'"
	case []byte:
		if t.Kind == types.Moment {
			return "TIMESTAMP '" + types.DecodeMoment(v).Format("2006-01-02 15:04:05.999999999Z07:00") + "'"
		}
		return "X'" + strings.ToUpper(hex.EncodeToString(v)) + "'"
	case types.Interval:
		return v.SQL(t)
	case []any:
		return formatNested(t, v)
	}
	return fmt.Sprintf("%v", value)
}

func formatWhole(t types.Type, v int64) string {
	switch t.Kind {
	case types.Date:
		return "DATE '" + types.FormatDate(int32(v)) + "'"
	case types.Timestamp:
		return "TIMESTAMP '" + types.FormatTimestamp(v) + "Z'"
	case types.TimestampNTZ:
		return "TIMESTAMP_NTZ '" + types.FormatTimestamp(v) + "'"
	case types.TimestampNS:
		return "TIMESTAMP '" + formatNanos(v) + "Z'"
	case types.TimestampNTZNS:
		return "TIMESTAMP_NTZ '" + formatNanos(v) + "'"
	case types.Time:
		return "TIME '" + types.FormatTimeOfDay(v) + "'"
	}
	return strconv.FormatInt(v, 10)
}

func formatNanos(v int64) string {
	return time.Unix(0, v).UTC().Format("2006-01-02 15:04:05.999999999")
}

func formatNested(t types.Type, v []any) string {
	parts := make([]string, len(v))
	for i, e := range v {
		et := types.Type{}
		if t.Kind == types.Struct {
			et = t.Fields[i].Type
		} else if t.Elem != nil {
			et = t.Elem.Type
		}
		parts[i] = FormatLiteral(et, e)
	}
	if t.Kind == types.Struct {
		return "struct(" + strings.Join(parts, ", ") + ")"
	}
	return "array(" + strings.Join(parts, ", ") + ")"
}
