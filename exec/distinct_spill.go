package exec

import (
	"context"
	"fmt"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// distinctPairs are the pairs of group and arguments that a DISTINCT call has
// counted. When they have no room it takes no further ones in: pairs that it
// does not have go to files, partitioned by a hash, and are counted at the end, a
// partition at a time.
type distinctPairs struct {
	types   []types.Type
	seen    *keyTable
	level   int           // how often the rows were spilled before
	spilled *spilledPairs // nil as long as new pairs are taken in

	numbers []int32
	fresh   vector.Selection
}

// spilledPairs is where pairs go that have no room.
type spilledPairs struct {
	hasher *keyHasher
	// groups are the partitions of the groups, for pairs that go where their
	// group goes; nil where a hash of the pair decides.
	groups []uint8
	hashes []uint64
	writer *partitionWriter
}

func (s *spilledPairs) write(b *vector.Batch) error {
	if s.groups == nil {
		return s.writer.write(b, s.hasher.hash(b.Columns, b.Sel, b.Len))
	}
	if cap(s.hashes) < b.Len {
		s.hashes = make([]uint64, b.Len)
	}
	s.hashes = s.hashes[:b.Len]
	for _, i := range b.Sel {
		s.hashes[i] = hashOfPartition(s.groups[b.Columns[0].Int32s[i]])
	}
	return s.writer.write(b, s.hashes)
}

func newDistinctPairs(args []types.Type) *distinctPairs {
	d := &distinctPairs{types: append([]types.Type{types.Of(types.Int)}, args...), fresh: vector.Selection{}} // nil would be all rows
	d.seen = newKeyTable(d.types)
	return d
}

// unseen selects the rows whose pair was not met before. Those of which that is
// not known by now are spilled and not selected.
func (d *distinctPairs) unseen(columns []*vector.Vector, sel vector.Selection, n int) (vector.Selection, error) {
	if cap(d.numbers) < n {
		d.numbers = make([]int32, n)
	}
	numbers := d.numbers[:n]
	d.fresh = d.fresh[:0]
	if d.spilled != nil {
		d.seen.find(columns, sel, n, numbers)
		eachRow(sel, n, func(_, i int) {
			if numbers[i] < 0 {
				d.fresh = append(d.fresh, int32(i))
			}
		})
		err := d.spilled.write(&vector.Batch{Columns: columns, Len: n, Sel: d.fresh})
		return vector.Selection{}, err
	}
	next := int32(d.seen.len())
	d.seen.insert(columns, sel, n, numbers)
	eachRow(sel, n, func(_, i int) {
		// Numbers are given in order, so a row is new if its number is the next one.
		if numbers[i] == next {
			d.fresh = append(d.fresh, int32(i))
			next++
		}
	})
	return d.fresh, nil
}

// spill takes no further pairs in. They go where their group goes, if groups
// says where that is.
func (d *distinctPairs) spill(memory *nodeMemory, groups []uint8) error {
	if d.level >= mostSpillLevels {
		return fmt.Errorf("%w: the values of a DISTINCT have no room even in small parts; memory_limit is %s: raise it",
			ErrMemoryLimit, formatBytes(memory.statement.budget.limit))
	}
	file, err := memory.newSpillFile()
	if err != nil {
		return err
	}
	d.spilled = &spilledPairs{hasher: newKeyHasher(d.level), groups: groups, writer: newPartitionWriter(file, d.types)}
	return nil
}

// groupOf is the group of a pair that it has.
func (d *distinctPairs) groupOf(pair int) int {
	return int(int32(d.seen.keys[pair*d.seen.words+d.seen.columns[0].offset]))
}

func (t *groupTable) hasSpilledPairs() bool {
	for i := range t.calls {
		if d := t.calls[i].distinct; d != nil && d.spilled != nil {
			return true
		}
	}
	return false
}

// parts gives the pairs that were spilled and forgets the others, of which there
// are none the same.
func (d *distinctPairs) parts() ([]spilledRows, error) {
	parts := make([]spilledRows, spillPartitions)
	err := d.spilled.writer.finish(parts)
	d.spilled, d.seen = nil, nil
	return parts, err
}

// spillDistinct makes the calls with DISTINCT take no further pairs in; it
// reports false if there are none that still do.
func (t *groupTable) spillDistinct() (bool, error) {
	some := false
	var groups []uint8
	for i := range t.calls {
		d := t.calls[i].distinct
		if d == nil || d.spilled != nil {
			continue
		}
		if t.isPartial && groups == nil {
			groups = t.partitions() // no further groups come in
		}
		if err := d.spill(t.account.memory, groups); err != nil {
			return false, err
		}
		some = true
	}
	return some, nil
}

// finish counts the pairs that were spilled.
func (t *groupTable) finish(ctx context.Context) error {
	for i := range t.calls {
		c := &t.calls[i]
		if c.distinct == nil || c.distinct.spilled == nil {
			continue
		}
		if err := c.countSpilled(ctx, c.distinct, t.account.memory); err != nil {
			return err
		}
	}
	return nil
}

// countSpilled counts the pairs that d has spilled.
func (c *aggregateCall) countSpilled(ctx context.Context, d *distinctPairs, memory *nodeMemory) error {
	parts, err := d.parts()
	if err != nil {
		return err
	}
	for i := range parts {
		if err := c.countPart(ctx, &parts[i], d, memory); err != nil {
			return err
		}
	}
	dropFiles(parts)
	return nil
}

func (c *aggregateCall) countPart(ctx context.Context, part *spilledRows, from *distinctPairs, memory *nodeMemory) error {
	if part.rows == 0 {
		return nil
	}
	d := newDistinctPairs(from.types[1:])
	d.level = from.level + 1
	account := memory.account()
	defer account.release()
	err := pump(ctx, part.reader(), func(b *vector.Batch) error {
		sel, err := d.unseen(b.Columns, nil, b.Len)
		if err != nil {
			return err
		}
		if err := c.state.Update(b.Columns[1:], sel, b.Len, b.Columns[0].Int32s); err != nil {
			return err
		}
		if d.spilled == nil && !account.fit(d.seen.bytes()) {
			return d.spill(memory, nil)
		}
		return nil
	})
	if err != nil || d.spilled == nil {
		return err
	}
	return c.countSpilled(ctx, d, memory)
}
