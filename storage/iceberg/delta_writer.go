package iceberg

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/google/uuid"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/deletes"
	"github.com/tarndb/tarn/storage/internal/scanning"
	"github.com/tarndb/tarn/storage/object"
	"github.com/tarndb/tarn/storage/parquet"
	"github.com/tarndb/tarn/storage/writer"
)

// deltaWriter writes rows into new files. When it completes, files that lose
// rows are written anew without them, which is copy-on-write, or get position
// deletes or deletion vectors where the table's properties ask for merge-on-read.
type deltaWriter struct {
	table      *Table
	base       *Snapshot
	options    storage.WriteOptions
	properties *writeProperties
	files      *fileNamer
	partitions *partitioner
	rows       *writer.FanoutWriter
	kept       *writer.FanoutWriter // rows that keep their identity; nil until there are any
	keys       *keyWriter           // nil for a writer without keys
	losing     map[string]*losingFile
	equality   map[*deleteFileIndex]*equalityDeletes // read for rows that are written anew
	written    []*ContentFile                        // delete files
}

// losingFile is a file that rows are taken away from.
type losingFile struct {
	file  *scanFile
	rows  *deletes.PositionSet
	whole bool
}

var _ storage.DeltaWriter = (*deltaWriter)(nil)

// NewDeltaWriter implements storage.Table.
func (t *Table) NewDeltaWriter(ctx context.Context, base storage.Snapshot, options storage.WriteOptions) (storage.DeltaWriter, error) {
	s, ok := base.(*Snapshot)
	if !ok || len(s.metadata.Schemas) == 0 {
		return nil, fmt.Errorf("write table %s: it does not exist in the state that is written to", t.name)
	}
	if err := s.CheckWrite(); err != nil {
		return nil, err
	}
	p, err := s.metadata.writeProperties()
	if err != nil {
		return nil, err
	}
	if options.TargetFileSizeBytes <= 0 {
		options.TargetFileSizeBytes = p.targetBytes
	}
	p.parquet.Threads = options.Threads
	w := &deltaWriter{table: t, base: s, options: options, properties: p, losing: map[string]*losingFile{}, equality: map[*deleteFileIndex]*equalityDeletes{}}
	if w.files, err = newFileNamer(t, s.metadata, p); err != nil {
		return nil, err
	}
	if w.partitions, err = newPartitioner(s, s.metadata.spec(s.metadata.DefaultSpecID)); err != nil {
		return nil, err
	}
	w.rows = writer.NewFanout(w.dataOptions(s.schema.Fields))
	if len(options.Keys) > 0 {
		err = w.openKeys(ctx)
	}
	return w, err
}

// dataOptions are those of files with such columns. Fields of type unknown are
// never in files (spec, "Primitive Types").
func (w *deltaWriter) dataOptions(fields []types.Field) writer.Options {
	var schema types.Schema
	var columns []int
	for i, f := range fields {
		if f.Type.Kind != types.Void {
			schema.Fields, columns = append(schema.Fields, f), append(columns, i)
		}
	}
	o := writer.Options{Store: w.files.store, Schema: schema, DataColumns: columns,
		PartitionColumns: w.partitions.positions(len(fields)), TargetFileSizeBytes: w.options.TargetFileSizeBytes,
		NewPath: func(tuple []any) string { return w.files.path(w.partitions.directory(tuple), "."+w.properties.format) },
		NewRows: w.properties.newRows(w.properties.format)}
	if w.properties.format == "avro" {
		o.ReadRows = w.readAvro
	}
	return o
}

// readAvro reads a data file that the writer has written itself.
func (w *deltaWriter) readAvro(ctx context.Context, f *storage.DataFile, o parquet.ReadOptions) (storage.BatchReader, error) {
	body, err := w.files.store.Get(ctx, f.Path)
	if err != nil {
		return nil, dataFileError(f.Path, err)
	}
	return newAvroRows(f.Path, body, o, nil, avroValues{}, func(types.Field) any { return nil })
}

// fileNamer names new data and delete files.
type fileNamer struct {
	store    object.Store
	prefix   string // in the store
	location string // of prefix
	id       string
	count    int
}

