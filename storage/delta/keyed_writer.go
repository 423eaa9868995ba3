package delta

import (
	"context"
	"fmt"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/writer"
)

// setKeys lets the writer take rows away by key. The log knows of no deletes by
// key, so that rows of the table are found by reading its key columns.
func (w *deltaWriter) setKeys(o writer.Options, options storage.WriteOptions) error {
	if len(options.Keys) == 0 {
		return nil
	}
	schema := w.base.Schema()
	columns, err := writer.KeyColumns(w.table.name, schema, options.Keys)
	if err != nil {
		return err
	}
	w.keyed = writer.NewEqualityDelta(writer.EqualityOptions{Options: o, Rows: schema, KeyColumns: columns, Find: w.takeKeys, MaxKeyBytes: options.KeyBytes})
	return nil
}

// takeKeys takes away the rows of the base that have the keys.
func (w *deltaWriter) takeKeys(ctx context.Context, keys *writer.Keys) error {
	w.read = storage.UnionReads(w.read, keys.Filter())
	return keys.Find(ctx, w.base, func(f storage.DataFile, rows []int64) error { return w.DeletePositions(ctx, f, rows) })
}

// DeleteKeys implements storage.DeltaWriter.
func (w *deltaWriter) DeleteKeys(ctx context.Context, b *vector.Batch) error {
	if err := w.checkKeyed(ctx, b); err != nil {
		return err
	}
	return w.keyed.DeleteKeys(ctx, w.asReadBack(b))
}

// Upsert implements storage.DeltaWriter.
func (w *deltaWriter) Upsert(ctx context.Context, b *vector.Batch) error {
	if err := w.checkKeyed(ctx, b); err != nil {
		return err
	}
	return w.keyed.Upsert(ctx, w.asReadBack(b))
}

func (w *deltaWriter) checkKeyed(ctx context.Context, b *vector.Batch) error {
	if w.keyed == nil {
		return fmt.Errorf("write table %s: a change by key by a writer without keys", w.table.name)
	}
	return w.checkBatch(ctx, b)
}

// asReadBack gives a batch the values that its rows will have when they are read:
// the empty string is NULL in a partition column (protocol, "Partition Value
// Serialization"), and so as a key.
func (w *deltaWriter) asReadBack(b *vector.Batch) *vector.Batch {
	out := vector.Batch{Columns: append([]*vector.Vector{}, b.Columns...), Len: b.Len, Sel: b.Sel}
	for _, c := range w.base.metadata.partition {
		if b.Columns[c].Type.Physical() == types.PhysBytes {
			out.Columns[c] = emptyAsNull(b.Columns[c], b.Len)
		}
	}
	return &out
}

func emptyAsNull(v *vector.Vector, n int) *vector.Vector {
	out := vector.NewBuilder(v.Type, n)
	for i := range n {
		if v.IsNull(i) || len(v.Bytes(i)) == 0 {
			out.AppendNull()
		} else {
			out.AppendFrom(v, i)
		}
	}
	return out.Vector()
}

// completeKeyed completes the files of a writer with keys. Those that have lost
// rows to later ones of the same key are written anew; own are their old forms,
// which nothing needs any more.
func (w *deltaWriter) completeKeyed(ctx context.Context, result *storage.WriteResult) (own []storage.DataFile, err error) {
	if w.keyed == nil {
		return nil, nil
	}
	written, err := w.keyed.Complete(ctx)
	if err != nil {
		return nil, fmt.Errorf("write table %s: %w", w.table.name, err)
	}
	for i := range written.DataFiles {
		file := w.dataFile(&written.DataFiles[i])
		rows := written.Positions[written.DataFiles[i].Path]
		if rows.IsEmpty() {
			result.DataFiles = append(result.DataFiles, file)
			continue
		}
		if err := w.takeRows(ctx, &losingFile{file: file.Entry.(*activeFile), rows: rows}); err != nil {
			return nil, err
		}
		own = append(own, file)
	}
	return own, nil
}
