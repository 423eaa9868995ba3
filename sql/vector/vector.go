package vector

import (
	"fmt"

	"github.com/tarndb/tarn/sql/types"
)

// Form says how a Vector's rows map to its values.
type Form uint8

// The three forms.
const (
	Flat       Form = iota // value i belongs to row i
	Constant               // value 0 belongs to every row
	Dictionary             // value Codes[i] of Dict belongs to row i
)

// View is the place of a string in a vector's Data.
type View struct {
	Offset uint32
	Length uint32
}

// Vector is a column of values. Which of the slices is in use follows from
// Type.Physical() and Form. Invariants:
//
//  1. A flat vector's slice in use has at least Len elements; a constant
//     vector's has at least one.
//  2. Valid, if not nil, covers Len rows (one row for Constant).
//  3. A dictionary vector has Codes for Len rows, each within Dict, which is
//     flat; a code of a NULL row is within Dict too, or Dict is empty. A Dict
//     never changes once it was given out, nor does its memory: results per
//     entry are kept by its address.
//  4. Lists hold len Offsets+1 positions in Child, ascending; a MAP's Child is
//     a STRUCT of key and value. A STRUCT holds a child per field, each flat,
//     constant or dictionary and of the same length.
type Vector struct {
	Type  types.Type
	Form  Form
	Len   int
	Valid Bitmap

	Bools     []bool
	Int32s    []int32
	Int64s    []int64
	Int128s   []types.Decimal128
	Float32s  []float32
	Float64s  []float64
	Views     []View // PhysBytes, into Data
	Data      []byte
	Intervals []types.Interval
	Offsets   []int32   // PhysList
	Child     *Vector   // PhysList
	Children  []*Vector // PhysStruct

	Codes []int32
	Dict  *Vector
}

// New gives a flat vector of n rows, all valid with zero values. Lists and
// structs are given their children by the caller.
func New(t types.Type, n int) *Vector {
	v := &Vector{Type: t}
	v.Reset(n)
	return v
}

// Reset makes v a flat vector of n valid rows again, keeping its memory where
// it is large enough; values are whatever was there before.
func (v *Vector) Reset(n int) {
	*v = Vector{Type: v.Type, Len: n, Bools: v.Bools, Int32s: v.Int32s, Int64s: v.Int64s, Int128s: v.Int128s,
		Float32s: v.Float32s, Float64s: v.Float64s, Views: v.Views, Data: v.Data[:0], Intervals: v.Intervals,
		Offsets: v.Offsets, Codes: v.Codes}
	switch v.Type.Physical() {
	case types.PhysNone:
		v.Valid = NewBitmap(n)
	case types.PhysBool:
		v.Bools = resize(v.Bools, n)
	case types.PhysInt32:
		v.Int32s = resize(v.Int32s, n)
	case types.PhysInt64:
		v.Int64s = resize(v.Int64s, n)
	case types.PhysInt128:
		v.Int128s = resize(v.Int128s, n)
	case types.PhysFloat32:
		v.Float32s = resize(v.Float32s, n)
	case types.PhysFloat64:
		v.Float64s = resize(v.Float64s, n)
	case types.PhysBytes:
		v.Views = resize(v.Views, n)
	case types.PhysInterval:
		v.Intervals = resize(v.Intervals, n)
	case types.PhysList:
		v.Offsets = resize(v.Offsets, n+1)
	}
}

func resize[T any](s []T, n int) []T {
	if cap(s) >= n {
		return s[:n]
	}
	return make([]T, n)
}

// NewNull gives a constant NULL of n rows.
func NewNull(t types.Type, n int) *Vector {
	v := New(t, 1)
	v.Form, v.Len, v.Valid = Constant, n, NewBitmap(1)
	if v.Type.Physical() == types.PhysList {
		v.Child = NewBuilder(listChild(t), 0).Vector()
	}
	if v.Type.Physical() == types.PhysStruct {
		for _, f := range t.Fields {
			v.Children = append(v.Children, NewNull(f.Type, 1))
		}
	}
	return v
}

// listChild is the type of the child of an ARRAY or MAP vector.
func listChild(t types.Type) types.Type {
	if t.Kind == types.Map {
		return types.StructOf(*t.Key, *t.Elem)
	}
	return t.Elem.Type
}

// NewDictionary gives a dictionary vector over a flat dict; valid may be nil.
func NewDictionary(dict *Vector, codes []int32, valid Bitmap) *Vector {
	return &Vector{Type: dict.Type, Form: Dictionary, Len: len(codes), Valid: valid, Codes: codes, Dict: dict}
}

// IsNull reports whether row i is NULL.
func (v *Vector) IsNull(i int) bool {
	switch v.Form {
	case Constant:
		return !v.Valid.Valid(0)
	case Dictionary:
		return !v.Valid.Valid(i) || !v.Dict.Valid.Valid(int(v.Codes[i]))
	}
	return !v.Valid.Valid(i)
}

// MayHaveNulls is false only if no row is NULL; it looks at no row.
func (v *Vector) MayHaveNulls() bool {
	return v.Valid != nil || v.Form == Dictionary && v.Dict.Valid != nil
}

