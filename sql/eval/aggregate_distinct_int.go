package eval

import (
	"math/bits"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// distinctInts is distinctState for one argument of at most 64 bits: dates,
// whole numbers and short decimals. Its set is a table with linear probing.
type distinctInts struct {
	inner AggregateState
	count int // of groups
	t     types.Type
	slots []intSlot // a power of two many
	used  int
	rows  aggregateRows
	fresh vector.Selection
}

// intSlot is a value of a group; group is 0 in an empty slot, else one more.
type intSlot struct {
	value int64
	group int32
}

func newDistinctInts(a *Aggregate) *distinctInts {
	return &distinctInts{inner: a.newState(), t: a.Args[0].Type(), slots: make([]intSlot, 64)}
}

// Grow implements AggregateState.
func (s *distinctInts) Grow(groups int) {
	s.count = groups
	s.inner.Grow(groups)
}

// Update implements AggregateState.
func (s *distinctInts) Update(args []*vector.Vector, sel vector.Selection, n int, groups []int32) error {
	if args[0].Form == vector.Constant && args[0].IsNull(0) {
		return nil
	}
	v := s.rows.flat(0, args[0], sel, n)
	sel = s.rows.valid(v, sel, n)
	s.fresh = s.fresh[:0]
	if v.Type.Physical() == types.PhysInt32 {
		addDistinct(s, v.Int32s, sel, n, groups)
	} else {
		addDistinct(s, v.Int64s, sel, n, groups)
	}
	if len(s.fresh) == 0 {
		return nil
	}
	return s.inner.Update(args, s.fresh, n, groups)
}

func addDistinct[T int32 | int64](s *distinctInts, a []T, sel vector.Selection, n int, groups []int32) {
	for k := range rowsOf(sel, n) {
		i := rowAt(sel, k)
		if s.add(int64(a[i]), int32(groupOf(groups, i))) {
			s.fresh = append(s.fresh, int32(i))
		}
	}
}

// add reports whether the value is new in the group.
func (s *distinctInts) add(value int64, group int32) bool {
	mask := uint64(len(s.slots) - 1)
	group++
	for p := hashInt(value, group) & mask; ; p = (p + 1) & mask {
		slot := &s.slots[p]
		if slot.group == 0 {
			*slot = intSlot{value, group}
			if s.used++; 2*s.used > len(s.slots) {
				s.grow()
			}
			return true
		}
		if slot.value == value && slot.group == group {
			return false
		}
	}
}

func hashInt(value int64, group int32) uint64 {
	h := uint64(value)*0x9E3779B97F4A7C15 ^ uint64(group)*0xC2B2AE3D27D4EB4F
	hi, lo := bits.Mul64(h, 0xD6E8FEB86659FD93)
	return hi ^ lo
}

func (s *distinctInts) grow() {
	old := s.slots
	s.slots = make([]intSlot, 2*len(old))
	mask := uint64(len(s.slots) - 1)
	for _, slot := range old {
		if slot.group == 0 {
			continue
		}
		p := hashInt(slot.value, slot.group) & mask
		for s.slots[p].group != 0 {
			p = (p + 1) & mask
		}
		s.slots[p] = slot
	}
}

// mergeBatch is the number of values that Merge hands on at once.
const mergeBatch = 4 * vector.BatchRows

// Merge implements AggregateState.
func (s *distinctInts) Merge(other AggregateState, from, to []int32) error {
	o, err := otherState[*distinctInts](other)
	if err != nil {
		return err
	}
	targets := targetGroups(o.count, from, to)
	b := vector.NewBuilder(s.t, mergeBatch)
	var mapped []int32
	flush := func() error {
		err := s.Update([]*vector.Vector{b.Vector()}, nil, len(mapped), mapped)
		b, mapped = vector.NewBuilder(s.t, mergeBatch), mapped[:0]
		return err
	}
	for _, slot := range o.slots {
		if slot.group == 0 || targets[slot.group-1] < 0 {
			continue
		}
		b.AppendInt64(slot.value)
		mapped = append(mapped, targets[slot.group-1])
		if len(mapped) == mergeBatch {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	return flush()
}

// Result implements AggregateState.
func (s *distinctInts) Result(from, to int) (*vector.Vector, error) { return s.inner.Result(from, to) }

// Size implements AggregateState.
func (s *distinctInts) Size() int64 { return int64(16*len(s.slots)) + s.inner.Size() }
