package variant

import (
	"fmt"
	"sort"
	"strings"

	"github.com/tarndb/tarn/sql/types"
)

// Value is a VARIANT that is not NULL. Invariants:
//
//  1. Of an array, Type has the Kind Array and no Elem; Elements are its values.
//  2. Of an object, Type has the Kind Struct and no Fields; Names are in order
//     and unique, Elements their values.
//  3. Of anything else Type is the type of Scalar, which has the form that
//     vector.Vector.Value gives. Whole numbers are BIGINT. A DECIMAL has no zeros
//     at the end of its fraction. VOID is the null of JSON.
type Value struct {
	Type     types.Type
	Scalar   any
	Names    []string
	Elements []Value
}

// The types of values that hold others.
var (
	arrayType  = types.Of(types.Array)
	objectType = types.Of(types.Struct)
)

// ArrayOf makes an array.
func ArrayOf(elements []Value) Value { return Value{Type: arrayType, Elements: elements} }

// ObjectOf makes an object; ok is false if a name is there twice.
func ObjectOf(names []string, values []Value) (v Value, ok bool) {
	v = Value{Type: objectType, Names: names, Elements: values}
	sort.Sort(byName{v})
	for i := 1; i < len(names); i++ {
		if names[i] == names[i-1] {
			return v, false
		}
	}
	return v, true
}

// byName sorts the members of an object.
type byName struct{ Value }

func (o byName) Len() int           { return len(o.Names) }
func (o byName) Less(i, j int) bool { return o.Names[i] < o.Names[j] }
func (o byName) Swap(i, j int) {
	o.Names[i], o.Names[j] = o.Names[j], o.Names[i]
	o.Elements[i], o.Elements[j] = o.Elements[j], o.Elements[i]
}

// DecimalOf makes a DECIMAL without the zeros at the end of its fraction.
func DecimalOf(d types.Decimal128, scale int) Value {
	for scale > 0 {
		quo, rem := d.QuoRem(types.Decimal128FromInt64(10))
		if rem.Sign() != 0 {
			break
		}
		d, scale = quo, scale-1
	}
	return Value{Type: types.DecimalOf(d.Precision(scale), scale), Scalar: d}
}

// Member gives the value of a name of an object.
func (v Value) Member(name string) (Value, bool) {
	i := sort.SearchStrings(v.Names, name)
	if i == len(v.Names) || v.Names[i] != name {
		return Value{}, false
	}
	return v.Elements[i], true
}

// Schema is the type as schema_of_variant prints it.
func (v Value) Schema() string { return schemaOf(v).String() }

// schema is the type of a value or of the elements of an array.
type schema struct {
	types.Type
	names    []string
	elements []schema // of an object's members, or the one of an array
}

// anything is the schema of elements that have nothing in common.
var anything = schema{Type: types.Of(types.Variant)}

func schemaOf(v Value) schema {
	s := schema{Type: v.Type, names: v.Names}
	switch v.Type.Kind {
	case types.Struct:
		for _, e := range v.Elements {
			s.elements = append(s.elements, schemaOf(e))
		}
	case types.Array:
		elem := schema{}
		for _, e := range v.Elements {
			elem = elem.merge(schemaOf(e))
		}
		s.elements = []schema{elem}
	}
	return s
}

// merge is the schema that has the values of both.
func (s schema) merge(t schema) schema {
	switch a, b := s.Kind, t.Kind; {
	case b == types.Void:
		return s
	case a == types.Void:
		return t
	case a == types.Array && b == types.Array:
		s.elements = []schema{s.elements[0].merge(t.elements[0])}
		return s
	case a == types.Struct && b == types.Struct:
		return s.mergeMembers(t)
	case s.IsNumeric() && t.IsNumeric():
		return schema{Type: commonNumber(s.Type, t.Type)}
	case a == b && a != types.Variant:
		return s
	}
	return anything
}

// mergeMembers gives the members of both.
func (s schema) mergeMembers(t schema) schema {
	members := map[string]schema{}
	for _, o := range []schema{s, t} {
		for i, name := range o.names {
			members[name] = members[name].merge(o.elements[i])
		}
	}
	out := schema{Type: objectType}
	for name := range members {
		out.names = append(out.names, name)
	}
	sort.Strings(out.names)
	for _, name := range out.names {
		out.elements = append(out.elements, members[name])
	}
	return out
}

// commonNumber is a DECIMAL that holds both where there is one, else DOUBLE.
func commonNumber(a, b types.Type) types.Type {
	if a.Equal(b) {
		return a
	}
	whole := [2]int{}
	for i, t := range []types.Type{a, b} {
		switch t.Kind {
		case types.BigInt:
			whole[i] = 20
		case types.Decimal:
			whole[i] = int(t.Precision) - int(t.Scale)
		default:
			return types.Of(types.Double)
		}
	}
	scale := max(int(a.Scale), int(b.Scale))
	if precision := max(whole[0], whole[1]) + scale; precision <= types.MaxDecimalPrecision {
		return types.DecimalOf(precision, scale)
	}
	return types.Of(types.Double)
}

// String prints the schema.
func (s schema) String() string {
	switch s.Kind {
	case types.Array:
		return "ARRAY<" + s.elements[0].String() + ">"
	case types.Struct:
		parts := make([]string, len(s.names))
		for i, name := range s.names {
			parts[i] = fmt.Sprintf("%s: %s", types.QuoteIdent(name), s.elements[i])
		}
		return "OBJECT<" + strings.Join(parts, ", ") + ">"
	}
	return s.Type.String()
}
