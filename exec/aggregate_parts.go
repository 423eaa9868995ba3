package exec

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
)

// The groups of several workers are put together in one of two ways. In place: a
// group that an earlier worker has as well is merged into that worker's and left
// out where it was; each operator then gives the groups of one table. This takes
// a look into every other table per group.
//
// Or by partitions of a hash of the keys, which is that of the rows that the
// workers have scattered: a part is the groups of each worker and the rows that
// belong to one partition. Parts have no group in common, so each operator takes
// one after the other.

// mergedInPlace is the most groups of all workers but the first that are looked
// for in the tables of many workers.
const mergedInPlace = 1 << 13

// groupPart is what makes the groups of one table.
type groupPart struct {
	table     *groupTable // that has them already; nil to make one
	partition int         // of the workers' groups that are merged, for level 1
	rows      spilledRows
	level     int // of the table
	files     *partFiles
}

// partFiles are the files that parts share; the last part that is done with them
// removes them.
type partFiles struct {
	left atomic.Int32
	rows []spilledRows
}

func (f *partFiles) done() {
	if f != nil && f.left.Add(-1) == 0 {
		dropFiles(f.rows)
	}
}

// scattered gives the rows that tables have scattered, by partition.
func scattered(tables []*groupTable) ([]spilledRows, error) {
	parts := make([]spilledRows, spillPartitions)
	for _, t := range tables {
		if t.spilled == nil {
			continue
		}
		if err := t.spilled.finish(parts); err != nil {
			return nil, err
		}
		t.spilled = nil
	}
	return parts, nil
}

// newParts gives a part for each partition that has rows or groups of workers.
func newParts(rows []spilledRows, level int, workers []*workerGroups) []groupPart {
	files := &partFiles{rows: rows}
	var parts []groupPart
	for p := range rows {
		some := rows[p].rows > 0
		for _, w := range workers {
			some = some || len(w.groups[p]) > 0
		}
		if some {
			parts = append(parts, groupPart{partition: p, rows: rows[p], level: level, files: files})
		}
	}
	files.left.Store(int32(len(parts)))
	return parts
}

// plan says what is to be done with the workers' tables.
func (a *aggregation) plan(tables []*groupTable) (err error) {
	inPlace := areWhole(tables)
	if inPlace {
		for i := range tables {
			for _, earlier := range tables[:i] {
				if err := earlier.mergeCommon(tables[i]); err != nil {
					return err
				}
			}
			a.left = append(a.left, groupPart{table: tables[i]})
		}
		if len(tables) > 1 {
			return nil
		}
	}
	rows, err := scattered(tables)
	if err == nil && !inPlace {
		a.workers, err = splitTables(tables)
	}
	a.left = append(newParts(rows, 1, a.workers), a.left...)
	return err
}

// areWhole reports whether groups of the tables can be put together in place.
func areWhole(tables []*groupTable) bool {
	if len(tables) == 1 {
		return !tables[0].passes
	}
	groups, dense := 0, true
	for i, t := range tables {
		if t.spilled != nil || t.hasSpilledPairs() {
			return false
		}
		dense = dense && t.keys != nil && t.keys.dense != nil
		if i > 0 {
			groups += t.count
		}
	}
	return dense || len(tables) == 2 || groups <= mergedInPlace
}

// aggregatePart gives the table of a part. The rows that it scatters become
// parts in their turn.
func (a *aggregation) aggregatePart(ctx context.Context, part *groupPart) (t *groupTable, err error) {
	defer storage.Guard(&err)
	if t = part.table; t == nil {
		if t, err = a.makeTable(ctx, part); err != nil {
			return nil, err
		}
	}
	if err := t.finish(ctx); err != nil {
		return nil, err
	}
	for _, c := range t.calls {
		eval.MergeIntoEmpty(c.state)
	}
	return t, nil
}

func (a *aggregation) makeTable(ctx context.Context, part *groupPart) (*groupTable, error) {
	t, err := newGroupTable(a.node, a.env, a.memory)
	if err != nil {
		return nil, err
	}
	t.level = part.level
	if part.level == 1 {
		for _, w := range a.workers {
			if err := t.merge(ctx, w, part.partition); err != nil {
				return nil, err
			}
		}
	}
	if err := pump(ctx, part.rows.reader(), t.add); err != nil {
		return nil, err
	}
	part.rows.release(a.memory)
	part.files.done()
	rows, err := scattered([]*groupTable{t})
	if err != nil {
		return nil, err
	}
	a.push(newParts(rows, part.level+1, nil))
	return t, nil
}

// workerGroups are the groups of a worker's table by partition.
type workerGroups struct {
	table  *groupTable
	groups [][]int32 // their numbers
	place  []int32   // of each group in its partition
	pairs  []workerPairs
}

// workerPairs are the pairs of a call with DISTINCT by partition of their group.
type workerPairs struct {
	known   [][]int32 // their numbers
	spilled []spilledRows
}

