package schemajson

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/tarndb/tarn/sql/types"
)

// Format writes the schema of a new table. Under a mapping, logical fields have
// their ids and name gives each field's physical name.
func Format(schema types.Schema, name func(types.Field) string) (string, error) {
	root, err := formatStruct(schema.Fields, name, true)
	if err != nil {
		return "", err
	}
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	if err := e.Encode(root); err != nil {
		return "", err
	}
	return strings.TrimSuffix(out.String(), "\n"), nil
}

type jsonStruct struct {
	Type   string      `json:"type"`
	Fields []jsonField `json:"fields"`
}

type jsonField struct {
	Name     string         `json:"name"`
	Type     any            `json:"type"`
	Nullable bool           `json:"nullable"`
	Metadata map[string]any `json:"metadata"`
}

type jsonArray struct {
	Type         string `json:"type"`
	ElementType  any    `json:"elementType"`
	ContainsNull bool   `json:"containsNull"`
}

type jsonMap struct {
	Type              string `json:"type"`
	KeyType           any    `json:"keyType"`
	ValueType         any    `json:"valueType"`
	ValueContainsNull bool   `json:"valueContainsNull"`
}

// formatStruct writes fields; those of the table itself keep the lengths of all
// CHAR and VARCHAR within.
func formatStruct(fields []types.Field, name func(types.Field) string, isTable bool) (any, error) {
	out := jsonStruct{Type: "struct", Fields: []jsonField{}}
	for _, f := range fields {
		t, err := formatType(f.Type, name)
		if err != nil {
			return nil, fmt.Errorf("column %s: %w", types.QuoteIdent(f.Name), err)
		}
		metadata := formatMetadata(f, name)
		if isTable && hasLength(f.Type) {
			metadata[keyCharVarchar] = typeText(f.Type)
		}
		out.Fields = append(out.Fields, jsonField{Name: f.Name, Type: t, Nullable: f.Nullable, Metadata: metadata})
	}
	return out, nil
}

func formatMetadata(f types.Field, name func(types.Field) string) map[string]any {
	m := map[string]any{}
	if f.Comment != "" {
		m[keyComment] = f.Comment
	}
	if f.Default != "" {
		m[keyDefault] = f.Default
	}
	if name != nil {
		m[keyID], m[keyPhysicalName] = f.ID, name(f)
	}
	return m
}

func formatType(t types.Type, name func(types.Field) string) (any, error) {
	switch t.Kind {
	case types.Struct:
		return formatStruct(t.Fields, name, false)
	case types.Array:
		elem, err := formatType(t.Elem.Type, name)
		return jsonArray{Type: "array", ElementType: elem, ContainsNull: t.Elem.Nullable}, err
	case types.Map:
		key, err := formatType(t.Key.Type, name)
		if err != nil {
			return nil, err
		}
		value, err := formatType(t.Elem.Type, name)
		return jsonMap{Type: "map", KeyType: key, ValueType: value, ValueContainsNull: t.Elem.Nullable}, err
	case types.Decimal:
		return fmt.Sprintf("decimal(%d,%d)", t.Precision, t.Scale), nil
	}
	if word, ok := primitiveNames[t.Kind]; ok {
		return word, nil
	}
	return nil, &UnknownType{Name: t.String()}
}
