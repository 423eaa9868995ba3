package parquet

import (
	"fmt"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
)

// blockRows is after how many rows it is seen whether a page is full.
const blockRows = 256

// writeRows adds selected rows from to to-1 of a batch's column.
func (n *writeNode) writeRows(v *vector.Vector, b *vector.Batch, from, to int) error {
	for from < to {
		end := min(to, from+blockRows)
		for _, l := range n.leaves {
			end = min(end, from+l.w.o.PageRows-l.rows)
		}
		if err := n.writeBlock(v, b, from, end); err != nil {
			return err
		}
		for _, l := range n.leaves {
			if err := l.endRows(); err != nil {
				return err
			}
		}
		from = end
	}
	return nil
}

func (n *writeNode) writeBlock(v *vector.Vector, b *vector.Batch, from, to int) error {
	if n.kind == shapeLeaf && v.Form == vector.Flat {
		return n.writeFlat(v, b, from, to)
	}
	for i := from; i < to; i++ {
		if err := n.write(v, b.Row(i), 0, 0); err != nil {
			return err
		}
	}
	return nil
}

// writeFlat adds rows of a flat vector of a primitive type.
func (n *writeNode) writeFlat(v *vector.Vector, b *vector.Batch, from, to int) error {
	l := n.leaf
	nulls := 0
	for i := from; i < to; i++ {
		def := uint8(n.def)
		if !v.Valid.Valid(b.Row(i)) {
			nulls++
			def = 0
		}
		if n.optional {
			l.def = append(l.def, def)
		}
	}
	if nulls > 0 && !n.optional {
		return fmt.Errorf("column %s: NULL in a column that is not nullable: %w", types.QuoteIdent(n.field.Name), storage.ErrConstraint)
	}
	l.page.nulls += int64(nulls)
	l.rows += to - from
	l.entries += to - from
	switch v.Type.Physical() {
	case types.PhysInt32:
		for i := from; i < to; i++ {
			if row := b.Row(i); v.Valid.Valid(row) {
				l.int(int64(v.Int32s[row]))
			}
		}
		return nil
	case types.PhysInt64:
		for i := from; i < to; i++ {
			if row := b.Row(i); v.Valid.Valid(row) {
				l.int(v.Int64s[row])
			}
		}
		return nil
	}
	for i := from; i < to; i++ {
		if row := b.Row(i); v.Valid.Valid(row) {
			if err := l.value(v, row); err != nil {
				return err
			}
		}
	}
	return nil
}
