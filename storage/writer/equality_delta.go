package writer

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/btree"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/deletes"
)

// DefaultMaxKeyBytes bounds the keys that an EqualityDeltaWriter keeps by default.
const DefaultMaxKeyBytes = 128 << 20

// EqualityOptions configure an EqualityDeltaWriter.
type EqualityOptions struct {
	Options                 // of the data files
	Rows       types.Schema // of the batches
	KeyColumns []int        // positions in the batches; see KeyColumns
	// Deletes are the options of the equality delete files; nil for a table without
	// them. Without partition columns, a delete counts for the whole table.
	Deletes *Options
	// Find takes the rows of the table away that have the keys, as far as equality
	// deletes don't reach them; nil where they reach all. It is called at the end
	// of each epoch in which there are any.
	Find func(ctx context.Context, keys *Keys) error
	// WholeRows is WriteOptions.WholeRows: the writer is fed from a changelog. A row
	// is then of the partition that it is written to or deleted from, and a key
	// has no rows in the table when it is written before it is deleted.
	WholeRows   bool
	MaxKeyBytes int64 // at which an epoch ends; 0 for DefaultMaxKeyBytes
}

// EqualityResult is what an EqualityDeltaWriter wrote.
type EqualityResult struct {
	DataFiles       []storage.DataFile
	EqualityDeletes []storage.DataFile
	// Positions are the rows of DataFiles, by path, that the writer has taken away
	// again.
	Positions map[string]*deletes.PositionSet
}

// EqualityDeltaWriter writes rows and takes rows away by key. It is used by one
// goroutine. After an error only Abort may be called.
//
//  1. A row that this writer has written is taken away by its position: equality
//     deletes don't reach rows of their own commit (Iceberg spec, "Scan Planning").
//  2. Older rows are taken away by equality or by Find, once per key and epoch.
//  3. The keys written and deleted are kept until they take MaxKeyBytes. Then the
//     epoch ends: files are completed, and the rows with these keys that earlier
//     epochs have written are found by reading their files.
type EqualityDeltaWriter struct {
	options   EqualityOptions
	rows      *FanoutWriter
	equality  *FanoutWriter            // nil for a table without equality deletes
	keys      *btree.BTreeG[*keyEntry] // of this epoch
	keyBytes  int64
	earlier   []storage.DataFile // of earlier epochs
	positions map[string]*deletes.PositionSet

	key      []byte
	places   []PathOffset     // of the rows of the batch
	deleting vector.Selection // rows of the batch whose keys go to an equality delete file
}

// keyEntry is what an epoch has done with a key.
type keyEntry struct {
	key     string
	row     PathOffset // of the row that has the key; no path if there is none
	deleted bool       // older rows were deleted
}

// keyEntryBytes is what a keyEntry takes besides its key.
const keyEntryBytes = 80

// NewEqualityDelta gives a writer.
func NewEqualityDelta(o EqualityOptions) *EqualityDeltaWriter {
	if o.MaxKeyBytes <= 0 {
		o.MaxKeyBytes = DefaultMaxKeyBytes
	}
	w := &EqualityDeltaWriter{options: o, rows: NewFanout(o.Options), keys: newKeyTree(), positions: map[string]*deletes.PositionSet{}}
	if o.Deletes != nil {
		w.equality = NewFanout(*o.Deletes)
	}
	return w
}

func newKeyTree() *btree.BTreeG[*keyEntry] {
	return btree.NewG(btreeDegree, func(a, b *keyEntry) bool { return a.key < b.key })
}

// Write appends the selected rows of a batch, each in place of the one of its key
// that this writer has written before.
func (w *EqualityDeltaWriter) Write(ctx context.Context, b *vector.Batch) error {
	if err := w.place(ctx, b); err != nil {
		return err
	}
	for k := range b.Rows() {
		w.written(w.entry(b, b.Row(k)), b.Row(k))
	}
	return w.finish(ctx, b)
}

// DeleteKeys takes away the rows that have the keys of the batch's selected rows.
func (w *EqualityDeltaWriter) DeleteKeys(ctx context.Context, b *vector.Batch) error {
	for k := range b.Rows() {
		w.delete(w.entry(b, b.Row(k)), b.Row(k))
	}
	return w.finish(ctx, b)
}

// Upsert is DeleteKeys and then Write, row by row.
func (w *EqualityDeltaWriter) Upsert(ctx context.Context, b *vector.Batch) error {
	if err := w.place(ctx, b); err != nil {
		return err
	}
	for k := range b.Rows() {
		e := w.entry(b, b.Row(k))
		w.delete(e, b.Row(k))
		w.written(e, b.Row(k))
	}
	return w.finish(ctx, b)
}

