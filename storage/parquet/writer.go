package parquet

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync/atomic"

	"github.com/parquet-go/parquet-go/format"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/internal/workers"
	"github.com/tarndb/tarn/storage/parquet/internal/meta"
)

// Codec is the compression of a written file.
type Codec uint8

// The codecs that files are written with.
const (
	Snappy Codec = iota
	Uncompressed
	Zstd
	Gzip
	LZ4
)

var codecs = [...]format.CompressionCodec{Snappy: format.Snappy, Uncompressed: format.Uncompressed, Zstd: format.Zstd, Gzip: format.Gzip, LZ4: format.Lz4Raw}

// WriterOptions configure a Writer. The zero value is good.
type WriterOptions struct {
	Codec         Codec
	RowGroupRows  int64 // rows of a row group; 0 means 1 Mi
	RowGroupBytes int64 // encoded bytes of a row group; 0 means 128 MiB
	PageBytes     int   // encoded bytes of a page before compression; 0 means 1 MiB
	PageRows      int   // rows of a page; 0 means 32,768
	FieldIDs      bool  // write the ids of the schema's fields
	Threads       int   // that encode columns at the same time; 0 means 1
}

const (
	defaultRowGroupRows  = 1 << 20
	defaultRowGroupBytes = 128 << 20
	defaultPageBytes     = 1 << 20
	defaultPageRows      = 16 * vector.BatchRows
	// writeBytes is the least that is written at a time, but for the end.
	// Larger chunks go past the buffer.
	writeBytes = 64 << 10
	createdBy  = "tarn version 0.1.0 (build 0)"
)

func (o WriterOptions) withDefaults() WriterOptions {
	if o.RowGroupRows <= 0 {
		o.RowGroupRows = defaultRowGroupRows
	}
	if o.RowGroupBytes <= 0 {
		o.RowGroupBytes = defaultRowGroupBytes
	}
	if o.PageBytes <= 0 {
		o.PageBytes = defaultPageBytes
	}
	if o.PageRows <= 0 {
		o.PageRows = defaultPageRows
	}
	return o
}

// Writer writes rows into one Parquet file. It is for one goroutine. After an
// error it gives that error to every call.
type Writer struct {
	w       *bufio.Writer
	o       WriterOptions
	codec   format.CompressionCodec
	footer  meta.FileMetaData
	nodes   []*writeNode
	leaves  []*leafWriter
	offset  int64       // bytes put, of which some may wait in w
	rows    int64       // in the row group at hand
	indexes []pageIndex // of the chunks written
	err     error
}

// NewWriter begins a file of a schema. It writes to w in order, in pieces of at
// least 64 KiB until Close, and never reads or seeks; closing w is the caller's
// affair.
func NewWriter(w io.Writer, schema types.Schema, o WriterOptions) (*Writer, error) {
	out := &Writer{w: bufio.NewWriterSize(w, writeBytes), o: o.withDefaults()}
	if int(o.Codec) >= len(codecs) {
		return nil, fmt.Errorf("write parquet: codec %d: %w", o.Codec, storage.ErrUnsupportedFeature)
	}
	out.codec = codecs[o.Codec]
	s := &schemaWriter{w: out}
	s.elements = []meta.SchemaElement{{Name: "schema", NumChildren: int32(len(schema.Fields)), Converted: meta.NoConverted}}
	for _, f := range schema.Fields {
		n, err := s.node(f, writePath{})
		if err != nil {
			return nil, fmt.Errorf("write parquet: %w", err)
		}
		out.nodes = append(out.nodes, n)
	}
	const typeDefinedOrder = 1
	out.footer = meta.FileMetaData{Version: 2, Schema: s.elements, CreatedBy: createdBy,
		ColumnOrders: slices.Repeat([]int16{typeDefinedOrder}, len(out.leaves))}
	return out, nil
}

// Rows is the number of rows written, which is the position of the next one.
func (w *Writer) Rows() int64 { return w.footer.NumRows + w.rows }

// Write appends the selected rows of a batch whose columns are those of the
// schema. The batch may be reused afterwards.
func (w *Writer) Write(b *vector.Batch) error {
	if w.err != nil {
		return w.err
	}
	w.err = w.write(b)
	return w.err
}

