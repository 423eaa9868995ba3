package eval

import (
	"slices"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// ResolveWithinGroup types an aggregate that takes the value it is about from
// WITHIN GROUP (ORDER BY key); ok is false for other ones.
func ResolveWithinGroup(name string, args []expr.Expr, key expr.Expr, descending bool) (a *Aggregate, ok bool, err error) {
	f, _ := findAggregate(name)
	if !f.withinGroup {
		return nil, false, nil
	}
	if most := f.most - 1; len(args) != most && f.name != "mode" || len(args) > 0 && f.name == "mode" {
		return nil, true, mismatch("%s with WITHIN GROUP does not take %d arguments", f.name, len(args))
	}
	a = &Aggregate{Name: f.name, Args: append([]expr.Expr{key}, args...), Nullable: true, descending: descending}
	return a, true, f.resolve(a)
}

// NeedsWithinGroup reports whether an aggregate can't do without WITHIN GROUP.
func NeedsWithinGroup(name string) bool {
	f, _ := findAggregate(name)
	return f.withinGroup && f.name != "mode"
}

// resolveMode is about the value that is most frequent.
func resolveMode(a *Aggregate) error {
	if len(a.Args) == 2 && a.Args[1].Type().Kind != types.Boolean {
		return mismatch("%s takes TRUE or FALSE second, not %s", a.Name, a.Args[1])
	}
	a.Args = a.Args[:1]
	t := plain(a.Args[0].Type())
	if !Orderable(t) {
		return mismatch("%s takes values that can be compared, not %s", a.Name, t)
	}
	a.Type = t
	descending := a.descending
	a.newState = func() AggregateState { return &modeState{t: t, descending: descending} }
	return nil
}

// modeState keeps all values. Of those that are equally frequent the least is the
// result, or the greatest.
type modeState struct {
	listState
	t          types.Type
	descending bool
}

// Merge implements AggregateState.
func (s *modeState) Merge(other AggregateState, from, to []int32) error {
	o, err := otherState[*modeState](other)
	if err != nil {
		return err
	}
	return s.listState.Merge(&o.listState, from, to)
}

// Result implements AggregateState.
func (s *modeState) Result(from, to int) (*vector.Vector, error) {
	b := vector.NewBuilder(s.t, to-from)
	for _, list := range s.lists[from:to] {
		order := AggregateOrder{Descending: s.descending}
		compare := func(x, y any) int { return order.compare(s.t, x, y) }
		sorted := slices.SortedFunc(slices.Values(list), compare)
		var best any
		most, begin := 0, 0
		for i, x := range sorted {
			if compare(sorted[begin], x) != 0 {
				begin = i
			}
			if n := i - begin + 1; n > most {
				best, most = sorted[begin], n
			}
		}
		b.AppendValue(best)
	}
	return b.Vector(), nil
}
