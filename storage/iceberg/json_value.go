package iceberg

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strconv"
	"time"

	"github.com/google/uuid"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
)

// jsonValue is the inverse of Schema.parseJSONValue (spec, Appendix D, "JSON
// single-value serialization").
func jsonValue(t types.Type, v any) (json.RawMessage, error) {
	if v == nil {
		return json.RawMessage("null"), nil
	}
	switch t.Kind {
	case types.Boolean, types.Int, types.BigInt, types.Double:
		return marshal(v)
	case types.Float:
		return marshal(float32(v.(float64)))
	case types.Struct:
		return jsonStruct(t, v.([]any))
	case types.Array:
		return jsonList(t.Elem.Type, v.([]any))
	case types.Map:
		return jsonMap(t, v.([]vector.MapEntry))
	}
	text, err := jsonText(t, v)
	if err != nil {
		return nil, err
	}
	return marshal(text)
}

func jsonStruct(t types.Type, values []any) (json.RawMessage, error) {
	object := make(map[string]json.RawMessage, len(t.Fields))
	for i, f := range t.Fields {
		text, err := jsonValue(f.Type, values[i])
		if err != nil {
			return nil, err
		}
		object[strconv.Itoa(int(f.ID))] = text
	}
	return marshal(object)
}

func jsonList(t types.Type, values []any) (json.RawMessage, error) {
	list := make([]json.RawMessage, len(values))
	for i, v := range values {
		var err error
		if list[i], err = jsonValue(t, v); err != nil {
			return nil, err
		}
	}
	return marshal(list)
}

func jsonMap(t types.Type, entries []vector.MapEntry) (json.RawMessage, error) {
	keys, values := make([]any, len(entries)), make([]any, len(entries))
	for i, e := range entries {
		keys[i], values[i] = e.Key, e.Value
	}
	var object struct {
		Keys   json.RawMessage `json:"keys"`
		Values json.RawMessage `json:"values"`
	}
	var err error
	if object.Keys, err = jsonList(t.Key.Type, keys); err != nil {
		return nil, err
	}
	if object.Values, err = jsonList(t.Elem.Type, values); err != nil {
		return nil, err
	}
	return marshal(object)
}

// jsonText writes the types whose values are JSON strings.
func jsonText(t types.Type, v any) (string, error) {
	switch t.Kind {
	case types.String:
		return v.(string), nil
	case types.Decimal:
		return v.(types.Decimal128).Format(int(t.Scale)), nil
	case types.Date:
		return types.FormatDate(int32(v.(int64))), nil
	case types.Time:
		return types.FormatTimeOfDay(v.(int64)), nil
	case types.Timestamp, types.TimestampNTZ:
		return jsonTimestamp(t, time.UnixMicro(v.(int64))), nil
	case types.TimestampNS, types.TimestampNTZNS:
		return jsonTimestamp(t, time.Unix(0, v.(int64))), nil
	case types.UUID:
		id, err := uuid.FromBytes(v.([]byte))
		return id.String(), err
	case types.Fixed, types.Binary:
		return hex.EncodeToString(v.([]byte)), nil
	}
	return "", fmt.Errorf("default value: %w", &storage.UnsupportedFeature{Feature: "default of type " + t.String(), Writing: true})
}

func jsonTimestamp(t types.Type, at time.Time) string {
	text := at.UTC().Format("2006-01-02T15:04:05.999999999")
	if t.Kind == types.Timestamp || t.Kind == types.TimestampNS {
		text += "+00:00"
	}
	return text
}
