package eval

import (
	"fmt"
	"slices"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// callNode runs a kernel over the values of its arguments. A strict one is
// NULL where an argument is NULL and does not show such rows to the kernel.
type callNode struct {
	args   []node
	flats  []flattener
	kernel kernel
	strict bool
	repeat bool // constants are repeated, so that the kernel sees flat arguments only
	once   bool // constant arguments give a constant result
	f      frame
	null   *vector.Vector
}

func newCall(c *compiler, name string, t types.Type, args []node, strict bool, k kernel) *callNode {
	n := &callNode{args: args, flats: make([]flattener, len(args)), kernel: k, strict: strict, once: true, null: vector.NewNull(t, 1)}
	n.f = frame{name: name, args: make([]*vector.Vector, len(args)), out: &vector.Vector{Type: t}, env: c.env}
	for i, a := range args {
		_, n.flats[i].keeps = a.(*literalNode)
	}
	return n
}

func (c *callNode) eval(b *vector.Batch, sel vector.Selection) (*vector.Vector, error) {
	c.null.Len = b.Len
	if rowCount(b, sel) == 0 {
		return c.null, nil
	}
	constant := c.once
	for i, a := range c.args {
		v, err := a.eval(b, sel)
		if err != nil {
			return nil, err
		}
		if v.Form == vector.Constant {
			if c.strict && v.IsNull(0) {
				return c.null, nil
			}
		} else {
			constant = false
		}
		c.f.args[i] = v
	}
	if constant {
		return c.evalConstant(b.Len)
	}
	for i, v := range c.f.args {
		if c.repeat {
			c.f.args[i] = c.flats[i].broadcast(v, b.Len, sel)
		} else {
			c.f.args[i] = c.flats[i].flat(v, sel)
		}
	}
	c.f.begin(b.Len, sel, c.strict)
	return c.run()
}

func (c *callNode) evalConstant(n int) (*vector.Vector, error) {
	c.f.begin(1, nil, c.strict)
	v, err := c.run()
	if err != nil {
		return nil, err
	}
	v.Form, v.Len = vector.Constant, n
	return v, nil
}

func (c *callNode) run() (*vector.Vector, error) {
	if err := c.kernel(&c.f); err != nil {
		if c.f.name == "" {
			return nil, err
		}
		return nil, fmt.Errorf("%s: %w", c.f.name, err)
	}
	c.f.end()
	return c.f.out, nil
}

// compiler makes nodes of expressions.
type compiler struct {
	env          *Env
	dictionaries bool // compute once per dictionary entry where possible
	sharing      *sharing
}

func (c *compiler) compileAll(exprs []expr.Expr) ([]node, error) {
	out := make([]node, len(exprs))
	for i, e := range exprs {
		n, err := c.compile(e)
		if err != nil {
			return nil, err
		}
		out[i] = n
	}
	return out, nil
}

// compile makes the node of e, shared with other occurrences of e in a
// ProgramSet.
func (c *compiler) compile(e expr.Expr) (node, error) {
	return c.sharing.share(e, func() (node, error) { return c.compileUnshared(e) })
}

// compileUnshared takes a dictionary shortcut where e depends on a single
// column.
func (c *compiler) compileUnshared(e expr.Expr) (node, error) {
	if c.dictionaries {
		if column, ok := singleColumn(e); ok {
			return c.compileDictionary(e, column)
		}
	}
	return c.compileNode(e)
}

func (c *compiler) compileNode(e expr.Expr) (node, error) {
	switch e := e.(type) {
	case *expr.Literal:
		return &literalNode{constantVector(e.T, e.Value)}, nil
	case *expr.Column:
		return &columnNode{index: e.Index, t: e.T}, nil
	case *expr.Cast:
		return c.compileCast(e)
	case *expr.Case:
		return c.compileCase(e)
	case *expr.Call:
		return c.compileCall(e)
	}
	return nil, fmt.Errorf("eval: unknown expression %T", e)
}

func (c *compiler) compileCall(e *expr.Call) (node, error) {
	f, ok := lookup(e.Name)
	if !ok {
		return nil, unknownFunction(e.Name)
	}
	if !keepsMoments[e.Name] && slices.ContainsFunc(e.Args, holdsMoment) {
		return nil, mismatch("it is not known yet whether %s takes a day, a clock or an instant", e.Name)
	}
	if f.compile != nil {
		return f.compile(c, e)
	}
	o, _ := f.pick(e.Args)
	if o == nil {
		return nil, mismatch("%s does not take (%s)", e.Name, typeList(e.Args))
	}
	args, err := c.compileAll(e.Args)
	if err != nil {
		return nil, err
	}
	n := newCall(c, e.Name, e.T, args, !o.lenient, o.kernel)
	n.f.try = isTry(e.Name)
	n.once = !f.Volatile
	return n, nil
}
