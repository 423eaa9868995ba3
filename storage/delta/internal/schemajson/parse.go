package schemajson

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/storage/delta/internal/jsonscan"
)

// Parse reads a schema. An empty text is a schema without columns.
func Parse(text string, mapping Mapping) (*Schema, error) {
	if text == "" {
		return &Schema{}, nil
	}
	p := parser{s: jsonscan.New([]byte(text)), mapping: mapping}
	schema := &Schema{}
	isStruct := false
	err := p.s.Object(func(name []byte) error {
		switch string(name) {
		case "type":
			kind, err := p.s.String()
			isStruct = kind == "struct"
			return err
		case "fields":
			return p.s.Array(func() error {
				c, err := p.column()
				schema.Columns = append(schema.Columns, c)
				return err
			})
		}
		return p.s.Skip()
	})
	if err == nil && !isStruct {
		err = errors.New("it is no struct")
	}
	if err == nil {
		err = p.s.End()
	}
	if err == nil {
		err = uniqueNames(schema)
	}
	if err != nil {
		return nil, fmt.Errorf("schema: %w", err)
	}
	return schema, nil
}

// uniqueNames refuses columns that differ only in case, as they could not be
// told apart.
func uniqueNames(s *Schema) error {
	seen := map[string]bool{}
	for _, c := range s.Columns {
		key := strings.ToLower(c.Logical.Name)
		if seen[key] {
			return fmt.Errorf("two columns are called %q", c.Logical.Name)
		}
		seen[key] = true
	}
	return nil
}

type parser struct {
	s       *jsonscan.Scanner
	mapping Mapping
}

// fieldMetadata is the metadata of one field.
type fieldMetadata struct {
	rules        Rules
	comment      string
	defaultText  string
	physicalName string
	id           types.FieldID
	charVarchar  string
}

// pair is a type as users see it and as files have it.
type pair struct {
	logical, physical types.Type
	rules             Rules // of the fields within
}

func (p *parser) column() (Column, error) {
	logical, physical, rules, err := p.field()
	return Column{Logical: logical, Physical: physical, Rules: rules}, err
}

func (p *parser) field() (logical, physical types.Field, rules Rules, err error) {
	var t pair
	var meta fieldMetadata
	seen := 0
	err = p.s.Object(func(name []byte) (err error) {
		switch string(name) {
		case "name":
			seen |= 1
			logical.Name, err = p.s.String()
		case "type":
			seen |= 2
			t, err = p.typeOf()
		case "nullable":
			logical.Nullable, err = p.s.Bool()
		case "metadata":
			meta, err = p.metadata()
		default:
			err = p.s.Skip()
		}
		return err
	})
	if err == nil && seen != 3 {
		err = errors.New("a field has no name or no type")
	}
	if err != nil {
		return logical, physical, rules, err
	}
	logical.Comment, logical.Default = meta.comment, meta.defaultText
	logical.Type = withLengths(t.logical, meta.charVarchar)
	physical = types.Field{Name: logical.Name, Type: t.physical, Nullable: logical.Nullable}
	if p.mapping == ByName || p.mapping == ByID {
		if meta.physicalName == "" || p.mapping == ByID && meta.id == 0 {
			return logical, physical, rules, fmt.Errorf("column %q has no physical name or id", logical.Name)
		}
		physical.Name, physical.ID, logical.ID = meta.physicalName, meta.id, meta.id
	}
	rules = meta.rules
	rules.add(t.rules)
	return logical, physical, rules, nil
}

func (p *parser) metadata() (m fieldMetadata, err error) {
	if p.s.Null() {
		return m, nil
	}
	err = p.s.Object(func(name []byte) (err error) {
		key, next := string(name), p.s.Peek()
		if next == '"' {
			return p.textMetadata(&m, key)
		}
		switch key {
		case keyID:
			var n int64
			if n, err = p.s.Int64(); err == nil && (n < 0 || n > math.MaxInt32) {
				err = fmt.Errorf("column mapping id %d is out of range", n)
			}
			m.id = types.FieldID(n)
			return err
		case keyIdentity:
			m.rules.Identity = next != 'n'
		case keyTypeChanges:
			m.rules.TypeChanged = true
		}
		return p.s.Skip()
	})
	return m, err
}

