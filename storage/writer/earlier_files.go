package writer

import (
	"context"
	"errors"
	"io"
	"slices"

	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/parquet"
)

// loseEarlier takes the rows of a file that an earlier epoch has written away
// which have keys of this one.
func (w *EqualityDeltaWriter) loseEarlier(ctx context.Context, f *storage.DataFile) (err error) {
	rows, err := w.readKeys(ctx, f)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	partition := w.partitionKey(f.Partition)
	var e keyEntry
	for {
		b, err := rows.Next(ctx)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		keys, positions := b.Columns[:len(w.options.KeyColumns)], b.Columns[len(w.options.KeyColumns)]
		for k := range b.Rows() {
			row := b.Row(k)
			w.key = w.key[:0]
			for _, c := range keys {
				w.key = vector.AppendKey(w.key, c, row)
			}
			e.key = string(append(w.key, partition...))
			if w.keys.Has(&e) {
				w.loseRow(PathOffset{Path: f.Path, Row: positions.Value(row).(int64)})
			}
		}
	}
}

// readKeys reads the key columns of a file of this writer, and the positions of
// the rows.
func (w *EqualityDeltaWriter) readKeys(ctx context.Context, f *storage.DataFile) (storage.BatchReader, error) {
	o := parquet.ReadOptions{Positions: true, Constants: map[int]*vector.Vector{}}
	for i, c := range w.options.KeyColumns {
		if at := slices.Index(w.options.DataColumns, c); at >= 0 {
			o.Columns = append(o.Columns, w.options.Schema.Fields[at])
			continue
		}
		field := w.options.Rows.Fields[c]
		o.Columns = append(o.Columns, field)
		o.Constants[i] = vector.Single(field.Type, f.Partition[slices.Index(w.options.PartitionColumns, c)])
	}
	if w.options.ReadRows != nil {
		return w.options.ReadRows(ctx, f, o)
	}
	file, err := parquet.Open(ctx, w.options.Store, f.Path, f.SizeBytes, parquet.OpenOptions{})
	if err != nil {
		return nil, err
	}
	return file.Read(o)
}

// partitionKey is what the partition adds to the keys of its rows.
func (w *EqualityDeltaWriter) partitionKey(tuple []any) (key []byte) {
	if w.options.WholeRows {
		for i, c := range w.options.PartitionColumns {
			key = vector.AppendKey(key, vector.Single(w.options.Rows.Fields[c].Type, tuple[i]), 0)
		}
	}
	return key
}
