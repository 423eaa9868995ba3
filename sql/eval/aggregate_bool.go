package eval

import (
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

func boolFunctions() []aggregateFunction {
	extreme := func(greatest bool) func(a *Aggregate) error {
		return func(a *Aggregate) error {
			if err := conditionArgument(a); err != nil {
				return err
			}
			a.Type = types.Of(types.Boolean)
			a.newState = func() AggregateState { return &extremeValues{t: a.Type, greatest: greatest} }
			return nil
		}
	}
	countIf := func(a *Aggregate) error {
		if err := conditionArgument(a); err != nil {
			return err
		}
		a.Type, a.Nullable = types.Of(types.BigInt), false
		a.newState = func() AggregateState { return &countIfState{} }
		return nil
	}
	bit := func(op func(a, b int64) int64) func(a *Aggregate) error {
		return func(a *Aggregate) error {
			t := a.Args[0].Type()
			if t.Kind == types.Void {
				t = types.Of(types.Int)
				a.Args[0] = castTo(a.Args[0], t)
			}
			if !t.IsInteger() {
				return mismatch("%s takes whole numbers, not %s", a.Name, t)
			}
			a.Type = t
			a.newState = func() AggregateState { return &bitState{t: t, op: op} }
			return nil
		}
	}
	return []aggregateFunction{
		{name: "bool_and", aliases: []string{"every"}, signature: "(BOOLEAN) BOOLEAN", doc: "true if all are true", least: 1, most: 1, resolve: extreme(false), noRepeat: true},
		{name: "bool_or", aliases: []string{"any", "some"}, signature: "(BOOLEAN) BOOLEAN", doc: "true if one is true", least: 1, most: 1, resolve: extreme(true), noRepeat: true},
		{name: "count_if", signature: "(BOOLEAN) BIGINT", doc: "the number of rows where a condition is true", least: 1, most: 1, resolve: countIf},
		{name: "bit_and", signature: "(T) T", doc: "the bits that all have", least: 1, most: 1, resolve: bit(func(a, b int64) int64 { return a & b }), noRepeat: true},
		{name: "bit_or", signature: "(T) T", doc: "the bits that one has", least: 1, most: 1, resolve: bit(func(a, b int64) int64 { return a | b }), noRepeat: true},
		{name: "bit_xor", signature: "(T) T", doc: "the bits that an odd number have", least: 1, most: 1, resolve: bit(func(a, b int64) int64 { return a ^ b })},
	}
}

func conditionArgument(a *Aggregate) error {
	if k := a.Args[0].Type().Kind; k != types.Boolean && k != types.Void && k != types.String {
		return mismatch("%s takes a condition, not %s: %s", a.Name, a.Args[0].Type(), a.Args[0])
	}
	a.Args[0] = castTo(a.Args[0], types.Of(types.Boolean))
	return nil
}

// countIfState counts the rows where its argument is true.
type countIfState struct {
	countState
	buf vector.Selection
}

// Update implements AggregateState.
func (s *countIfState) Update(args []*vector.Vector, sel vector.Selection, n int, groups []int32) error {
	countRows(s.counts, s.prepare(args, sel, n), n, groups)
	return nil
}

// prepare gives the rows where the condition is true.
func (s *countIfState) prepare(args []*vector.Vector, sel vector.Selection, n int) vector.Selection {
	if cap(s.buf) < n || s.buf == nil {
		s.buf = make(vector.Selection, max(n, 1))
	}
	return selectTrue(args[0], sel, s.buf[:n])
}

// Merge implements AggregateState.
func (s *countIfState) Merge(other AggregateState, from, to []int32) error {
	o, err := otherState[*countIfState](other)
	if err != nil {
		return err
	}
	return s.countState.Merge(&o.countState, from, to)
}

// bitState is bit_and, bit_or and bit_xor.
type bitState struct {
	t      types.Type
	op     func(a, b int64) int64
	values []int64
	seen   []bool
}

// Grow implements AggregateState.
func (s *bitState) Grow(groups int) {
	s.values, s.seen = growSlice(s.values, groups), growSlice(s.seen, groups)
}

// Update implements AggregateState.
func (s *bitState) Update(args []*vector.Vector, sel vector.Selection, n int, groups []int32) error {
	for k := range rowsOf(sel, n) {
		i := rowAt(sel, k)
		if x, ok := args[0].Value(i).(int64); ok {
			s.add(groupOf(groups, i), x)
		}
	}
	return nil
}

func (s *bitState) add(g int, x int64) {
	if s.seen[g] {
		x = s.op(s.values[g], x)
	}
	s.values[g], s.seen[g] = x, true
}

// Merge implements AggregateState.
func (s *bitState) Merge(other AggregateState, from, to []int32) error {
	o, err := otherState[*bitState](other)
	if err != nil {
		return err
	}
	for k, g := range to {
		if add := sourceGroup(from, k); o.seen[add] {
			s.add(int(g), o.values[add])
		}
	}
	return nil
}

// Result implements AggregateState.
func (s *bitState) Result(from, to int) (*vector.Vector, error) {
	b := vector.NewBuilder(s.t, to-from)
	for g := from; g < to; g++ {
		if s.seen[g] {
			b.AppendInt64(s.values[g])
		} else {
			b.AppendNull()
		}
	}
	return b.Vector(), nil
}

// Size implements AggregateState.
func (s *bitState) Size() int64 { return int64(9 * cap(s.values)) }
