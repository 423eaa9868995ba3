package eval

import (
	"encoding/base64"
	"time"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/variant"
	"github.com/tarndb/tarn/sql/vector"
)

// variantFunctions are those of VARIANT. A third argument of variant_get, a
// type, is a cast of its result; the binder makes it.
func variantFunctions() []*Function {
	isVariant := func(t types.Type) bool { return t.Kind == types.Variant }
	return []*Function{
		function("parse_json", "a JSON text as a VARIANT", over("STRING", "VARIANT", rowParseJSON)).strictly(isText),
		function("try_parse_json", "a JSON text as a VARIANT; NULL for other text", orNull(over("STRING", "VARIANT", func(f *frame, i int) error {
			if rowParseJSON(f, i) != nil {
				f.setNull(i)
			}
			return nil
		}))).strictly(isText),
		function("variant_get try_variant_get", "the part of a VARIANT at a path such as $.a[0]['b']; NULL where there is none; with the name of a type as a third argument, cast to it", orNull(over("VARIANT, STRING", "VARIANT", rowVariantGet))).strictly(isVariant, isText),
		function("is_variant_null", "tells whether a VARIANT is the null of JSON; false for NULL", lenient(over("VARIANT", "BOOLEAN", func(f *frame, i int) error {
			f.out.Bools[i] = false
			if f.isNull(0, i) {
				return nil
			}
			v, err := variant.Decode(f.bytes(0, i))
			f.out.Bools[i] = v.Type.Kind == types.Void
			return err
		}))).strictly(isVariant),
		function("schema_of_variant", "the type of a VARIANT, such as OBJECT<a: ARRAY<BIGINT>>", over("VARIANT", "STRING", func(f *frame, i int) error {
			v, err := variant.Decode(f.bytes(0, i))
			if err != nil {
				return err
			}
			return f.setString(i, v.Schema())
		})).strictly(isVariant),
		special("to_variant_object", "(ANY) VARIANT", "a struct, a map with text keys or an array as a VARIANT", resolveToVariantObject, compileRow(func(f *frame, i int) error {
			v, err := toVariant(f.args[0].Type, f.value(0, i))
			if err != nil {
				return err
			}
			return f.setBytes(i, v.Append(nil))
		})),
	}
}

func rowParseJSON(f *frame, i int) error {
	v, err := variant.ParseJSON(f.bytes(0, i))
	if err != nil {
		return invalid("%.200q is no JSON: %v; use try_parse_json to get NULL instead", f.text(0, i), err)
	}
	return f.setBytes(i, v.Append(nil))
}

func rowVariantGet(f *frame, i int) error {
	path, ok := variant.ParsePath(f.text(1, i))
	if !ok {
		return invalid("%.200q is no path into a VARIANT, such as $.a[0]['b']", f.text(1, i))
	}
	v, err := variant.Decode(f.bytes(0, i))
	if err != nil {
		return err
	}
	if v, ok = path.Lookup(v); !ok {
		f.setNull(i)
		return nil
	}
	return f.setBytes(i, v.Append(nil))
}

func resolveToVariantObject(name string, args []expr.Expr) (expr.Expr, error) {
	if err := wantArgs(name, args, 1, 1); err != nil {
		return nil, err
	}
	if t := args[0].Type(); !t.IsNested() || !variantHolds(t, true) {
		return nil, mismatch("%s takes a struct, a map with text keys or an array, not %s", name, t)
	}
	return typedCall(name, types.Of(types.Variant), args...), nil
}

// variantHolds reports whether values of a type can become VARIANT, those with
// names only if objects says so.
func variantHolds(t types.Type, objects bool) bool {
	switch t.Kind {
	case types.IntervalKind, types.Void:
		return false
	case types.Array:
		return variantHolds(t.Elem.Type, objects)
	case types.Map:
		return objects && t.Key.Type.Kind == types.String && variantHolds(t.Elem.Type, objects)
	case types.Struct:
		for _, f := range t.Fields {
			if !variantHolds(f.Type, objects) {
				return false
			}
		}
		return objects
	}
	return true
}

