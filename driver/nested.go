package driver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"
)

// List is a value of an ARRAY column.
type List []any

// Map is a value of a MAP column, in the order in which it is stored.
type Map []Entry

// Entry is an entry of a Map.
type Entry struct{ Key, Value any }

// Struct is a value of a STRUCT column.
type Struct []Field

// Field is a field of a Struct.
type Field struct {
	Name  string // as the type has it
	Value any    // as of a column, or nil
}

// Lookup gives the value of a field by its name, ignoring case.
func (s Struct) Lookup(name string) (any, bool) {
	for _, f := range s {
		if strings.EqualFold(f.Name, name) {
			return f.Value, true
		}
	}
	return nil, false
}

// Lookup gives the value of a key.
func (m Map) Lookup(key any) (any, bool) {
	for _, e := range m {
		if e.Key == key {
			return e.Value, true
		}
	}
	return nil, false
}

// MarshalJSON writes an object, in the order of the fields.
func (s Struct) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, f := range s {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := writeMember(&b, f.Name, f.Value); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// MarshalJSON writes an object whose names are the keys' text.
func (m Map) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, e := range m {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := writeMember(&b, fmt.Sprint(e.Key), e.Value); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

func writeMember(b *bytes.Buffer, name string, value any) error {
	for i, v := range []any{name, value} {
		if i > 0 {
			b.WriteByte(':')
		}
		text, err := json.Marshal(finite(v))
		if err != nil {
			return err
		}
		b.Write(text)
	}
	return nil
}

// MarshalJSON writes an array.
func (l List) MarshalJSON() ([]byte, error) {
	elems := make([]any, len(l))
	for i, e := range l {
		elems[i] = finite(e)
	}
	return json.Marshal(elems)
}

// finite gives NaN and the infinities, which JSON lacks, as strings.
func finite(v any) any {
	if f, ok := v.(float64); ok && (math.IsNaN(f) || math.IsInf(f, 0)) {
		return fmt.Sprint(f)
	}
	return v
}

// String prints the value as JSON.
func (s Struct) String() string { return jsonText(s) }

// String prints the value as JSON.
func (m Map) String() string { return jsonText(m) }

// String prints the value as JSON.
func (l List) String() string { return jsonText(l) }

func jsonText(v json.Marshaler) string {
	b, err := v.MarshalJSON()
	if err != nil {
		return "(" + err.Error() + ")"
	}
	return string(b)
}
