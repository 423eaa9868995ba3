package eval

import (
	"bytes"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// inKernel tests membership in a list of literals of one type. The lists are
// sets, made once.
type inKernel struct {
	t        types.Type
	ints     map[int64]struct{}
	few      []int64  // the same as ints where they are few
	fewBytes [][]byte // the same as strings where they are few
	floats   map[uint64]struct{}
	decimals map[types.Decimal128]struct{}
	strings  map[string]struct{}
	values   []any
	hasNull  bool // then a value that is not in the list gives NULL
}

// maxFew is the length up to which a list is searched from end to end.
const maxFew = 8

func (c *compiler) compileIn(e *expr.Call) (node, error) {
	if err := sameLayout(e, e.Args); err != nil {
		return nil, err
	}
	for _, a := range e.Args[1:] {
		if _, ok := a.(*expr.Literal); !ok {
			return c.compileInExpressions(e)
		}
	}
	k := newInKernel(e.Args[0].Type())
	for _, a := range e.Args[1:] {
		k.add(a.(*expr.Literal).Value)
	}
	k.listFew()
	arg, err := c.compile(e.Args[0])
	if err != nil {
		return nil, err
	}
	return newCall(c, "", types.Of(types.Boolean), []node{arg}, true, k.run), nil
}

// compileInExpressions takes x IN (a, b) as x = a OR x = b.
func (c *compiler) compileInExpressions(e *expr.Call) (node, error) {
	var any []expr.Expr
	for _, a := range e.Args[1:] {
		any = append(any, expr.Compare(expr.OpEqual, e.Args[0], a))
	}
	return c.compile(expr.Or(any...))
}

func (k *inKernel) listFew() {
	if len(k.ints) <= maxFew {
		for v := range k.ints {
			k.few = append(k.few, v)
		}
	}
	if len(k.strings) <= maxFew {
		for s := range k.strings {
			k.fewBytes = append(k.fewBytes, []byte(s))
		}
	}
}

func newInKernel(t types.Type) *inKernel {
	return &inKernel{t: t, ints: map[int64]struct{}{}, floats: map[uint64]struct{}{},
		decimals: map[types.Decimal128]struct{}{}, strings: map[string]struct{}{}}
}

func (k *inKernel) add(value any) {
	switch v := value.(type) {
	case nil:
		k.hasNull = true
	case int64:
		k.ints[v] = struct{}{}
	case float64:
		k.floats[vector.FloatKey(v)] = struct{}{}
	case types.Decimal128:
		k.decimals[v] = struct{}{}
		if whole, ok := v.Int64(); ok && k.t.Physical() == types.PhysInt64 {
			k.ints[whole] = struct{}{}
		}
	case string:
		k.strings[v] = struct{}{}
	case []byte:
		k.strings[string(v)] = struct{}{}
	default:
		k.values = append(k.values, v)
	}
}

func (k *inKernel) run(f *frame) error {
	a := f.args[0]
	if a.Form == vector.Constant { // a one-row call
		flat := *a
		flat.Form = vector.Flat
		a = &flat
	}
	bools := f.out.Bools
	switch k.t.Physical() {
	case types.PhysInt32:
		inInts(k, f, a.Int32s, bools)
	case types.PhysInt64:
		inInts(k, f, a.Int64s, bools)
	case types.PhysBytes:
		for r := range rowsOf(f.sel, f.n) {
			i := rowAt(f.sel, r)
			if f.out.Valid.Valid(i) {
				bools[i] = k.holdsBytes(viewBytes(a, i))
			}
		}
	default:
		k.runSlow(f, a)
	}
	if k.hasNull {
		k.nullWhereFalse(f)
	}
	return nil
}

func (k *inKernel) holdsBytes(x []byte) bool {
	if k.fewBytes == nil {
		_, ok := k.strings[string(x)]
		return ok
	}
	for _, s := range k.fewBytes {
		if bytes.Equal(s, x) {
			return true
		}
	}
	return false
}

func inInts[T int32 | int64](k *inKernel, f *frame, a []T, bools []bool) {
	few := k.few
	for r := range rowsOf(f.sel, f.n) {
		i := rowAt(f.sel, r)
		x := int64(a[i])
		found := false
		if few != nil {
			for _, c := range few {
				found = found || c == x
			}
		} else {
			_, found = k.ints[x]
		}
		bools[i] = found
	}
}

func (k *inKernel) runSlow(f *frame, a *vector.Vector) {
	for r := range rowsOf(f.sel, f.n) {
		i := rowAt(f.sel, r)
		if !f.out.Valid.Valid(i) {
			continue
		}
		found := false
		switch x := a.Value(i).(type) {
		case float64:
			_, found = k.floats[vector.FloatKey(x)]
		case types.Decimal128:
			_, found = k.decimals[x]
		default:
			for _, v := range k.values {
				order, ok := types.CompareValues(k.t, x, v)
				found = found || ok && order == 0
			}
		}
		f.out.Bools[i] = found
	}
}

func (k *inKernel) nullWhereFalse(f *frame) {
	for r := range rowsOf(f.sel, f.n) {
		if i := rowAt(f.sel, r); !f.out.Bools[i] {
			f.setNull(i)
		}
	}
}
