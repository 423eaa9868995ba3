package expr

import (
	"strings"

	"github.com/tarndb/tarn/sql/types"
)

// The names of the operators, as Call.Name has them.
const (
	OpAnd          = "and" // n-ary
	OpOr           = "or"  // n-ary
	OpNot          = "not"
	OpEqual        = "="
	OpNotEqual     = "<>"
	OpLess         = "<"
	OpLessEqual    = "<="
	OpGreater      = ">"
	OpGreaterEqual = ">="
	OpNullSafe     = "<=>" // IS NOT DISTINCT FROM
	OpIsNull       = "is_null"
	OpIsNotNull    = "is_not_null"
	OpIn           = "in"   // value, then the list
	OpLike         = "like" // value, pattern, escape (a literal of one character or empty)
	OpILike        = "ilike"
	OpRLike        = "rlike"
	OpAdd          = "+"
	OpSubtract     = "-"
	OpMultiply     = "*"
	OpDivide       = "/"
	OpModulo       = "%"
	OpIntDivide    = "div"
	OpNegate       = "negate"
	OpConcat       = "||"
)

// IsComparison reports whether name is one of = <> < <= > >=.
func IsComparison(name string) bool {
	switch name {
	case OpEqual, OpNotEqual, OpLess, OpLessEqual, OpGreater, OpGreaterEqual:
		return true
	}
	return false
}

// Mirror gives the comparison that says the same with its sides exchanged.
func Mirror(name string) string {
	switch name {
	case OpLess:
		return OpGreater
	case OpLessEqual:
		return OpGreaterEqual
	case OpGreater:
		return OpLess
	case OpGreaterEqual:
		return OpLessEqual
	}
	return name
}

// And joins conditions; nil ones are left out, and none at all give nil.
func And(conditions ...Expr) Expr { return join(OpAnd, conditions) }

// Or joins conditions; nil ones are left out, and none at all give nil.
func Or(conditions ...Expr) Expr { return join(OpOr, conditions) }

func join(op string, conditions []Expr) Expr {
	var args []Expr
	nullable := false
	for _, c := range conditions {
		if c == nil {
			continue
		}
		nullable = nullable || c.Nullable()
		if call, ok := c.(*Call); ok && call.Name == op {
			args = append(args, call.Args...)
			continue
		}
		args = append(args, c)
	}
	switch len(args) {
	case 0:
		return nil
	case 1:
		return args[0]
	}
	return &Call{Name: op, Args: args, T: types.Of(types.Boolean), MayBeNull: nullable}
}

// Not negates a condition.
func Not(e Expr) Expr {
	return &Call{Name: OpNot, Args: []Expr{e}, T: types.Of(types.Boolean), MayBeNull: e.Nullable()}
}

// Compare makes a comparison of two expressions of one type.
func Compare(op string, a, b Expr) Expr {
	return &Call{Name: op, Args: []Expr{a, b}, T: types.Of(types.Boolean), MayBeNull: op != OpNullSafe && (a.Nullable() || b.Nullable())}
}

// IsNull makes e IS NULL.
func IsNull(e Expr) Expr {
	return &Call{Name: OpIsNull, Args: []Expr{e}, T: types.Of(types.Boolean)}
}

// IsNotNull makes e IS NOT NULL.
func IsNotNull(e Expr) Expr {
	return &Call{Name: OpIsNotNull, Args: []Expr{e}, T: types.Of(types.Boolean)}
}

// True and False are the Boolean constants.
var (
	True  Expr = &Literal{T: types.Of(types.Boolean), Value: true}
	False Expr = &Literal{T: types.Of(types.Boolean), Value: false}
)

// Null gives a NULL of a type.
func Null(t types.Type) Expr { return &Literal{T: t} }

// Int gives a BIGINT constant.
func Int(v int64) Expr { return &Literal{T: types.Of(types.BigInt), Value: v} }

// Str gives a STRING constant.
func Str(s string) Expr { return &Literal{T: types.Of(types.String), Value: s} }

// field is the position of the field that struct_field(s, n) takes; ok is false of
// other calls.
func (c *Call) field() (n int, ok bool) {
	if c.Name != "struct_field" || len(c.Args) != 2 {
		return 0, false
	}
	l, ok := c.Args[1].(*Literal)
	if !ok {
		return 0, false
	}
	at, ok := l.Value.(int64)
	return int(at), ok && at >= 0 && int(at) < len(c.Args[0].Type().Fields)
}

// FieldPath takes accesses to fields of a struct column apart: the column and the
// positions of the fields from there on, none for the column itself.
func FieldPath(e Expr) (column *Column, path []int, ok bool) {
	switch e := e.(type) {
	case *Column:
		return e, nil, true
	case *Call:
		if n, isField := e.field(); isField {
			column, path, ok = FieldPath(e.Args[0])
			return column, append(path, n), ok
		}
	}
	return nil, nil, false
}

// String implements Expr.
func (c *Call) String() string {
	a := func(i int) string { return operand(c.Args[i]) }
	switch c.Name {
	case OpAnd, OpOr, OpConcat:
		parts := make([]string, len(c.Args))
		for i := range c.Args {
			parts[i] = a(i)
		}
		return strings.Join(parts, " "+strings.ToUpper(c.Name)+" ")
	case "struct_field":
		if n, ok := c.field(); ok {
			return a(0) + "." + types.QuoteIdent(c.Args[0].Type().Fields[n].Name)
		}
	case OpNot:
		return "NOT " + a(0)
	case OpIsNull:
		return a(0) + " IS NULL"
	case OpIsNotNull:
		return a(0) + " IS NOT NULL"
	case OpNegate:
		return "-" + a(0)
	case OpIn:
		return a(0) + " IN (" + list(c.Args[1:]) + ")"
	case OpLike, OpILike, OpRLike:
		s := a(0) + " " + strings.ToUpper(c.Name) + " " + a(1)
		if len(c.Args) > 2 {
			s += " ESCAPE " + a(2)
		}
		return s
	case OpEqual, OpNotEqual, OpLess, OpLessEqual, OpGreater, OpGreaterEqual, OpNullSafe,
		OpAdd, OpSubtract, OpMultiply, OpDivide, OpModulo, OpIntDivide:
		if len(c.Args) == 2 {
			return a(0) + " " + c.Name + " " + a(1)
		}
	}
	return c.Name + "(" + list(c.Args) + ")"
}

// operand prints e, in parentheses if it is an operator's result.
func operand(e Expr) string {
	if c, ok := e.(*Call); ok && (c.Name[0] < 'a' || c.Name == OpAnd || c.Name == OpOr || c.Name == OpNot ||
		c.Name == OpIn || c.Name == OpLike || c.Name == OpILike || c.Name == OpRLike || c.Name == OpIsNull || c.Name == OpIsNotNull || c.Name == OpIntDivide || c.Name == OpNegate || c.Name == OpConcat) {
		return "(" + c.String() + ")"
	}
	return e.String()
}

func list(args []Expr) string {
	parts := make([]string, len(args))
	for i, e := range args {
		parts[i] = e.String()
	}
	return strings.Join(parts, ", ")
}
