package iceberg

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// parseSingleValue reads a bound (spec, Appendix D, "Binary single-value
// serialization"). The type is the field's of today: a bound that is shorter was
// written before the field's type was promoted.
func parseSingleValue(t types.Type, b []byte) (v any, ok bool) {
	switch t.Kind {
	case types.Boolean:
		return len(b) == 1 && b[0] != 0, len(b) == 1
	case types.Int, types.Date:
		if len(b) == 4 {
			return int64(int32(binary.LittleEndian.Uint32(b))), true
		}
	case types.BigInt, types.Time, types.Timestamp, types.TimestampNTZ, types.TimestampNS, types.TimestampNTZNS:
		switch len(b) {
		case 8:
			return int64(binary.LittleEndian.Uint64(b)), true
		case 4:
			if t.Kind == types.BigInt {
				return int64(int32(binary.LittleEndian.Uint32(b))), true
			}
		}
	case types.Float, types.Double:
		switch {
		case len(b) == 4:
			return float64(math.Float32frombits(binary.LittleEndian.Uint32(b))), true
		case len(b) == 8 && t.Kind == types.Double:
			return math.Float64frombits(binary.LittleEndian.Uint64(b)), true
		}
	case types.Decimal:
		return parseUnscaled(b)
	case types.String:
		return string(b), true
	case types.UUID:
		return append([]byte{}, b...), len(b) == 16
	case types.Fixed, types.Binary:
		return append([]byte{}, b...), true
	}
	return nil, false
}

// parseUnscaled reads a two's complement, big-endian number.
func parseUnscaled(b []byte) (any, bool) {
	if len(b) == 0 || len(b) > 16 {
		return nil, false
	}
	var full [16]byte
	if b[0] >= 0x80 {
		for i := range full {
			full[i] = 0xff
		}
	}
	copy(full[16-len(b):], b)
	return types.Decimal128{Hi: int64(binary.BigEndian.Uint64(full[:8])), Lo: binary.BigEndian.Uint64(full[8:])}, true
}

// appendSingleValue is the inverse of parseSingleValue.
func appendSingleValue(dst []byte, t types.Type, v any) []byte {
	switch t.Kind {
	case types.Boolean:
		if v.(bool) {
			return append(dst, 1)
		}
		return append(dst, 0)
	case types.Int, types.Date:
		return binary.LittleEndian.AppendUint32(dst, uint32(int32(v.(int64))))
	case types.BigInt, types.Time, types.Timestamp, types.TimestampNTZ, types.TimestampNS, types.TimestampNTZNS:
		return binary.LittleEndian.AppendUint64(dst, uint64(v.(int64)))
	case types.Float:
		return binary.LittleEndian.AppendUint32(dst, math.Float32bits(float32(v.(float64))))
	case types.Double:
		return binary.LittleEndian.AppendUint64(dst, math.Float64bits(v.(float64)))
	case types.Decimal:
		return append(dst, v.(types.Decimal128).BigEndian()...)
	case types.String:
		return append(dst, v.(string)...)
	}
	return append(dst, v.([]byte)...)
}

// parseJSONValue reads a value of a type (spec, Appendix D, "JSON single-value
// serialization"). Fields that the object of a struct lacks have their own
// initial defaults.
func (s *Schema) parseJSONValue(t types.Type, b json.RawMessage) (any, error) {
	if v, ok, err := parseJSONNumber(t, b); ok {
		return v, err
	}
	switch t.Kind {
	case types.Struct:
		return s.parseJSONStruct(t, b)
	case types.Array:
		var list []json.RawMessage
		if err := json.Unmarshal(b, &list); err != nil {
			return nil, err
		}
		return s.parseJSONList(t.Elem.Type, list)
	case types.Map:
		return s.parseJSONMap(t, b)
	}
	var text string
	if err := json.Unmarshal(b, &text); err != nil {
		return nil, err
	}
	return parseJSONText(t, text)
}

