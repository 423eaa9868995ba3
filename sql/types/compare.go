package types

import (
	"bytes"
	"cmp"
	"math"
	"strings"
)

// CompareValues orders two values of type t in the form that vectors give them
// (see vector.Vector.Value); neither is nil. Numbers compare by value with NaN
// above all others and -0.0 equal to 0.0, strings and binary by their bytes,
// false before true, intervals by their length. ok is false for types without
// an order (MAP, VARIANT); of INTERVAL the order is arbitrary but whole.
func CompareValues(t Type, a, b any) (order int, ok bool) {
	switch x := a.(type) {
	case bool:
		return compareBool(x, b.(bool)), true
	case int64:
		return cmp.Compare(x, b.(int64)), true
	case float64:
		return CompareFloat64(x, b.(float64)), true
	case Decimal128:
		return x.Cmp(b.(Decimal128)), true
	case string:
		return strings.Compare(x, b.(string)), true
	case []byte:
		if t.Kind == Variant {
			return 0, false
		}
		return bytes.Compare(x, b.([]byte)), true
	case Interval:
		return x.Compare(b.(Interval)), true
	case []any:
		return compareNested(t, x, b.([]any))
	}
	return 0, false
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// CompareFloat64 orders doubles as SQL does: -0.0 equals 0.0, NaN equals NaN
// and is above every other value.
func CompareFloat64(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	case a == b:
		return 0
	}
	return compareBool(math.IsNaN(a), math.IsNaN(b))
}

// compareNested orders arrays and structs element by element, NULL first.
func compareNested(t Type, a, b []any) (int, bool) {
	for i := range min(len(a), len(b)) {
		if a[i] == nil || b[i] == nil {
			if c := compareBool(a[i] != nil, b[i] != nil); c != 0 {
				return c, true
			}
			continue
		}
		et := t
		if t.Kind == Struct {
			et = t.Fields[i].Type
		} else if t.Elem != nil {
			et = t.Elem.Type
		}
		if c, ok := CompareValues(et, a[i], b[i]); c != 0 || !ok {
			return c, ok
		}
	}
	return cmp.Compare(len(a), len(b)), true
}
