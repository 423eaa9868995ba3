package expr

import "slices"

// Walk calls visit for e and, while visit answers true, for its descendants,
// parents first.
func Walk(e Expr, visit func(Expr) bool) {
	if e == nil || !visit(e) {
		return
	}
	for _, c := range e.Children() {
		Walk(c, visit)
	}
}

// Rewrite makes a copy of e in which change has replaced every node, children
// first. Where change gives its argument back everywhere, e itself is returned.
func Rewrite(e Expr, change func(Expr) Expr) Expr {
	if e == nil {
		return nil
	}
	children := e.Children()
	var changed []Expr
	for i, c := range children {
		n := Rewrite(c, change)
		if n != c && changed == nil {
			changed = append([]Expr{}, children...)
		}
		if changed != nil {
			changed[i] = n
		}
	}
	if changed != nil {
		e = e.withChildren(changed)
	}
	return change(e)
}

// SplitConjuncts takes an AND apart, at every depth; nil gives none.
func SplitConjuncts(e Expr) []Expr {
	if e == nil {
		return nil
	}
	if c, ok := e.(*Call); ok && c.Name == OpAnd {
		var out []Expr
		for _, a := range c.Args {
			out = append(out, SplitConjuncts(a)...)
		}
		return out
	}
	return []Expr{e}
}

// Columns lists the distinct columns that e reads, in the order met.
func Columns(e Expr) []*Column {
	var out []*Column
	seen := map[int]bool{}
	Walk(e, func(n Expr) bool {
		if c, ok := n.(*Column); ok && !seen[c.Index] {
			seen[c.Index] = true
			out = append(out, c)
		}
		return true
	})
	return out
}

// Outers lists the distinct columns of enclosing queries that e reads, in the
// order met.
func Outers(e Expr) []*Outer {
	var out []*Outer
	Walk(e, func(n Expr) bool {
		if o, ok := n.(*Outer); ok && !slices.ContainsFunc(out, func(x *Outer) bool { return x.ID == o.ID }) {
			out = append(out, o)
		}
		return true
	})
	return out
}

// Remap gives e with each column's Index replaced by position[Index]. A column
// without a position is the caller's mistake and panics.
func Remap(e Expr, position map[int]int) Expr {
	return Rewrite(e, func(n Expr) Expr {
		c, ok := n.(*Column)
		if !ok {
			return n
		}
		to, ok := position[c.Index]
		if !ok {
			panic("expr: column " + c.String() + " is not in the input")
		}
		if to == c.Index {
			return c
		}
		moved := *c
		moved.Index = to
		return &moved
	})
}

// Shift gives e with by added to each column's Index.
func Shift(e Expr, by int) Expr {
	return Rewrite(e, func(n Expr) Expr {
		c, ok := n.(*Column)
		if !ok {
			return n
		}
		moved := *c
		moved.Index += by
		return &moved
	})
}

// Equal reports whether two expressions are the same tree.
func Equal(a, b Expr) bool {
	if a == b {
		return true
	}
	if a == nil || b == nil || !a.Type().Equal(b.Type()) {
		return false
	}
	ca, cb := a.Children(), b.Children()
	if len(ca) != len(cb) || !sameNode(a, b) {
		return false
	}
	for i := range ca {
		if !Equal(ca[i], cb[i]) {
			return false
		}
	}
	return true
}

func sameNode(a, b Expr) bool {
	switch a := a.(type) {
	case *Column:
		b, ok := b.(*Column)
		return ok && a.Index == b.Index && a.Name == b.Name && a.MetaColumn == b.MetaColumn
	case *Outer:
		b, ok := b.(*Outer)
		return ok && a.ID == b.ID
	case *Literal:
		b, ok := b.(*Literal)
		return ok && (a.Value == nil) == (b.Value == nil) && a.String() == b.String()
	case *Call:
		b, ok := b.(*Call)
		return ok && a.Name == b.Name
	case *Cast:
		b, ok := b.(*Cast)
		return ok && a.Try == b.Try
	case *Variable:
		b, ok := b.(*Variable)
		return ok && a.ID == b.ID
	case *Lambda:
		b, ok := b.(*Lambda)
		return ok && len(a.Params) == len(b.Params)
	case *Case:
		b, ok := b.(*Case)
		return ok && len(a.Whens) == len(b.Whens) && (a.Else == nil) == (b.Else == nil)
	}
	return false
}

// ReplaceTopDown makes a copy of e in which change has replaced nodes, parents
// first: where change answers true its result is taken as it is, elsewhere the
// children are looked at.
func ReplaceTopDown(e Expr, change func(Expr) (Expr, bool)) Expr {
	if e == nil {
		return nil
	}
	if r, done := change(e); done {
		return r
	}
	children := e.Children()
	if len(children) == 0 {
		return e
	}
	changed := make([]Expr, len(children))
	for i, c := range children {
		changed[i] = ReplaceTopDown(c, change)
	}
	return e.withChildren(changed)
}
