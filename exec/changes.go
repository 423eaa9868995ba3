package exec

import (
	"context"
	"fmt"
	"slices"

	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
)

// changedRows collects the positions of rows that a statement takes away, by
// file. The files are those of the one scan with row positions in its input.
type changedRows struct {
	node      plan.Node
	target    *plan.Scan
	scan      storage.Scan
	positions map[int32][]int64 // by file ordinal
	rows      int64
}

// changedRows finds the scan of the table that is changed and plans it.
func (x *executor) changedRows(n plan.Node) (*changedRows, error) {
	c := &changedRows{node: n, positions: map[int32][]int64{}}
	several := false
	var find func(plan.Node)
	find = func(n plan.Node) {
		if s, ok := n.(*plan.Scan); ok && s.RowPositions {
			several = several || c.target != nil
			c.target = s
		}
		for _, child := range n.Children() {
			find(child)
		}
	}
	find(n)
	if c.target == nil || several {
		return nil, fmt.Errorf("exec: %T needs one scan with row positions", n)
	}
	var err error
	c.scan, err = x.planScan(c.target)
	return c, err
}

// open starts the input, its scan of the table reading the planned tasks.
func (c *changedRows) open(x *executor) (operator, error) {
	return x.single(c.node)
}

// add notes the selected rows of a batch, whose columns file and file+1 are
// their file and position.
func (c *changedRows) add(b *vector.Batch, file int) {
	files, positions := b.Columns[file], b.Columns[file+1]
	for k := range b.Rows() {
		row := b.Row(k)
		fv, fp := files.At(row)
		pv, pp := positions.At(row)
		ordinal := fv.Int32s[fp]
		c.positions[ordinal] = append(c.positions[ordinal], pv.Int64s[pp])
		c.rows++
	}
}

// deleteFrom hands the positions over, file by file.
func (c *changedRows) deleteFrom(ctx context.Context, w storage.DeltaWriter) error {
	ordinals := make([]int32, 0, len(c.positions))
	for o := range c.positions {
		ordinals = append(ordinals, o)
	}
	slices.Sort(ordinals)
	tasks := c.scan.Tasks()
	for _, o := range ordinals {
		if err := w.DeletePositions(ctx, tasks[o].File, c.positions[o]); err != nil {
			return err
		}
	}
	return nil
}

// readerOperator makes an operator of a reader; its owner closes it.
type readerOperator struct{ storage.BatchReader }

func (r readerOperator) next(ctx context.Context) (*vector.Batch, error) { return r.Next(ctx) }

func (r readerOperator) close() error { return nil }