func newFileNamer(t *Table, m *TableMetadata, p *writeProperties) (*fileNamer, error) {
	store, prefix, err := t.resolve(m, p.dataLocation)
	return &fileNamer{store: store, prefix: prefix, location: p.dataLocation, id: uuid.NewString()}, err
}

// path gives the path in the store of a new file.
func (n *fileNamer) path(directory, suffix string) string {
	n.count++
	return fmt.Sprintf("%s/%s00000-0-%s-%05d%s", n.prefix, directory, n.id, n.count, suffix)
}

// locationOf is the location of a path that the namer has given.
func (n *fileNamer) locationOf(path string) string {
	return n.location + strings.TrimPrefix(path, n.prefix)
}

// Write implements storage.TaskWriter.
func (w *deltaWriter) Write(ctx context.Context, b *vector.Batch) error {
	if w.keys != nil {
		return w.byKey(ctx, b, (*writer.EqualityDeltaWriter).Write)
	}
	if err := w.checkBatch(ctx, b); err != nil {
		return err
	}
	if w.options.RowIDs {
		return w.keep(ctx, &vector.Batch{Columns: append(slices.Clone(b.Columns), vector.NewNull(types.Of(types.BigInt), b.Len)), Len: b.Len, Sel: b.Sel})
	}
	return w.append(ctx, b)
}

// append writes rows, whatever their keys are. An open file outlives the call, and
// so the context that the call has.
func (w *deltaWriter) append(ctx context.Context, b *vector.Batch) error {
	return w.rows.Write(context.WithoutCancel(ctx), w.partitions.add(b))
}

func (w *deltaWriter) checkBatch(ctx context.Context, b *vector.Batch) error {
	width := len(w.base.schema.Fields)
	if w.options.RowIDs {
		width++
	}
	if len(b.Columns) != width {
		return fmt.Errorf("write table %s: batch of %d columns, not %d", w.table.name, len(b.Columns), width)
	}
	return ctx.Err()
}

func (w *deltaWriter) lose(f storage.DataFile) (*losingFile, error) {
	file, err := entryOf(f)
	if err != nil {
		return nil, err
	}
	l, ok := w.losing[file.file.Path]
	if !ok {
		l = &losingFile{file: file, rows: deletes.NewPositionSet()}
		w.losing[file.file.Path] = l
	}
	return l, nil
}

// DeletePositions implements storage.DeltaWriter.
func (w *deltaWriter) DeletePositions(_ context.Context, f storage.DataFile, rows []int64) error {
	if len(rows) == 0 {
		return nil
	}
	l, err := w.lose(f)
	if err != nil {
		return err
	}
	for _, row := range rows {
		if row < 0 || row >= l.file.file.Records {
			return fmt.Errorf("delete from %s: row %d of a file of %d rows", f.Path, row, l.file.file.Records)
		}
		l.rows.Add(row)
	}
	return nil
}

// DeleteFile implements storage.DeltaWriter.
func (w *deltaWriter) DeleteFile(_ context.Context, f storage.DataFile) error {
	l, err := w.lose(f)
	if err != nil {
		return err
	}
	l.whole = true
	return nil
}

// Complete implements storage.TaskWriter.
func (w *deltaWriter) Complete(ctx context.Context) (storage.WriteResult, error) {
	var result storage.WriteResult
	d := &deleteWriter{deltaWriter: w, partitionKeys: newPartitionKeys(w.base.metadata)}
	if w.keys != nil {
		if err := w.completeKeys(ctx, d, &result); err != nil {
			return result, fmt.Errorf("write table %s: %w", w.table.name, err)
		}
	}
	losing := make([]*losingFile, 0, len(w.losing))
	for _, l := range w.losing {
		losing = append(losing, l)
	}
	slices.SortFunc(losing, func(a, b *losingFile) int { return strings.Compare(a.file.file.Path, b.file.file.Path) })
	for _, l := range losing {
		if err := w.takeRows(ctx, l, d, &result); err != nil {
			return result, fmt.Errorf("delete rows of %s of table %s: %w", l.file.name, w.table.name, err)
		}
	}
	if err := d.complete(ctx, &result); err != nil {
		return result, fmt.Errorf("write table %s: %w", w.table.name, err)
	}
	for _, rows := range []*writer.FanoutWriter{w.rows, w.kept} {
		if rows == nil {
			continue
		}
		files, err := rows.Complete(ctx)
		if err != nil {
			return result, fmt.Errorf("write table %s: %w", w.table.name, err)
		}
		for i := range files {
			f, err := w.dataFile(&files[i])
			if err != nil {
				return result, err
			}
			result.DataFiles = append(result.DataFiles, f)
		}
	}
	return result, ctx.Err()
}

