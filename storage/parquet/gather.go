package parquet

import (
	"math/bits"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// gatherInto puts the dictionary's values of codes at at and after it in dst,
// which has room. Strings are copied.
func gatherInto(dst *vector.Vector, at int, dict *vector.Vector, codes []int32) {
	if len(codes) == 0 {
		return
	}
	switch dst.Type.Physical() {
	case types.PhysBool:
		gather(dst.Bools[at:], dict.Bools, codes)
	case types.PhysInt32:
		gather(dst.Int32s[at:], dict.Int32s, codes)
	case types.PhysInt64:
		gather(dst.Int64s[at:], dict.Int64s, codes)
	case types.PhysInt128:
		gather(dst.Int128s[at:], dict.Int128s, codes)
	case types.PhysFloat32:
		gather(dst.Float32s[at:], dict.Float32s, codes)
	case types.PhysFloat64:
		gather(dst.Float64s[at:], dict.Float64s, codes)
	case types.PhysBytes:
		for i, code := range codes {
			v := dict.Views[code]
			dst.SetBytes(at+i, dict.Data[v.Offset:v.Offset+v.Length])
		}
	}
}

func gather[T any](dst, src []T, at []int32) {
	dst = dst[:len(at)]
	for i, k := range at {
		dst[i] = src[k]
	}
}

// spread moves the first dense values to the rows that are valid, from the
// last one on, so that none is overwritten before it was moved. NULLs get what
// is there or zero.
func spread[T any](v []T, valid vector.Bitmap, dense int) {
	var zero T
	for i := len(v) - 1; i >= dense; i-- {
		if valid.Valid(i) {
			dense--
			v[i] = v[dense]
		} else {
			v[i] = zero
		}
	}
	// From here on as many rows are left as values: no NULLs.
}

// spreadValues is spread for whichever slice of a flat vector is in use.
func spreadValues(v *vector.Vector, valid vector.Bitmap, dense int) {
	switch v.Type.Physical() {
	case types.PhysBool:
		spread(v.Bools[:v.Len], valid, dense)
	case types.PhysInt32:
		spread(v.Int32s[:v.Len], valid, dense)
	case types.PhysInt64:
		spread(v.Int64s[:v.Len], valid, dense)
	case types.PhysInt128:
		spread(v.Int128s[:v.Len], valid, dense)
	case types.PhysFloat32:
		spread(v.Float32s[:v.Len], valid, dense)
	case types.PhysFloat64:
		spread(v.Float64s[:v.Len], valid, dense)
	case types.PhysBytes:
		spread(v.Views[:v.Len], valid, dense)
	}
}

// picker copies some rows of vectors without NULLs or with into memory of its
// own; strings and dictionaries are shared.
type picker struct {
	out   vector.Vector
	codes []int32
	valid vector.Bitmap
}

func (p *picker) pick(v *vector.Vector, sel vector.Selection) *vector.Vector {
	n := len(sel)
	p.out.Type = v.Type
	p.out.Codes = p.codes
	p.out.Reset(n)
	if v.Form == vector.Dictionary {
		p.codes = resize(p.codes, n)
		p.out.Form, p.out.Codes, p.out.Dict = vector.Dictionary, p.codes, v.Dict
		gather(p.out.Codes, v.Codes, sel)
	} else {
		pickValues(&p.out, v, sel)
	}
	p.out.Valid = p.pickValid(v.Valid, sel)
	return &p.out
}

func pickValues(out, v *vector.Vector, sel vector.Selection) {
	switch v.Type.Physical() {
	case types.PhysBool:
		gather(out.Bools, v.Bools, sel)
	case types.PhysInt32:
		gather(out.Int32s, v.Int32s, sel)
	case types.PhysInt64:
		gather(out.Int64s, v.Int64s, sel)
	case types.PhysInt128:
		gather(out.Int128s, v.Int128s, sel)
	case types.PhysFloat32:
		gather(out.Float32s, v.Float32s, sel)
	case types.PhysFloat64:
		gather(out.Float64s, v.Float64s, sel)
	case types.PhysBytes:
		gather(out.Views, v.Views, sel)
		out.Data = v.Data
	}
}

func (p *picker) pickValid(valid vector.Bitmap, sel vector.Selection) vector.Bitmap {
	if valid == nil {
		return nil
	}
	words := (len(sel) + 63) / 64
	p.valid = resize(p.valid, words)
	clear(p.valid)
	ones := 0
	for i, row := range sel {
		bit := valid[row>>6] >> (uint(row) & 63) & 1
		p.valid[i>>6] |= bit << (uint(i) & 63)
	}
	for _, w := range p.valid {
		ones += bits.OnesCount64(w)
	}
	if ones == len(sel) {
		return nil
	}
	return p.valid
}
