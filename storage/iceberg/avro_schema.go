package iceberg

import (
	"fmt"
	"strings"
	"unicode/utf16"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/storage"
)

// avroSchema makes the schemas of Avro files (spec, Appendix A, "Avro").
type avroSchema struct {
	defined map[string]bool // fixed types, which are named and defined once
}

// avroObject is an object of a schema's JSON.
type avroObject = map[string]any

// avroRecord gives the schema of a file with the given columns.
func avroRecord(name string, fields []types.Field) (avroObject, error) {
	return (&avroSchema{defined: map[string]bool{}}).record(name, fields)
}

func (a *avroSchema) record(name string, fields []types.Field) (avroObject, error) {
	list := make([]any, len(fields))
	for i, f := range fields {
		t, err := a.fieldType(f)
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", types.QuoteIdent(f.Name), err)
		}
		field := avroObject{"name": avroName(f.Name), "type": t, "field-id": f.ID}
		if field["name"] != f.Name {
			field["iceberg-field-name"] = f.Name
		}
		if f.Nullable {
			field["default"] = nil
		}
		list[i] = field
	}
	return avroObject{"type": "record", "name": name, "fields": list}, nil
}

// fieldType gives the type of a field; of one that can be NULL it is a union,
// whose first branch is null.
func (a *avroSchema) fieldType(f types.Field) (any, error) {
	t, err := a.typeOf(f)
	if f.Nullable && f.Type.Kind != types.Void {
		t = []any{"null", t}
	}
	return t, err
}

// avroPrimitives are the types that have one form.
var avroPrimitives = map[types.Kind]any{
	types.Void: "null", types.Boolean: "boolean", types.Int: "int", types.BigInt: "long", types.Float: "float", types.Double: "double",
	types.String: "string", types.Binary: "bytes",
	types.Date:           avroObject{"type": "int", "logicalType": "date"},
	types.Time:           avroObject{"type": "long", "logicalType": "time-micros"},
	types.TimestampNTZ:   avroObject{"type": "long", "logicalType": "timestamp-micros", "adjust-to-utc": false},
	types.Timestamp:      avroObject{"type": "long", "logicalType": "timestamp-micros", "adjust-to-utc": true},
	types.TimestampNTZNS: avroObject{"type": "long", "logicalType": "timestamp-nanos", "adjust-to-utc": false},
	types.TimestampNS:    avroObject{"type": "long", "logicalType": "timestamp-nanos", "adjust-to-utc": true},
}

func (a *avroSchema) typeOf(f types.Field) (any, error) {
	t := f.Type
	if primitive, ok := avroPrimitives[t.Kind]; ok {
		return primitive, nil
	}
	switch t.Kind {
	case types.UUID:
		return a.fixed("uuid_fixed", uuidBytes, avroObject{"logicalType": "uuid"}), nil
	case types.Fixed:
		return a.fixed(fmt.Sprintf("fixed_%d", t.Length), int(t.Length), avroObject{}), nil
	case types.Decimal:
		return a.fixed(fmt.Sprintf("decimal_%d_%d", t.Precision, t.Scale), decimalBytes(t),
			avroObject{"logicalType": "decimal", "precision": t.Precision, "scale": t.Scale}), nil
	case types.Struct:
		return a.record(fmt.Sprintf("r%d", f.ID), t.Fields)
	case types.Array:
		items, err := a.fieldType(*t.Elem)
		return avroObject{"type": "array", "items": items, "element-id": t.Elem.ID}, err
	case types.Map:
		key, value := *t.Key, *t.Elem
		key.Name, value.Name, key.Nullable = "key", "value", false
		entry, err := a.record(fmt.Sprintf("k%d_v%d", key.ID, value.ID), []types.Field{key, value})
		return avroObject{"type": "array", "logicalType": "map", "items": entry}, err
	}
	return nil, &storage.UnsupportedFeature{Feature: "Avro column of " + t.String(), Writing: true}
}

// fixed defines a type of so many bytes, or names it where it was defined before.
func (a *avroSchema) fixed(name string, size int, more avroObject) any {
	if a.defined[name] {
		return name
	}
	a.defined[name] = true
	more["type"], more["name"], more["size"] = "fixed", name, size
	return more
}

const uuidBytes = 16

// decimalBytes is the least number of bytes for all values of a decimal type.
func decimalBytes(t types.Type) int { return types.Pow10(int(t.Precision)).Big().BitLen()/8 + 1 }

// avroName gives a name of letters, digits and underscores as Avro asks for it;
// other characters become _x and their code in hexadecimal, as the reference
// implementation has it.
func avroName(name string) string {
	var b strings.Builder
	for i, r := range name {
		switch {
		case r == '_', r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9' && i > 0:
			b.WriteRune(r)
		case r >= '0' && r <= '9':
			b.WriteString("_" + string(r))
		default:
			for _, unit := range utf16.Encode([]rune{r}) {
				fmt.Fprintf(&b, "_x%X", unit)
			}
		}
	}
	return b.String()
}