func (p *parser) textMetadata(m *fieldMetadata, key string) error {
	text, err := p.s.String()
	switch key {
	case keyComment:
		m.comment = text
	case keyDefault:
		m.defaultText = text
	case keyPhysicalName:
		m.physicalName = text
	case keyCharVarchar:
		m.charVarchar = text
	case keyInvariants:
		m.rules.Invariant = text
	case keyGenerated:
		m.rules.Generated = text
	case keyTypeChanges:
		m.rules.TypeChanged = true
	}
	return err
}

// typeOf takes a type: a name or an object.
func (p *parser) typeOf() (pair, error) {
	if p.s.Peek() == '"' {
		name, err := p.s.String()
		if err != nil {
			return pair{}, err
		}
		t, err := primitive(name)
		return pair{logical: t, physical: t}, err
	}
	return p.nested()
}

func primitive(name string) (types.Type, error) {
	if kind, ok := primitives[name]; ok {
		return types.Of(kind), nil
	}
	if name == "decimal" {
		return types.DecimalOf(10, 0), nil
	}
	if args, ok := strings.CutPrefix(name, "decimal("); ok && strings.HasSuffix(args, ")") {
		digits, places, _ := strings.Cut(strings.TrimSuffix(args, ")"), ",")
		precision, err := strconv.Atoi(strings.TrimSpace(digits))
		scale, err2 := strconv.Atoi(strings.TrimSpace(places))
		if err == nil && err2 == nil && precision >= 1 && precision <= types.MaxDecimalPrecision && scale >= 0 && scale <= precision {
			return types.DecimalOf(precision, scale), nil
		}
	}
	return types.Type{}, &UnknownType{Name: name}
}

// UnknownType is a type that the protocol does not have, or not yet.
type UnknownType struct{ Name string }

// Error implements error.
func (e *UnknownType) Error() string { return fmt.Sprintf("unknown type %q", e.Name) }

// nested takes an array, a map or a struct. Its parts may come in any order.
func (p *parser) nested() (pair, error) {
	var kind string
	var elem, key, value *pair
	var logical, physical []types.Field
	var rules Rules
	elemNull, valueNull := true, true
	err := p.s.Object(func(name []byte) (err error) {
		switch string(name) {
		case "type":
			kind, err = p.s.String()
		case "elementType":
			elem, err = p.part()
		case "keyType":
			key, err = p.part()
		case "valueType":
			value, err = p.part()
		case "containsNull":
			elemNull, err = p.s.Bool()
		case "valueContainsNull":
			valueNull, err = p.s.Bool()
		case "fields":
			err = p.s.Array(func() error {
				l, ph, r, err := p.field()
				logical, physical = append(logical, l), append(physical, ph)
				rules.add(r)
				return err
			})
		default:
			err = p.s.Skip()
		}
		return err
	})
	if err != nil {
		return pair{}, err
	}
	switch {
	case kind == "struct":
		return pair{logical: types.StructOf(logical...), physical: types.StructOf(physical...), rules: rules}, nil
	case kind == "array" && elem != nil:
		return pair{types.ArrayOf(elem.logical, elemNull), types.ArrayOf(elem.physical, elemNull), elem.rules}, nil
	case kind == "map" && key != nil && value != nil:
		key.rules.add(value.rules)
		return pair{types.MapOf(key.logical, value.logical, valueNull), types.MapOf(key.physical, value.physical, valueNull), key.rules}, nil
	}
	return pair{}, &UnknownType{Name: kind}
}

func (p *parser) part() (*pair, error) {
	t, err := p.typeOf()
	return &t, err
}
