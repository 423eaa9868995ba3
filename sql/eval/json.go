package eval

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"math"
	"strconv"
	"time"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// jsonFunctions read and write JSON text.
func jsonFunctions() []*Function {
	return []*Function{
		function("get_json_object json_extract", "the part of a JSON text at a path such as $.a.b[0] or $.a[*]; NULL where there is none", orNull(over("STRING, STRING", "STRING", rowJSONObject))).strictly(isText, isText),
		function("json_array_length", "the number of elements of a JSON array; NULL for other text", orNull(over("STRING", "INT", func(f *frame, i int) error {
			var list []json.RawMessage
			if err := json.Unmarshal(f.bytes(0, i), &list); err != nil || list == nil {
				f.setNull(i)
			}
			f.out.Int32s[i] = int32(len(list))
			return nil
		}))).strictly(isText),
		special("to_json", "(ANY) STRING", "a struct, a map, an array or a VARIANT as JSON", resolveToJSON, compileRow(func(f *frame, i int) error {
			start := len(f.out.Data)
			f.out.Data = appendJSON(f.out.Data, f.args[0].Type, f.value(0, i), f.env.zone())
			return f.endBytes(i, start)
		})),
	}
}

func isText(t types.Type) bool { return t.Kind == types.String }

func resolveToJSON(name string, args []expr.Expr) (expr.Expr, error) {
	if err := wantArgs(name, args, 1, 1); err != nil {
		return nil, err
	}
	if args[0].Type().Kind == types.Void {
		return expr.Null(stringType), nil
	}
	if t := args[0].Type(); !t.IsNested() && t.Kind != types.Variant {
		return nil, mismatch("to_json takes a struct, a map, an array or a VARIANT, not %s", t)
	}
	return typedCall(name, stringType, args...), nil
}

// appendJSON writes a value as Spark's to_json does: fields that are NULL are
// left out of objects.
func appendJSON(dst []byte, t types.Type, value any, zone *time.Location) []byte {
	switch v := value.(type) {
	case nil:
		return append(dst, "null"...)
	case bool:
		return appendText(dst, t, v, zone)
	case types.Decimal128:
		return appendJSONDecimal(dst, v, int(t.Scale))
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
		switch t.Kind {
		case types.UUID:
		case types.Variant:
			return appendVariantText(dst, v, zone)
		default:
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

// appendJSONDecimal writes small numbers with an exponent, as Java's BigDecimal
// does.
func appendJSONDecimal(dst []byte, d types.Decimal128, scale int) []byte {
	digits := d.Abs().Format(0)
	exponent := len(digits) - 1 - scale
	if exponent >= -6 {
		return d.Append(dst, scale)
	}
	if d.Sign() < 0 {
		dst = append(dst, '-')
	}
	dst = append(dst, digits[0])
	if len(digits) > 1 {
		dst = append(append(dst, '.'), digits[1:]...)
	}
	return strconv.AppendInt(append(dst, 'E'), int64(exponent), 10)
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
