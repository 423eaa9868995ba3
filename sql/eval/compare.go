package eval

import (
	"bytes"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// compareNode is = <> < <= > >= of two values of one physical type. It makes
// a Boolean vector or, as a filter, a selection.
type compareNode struct {
	op          string
	left, right node
	t           types.Type // of both sides
	flatL       flattener
	flatR       flattener
	out         vector.Vector
	valid       vector.Bitmap
	null        *vector.Vector
	rows        vector.Selection // memory for eval by way of the filter
}

func (c *compiler) compileCompare(e *expr.Call) (node, error) {
	args, err := c.compileAll(e.Args)
	if err != nil {
		return nil, err
	}
	t := e.Args[0].Type()
	if t.Kind == types.Void {
		t = e.Args[1].Type()
	}
	if err := sameLayout(e, e.Args); err != nil {
		return nil, err
	}
	if !Orderable(t) {
		return nil, mismatch("values of %s have no order: %s", t, e)
	}
	n := &compareNode{op: e.Name, left: args[0], right: args[1], t: t, null: vector.NewNull(types.Of(types.Boolean), 1)}
	n.out.Type = types.Of(types.Boolean)
	if _, ok := n.left.(*literalNode); ok { // the typed loops have the constant at the right
		n.op, n.left, n.right = expr.Mirror(n.op), n.right, n.left
	}
	return n, nil
}

// sameLayout refuses expressions put together without Resolve whose operands
// can't be compared slot by slot.
func sameLayout(e expr.Expr, args []expr.Expr) error {
	first := types.Type{}
	for _, a := range args {
		t := a.Type()
		if t.Kind == types.Void {
			continue
		}
		if first.Kind == types.Void {
			first = t
		}
		if t.Physical() != first.Physical() || t.Kind == types.Decimal && t.Scale != first.Scale || isNanos(t) != isNanos(first) || (t.Kind == types.Decimal) != (first.Kind == types.Decimal) {
			return mismatch("%s and %s are not one type; the operands of %s must be cast", first, t, e)
		}
	}
	return nil
}

// Orderable reports whether values of t can be sorted.
func Orderable(t types.Type) bool {
	switch t.Kind {
	case types.Map, types.Variant:
		return false
	case types.IntervalKind:
		return !t.IsCalendar()
	case types.Array:
		return Orderable(t.Elem.Type)
	case types.Struct:
		for _, f := range t.Fields {
			if !Orderable(f.Type) {
				return false
			}
		}
	}
	return true
}

// operands evaluates both sides; null says that one is a constant NULL.
func (c *compareNode) operands(b *vector.Batch, sel vector.Selection) (l, r *vector.Vector, op string, null bool, err error) {
	op = c.op
	if l, err = c.left.eval(b, sel); err != nil {
		return
	}
	if r, err = c.right.eval(b, sel); err != nil {
		return
	}
	if l.Form == vector.Constant && r.Form != vector.Constant {
		l, r, op = r, l, expr.Mirror(op)
	}
	null = l.Form == vector.Constant && l.IsNull(0) || r.Form == vector.Constant && r.IsNull(0)
	return
}

func (c *compareNode) filter(b *vector.Batch, sel, out vector.Selection) (vector.Selection, error) {
	if rowCount(b, sel) == 0 {
		return out[:0], nil
	}
	l, r, op, null, err := c.operands(b, sel)
	if err != nil || null {
		return out[:0], err
	}
	if l.Form == vector.Constant {
		if !testOrder(op, compareAt(c.t, l, 0, r, 0)) {
			return out[:0], nil
		}
		return copySelection(sel, out), nil
	}
	l, r = c.flatL.flat(l, sel), c.flatR.flat(r, sel)
	return filterCompare(op, c.t, l, r, sel, out), nil
}

func (c *compareNode) eval(b *vector.Batch, sel vector.Selection) (*vector.Vector, error) {
	c.null.Len = b.Len
	if rowCount(b, sel) == 0 {
		return c.null, nil
	}
	l, r, op, null, err := c.operands(b, sel)
	if err != nil {
		return nil, err
	}
	if null {
		return c.null, nil
	}
	if l.Form == vector.Constant {
		c.out.Reset(1)
		c.out.Bools[0] = testOrder(op, compareAt(c.t, l, 0, r, 0))
		c.out.Form, c.out.Len = vector.Constant, b.Len
		return &c.out, nil
	}
	l, r = c.flatL.flat(l, sel), c.flatR.flat(r, sel)
	c.out.Reset(b.Len)
	c.mergeValid(l, r)
	if cap(c.rows) < b.Len {
		c.rows = make(vector.Selection, b.Len)
	}
	clear(c.out.Bools)
	for _, i := range filterCompare(op, c.t, l, r, sel, c.rows[:b.Len]) {
		c.out.Bools[i] = true
	}
	return &c.out, nil
}

func (c *compareNode) mergeValid(l, r *vector.Vector) {
	rv := r.Valid
	if r.Form == vector.Constant {
		rv = nil
	}
	if l.Valid == nil && rv == nil {
		return
	}
	c.valid = validBitmap(c.valid, c.out.Len)
	for w := range c.valid {
		if l.Valid != nil {
			c.valid[w] &= l.Valid[w]
		}
		if rv != nil {
			c.valid[w] &= rv[w]
		}
	}
	c.out.Valid = c.valid
}

// filterCompare writes to out the rows of sel for which l op r is true. l is
// flat, r flat or constant and not NULL.
func filterCompare(op string, t types.Type, l, r *vector.Vector, sel, out vector.Selection) vector.Selection {
	constant := r.Form == vector.Constant
	switch t.Physical() {
	case types.PhysInt32:
		out = filterOrdered(op, l.Int32s, r.Int32s, constant, sel, out)
	case types.PhysInt64:
		out = filterOrdered(op, l.Int64s, r.Int64s, constant, sel, out)
	case types.PhysFloat32:
		out = filterOrdered(op, l.Float32s, r.Float32s, constant, sel, out)
	case types.PhysFloat64:
		out = filterOrdered(op, l.Float64s, r.Float64s, constant, sel, out)
	case types.PhysInt128:
		out = filterInt128(op, l, r, sel, out)
	case types.PhysBytes:
		return filterBytes(op, l, r, sel, out)
	default:
		return filterSlow(op, t, l, r, sel, out)
	}
	out = dropNulls(l.Valid, out)
	if !constant {
		out = dropNulls(r.Valid, out)
	}
	return out
}

type number interface {
	~int32 | ~int64 | ~float32 | ~float64
}

func filterOrdered[T number](op string, a, b []T, constant bool, sel, out vector.Selection) vector.Selection {
	switch {
	case constant && b[0] != b[0]:
		return out[:filterNaN(op, a, sel, out)]
	case constant && sel == nil:
		return out[:filterConst(op, a[:len(out)], b[0], out)]
	case constant:
		return out[:filterConstSel(op, a, b[0], sel, out)]
	}
	if op == expr.OpGreater || op == expr.OpGreaterEqual {
		op, a, b = expr.Mirror(op), b, a
	}
	if sel == nil {
		return out[:filterPair(op, a[:len(out)], b[:len(out)], out)]
	}
	return out[:filterPairSel(op, a, b, sel, out)]
}

// filterConst compares with a constant that is not NaN. A NaN of the column is
// above it: "greater" is "not less or equal", which only NaN tells apart.
func filterConst[T number](op string, a []T, c T, out vector.Selection) int {
	k := 0
	out = out[:len(a)]
	switch op {
	case expr.OpEqual:
		for i, x := range a {
			out[k] = int32(i)
			k += truth(x == c)
		}
	case expr.OpNotEqual:
		for i, x := range a {
			out[k] = int32(i)
			k += truth(x != c)
		}
	case expr.OpLess:
		for i, x := range a {
			out[k] = int32(i)
			k += truth(x < c)
		}
	case expr.OpLessEqual:
		for i, x := range a {
			out[k] = int32(i)
			k += truth(x <= c)
		}
	case expr.OpGreater:
		for i, x := range a {
			out[k] = int32(i)
			k += truth(!(x <= c))
		}
	case expr.OpGreaterEqual:
		for i, x := range a {
			out[k] = int32(i)
			k += truth(!(x < c))
		}
	}
	return k
}

func filterConstSel[T number](op string, a []T, c T, sel, out vector.Selection) int {
	k := 0
	switch op {
	case expr.OpEqual:
		for _, i := range sel {
			out[k] = i
			k += truth(a[i] == c)
		}
	case expr.OpNotEqual:
		for _, i := range sel {
			out[k] = i
			k += truth(a[i] != c)
		}
	case expr.OpLess:
		for _, i := range sel {
			out[k] = i
			k += truth(a[i] < c)
		}
	case expr.OpLessEqual:
		for _, i := range sel {
			out[k] = i
			k += truth(a[i] <= c)
		}
	case expr.OpGreater:
		for _, i := range sel {
			out[k] = i
			k += truth(!(a[i] <= c))
		}
	case expr.OpGreaterEqual:
		for _, i := range sel {
			out[k] = i
			k += truth(!(a[i] < c))
		}
	}
	return k
}

// filterNaN compares with the constant NaN, which is above every number.
func filterNaN[T number](op string, a []T, sel, out vector.Selection) int {
	k := 0
	for j := range rowsOf(sel, len(out)) {
		i := rowAt(sel, j)
		nan := a[i] != a[i]
		keep := false
		switch op {
		case expr.OpEqual, expr.OpGreaterEqual:
			keep = nan
		case expr.OpNotEqual, expr.OpLess:
			keep = !nan
		case expr.OpLessEqual:
			keep = true
		}
		out[k] = int32(i)
		k += truth(keep)
	}
	return k
}

// filterPair compares two columns; the terms with x != x are for NaN and the
// compiler drops them for whole numbers.
func filterPair[T number](op string, a, b []T, out vector.Selection) int {
	k := 0
	b, out = b[:len(a)], out[:len(a)]
	switch op {
	case expr.OpEqual:
		for i, x := range a {
			y := b[i]
			out[k] = int32(i)
			k += truth(x == y || x != x && y != y)
		}
	case expr.OpNotEqual:
		for i, x := range a {
			y := b[i]
			out[k] = int32(i)
			k += truth(!(x == y || x != x && y != y))
		}
	case expr.OpLess:
		for i, x := range a {
			y := b[i]
			out[k] = int32(i)
			k += truth(x < y || y != y && x == x)
		}
	case expr.OpLessEqual:
		for i, x := range a {
			y := b[i]
			out[k] = int32(i)
			k += truth(x <= y || y != y)
		}
	}
	return k
}

func filterPairSel[T number](op string, a, b []T, sel, out vector.Selection) int {
	k := 0
	switch op {
	case expr.OpEqual:
		for _, i := range sel {
			x, y := a[i], b[i]
			out[k] = i
			k += truth(x == y || x != x && y != y)
		}
	case expr.OpNotEqual:
		for _, i := range sel {
			x, y := a[i], b[i]
			out[k] = i
			k += truth(!(x == y || x != x && y != y))
		}
	case expr.OpLess:
		for _, i := range sel {
			x, y := a[i], b[i]
			out[k] = i
			k += truth(x < y || y != y && x == x)
		}
	case expr.OpLessEqual:
		for _, i := range sel {
			x, y := a[i], b[i]
			out[k] = i
			k += truth(x <= y || y != y)
		}
	}
	return k
}

func filterInt128(op string, l, r *vector.Vector, sel, out vector.Selection) vector.Selection {
	less, equal, greater := orderMask(op)
	k := 0
	for j := range rowsOf(sel, len(out)) {
		i := rowAt(sel, j)
		p := i
		if r.Form == vector.Constant {
			p = 0
		}
		o := l.Int128s[i].Cmp(r.Int128s[p])
		out[k] = int32(i)
		k += truth(o < 0 && less || o == 0 && equal || o > 0 && greater)
	}
	return out[:k]
}

// orderMask says for which order of its sides a comparison is true.
func orderMask(op string) (less, equal, greater bool) {
	return testOrder(op, -1), testOrder(op, 0), testOrder(op, 1)
}

func testOrder(op string, order int) bool {
	switch op {
	case expr.OpEqual, expr.OpNullSafe:
		return order == 0
	case expr.OpNotEqual:
		return order != 0
	case expr.OpLess:
		return order < 0
	case expr.OpLessEqual:
		return order <= 0
	case expr.OpGreater:
		return order > 0
	}
	return order >= 0
}

func filterBytes(op string, l, r *vector.Vector, sel, out vector.Selection) vector.Selection {
	less, equal, greater := orderMask(op)
	onlyEqual := op == expr.OpEqual || op == expr.OpNotEqual
	constant := r.Form == vector.Constant
	var y []byte
	if constant {
		y = viewBytes(r, 0)
	}
	k := 0
	for j := range rowsOf(sel, len(out)) {
		i := rowAt(sel, j)
		if !l.Valid.Valid(i) || !constant && !r.Valid.Valid(i) {
			continue
		}
		if !constant {
			y = viewBytes(r, i)
		}
		out[k] = int32(i)
		x := viewBytes(l, i)
		if onlyEqual {
			k += truth(bytes.Equal(x, y) == equal)
			continue
		}
		o := bytes.Compare(x, y)
		k += truth(o < 0 && less || o == 0 && equal || o > 0 && greater)
	}
	return out[:k]
}

// viewBytes gives the bytes of slot p of a flat or constant vector.
func viewBytes(v *vector.Vector, p int) []byte {
	view := v.Views[p]
	return v.Data[view.Offset : view.Offset+view.Length]
}

func filterSlow(op string, t types.Type, l, r *vector.Vector, sel, out vector.Selection) vector.Selection {
	k := 0
	for j := range rowsOf(sel, len(out)) {
		i := rowAt(sel, j)
		if l.IsNull(i) || r.IsNull(i) {
			continue
		}
		out[k] = int32(i)
		k += truth(testOrder(op, compareAt(t, l, i, r, i)))
	}
	return out[:k]
}

// compareAt orders two values that are not NULL.
func compareAt(t types.Type, l *vector.Vector, i int, r *vector.Vector, j int) int {
	a, b := l.Value(i), r.Value(j)
	order, _ := types.CompareValues(t, a, b)
	return order
}

// nullSafeNode is <=>: like = but true for two NULLs and never NULL.
type nullSafeNode struct {
	left, right node
	t           types.Type
	out         vector.Vector
}

func (c *compiler) compileNullSafe(e *expr.Call) (node, error) {
	if err := sameLayout(e, e.Args); err != nil {
		return nil, err
	}
	args, err := c.compileAll(e.Args)
	if err != nil {
		return nil, err
	}
	n := &nullSafeNode{left: args[0], right: args[1], t: e.Args[0].Type()}
	n.out.Type = types.Of(types.Boolean)
	return n, nil
}

func (n *nullSafeNode) eval(b *vector.Batch, sel vector.Selection) (*vector.Vector, error) {
	l, err := n.left.eval(b, sel)
	if err != nil {
		return nil, err
	}
	r, err := n.right.eval(b, sel)
	if err != nil {
		return nil, err
	}
	n.out.Reset(b.Len)
	for k := range rowCount(b, sel) {
		i := rowAt(sel, k)
		ln, rn := l.IsNull(i), r.IsNull(i)
		n.out.Bools[i] = ln && rn || !ln && !rn && equalAt(n.t, l, i, r, i)
	}
	return &n.out, nil
}

// equalAt compares two values that are not NULL without boxing the usual ones.
func equalAt(t types.Type, l *vector.Vector, i int, r *vector.Vector, j int) bool {
	lv, lp := l.At(i)
	rv, rp := r.At(j)
	switch t.Physical() {
	case types.PhysInt32:
		return lv.Int32s[lp] == rv.Int32s[rp]
	case types.PhysInt64:
		return lv.Int64s[lp] == rv.Int64s[rp]
	case types.PhysBytes:
		return bytes.Equal(viewBytes(lv, lp), viewBytes(rv, rp))
	}
	return compareAt(t, l, i, r, j) == 0
}
