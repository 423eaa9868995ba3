package eval

import (
	"context"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// ComputeWindow gives the aggregate of each row's frame. The arguments are flat
// vectors of all rows; sel, if not nil, are the rows that count.
func (a *Aggregate) ComputeWindow(ctx context.Context, rows *WindowRows, args []*vector.Vector, sel vector.Selection) (*vector.Vector, error) {
	switch {
	case rows.From == nil:
		return a.wholePartitions(rows, args, sel)
	case rows.running():
		return a.runningFrames(ctx, rows, args, sel)
	}
	if mergesCheaply(a.NewState()) {
		return a.frameTree(ctx, rows, args, sel)
	}
	return a.everyFrame(ctx, rows, args, sel)
}

// wholePartitions computes a group per partition.
func (a *Aggregate) wholePartitions(rows *WindowRows, args []*vector.Vector, sel vector.Selection) (*vector.Vector, error) {
	state := a.NewState()
	count := len(rows.Partitions) - 1
	state.Grow(count)
	groups := rows.partitionNumbers()
	if err := state.Update(args, sel, rows.Len, groups); err != nil {
		return nil, err
	}
	values, err := state.Result(0, count)
	if err != nil {
		return nil, err
	}
	return values.Select(groups), nil
}

// partitionNumbers gives each row the number of its partition.
func (r *WindowRows) partitionNumbers() []int32 {
	groups := make([]int32, r.Len)
	_ = r.partitions(func(p int, start, end int32) error {
		fill(groups[start:end], int32(p))
		return nil
	})
	return groups
}

// running reports whether all frames begin with their partition and none ends
// before that of the row before it.
func (r *WindowRows) running() bool {
	for p := range len(r.Partitions) - 1 {
		start := r.Partitions[p]
		last := start
		for i := start; i < r.Partitions[p+1]; i++ {
			if r.From[i] != start || r.To[i] < last {
				return false
			}
			last = r.To[i]
		}
	}
	return true
}

// runningState is met by states that take one row after the other into group 0
// and give its value in between without making a vector of it.
type runningState interface {
	AggregateState
	// prepare gives the rows of sel that the state takes.
	prepare(args []*vector.Vector, sel vector.Selection, n int) vector.Selection
	// restart empties group 0.
	restart()
	// addRow adds a row that prepare gave.
	addRow(args []*vector.Vector, row int) error
	// storeValue stores the value of group 0 as row i of out.
	storeValue(out *vector.Vector, i int) error
}

// checkedRows is how many rows are computed before the context is asked again.
const checkedRows = 4096

// runningFrames adds to each row's aggregate what its frame has more than the
// one before it.
func (a *Aggregate) runningFrames(ctx context.Context, rows *WindowRows, args []*vector.Vector, sel vector.Selection) (*vector.Vector, error) {
	state, ok := a.NewState().(runningState)
	if !ok {
		return a.runningUpdates(ctx, rows, args, sel)
	}
	state.Grow(1)
	counted := state.prepare(args, sel, rows.Len)
	out := vector.New(a.Type, rows.Len)
	k, end := 0, rowsOf(counted, rows.Len)
	return out, rows.partitions(func(_ int, start, partitionEnd int32) error {
		state.restart()
		for k < end && rowAt(counted, k) < int(start) {
			k++
		}
		for i := start; i < partitionEnd; i++ {
			for k < end && rowAt(counted, k) < int(rows.To[i]) {
				if err := state.addRow(args, rowAt(counted, k)); err != nil {
					return err
				}
				k++
			}
			if err := state.storeValue(out, int(i)); err != nil {
				return err
			}
			if i%checkedRows == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
		}
		return nil
	})
}

// runningUpdates is runningFrames for every state, with a group per partition.
func (a *Aggregate) runningUpdates(ctx context.Context, rows *WindowRows, args []*vector.Vector, sel vector.Selection) (*vector.Vector, error) {
	state := a.NewState()
	state.Grow(len(rows.Partitions) - 1)
	groups := rows.partitionNumbers()
	counted := copySelection(sel, make(vector.Selection, rows.Len))
	out := vector.NewCollector([]types.Type{a.Type})
	k := 0
	err := rows.partitions(func(p int, start, partitionEnd int32) error {
		for k < len(counted) && counted[k] < start {
			k++
		}
		var value *vector.Vector
		for i := start; i < partitionEnd; i++ {
			from := k
			for k < len(counted) && counted[k] < rows.To[i] {
				k++
			}
			if from < k || value == nil {
				if err := state.Update(args, counted[from:k:k], rows.Len, groups); err != nil {
					return err
				}
				var err error
				if value, err = state.Result(p, p+1); err != nil {
					return err
				}
			}
			if err := out.Append(vector.NewBatch(1, value)); err != nil {
				return err
			}
			if i%checkedRows == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
		}
		return nil
	})
	return out.Batch().Columns[0], err
}

// everyFrame computes each frame by itself.
func (a *Aggregate) everyFrame(ctx context.Context, rows *WindowRows, args []*vector.Vector, sel vector.Selection) (*vector.Vector, error) {
	counted := copySelection(sel, make(vector.Selection, rows.Len))
	before := countBefore(counted, rows.Len)
	return a.perBatch(ctx, rows, func(state AggregateState, from, to int) error {
		var frame vector.Selection
		var groups []int32
		flush := func() error {
			picked := make([]*vector.Vector, len(args))
			for i, v := range args {
				picked[i] = v.Select(frame)
			}
			err := state.Update(picked, nil, len(frame), groups)
			frame, groups = frame[:0], groups[:0]
			return err
		}
		for i := from; i < to; i++ {
			for _, row := range counted[before[rows.From[i]]:before[rows.To[i]]] {
				frame, groups = append(frame, row), append(groups, int32(i-from))
			}
			if len(frame) > checkedRows {
				if err := flush(); err != nil {
					return err
				}
			}
		}
		return flush()
	})
}

// countBefore gives for each row, and for n, how many rows of sel come before.
func countBefore(sel vector.Selection, n int) []int32 {
	before := make([]int32, n+1)
	k := 0
	for i := range before {
		for k < len(sel) && int(sel[k]) < i {
			k++
		}
		before[i] = int32(k)
	}
	return before
}

// perBatch has the results computed a batch at a time: gather brings the frame of
// row i into group i-from of an empty state.
func (a *Aggregate) perBatch(ctx context.Context, rows *WindowRows, gather func(state AggregateState, from, to int) error) (*vector.Vector, error) {
	out := vector.NewCollector([]types.Type{a.Type})
	for from := 0; from < rows.Len; from += vector.BatchRows {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		to := min(from+vector.BatchRows, rows.Len)
		state := a.NewState()
		state.Grow(to - from)
		if err := gather(state, from, to); err != nil {
			return nil, err
		}
		values, err := state.Result(0, to-from)
		if err != nil {
			return nil, err
		}
		if err := out.Append(vector.NewBatch(to-from, values)); err != nil {
			return nil, err
		}
	}
	return out.Batch().Columns[0], nil
}
