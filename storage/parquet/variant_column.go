package parquet

import (
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/variant"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage/parquet/internal/meta"
)

// A VARIANT is a group of metadata and value, or of metadata, value and
// typed_value, where parts of the value that have a type of their own are kept
// in columns (VariantEncoding.md, VariantShredding.md). The group is read as a
// STRUCT and then put together row by row.

// The names of the fields of a group.
const (
	variantMetadata = "metadata"
	variantValue    = "value"
	variantTyped    = "typed_value"
)

// variant resolves a column, or a field, that is wanted as VARIANT.
func (r resolver) variant(c *nestedColumn, s *shape, want types.Field) (*part, error) {
	if s.kind != shapeVariant && s.kind != shapeStruct {
		return nil, mismatch(r.file.path, want.Name, s.field.Type, want.Type)
	}
	group := *s
	group.kind, group.field.Type = shapeStruct, types.Type{Kind: types.Struct}
	for _, child := range s.children {
		switch child.field.Name {
		case variantMetadata, variantValue:
			if child.kind != shapeLeaf || child.leaf.source.kind != sourceBinary {
				return nil, mismatch(r.file.path, want.Name+"."+child.field.Name, child.field.Type, types.Of(types.Binary))
			}
		case variantTyped:
			if err := r.checkShredded(child); err != nil {
				return nil, err
			}
		default:
			return nil, corrupt(r.file.path, -1, nil, "a VARIANT has a field %s", child.field.Name)
		}
		group.field.Type.Fields = append(group.field.Type.Fields, child.field)
	}
	if fieldAt(group.field.Type, variantMetadata) < 0 {
		return nil, corrupt(r.file.path, -1, nil, "a VARIANT has no metadata")
	}
	inner, err := r.part(c, &group, types.Field{Name: want.Name, Type: group.field.Type})
	if err != nil {
		return nil, err
	}
	return &part{want: want.Type, shape: s, levels: inner.levels, children: []*part{inner}}, nil
}

// checkShredded refuses types that a part of a VARIANT can't have
// (VariantShredding.md, "Shredded Value Types").
func (r resolver) checkShredded(s *shape) error {
	if s.kind == shapeMap {
		return corrupt(r.file.path, -1, nil, "a part of a VARIANT is a MAP")
	}
	if s.kind != shapeLeaf {
		for _, child := range s.children {
			if err := r.checkShredded(child); err != nil {
				return err
			}
		}
		return nil
	}
	source := s.leaf.source
	ok := false
	switch source.kind {
	case sourceBool, sourceFloat, sourceDouble, sourceDecimal, sourceText, sourceBinary, sourceUUID, sourceDate:
		ok = true
	case sourceInt:
		ok = source.signed
	case sourceTime:
		ok = source.unit == meta.Micros
	case sourceTimestamp:
		ok = source.unit != meta.Millis
	}
	if !ok {
		return corrupt(r.file.path, -1, nil, "a part of a VARIANT can't be of type %s", source.t)
	}
	return nil
}

func fieldAt(t types.Type, name string) int {
	return slices.IndexFunc(t.Fields, func(f types.Field) bool { return f.Name == name })
}

// buildVariant puts the values of a part together.
func (c *nestedColumn) buildVariant(p *part, rep, def, n int) (*vector.Vector, error) {
	group, err := c.build(p.children[0], rep, def, n)
	if err != nil {
		return nil, err
	}
	out := vector.NewBuilder(p.want, n)
	at := fieldAt(group.Type, variantMetadata)
	for i := range n {
		if group.IsNull(i) {
			out.AppendNull()
			continue
		}
		fields := group.Value(i).([]any)
		metadata, _ := fields[at].([]byte)
		v, ok, err := shredded{metadata}.value(group.Type, fields)
		if err != nil {
			return nil, corrupt(c.path, -1, err, "a value of a VARIANT can't be read")
		}
		if !ok {
			v = variant.Value{} // the null of JSON
		}
		out.AppendBytes(v.Append(nil))
	}
	return out.Vector(), nil
}

// shredded puts a value together from its group (VariantShredding.md,
// "Reconstructing a Shredded Variant").
type shredded struct{ metadata []byte }

// value gives what the fields of a group say; ok is false if they are both
// NULL, which in an object means that there is no such member.
func (s shredded) value(t types.Type, fields []any) (v variant.Value, ok bool, err error) {
	var binary []byte
	if i := fieldAt(t, variantValue); i >= 0 && fields[i] != nil {
		binary = fields[i].([]byte)
	}
	i := fieldAt(t, variantTyped)
	if i < 0 || fields[i] == nil {
		if binary == nil {
			return v, false, nil
		}
		v, err = s.decode(binary)
		return v, true, err
	}
	typed := t.Fields[i].Type
	if typed.Kind == types.Struct {
		v, err = s.object(typed, fields[i].([]any), binary)
		return v, true, err
	}
	if binary != nil {
		return v, false, fmt.Errorf("%w: it has both a value and a typed value", variant.ErrMalformed)
	}
	if typed.Kind == types.Array {
		v, err = s.array(typed.Elem.Type, fields[i].([]any))
		return v, true, err
	}
	return scalar(typed, fields[i]), true, nil
}

// decode reads a value in the binary form.
func (s shredded) decode(value []byte) (variant.Value, error) {
	both := binary.LittleEndian.AppendUint32(nil, uint32(len(s.metadata)))
	return variant.Decode(append(append(both, s.metadata...), value...))
}

func (s shredded) array(elem types.Type, list []any) (variant.Value, error) {
	elements := make([]variant.Value, len(list))
	for i, e := range list {
		fields, isGroup := e.([]any)
		if !isGroup {
			return variant.Value{}, fmt.Errorf("%w: an element is missing", variant.ErrMalformed)
		}
		var ok bool
		var err error
		if elements[i], ok, err = s.value(elem, fields); err != nil {
			return variant.Value{}, err
		} else if !ok {
			elements[i] = variant.Value{}
		}
	}
	return variant.ArrayOf(elements), nil
}

// object joins the members that have columns with the others, which are in the
// binary value.
func (s shredded) object(t types.Type, columns []any, value []byte) (variant.Value, error) {
	var names []string
	var values []variant.Value
	for i, f := range t.Fields {
		fields, isGroup := columns[i].([]any)
		if !isGroup {
			continue
		}
		v, ok, err := s.value(f.Type, fields)
		if err != nil {
			return v, err
		}
		if ok {
			names, values = append(names, f.Name), append(values, v)
		}
	}
	if value != nil {
		rest, err := s.decode(value)
		if err != nil {
			return rest, err
		}
		if rest.Type.Kind != types.Struct {
			return rest, fmt.Errorf("%w: no object, but it has columns of members", variant.ErrMalformed)
		}
		for i, name := range rest.Names {
			if fieldAt(t, name) < 0 { // a member that has a column is what that says
				names, values = append(names, name), append(values, rest.Elements[i])
			}
		}
	}
	v, ok := variant.ObjectOf(names, values)
	if !ok {
		return v, fmt.Errorf("%w: an object has a name twice", variant.ErrMalformed)
	}
	return v, nil
}

func scalar(t types.Type, v any) variant.Value {
	switch {
	case t.Kind == types.Decimal:
		return variant.DecimalOf(v.(types.Decimal128), int(t.Scale))
	case t.IsInteger():
		t = types.Of(types.BigInt)
	}
	return variant.Value{Type: t, Scalar: v}
}
