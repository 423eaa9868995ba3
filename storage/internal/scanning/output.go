package scanning

import (
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
)

// Output makes the batches of a scan of those that are read of a file.
type Output struct {
	Layout *Layout
	Width  int // columns that are read, without the positions
	// Metadata gives the metadata column, or the row ids; nil if neither is wanted.
	Metadata *storage.RowMetadata

	batch vector.Batch
}

// Batch drops the columns that only the reading needed. The batch that it gives is
// valid until the next call.
func (o *Output) Batch(b *vector.Batch) *vector.Batch {
	o.batch = vector.Batch{Columns: append(o.batch.Columns[:0], b.Columns[:o.Layout.Output]...), Len: b.Len, Sel: b.Sel}
	switch {
	case o.Layout.Metadata:
		o.batch.Columns = append(o.batch.Columns, o.Metadata.Column(b))
	case o.Layout.RowIDs:
		o.batch.Columns = append(o.batch.Columns, o.Metadata.IDs(b))
	}
	if o.Layout.Positions {
		o.batch.Columns = append(o.batch.Columns, b.Columns[o.Width])
	}
	return &o.batch
}
