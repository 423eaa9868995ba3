package eval

import (
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
)

// keepsMoments are the functions that only put values together, so that those of
// kind Moment stay what they are. Others are not computed before it is known
// what their arguments are.
var keepsMoments = map[string]bool{"array": true, "map": true, "struct": true}

func holdsMoment(e expr.Expr) bool { return e.Type().Holds(types.Moment) }

// IsOpen reports whether an expression depends on an argument of which it is not
// known yet whether its clock or its instant counts.
func IsOpen(e expr.Expr) bool {
	open := false
	expr.Walk(e, func(n expr.Expr) bool {
		open = open || holdsMoment(n)
		return !open
	})
	return open
}

// Instants takes all Moments of an expression for what they are where nothing
// asks for something else.
func Instants(e expr.Expr) expr.Expr {
	return castTo(e, types.WithMoments(e.Type(), func(t types.Type) types.Type { return types.Of(t.Undecided()) }))
}

// throughTimestamp gives the type that a Moment, or what holds some, takes on the
// way to something else than dates and timestamps: a TIME is of a clock, the
// others show an instant.
func throughTimestamp(from, to types.Type) (types.Type, bool) {
	if isDatetime(to) || to.IsNested() || to.Kind == types.Moment || !from.Holds(types.Moment) {
		return from, false
	}
	return types.WithMoments(from, func(t types.Type) types.Type {
		if to.Kind == types.Time {
			return types.Of(types.TimestampNTZ)
		}
		return types.Of(t.Undecided())
	}), true
}