// takeRows takes rows of a file away.
func (w *deltaWriter) takeRows(ctx context.Context, l *losingFile, d *deleteWriter, result *storage.WriteResult) error {
	gone, err := w.table.deletedRows(ctx, w.base.metadata, l.file)
	if err != nil {
		return err
	}
	all := l.rows.Clone()
	if gone != nil {
		all.Or(gone)
	}
	isEmpty := l.whole || all.Cardinality() == l.file.file.Records
	// A file of this transaction is written anew: its old form is garbage.
	if !isEmpty && w.properties.mergeOnRead[w.options.Operation] && l.file.file.written == nil {
		d.add(l, all, result)
		return nil
	}
	if !isEmpty {
		if err := w.rewrite(ctx, l); err != nil {
			return err
		}
	}
	result.RemovedFiles = append(result.RemovedFiles, l.file.dataFile())
	result.RemovedDeletes = append(result.RemovedDeletes, l.file.ownDeletes()...)
	return nil
}

// ownDeletes are the delete files that are for this file alone.
func (f *scanFile) ownDeletes() []storage.DeleteFile {
	var out []storage.DeleteFile
	if f.deletes.vector != nil {
		out = append(out, f.deletes.vector.deleteFile())
	}
	for _, d := range f.deletes.positions {
		if d.referencedFile() == f.file.Path {
			out = append(out, d.deleteFile())
		}
	}
	return out
}

