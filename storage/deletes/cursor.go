package deletes

import (
	"math"

	"github.com/RoaringBitmap/roaring/v2/roaring64"

	"github.com/tarndb/tarn/sql/vector"
)

// Cursor walks a PositionSet forwards, for a reader that goes through a file.
// It is for one goroutine, and the set must not change while it is in use.
type Cursor struct {
	set     *PositionSet
	it      roaring64.ManyIntIterable64
	buf     [512]uint64
	pending []uint64 // rows of the set that the walk has not passed yet
	passed  int64    // end of the last range asked for
}

// Cursor starts a walk. A nil set gives a cursor that drops nothing.
func (s *PositionSet) Cursor() *Cursor {
	c := &Cursor{set: s}
	c.rewind()
	return c
}

func (c *Cursor) rewind() {
	c.it, c.pending, c.passed = nil, nil, 0
	if !c.set.IsEmpty() {
		c.it = c.set.bitmap.ManyIterator()
	}
}

// next is the first row of the set at or after from, math.MaxUint64 if none.
func (c *Cursor) next(from uint64) uint64 {
	for {
		for len(c.pending) > 0 {
			if c.pending[0] >= from {
				return c.pending[0]
			}
			c.pending = c.pending[1:]
		}
		if c.it == nil {
			return math.MaxUint64
		}
		n := c.it.NextMany(c.buf[:])
		if n == 0 {
			c.it = nil
		}
		c.pending = c.buf[:n]
	}
}

// Keep lists which of the rows [from, to) are not in the set, counted from
// from. It gives nil when all of them stay, as vector.Batch.Sel has it, and
// otherwise appends to out[:0]. Ranges in ascending order cost a single walk.
func (c *Cursor) Keep(from, to int64, out vector.Selection) vector.Selection {
	if from < c.passed {
		c.rewind()
	}
	c.passed = to
	gone := c.next(uint64(from))
	if gone >= uint64(to) {
		return nil
	}
	out = out[:0]
	if out == nil {
		out = make(vector.Selection, 0, to-from) // not nil even if no row stays
	}
	for row := uint64(from); row < uint64(to); row++ {
		for ; row < min(gone, uint64(to)); row++ {
			out = append(out, int32(row-uint64(from)))
		}
		if row == gone && row < uint64(to) {
			gone = c.next(row + 1)
		}
	}
	return out
}
