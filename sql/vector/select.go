package vector

import "github.com/tarndb/tarn/sql/types"

// Select gives the rows of v at the positions of sel, in that order (any order
// and repetition is allowed). Bytes, dictionaries and list children are shared
// with v, the rest is copied. A nil sel gives v itself.
func (v *Vector) Select(sel Selection) *Vector {
	if sel == nil {
		return v
	}
	out := &Vector{Type: v.Type, Form: v.Form, Len: len(sel)}
	switch v.Form {
	case Constant:
		*out = *v
		out.Len = len(sel)
		return out
	case Dictionary:
		out.Dict = v.Dict
		out.Codes = gather(v.Codes, sel)
		out.Valid = gatherBitmap(v.Valid, sel)
		return out
	}
	out.Valid = gatherBitmap(v.Valid, sel)
	switch v.Type.Physical() {
	case types.PhysBool:
		out.Bools = gather(v.Bools, sel)
	case types.PhysInt32:
		out.Int32s = gather(v.Int32s, sel)
	case types.PhysInt64:
		out.Int64s = gather(v.Int64s, sel)
	case types.PhysInt128:
		out.Int128s = gather(v.Int128s, sel)
	case types.PhysFloat32:
		out.Float32s = gather(v.Float32s, sel)
	case types.PhysFloat64:
		out.Float64s = gather(v.Float64s, sel)
	case types.PhysBytes:
		out.Views = gather(v.Views, sel)
		out.Data = v.Data
	case types.PhysInterval:
		out.Intervals = gather(v.Intervals, sel)
	case types.PhysList:
		out.selectLists(v, sel)
	case types.PhysStruct:
		out.Children = make([]*Vector, len(v.Children))
		for i, c := range v.Children {
			out.Children[i] = c.Select(sel)
		}
	}
	return out
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

func gather[T any](src []T, sel Selection) []T {
	out := make([]T, len(sel))
	for k, i := range sel {
		out[k] = src[i]
	}
	return out
}

func gatherBitmap(b Bitmap, sel Selection) Bitmap {
	if b == nil {
		return nil
	}
	out := NewBitmap(len(sel))
	for k, i := range sel {
		if b.Valid(int(i)) {
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