// place writes the rows of a batch and notes where each of them is.
func (w *EqualityDeltaWriter) place(ctx context.Context, b *vector.Batch) error {
	if len(w.places) < b.Len {
		w.places = make([]PathOffset, b.Len)
	}
	return w.rows.place(ctx, b, func(part *vector.Batch, first PathOffset) {
		for k := range part.Rows() {
			w.places[part.Row(k)] = PathOffset{Path: first.Path, Row: first.Row + int64(k)}
		}
	})
}

// entry gives the entry of a row's key, a new one if the epoch has none.
func (w *EqualityDeltaWriter) entry(b *vector.Batch, row int) *keyEntry {
	w.key = w.key[:0]
	for _, c := range w.options.KeyColumns {
		w.key = vector.AppendKey(w.key, b.Columns[c], row)
	}
	if w.options.WholeRows {
		for _, c := range w.options.PartitionColumns {
			w.key = vector.AppendKey(w.key, b.Columns[c], row)
		}
	}
	e := &keyEntry{key: string(w.key)}
	if known, ok := w.keys.Get(e); ok {
		return known
	}
	w.keys.ReplaceOrInsert(e)
	w.keyBytes += int64(len(e.key)) + keyEntryBytes
	return e
}

// written makes a row the one that has the key.
func (w *EqualityDeltaWriter) written(e *keyEntry, row int) {
	w.lose(e)
	e.row = w.places[row]
}

// delete takes the rows of a key away.
func (w *EqualityDeltaWriter) delete(e *keyEntry, row int) {
	isOwn := w.lose(e)
	if e.deleted || isOwn && w.options.WholeRows {
		return
	}
	e.deleted = true
	w.deleting = append(w.deleting, int32(row))
}

// lose takes the row of a key away by its position, if this epoch has written one.
func (w *EqualityDeltaWriter) lose(e *keyEntry) bool {
	if e.row.Path == "" {
		return false
	}
	w.loseRow(e.row)
	e.row = PathOffset{}
	return true
}

func (w *EqualityDeltaWriter) loseRow(at PathOffset) {
	rows, ok := w.positions[at.Path]
	if !ok {
		rows = deletes.NewPositionSet()
		w.positions[at.Path] = rows
	}
	rows.Add(at.Row)
}

// finish writes the equality deletes that a batch asks for, and ends the epoch
// when it has too many keys.
func (w *EqualityDeltaWriter) finish(ctx context.Context, b *vector.Batch) error {
	if len(w.deleting) > 0 && w.equality != nil {
		if err := w.equality.Write(ctx, &vector.Batch{Columns: b.Columns, Len: b.Len, Sel: w.deleting}); err != nil {
			return err
		}
	}
	w.deleting = w.deleting[:0]
	if w.keyBytes < w.options.MaxKeyBytes {
		return nil
	}
	return w.endEpoch(ctx)
}

// endEpoch takes away what is not known by position, and forgets the keys.
func (w *EqualityDeltaWriter) endEpoch(ctx context.Context) error {
	if w.options.Find != nil {
		if keys := w.deletedKeys(); keys.Len() > 0 {
			if err := w.options.Find(ctx, keys); err != nil {
				return err
			}
		}
	}
	for i := range w.earlier {
		if err := w.loseEarlier(ctx, &w.earlier[i]); err != nil {
			return fmt.Errorf("find keys in %s: %w", w.earlier[i].Path, err)
		}
	}
	w.keys, w.keyBytes = newKeyTree(), 0
	var err error
	w.earlier, err = w.rows.Complete(ctx)
	return err
}

// deletedKeys are the keys of this epoch whose older rows are deleted.
func (w *EqualityDeltaWriter) deletedKeys() *Keys {
	keys := newKeys(w.options.Rows, w.options.KeyColumns)
	w.keys.Ascend(func(e *keyEntry) bool {
		if e.deleted {
			keys.add(e.key)
		}
		return true
	})
	keys.flush()
	return keys
}

// Complete makes the files durable.
func (w *EqualityDeltaWriter) Complete(ctx context.Context) (result EqualityResult, err error) {
	if err := w.endEpoch(ctx); err != nil {
		return result, err
	}
	result.DataFiles, result.Positions = w.earlier, w.positions
	if w.equality != nil {
		result.EqualityDeletes, err = w.equality.Complete(ctx)
	}
	return result, err
}

// Abort removes everything that was written.
func (w *EqualityDeltaWriter) Abort(ctx context.Context) error {
	err := w.rows.Abort(ctx)
	if w.equality != nil {
		err = errors.Join(err, w.equality.Abort(ctx))
	}
	return err
}