func (w *Writer) write(b *vector.Batch) error {
	if len(b.Columns) != len(w.nodes) {
		return fmt.Errorf("write parquet: batch of %d columns into a file of %d", len(b.Columns), len(w.nodes))
	}
	for from := 0; from < b.Rows(); {
		to := int(min(int64(b.Rows()), int64(from)+w.o.RowGroupRows-w.rows))
		if err := w.writeColumns(b, from, to); err != nil {
			return fmt.Errorf("write parquet: %w", err)
		}
		w.rows += int64(to - from)
		from = to
		if w.rows >= w.o.RowGroupRows || w.pendingBytes() >= w.o.RowGroupBytes {
			if err := w.flushRowGroup(); err != nil {
				return err
			}
		}
	}
	return nil
}

// threadValues is the least number of values that a thread of its own is worth.
const threadValues = 4 << 10

// writeColumns adds selected rows from to to-1 of a batch. Columns know nothing of
// each other, so several threads take one after the other.
func (w *Writer) writeColumns(b *vector.Batch, from, to int) error {
	threads := min(w.o.Threads, len(w.nodes), (to-from)*len(w.nodes)/threadValues)
	if threads <= 1 {
		for i, n := range w.nodes {
			if err := n.writeRows(b.Columns[i], b, from, to); err != nil {
				return err
			}
		}
		return nil
	}
	errs := make([]error, threads)
	var taken atomic.Int64
	var wait workers.Group
	for t := range threads {
		wait.Start(func() {
			for i := int(taken.Add(1)) - 1; i < len(w.nodes) && errs[t] == nil; i = int(taken.Add(1)) - 1 {
				errs[t] = w.nodes[i].writeRows(b.Columns[i], b, from, to)
			}
		})
	}
	wait.Wait()
	return errors.Join(errs...)
}

// pendingBytes estimates what the row group at hand will take.
func (w *Writer) pendingBytes() int64 {
	n := int64(0)
	for _, l := range w.leaves {
		n += l.pendingBytes()
	}
	return n
}

// Size is how many bytes the file has: after Close all of them, before it an
// estimate as if it ended here without the footer.
func (w *Writer) Size() int64 { return w.offset + w.pendingBytes() }

func (w *Writer) put(b []byte) error {
	n, err := w.w.Write(b)
	w.offset += int64(n)
	if err != nil {
		return fmt.Errorf("write parquet: %w", err)
	}
	return nil
}

var magic = []byte("PAR1")

func (w *Writer) flushRowGroup() error {
	if w.offset == 0 {
		if err := w.put(magic); err != nil {
			return err
		}
	}
	if w.rows == 0 {
		return nil
	}
	g := meta.RowGroup{NumRows: w.rows, FileOffset: w.offset, Ordinal: int16(min(len(w.footer.RowGroups), 1<<15-1))}
	for _, l := range w.leaves {
		chunk, err := l.flushChunk()
		if err != nil {
			return err
		}
		g.TotalByteSize += chunk.MetaData.TotalUncompressedSize
		g.TotalCompressedSize += chunk.MetaData.TotalCompressedSize
		g.Columns = append(g.Columns, chunk)
	}
	w.footer.RowGroups = append(w.footer.RowGroups, g)
	w.footer.NumRows += w.rows
	w.rows = 0
	return nil
}

// Close writes what is left and the footer. It gives the statistics of the
// leaf columns, where the row groups begin, and the number of rows.
//
// Min and Max are values, strings in full. Of FLOAT and DOUBLE they leave NaN
// out. Types without an order, and columns of NULLs, have neither.
func (w *Writer) Close() (stats storage.FileStats, rows int64, err error) {
	if w.err == nil {
		w.err = w.finish()
	}
	if w.err != nil {
		return storage.FileStats{}, 0, w.err
	}
	stats.TightBounds = true
	for _, l := range w.leaves {
		stats.Columns = append(stats.Columns, l.fileStats())
	}
	for _, g := range w.footer.RowGroups {
		stats.RowGroups = append(stats.RowGroups, g.FileOffset)
	}
	w.err = fmt.Errorf("write parquet: writer is closed")
	return stats, w.footer.NumRows, nil
}

func (w *Writer) finish() error {
	if err := w.flushRowGroup(); err != nil {
		return err
	}
	if err := w.putIndexes(); err != nil {
		return err
	}
	b, err := w.footer.Append(nil)
	if err != nil {
		return fmt.Errorf("write parquet: %w", err)
	}
	b = binary.LittleEndian.AppendUint32(b, uint32(len(b)))
	if err := w.put(append(b, magic...)); err != nil {
		return err
	}
	if err := w.w.Flush(); err != nil {
		return fmt.Errorf("write parquet: %w", err)
	}
	return nil
}
