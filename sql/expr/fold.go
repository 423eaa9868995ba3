package expr

// Domain gives meaning to expressions over values of type T: the rows of a
// batch, one partition tuple, the statistics of a file, the bounds of a page.
type Domain[T any] interface {
	// Literal is the abstract value of a constant.
	Literal(*Literal) T
	// Column is the abstract value of a column.
	Column(*Column) T
	// Call applies an operator or a function to abstract arguments, T's zero for a
	// Lambda. A domain answers its most general value for what it does not know.
	Call(call *Call, args []T) T
	// Cast converts an abstract value.
	Cast(cast *Cast, arg T) T
	// Case is asked with the abstract values of Case.Children.
	Case(c *Case, args []T) T
}

// Fold computes e over a domain, children first.
func Fold[T any](d Domain[T], e Expr) T {
	switch e := e.(type) {
	case *Literal:
		return d.Literal(e)
	case *Column:
		return d.Column(e)
	case *Cast:
		return d.Cast(e, Fold(d, e.Arg))
	}
	children := e.Children()
	args := make([]T, len(children))
	for i, c := range children {
		if _, lambda := c.(*Lambda); !lambda {
			args[i] = Fold(d, c)
		}
	}
	if c, ok := e.(*Call); ok {
		return d.Call(c, args)
	}
	return d.Case(e.(*Case), args)
}
