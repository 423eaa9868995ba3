package eval

import (
	"math"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// valueSet is a set of values of one type, NULL among them, by their equality
// in SQL.
type valueSet struct {
	t        types.Type
	keys     map[any]struct{}
	nested   []any // values that hold others, which have no key
	twoZeros bool  // 0.0 and -0.0 are two values, though not in nested ones
}

// newElementSet is for the functions about sets of elements, where Spark tells
// 0.0 from -0.0.
func newElementSet(t types.Type, values []any) *valueSet {
	s := newValueSet(t, nil)
	s.twoZeros = true
	for _, x := range values {
		s.add(x)
	}
	return s
}

func newValueSet(t types.Type, values []any) *valueSet {
	s := &valueSet{t: t, keys: make(map[any]struct{}, len(values))}
	for _, x := range values {
		s.add(x)
	}
	return s
}

// key gives equal values equal keys.
func (s *valueSet) key(x any) any {
	switch x := x.(type) {
	case float64:
		if s.twoZeros && x == 0 {
			return math.Float64bits(x)
		}
		return vector.FloatKey(x)
	case []byte:
		return string(x)
	}
	return x
}

func (s *valueSet) has(x any) bool {
	if x == nil || !s.t.IsNested() {
		_, ok := s.keys[s.key(x)]
		return ok
	}
	for _, y := range s.nested {
		if sameValue(s.t, x, y) {
			return true
		}
	}
	return false
}

// add reports whether the value is new.
func (s *valueSet) add(x any) bool {
	if s.has(x) {
		return false
	}
	if x == nil || !s.t.IsNested() {
		s.keys[s.key(x)] = struct{}{}
	} else {
		s.nested = append(s.nested, x)
	}
	return true
}
