package exec

import (
	"context"
	"fmt"
	"slices"

	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// An aggregate whose groups have no room left takes no further ones in: rows of
// the groups that it has are still added to them, which is right for every
// aggregate, and the others go to files, partitioned by a hash of their keys. A
// key's rows are all in one place, so the partitions are then aggregated one
// after the other in the same way, with another hash.

// mostSpillLevels bounds how often rows are partitioned again. Each level leaves
// a thirty-second of the rows, so more would help no one.
const mostSpillLevels = 8

// bytes is the memory that a table of keys takes.
func (t *keyTable) bytes() int64 {
	slots := len(t.slots.slots)
	size := 8 * (cap(t.keys) + cap(t.hashes) + slots + cap(t.row))
	if t.dense != nil {
		size += 4 * len(t.dense.numbers)
	}
	for _, c := range t.columns {
		if s := c.strs; s != nil {
			size += cap(s.data) + 8*(cap(s.ends)+cap(s.hashes)+len(s.slots.slots)+cap(s.codes))
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
			size += c.distinct.seen.bytes()
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
			return err
		}
		return t.account.need(size, "the values of an aggregate's groups")
	}
	if t.level >= mostSpillLevels {
		return fmt.Errorf("%w: the groups of an aggregate have no room even in small parts; memory_limit is %s: raise it",
			ErrMemoryLimit, formatBytes(t.account.memory.statement.budget.limit))
	}
	file, err := t.account.memory.newSpillFile()
	if err != nil {
		return err
	}
	t.account.force(size) // it is there by now
	hasher := newKeyHasher(t.level)
	t.close(func(b *vector.Batch, keys []*vector.Vector) error {
		if t.spilled == nil {
			t.spilled = newPartitionWriter(file, vectorTypes(b.Columns))
		}
		return t.spilled.write(b, hasher.hash(keys, b.Sel, b.Len))
	})
	return nil
}

// close gives the rows of further groups to missed.
func (t *groupTable) close(missed func(b *vector.Batch, keys []*vector.Vector) error) {
	t.missed = missed
	t.values = t.valueBytes()
}

// known numbers the groups of the rows that belong to one, gives these rows, and
// passes the others on.
func (t *groupTable) known(b *vector.Batch, keys []*vector.Vector, groups []int32) (*vector.Batch, error) {
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

func vectorTypes(columns []*vector.Vector) []types.Type {
	out := make([]types.Type, len(columns))
	for i, v := range columns {
		out[i] = v.Type
	}
	return out
}

// groupParts are the rows of an aggregate that are still to be aggregated.
type groupParts struct {
	// merged are the groups of several workers, which the rows that one of them
	// has spilled may belong to; nil if there are none.
	merged *groupTable
	left   []groupPart // the last comes next
}

// groupPart are the spilled rows of some keys.
type groupPart struct {
	rows   spilledRows
	level  int  // of the table that they are for
	isLast bool // of those in its files
}

// add takes the rows that tables of one level have spilled.
func (g *groupParts) add(tables []*groupTable, level int) error {
	parts := make([]spilledRows, spillPartitions)
	for _, t := range tables {
		if t.spilled == nil {
			continue
		}
		if err := t.spilled.finish(parts); err != nil {
			return err
		}
		t.spilled = nil
	}
	first := true
	for _, rows := range parts {
		if rows.rows > 0 {
			g.left = append(g.left, groupPart{rows: rows, level: level, isLast: first})
			first = false
		}
	}
	return nil
}

// giveFirst begins to give the groups of the workers' tables, which are merged
// into the first. What is left of the others is what they have spilled.
func (a *aggregateOperator) giveFirst(ctx context.Context, tables []*groupTable) error {
	merged := tables[0]
	workers := len(tables)
	tables = slices.DeleteFunc(tables, func(t *groupTable) bool { return t.spilled == nil })
	if len(tables) == 0 {
		return a.give(ctx, merged)
	}
	a.parts = &groupParts{}
	if err := a.parts.add(tables, 1); err != nil {
		return err
	}
	if workers == 1 {
		return a.give(ctx, merged)
	}
	a.parts.merged = merged
	a.groups = &groupTable{account: a.memory.account()}
	return nil
}

// nextPart aggregates the next rows that were spilled; it reports false if there
// are none.
func (a *aggregateOperator) nextPart(ctx context.Context) (bool, error) {
	a.groups.account.release()
	g := a.parts
	if g == nil {
		return false, nil
	}
	if len(g.left) == 0 {
		if g.merged == nil {
			return false, nil
		}
		merged := g.merged
		g.merged = nil
		return true, a.give(ctx, merged)
	}
	part := g.left[len(g.left)-1]
	g.left = g.left[:len(g.left)-1]
	table, err := newGroupTable(a.node, a.env, a.memory)
	if err != nil {
		return false, err
	}
	table.level = part.level
	sink := table.add
	if g.merged != nil && part.level == 1 {
		g.merged.close(func(b *vector.Batch, _ []*vector.Vector) error { return table.add(b) })
		sink = g.merged.add
	}
	if err := pump(ctx, part.rows.reader(), sink); err != nil {
		return false, err
	}
	if part.isLast {
		dropFiles([]spilledRows{part.rows})
	}
	if err := g.add([]*groupTable{table}, part.level+1); err != nil {
		return false, err
	}
	return true, a.give(ctx, table)
}

// give makes a table the one whose groups are given next.
func (a *aggregateOperator) give(ctx context.Context, t *groupTable) error {
	if err := t.finish(ctx); err != nil {
		return err
	}
	for _, c := range t.calls {
		eval.MergeIntoEmpty(c.state)
	}
	a.groups, a.at = t, 0
	return nil
}
