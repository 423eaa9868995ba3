package eval

import (
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// LambdaParams are the types of the parameters that a function's argument may have
// which is a lambda function, and so the least number of them. The arguments before
// it are bound; ok is false for functions that take none there.
func LambdaParams(name string, at int, args []expr.Expr) (params []types.Field, least int, ok bool) {
	f, known := lookup(name)
	if !known || f.lambda == nil {
		return nil, 0, false
	}
	return f.lambda(at, args)
}

// TakesLambda reports whether a function may have a lambda function as an argument.
func TakesLambda(name string) bool {
	f, ok := lookup(name)
	return ok && f.lambda != nil
}

// lambdaParams is LambdaParams for one function.
type lambdaParams func(at int, args []expr.Expr) (params []types.Field, least int, ok bool)

// takes lets a function have lambdas for arguments.
func (f *Function) takes(l lambdaParams) *Function {
	f.lambda = l
	return f
}

var indexField = types.Field{Type: types.Of(types.Int)}

// elementOf is the field of an array's elements.
func elementOf(e expr.Expr) (types.Field, bool) {
	if e.Type().Kind != types.Array {
		return types.Field{}, false
	}
	return *e.Type().Elem, true
}

// entryOf are the fields of a map's entries.
func entryOf(e expr.Expr) ([]types.Field, bool) {
	t := e.Type()
	if t.Kind != types.Map {
		return nil, false
	}
	return []types.Field{*t.Key, *t.Elem}, true
}

// lambdaArg gives an argument that is a lambda.
func lambdaArg(args []expr.Expr, at int) (*expr.Lambda, bool) {
	if at >= len(args) {
		return nil, false
	}
	l, ok := args[at].(*expr.Lambda)
	return l, ok
}

// lambdaOver checks the arguments of a function of an array or of a map, and gives
// the second.
func lambdaOver(kind types.Kind, name string, args []expr.Expr) (*expr.Lambda, error) {
	l, ok := lambdaArg(args, 1)
	if !ok || len(args) != 2 || args[0].Type().Kind != kind {
		return nil, noOverload(name, args)
	}
	return l, nil
}

// conditionOver is lambdaOver for a condition. It makes the body BOOLEAN.
func conditionOver(kind types.Kind, name string, args []expr.Expr) (*expr.Lambda, error) {
	l, err := lambdaOver(kind, name, args)
	if err != nil {
		return nil, err
	}
	switch l.Type().Kind {
	case types.Boolean:
		return l, nil
	case types.Void:
		return &expr.Lambda{Params: l.Params, Body: expr.Null(types.Of(types.Boolean))}, nil
	}
	return nil, noOverload(name, args)
}

// lambdaProgram computes a lambda function for many values of its parameters.
type lambdaProgram struct {
	body   node
	outer  []int // the columns that the body reads besides
	params int
	t      types.Type // of its values
}

func (c *compiler) compileLambda(l *expr.Lambda) (*lambdaProgram, error) {
	p := &lambdaProgram{params: len(l.Params), t: plain(l.Type())}
	at := map[int]int{}
	for _, col := range expr.Columns(l.Body) {
		at[col.Index] = len(p.outer)
		p.outer = append(p.outer, col.Index)
	}
	values := make([]expr.Expr, len(l.Params))
	for i, v := range l.Params {
		values[i] = &expr.Column{Index: len(p.outer) + i, Name: v.Name, T: v.T, MayBeNull: v.MayBeNull}
	}
	bound := &expr.Lambda{Params: l.Params, Body: expr.Remap(l.Body, at)}
	var err error
	p.body, err = (&compiler{env: c.env}).compile(bound.Bind(values))
	return p, err
}

// lambdaNode computes a function that takes lambdas, for dense rows.
type lambdaNode struct {
	args    []node
	lambdas []*lambdaProgram // in the places of args that are lambdas
	t       types.Type
	run     func(n *lambdaNode, r *lambdaRows) (*vector.Vector, error)
}

// lambdaRows are the rows of a batch that are computed, and the arguments' values
// for them as flat vectors.
type lambdaRows struct {
	batch *vector.Batch
	sel   vector.Selection // nil: all
	n     int
	args  []*vector.Vector
}

// compileLambdas makes a node of a call with lambdas.
func compileLambdas(run func(n *lambdaNode, r *lambdaRows) (*vector.Vector, error)) compiled {
	return func(c *compiler, e *expr.Call) (node, error) {
		n := &lambdaNode{args: make([]node, len(e.Args)), lambdas: make([]*lambdaProgram, len(e.Args)), t: e.T, run: run}
		for i, a := range e.Args {
			var err error
			if l, ok := a.(*expr.Lambda); ok {
				n.lambdas[i], err = c.compileLambda(l)
			} else {
				n.args[i], err = c.compile(a)
			}
			if err != nil {
				return nil, err
			}
		}
		return n, nil
	}
}

func (n *lambdaNode) eval(b *vector.Batch, sel vector.Selection) (*vector.Vector, error) {
	r := &lambdaRows{batch: b, sel: sel, n: rowCount(b, sel), args: make([]*vector.Vector, len(n.args))}
	if r.n == 0 {
		return vector.NewNull(n.t, b.Len), nil
	}
	for i, a := range n.args {
		if a == nil {
			continue
		}
		v, err := a.eval(b, sel)
		if err != nil {
			return nil, err
		}
		r.args[i] = v.Select(sel).Flatten()
	}
	out, err := n.run(n, r)
	if err != nil || sel == nil {
		return out, err
	}
	place := make(vector.Selection, b.Len) // rows that are not asked for have any value
	for k, i := range sel {
		place[i] = int32(k)
	}
	return out.Select(place), nil
}

// apply computes lambda i for values of its parameters, which belong to rows.
func (n *lambdaNode) apply(r *lambdaRows, i int, rows vector.Selection, params ...*vector.Vector) (*vector.Vector, error) {
	p := n.lambdas[i]
	if len(rows) == 0 {
		return vector.NewBuilder(p.t, 0).Vector(), nil
	}
	at := rows
	if r.sel != nil {
		at = make(vector.Selection, len(rows))
		for k, row := range rows {
			at[k] = r.sel[row]
		}
	}
	b := &vector.Batch{Len: len(rows)}
	for _, c := range p.outer {
		b.Columns = append(b.Columns, r.batch.Columns[c].Select(at))
	}
	b.Columns = append(b.Columns, params[:p.params]...)
	v, err := p.body.eval(b, nil)
	if err != nil {
		return nil, err
	}
	return v.Flatten(), nil
}

// listElements are the elements of lists one after the other: the row of each, its
// place in the lists' child and its number in its list.
type listElements struct {
	rows, at vector.Selection
	numbers  *vector.Vector
	offsets  []int32 // where the elements of each row begin
}

func elementsOf(lists *vector.Vector) *listElements {
	e := &listElements{rows: vector.Selection{}, at: vector.Selection{}, offsets: make([]int32, 1, lists.Len+1)}
	var numbers []int32
	for i := range lists.Len {
		if !lists.IsNull(i) {
			for p := lists.Offsets[i]; p < lists.Offsets[i+1]; p++ {
				e.rows, e.at, numbers = append(e.rows, int32(i)), append(e.at, p), append(numbers, p-lists.Offsets[i])
			}
		}
		e.offsets = append(e.offsets, int32(len(e.at)))
	}
	e.numbers = &vector.Vector{Type: types.Of(types.Int), Len: len(numbers), Int32s: numbers}
	return e
}

// listOf makes lists of elements that stand one after the other; rows that are not
// valid are NULL.
func listOf(t types.Type, n int, valid vector.Bitmap, offsets []int32, child *vector.Vector) *vector.Vector {
	return &vector.Vector{Type: t, Len: n, Valid: valid, Offsets: offsets, Child: child}
}

// selectOrNull gives values of v, NULL for a negative place.
func selectOrNull(v *vector.Vector, at vector.Selection) *vector.Vector {
	b := vector.NewBuilder(v.Type, len(at))
	for _, p := range at {
		if p < 0 {
			b.AppendNull()
		} else {
			b.AppendFrom(v, int(p))
		}
	}
	return b.Vector()
}
