package vector

import (
	"errors"
	"math"
	"slices"

	"github.com/tarndb/tarn/sql/types"
)

// ErrTooLarge says that a vector's strings would exceed the 4 GiB that views
// can address.
var ErrTooLarge = errors.New("a column of more than 4 GiB of text in one vector")

// Collector copies batches together into one batch of flat vectors.
type Collector struct {
	batch Batch
}

// NewCollector gives an empty collector for columns of the given types.
func NewCollector(columns []types.Type) *Collector {
	c := &Collector{}
	for _, t := range columns {
		c.batch.Columns = append(c.batch.Columns, NewBuilder(t, 0).Vector())
	}
	return c
}

// Append copies the selected rows of b.
func (c *Collector) Append(b *Batch) error {
	for i, v := range b.Columns {
		if err := c.batch.Columns[i].appendRows(v, b.Sel, b.Len); err != nil {
			return err
		}
	}
	c.batch.Len += b.Rows()
	return nil
}

// Batch gives what was collected. It shares memory with the collector.
func (c *Collector) Batch() *Batch { return &c.batch }

// Types are the types of the columns.
func (c *Collector) Types() []types.Type {
	out := make([]types.Type, len(c.batch.Columns))
	for i, v := range c.batch.Columns {
		out[i] = v.Type
	}
	return out
}

// Rows is the number of rows collected.
func (c *Collector) Rows() int { return c.batch.Len }

// Reset forgets the rows and keeps the memory for others: what Batch gave must
// not be used any more.
func (c *Collector) Reset() {
	for _, v := range c.batch.Columns {
		v.truncate()
	}
	c.batch.Len = 0
}

// truncate makes a flat vector that a Builder has made empty.
func (v *Vector) truncate() {
	v.Len, v.Valid = 0, nil
	v.Bools, v.Int32s, v.Int64s, v.Int128s = v.Bools[:0], v.Int32s[:0], v.Int64s[:0], v.Int128s[:0]
	v.Float32s, v.Float64s, v.Intervals = v.Float32s[:0], v.Float64s[:0], v.Intervals[:0]
	v.Views, v.Data = v.Views[:0], v.Data[:0]
	if v.Offsets != nil {
		v.Offsets = v.Offsets[:1]
	}
	if v.Child != nil {
		v.Child.truncate()
	}
	for _, c := range v.Children {
		c.truncate()
	}
}

// SizeBytes estimates the memory that the collected rows take.
func (c *Collector) SizeBytes() int64 {
	var size int64
	for _, v := range c.batch.Columns {
		size += v.SizeBytes()
	}
	return size
}

// SizeBytes estimates the memory that a flat vector's rows take.
func (v *Vector) SizeBytes() int64 {
	size := int64(len(v.Valid))*8 + int64(len(v.Bools)) + 4*int64(len(v.Int32s)+len(v.Float32s)+len(v.Offsets)+len(v.Codes)) +
		8*int64(len(v.Int64s)+len(v.Float64s)+len(v.Views)) + 16*int64(len(v.Int128s)+len(v.Intervals)) + int64(len(v.Data))
	if v.Child != nil {
		size += v.Child.SizeBytes()
	}
	for _, c := range v.Children {
		size += c.SizeBytes()
	}
	return size
}

// appendRows appends rows sel (nil: the first n) of src to the flat vector v.
func (v *Vector) appendRows(src *Vector, sel Selection, n int) error {
	if sel != nil {
		n = len(sel)
	}
	if src.Form == Constant || v.Type.Physical() == types.PhysList || v.Type.Physical() == types.PhysStruct || v.Type.Physical() == types.PhysNone {
		return v.appendEach(src, sel, n)
	}
	values, codes := src, []int32(nil)
	if src.Form == Dictionary {
		if src.Dict.Len == 0 { // every row is NULL
			return v.appendEach(src, sel, n)
		}
		values, codes = src.Dict, src.Codes
	}
	v.appendValidity(src, sel, n)
	switch v.Type.Physical() {
	case types.PhysBool:
		v.Bools = appendSelected(v.Bools, values.Bools, codes, sel, n)
	case types.PhysInt32:
		v.Int32s = appendSelected(v.Int32s, values.Int32s, codes, sel, n)
	case types.PhysInt64:
		v.Int64s = appendSelected(v.Int64s, values.Int64s, codes, sel, n)
	case types.PhysInt128:
		v.Int128s = appendSelected(v.Int128s, values.Int128s, codes, sel, n)
	case types.PhysFloat32:
		v.Float32s = appendSelected(v.Float32s, values.Float32s, codes, sel, n)
	case types.PhysFloat64:
		v.Float64s = appendSelected(v.Float64s, values.Float64s, codes, sel, n)
	case types.PhysInterval:
		v.Intervals = appendSelected(v.Intervals, values.Intervals, codes, sel, n)
	case types.PhysBytes:
		return v.appendStrings(values, codes, sel, n)
	}
	return nil
}

// appendSelected appends the values of rows sel (nil: the first n); codes, if
// not nil, say where a row's value is in src.
func appendSelected[T any](dst, src []T, codes []int32, sel Selection, n int) []T {
	if sel != nil {
		n = len(sel)
	}
	if len(dst)+n > cap(dst) {
		dst = slices.Grow(dst, max(n, len(dst)))
	}
	switch {
	case codes == nil && sel == nil:
		return append(dst, src[:n]...)
	case codes == nil:
		for _, i := range sel {
			dst = append(dst, src[i])
		}
	case sel == nil:
		for _, c := range codes[:n] {
			dst = append(dst, src[c])
		}
	default:
		for _, i := range sel {
			dst = append(dst, src[codes[i]])
		}
	}
	return dst
}

func (v *Vector) appendStrings(src *Vector, codes []int32, sel Selection, n int) error {
	start := len(v.Views)
	v.Views = appendSelected(v.Views, src.Views, codes, sel, n)
	for i := start; i < len(v.Views); i++ {
		if !v.Valid.Valid(i) {
			v.Views[i] = View{}
			continue
		}
		w := v.Views[i]
		if uint64(len(v.Data))+uint64(w.Length) > math.MaxUint32 {
			return ErrTooLarge
		}
		v.Views[i].Offset = uint32(len(v.Data))
		v.Data = append(v.Data, src.Data[w.Offset:w.Offset+w.Length]...)
	}
	return nil
}

// appendValidity counts n more rows and copies which of them are NULL.
func (v *Vector) appendValidity(src *Vector, sel Selection, n int) {
	from := v.Len
	v.Len += n
	if !src.MayHaveNulls() && v.Valid == nil {
		return
	}
	if v.Valid == nil {
		v.Valid = NewValidBitmap(from)
	}
	for len(v.Valid)*64 < v.Len {
		v.Valid = append(v.Valid, ^uint64(0))
	}
	for k := range n {
		i := k
		if sel != nil {
			i = int(sel[k])
		}
		if src.IsNull(i) {
			v.Valid.Clear(from + k)
		} else {
			v.Valid.Set(from + k)
		}
	}
}

// appendEach is appendRows for every form and layout, a row at a time.
func (v *Vector) appendEach(src *Vector, sel Selection, n int) error {
	for k := range n {
		i := k
		if sel != nil {
			i = int(sel[k])
		}
		v.appendFrom(src, i)
		if uint64(len(v.Data)) > math.MaxUint32 {
			return ErrTooLarge
		}
	}
	return nil
}
