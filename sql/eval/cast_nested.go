package eval

import (
	"time"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// appendNested prints [a, b], {k -> v} and {a, b}.
func appendNested(dst []byte, t types.Type, value any, zone *time.Location) []byte {
	switch v := value.(type) {
	case []vector.MapEntry:
		dst = append(dst, '{')
		for i, e := range v {
			if i > 0 {
				dst = append(dst, ", "...)
			}
			dst = appendText(dst, t.Key.Type, e.Key, zone)
			dst = append(dst, " -> "...)
			dst = appendText(dst, t.Elem.Type, e.Value, zone)
		}
		return append(dst, '}')
	case []any:
		open, end := byte('['), byte(']')
		if t.Kind == types.Struct {
			open, end = '{', '}'
		}
		dst = append(dst, open)
		for i, e := range v {
			if i > 0 {
				dst = append(dst, ", "...)
			}
			if t.Kind == types.Struct {
				dst = appendText(dst, t.Fields[i].Type, e, zone)
			} else {
				dst = appendText(dst, t.Elem.Type, e, zone)
			}
		}
		return append(dst, end)
	}
	return dst
}

// compileNestedCast casts element by element: the elements of a batch are a
// batch of their own for a node that casts them.
func (c *compiler) compileNestedCast(arg node, e *expr.Cast) (node, error) {
	convert, err := c.nestedConverter(e.Arg.Type(), e.T, e.Try)
	if err != nil {
		return nil, err
	}
	k := func(f *frame) error {
		a := f.args[0]
		if a.Form == vector.Constant {
			flat := *a
			flat.Form, flat.Len = vector.Flat, 1
			a = &flat
		}
		if f.sel != nil { // elements of other rows are not converted
			a = flattenNested(a, f.sel)
		}
		out, err := convert(a)
		if err != nil {
			return err
		}
		*f.out = *out
		return nil
	}
	return newCall(c, "", e.T, []node{arg}, true, k), nil
}

// converter casts all rows of a flat vector.
type converter func(v *vector.Vector) (*vector.Vector, error)

func (c *compiler) nestedConverter(from, to types.Type, try bool) (converter, error) {
	if first, ok := throughTimestamp(from, to); ok {
		settle, err := c.nestedConverter(from, first, try)
		if err != nil {
			return nil, err
		}
		convert, err := c.nestedConverter(first, to, try)
		return func(v *vector.Vector) (*vector.Vector, error) {
			v, err := settle(v)
			if err != nil {
				return nil, err
			}
			return convert(v)
		}, err
	}
	switch {
	case from.Kind == types.Array && to.Kind == types.Array:
		child, err := c.fieldConverter(*from.Elem, *to.Elem, try)
		return listConverter(to, child), err
	case from.Kind == types.Map && to.Kind == types.Map:
		entries, err := c.nestedConverter(types.StructOf(*from.Key, *from.Elem), types.StructOf(*to.Key, *to.Elem), try)
		return listConverter(to, entries), err
	case from.Kind == types.Struct && to.Kind == types.Struct && len(from.Fields) == len(to.Fields):
		children := make([]converter, len(from.Fields))
		for i := range from.Fields {
			var err error
			if children[i], err = c.fieldConverter(from.Fields[i], to.Fields[i], try); err != nil {
				return nil, err
			}
		}
		return structConverter(to, children), nil
	}
	return nil, mismatch("%s can't be cast to %s", from, to)
}

// fieldConverter casts the values of an element or a field. Values under a
// NULL parent are NULL here, so that they can't be an error.
func (c *compiler) fieldConverter(from, to types.Field, try bool) (converter, error) {
	var cast expr.Expr = &expr.Column{Name: from.Name, T: from.Type, MayBeNull: true}
	if !sameValues(from.Type, to.Type) {
		cast = &expr.Cast{Arg: cast, T: to.Type, Try: try}
	}
	inner := *c
	inner.dictionaries, inner.sharing = false, nil // elements are another batch
	n, err := inner.compile(cast)
	if err != nil {
		return nil, err
	}
	return func(v *vector.Vector) (*vector.Vector, error) {
		out, err := n.eval(vector.NewBatch(v.Len, v), nil)
		if err != nil {
			return nil, err
		}
		copied := *out // the node may be asked again
		return copied.Flatten().Select(nil), nil
	}, nil
}

func listConverter(to types.Type, child converter) converter {
	return func(v *vector.Vector) (*vector.Vector, error) {
		c, err := child(v.Child)
		if err != nil {
			return nil, err
		}
		for i := 0; to.Kind == types.Array && !to.Elem.Nullable && i < v.Len; i++ {
			for e := v.Offsets[i]; v.Valid.Valid(i) && e < v.Offsets[i+1]; e++ {
				if c.IsNull(int(e)) {
					return nil, nullInField(*to.Elem)
				}
			}
		}
		return &vector.Vector{Type: to, Len: v.Len, Valid: v.Valid, Offsets: v.Offsets, Child: c}, nil
	}
}

func nullInField(f types.Field) error {
	return invalid("NULL in %s, whose values must not be NULL", f.Name)
}

func structConverter(to types.Type, children []converter) converter {
	return func(v *vector.Vector) (*vector.Vector, error) {
		out := &vector.Vector{Type: to, Len: v.Len, Valid: v.Valid}
		for i, child := range children {
			field := v.Children[i]
			if v.Valid != nil {
				field = field.Flatten()
				masked := *field
				masked.Valid = vector.And(field.Valid, v.Valid)
				field = &masked
			}
			c, err := child(field)
			if err != nil {
				return nil, err
			}
			for r := 0; !to.Fields[i].Nullable && r < v.Len; r++ {
				if v.Valid.Valid(r) && c.IsNull(r) {
					return nil, nullInField(to.Fields[i])
				}
			}
			out.Children = append(out.Children, c)
		}
		return out, nil
	}
}
