package parquet

import (
	"github.com/tarndb/tarn/sql/vector"
)

// writeRows adds selected rows from to to-1 of a batch's column.
func (n *writeNode) writeRows(v *vector.Vector, b *vector.Batch, from, to int) error {
	for i := from; i < to; i++ {
		if err := n.write(v, b.Row(i), 0, 0); err != nil {
			return err
		}
		for _, l := range n.leaves {
			if err := l.endRow(); err != nil {
				return err
			}
		}
	}
	return nil
}
