package exec

import (
	"fmt"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// A table whose groups have no room left takes no further ones in: rows of
// the groups that it has are still added to them, which is right for every
// aggregate, and the others go to partitions by a hash of their keys, in memory
// or in files. A key's rows are all in one place, so the partitions are then
// aggregated for themselves in the same way, with another hash.

// mostSpillLevels bounds how often rows are partitioned again. Each level leaves
// a thirty-second of the rows, so more would help no one.
const mostSpillLevels = 8

// bytes is the memory that a table of keys takes.
func (t *keyTable) bytes() int64 {
	size := t.keyBytes() + int64(8*cap(t.row))
	for _, c := range t.columns {
		if c.strs != nil {
			size += int64(8 * cap(c.strs.codes))
		}
	}
	return size
}

// keyBytes is bytes without what finding keys takes: it only grows with the keys.
func (t *keyTable) keyBytes() int64 {
	size := 8 * (cap(t.keys) + cap(t.hashes) + len(t.slots.slots))
	if t.dense != nil {
		size += 4 * len(t.dense.numbers)
	}
	for _, c := range t.columns {
		if s := c.strs; s != nil {
			size += cap(s.data) + 8*(cap(s.ends)+cap(s.hashes)+len(s.slots.slots))
		}
	}
	return int64(size)
}

// growth is what the table takes more when it soon needs a larger array of slots.
func (t *keyTable) growth() int64 {
	slots := len(t.slots.slots)
	if t.dense != nil || slots < 1<<15 || 2*(t.count+2*vector.BatchRows) <= slots {
		return 0
	}
	return int64(16 * slots)
}

// bytes is the memory that the table takes. That of a worker is counted twice:
// it will be copied into the table of all.
func (t *groupTable) bytes() int64 {
	size := int64(0)
	if t.keys != nil {
		size = t.keys.bytes()
		if t.missed == nil {
			size += t.keys.growth()
		}
	}
	size += t.valueBytes()
	if t.isCopied {
		size *= 2
	}
	return size
}

// valueBytes is the memory that the values of the groups take.
func (t *groupTable) valueBytes() int64 {
	size := int64(0)
	for _, c := range t.calls {
		size += c.state.Size()
		if c.distinct != nil {
			size += c.distinct.seen.keyBytes()
		}
	}
	return size
}

// keep accounts for the table's groups. If they have no room it takes no further
// ones in.
func (t *groupTable) keep(rows int) error {
	if t.unchecked += rows; t.unchecked < t.count/8 {
		return nil // asking every state costs something
	}
	t.unchecked = 0
	size := t.bytes()
	if t.account.fit(size) {
		return nil
	}
	if t.missed != nil && t.valueBytes() <= t.values {
		t.account.force(size) // no group came in and no value grew: it is what finding keys takes
		return nil
	}
	if t.keys == nil || t.missed != nil {
		if some, err := t.spillDistinct(); some || err != nil {
			t.account.force(size) // it is there by now
			t.values = t.valueBytes()
			return err
		}
		return t.account.need(size, "the values of an aggregate's groups")
	}
	t.account.force(size) // it is there by now
	return t.scatter()
}

// A table that has so many groups, of which few have had several rows, scatters
// the rows of further ones: with more groups it would outgrow the processor's
// cache, and partitions of them would not.
const (
	leastScattered      = 1 << 15
	leastScatteredDense = 1 << 19 // where a group is found in an array
	leastRowsPerGroup   = 2
	mostScatterLevels   = 3
	leastLooked         = 1 << 15 // rows after which it is asked whether looking them up pays
)

// scatters reports whether rows of further groups should be scattered.
func (t *groupTable) scatters() bool {
	if t.count < t.checkAt || t.missed != nil || t.keys == nil || t.level >= mostScatterLevels {
		return false
	}
	few := t.rows < leastRowsPerGroup*(t.count-t.checked)
	t.rows, t.checked, t.checkAt = 0, t.count, 2*t.count
	return few
}

// scatter takes no further groups in: their rows go to partitions of a hash of
// their keys.
func (t *groupTable) scatter() error {
	if t.level >= mostSpillLevels {
		return fmt.Errorf("%w: the groups of an aggregate have no room even in small parts; memory_limit is %s: raise it",
			ErrMemoryLimit, formatBytes(t.account.memory.statement.budget.limit))
	}
	store, hasher := &blockStore{memory: t.account.memory}, newKeyHasher(t.level)
	t.missed = func(b *vector.Batch, keys []*vector.Vector) error {
		if t.spilled == nil {
			t.spilled = newPartitionWriter(store, vectorTypes(b.Columns))
		}
		return t.spilled.write(b, hasher.hash(keys, b.Sel, b.Len))
	}
	t.values = t.valueBytes()
	return nil
}

// known numbers the groups of the rows that belong to one, gives these rows, and
// passes the others on.
func (t *groupTable) known(b *vector.Batch, keys []*vector.Vector, groups []int32) (*vector.Batch, error) {
	if t.passes {
		return &vector.Batch{Columns: b.Columns, Len: b.Len, Sel: vector.Selection{}}, t.missed(b, keys)
	}
	t.keys.find(keys, b.Sel, b.Len, groups)
	hits, misses := t.hits[:0], t.misses[:0]
	eachRow(b.Sel, b.Len, func(_, i int) {
		if groups[i] >= 0 {
			hits = append(hits, int32(i))
		} else {
			misses = append(misses, int32(i))
		}
	})
	t.hits, t.misses = hits, misses
	t.weighLooking(b.Rows(), len(hits))
	if len(misses) > 0 {
		if err := t.missed(&vector.Batch{Columns: b.Columns, Len: b.Len, Sel: misses}, keys); err != nil {
			return nil, err
		}
	}
	if len(hits) == 0 {
		hits = vector.Selection{} // nil would be all rows
	}
	return &vector.Batch{Columns: b.Columns, Len: b.Len, Sel: hits}, nil
}

// weighLooking stops the looking for groups where few rows have one. Their groups
// are then in two places, as if another worker had some.
func (t *groupTable) weighLooking(rows, hits int) {
	if t.looked, t.found = t.looked+rows, t.found+hits; t.looked < leastLooked {
		return
	}
	if t.found < t.looked/8 && t.level == 0 && (t.isPartial || !t.hasSpilledPairs()) {
		t.passes, t.isPartial = true, true
	}
	t.looked, t.found = 0, 0
}

func vectorTypes(columns []*vector.Vector) []types.Type {
	out := make([]types.Type, len(columns))
	for i, v := range columns {
		out[i] = v.Type
	}
	return out
}
