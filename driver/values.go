package driver

import (
	"encoding/hex"
	"time"

	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// value converts a value in the form of vector.Vector.Value.
func value(t types.Type, x any, zone *time.Location) any {
	switch v := x.(type) {
	case types.Decimal128:
		return v.Format(int(t.Scale))
	case types.Interval:
		return types.FormatInterval(t, v)
	case []byte:
		switch t.Kind {
		case types.UUID:
			return formatUUID(v)
		case types.Variant:
			return variantOf(v, zone)
		}
	case int64:
		return wholeValue(t, v, zone)
	case []any:
		return nestedValue(t, v, zone)
	case []vector.MapEntry:
		m := make(Map, len(v))
		for i, e := range v {
			m[i] = Entry{Key: value(t.Key.Type, e.Key, zone), Value: value(t.Elem.Type, e.Value, zone)}
		}
		return m
	}
	return x
}

func wholeValue(t types.Type, v int64, zone *time.Location) any {
	switch t.Kind {
	case types.Date:
		return time.Unix(v*86400, 0).UTC()
	case types.Time:
		us := types.FormatTimeOfDay(v)
		if len(us) == len("15:04:05") {
			return us + ".000000"
		}
		return us + "000000"[:len("15:04:05.000000")-len(us)]
	case types.Timestamp:
		return time.UnixMicro(v).In(zone)
	case types.TimestampNTZ:
		return time.UnixMicro(v).UTC()
	case types.TimestampNS:
		return time.Unix(0, v).In(zone)
	case types.TimestampNTZNS:
		return time.Unix(0, v).UTC()
	}
	return v
}

func nestedValue(t types.Type, v []any, zone *time.Location) any {
	if t.Kind == types.Struct {
		s := make(Struct, len(v))
		for i, f := range t.Fields {
			s[i] = Field{Name: f.Name, Value: value(f.Type, v[i], zone)}
		}
		return s
	}
	l := make(List, len(v))
	for i, e := range v {
		l[i] = value(t.Elem.Type, e, zone)
	}
	return l
}

// variantOf gives a VARIANT as it lies in a vector, where it is well-formed.
func variantOf(encoded []byte, zone *time.Location) Variant {
	text, err := eval.AppendVariantJSON(nil, encoded, zone)
	if err != nil {
		panic(err)
	}
	return Variant(text)
}

// formatUUID prints 16 bytes in the usual form.
func formatUUID(b []byte) string {
	h := hex.EncodeToString(b)
	if len(h) != 32 {
		return h
	}
	return h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]
}
