package eval

import (
	"slices"
	"strings"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// AggregateOrder is the direction of a key that an aggregate's rows are ordered
// by.
type AggregateOrder struct{ Descending, NullsFirst bool }

// OrderBy gives the aggregate of the rows in the order of keys, which become its
// last arguments.
func (a *Aggregate) OrderBy(keys []expr.Expr, order []AggregateOrder) *Aggregate {
	out := *a
	out.Args, out.order = slices.Concat(a.Args, keys), order
	return &out
}

// unordered is the aggregate without its order.
func (a *Aggregate) unordered() *Aggregate {
	out := *a
	out.Args, out.order = a.Args[:len(a.Args)-len(a.order)], nil
	return &out
}

// orderText prints ORDER BY with its keys; nothing where there is none.
func (a *Aggregate) orderText() string {
	if len(a.order) == 0 {
		return ""
	}
	keys := make([]string, len(a.order))
	for i, o := range a.order {
		keys[i] = a.Args[len(a.Args)-len(a.order)+i].String()
		if o.Descending {
			keys[i] += " DESC"
		}
		if o.NullsFirst == o.Descending { // not the default
			keys[i] += map[bool]string{true: " NULLS FIRST", false: " NULLS LAST"}[o.NullsFirst]
		}
	}
	return " ORDER BY " + strings.Join(keys, ", ")
}

// orderedState keeps all rows and gives them to an aggregate in their order when
// it is asked for results.
type orderedState struct {
	a      *Aggregate
	count  int // of groups
	kept   keptRows
	sorted []int32 // the rows by group and order, starts where each group begins; nil if rows have come since
	starts []int
}

func newOrderedState(a *Aggregate) *orderedState {
	return &orderedState{a: a, kept: newKeptRows(a.Args)}
}

// Grow implements AggregateState.
func (s *orderedState) Grow(groups int) { s.count, s.sorted = groups, nil }

// Update implements AggregateState.
func (s *orderedState) Update(args []*vector.Vector, sel vector.Selection, n int, groups []int32) error {
	s.sorted = nil
	for k := range rowsOf(sel, n) {
		i := rowAt(sel, k)
		s.kept.add(args, i, groupOf(groups, i))
	}
	return nil
}

// Merge implements AggregateState.
func (s *orderedState) Merge(other AggregateState, from, to []int32) error {
	o, err := otherState[*orderedState](other)
	if err != nil {
		return err
	}
	return o.kept.mergeInto(s, targetGroups(o.count, from, to))
}

// sort orders the rows by their groups and then by the keys.
func (s *orderedState) sort() {
	keys := s.kept.vectors()[len(s.a.Args)-len(s.a.order):]
	values := make([][]any, len(keys))
	for k, v := range keys {
		values[k] = make([]any, v.Len)
		for i := range values[k] {
			values[k][i] = v.Value(i)
		}
	}
	s.starts = make([]int, s.count+1)
	s.sorted = make([]int32, len(s.kept.groups))
	for i, g := range s.kept.groups {
		s.sorted[i] = int32(i)
		s.starts[g+1]++
	}
	for g := range s.count {
		s.starts[g+1] += s.starts[g]
	}
	slices.SortStableFunc(s.sorted, func(x, y int32) int {
		if d := int(s.kept.groups[x]) - int(s.kept.groups[y]); d != 0 {
			return d
		}
		for k, o := range s.a.order {
			if d := o.compare(keys[k].Type, values[k][x], values[k][y]); d != 0 {
				return d
			}
		}
		return 0
	})
}

// compare says which of two values comes first.
func (o AggregateOrder) compare(t types.Type, x, y any) int {
	switch {
	case x == nil && y == nil:
		return 0
	case x == nil || y == nil:
		if (x == nil) == o.NullsFirst {
			return -1
		}
		return 1
	}
	d, _ := types.CompareValues(t, x, y)
	if o.Descending {
		return -d
	}
	return d
}

// Result implements AggregateState.
func (s *orderedState) Result(from, to int) (*vector.Vector, error) {
	if s.sorted == nil {
		s.sort()
	}
	rows := vector.Selection(s.sorted[s.starts[from]:s.starts[to]])
	args := s.kept.vectors()[:len(s.a.Args)-len(s.a.order)]
	for a, v := range args {
		args[a] = v.Select(rows)
	}
	groups := make([]int32, len(rows))
	for k, i := range rows {
		groups[k] = s.kept.groups[i] - int32(from)
	}
	inner := s.a.unordered().NewState()
	inner.Grow(to - from)
	if err := inner.Update(args, nil, len(rows), groups); err != nil {
		return nil, err
	}
	return inner.Result(0, to-from)
}

// Size implements AggregateState.
func (s *orderedState) Size() int64 {
	size := int64(4*cap(s.kept.groups) + 4*cap(s.sorted) + 8*cap(s.starts))
	for _, b := range s.kept.args {
		size += b.Vector().SizeBytes()
	}
	return size
}