// toVariant converts a value in the form of vector.Vector.Value.
func toVariant(t types.Type, value any) (variant.Value, error) {
	switch x := value.(type) {
	case nil:
		return variant.Value{}, nil
	case types.Decimal128:
		return variant.DecimalOf(x, int(t.Scale)), nil
	case []vector.MapEntry:
		names, values := make([]string, len(x)), make([]any, len(x))
		for i, e := range x {
			names[i], values[i] = e.Key.(string), e.Value
		}
		return toVariantObject(names, values, func(int) types.Type { return t.Elem.Type })
	case []any:
		if t.Kind == types.Struct {
			names := make([]string, len(x))
			for i, f := range t.Fields {
				names[i] = f.Name
			}
			return toVariantObject(names, x, func(i int) types.Type { return t.Fields[i].Type })
		}
		elements := make([]variant.Value, len(x))
		for i, e := range x {
			var err error
			if elements[i], err = toVariant(t.Elem.Type, e); err != nil {
				return variant.Value{}, err
			}
		}
		return variant.ArrayOf(elements), nil
	case []byte:
		switch t.Kind {
		case types.Variant:
			return variant.Decode(x)
		case types.Fixed:
			t = types.Of(types.Binary)
		}
	case string, int64:
		if t.IsInteger() {
			t = types.Of(types.BigInt)
		}
	}
	return variant.Value{Type: plain(t), Scalar: value}, nil
}

func toVariantObject(names []string, values []any, typeOf func(int) types.Type) (variant.Value, error) {
	members := make([]variant.Value, len(values))
	for i, v := range values {
		var err error
		if members[i], err = toVariant(typeOf(i), v); err != nil {
			return variant.Value{}, err
		}
	}
	v, ok := variant.ObjectOf(names, members)
	if !ok {
		return v, invalid("an object of a VARIANT has a name twice")
	}
	return v, nil
}

// AppendVariantJSON writes a VARIANT as it lies in a vector as JSON.
func AppendVariantJSON(dst, encoded []byte, zone *time.Location) ([]byte, error) {
	v, err := variant.Decode(encoded)
	return appendVariantJSON(dst, v, zone), err
}

// appendVariantText writes a VARIANT within a value that is printed. What is in
// a vector is well-formed.
func appendVariantText(dst, encoded []byte, zone *time.Location) []byte {
	dst, err := AppendVariantJSON(dst, encoded, zone)
	if err != nil {
		panic(err)
	}
	return dst
}

func appendVariantJSON(dst []byte, v variant.Value, zone *time.Location) []byte {
	switch v.Type.Kind {
	case types.Void:
		return append(dst, "null"...)
	case types.Array:
		dst = append(dst, '[')
		for i, e := range v.Elements {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendVariantJSON(dst, e, zone)
		}
		return append(dst, ']')
	case types.Struct:
		dst = append(dst, '{')
		for i, e := range v.Elements {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(appendJSONString(dst, v.Names[i]), ':')
			dst = appendVariantJSON(dst, e, zone)
		}
		return append(dst, '}')
	case types.Binary:
		return append(base64.StdEncoding.AppendEncode(append(dst, '"'), v.Scalar.([]byte)), '"')
	case types.Timestamp, types.TimestampNS:
		us := v.Scalar.(int64)
		if isNanos(v.Type) {
			us, _ = floorDivMod(us, 1000)
		}
		text := appendText(nil, v.Type, v.Scalar, zone)
		return appendJSONString(dst, string(text)+time.UnixMicro(us).In(zone).Format("-07:00"))
	case types.Boolean, types.BigInt, types.Decimal:
		return appendText(dst, v.Type, v.Scalar, zone)
	case types.Float, types.Double:
		return appendJSON(dst, v.Type, v.Scalar, zone)
	}
	return appendJSONString(dst, string(appendText(nil, v.Type, v.Scalar, zone)))
}
