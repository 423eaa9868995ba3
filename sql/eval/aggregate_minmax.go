package eval

import (
	"bytes"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

func resolveMinMax(a *Aggregate) error {
	t := a.Args[0].Type()
	if !Orderable(t) {
		return mismatch("%s takes values that can be compared, not %s: %s", a.Name, t, a.Args[0])
	}
	a.Type = plain(t)
	greatest := a.Name == "max"
	a.newState = func() AggregateState { return newMinMax(a.Type, greatest) }
	return nil
}

func newMinMax(t types.Type, greatest bool) AggregateState {
	switch t.Physical() {
	case types.PhysInt32:
		return &extremeState[int32]{t: t, greatest: greatest, slice: int32sOf}
	case types.PhysInt64:
		return &extremeState[int64]{t: t, greatest: greatest, slice: int64sOf}
	case types.PhysFloat32:
		return &extremeState[float32]{t: t, greatest: greatest, slice: float32sOf}
	case types.PhysFloat64:
		return &extremeState[float64]{t: t, greatest: greatest, slice: float64sOf}
	case types.PhysBytes:
		return &extremeBytes{t: t, greatest: greatest}
	}
	return &extremeValues{t: t, greatest: greatest}
}

// extremeState is min and max of numbers.
type extremeState[T number] struct {
	t        types.Type
	greatest bool
	slice    func(*vector.Vector) []T
	best     []T
	seen     []bool
	rows     aggregateRows
}

// Grow implements AggregateState.
func (s *extremeState[T]) Grow(groups int) {
	s.best, s.seen = growSlice(s.best, groups), growSlice(s.seen, groups)
}

// Update implements AggregateState.
func (s *extremeState[T]) Update(args []*vector.Vector, sel vector.Selection, n int, groups []int32) error {
	v := args[0]
	if v.Form == vector.Constant && v.IsNull(0) {
		return nil
	}
	v = s.rows.flat(0, v, sel, n)
	a := s.slice(v)
	sel = s.rows.valid(v, sel, n)
	if groups == nil {
		s.updateAll(a, sel, n)
		return nil
	}
	for k := range rowsOf(sel, n) {
		i := rowAt(sel, k)
		s.offer(groups[i], a[i])
	}
	return nil
}

func (s *extremeState[T]) updateAll(a []T, sel vector.Selection, n int) {
	if rowsOf(sel, n) == 0 {
		return
	}
	best := a[rowAt(sel, 0)]
	switch {
	case sel == nil && s.greatest:
		for _, x := range a[:n] {
			if x > best || x != x {
				best = x
			}
		}
	case sel == nil:
		for _, x := range a[:n] {
			if x < best || best != best {
				best = x
			}
		}
	default:
		for _, i := range sel {
			if s.better(a[i], best) {
				best = a[i]
			}
		}
	}
	s.offer(0, best)
}

// better reports whether x goes before best; NaN is above all numbers.
func (s *extremeState[T]) better(x, best T) bool {
	if s.greatest {
		return x > best || x != x && best == best
	}
	return x < best || best != best && x == x
}

func (s *extremeState[T]) offer(g int32, x T) {
	if !s.seen[g] || s.better(x, s.best[g]) {
		s.best[g], s.seen[g] = x, true
	}
}

// Merge implements AggregateState.
func (s *extremeState[T]) Merge(other AggregateState, from, to []int32) error {
	o, err := otherState[*extremeState[T]](other)
	if err != nil {
		return err
	}
	for k, g := range to {
		if add := sourceGroup(from, k); o.seen[add] {
			s.offer(g, o.best[add])
		}
	}
	return nil
}

// Result implements AggregateState.
func (s *extremeState[T]) Result(from, to int) (*vector.Vector, error) {
	v := vector.New(s.t, to-from)
	copy(s.slice(v), s.best[from:to])
	for g := from; g < to; g++ {
		if !s.seen[g] {
			v.SetNull(g - from)
		}
	}
	return v, nil
}

func (s *extremeState[T]) prepare(args []*vector.Vector, sel vector.Selection, n int) vector.Selection {
	return s.rows.valid(args[0], sel, n)
}

func (s *extremeState[T]) restart() { s.seen[0] = false }

func (s *extremeState[T]) addRow(args []*vector.Vector, row int) error {
	s.offer(0, s.slice(args[0])[row])
	return nil
}

func (s *extremeState[T]) storeValue(out *vector.Vector, i int) error {
	if !s.seen[0] {
		out.SetNull(i)
		return nil
	}
	s.slice(out)[i] = s.best[0]
	return nil
}

// Size implements AggregateState.
func (s *extremeState[T]) Size() int64 { return int64(9 * cap(s.best)) }

// extremeBytes is min and max of strings and binaries.
type extremeBytes struct {
	t        types.Type
	greatest bool
	best     [][]byte // nil where no value was seen
	size     int64
	rows     aggregateRows
}

// Grow implements AggregateState.
func (s *extremeBytes) Grow(groups int) { s.best = growSlice(s.best, groups) }

// Update implements AggregateState.
func (s *extremeBytes) Update(args []*vector.Vector, sel vector.Selection, n int, groups []int32) error {
	v := args[0]
	sel = s.rows.valid(v, sel, n)
	if v.Form == vector.Constant && sel == nil && groups == nil && n > 1 {
		n = 1
	}
	for k := range rowsOf(sel, n) {
		i := rowAt(sel, k)
		s.offer(groupOf(groups, i), v.Bytes(i))
	}
	return nil
}

func (s *extremeBytes) offer(g int, x []byte) {
	best := s.best[g]
	if best != nil {
		if order := bytes.Compare(x, best); order == 0 || order > 0 != s.greatest {
			return
		}
	}
	s.size += int64(len(x) - len(best))
	s.best[g] = append(append(best[:0], x...), 0)[:len(x)] // not nil even if empty
}

// Merge implements AggregateState.
func (s *extremeBytes) Merge(other AggregateState, from, to []int32) error {
	o, err := otherState[*extremeBytes](other)
	if err != nil {
		return err
	}
	for k, g := range to {
		if x := o.best[sourceGroup(from, k)]; x != nil {
			s.offer(int(g), x)
		}
	}
	return nil
}

// Result implements AggregateState.
func (s *extremeBytes) Result(from, to int) (*vector.Vector, error) {
	b := vector.NewBuilder(s.t, to-from)
	for _, x := range s.best[from:to] {
		if x == nil {
			b.AppendNull()
		} else {
			b.AppendBytes(x)
		}
	}
	return b.Vector(), nil
}

// Size implements AggregateState.
func (s *extremeBytes) Size() int64 { return s.size + int64(24*cap(s.best)) }

// extremeValues is min and max of the other types, by boxed values.
type extremeValues struct {
	t        types.Type
	greatest bool
	best     []any
	rows     aggregateRows
}

// Grow implements AggregateState.
func (s *extremeValues) Grow(groups int) { s.best = growSlice(s.best, groups) }

// Update implements AggregateState.
func (s *extremeValues) Update(args []*vector.Vector, sel vector.Selection, n int, groups []int32) error {
	v := args[0]
	sel = s.rows.valid(v, sel, n)
	for k := range rowsOf(sel, n) {
		i := rowAt(sel, k)
		s.offer(groupOf(groups, i), v.Value(i))
	}
	return nil
}

func (s *extremeValues) offer(g int, x any) {
	if s.best[g] != nil {
		if order, _ := types.CompareValues(s.t, x, s.best[g]); order == 0 || order > 0 != s.greatest {
			return
		}
	}
	s.best[g] = x
}

// Merge implements AggregateState.
func (s *extremeValues) Merge(other AggregateState, from, to []int32) error {
	o, err := otherState[*extremeValues](other)
	if err != nil {
		return err
	}
	for k, g := range to {
		if x := o.best[sourceGroup(from, k)]; x != nil {
			s.offer(int(g), x)
		}
	}
	return nil
}

// Result implements AggregateState.
func (s *extremeValues) Result(from, to int) (*vector.Vector, error) {
	b := vector.NewBuilder(s.t, to-from)
	for _, x := range s.best[from:to] {
		b.AppendValue(x)
	}
	return b.Vector(), nil
}

// Size implements AggregateState.
func (s *extremeValues) Size() int64 { return int64(48 * cap(s.best)) }