// rewrite writes the rows of a file that stay, with their identity where rows
// have one (spec, "Row Lineage").
func (w *deltaWriter) rewrite(ctx context.Context, l *losingFile) (err error) {
	rows, err := w.open(ctx, l.file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	width := len(w.base.schema.Fields)
	for {
		b, err := rows.Next(ctx)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		b = without(b, b.Columns[len(b.Columns)-1], l.rows)
		if b.Rows() == 0 {
			continue
		}
		if !w.base.metadata.hasRowLineage() {
			if err := w.append(ctx, &vector.Batch{Columns: b.Columns[:width], Len: b.Len, Sel: b.Sel}); err != nil {
				return err
			}
			continue
		}
		if err := w.move(ctx, b); err != nil {
			return err
		}
	}
}

// without leaves out the rows of a batch at some positions of their file.
func without(b *vector.Batch, positions *vector.Vector, gone *deletes.PositionSet) *vector.Batch {
	keep := vector.Selection{}
	for k := range b.Rows() {
		row := b.Row(k)
		if v, i := positions.At(row); !gone.Contains(v.Int64s[i]) {
			keep = append(keep, int32(row))
		}
	}
	return &vector.Batch{Columns: b.Columns, Len: b.Len, Sel: keep}
}

// move writes rows that do not change, with the identity that the metadata column,
// which follows the table's columns, has for them.
func (w *deltaWriter) move(ctx context.Context, b *vector.Batch) error {
	width := len(w.base.schema.Fields)
	columns := slices.Clone(b.Columns[:width])
	t := w.base.MetadataColumn()
	for _, name := range []string{"row_id", "row_commit_version"} {
		i := slices.IndexFunc(t.Fields, func(f types.Field) bool { return f.Name == name })
		columns = append(columns, fieldVector(b.Columns[width], []int{i}))
	}
	return w.keep(ctx, &vector.Batch{Columns: columns, Len: b.Len, Sel: b.Sel})
}

// keep writes rows with the values of the lineage columns behind the table's. A
// changed row has no sequence number there: it inherits that of the commit.
func (w *deltaWriter) keep(ctx context.Context, b *vector.Batch) error {
	if w.kept == nil {
		w.kept = writer.NewFanout(w.dataOptions(append(slices.Clip(w.base.schema.Fields), lineageColumns...)))
	}
	return w.kept.Write(context.WithoutCancel(ctx), w.partitions.add(b))
}

// open reads the rows of a file that its deletes leave: the table's columns, the
// metadata column where rows have an identity, and the positions.
func (w *deltaWriter) open(ctx context.Context, f *scanFile) (storage.BatchReader, error) {
	names := w.base.schema.Names()
	if w.base.metadata.hasRowLineage() {
		names = append(names, storage.MetadataColumn)
	}
	index := f.index
	if index == nil { // nothing was deleted of a file that was just written
		index = &deleteFileIndex{}
	}
	if w.equality[index] == nil {
		w.equality[index] = newEqualityDeletes(w.base, index)
	}
	r := &scanning.Request{Columns: names, Positions: true}
	layout, err := r.Layout(w.table.name, w.base.schema.Schema, w.base.MetadataColumn(), w.base.support)
	if err != nil {
		return nil, err
	}
	s := &scan{snapshot: w.base, equality: w.equality[index]}
	s.Scan = scanning.NewScan(layout, w.base.schema.Fields, func(f storage.DataFile) string { return f.Path })
	return s.Open(ctx, storage.ScanTask{File: f.dataFile(), Length: f.file.SizeBytes})
}

// dataFile describes a file that was written.
func (w *deltaWriter) dataFile(f *storage.DataFile) (storage.DataFile, error) {
	c, err := w.contentFile(f, Data, w.partitions.spec, w.properties.format)
	if err != nil {
		return storage.DataFile{}, err
	}
	out := (&scanFile{file: c, name: w.base.displayPath(c.Path)}).dataFile()
	out.Stats = f.Stats
	return out, nil
}

// unsortedID is the id of the sort order of files that have none (spec, "Sorting").
var unsortedID int32

// contentFile describes a file of rows, or of keys, that was written. Its
// sequence number is the one that it has if nobody else commits.
func (w *deltaWriter) contentFile(f *storage.DataFile, content Content, spec *PartitionSpec, format string) (*ContentFile, error) {
	c := &ContentFile{Content: content, Path: w.files.locationOf(f.Path), Format: format, Spec: spec, Partition: f.Partition, Records: f.Records, SizeBytes: f.SizeBytes,
		SortOrderID: &unsortedID, SplitOffsets: f.Stats.RowGroups, status: entryAdded, SequenceNumber: w.base.metadata.nextSequenceNumber(), written: &writtenFile{w.files.store, f.Path}}
	c.FileSequenceNumber = c.SequenceNumber
	var err error
	c.Metrics, err = w.base.metadata.fileMetrics(w.base.schema, f.Stats, f.Records)
	return c, err
}

// nextSequenceNumber is that of the next snapshot (spec, "Sequence Numbers": 0
// before v2).
func (m *TableMetadata) nextSequenceNumber() int64 {
	if m.FormatVersion < 2 {
		return 0
	}
	return m.LastSequenceNumber + 1
}

// Abort implements storage.TaskWriter.
func (w *deltaWriter) Abort(ctx context.Context) error {
	errs := []error{w.rows.Abort(ctx)}
	if w.keys != nil {
		errs = append(errs, w.keys.rows.Abort(ctx))
	}
	if w.kept != nil {
		errs = append(errs, w.kept.Abort(ctx))
	}
	for _, f := range w.written {
		errs = append(errs, f.written.remove(ctx))
	}
	return errors.Join(errs...)
}

// writtenFile is where a file was written that no snapshot has yet.
type writtenFile struct {
	store object.Store
	path  string
}

func (f *writtenFile) remove(ctx context.Context) error {
	if f == nil {
		return nil
	}
	return f.store.Delete(ctx, f.path)
}

// RemoveFiles implements storage.Table. Files that were not written through this
// handle belong to the table.
func (t *Table) RemoveFiles(ctx context.Context, files []storage.DataFile, deleteFiles []storage.DeleteFile) error {
	var errs []error
	remove := func(f *ContentFile) {
		if err := f.written.remove(ctx); err != nil {
			errs = append(errs, fmt.Errorf("remove file %s of table %s: %w", f.Path, t.name, err))
		}
	}
	for _, f := range files {
		e, err := entryOf(f)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		remove(e.file)
	}
	for _, d := range deleteFiles {
		if f, ok := d.Entry.(*ContentFile); ok {
			remove(f)
		}
	}
	return errors.Join(errs...)
}