func parseJSONNumber(t types.Type, b json.RawMessage) (v any, ok bool, err error) {
	switch t.Kind {
	case types.Boolean:
		var x bool
		err = json.Unmarshal(b, &x)
		return x, true, err
	case types.Int, types.BigInt:
		var x int64
		err = json.Unmarshal(b, &x)
		return x, true, err
	case types.Float, types.Double:
		var x float64
		err = json.Unmarshal(b, &x)
		return x, true, err
	}
	return nil, false, nil
}

func (s *Schema) parseJSONStruct(t types.Type, b json.RawMessage) (any, error) {
	var object map[types.FieldID]json.RawMessage
	if err := json.Unmarshal(b, &object); err != nil {
		return nil, err
	}
	out := make([]any, len(t.Fields))
	for i, f := range t.Fields {
		text, ok := object[f.ID]
		if !ok {
			out[i] = s.initial[f.ID]
			continue
		}
		if string(text) == "null" {
			continue
		}
		var err error
		if out[i], err = s.parseJSONValue(f.Type, text); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (s *Schema) parseJSONList(t types.Type, list []json.RawMessage) ([]any, error) {
	out := make([]any, len(list))
	for i, text := range list {
		if string(text) == "null" {
			continue
		}
		var err error
		if out[i], err = s.parseJSONValue(t, text); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (s *Schema) parseJSONMap(t types.Type, b json.RawMessage) (any, error) {
	var object struct{ Keys, Values []json.RawMessage }
	if err := json.Unmarshal(b, &object); err != nil {
		return nil, err
	}
	if len(object.Keys) != len(object.Values) {
		return nil, fmt.Errorf("a map of %d keys and %d values", len(object.Keys), len(object.Values))
	}
	keys, err := s.parseJSONList(t.Key.Type, object.Keys)
	if err != nil {
		return nil, err
	}
	values, err := s.parseJSONList(t.Elem.Type, object.Values)
	if err != nil {
		return nil, err
	}
	out := make([]vector.MapEntry, len(keys))
	for i := range keys {
		out[i] = vector.MapEntry{Key: keys[i], Value: values[i]}
	}
	return out, nil
}

// parseJSONText reads the types whose values are JSON strings.
func parseJSONText(t types.Type, text string) (any, error) {
	bad := fmt.Errorf("%q is no %s", text, t)
	switch t.Kind {
	case types.String:
		return text, nil
	case types.Decimal:
		if v, ok := types.ParseDecimalAs(text, int(t.Precision), int(t.Scale)); ok {
			return v, nil
		}
	case types.Date:
		if v, ok := types.ParseDate(text); ok {
			return int64(v), nil
		}
	case types.Time:
		if v, ok := types.ParseTimeOfDay(text); ok {
			return v, nil
		}
	case types.Timestamp, types.TimestampNTZ, types.TimestampNS, types.TimestampNTZNS:
		return parseJSONTimestamp(t, text)
	case types.UUID:
		if v, err := uuid.Parse(text); err == nil {
			return v[:], nil
		}
	case types.Fixed, types.Binary:
		if v, err := hex.DecodeString(text); err == nil {
			return v, nil
		}
	}
	return nil, bad
}

func parseJSONTimestamp(t types.Type, text string) (any, error) {
	layout := "2006-01-02T15:04:05.999999999"
	if t.Kind == types.Timestamp || t.Kind == types.TimestampNS {
		layout += "Z07:00"
	}
	at, err := time.Parse(layout, text)
	if err != nil && strings.Count(text, ":") == 1 { // Java leaves out seconds that are 0
		at, err = time.Parse(strings.Replace(layout, ":05.999999999", "", 1), text)
	}
	if err != nil {
		return nil, fmt.Errorf("%q is no %s", text, t)
	}
	if t.Kind == types.TimestampNS || t.Kind == types.TimestampNTZNS {
		return at.UnixNano(), nil
	}
	return at.UnixMicro(), nil
}
