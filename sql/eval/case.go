package eval

import (
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// caseNode is CASE, IF and COALESCE: branches whose results are computed for
// the rows that choose them.
type caseNode struct {
	conditions []filterNode // nil in the branch of COALESCE that takes what is left
	results    []node
	coalesce   bool // a branch is chosen by its result not being NULL
	t          types.Type
	out        vector.Vector
	valid      vector.Bitmap
	data       []byte
	left       vector.Selection // rows that no branch has chosen
	chosen     vector.Selection
	nested     []branchRows
	null       *vector.Vector
}

// branchRows are the rows that chose a branch with a nested result.
type branchRows struct {
	v    *vector.Vector
	rows vector.Selection
}

func (c *compiler) compileCase(e *expr.Case) (node, error) {
	n := newCase(e.T)
	typed := []expr.Expr{expr.Null(e.T)}
	for _, w := range e.Whens {
		typed = append(typed, w.Result)
	}
	if e.Else != nil {
		typed = append(typed, e.Else)
	}
	if err := sameLayout(e, typed); err != nil {
		return nil, err
	}
	for _, w := range e.Whens {
		cond, err := c.compile(w.Condition)
		if err != nil {
			return nil, err
		}
		result, err := c.compile(w.Result)
		if err != nil {
			return nil, err
		}
		n.conditions = append(n.conditions, asFilter(cond))
		n.results = append(n.results, result)
	}
	if e.Else != nil {
		result, err := c.compile(e.Else)
		if err != nil {
			return nil, err
		}
		n.results = append(n.results, result)
	}
	return n, nil
}

func newCase(t types.Type) *caseNode {
	n := &caseNode{t: t, null: vector.NewNull(t, 1)}
	n.out.Type = t
	return n
}

func (c *compiler) compileCoalesce(e *expr.Call) (node, error) {
	n := newCase(e.T)
	n.coalesce = true
	args, err := c.compileAll(e.Args)
	n.results = args
	return n, err
}

// compileIf is if(condition, a, b).
func (c *compiler) compileIf(e *expr.Call) (node, error) {
	return c.compileCase(&expr.Case{Whens: []expr.When{{Condition: e.Args[0], Result: e.Args[1]}}, Else: e.Args[2], T: e.T})
}

func (n *caseNode) eval(b *vector.Batch, sel vector.Selection) (*vector.Vector, error) {
	n.null.Len = b.Len
	if rowCount(b, sel) == 0 {
		return n.null, nil
	}
	if n.coalesce { // usual: the first argument has no NULL at all
		v, err := n.results[0].eval(b, sel)
		if err != nil || !v.MayHaveNulls() {
			return v, err
		}
		return n.evalCoalesce(b, sel, v)
	}
	n.begin(b.Len)
	left := copySelection(sel, n.left)
	for i, cond := range n.conditions {
		rows, err := cond.filter(b, left, n.chosen)
		if err != nil {
			return nil, err
		}
		if len(rows) == 0 {
			continue
		}
		left = subtract(left, rows)
		v, err := n.results[i].eval(b, rows)
		if err != nil {
			return nil, err
		}
		n.scatter(v, rows)
		if len(left) == 0 {
			return n.finish(b.Len), nil
		}
	}
	if len(n.results) > len(n.conditions) {
		v, err := n.results[len(n.conditions)].eval(b, left)
		if err != nil {
			return nil, err
		}
		n.scatter(v, left)
	} else {
		n.setNulls(left)
	}
	return n.finish(b.Len), nil
}

func (n *caseNode) evalCoalesce(b *vector.Batch, sel vector.Selection, v *vector.Vector) (*vector.Vector, error) {
	n.begin(b.Len)
	left := copySelection(sel, n.left)
	for i := 0; ; {
		rows, k := n.chosen[:0], 0
		for _, r := range left {
			if v.IsNull(int(r)) {
				left[k] = r
				k++
			} else {
				rows = append(rows, r)
			}
		}
		n.scatter(v, rows)
		left = left[:k]
		if i++; k == 0 || i == len(n.results) {
			break
		}
		var err error
		if v, err = n.results[i].eval(b, left); err != nil {
			return nil, err
		}
	}
	n.setNulls(left)
	return n.finish(b.Len), nil
}

func (n *caseNode) begin(rows int) {
	if cap(n.left) < rows {
		n.left, n.chosen = make(vector.Selection, rows), make(vector.Selection, rows)
	}
	n.left, n.chosen = n.left[:rows], n.chosen[:rows]
	n.out.Data = n.data[:0]
	n.out.Reset(rows)
	n.nested = n.nested[:0]
}

// subtract removes rows, a subset, from sel in place.
func subtract(sel, rows vector.Selection) vector.Selection {
	if len(rows) == len(sel) {
		return sel[:0]
	}
	k, j := 0, 0
	for _, i := range sel {
		if j < len(rows) && rows[j] == i {
			j++
			continue
		}
		sel[k] = i
		k++
	}
	return sel[:k]
}

func (n *caseNode) setNull(i int32) {
	if n.out.Valid == nil {
		n.valid = validBitmap(n.valid, n.out.Len)
		n.out.Valid = n.valid
	}
	n.out.Valid.Clear(int(i))
}

func (n *caseNode) setNulls(rows vector.Selection) {
	for _, i := range rows {
		n.setNull(i)
	}
}

// scatter stores the values of v in the given rows of the result.
func (n *caseNode) scatter(v *vector.Vector, rows vector.Selection) {
	if len(rows) == 0 {
		return
	}
	if v.Type.Physical() == types.PhysNone {
		n.setNulls(rows)
		return
	}
	if n.t.IsNested() {
		n.nested = append(n.nested, branchRows{v, append(vector.Selection{}, rows...)})
		return
	}
	if v.MayHaveNulls() {
		for _, i := range rows {
			if v.IsNull(int(i)) {
				n.setNull(i)
			}
		}
	}
	if v.Form == vector.Constant && v.IsNull(0) || v.Form == vector.Dictionary && v.Dict.Len == 0 {
		return
	}
	switch n.t.Physical() {
	case types.PhysBool:
		scatter(n.out.Bools, v, boolsOf, rows)
	case types.PhysInt32:
		scatter(n.out.Int32s, v, int32sOf, rows)
	case types.PhysInt64:
		scatter(n.out.Int64s, v, int64sOf, rows)
	case types.PhysInt128:
		scatter(n.out.Int128s, v, int128sOf, rows)
	case types.PhysFloat32:
		scatter(n.out.Float32s, v, float32sOf, rows)
	case types.PhysFloat64:
		scatter(n.out.Float64s, v, float64sOf, rows)
	case types.PhysInterval:
		scatter(n.out.Intervals, v, intervalsOf, rows)
	case types.PhysBytes:
		n.scatterBytes(v, rows)
	}
}

func boolsOf(v *vector.Vector) []bool               { return v.Bools }
func int32sOf(v *vector.Vector) []int32             { return v.Int32s }
func int64sOf(v *vector.Vector) []int64             { return v.Int64s }
func int128sOf(v *vector.Vector) []types.Decimal128 { return v.Int128s }
func float32sOf(v *vector.Vector) []float32         { return v.Float32s }
func float64sOf(v *vector.Vector) []float64         { return v.Float64s }
func intervalsOf(v *vector.Vector) []types.Interval { return v.Intervals }

// scatter copies the values of v to the given rows of dst; slice takes the
// slice in use from a vector.
func scatter[T any](dst []T, v *vector.Vector, slice func(*vector.Vector) []T, rows vector.Selection) {
	switch v.Form {
	case vector.Constant:
		x := slice(v)[0]
		for _, i := range rows {
			dst[i] = x
		}
	case vector.Dictionary:
		dict, codes := slice(v.Dict), v.Codes
		for _, i := range rows {
			dst[i] = dict[codes[i]]
		}
	default:
		src := slice(v)
		for _, i := range rows {
			dst[i] = src[i]
		}
	}
}

func (n *caseNode) scatterBytes(v *vector.Vector, rows vector.Selection) {
	if v.Form == vector.Constant { // one copy for all rows
		view := vector.View{Offset: uint32(len(n.out.Data)), Length: v.Views[0].Length}
		n.out.Data = append(n.out.Data, viewBytes(v, 0)...)
		for _, i := range rows {
			n.out.Views[i] = view
		}
		return
	}
	for _, i := range rows {
		if !v.IsNull(int(i)) {
			n.out.SetBytes(int(i), v.Bytes(int(i)))
		}
	}
}

// finish gives the result; a nested one is put together row by row.
func (n *caseNode) finish(rows int) *vector.Vector {
	if !n.t.IsNested() {
		n.data = n.out.Data[:0]
		return &n.out
	}
	from := make([]*vector.Vector, rows)
	for _, br := range n.nested {
		for _, i := range br.rows {
			from[i] = br.v
		}
	}
	b := vector.NewBuilder(n.t, rows)
	for i, v := range from {
		if v == nil {
			b.AppendNull()
		} else {
			b.AppendFrom(v, i)
		}
	}
	return b.Vector()
}
