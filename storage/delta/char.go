package delta

import (
	"bytes"
	"unicode/utf8"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// Files may have values of CHAR(n) without the blanks at the end, as writers
// that know nothing of the type leave them. Readers put them back, so that
// values compare as the type has it; statistics and Parquet filters, which see
// the shorter values, are no use then.

// hasChar tells whether values of a type are, or hold, CHAR(n).
func hasChar(t types.Type) bool {
	if t.Kind == types.String {
		return t.Char == types.Char
	}
	for _, f := range t.Parts() {
		if hasChar(f.Type) {
			return true
		}
	}
	return false
}

// padded gives a vector with all values of CHAR(n) filled up with blanks.
func padded(v *vector.Vector, t types.Type) *vector.Vector {
	if !hasChar(t) {
		return v
	}
	v = v.Flatten()
	out := *v
	out.Type = t
	switch t.Kind {
	case types.String:
		return paddedText(v, t)
	case types.Array:
		out.Child = padded(v.Child, t.Elem.Type)
	case types.Map:
		out.Child = padded(v.Child, types.StructOf(*t.Key, *t.Elem))
	case types.Struct:
		out.Children = make([]*vector.Vector, len(v.Children))
		for i, c := range v.Children {
			out.Children[i] = padded(c, t.Fields[i].Type)
		}
	}
	return &out
}

func paddedText(v *vector.Vector, t types.Type) *vector.Vector {
	b := vector.NewBuilder(t, v.Len)
	for i := range v.Len {
		if v.IsNull(i) {
			b.AppendNull()
			continue
		}
		text := v.Bytes(i)
		if missing := int(t.Length) - utf8.RuneCount(text); missing > 0 {
			text = append(text[:len(text):len(text)], bytes.Repeat([]byte{' '}, missing)...)
		}
		b.AppendBytes(text)
	}
	return b.Vector()
}
