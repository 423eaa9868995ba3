package eval

import (
	"fmt"
	"strings"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/vector"
)

// ProgramSet is a list of expressions compiled together, such as a select list
// or the arguments of the aggregates of a query. What several of them contain
// is computed once per batch. One goroutine uses it at a time.
type ProgramSet struct {
	roots  []node
	out    []*vector.Vector
	shared *sharing
}

// sharing finds the subexpressions that occur more than once.
type sharing struct {
	counts map[string]int
	nodes  map[string]*sharedResult
	epoch  int // counts the batches
}

// sharedResult is the value of a subexpression for all selected rows of the
// present batch.
type sharedResult struct {
	inner node
	epoch int // of v
	v     *vector.Vector
}

// sharedNode is one occurrence of a shared subexpression. Where it is asked for
// fewer rows than the batch has selected and nobody has computed them all, it
// computes them by a node of its own, because somebody may hold the result of
// the common one and the other rows must give no error.
type sharedNode struct {
	result  *sharedResult
	sharing *sharing
	own     node
}

// CompileSet prepares several expressions for evaluation over the same batches.
func CompileSet(exprs []expr.Expr, env *Env) (*ProgramSet, error) {
	if env == nil {
		env = &Env{}
	}
	s := &ProgramSet{out: make([]*vector.Vector, len(exprs)), shared: &sharing{counts: map[string]int{}, nodes: map[string]*sharedResult{}}}
	folded := make([]expr.Expr, len(exprs))
	for i, e := range exprs {
		var err error
		if folded[i], err = FoldConstants(e, env); err != nil {
			return nil, err
		}
		s.shared.count(folded[i])
	}
	c := &compiler{env: env, dictionaries: true, sharing: s.shared}
	for i, e := range folded {
		n, err := c.compile(e)
		if err != nil {
			return nil, fmt.Errorf("compile %s: %w", exprs[i], err)
		}
		s.roots = append(s.roots, n)
	}
	return s, nil
}

// Eval computes all expressions for the selected rows of b, in order. The
// vectors are as Program.Eval gives them, the slice is used again by the next
// call.
func (s *ProgramSet) Eval(b *vector.Batch) ([]*vector.Vector, error) {
	s.shared.epoch++
	for i, n := range s.roots {
		v, err := n.eval(b, b.Sel)
		if err != nil {
			return nil, err
		}
		s.out[i] = v
	}
	return s.out, nil
}

// shareKey identifies equal subexpressions. Unlike their printed form it tells
// columns apart by position and literals by type.
func shareKey(e expr.Expr) string {
	var key strings.Builder
	expr.Walk(e, func(n expr.Expr) bool {
		switch n := n.(type) {
		case *expr.Column:
			fmt.Fprintf(&key, "#%d", n.Index)
		case *expr.Literal:
			fmt.Fprintf(&key, "%s:%q", n.T, n.String())
		case *expr.Call:
			fmt.Fprintf(&key, "%s/%d", n.Name, len(n.Args))
		case *expr.Cast:
			fmt.Fprintf(&key, "cast %t", n.Try)
		case *expr.Case:
			fmt.Fprintf(&key, "case %d %t", len(n.Whens), n.Else != nil)
		case *expr.Lambda:
			fmt.Fprintf(&key, "lambda %d", len(n.Params))
		case *expr.Variable:
			fmt.Fprintf(&key, "variable %d", n.ID)
		}
		fmt.Fprintf(&key, "(%s)", n.Type())
		return true
	})
	return key.String()
}

func shareable(e expr.Expr) bool {
	switch e.(type) {
	case *expr.Call, *expr.Cast, *expr.Case:
		return !IsVolatile(e)
	}
	return false
}

// count counts every subexpression, but those below a repeated one only once:
// they are computed with it.
func (s *sharing) count(e expr.Expr) {
	expr.Walk(e, func(n expr.Expr) bool {
		if !shareable(n) {
			return true
		}
		key := shareKey(n)
		s.counts[key]++
		return s.counts[key] == 1
	})
}

// share gives a node of e: one that shares its result if e occurs again.
func (s *sharing) share(e expr.Expr, compile func() (node, error)) (node, error) {
	own, err := compile()
	if s == nil || err != nil || !shareable(e) {
		return own, err
	}
	key := shareKey(e)
	if s.counts[key] < 2 {
		return own, nil
	}
	r, ok := s.nodes[key]
	if !ok {
		inner, err := compile()
		if err != nil {
			return nil, err
		}
		r = &sharedResult{inner: inner}
		s.nodes[key] = r
	}
	return &sharedNode{result: r, sharing: s, own: own}, nil
}

func (n *sharedNode) eval(b *vector.Batch, sel vector.Selection) (*vector.Vector, error) {
	r := n.result
	if r.epoch == n.sharing.epoch {
		return r.v, nil
	}
	if !sameSelection(sel, b.Sel) {
		return n.own.eval(b, sel)
	}
	v, err := r.inner.eval(b, sel)
	if err != nil {
		return nil, err
	}
	r.v, r.epoch = v, n.sharing.epoch
	return v, nil
}

// sameSelection reports whether two selections are the same memory.
func sameSelection(a, b vector.Selection) bool {
	if a == nil || b == nil || len(a) == 0 {
		return a == nil && b == nil
	}
	return len(a) == len(b) && &a[0] == &b[0]
}
