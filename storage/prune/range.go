package prune

import (
	"github.com/tarndb/tarn/sql/types"
)

// Range bounds the values of an expression over a set of rows. Invariants:
//
//  1. Every non-NULL value v of the expression satisfies Min <= v <= Max; a nil
//     bound is no bound. NaN is not bounded by Max where MayBeNaN is set.
//  2. If some row's value is NULL then MayBeNull; if some row's is not, MayBeValue.
type Range struct {
	Min, Max   any // as vector.Vector.Value gives values
	MayBeNull  bool
	MayBeValue bool
	MayBeNaN   bool // NaN may occur although Max is below it
}

// Anything is the Range of an expression of which nothing is known.
func Anything() Range { return Range{MayBeNull: true, MayBeValue: true, MayBeNaN: true} }

// Exactly is the Range of a constant; nil is NULL.
func Exactly(value any) Range {
	if value == nil {
		return Range{MayBeNull: true}
	}
	return Range{Min: value, Max: value, MayBeValue: true}
}

// And is the Range of values of type t of which both are Ranges.
func (r Range) And(t types.Type, s Range) Range {
	out := Range{Min: r.Min, Max: r.Max, MayBeNull: r.MayBeNull && s.MayBeNull, MayBeValue: r.MayBeValue && s.MayBeValue, MayBeNaN: r.MayBeNaN && s.MayBeNaN}
	if c, ok := compare(t, s.Min, r.Min); r.Min == nil || ok && c > 0 {
		out.Min = s.Min
	}
	if c, ok := compare(t, s.Max, r.Max); r.Max == nil || ok && c < 0 {
		out.Max = s.Max
	}
	return out
}

// Or is the Range of values of type t of which one or the other is a Range. The
// zero Range is that of no rows.
func (r Range) Or(t types.Type, s Range) Range {
	out := Range{MayBeNull: r.MayBeNull || s.MayBeNull, MayBeValue: r.MayBeValue || s.MayBeValue, MayBeNaN: r.MayBeNaN || s.MayBeNaN}
	switch {
	case !r.MayBeValue:
		out.Min, out.Max = s.Min, s.Max
	case !s.MayBeValue:
		out.Min, out.Max = r.Min, r.Max
	default:
		if c, ok := compare(t, s.Min, r.Min); ok {
			if out.Min = r.Min; c < 0 {
				out.Min = s.Min
			}
		}
		if c, ok := compare(t, s.Max, r.Max); ok {
			if out.Max = r.Max; c > 0 {
				out.Max = s.Max
			}
		}
	}
	return out
}

// truth is the Range of a condition that can have the values told.
func truth(mayBeTrue, mayBeFalse, mayBeNull bool) Range {
	r := Range{MayBeNull: mayBeNull, MayBeValue: mayBeTrue || mayBeFalse}
	if r.MayBeValue {
		r.Min, r.Max = !mayBeFalse, mayBeTrue
	}
	return r
}

// mayBeTrue reads r as a condition.
func (r Range) mayBeTrue() bool { return r.MayBeValue && r.Max != false }

// mayBeFalse reads r as a condition.
func (r Range) mayBeFalse() bool { return r.MayBeValue && r.Min != true }

// isPoint reports whether all values are the same.
func (r Range) isPoint(t types.Type) bool {
	if r.Min == nil || r.Max == nil || r.MayBeNaN {
		return false
	}
	c, ok := types.CompareValues(t, r.Min, r.Max)
	return ok && c == 0
}

// compare orders two bounds; ok is false if one is missing or they have no order.
func compare(t types.Type, a, b any) (order int, ok bool) {
	if a == nil || b == nil {
		return 0, false
	}
	return types.CompareValues(t, a, b)
}

// Bounds are bounds of values that are met one after the other.
type Bounds struct {
	Min, Max any // nil if none was met
}

// Add takes further bounds in; it reports whether they are any.
func (b *Bounds) Add(t types.Type, lowest, highest any) bool {
	return widen(t, &b.Min, lowest, -1) && widen(t, &b.Max, highest, 1)
}

// widen moves a bound to v if that is beyond it in a direction, 1 or -1; it reports
// whether v is a bound.
func widen(t types.Type, bound *any, v any, direction int) bool {
	if v == nil {
		return false
	}
	if *bound == nil {
		*bound = v
		return true
	}
	order, ok := types.CompareValues(t, v, *bound)
	if ok && order == direction {
		*bound = v
	}
	return ok
}
