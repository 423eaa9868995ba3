package prune

import (
	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
)

// A scan knows nothing of the session, so it can only evaluate what means the
// same in every session: no random numbers, no current time, and no conversion
// between an instant and a wall clock, which depends on the session's zone.

// pureFunctions are functions that mean the same everywhere where no argument
// is an instant.
var pureFunctions = map[string]bool{
	expr.OpAdd: true, expr.OpSubtract: true, expr.OpMultiply: true, expr.OpDivide: true, expr.OpModulo: true, expr.OpIntDivide: true,
	expr.OpNegate: true, expr.OpConcat: true, expr.OpLike: true, expr.OpILike: true, expr.OpRLike: true,
	"startswith": true, "starts_with": true, "endswith": true, "ends_with": true, "contains": true, "upper": true, "lower": true,
	"length": true, "char_length": true, "trim": true, "ltrim": true, "rtrim": true, "substring": true, "substr": true, "left": true, "right": true,
	"abs": true, "year": true, "month": true, "day": true, "dayofmonth": true, "quarter": true, "isnan": true, "pmod": true, "mod": true,
}

// comparingFunctions only compare, test or choose among their arguments,
// instants too.
var comparingFunctions = map[string]bool{
	expr.OpAnd: true, expr.OpOr: true, expr.OpNot: true, expr.OpEqual: true, expr.OpNotEqual: true, expr.OpLess: true, expr.OpLessEqual: true,
	expr.OpGreater: true, expr.OpGreaterEqual: true, expr.OpNullSafe: true, expr.OpIsNull: true, expr.OpIsNotNull: true, expr.OpIn: true,
	"coalesce": true, "nullif": true, "ifnull": true, "nvl": true, "greatest": true, "least": true, "between": true,
	"if": true, "struct_field": true, "array_contains": true,
}

// IsSessionFree tells whether a filter means the same in every session.
func IsSessionFree(e expr.Expr) bool {
	free := true
	expr.Walk(e, func(n expr.Expr) bool {
		switch n := n.(type) {
		case *expr.Column:
			free = free && !n.MetaColumn
		case *expr.Cast:
			from, to := n.Arg.Type(), n.T
			free = free && (from.Equal(to) || !hasInstant(from) && !hasInstant(to))
		case *expr.Call:
			free = free && isSessionFreeCall(n)
		}
		return free
	})
	return free && !eval.IsVolatile(e)
}

func isSessionFreeCall(c *expr.Call) bool {
	if comparingFunctions[c.Name] {
		return true
	}
	if !pureFunctions[c.Name] || hasInstant(c.T) {
		return false
	}
	for _, a := range c.Args {
		if hasInstant(a.Type()) {
			return false
		}
	}
	return true
}

// hasInstant tells whether values of a type have, or hold, instants.
func hasInstant(t types.Type) bool {
	if t.Kind == types.Timestamp || t.Kind == types.TimestampNS || t.Kind == types.Variant {
		return true
	}
	if t.Elem != nil && hasInstant(t.Elem.Type) || t.Key != nil && hasInstant(t.Key.Type) {
		return true
	}
	for _, f := range t.Fields {
		if hasInstant(f.Type) {
			return true
		}
	}
	return false
}
