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
	if n.kind == shapeLeaf {
		n.leaf.startMapping(v, to-from)
	}
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
	switch {
	case n.kind == shapeLeaf && v.Form == vector.Flat:
		if err := n.writeLevels(v, b, from, to); err != nil {
			return err
		}
		return n.leaf.writeFlat(v, b, from, to)
	case n.kind == shapeLeaf && v.Form == vector.Dictionary && n.leaf.mapping != nil:
		if err := n.writeLevels(v, b, from, to); err != nil {
			return err
		}
		return n.leaf.writeCodes(v, b, from, to)
	}
	for i := from; i < to; i++ {
		if err := n.write(v, b.Row(i), 0, 0); err != nil {
			return err
		}
	}
	return nil
}

// writeLevels adds the levels of rows of a top-level leaf.
func (n *writeNode) writeLevels(v *vector.Vector, b *vector.Batch, from, to int) error {
	l := n.leaf
	nulls := 0
	for i := from; i < to; i++ {
		def := uint8(n.def)
		if v.IsNull(b.Row(i)) {
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
	return nil
}

// startMapping readies the leaf for a vector of codes, whose dictionary is
// looked up once per entry and not per row. A dictionary is known to stay the
// same within one call of Write only.
func (l *leafWriter) startMapping(v *vector.Vector, rows int) {
	if l.mapping = nil; v.Form != vector.Dictionary || v.Dict.Len > 2*rows {
		return
	}
	l.mappingBuf = resize(l.mappingBuf, v.Dict.Len)
	l.mapping = l.mappingBuf
	for i := range l.mapping {
		l.mapping[i] = -1
	}
}

// writeCodes adds the values of rows of a dictionary vector.
func (l *leafWriter) writeCodes(v *vector.Vector, b *vector.Batch, from, to int) error {
	for i := from; i < to; i++ {
		row := b.Row(i)
		if v.IsNull(row) {
			continue
		}
		theirs := v.Codes[row]
		if l.dict != nil && l.mapping[theirs] >= 0 {
			l.codes = append(l.codes, l.mapping[theirs])
			continue
		}
		if err := l.value(v.Dict, int(theirs)); err != nil {
			return err
		}
		if l.dict != nil {
			l.mapping[theirs] = l.codes[len(l.codes)-1]
		}
	}
	return nil
}

// writeFlat adds the values of rows of a flat vector.
func (l *leafWriter) writeFlat(v *vector.Vector, b *vector.Batch, from, to int) error {
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
