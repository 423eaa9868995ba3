package eval

import (
	"context"

	"github.com/tarndb/tarn/sql/vector"
)

// mergesCheaply reports whether merging a group of a state costs about what
// adding a row does. Distinct values are gone through for each merge, and
// quantiles may differ by what was merged.
func mergesCheaply(state AggregateState) bool {
	switch state.(type) {
	case *distinctState, *distinctInts, *quantilesState:
		return false
	}
	return true
}

// A frameTree has the aggregates of single rows (level 0) and, on each level
// above, those of 16 groups of the level below, so that a frame of w rows is
// made of some 30 groups for each level up to log16(w). Frames of rows are
// computed together: per level one merge of pairs.
//
//	level 1   [ 0 … 15 ][ 16 … 31 ][ 32 … 47 ][ 48 …
//	frame           14 15 [ 16 …  47 ] 48 49
type frameTree struct {
	levels []AggregateState
	// What the frames of a batch take from each level, before what they take of
	// the levels above it and after.
	left, right []mergeList
}

const (
	treeBits   = 4
	treeFanout = 1 << treeBits
)

// mergeList is what Merge is asked for.
type mergeList struct{ from, to []int32 }

func (l *mergeList) add(from, to int32) { l.from, l.to = append(l.from, from), append(l.to, to) }

// frameTree computes frames that may begin and end anywhere.
func (a *Aggregate) frameTree(ctx context.Context, rows *WindowRows, args []*vector.Vector, sel vector.Selection) (*vector.Vector, error) {
	widest := int32(0)
	for i, from := range rows.From {
		widest = max(widest, rows.To[i]-from)
	}
	t, err := a.newFrameTree(ctx, rows.Len, int(widest), args, sel)
	if err != nil {
		return nil, err
	}
	return a.perBatch(ctx, rows, func(state AggregateState, from, to int) error {
		for i := from; i < to; i++ {
			t.take(rows.From[i], rows.To[i], int32(i-from))
		}
		return t.merge(state)
	})
}

func (a *Aggregate) newFrameTree(ctx context.Context, n, widest int, args []*vector.Vector, sel vector.Selection) (*frameTree, error) {
	groups := make([]int32, n)
	for i := range groups {
		groups[i] = int32(i)
	}
	single := a.NewState()
	single.Grow(n)
	if err := single.Update(args, sel, n, groups); err != nil {
		return nil, err
	}
	t := &frameTree{levels: []AggregateState{single}}
	for widest > 2*treeFanout {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for i := range groups {
			groups[i] = int32(i >> treeBits)
		}
		below := len(groups)
		n, widest = (below+treeFanout-1)>>treeBits, widest>>treeBits
		level := a.NewState()
		level.Grow(n)
		if level.Merge(t.levels[len(t.levels)-1], nil, groups) != nil {
			break // more rows than any frame has may have no aggregate
		}
		t.levels = append(t.levels, level)
		groups = groups[:n]
	}
	t.left, t.right = make([]mergeList, len(t.levels)), make([]mergeList, len(t.levels))
	return t, nil
}

// take notes what the frame of a row is made of, which goes to a group.
func (t *frameTree) take(from, to, group int32) {
	top := len(t.levels) - 1
	for level := 0; from < to; level++ {
		if level == top {
			for ; from < to; from++ {
				t.left[level].add(from, group)
			}
			return
		}
		for ; from < to && from%treeFanout != 0; from++ {
			t.left[level].add(from, group)
		}
		whole := max(from, to-to%treeFanout)
		for k := whole; k < to; k++ {
			t.right[level].add(k, group)
		}
		from, to = from>>treeBits, whole>>treeBits
	}
}

// merge brings what was noted into a state, in the order of the rows.
func (t *frameTree) merge(state AggregateState) error {
	run := func(level int, l *mergeList) error {
		err := state.Merge(t.levels[level], l.from, l.to)
		l.from, l.to = l.from[:0], l.to[:0]
		return err
	}
	for level := range t.levels {
		if err := run(level, &t.left[level]); err != nil {
			return err
		}
	}
	for level := len(t.levels) - 1; level >= 0; level-- {
		if err := run(level, &t.right[level]); err != nil {
			return err
		}
	}
	return nil
}
