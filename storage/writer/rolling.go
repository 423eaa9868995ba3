package writer

import (
	"context"
	"errors"
	"io"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/object"
	"github.com/tarndb/tarn/storage/parquet"
)

// DefaultTargetFileSizeBytes is the size at which files roll by default.
const DefaultTargetFileSizeBytes = 128 << 20

// Options configure writers of data files.
type Options struct {
	Store  object.Store
	Schema types.Schema // of the files, with the names and ids that they have there
	// DataColumns are the positions, in the batches that are written, of the
	// files' columns; PartitionColumns those of the partition columns.
	DataColumns      []int
	PartitionColumns []int
	// NewPath names a new file of a partition: its path in the store.
	NewPath             func(partition []any) string
	TargetFileSizeBytes int64 // 0 for DefaultTargetFileSizeBytes
	Parquet             parquet.WriterOptions
	// NewRows begins a file of a format other than Parquet.
	NewRows func(w io.Writer, schema types.Schema) (RowWriter, error)
	// ReadRows reads what NewRows has written, as a parquet.File does; nil for Parquet.
	ReadRows func(ctx context.Context, f *storage.DataFile, o parquet.ReadOptions) (storage.BatchReader, error)
}

// RowWriter writes rows into one file, as parquet.Writer does.
type RowWriter interface {
	// Write appends the selected rows of a batch, which may be reused afterwards.
	Write(b *vector.Batch) error
	// Rows is how many rows were written.
	Rows() int64
	// Size is how many bytes the file has: an estimate until Close.
	Size() int64
	// Close ends the file and tells the statistics of its leaf columns, as far as
	// the format has them, and the number of its rows.
	Close() (stats storage.FileStats, rows int64, err error)
}

// RollingFileWriter writes rows of one partition into files that end at the
// target size. It is used by one goroutine.
type RollingFileWriter struct {
	options   *Options
	partition []any
	files     []storage.DataFile
	current   *openFile
	columns   []*vector.Vector
}

// openFile is the file that is being written.
type openFile struct {
	path   string
	object object.Writer
	rows   RowWriter
}

// PathOffset is the place of a row: a file's path in the store, and the row's
// position in the file.
type PathOffset struct {
	Path string
	Row  int64
}

// newRollingFileWriter gives a writer for one partition.
func newRollingFileWriter(o *Options, partition []any) *RollingFileWriter {
	return &RollingFileWriter{options: o, partition: partition}
}

// Write appends the selected rows of a batch. All of them come to stand in one
// file, one after the other; first is the place of the first one.
func (w *RollingFileWriter) Write(ctx context.Context, b *vector.Batch) (first PathOffset, err error) {
	if w.current == nil {
		if err := w.open(ctx); err != nil {
			return first, err
		}
	}
	first = PathOffset{Path: w.current.path, Row: w.current.rows.Rows()}
	w.columns = w.columns[:0]
	for _, c := range w.options.DataColumns {
		w.columns = append(w.columns, b.Columns[c])
	}
	if err := w.current.rows.Write(&vector.Batch{Columns: w.columns, Len: b.Len, Sel: b.Sel}); err != nil {
		return first, err
	}
	if w.current.rows.Size() >= w.options.TargetFileSizeBytes {
		err = w.roll()
	}
	return first, err
}

// open begins a file. It outlives the call, and so the context that the call has.
func (w *RollingFileWriter) open(ctx context.Context) error {
	path := w.options.NewPath(w.partition)
	out, err := w.options.Store.Create(context.WithoutCancel(ctx), path)
	if err != nil {
		return err
	}
	rows, err := w.options.newRows(out)
	if err != nil {
		return errors.Join(err, out.Abort())
	}
	w.current = &openFile{path: path, object: out, rows: rows}
	return nil
}

func (o *Options) newRows(w io.Writer) (RowWriter, error) {
	if o.NewRows != nil {
		return o.NewRows(w, o.Schema)
	}
	return parquet.NewWriter(w, o.Schema, o.Parquet)
}

// roll makes the current file durable.
func (w *RollingFileWriter) roll() error {
	f := w.current
	if f == nil {
		return nil
	}
	w.current = nil
	stats, rows, err := f.rows.Close()
	if err != nil {
		return errors.Join(err, f.object.Abort())
	}
	if err := f.object.Close(); err != nil {
		return err
	}
	w.files = append(w.files, storage.DataFile{Path: f.path, SizeBytes: f.rows.Size(), Records: rows, Partition: w.partition, Stats: stats})
	return nil
}

// abort removes everything that was written.
func (w *RollingFileWriter) abort(ctx context.Context) error {
	var errs []error
	if w.current != nil {
		errs = append(errs, w.current.object.Abort())
		w.current = nil
	}
	for _, f := range w.files {
		errs = append(errs, w.options.Store.Delete(ctx, f.Path))
	}
	w.files = nil
	return errors.Join(errs...)
}
