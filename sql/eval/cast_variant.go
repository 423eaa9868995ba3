package eval

import (
	"errors"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/variant"
	"github.com/tarndb/tarn/sql/vector"
)

// castVariantAllowed is the table of casts from and to VARIANT: what has names
// becomes one by to_variant_object only.
func castVariantAllowed(from, to types.Type) bool {
	if to.Kind == types.Variant {
		return variantHolds(from, false)
	}
	switch to.Kind {
	case types.IntervalKind:
		return false
	case types.Array:
		return castVariantAllowed(from, to.Elem.Type)
	case types.Map:
		return to.Key.Type.Kind == types.String && castVariantAllowed(from, to.Elem.Type)
	case types.Struct:
		for _, f := range to.Fields {
			if !castVariantAllowed(from, f.Type) {
				return false
			}
		}
	}
	return true
}

// compileVariantCast makes the node of a cast from or to VARIANT.
func (c *compiler) compileVariantCast(arg node, e *expr.Cast) node {
	from := e.Arg.Type()
	if e.T.Kind == types.Variant {
		n := newCall(c, "", e.T, []node{arg}, true, rowKernel(func(f *frame, i int) error {
			v, err := toVariant(from, f.value(0, i))
			if err != nil {
				return err
			}
			return f.setBytes(i, v.Append(nil))
		}))
		n.f.try = e.Try
		return n
	}
	caster := &variantCaster{compiler: c, try: e.Try, scalars: map[[2]string]converter{}}
	return newCall(c, "", e.T, []node{arg}, true, nestedKernel(func(f *frame, i int) (any, error) {
		v, err := variant.Decode(f.bytes(0, i))
		if err != nil {
			return nil, err
		}
		return caster.cast(v, e.T)
	}))
}

// variantCaster casts values, each by the type that it has.
type variantCaster struct {
	compiler *compiler
	try      bool
	// scalars are the casts that were needed so far, by the two types.
	scalars map[[2]string]converter
}

// cast gives the value in the form of vector.Vector.Value; the null of JSON is
// NULL. With try a part that can't be cast is NULL.
func (c *variantCaster) cast(v variant.Value, to types.Type) (any, error) {
	switch from := v.Type.Kind; {
	case to.Kind == types.Variant:
		return v.Append(nil), nil
	case from == types.Void:
		return nil, nil
	case to.Kind == types.Array && from == types.Array:
		out := make([]any, len(v.Elements))
		for i, e := range v.Elements {
			var err error
			if out[i], err = c.cast(e, to.Elem.Type); err != nil {
				return nil, err
			}
		}
		return out, nil
	case to.Kind == types.Map && from == types.Struct:
		out := make([]vector.MapEntry, len(v.Elements))
		for i, e := range v.Elements {
			value, err := c.cast(e, to.Elem.Type)
			if err != nil {
				return nil, err
			}
			out[i] = vector.MapEntry{Key: v.Names[i], Value: value}
		}
		return out, nil
	case to.Kind == types.Struct && from == types.Struct:
		return c.castFields(v, to)
	case to.Kind == types.String && (from == types.Array || from == types.Struct):
		return string(appendVariantJSON(nil, v, c.compiler.env.zone())), nil
	case !to.IsNested() && from != types.Array && from != types.Struct && castAllowed(v.Type, to):
		return c.castScalar(v, to)
	}
	return c.refuse(v, to)
}

// castFields gives the members that have exactly the names of the fields.
func (c *variantCaster) castFields(v variant.Value, to types.Type) (any, error) {
	out := make([]any, len(to.Fields))
	for i, f := range to.Fields {
		if e, ok := v.Member(f.Name); ok {
			var err error
			if out[i], err = c.cast(e, f.Type); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

func (c *variantCaster) castScalar(v variant.Value, to types.Type) (any, error) {
	if d, ok := v.Scalar.(types.Decimal128); ok && isInstant(to) { // a cast of a DECIMAL column wraps around
		if micros, fits := d.Rescale(int(v.Type.Scale), 6); !fits || micros.Hi != int64(micros.Lo)>>63 {
			return c.refuse(v, to)
		}
	}
	key := [2]string{v.Type.String(), to.String()}
	convert := c.scalars[key]
	if convert == nil {
		var err error
		if convert, err = c.compiler.fieldConverter(types.Field{Name: "variant", Type: v.Type}, types.Field{Type: to}, false); err != nil {
			return nil, err
		}
		c.scalars[key] = convert
	}
	out, err := convert(vector.Single(v.Type, v.Scalar))
	switch {
	case errors.Is(err, ErrInvalidValue):
		return c.refuse(v, to)
	case err != nil:
		return nil, err
	case out.IsNull(0):
		return nil, nil
	}
	return out.Value(0), nil
}

func (c *variantCaster) refuse(v variant.Value, to types.Type) (any, error) {
	if c.try {
		return nil, nil
	}
	return nil, invalid("the variant %.200s can't be cast to %s; use try_cast or try_variant_get to get NULL instead", appendVariantJSON(nil, v, c.compiler.env.zone()), to)
}
