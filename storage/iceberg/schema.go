package iceberg

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/storage"
)

// Schema is one version of a table's columns (spec, "Schemas and Data Types").
type Schema struct {
	ID int
	types.Schema
	IdentifierFieldIDs []types.FieldID
	// initial and write are the default values of fields at any depth that have
	// one other than NULL, in the form that vectors give values.
	initial, write map[types.FieldID]any
}

// fieldJSON is a field of a struct (spec, Appendix C, "Schemas").
type fieldJSON struct {
	ID             int             `json:"id"`
	Name           string          `json:"name"`
	Required       bool            `json:"required"`
	Type           json.RawMessage `json:"type"`
	Doc            string          `json:"doc,omitempty"`
	InitialDefault json.RawMessage `json:"initial-default,omitempty"`
	WriteDefault   json.RawMessage `json:"write-default,omitempty"`
}

// typeJSON is a nested type; a schema is a struct with an id.
type typeJSON struct {
	Type               string          `json:"type"`
	SchemaID           *int            `json:"schema-id,omitempty"`
	IdentifierFieldIDs []types.FieldID `json:"identifier-field-ids,omitempty"`
	Fields             *[]fieldJSON    `json:"fields,omitempty"`
	ElementID          int             `json:"element-id,omitempty"`
	ElementRequired    *bool           `json:"element-required,omitempty"`
	Element            json.RawMessage `json:"element,omitempty"`
	KeyID              int             `json:"key-id,omitempty"`
	Key                json.RawMessage `json:"key,omitempty"`
	ValueID            int             `json:"value-id,omitempty"`
	ValueRequired      *bool           `json:"value-required,omitempty"`
	Value              json.RawMessage `json:"value,omitempty"`
}

// maxTypeDepth bounds the nesting of types.
const maxTypeDepth = 100

// UnmarshalJSON reads a schema object.
func (s *Schema) UnmarshalJSON(b []byte) error {
	var t typeJSON
	if err := json.Unmarshal(b, &t); err != nil {
		return err
	}
	if t.Type != "struct" {
		return fmt.Errorf("a schema of type %q", t.Type)
	}
	*s = Schema{IdentifierFieldIDs: t.IdentifierFieldIDs, initial: map[types.FieldID]any{}, write: map[types.FieldID]any{}}
	if t.SchemaID != nil {
		s.ID = *t.SchemaID
	}
	var err error
	if s.Fields, err = s.parseFields(value(t.Fields, nil), 0); err != nil {
		return err
	}
	return s.checkIDs()
}

// checkIDs refuses ids that are used twice.
func (s *Schema) checkIDs() error {
	seen := map[types.FieldID]bool{}
	var twice error
	s.walk(func(f types.Field, _ []int) {
		if seen[f.ID] && twice == nil {
			twice = fmt.Errorf("field id %d is used twice", f.ID)
		}
		seen[f.ID] = true
	})
	return twice
}

func (s *Schema) parseFields(list []fieldJSON, depth int) ([]types.Field, error) {
	fields := make([]types.Field, len(list))
	for i, j := range list {
		t, err := s.parseType(j.Type, depth+1)
		if err != nil {
			return nil, fmt.Errorf("field %q: %w", j.Name, err)
		}
		f := types.Field{ID: types.FieldID(j.ID), Name: j.Name, Type: t, Nullable: !j.Required, Comment: j.Doc}
		if err := s.parseDefaults(&f, j); err != nil {
			return nil, fmt.Errorf("field %q: %w", j.Name, err)
		}
		fields[i] = f
	}
	return fields, nil
}

// parseDefaults reads the values of rows that were written without the field
// (spec, "Default values").
func (s *Schema) parseDefaults(f *types.Field, j fieldJSON) error {
	for _, d := range []struct {
		text json.RawMessage
		into map[types.FieldID]any
	}{{j.InitialDefault, s.initial}, {j.WriteDefault, s.write}} {
		if len(d.text) == 0 || bytes.Equal(d.text, []byte("null")) {
			continue
		}
		v, err := s.parseJSONValue(f.Type, d.text)
		if err != nil {
			return fmt.Errorf("default value: %w", err)
		}
		d.into[f.ID] = v
	}
	if v, ok := s.write[f.ID]; ok {
		f.Default = expr.FormatLiteral(f.Type, v)
	}
	return nil
}

