package iceberg

import (
	"context"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/internal/scanning"
)

// taskReader reads a task, leaves out the rows that equality deletes take away,
// and drops the columns that only the filter or the deletes needed. Deletes by
// position are the row reader's affair.
type taskReader struct {
	scan     *scan
	rows     storage.BatchReader
	sequence int64 // data sequence number of the file
	keys     []readKey
	output   scanning.Output
	key      vector.Batch
	keep     vector.Selection
}

// readKey is a set of deleted keys and where its columns are in what is read.
type readKey struct {
	set     *keySet
	columns []keyColumn
}

// keyColumn is a field at any depth of a column that is read.
type keyColumn struct {
	column int
	path   []int
}

// addKey adds what is needed for the key to the columns that are read.
func (r *taskReader) addKey(columns []types.Field, set *keySet) []types.Field {
	k := readKey{set: set}
	for _, f := range set.fields {
		at := -1
		for i, c := range columns {
			if c.ID == f.column.ID && c.Type.Equal(f.column.Type) {
				at = i
			}
		}
		if at < 0 {
			at = len(columns)
			columns = append(columns, f.column)
		}
		k.columns = append(k.columns, keyColumn{at, f.path})
	}
	r.keys = append(r.keys, k)
	return columns
}

// Next implements storage.BatchReader.
func (r *taskReader) Next(ctx context.Context) (*vector.Batch, error) {
	for {
		b, err := r.rows.Next(ctx)
		if err != nil {
			return nil, err
		}
		if b = r.withoutDeleted(b); b.Rows() > 0 {
			return r.output.Batch(b), nil
		}
	}
}

// withoutDeleted selects the rows whose keys are not deleted. The batch is
// dense, as row readers give them.
func (r *taskReader) withoutDeleted(b *vector.Batch) *vector.Batch {
	for _, k := range r.keys {
		r.key = vector.Batch{Columns: r.key.Columns[:0], Len: b.Len}
		for _, c := range k.columns {
			r.key.Columns = append(r.key.Columns, fieldVector(b.Columns[c.column], c.path))
		}
		r.keep = k.set.rows.Keep(&r.key, r.sequence, r.keep)
		if len(r.keep) == b.Len {
			continue
		}
		b = (&vector.Batch{Columns: b.Columns, Len: b.Len, Sel: r.keep}).Compact()
	}
	return b
}

// fieldVector gives a field of a struct's rows: NULL where the struct is.
func fieldVector(v *vector.Vector, path []int) *vector.Vector {
	for _, i := range path {
		v = v.Flatten()
		child := *v.Children[i].Flatten()
		child.Valid = vector.And(child.Valid, v.Valid)
		v = &child
	}
	return v
}

// Close implements storage.BatchReader.
func (r *taskReader) Close() error { return r.rows.Close() }

// Metrics implements storage.BatchReader.
func (r *taskReader) Metrics() storage.ReadMetrics { return r.rows.Metrics() }
