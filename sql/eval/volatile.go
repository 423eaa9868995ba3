package eval

import "github.com/tarndb/tarn/sql/expr"

// IsVolatile reports whether two evaluations of e over the same row may
// differ, because it calls a volatile function.
func IsVolatile(e expr.Expr) bool {
	volatile := false
	expr.Walk(e, func(n expr.Expr) bool {
		if c, ok := n.(*expr.Call); ok {
			f, known := lookup(c.Name)
			volatile = volatile || !known || f.Volatile
		}
		return !volatile
	})
	return volatile
}

// IsFunction reports whether the table has a scalar function of that name.
func IsFunction(name string) bool {
	f, ok := lookup(name)
	return ok && !f.Operator
}
