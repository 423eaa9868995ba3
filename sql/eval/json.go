package eval

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// jsonFunctions read and write JSON text.
func jsonFunctions() []*Function {
	return []*Function{
		function("get_json_object json_extract", "the part of a JSON text at a path such as $.a.b[0]; NULL where there is none", orNull(over("STRING, STRING", "STRING", rowJSONObject))),
		function("json_array_length", "the number of elements of a JSON array; NULL for other text", orNull(over("STRING", "INT", func(f *frame, i int) error {
			var list []json.RawMessage
			if err := json.Unmarshal(f.bytes(0, i), &list); err != nil || list == nil {
				f.setNull(i)
			}
			f.out.Int32s[i] = int32(len(list))
			return nil
		}))),
		special("to_json", "(ANY) STRING", "a struct, a map or an array as JSON", resolveToJSON, compileRow(func(f *frame, i int) error {
			start := len(f.out.Data)
			f.out.Data = appendJSON(f.out.Data, f.args[0].Type, f.value(0, i), f.env.zone())
			return f.endBytes(i, start)
		})),
	}
}

func resolveToJSON(name string, args []expr.Expr) (expr.Expr, error) {
	if err := wantArgs(name, args, 1, 1); err != nil {
		return nil, err
	}
	if t := args[0].Type(); !t.IsNested() {
		return nil, mismatch("to_json takes a struct, a map or an array, not %s", t)
	}
	return typedCall(name, stringType, args...), nil
}

// rowJSONObject gives strings without their quotes and everything else as
// compact JSON.
func rowJSONObject(f *frame, i int) error {
	steps, ok := parseJSONPath(f.text(1, i))
	raw := json.RawMessage(f.bytes(0, i))
	ok = ok && json.Valid(raw)
	for _, step := range steps {
		if !ok {
			break
		}
		raw, ok = jsonStep(raw, step)
	}
	raw = bytes.TrimSpace(raw)
	if !ok || len(raw) == 0 || string(raw) == "null" {
		f.setNull(i)
		return nil
	}
	if raw[0] == '"' {
		var s string
		if err := json.Unmarshal(raw, &s); err != nil {
			f.setNull(i)
			return nil
		}
		return f.setString(i, s)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, raw); err != nil {
		f.setNull(i)
		return nil
	}
	return f.setBytes(i, compact.Bytes())
}

// jsonPathStep goes to a member of an object or to an element of an array.
type jsonPathStep struct {
	name  string
	index int // -1 for a name
}

// parseJSONPath reads $.name, $['name'] and $[n].
func parseJSONPath(path string) ([]jsonPathStep, bool) {
	rest, ok := strings.CutPrefix(path, "$")
	var steps []jsonPathStep
	for ok && rest != "" {
		switch rest[0] {
		case '.':
			end := strings.IndexAny(rest[1:], ".[")
			if end < 0 {
				end = len(rest) - 1
			}
			steps = append(steps, jsonPathStep{name: rest[1 : 1+end], index: -1})
			rest, ok = rest[1+end:], end > 0
		case '[':
			end := strings.IndexByte(rest, ']')
			if end < 0 {
				return nil, false
			}
			inner := rest[1:end]
			rest = rest[end+1:]
			if n := len(inner); n > 2 && inner[0] == '\'' && inner[n-1] == '\'' {
				steps = append(steps, jsonPathStep{name: inner[1 : n-1], index: -1})
				continue
			}
			n, err := strconv.Atoi(inner)
			ok = err == nil && n >= 0
			steps = append(steps, jsonPathStep{index: n})
		default:
			ok = false
		}
	}
	return steps, ok
}

func jsonStep(raw json.RawMessage, step jsonPathStep) (json.RawMessage, bool) {
	if step.index < 0 {
		var object map[string]json.RawMessage
		if json.Unmarshal(raw, &object) != nil {
			return nil, false
		}
		v, ok := object[step.name]
		return v, ok
	}
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil || step.index >= len(list) {
		return nil, false
	}
	return list[step.index], true
}

// appendJSON writes a value as Spark's to_json does: fields that are NULL are
// left out of objects.
func appendJSON(dst []byte, t types.Type, value any, zone *time.Location) []byte {
	switch v := value.(type) {
	case nil:
		return append(dst, "null"...)
	case bool, types.Decimal128:
		return appendText(dst, t, v, zone)
	case int64:
		if t.IsInteger() {
			return strconv.AppendInt(dst, v, 10)
		}
		return appendJSONTime(dst, t, v, zone)
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return append(append(append(dst, '"'), javaFloat(v, t)...), '"')
		}
		return append(dst, javaFloat(v, t)...)
	case []byte:
		if t.Kind != types.UUID {
			return append(base64.StdEncoding.AppendEncode(append(dst, '"'), v), '"')
		}
	case []vector.MapEntry:
		dst = append(dst, '{')
		for n, e := range v {
			if n > 0 {
				dst = append(dst, ',')
			}
			dst = appendJSONString(dst, string(appendText(nil, t.Key.Type, e.Key, zone)))
			dst = appendJSON(append(dst, ':'), t.Elem.Type, e.Value, zone)
		}
		return append(dst, '}')
	case []any:
		if t.Kind == types.Struct {
			return appendJSONStruct(dst, t, v, zone)
		}
		dst = append(dst, '[')
		for n, e := range v {
			if n > 0 {
				dst = append(dst, ',')
			}
			dst = appendJSON(dst, t.Elem.Type, e, zone)
		}
		return append(dst, ']')
	}
	return appendJSONString(dst, string(appendText(nil, t, value, zone)))
}

func appendJSONStruct(dst []byte, t types.Type, v []any, zone *time.Location) []byte {
	dst = append(dst, '{')
	first := true
	for n, e := range v {
		if e == nil {
			continue
		}
		if !first {
			dst = append(dst, ',')
		}
		first = false
		dst = appendJSONString(dst, t.Fields[n].Name)
		dst = appendJSON(append(dst, ':'), t.Fields[n].Type, e, zone)
	}
	return append(dst, '}')
}

// appendJSONTime writes dates as usual and timestamps in ISO 8601 with
// milliseconds.
func appendJSONTime(dst []byte, t types.Type, v int64, zone *time.Location) []byte {
	var s string
	switch t.Kind {
	case types.Timestamp:
		s = time.UnixMicro(v).In(zone).Format("2006-01-02T15:04:05.000Z07:00")
	case types.TimestampNTZ:
		s = time.UnixMicro(v).UTC().Format("2006-01-02T15:04:05.000")
	default:
		s = string(appendWhole(nil, t, v, zone))
	}
	return appendJSONString(dst, s)
}

func appendJSONString(dst []byte, s string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(s); err != nil {
		return append(dst, `""`...)
	}
	return append(dst, bytes.TrimSuffix(b.Bytes(), []byte("\n"))...)
}