// partitions gives the partition of each group.
func (t *groupTable) partitions() []uint8 {
	out := make([]uint8, t.count)
	if t.keys == nil {
		return out
	}
	hasher := newKeyHasher(t.level)
	for from := 0; from < t.count; from += vector.BatchRows {
		to := min(from+vector.BatchRows, t.count)
		for k, h := range hasher.hash(t.keys.columnsOf(from, to), nil, to-from) {
			out[from+k] = uint8(partitionOf(h))
		}
	}
	return out
}

// splitTables splits the tables, each in a goroutine.
func splitTables(tables []*groupTable) ([]*workerGroups, error) {
	out, errs := make([]*workerGroups, len(tables)), make([]error, len(tables))
	var done sync.WaitGroup
	for i, t := range tables {
		done.Go(func() {
			defer storage.Guard(&errs[i])
			out[i], errs[i] = newWorkerGroups(t, t.partitions())
		})
	}
	done.Wait()
	return out, errors.Join(errs...)
}

func newWorkerGroups(t *groupTable, partitions []uint8) (*workerGroups, error) {
	w := &workerGroups{table: t, groups: make([][]int32, spillPartitions), place: make([]int32, t.count), pairs: make([]workerPairs, len(t.calls))}
	for g, p := range partitions {
		w.place[g] = int32(len(w.groups[p]))
		w.groups[p] = append(w.groups[p], int32(g))
	}
	for i := range t.calls {
		d := t.calls[i].distinct
		if d == nil {
			continue
		}
		known, spilled := make([][]int32, spillPartitions), make([]spilledRows, spillPartitions)
		for k := range d.seen.len() {
			p := partitions[d.groupOf(k)]
			known[p] = append(known[p], int32(k))
		}
		if d.spilled != nil {
			if err := d.spilled.writer.finish(spilled); err != nil {
				return nil, err
			}
		}
		w.pairs[i] = workerPairs{known: known, spilled: spilled}
	}
	return w, nil
}

// mergeCommon merges those groups of another worker's table that this one has too.
func (t *groupTable) mergeCommon(other *groupTable) error {
	numbers := make([]int32, other.count) // zeros without keys
	if t.keys != nil {
		for at := 0; at < other.count; at += vector.BatchRows {
			to := min(at+vector.BatchRows, other.count)
			t.keys.find(other.keys.columnsOf(at, to), nil, to-at, numbers[at:to])
		}
	}
	if other.moved == nil {
		other.moved = make([]bool, other.count)
	}
	partitions := make([]uint8, other.count) // 1: not to be merged
	var common []int32
	for g, number := range numbers {
		if number < 0 || other.moved[g] {
			partitions[g] = 1
			continue
		}
		common = append(common, number)
		other.moved[g] = true
	}
	if len(common) == 0 {
		return nil
	}
	w, err := newWorkerGroups(other, partitions)
	if err != nil {
		return err
	}
	return t.mergeStates(context.Background(), w, 0, common) // nothing is read
}

// merge adds the groups of a worker that belong to a partition.
func (t *groupTable) merge(ctx context.Context, w *workerGroups, partition int) error {
	from := w.groups[partition]
	numbers := make([]int32, len(from))
	if t.keys != nil {
		for at := 0; at < len(from); at += vector.BatchRows {
			to := min(at+vector.BatchRows, len(from))
			t.keys.insert(w.table.keys.columnsAt(from[at:to]), nil, to-at, numbers[at:to])
		}
		t.count = t.keys.len()
	}
	return t.mergeStates(ctx, w, partition, numbers)
}

// mergeStates adds what the groups of a partition have to those of some numbers.
func (t *groupTable) mergeStates(ctx context.Context, w *workerGroups, partition int, numbers []int32) error {
	for i := range t.calls {
		c := &t.calls[i]
		c.state.Grow(t.count)
		if len(numbers) == 0 {
			continue // to a state no list of groups is all of them
		}
		var err error
		if c.distinct == nil {
			err = c.state.Merge(w.table.calls[i].state, w.groups[partition], numbers)
		} else {
			err = c.mergePairs(ctx, w, i, partition, numbers)
		}
		if err != nil {
			return err
		}
	}
	t.account.force(t.bytes()) // the worker's groups have as much
	return nil
}

// mergePairs adds the pairs of groups of a partition to the call; numbers are
// those of the groups here, by their place there.
func (c *aggregateCall) mergePairs(ctx context.Context, w *workerGroups, call, partition int, numbers []int32) error {
	var groups []int32
	add := func(b *vector.Batch) error {
		groups = groups[:0]
		for _, g := range b.Columns[0].Int32s[:b.Len] {
			groups = append(groups, numbers[w.place[g]])
		}
		args := b.Columns[1:]
		sel, err := c.firstSeen(args, nil, b.Len, groups)
		if err != nil {
			return err
		}
		return c.state.Update(args, sel, b.Len, groups)
	}
	known, seen := w.pairs[call].known[partition], w.table.calls[call].distinct.seen
	for at := 0; at < len(known); at += vector.BatchRows {
		some := known[at:min(at+vector.BatchRows, len(known))]
		if err := add(&vector.Batch{Columns: seen.columnsAt(some), Len: len(some)}); err != nil {
			return err
		}
	}
	return pump(ctx, w.pairs[call].spilled[partition].reader(), add)
}
