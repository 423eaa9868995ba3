package iceberg

import (
	"fmt"

	"github.com/google/uuid"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage/iceberg/internal/avrofile"
)

// namesOf makes the names of known fields for avrofile.Open, and keeps partition
// fields, whose ids begin with 1000.
func namesOf(known map[int]string) func(id int) (string, bool) {
	return func(id int) (string, bool) {
		name, ok := known[id]
		if !ok {
			name = avrofile.Name(id)
		}
		return name, ok || id >= firstPartitionFieldID
	}
}

// avroValues understands decoded Avro values.
type avroValues struct {
	initial map[types.FieldID]any // of fields that a struct does not have
}

// value gives a decoded Avro value as a value of a type, in the form that
// vectors give values (spec, Appendix A, "Avro"). A value of a narrower type is
// widened.
func (a avroValues) value(t types.Type, v any) (any, error) {
	if v == nil {
		return nil, nil
	}
	switch v := v.(type) {
	case bool:
		if t.Kind == types.Boolean {
			return v, nil
		}
	case int32:
		return fromAvroNumber(t, int64(v))
	case int64:
		return fromAvroNumber(t, v)
	case float32:
		if t.Kind == types.Float || t.Kind == types.Double {
			return float64(v), nil
		}
	case float64:
		if t.Kind == types.Double {
			return v, nil
		}
	case string:
		return fromAvroText(t, v)
	case []byte:
		return fromAvroBytes(t, v)
	case []any, map[string]any:
		return a.nested(t, v)
	}
	return nil, fmt.Errorf("%T is no %s", v, t)
}

func fromAvroNumber(t types.Type, v int64) (any, error) {
	switch {
	case t.IsInteger():
		if low, high := t.IntegerRange(); v < low || v > high {
			return nil, fmt.Errorf("%d is no %s", v, t)
		}
		return v, nil
	case t.Kind == types.Double:
		return float64(v), nil
	}
	switch t.Kind {
	case types.Date, types.Time, types.Timestamp, types.TimestampNTZ, types.TimestampNS, types.TimestampNTZNS:
		return v, nil
	}
	return nil, fmt.Errorf("a number is no %s", t)
}

func fromAvroText(t types.Type, v string) (any, error) {
	switch t.Kind {
	case types.String:
		return v, nil
	case types.Binary:
		return []byte(v), nil
	case types.UUID: // as some writers have it
		id, err := uuid.Parse(v)
		return id[:], err
	}
	return nil, fmt.Errorf("text is no %s", t)
}

func fromAvroBytes(t types.Type, v []byte) (any, error) {
	switch {
	case t.Kind == types.Decimal:
		if d, ok := parseUnscaled(v); ok {
			return d, nil
		}
	case t.Kind == types.String:
		return string(v), nil
	case t.Kind == types.Binary, t.Kind == types.UUID && len(v) == 16, t.Kind == types.Fixed && len(v) == int(t.Length):
		return append([]byte{}, v...), nil
	}
	return nil, fmt.Errorf("%d bytes are no %s", len(v), t)
}

func (a avroValues) nested(t types.Type, v any) (any, error) {
	switch v := v.(type) {
	case []any:
		switch t.Kind {
		case types.Array:
			out := make([]any, len(v))
			for i, e := range v {
				var err error
				if out[i], err = a.value(t.Elem.Type, e); err != nil {
					return nil, err
				}
			}
			return out, nil
		case types.Map:
			return a.entries(t, v)
		}
	case map[string]any:
		switch t.Kind {
		case types.Struct:
			out := make([]any, len(t.Fields))
			for i, f := range t.Fields {
				field, ok := v[avrofile.Name(int(f.ID))]
				if !ok {
					out[i] = a.initial[f.ID]
					continue
				}
				var err error
				if out[i], err = a.value(f.Type, field); err != nil {
					return nil, fmt.Errorf("%s: %w", f.Name, err)
				}
			}
			return out, nil
		case types.Map: // Avro's own, whose keys are text
			entries := make([]any, 0, len(v))
			for key, e := range v {
				entries = append(entries, map[string]any{"key": key, "value": e})
			}
			return a.entries(t, entries)
		}
	}
	return nil, fmt.Errorf("%T is no %s", v, t)
}

func (a avroValues) entries(t types.Type, list []any) (any, error) {
	out := make([]vector.MapEntry, len(list))
	for i, e := range list {
		entry, ok := e.(map[string]any)
		if !ok {
			return nil, fmt.Errorf("%T is no entry of a map", e)
		}
		var err error
		if out[i].Key, err = a.value(t.Key.Type, entry["key"]); err != nil {
			return nil, err
		}
		if out[i].Value, err = a.value(t.Elem.Type, entry["value"]); err != nil {
			return nil, err
		}
	}
	return out, nil
}