// At gives the vector and the position in it that hold the value of row i:
// the dictionary and the code, the constant and 0, or v and i.
func (v *Vector) At(i int) (values *Vector, position int) {
	switch v.Form {
	case Constant:
		return v, 0
	case Dictionary:
		return v.Dict, int(v.Codes[i])
	}
	return v, i
}

// Bytes gives the bytes of row i of a PhysBytes vector. They belong to the
// vector and must not be changed.
func (v *Vector) Bytes(i int) []byte {
	values, p := v.At(i)
	view := values.Views[p]
	return values.Data[view.Offset : view.Offset+view.Length : view.Offset+view.Length]
}

// SetBytes stores a copy of b in slot i of a flat PhysBytes vector.
func (v *Vector) SetBytes(i int, b []byte) {
	v.Views[i] = View{Offset: uint32(len(v.Data)), Length: uint32(len(b))}
	v.Data = append(v.Data, b...)
}

// SetNull marks row i of a flat vector as NULL.
func (v *Vector) SetNull(i int) {
	if v.Valid == nil {
		v.Valid = NewValidBitmap(v.Len)
	}
	v.Valid.Clear(i)
}

// Slice gives rows [from, to) of v. It copies the validity bits and shares
// everything else.
func (v *Vector) Slice(from, to int) *Vector {
	if from == 0 && to == v.Len {
		return v
	}
	out := *v
	out.Len = to - from
	if v.Form == Constant {
		return &out
	}
	out.Valid = sliceBitmap(v.Valid, from, to)
	if v.Form == Dictionary {
		out.Codes = v.Codes[from:to]
		return &out
	}
	switch v.Type.Physical() {
	case types.PhysBool:
		out.Bools = v.Bools[from:to]
	case types.PhysInt32:
		out.Int32s = v.Int32s[from:to]
	case types.PhysInt64:
		out.Int64s = v.Int64s[from:to]
	case types.PhysInt128:
		out.Int128s = v.Int128s[from:to]
	case types.PhysFloat32:
		out.Float32s = v.Float32s[from:to]
	case types.PhysFloat64:
		out.Float64s = v.Float64s[from:to]
	case types.PhysBytes:
		out.Views = v.Views[from:to]
	case types.PhysInterval:
		out.Intervals = v.Intervals[from:to]
	case types.PhysList:
		out.Offsets = v.Offsets[from : to+1]
	case types.PhysStruct:
		out.Children = make([]*Vector, len(v.Children))
		for i, c := range v.Children {
			out.Children[i] = c.Slice(from, to)
		}
	}
	return &out
}

func sliceBitmap(b Bitmap, from, to int) Bitmap {
	if b == nil {
		return nil
	}
	out := NewBitmap(to - from)
	if from&63 == 0 {
		copy(out, b[from>>6:])
		return out
	}
	for i := from; i < to; i++ {
		if b.Valid(i) {
			out.Set(i - from)
		}
	}
	return out
}

// Value gives row i as one of: nil, bool, int64 (whole numbers; days of DATE;
// microseconds of TIME and timestamps, nanoseconds of the (9) ones), float64,
// types.Decimal128, string, []byte, types.Interval, []any (ARRAY), []MapEntry
// (MAP), []any (STRUCT). It is for a row at a time; loops use the slices.
func (v *Vector) Value(i int) any {
	if v.IsNull(i) {
		return nil
	}
	values, p := v.At(i)
	switch v.Type.Physical() {
	case types.PhysBool:
		return values.Bools[p]
	case types.PhysInt32:
		return int64(values.Int32s[p])
	case types.PhysInt64:
		if v.Type.Kind == types.Decimal {
			return types.Decimal128FromInt64(values.Int64s[p])
		}
		return values.Int64s[p]
	case types.PhysInt128:
		return values.Int128s[p]
	case types.PhysFloat32:
		return float64(values.Float32s[p])
	case types.PhysFloat64:
		return values.Float64s[p]
	case types.PhysBytes:
		b := v.Bytes(i)
		if v.Type.Kind == types.String {
			return string(b)
		}
		return append([]byte{}, b...)
	case types.PhysInterval:
		return values.Intervals[p]
	case types.PhysList:
		return values.list(p)
	case types.PhysStruct:
		return values.fields(p)
	}
	panic(fmt.Sprintf("vector: no values of %s", v.Type))
}

// MapEntry is one entry of a MAP value.
type MapEntry struct{ Key, Value any }

func (v *Vector) list(p int) any {
	from, to := int(v.Offsets[p]), int(v.Offsets[p+1])
	if v.Type.Kind == types.Map {
		entries := make([]MapEntry, 0, to-from)
		for i := from; i < to; i++ {
			kv := v.Child.fields(i)
			entries = append(entries, MapEntry{Key: kv[0], Value: kv[1]})
		}
		return entries
	}
	elems := make([]any, 0, to-from)
	for i := from; i < to; i++ {
		elems = append(elems, v.Child.Value(i))
	}
	return elems
}

func (v *Vector) fields(p int) []any {
	out := make([]any, len(v.Children))
	for i, c := range v.Children {
		out[i] = c.Value(p)
	}
	return out
}
