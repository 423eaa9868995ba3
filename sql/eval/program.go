package eval

import (
	"fmt"
	"time"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// Env is what an evaluation depends on besides its input.
type Env struct {
	Zone *time.Location // the session's time zone; nil means UTC
	Now  time.Time      // the statement's time, for current_date and current_timestamp
	// Settled is told of every cast of a constant that FoldConstants computes; nil
	// for nobody.
	Settled func(from, to types.Type)
}

func (e *Env) zone() *time.Location {
	if e == nil || e.Zone == nil {
		return time.UTC
	}
	return e.Zone
}

// Program is a compiled expression with the scratch vectors of its
// evaluation. One goroutine uses it at a time.
type Program struct {
	root   node
	t      types.Type
	filter filterNode
	buf    vector.Selection
}

// node computes one subexpression. The vector that eval gives has b.Len rows,
// of which those of sel (nil: all) are defined; it stays valid until the next
// call of the node, unless it is a column of the batch.
type node interface {
	eval(b *vector.Batch, sel vector.Selection) (*vector.Vector, error)
}

// filterNode is a Boolean node that finds its true rows without making a
// vector. It writes them to out, which has room for all rows of the batch and
// may be the memory of sel.
type filterNode interface {
	filter(b *vector.Batch, sel, out vector.Selection) (vector.Selection, error)
}

// Compile prepares e for evaluation over batches.
func Compile(e expr.Expr, env *Env) (*Program, error) {
	if env == nil {
		env = &Env{}
	}
	folded, err := FoldConstants(e, env)
	if err != nil {
		return nil, err
	}
	c := &compiler{env: env, dictionaries: true}
	root, err := c.compile(folded)
	if err != nil {
		return nil, fmt.Errorf("compile %s: %w", e, err)
	}
	return &Program{root: root, t: folded.Type(), filter: asFilter(root)}, nil
}

// Eval computes the expression for the selected rows of b. The result has
// b.Len rows, of which the selected ones are defined. It is valid until the
// next Eval of the Program, unless it is a column of b.
func (p *Program) Eval(b *vector.Batch) (*vector.Vector, error) {
	return p.root.eval(b, b.Sel)
}

// Filter gives the selected rows of b for which the Boolean expression is
// true. The result is never nil, which would stand for all rows, and is valid
// until the next call.
func (p *Program) Filter(b *vector.Batch) (vector.Selection, error) {
	if cap(p.buf) < b.Len || p.buf == nil {
		p.buf = make(vector.Selection, max(b.Len, 1))
	}
	return p.filter.filter(b, b.Sel, p.buf[:b.Len])
}

// asFilter gives n itself where it can filter, else the filter of its values.
func asFilter(n node) filterNode {
	if f, ok := n.(filterNode); ok {
		return f
	}
	return &valueFilter{n}
}

type valueFilter struct{ node }

func (f *valueFilter) filter(b *vector.Batch, sel, out vector.Selection) (vector.Selection, error) {
	if rowCount(b, sel) == 0 {
		return out[:0], nil
	}
	v, err := f.eval(b, sel)
	if err != nil {
		return nil, err
	}
	return selectTrue(v, sel, out), nil
}

// selectTrue writes the rows of sel where the Boolean vector is true.
func selectTrue(v *vector.Vector, sel, out vector.Selection) vector.Selection {
	if v.Form == vector.Constant {
		if v.IsNull(0) || !v.Bools[0] {
			return out[:0]
		}
		return copySelection(sel, out)
	}
	if v.Form == vector.Dictionary {
		return selectTrueSlow(v, sel, out)
	}
	k := 0
	if sel == nil {
		for i, x := range v.Bools[:len(out)] {
			out[k] = int32(i)
			k += truth(x)
		}
	} else {
		bools := v.Bools
		for _, i := range sel {
			out[k] = i
			k += truth(bools[i])
		}
	}
	return dropNulls(v.Valid, out[:k])
}

func selectTrueSlow(v *vector.Vector, sel, out vector.Selection) vector.Selection {
	k := 0
	for j := range rowsOf(sel, len(out)) {
		i := rowAt(sel, j)
		if !v.IsNull(i) && v.Dict.Bools[v.Codes[i]] {
			out[k] = int32(i)
			k++
		}
	}
	return out[:k]
}

// copySelection writes the rows of sel to out; a nil sel stands for all of it.
func copySelection(sel, out vector.Selection) vector.Selection {
	if sel != nil {
		return out[:copy(out, sel)]
	}
	for i := range out {
		out[i] = int32(i)
	}
	return out
}

// dropNulls removes from sel, in place, the rows that are not valid.
func dropNulls(valid vector.Bitmap, sel vector.Selection) vector.Selection {
	if valid == nil {
		return sel
	}
	k := 0
	for _, i := range sel {
		sel[k] = i
		k += truth(valid.Valid(int(i)))
	}
	return sel[:k]
}

// truth is 1 for true; the compiler makes a flag-to-register move of it.
func truth(b bool) int {
	n := 0
	if b {
		n = 1
	}
	return n
}

func rowCount(b *vector.Batch, sel vector.Selection) int { return rowsOf(sel, b.Len) }

func rowsOf(sel vector.Selection, n int) int {
	if sel != nil {
		return len(sel)
	}
	return n
}

func rowAt(sel vector.Selection, k int) int {
	if sel != nil {
		return int(sel[k])
	}
	return k
}

// constantVector makes a constant vector of a value; the caller sets its Len.
func constantVector(t types.Type, value any) *vector.Vector {
	if value == nil {
		return vector.NewNull(t, 1)
	}
	v := vector.Single(t, value)
	v.Form = vector.Constant
	return v
}

type literalNode struct{ v *vector.Vector }

func (l *literalNode) eval(b *vector.Batch, _ vector.Selection) (*vector.Vector, error) {
	l.v.Len = b.Len
	return l.v, nil
}

type columnNode struct {
	index int
	t     types.Type
}

func (c *columnNode) eval(b *vector.Batch, _ vector.Selection) (*vector.Vector, error) {
	if c.index < 0 || c.index >= len(b.Columns) {
		return nil, fmt.Errorf("eval: column %d of a batch of %d columns", c.index, len(b.Columns))
	}
	v := b.Columns[c.index]
	if got, want := v.Type.Physical(), c.t.Physical(); got != want {
		return nil, fmt.Errorf("eval: column %d holds %s where the expression has %s", c.index, v.Type, c.t)
	}
	return v, nil
}
