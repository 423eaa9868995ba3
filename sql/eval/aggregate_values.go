package eval

import (
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// pickState is first, last, any_value, max_by and min_by: one boxed value per
// group, chosen by its place or by a second argument.
type pickState struct {
	t, by       types.Type
	choose      choice
	ignoreNulls bool
	values      []any
	keys        []any // of max_by and min_by
	seen        []bool
}

type choice uint8

const (
	chooseFirst choice = iota
	chooseLast
	chooseGreatest
	chooseLeast
)

func pickFunctions() []aggregateFunction {
	place := func(c choice) func(a *Aggregate) error {
		return func(a *Aggregate) error {
			ignore := a.Name == "any_value"
			if len(a.Args) == 2 {
				v, _ := literalOf(a.Args[1])
				flag, ok := v.(bool)
				if !ok {
					return mismatch("%s takes TRUE or FALSE second, to pass over NULLs or not, not %s", a.Name, a.Args[1])
				}
				ignore = flag
			}
			a.Args = a.Args[:1]
			a.Type = plain(a.Args[0].Type())
			a.newState = func() AggregateState { return &pickState{t: a.Type, choose: c, ignoreNulls: ignore} }
			return nil
		}
	}
	by := func(c choice) func(a *Aggregate) error {
		return func(a *Aggregate) error {
			key := a.Args[1].Type()
			if !Orderable(key) {
				return mismatch("%s takes a second argument that can be compared, not %s", a.Name, key)
			}
			a.Type = plain(a.Args[0].Type())
			a.newState = func() AggregateState { return &pickState{t: a.Type, by: key, choose: c} }
			return nil
		}
	}
	return []aggregateFunction{
		{name: "first", aliases: []string{"first_value"}, signature: "(T, BOOLEAN?) T", doc: "the first value met", least: 1, most: 2, resolve: place(chooseFirst), noRepeat: true},
		{name: "any_value", signature: "(T, BOOLEAN?) T", doc: "some value that is not NULL", least: 1, most: 2, resolve: place(chooseFirst), noRepeat: true},
		{name: "last", aliases: []string{"last_value"}, signature: "(T, BOOLEAN?) T", doc: "the last value met", least: 1, most: 2, resolve: place(chooseLast), noRepeat: true},
		{name: "max_by", signature: "(T, ANY) T", doc: "the first argument where the second is greatest", least: 2, most: 2, resolve: by(chooseGreatest), noRepeat: true},
		{name: "min_by", signature: "(T, ANY) T", doc: "the first argument where the second is least", least: 2, most: 2, resolve: by(chooseLeast), noRepeat: true},
	}
}

// Grow implements AggregateState.
func (s *pickState) Grow(groups int) {
	s.values, s.seen = growSlice(s.values, groups), growSlice(s.seen, groups)
	if s.choose >= chooseGreatest {
		s.keys = growSlice(s.keys, groups)
	}
}

// Update implements AggregateState.
func (s *pickState) Update(args []*vector.Vector, sel vector.Selection, n int, groups []int32) error {
	rows := rowsOf(sel, n)
	for k := range rows {
		i := rowAt(sel, k)
		g := groupOf(groups, i)
		switch {
		case s.choose == chooseFirst && s.seen[g]:
			if groups == nil {
				return nil
			}
		case s.choose == chooseLast && groups == nil && !s.ignoreNulls && k < rows-1:
		case s.choose >= chooseGreatest:
			if key := args[1].Value(i); s.better(g, key) {
				s.set(g, args[0].Value(i), key)
			}
		case !s.ignoreNulls || !args[0].IsNull(i):
			s.set(g, args[0].Value(i), nil)
		}
	}
	return nil
}

func (s *pickState) set(g int, value, key any) {
	s.values[g], s.seen[g] = value, true
	if s.keys != nil {
		s.keys[g] = key
	}
}

// better reports whether a key goes before the group's; of equal ones the last
// one does.
func (s *pickState) better(g int, key any) bool {
	if key == nil {
		return false
	}
	if !s.seen[g] {
		return true
	}
	order, _ := types.CompareValues(s.by, key, s.keys[g])
	return order >= 0 && s.choose == chooseGreatest || order <= 0 && s.choose == chooseLeast
}

// Merge implements AggregateState.
func (s *pickState) Merge(other AggregateState, from, to []int32) error {
	o, err := otherState[*pickState](other)
	if err != nil {
		return err
	}
	for k, group := range to {
		g, add := int(group), sourceGroup(from, k)
		switch {
		case !o.seen[add]:
		case s.choose >= chooseGreatest:
			if s.better(g, o.keys[add]) {
				s.set(g, o.values[add], o.keys[add])
			}
		case s.choose == chooseLast || !s.seen[g]:
			s.set(g, o.values[add], nil)
		}
	}
	return nil
}

// Result implements AggregateState.
func (s *pickState) Result(from, to int) (*vector.Vector, error) {
	b := vector.NewBuilder(s.t, to-from)
	for _, x := range s.values[from:to] {
		b.AppendValue(x)
	}
	return b.Vector(), nil
}

// Size implements AggregateState.
func (s *pickState) Size() int64 { return int64(64*cap(s.values) + 64*cap(s.keys)) }

// listState is collect_list, collect_set and listagg: the values of a group
// that are not NULL, in the order met.
type listState struct {
	t         types.Type // of the result
	lists     [][]any
	separator string // of listagg
	size      int64
}

func listFunctions() []aggregateFunction {
	collect := func(a *Aggregate) error {
		t := plain(a.Args[0].Type())
		a.Type, a.Nullable = types.ArrayOf(t, false), false
		a.Distinct = a.Distinct || a.Name == "collect_set"
		if a.Distinct && !Orderable(t) {
			return mismatch("%s takes values that can be compared, not %s", a.Name, t)
		}
		a.newState = func() AggregateState { return &listState{t: a.Type} }
		return nil
	}
	join := func(a *Aggregate) error {
		separator := ""
		if len(a.Args) == 2 {
			if len(expr.Columns(a.Args[1])) > 0 || castCost(a.Args[1].Type(), stringType) >= impossible {
				return mismatch("%s takes a constant string as separator, not %s", a.Name, a.Args[1])
			}
			v, err := EvalConstant(castTo(a.Args[1], stringType), nil)
			if err != nil {
				return err
			}
			separator, _ = v.(string) // NULL is none
		}
		t := stringType
		if a.Args[0].Type().Kind == types.Binary {
			t = types.Of(types.Binary)
		}
		if castCost(a.Args[0].Type(), t) >= impossible {
			return mismatch("%s takes strings, not %s", a.Name, a.Args[0].Type())
		}
		a.Args, a.Type = []expr.Expr{castTo(a.Args[0], t)}, t
		a.newState = func() AggregateState { return &listState{t: a.Type, separator: separator} }
		return nil
	}
	return []aggregateFunction{
		{name: "collect_list", aliases: []string{"array_agg"}, signature: "(T) ARRAY<T>", doc: "an array of the values that are not NULL", least: 1, most: 1, resolve: collect},
		{name: "collect_set", signature: "(T) ARRAY<T>", doc: "an array of the distinct values that are not NULL", least: 1, most: 1, resolve: collect},
		{name: "listagg", aliases: []string{"string_agg"}, signature: "(STRING | BINARY, T?) T", doc: "the strings joined by a separator", least: 1, most: 2, resolve: join},
	}
}

// Grow implements AggregateState.
func (s *listState) Grow(groups int) { s.lists = growSlice(s.lists, groups) }

// Update implements AggregateState.
func (s *listState) Update(args []*vector.Vector, sel vector.Selection, n int, groups []int32) error {
	for k := range rowsOf(sel, n) {
		i := rowAt(sel, k)
		x := args[0].Value(i)
		if x == nil {
			continue
		}
		g := groupOf(groups, i)
		s.lists[g] = append(s.lists[g], x)
		s.size += valueSize(x)
	}
	return nil
}

func valueSize(x any) int64 {
	switch x := x.(type) {
	case string:
		return int64(32 + len(x))
	case []byte:
		return int64(40 + len(x))
	case []any:
		size := int64(40)
		for _, e := range x {
			size += valueSize(e)
		}
		return size
	case []vector.MapEntry:
		size := int64(40)
		for _, e := range x {
			size += valueSize(e.Key) + valueSize(e.Value)
		}
		return size
	}
	return 24
}

// Merge implements AggregateState.
func (s *listState) Merge(other AggregateState, from, to []int32) error {
	o, err := otherState[*listState](other)
	if err != nil {
		return err
	}
	for k, g := range to {
		add := o.lists[sourceGroup(from, k)]
		s.lists[g] = append(s.lists[g], add...)
		for _, x := range add {
			s.size += valueSize(x)
		}
	}
	return nil
}

// Result implements AggregateState.
func (s *listState) Result(from, to int) (*vector.Vector, error) {
	b := vector.NewBuilder(s.t, to-from)
	for _, list := range s.lists[from:to] {
		switch {
		case s.t.Kind == types.Array:
			b.AppendValue(append([]any{}, list...))
		case len(list) == 0:
			b.AppendNull()
		default:
			var joined []byte
			for k, x := range list {
				if k > 0 {
					joined = append(joined, s.separator...)
				}
				switch x := x.(type) {
				case string:
					joined = append(joined, x...)
				case []byte:
					joined = append(joined, x...)
				}
			}
			b.AppendBytes(joined)
		}
	}
	return b.Vector(), nil
}

// Size implements AggregateState.
func (s *listState) Size() int64 { return s.size + int64(24*cap(s.lists)) }
