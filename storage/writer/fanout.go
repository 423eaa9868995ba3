package writer

import (
	"context"
	"errors"
	"unicode/utf8"

	"github.com/google/btree"

	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
)

const (
	btreeDegree = 16
	// maxOpenFiles bounds the partitions that have an open file, and so the
	// memory of their row groups. Beyond it, the one that was written to the
	// longest ago ends its file early.
	maxOpenFiles = 128
)

// FanoutWriter routes rows to a RollingFileWriter per partition tuple. It is
// used by one goroutine.
type FanoutWriter struct {
	options    Options
	partitions *btree.BTreeG[*partitionWriter]
	open       int
	clock      int64
	key        []byte
	routed     map[string]*route
	order      []*route // in which the batch first has them
}

// partitionWriter is the writer of one partition tuple.
type partitionWriter struct {
	key      string
	rolling  *RollingFileWriter
	lastUsed int64
}

// route is the rows of a batch that go to one partition.
type route struct {
	to   *partitionWriter
	rows vector.Selection
}

// NewFanout gives a writer. Without partition columns it writes one sequence
// of files.
func NewFanout(o Options) *FanoutWriter {
	if o.TargetFileSizeBytes <= 0 {
		o.TargetFileSizeBytes = DefaultTargetFileSizeBytes
	}
	byKey := func(a, b *partitionWriter) bool { return a.key < b.key }
	return &FanoutWriter{options: o, partitions: btree.NewG(btreeDegree, byKey), routed: map[string]*route{}}
}

// Write appends the selected rows of a batch.
func (w *FanoutWriter) Write(ctx context.Context, b *vector.Batch) error {
	return w.place(ctx, b, func(*vector.Batch, PathOffset) {})
}

// place appends the selected rows of a batch and tells where they are: the parts
// that have come to stand in one file each, one row after the other, and the
// place of the first row of each part.
func (w *FanoutWriter) place(ctx context.Context, b *vector.Batch, placed func(part *vector.Batch, first PathOffset)) error {
	if b.Rows() == 0 {
		return nil
	}
	if err := w.route(b); err != nil {
		return err
	}
	for _, r := range w.order {
		part := &vector.Batch{Columns: b.Columns, Len: b.Len, Sel: r.rows}
		first, err := w.write(ctx, r.to, part)
		if err != nil {
			return err
		}
		placed(part, first)
	}
	return nil
}

// route sorts the rows of a batch by partition.
func (w *FanoutWriter) route(b *vector.Batch) error {
	clear(w.routed)
	w.order = w.order[:0]
	if len(w.options.PartitionColumns) == 0 {
		w.order = append(w.order, &route{to: w.partition("", nil), rows: b.Sel})
		return nil
	}
	for k := range b.Rows() {
		row := b.Row(k)
		w.key = w.key[:0]
		for _, c := range w.options.PartitionColumns {
			w.key = vector.AppendKey(w.key, b.Columns[c], row)
		}
		r, ok := w.routed[string(w.key)]
		if !ok {
			tuple, err := w.tuple(b, row)
			if err != nil {
				return err
			}
			r = &route{to: w.partition(string(w.key), tuple)}
			w.routed[r.to.key] = r
			w.order = append(w.order, r)
		}
		r.rows = append(r.rows, int32(row))
	}
	return nil
}

// tuple gives the partition values of a row.
func (w *FanoutWriter) tuple(b *vector.Batch, row int) ([]any, error) {
	tuple := make([]any, len(w.options.PartitionColumns))
	for i, c := range w.options.PartitionColumns {
		tuple[i] = b.Columns[c].Value(row)
		if s, ok := tuple[i].(string); ok && !utf8.ValidString(s) { // which no log in JSON can hold
			return nil, eval.NotUTF8(s)
		}
	}
	return tuple, nil
}

func (w *FanoutWriter) partition(key string, tuple []any) *partitionWriter {
	if p, ok := w.partitions.Get(&partitionWriter{key: key}); ok {
		return p
	}
	p := &partitionWriter{key: key, rolling: newRollingFileWriter(&w.options, tuple)}
	w.partitions.ReplaceOrInsert(p)
	return p
}

func (w *FanoutWriter) write(ctx context.Context, p *partitionWriter, b *vector.Batch) (first PathOffset, err error) {
	w.clock++
	p.lastUsed = w.clock
	wasOpen := p.rolling.current != nil
	if !wasOpen && w.open >= maxOpenFiles {
		if err := w.closeOldest(); err != nil {
			return first, err
		}
	}
	first, err = p.rolling.Write(ctx, b)
	if isOpen := p.rolling.current != nil; isOpen != wasOpen {
		if isOpen {
			w.open++
		} else {
			w.open--
		}
	}
	return first, err
}

func (w *FanoutWriter) closeOldest() error {
	var oldest *partitionWriter
	w.partitions.Ascend(func(p *partitionWriter) bool {
		if p.rolling.current != nil && (oldest == nil || p.lastUsed < oldest.lastUsed) {
			oldest = p
		}
		return true
	})
	w.open--
	return oldest.rolling.roll()
}

// Complete makes the files durable and lists them by partition. Rows that are
// written afterwards begin new ones.
func (w *FanoutWriter) Complete(ctx context.Context) ([]storage.DataFile, error) {
	var files []storage.DataFile
	var failure error
	w.partitions.Ascend(func(p *partitionWriter) bool {
		if failure = ctx.Err(); failure == nil {
			failure = p.rolling.roll()
		}
		files = append(files, p.rolling.files...)
		return failure == nil
	})
	w.open = 0
	return files, failure
}

// Abort removes everything that was written.
func (w *FanoutWriter) Abort(ctx context.Context) error {
	var errs []error
	w.partitions.Ascend(func(p *partitionWriter) bool {
		errs = append(errs, p.rolling.abort(ctx))
		return true
	})
	return errors.Join(errs...)
}
