package expr

import (
	"fmt"
	"strings"

	"github.com/tarndb/tarn/sql/types"
)

// Expr is a bound expression. The implementations are in this file and in
// lambda.go.
type Expr interface {
	// Type is the type of the expression's values.
	Type() types.Type
	// Nullable is false only if no value of the expression is ever NULL.
	Nullable() bool
	// String prints the expression as SQL, for EXPLAIN and for errors.
	String() string
	// Children are the direct subexpressions, in order.
	Children() []Expr
	// withChildren copies the node with other subexpressions.
	withChildren([]Expr) Expr
}

// Column is a reference to a column of the input row.
type Column struct {
	Index      int // position in the input
	Name       string
	T          types.Type
	MayBeNull  bool
	Qualifier  string // the table's name or alias, for printing only
	MetaColumn bool   // not a column of the table but of the scan: _metadata and row positions
}

// Type implements Expr.
func (c *Column) Type() types.Type { return c.T }

// Nullable implements Expr.
func (c *Column) Nullable() bool { return c.MayBeNull }

// Children implements Expr.
func (c *Column) Children() []Expr { return nil }

func (c *Column) withChildren([]Expr) Expr { return c }

// String implements Expr.
func (c *Column) String() string {
	if c.Qualifier != "" {
		return types.QuoteIdent(c.Qualifier) + "." + types.QuoteIdent(c.Name)
	}
	return types.QuoteIdent(c.Name)
}

// Outer is, inside a correlated subquery, a column of the row of an enclosing
// query. The plan.Apply that runs the subquery for that row says by ID which;
// no plan that is executed has an Outer.
type Outer struct {
	ID        int // unique in the statement
	Name      string
	T         types.Type
	MayBeNull bool
}

// Type implements Expr.
func (o *Outer) Type() types.Type { return o.T }

// Nullable implements Expr.
func (o *Outer) Nullable() bool { return o.MayBeNull }

// Children implements Expr.
func (o *Outer) Children() []Expr { return nil }

func (o *Outer) withChildren([]Expr) Expr { return o }

// String implements Expr.
func (o *Outer) String() string { return "outer(" + types.QuoteIdent(o.Name) + ")" }

// Literal is a constant. Value has the form that vector.Vector.Value gives;
// nil is NULL.
type Literal struct {
	T     types.Type
	Value any
}

// DecimalLiteral reads a DECIMAL of as many digits as the text has; ok is false
// where no DECIMAL holds them.
func DecimalLiteral(text string) (l *Literal, ok bool) {
	d, scale, ok := types.ParseDecimal(text)
	if !ok || scale > types.MaxDecimalPrecision {
		return nil, false
	}
	return &Literal{T: types.DecimalOf(d.Precision(scale), scale), Value: d}, true
}

// Type implements Expr.
func (l *Literal) Type() types.Type { return l.T }

// Nullable implements Expr.
func (l *Literal) Nullable() bool { return l.Value == nil }

// Children implements Expr.
func (l *Literal) Children() []Expr { return nil }

func (l *Literal) withChildren([]Expr) Expr { return l }

// String implements Expr.
func (l *Literal) String() string { return FormatLiteral(l.T, l.Value) }

// Call applies an operator or a scalar function. Name is the key of its entry
// in sql/eval's table: the Op constants for operators, the lower-case function
// name otherwise. Arguments have the types that the entry asks for.
type Call struct {
	Name      string
	Args      []Expr
	T         types.Type
	MayBeNull bool
}

// Type implements Expr.
func (c *Call) Type() types.Type { return c.T }

// Nullable implements Expr.
func (c *Call) Nullable() bool { return c.MayBeNull }

// Children implements Expr.
func (c *Call) Children() []Expr { return c.Args }

func (c *Call) withChildren(args []Expr) Expr {
	out := *c
	out.Args = args
	return &out
}

// Cast converts to a type. Try gives NULL where a plain cast is an error.
type Cast struct {
	Arg Expr
	T   types.Type
	Try bool
}

// Type implements Expr.
func (c *Cast) Type() types.Type { return c.T }

// Nullable implements Expr.
func (c *Cast) Nullable() bool {
	from := c.Arg.Type().Kind
	nan := c.T.Kind == types.Decimal && (from == types.Float || from == types.Double) // becomes NULL
	return c.Try || nan || c.Arg.Nullable()
}

// Children implements Expr.
func (c *Cast) Children() []Expr { return []Expr{c.Arg} }

func (c *Cast) withChildren(args []Expr) Expr {
	return &Cast{Arg: args[0], T: c.T, Try: c.Try}
}

// String implements Expr.
func (c *Cast) String() string {
	name := "CAST"
	if c.Try {
		name = "TRY_CAST"
	}
	return fmt.Sprintf("%s(%s AS %s)", name, c.Arg, c.T)
}

// When is one branch of a Case.
type When struct {
	Condition Expr
	Result    Expr
}

// Case is CASE WHEN … THEN … ELSE … END. Branches after the first true
// condition are not evaluated for a row. Else may be nil: NULL.
type Case struct {
	Whens []When
	Else  Expr
	T     types.Type
}

// Type implements Expr.
func (c *Case) Type() types.Type { return c.T }

// Nullable implements Expr.
func (c *Case) Nullable() bool {
	if c.Else == nil || c.Else.Nullable() {
		return true
	}
	for _, w := range c.Whens {
		if w.Result.Nullable() {
			return true
		}
	}
	return false
}

// Children implements Expr.
func (c *Case) Children() []Expr {
	out := make([]Expr, 0, 2*len(c.Whens)+1)
	for _, w := range c.Whens {
		out = append(out, w.Condition, w.Result)
	}
	if c.Else != nil {
		out = append(out, c.Else)
	}
	return out
}

func (c *Case) withChildren(args []Expr) Expr {
	out := &Case{T: c.T, Whens: make([]When, len(c.Whens))}
	for i := range out.Whens {
		out.Whens[i] = When{Condition: args[2*i], Result: args[2*i+1]}
	}
	if c.Else != nil {
		out.Else = args[len(args)-1]
	}
	return out
}

// String implements Expr.
func (c *Case) String() string {
	var b strings.Builder
	b.WriteString("CASE")
	for _, w := range c.Whens {
		fmt.Fprintf(&b, " WHEN %s THEN %s", w.Condition, w.Result)
	}
	if c.Else != nil {
		fmt.Fprintf(&b, " ELSE %s", c.Else)
	}
	b.WriteString(" END")
	return b.String()
}
