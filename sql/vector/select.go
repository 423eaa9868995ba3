package vector

import "github.com/tarndb/tarn/sql/types"

// Select gives the rows of v at the positions of sel, in that order (any order
// and repetition is allowed). Bytes, dictionaries and list children are shared
// with v, the rest is copied. A nil sel gives v itself.
func (v *Vector) Select(sel Selection) *Vector {
	if sel == nil {
		return v
	}
	out := &Vector{}
	v.SelectInto(out, sel)
	return out
}

// SelectInto is Select for a vector that only SelectInto writes to: its memory
// is used again where it is large enough. sel is not nil.
func (v *Vector) SelectInto(out *Vector, sel Selection) {
	if v.Form == Constant {
		*out = *v
		out.Len = len(sel)
		return
	}
	if out.Form == Constant { // it shares another one's memory
		*out = Vector{}
	}
	out.Type, out.Form, out.Len = v.Type, v.Form, len(sel)
	out.Valid = gatherBitmap(out.Valid, v.Valid, sel)
	out.Dict, out.Data = v.Dict, v.Data
	if v.Form == Dictionary {
		out.Codes = gather(out.Codes, v.Codes, sel)
		return
	}
	switch v.Type.Physical() {
	case types.PhysBool:
		out.Bools = gather(out.Bools, v.Bools, sel)
	case types.PhysInt32:
		out.Int32s = gather(out.Int32s, v.Int32s, sel)
	case types.PhysInt64:
		out.Int64s = gather(out.Int64s, v.Int64s, sel)
	case types.PhysInt128:
		out.Int128s = gather(out.Int128s, v.Int128s, sel)
	case types.PhysFloat32:
		out.Float32s = gather(out.Float32s, v.Float32s, sel)
	case types.PhysFloat64:
		out.Float64s = gather(out.Float64s, v.Float64s, sel)
	case types.PhysBytes:
		out.Views = gather(out.Views, v.Views, sel)
	case types.PhysInterval:
		out.Intervals = gather(out.Intervals, v.Intervals, sel)
	case types.PhysList:
		out.selectLists(v, sel)
	case types.PhysStruct:
		out.Children = make([]*Vector, len(v.Children))
		for i, c := range v.Children {
			out.Children[i] = c.Select(sel)
		}
	}
}

func (v *Vector) selectLists(src *Vector, sel Selection) {
	v.Offsets = make([]int32, 1, len(sel)+1)
	childRows := make(Selection, 0, len(sel))
	for _, i := range sel {
		for e := src.Offsets[i]; e < src.Offsets[i+1]; e++ {
			childRows = append(childRows, e)
		}
		v.Offsets = append(v.Offsets, int32(len(childRows)))
	}
	v.Child = src.Child.Select(childRows)
}

// roomFor gives n elements, in the memory of s if it is enough; never nil, which
// has a meaning of its own.
func roomFor[T any](s []T, n int) []T {
	if s == nil {
		return make([]T, n)
	}
	return resize(s, n)
}

func gather[T any](out, src []T, sel Selection) []T {
	out = roomFor(out, len(sel))
	for k, i := range sel {
		out[k] = src[i]
	}
	return out
}

func gatherBitmap(out, src Bitmap, sel Selection) Bitmap {
	if src == nil {
		return nil
	}
	out = roomFor(out, (len(sel)+63)/64)
	clear(out)
	for k, i := range sel {
		if src.Valid(int(i)) {
			out.Set(k)
		}
	}
	return out
}

// Flatten gives v as a flat vector: v itself if it is flat, else a copy whose
// bytes and list children are shared with v.
func (v *Vector) Flatten() *Vector {
	switch v.Form {
	case Constant:
		sel := make(Selection, v.Len) // all zero: every row is value 0
		flat := *v
		flat.Form, flat.Len = Flat, 1
		return flat.Select(sel)
	case Dictionary:
		if v.Dict.Len == 0 { // every row is NULL
			return NewNull(v.Type, v.Len).Flatten()
		}
		out := v.Dict.Select(v.Codes)
		if v.Valid != nil {
			out.Valid = And(out.Valid, v.Valid)
		}
		return out
	}
	return v
}
