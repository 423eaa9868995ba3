package eval

import (
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// logicNode is AND (decisive false) and OR (decisive true) over any number of
// arguments. A later argument is evaluated for the rows only that no earlier
// one has decided.
type logicNode struct {
	decisive bool
	args     []node
	filters  []filterNode
	out      vector.Vector
	valid    vector.Bitmap
	open     vector.Selection // rows not decided yet
}

func (c *compiler) compileLogic(e *expr.Call) (node, error) {
	args, err := c.compileAll(e.Args)
	if err != nil {
		return nil, err
	}
	n := &logicNode{decisive: e.Name == expr.OpOr, args: args}
	n.out.Type = types.Of(types.Boolean)
	for _, a := range args {
		n.filters = append(n.filters, asFilter(a))
	}
	return n, nil
}

func (l *logicNode) eval(b *vector.Batch, sel vector.Selection) (*vector.Vector, error) {
	l.out.Reset(b.Len)
	if cap(l.open) < b.Len {
		l.open = make(vector.Selection, b.Len)
	}
	fill(l.out.Bools, !l.decisive)
	open := sel
	for _, a := range l.args {
		v, err := a.eval(b, open)
		if err != nil {
			return nil, err
		}
		open = l.apply(v, open)
		if len(open) == 0 {
			break
		}
	}
	return &l.out, nil
}

// apply merges an argument into the result and gives the rows still open.
func (l *logicNode) apply(v *vector.Vector, open vector.Selection) vector.Selection {
	n := rowsOf(open, l.out.Len)
	if v.Form == vector.Flat && v.Valid == nil {
		return l.applyFlat(v.Bools, open, n)
	}
	k := 0
	next := l.open[:l.out.Len]
	for j := range n {
		i := rowAt(open, j)
		if v.IsNull(i) {
			l.markNull(i)
		} else if values, p := v.At(i); values.Bools[p] == l.decisive {
			l.decide(i)
			continue
		}
		next[k] = int32(i)
		k++
	}
	return next[:k]
}

func (l *logicNode) applyFlat(bools []bool, open vector.Selection, n int) vector.Selection {
	k := 0
	next := l.open[:l.out.Len]
	for j := range n {
		i := rowAt(open, j)
		if bools[i] == l.decisive {
			l.decide(i)
			continue
		}
		next[k] = int32(i)
		k++
	}
	return next[:k]
}

func (l *logicNode) decide(i int) {
	l.out.Bools[i] = l.decisive
	if l.out.Valid != nil {
		l.out.Valid.Set(i)
	}
}

func (l *logicNode) markNull(i int) {
	if l.out.Valid == nil {
		l.valid = validBitmap(l.valid, l.out.Len)
		l.out.Valid = l.valid
	}
	l.out.Valid.Clear(i)
}

// validBitmap gives a bitmap of n valid rows in the memory of buf if it fits.
func validBitmap(buf vector.Bitmap, n int) vector.Bitmap {
	words := (n + 63) / 64
	if cap(buf) < words {
		buf = make(vector.Bitmap, words)
	}
	buf = buf[:words]
	for i := range buf {
		buf[i] = ^uint64(0)
	}
	return buf
}

// filter narrows the selection conjunct by conjunct for AND. For OR it collects
// the rows of each disjunct among those that no earlier one has taken.
func (l *logicNode) filter(b *vector.Batch, sel, out vector.Selection) (vector.Selection, error) {
	if l.decisive {
		v, err := l.eval(b, sel)
		if err != nil {
			return nil, err
		}
		return selectTrue(v, sel, out), nil
	}
	for _, f := range l.filters {
		if rowCount(b, sel) == 0 {
			return out[:0], nil
		}
		var err error
		if sel, err = f.filter(b, sel, out); err != nil {
			return nil, err
		}
	}
	return sel, nil
}

func kernelNot(f *frame) error {
	a := f.args[0]
	if a.Form == vector.Constant {
		fill(f.out.Bools[:f.n], !a.Bools[0])
		return nil
	}
	for i, x := range a.Bools[:f.n] {
		f.out.Bools[i] = !x
	}
	return nil
}

// isNullNode is IS NULL and, negated, IS NOT NULL.
type isNullNode struct {
	arg     node
	negated bool
	out     vector.Vector
}

func (n *isNullNode) eval(b *vector.Batch, sel vector.Selection) (*vector.Vector, error) {
	v, err := n.arg.eval(b, sel)
	if err != nil {
		return nil, err
	}
	n.out.Type = types.Of(types.Boolean)
	if v.Form == vector.Constant || !v.MayHaveNulls() {
		n.out.Reset(1)
		n.out.Form, n.out.Len = vector.Constant, b.Len
		n.out.Bools[0] = (v.Form == vector.Constant && v.IsNull(0)) != n.negated
		return &n.out, nil
	}
	n.out.Reset(b.Len)
	for k := range rowCount(b, sel) {
		i := rowAt(sel, k)
		n.out.Bools[i] = v.IsNull(i) != n.negated
	}
	return &n.out, nil
}

func (c *compiler) compileIsNull(e *expr.Call) (node, error) {
	arg, err := c.compile(e.Args[0])
	if err != nil {
		return nil, err
	}
	return &isNullNode{arg: arg, negated: e.Name == expr.OpIsNotNull}, nil
}