func (s *Schema) parseType(b json.RawMessage, depth int) (types.Type, error) {
	if depth > maxTypeDepth {
		return types.Type{}, fmt.Errorf("types are nested more than %d deep", maxTypeDepth)
	}
	var name string
	if json.Unmarshal(b, &name) == nil {
		return parsePrimitive(name)
	}
	var j typeJSON
	if err := json.Unmarshal(b, &j); err != nil {
		return types.Type{}, fmt.Errorf("type %s: %w", b, err)
	}
	switch j.Type {
	case "struct":
		fields, err := s.parseFields(value(j.Fields, nil), depth)
		return types.StructOf(fields...), err
	case "list":
		elem, err := s.parseType(j.Element, depth+1)
		return types.Type{Kind: types.Array, Elem: &types.Field{ID: types.FieldID(j.ElementID), Name: "element", Type: elem, Nullable: !value(j.ElementRequired, false)}}, err
	case "map":
		key, err := s.parseType(j.Key, depth+1)
		if err != nil {
			return types.Type{}, err
		}
		elem, err := s.parseType(j.Value, depth+1)
		return types.Type{Kind: types.Map, Key: &types.Field{ID: types.FieldID(j.KeyID), Name: "key", Type: key},
			Elem: &types.Field{ID: types.FieldID(j.ValueID), Name: "value", Type: elem, Nullable: !value(j.ValueRequired, false)}}, err
	}
	return types.Type{}, fmt.Errorf("unknown type %q", j.Type)
}

// primitives are the types without parameters by their names in a schema.
var primitives = map[string]types.Kind{
	"unknown": types.Void, "boolean": types.Boolean, "int": types.Int, "long": types.BigInt, "float": types.Float, "double": types.Double,
	"date": types.Date, "time": types.Time, "timestamp": types.TimestampNTZ, "timestamptz": types.Timestamp,
	"timestamp_ns": types.TimestampNTZNS, "timestamptz_ns": types.TimestampNS, "string": types.String, "uuid": types.UUID,
	"binary": types.Binary, "variant": types.Variant,
}

// parsePrimitive reads the name of a type that is not nested.
func parsePrimitive(name string) (types.Type, error) {
	name = strings.TrimSpace(name)
	if kind, ok := primitives[name]; ok {
		return types.Of(kind), nil
	}
	word, rest, _ := strings.Cut(name, "(")
	switch word = strings.TrimSpace(word); {
	case word == "decimal" && strings.HasSuffix(rest, ")"):
		p, s, ok := strings.Cut(strings.TrimSuffix(rest, ")"), ",")
		precision, err1 := strconv.Atoi(strings.TrimSpace(p))
		scale, err2 := strconv.Atoi(strings.TrimSpace(s))
		if ok && err1 == nil && err2 == nil && precision >= 1 && precision <= types.MaxDecimalPrecision && scale >= 0 && scale <= precision {
			return types.DecimalOf(precision, scale), nil
		}
	case word == "geometry" || word == "geography":
		return types.Type{}, &storage.UnsupportedFeature{Feature: "type " + word}
	}
	if length, ok := strings.CutPrefix(name, "fixed["); ok && strings.HasSuffix(length, "]") {
		n, err := strconv.Atoi(strings.TrimSpace(strings.TrimSuffix(length, "]")))
		if err == nil && n >= 0 && n <= 1<<30 {
			return types.Type{Kind: types.Fixed, Length: int32(n)}, nil
		}
	}
	return types.Type{}, fmt.Errorf("unknown type %q", name)
}

// walk visits the fields at any depth, parents first, with their places from
// the top. Elements, keys and values are fields too.
func (s *Schema) walk(visit func(f types.Field, path []int)) {
	var fields func(list []types.Field, path []int)
	var field func(f types.Field, path []int)
	fields = func(list []types.Field, path []int) {
		for i, f := range list {
			field(f, append(slices.Clip(path), i))
		}
	}
	field = func(f types.Field, path []int) {
		visit(f, path)
		switch f.Type.Kind {
		case types.Struct:
			fields(f.Type.Fields, path)
		case types.Array:
			field(*f.Type.Elem, append(slices.Clip(path), 0))
		case types.Map:
			field(*f.Type.Key, append(slices.Clip(path), 0))
			field(*f.Type.Elem, append(slices.Clip(path), 1))
		}
	}
	fields(s.Fields, nil)
}

// pathName names a field within structs, from the column on.
func (s *Schema) pathName(path []int) string {
	var names []string
	fields := s.Fields
	for _, p := range path {
		names, fields = append(names, fields[p].Name), fields[p].Type.Fields
	}
	return strings.Join(names, ".")
}

// find gives a field at any depth by its id.
func (s *Schema) find(id types.FieldID) (found types.Field, path []int, ok bool) {
	s.walk(func(f types.Field, p []int) {
		if f.ID == id && !ok {
			found, path, ok = f, p, true
		}
	})
	return found, path, ok
}
