package eval

import (
	"errors"
	"math"
	"unsafe"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// frame is one call of a kernel: its arguments, each flat or constant, and the
// flat result that it fills for the rows of sel, or for all n rows.
//
// Before a strict kernel runs, the result is already NULL where an argument
// is; fixed-width slots of such rows may be computed with, views of bytes may
// not be looked at. A frame lives as long as its node, and with it the memory
// of the result.
type frame struct {
	name  string
	args  []*vector.Vector
	out   *vector.Vector
	sel   vector.Selection
	n     int
	try   bool // an error gives NULL
	env   *Env
	state any // what the kernel keeps between calls, such as a compiled pattern

	valid vector.Bitmap // memory for out.Valid
	data  []byte        // memory for out.Data
}

// kernel fills f.out.
type kernel func(f *frame) error

// rowFunc computes row i of f.out.
type rowFunc func(f *frame, i int) error

// rowKernel makes a kernel that calls row for each row that is not NULL yet.
func rowKernel(row rowFunc) kernel {
	return func(f *frame) error {
		for k := range rowsOf(f.sel, f.n) {
			i := rowAt(f.sel, k)
			if !f.out.Valid.Valid(i) {
				continue
			}
			if err := row(f, i); err != nil {
				if !f.try || errors.Is(err, errNoRemainder) {
					return err
				}
				f.setNull(i)
			}
		}
		return nil
	}
}

// at finds the slot of row i of argument a.
func (f *frame) at(a, i int) (*vector.Vector, int) {
	v := f.args[a]
	if v.Form == vector.Constant {
		return v, 0
	}
	return v, i
}

func (f *frame) isNull(a, i int) bool {
	v, p := f.at(a, i)
	return !v.Valid.Valid(p)
}

func (f *frame) bool(a, i int) bool {
	v, p := f.at(a, i)
	return v.Bools[p]
}

// int reads a whole number, a date, a time or an unscaled DECIMAL of 18 digits.
func (f *frame) int(a, i int) int64 {
	v, p := f.at(a, i)
	if v.Type.Physical() == types.PhysInt32 {
		return int64(v.Int32s[p])
	}
	return v.Int64s[p]
}

func (f *frame) float(a, i int) float64 {
	v, p := f.at(a, i)
	if v.Type.Physical() == types.PhysFloat32 {
		return float64(v.Float32s[p])
	}
	return v.Float64s[p]
}

func (f *frame) decimal(a, i int) types.Decimal128 {
	v, p := f.at(a, i)
	if v.Type.Physical() == types.PhysInt64 {
		return types.Decimal128FromInt64(v.Int64s[p])
	}
	return v.Int128s[p]
}

func (f *frame) interval(a, i int) types.Interval {
	v, p := f.at(a, i)
	return v.Intervals[p]
}

// bytes reads a string; the bytes belong to the argument.
func (f *frame) bytes(a, i int) []byte {
	v, p := f.at(a, i)
	view := v.Views[p]
	return v.Data[view.Offset : view.Offset+view.Length : view.Offset+view.Length]
}

func (f *frame) string(a, i int) string { return string(f.bytes(a, i)) }

// text reads a string without copying it; it may not be kept.
func (f *frame) text(a, i int) string {
	b := f.bytes(a, i)
	return unsafe.String(unsafe.SliceData(b), len(b))
}

func (f *frame) value(a, i int) any {
	v, p := f.at(a, i)
	return v.Value(p)
}

func (f *frame) setNull(i int) {
	if f.out.Valid == nil {
		f.out.Valid = f.allValid(f.out.Len)
	}
	f.out.Valid.Clear(i)
}

// allValid gives the frame's bitmap with every one of n rows valid.
func (f *frame) allValid(n int) vector.Bitmap {
	words := (n + 63) / 64
	if cap(f.valid) < words {
		f.valid = make(vector.Bitmap, words)
	}
	f.valid = f.valid[:words]
	for i := range f.valid {
		f.valid[i] = ^uint64(0)
	}
	return f.valid
}

func (f *frame) setInt(i int, x int64) {
	if f.out.Type.Physical() == types.PhysInt32 {
		f.out.Int32s[i] = int32(x)
	} else {
		f.out.Int64s[i] = x
	}
}

func (f *frame) setFloat(i int, x float64) {
	if f.out.Type.Physical() == types.PhysFloat32 {
		f.out.Float32s[i] = float32(x)
	} else {
		f.out.Float64s[i] = x
	}
}

// setDecimal stores an unscaled value that has been checked to fit the type.
func (f *frame) setDecimal(i int, d types.Decimal128) {
	if f.out.Type.Physical() == types.PhysInt64 {
		f.out.Int64s[i] = int64(d.Lo)
	} else {
		f.out.Int128s[i] = d
	}
}

// maxResultBytes is the largest buffer that 32-bit views can point into.
const maxResultBytes = math.MaxUint32

// setBytes stores a copy of b.
func (f *frame) setBytes(i int, b []byte) error {
	start := len(f.out.Data)
	f.out.Data = append(f.out.Data, b...)
	return f.endBytes(i, start)
}

func (f *frame) setString(i int, s string) error {
	start := len(f.out.Data)
	f.out.Data = append(f.out.Data, s...)
	return f.endBytes(i, start)
}

// endBytes makes what was appended to f.out.Data since start the value of row i.
func (f *frame) endBytes(i, start int) error {
	if len(f.out.Data) > maxResultBytes {
		return invalid("%s gives more than 4 GiB of text for one batch", f.name)
	}
	f.out.Views[i] = vector.View{Offset: uint32(start), Length: uint32(len(f.out.Data) - start)}
	return nil
}

// begin readies the result for n rows, NULL where an argument is NULL if
// strict.
func (f *frame) begin(n int, sel vector.Selection, strict bool) {
	f.n, f.sel = n, sel
	f.out.Data = f.data[:0]
	f.out.Reset(n)
	if f.out.Type.Physical() == types.PhysNone {
		f.out.Valid = nil // NULL for its type, but computed: it may be an error
	}
	if !strict {
		return
	}
	for _, a := range f.args {
		if a.Form == vector.Constant || a.Valid == nil {
			continue // the caller has dealt with NULL constants
		}
		if f.out.Valid == nil {
			f.out.Valid = f.allValid(n)
		}
		for w := range f.out.Valid {
			f.out.Valid[w] &= a.Valid[w]
		}
	}
}

// end keeps the memory of the result's bytes for the next call.
func (f *frame) end() {
	if f.out.Type.Physical() == types.PhysNone {
		f.out.Valid = vector.NewBitmap(f.out.Len)
	}
	if cap(f.out.Data) > cap(f.data) && !f.aliasesArgument() {
		f.data = f.out.Data[:0]
	}
}

// aliasesArgument reports whether the result's bytes are an argument's own.
func (f *frame) aliasesArgument() bool {
	for _, a := range f.args {
		if len(a.Data) > 0 && len(f.out.Data) > 0 && &a.Data[0] == &f.out.Data[0] {
			return true
		}
	}
	return false
}

// flattener holds the memory for one argument's flat copy.
type flattener struct {
	out   vector.Vector
	valid vector.Bitmap
	from  *vector.Vector // the literal that out repeats, if it does
	keeps bool           // the argument is a literal, whose repetition may be kept
}

// flat gives v as a flat or constant vector for the rows of sel.
func (s *flattener) flat(v *vector.Vector, sel vector.Selection) *vector.Vector {
	if v.Form != vector.Dictionary {
		return v
	}
	if v.Type.IsNested() {
		return flattenNested(v, sel)
	}
	s.out.Type, s.out.Data = v.Type, nil
	s.from = nil
	s.out.Reset(v.Len)
	if v.MayHaveNulls() {
		s.out.Valid = s.validity(v, sel)
	}
	d := v.Dict
	if d.Len == 0 {
		return &s.out
	}
	gatherInto(&s.out, d, v.Codes, sel)
	return &s.out
}

// gatherInto fills the rows of sel of a flat vector from a dictionary.
func gatherInto(out, d *vector.Vector, codes []int32, sel vector.Selection) {
	switch out.Type.Physical() {
	case types.PhysBool:
		gather(out.Bools, d.Bools, codes, sel)
	case types.PhysInt32:
		gather(out.Int32s, d.Int32s, codes, sel)
	case types.PhysInt64:
		gather(out.Int64s, d.Int64s, codes, sel)
	case types.PhysInt128:
		gather(out.Int128s, d.Int128s, codes, sel)
	case types.PhysFloat32:
		gather(out.Float32s, d.Float32s, codes, sel)
	case types.PhysFloat64:
		gather(out.Float64s, d.Float64s, codes, sel)
	case types.PhysInterval:
		gather(out.Intervals, d.Intervals, codes, sel)
	case types.PhysBytes:
		gather(out.Views, d.Views, codes, sel)
		out.Data = d.Data
	}
}

func gather[T any](dst, dict []T, codes []int32, sel vector.Selection) {
	if sel == nil {
		codes = codes[:len(dst)]
		for i := range dst {
			dst[i] = dict[codes[i]]
		}
		return
	}
	for _, i := range sel {
		dst[i] = dict[codes[i]]
	}
}

// validity computes which rows of a dictionary vector are not NULL.
func (s *flattener) validity(v *vector.Vector, sel vector.Selection) vector.Bitmap {
	words := (v.Len + 63) / 64
	if cap(s.valid) < words {
		s.valid = make(vector.Bitmap, words)
	}
	s.valid = s.valid[:words]
	if v.Valid != nil {
		copy(s.valid, v.Valid)
	} else {
		for i := range s.valid {
			s.valid[i] = ^uint64(0)
		}
	}
	if v.Dict.Valid != nil {
		for k := range rowsOf(sel, v.Len) {
			i := rowAt(sel, k)
			if s.valid.Valid(i) && !v.Dict.Valid.Valid(int(v.Codes[i])) {
				s.valid.Clear(i)
			}
		}
	}
	return s.valid
}

func flattenNested(v *vector.Vector, sel vector.Selection) *vector.Vector {
	b := vector.NewBuilder(v.Type, v.Len)
	k := 0
	for i := range v.Len {
		if sel != nil && (k == len(sel) || int(sel[k]) != i) {
			b.AppendNull()
			continue
		}
		k++
		b.AppendFrom(v, i)
	}
	return b.Vector()
}

// broadcast gives v as a flat vector of a fixed-width type: a constant is
// repeated. A literal's copy is kept from call to call.
func (s *flattener) broadcast(v *vector.Vector, n int, sel vector.Selection) *vector.Vector {
	if v.Form != vector.Constant {
		return s.flat(v, sel)
	}
	if s.keeps && s.from == v && s.out.Len >= n {
		return &s.out
	}
	s.out.Type = v.Type
	s.out.Reset(max(n, vector.BatchRows))
	switch v.Type.Physical() {
	case types.PhysInt32:
		fill(s.out.Int32s, v.Int32s[0])
	case types.PhysInt64:
		fill(s.out.Int64s, v.Int64s[0])
	case types.PhysInt128:
		fill(s.out.Int128s, v.Int128s[0])
	case types.PhysFloat32:
		fill(s.out.Float32s, v.Float32s[0])
	case types.PhysFloat64:
		fill(s.out.Float64s, v.Float64s[0])
	case types.PhysBool:
		fill(s.out.Bools, v.Bools[0])
	case types.PhysInterval:
		fill(s.out.Intervals, v.Intervals[0])
	}
	s.from = v
	return &s.out
}

func fill[T any](dst []T, x T) {
	for i := range dst {
		dst[i] = x
	}
}
