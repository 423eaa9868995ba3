package vector

import (
	"fmt"

	"github.com/tarndb/tarn/sql/types"
)

// Builder makes a flat vector by appending values.
type Builder struct {
	v Vector
}

// Single gives a flat vector of one row.
func Single(t types.Type, value any) *Vector {
	b := NewBuilder(t, 1)
	b.AppendValue(value)
	return b.Vector()
}

// NewBuilder gives an empty builder with room for n rows.
func NewBuilder(t types.Type, n int) *Builder {
	b := &Builder{v: Vector{Type: t}}
	switch t.Physical() {
	case types.PhysList:
		b.v.Offsets = make([]int32, 1, n+1)
		b.v.Child = NewBuilder(listChild(t), n).Vector()
	case types.PhysStruct:
		for _, f := range t.Fields {
			b.v.Children = append(b.v.Children, NewBuilder(f.Type, n).Vector())
		}
	case types.PhysInt64:
		b.v.Int64s = make([]int64, 0, n)
	case types.PhysBytes:
		b.v.Views = make([]View, 0, n)
	}
	return b
}

// Len is the number of rows appended so far.
func (b *Builder) Len() int { return b.v.Len }

// Vector gives what was built. The builder may go on appending only if the
// vector is not used meanwhile.
func (b *Builder) Vector() *Vector { return &b.v }

// AppendNull appends a NULL.
func (b *Builder) AppendNull() {
	b.v.appendZero()
	b.v.markLast(false)
}

// AppendInt64 appends a whole number, a date, a time, a timestamp or the
// unscaled value of a DECIMAL up to 18 digits.
func (b *Builder) AppendInt64(x int64) {
	if b.v.Type.Physical() == types.PhysInt32 {
		b.v.Int32s = append(b.v.Int32s, int32(x))
	} else {
		b.v.Int64s = append(b.v.Int64s, x)
	}
	b.v.markLast(true)
}

// AppendBytes appends a copy of x to a PhysBytes vector.
func (b *Builder) AppendBytes(x []byte) {
	b.v.Views = append(b.v.Views, View{Offset: uint32(len(b.v.Data)), Length: uint32(len(x))})
	b.v.Data = append(b.v.Data, x...)
	b.v.markLast(true)
}

// AppendValue appends a value in the form that Vector.Value gives; a value of
// another Go type is the caller's mistake and panics.
func (b *Builder) AppendValue(x any) { b.v.appendValue(x) }

// AppendFrom appends row i of src, which has the same physical layout.
func (b *Builder) AppendFrom(src *Vector, i int) { b.v.appendFrom(src, i) }

// markLast counts a row that was just stored.
func (v *Vector) markLast(valid bool) {
	v.Len++
	if v.Valid == nil {
		if valid {
			return
		}
		v.Valid = NewValidBitmap(v.Len)
	}
	if len(v.Valid)*64 < v.Len {
		v.Valid = append(v.Valid, ^uint64(0))
	}
	if !valid {
		v.Valid.Clear(v.Len - 1)
	} else {
		v.Valid.Set(v.Len - 1)
	}
}

func (v *Vector) appendZero() {
	switch v.Type.Physical() {
	case types.PhysBool:
		v.Bools = append(v.Bools, false)
	case types.PhysInt32:
		v.Int32s = append(v.Int32s, 0)
	case types.PhysInt64:
		v.Int64s = append(v.Int64s, 0)
	case types.PhysInt128:
		v.Int128s = append(v.Int128s, types.Decimal128{})
	case types.PhysFloat32:
		v.Float32s = append(v.Float32s, 0)
	case types.PhysFloat64:
		v.Float64s = append(v.Float64s, 0)
	case types.PhysBytes:
		v.Views = append(v.Views, View{})
	case types.PhysInterval:
		v.Intervals = append(v.Intervals, types.Interval{})
	case types.PhysList:
		v.Offsets = append(v.Offsets, int32(v.Child.Len))
	case types.PhysStruct:
		for _, c := range v.Children {
			c.appendZero()
			c.markLast(false)
		}
	}
}

func (v *Vector) appendValue(x any) {
	if x == nil {
		v.appendZero()
		v.markLast(false)
		return
	}
	switch v.Type.Physical() {
	case types.PhysBool:
		v.Bools = append(v.Bools, x.(bool))
	case types.PhysInt32:
		v.Int32s = append(v.Int32s, int32(x.(int64)))
	case types.PhysInt64:
		v.Int64s = append(v.Int64s, unscaled64(x))
	case types.PhysInt128:
		v.Int128s = append(v.Int128s, x.(types.Decimal128))
	case types.PhysFloat32:
		v.Float32s = append(v.Float32s, float32(x.(float64)))
	case types.PhysFloat64:
		v.Float64s = append(v.Float64s, x.(float64))
	case types.PhysBytes:
		v.appendBytesValue(x)
	case types.PhysInterval:
		v.Intervals = append(v.Intervals, x.(types.Interval))
	case types.PhysList:
		v.appendList(x)
	case types.PhysStruct:
		for i, f := range x.([]any) {
			v.Children[i].appendValue(f)
		}
	default:
		panic(fmt.Sprintf("vector: value of %s", v.Type))
	}
	v.markLast(true)
}

func unscaled64(x any) int64 {
	if d, ok := x.(types.Decimal128); ok {
		return int64(d.Lo)
	}
	return x.(int64)
}

func (v *Vector) appendBytesValue(x any) {
	start := len(v.Data)
	switch x := x.(type) {
	case string:
		v.Data = append(v.Data, x...)
	case []byte:
		v.Data = append(v.Data, x...)
	default:
		panic(fmt.Sprintf("vector: %T for %s", x, v.Type))
	}
	v.Views = append(v.Views, View{Offset: uint32(start), Length: uint32(len(v.Data) - start)})
}

func (v *Vector) appendList(x any) {
	switch x := x.(type) {
	case []any:
		for _, e := range x {
			v.Child.appendValue(e)
		}
	case []MapEntry:
		for _, e := range x {
			v.Child.appendValue([]any{e.Key, e.Value})
		}
	}
	v.Offsets = append(v.Offsets, int32(v.Child.Len))
}

func (v *Vector) appendFrom(src *Vector, i int) {
	if src.IsNull(i) {
		v.appendZero()
		v.markLast(false)
		return
	}
	s, p := src.At(i)
	switch v.Type.Physical() {
	case types.PhysBool:
		v.Bools = append(v.Bools, s.Bools[p])
	case types.PhysInt32:
		v.Int32s = append(v.Int32s, s.Int32s[p])
	case types.PhysInt64:
		v.Int64s = append(v.Int64s, s.Int64s[p])
	case types.PhysInt128:
		v.Int128s = append(v.Int128s, s.Int128s[p])
	case types.PhysFloat32:
		v.Float32s = append(v.Float32s, s.Float32s[p])
	case types.PhysFloat64:
		v.Float64s = append(v.Float64s, s.Float64s[p])
	case types.PhysBytes:
		v.appendBytesValue(s.Bytes(p))
	case types.PhysInterval:
		v.Intervals = append(v.Intervals, s.Intervals[p])
	case types.PhysList:
		for e := int(s.Offsets[p]); e < int(s.Offsets[p+1]); e++ {
			v.Child.appendFrom(s.Child, e)
		}
		v.Offsets = append(v.Offsets, int32(v.Child.Len))
	case types.PhysStruct:
		for c := range v.Children {
			v.Children[c].appendFrom(s.Children[c], p)
		}
	}
	v.markLast(true)
}
