package delta

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/deletes"
	"github.com/tarndb/tarn/storage/delta/internal/action"
	"github.com/tarndb/tarn/storage/delta/internal/schemajson"
	"github.com/tarndb/tarn/storage/internal/scanning"
	"github.com/tarndb/tarn/storage/parquet"
	"github.com/tarndb/tarn/storage/writer"
)

// deltaWriter writes rows into new files. When it completes, files that lose
// rows are written anew without them, which is copy-on-write, or get deletion
// vectors where the table has those enabled.
type deltaWriter struct {
	table   *Table
	base    *Snapshot
	rows    *writer.FanoutWriter
	keyed   *writer.EqualityDeltaWriter // nil for a writer without keys
	stats   *statsFormatter
	losing  map[fileKey]*losingFile
	vectors []storage.DataFile // files with the vectors that were written for them
	wrote   bool               // rows were written, so that files have to be completed
	read    expr.Expr          // what was read to find keys
}

// losingFile is a file that rows are taken away from.
type losingFile struct {
	file  *activeFile
	rows  *deletes.PositionSet
	whole bool
}

var _ storage.DeltaWriter = (*deltaWriter)(nil)

// NewDeltaWriter implements storage.Table.
func (t *Table) NewDeltaWriter(_ context.Context, base storage.Snapshot, options storage.WriteOptions) (storage.DeltaWriter, error) {
	s, ok := base.(*Snapshot)
	if !ok || s.metadata == nil || s.protocol.Protocol == nil {
		return nil, fmt.Errorf("write table %s: it does not exist in the state that is written to", t.name)
	}
	if err := s.CheckWrite(); err != nil {
		return nil, err
	}
	m := s.metadata
	compression, ok := m.codec()
	if !ok {
		return nil, s.unsupportedWrite("compression codec " + m.property("delta.parquet.compression.codec"))
	}
	fields, columns, err := s.fileFields()
	if err != nil {
		return nil, err
	}
	namer := &fileNamer{metadata: m, extension: compression.extension}
	size := options.TargetFileSizeBytes
	if size <= 0 {
		size = parseBytes(m.property("delta.targetFileSize"))
	}
	o := writer.Options{Store: t.store, Schema: types.Schema{Fields: fields}, DataColumns: columns,
		PartitionColumns: m.partition, TargetFileSizeBytes: size,
		NewPath: func(tuple []any) string { return t.storePath(namer.name(tuple)) },
		Parquet: parquet.WriterOptions{Codec: compression.parquet, FieldIDs: m.mapping != schemajson.ByDisplayName, Threads: options.Threads}}
	w := &deltaWriter{table: t, base: s, stats: newStatsFormatter(m, fields, columns), losing: map[fileKey]*losingFile{}, rows: writer.NewFanout(o)}
	return w, w.setKeys(o, options)
}

// fileFields are the columns of new files: all but partition columns. Fields of
// type void are never in files (protocol, "Void Type").
func (s *Snapshot) fileFields() (fields []types.Field, columns []int, err error) {
	for i, c := range s.metadata.columns {
		if s.metadata.isPartition(i) {
			continue
		}
		if c.Logical.Type.Holds(types.Void) {
			return nil, nil, s.unsupportedWrite("void within column " + types.QuoteIdent(c.Logical.Name))
		}
		f := c.Physical
		f.Nullable = true
		f.Type = allNullable(f.Type)
		fields, columns = append(fields, f), append(columns, i)
	}
	if len(fields) == 0 {
		return nil, nil, fmt.Errorf("%w: table %s has no column that its files could have", storage.ErrSchemaMismatch, s.table.name)
	}
	return fields, columns, nil
}

// allNullable makes every part but the keys of maps optional, as the other
// engines do: NOT NULL is checked before rows come here.
func allNullable(t types.Type) types.Type {
	switch t.Kind {
	case types.Struct:
		t.Fields = slices.Clone(t.Fields)
		for i := range t.Fields {
			t.Fields[i].Nullable, t.Fields[i].Type = true, allNullable(t.Fields[i].Type)
		}
	case types.Array, types.Map:
		elem := *t.Elem
		elem.Nullable, elem.Type = true, allNullable(elem.Type)
		t.Elem = &elem
	}
	return t
}

// parseBytes reads a size as 104857600, 100mb or 1g; 0 if it is none.
func parseBytes(text string) int64 {
	text = strings.TrimSuffix(strings.ToLower(strings.TrimSpace(text)), "b")
	unit := int64(1)
	for suffix, n := range map[string]int64{"k": 1 << 10, "m": 1 << 20, "g": 1 << 30} {
		if digits, ok := strings.CutSuffix(text, suffix); ok {
			text, unit = digits, n
			break
		}
	}
	n, err := strconv.ParseInt(strings.TrimSpace(text), 10, 40)
	if err != nil || n < 0 {
		return 0
	}
	return n * unit
}

// Write implements storage.TaskWriter.
func (w *deltaWriter) Write(ctx context.Context, b *vector.Batch) error {
	if err := w.checkBatch(ctx, b); err != nil {
		return err
	}
	if w.keyed != nil {
		return w.keyed.Write(ctx, w.asReadBack(b))
	}
	w.wrote = w.wrote || b.Rows() > 0
	return w.rows.Write(ctx, b)
}

func (w *deltaWriter) checkBatch(ctx context.Context, b *vector.Batch) error {
	if len(b.Columns) != len(w.base.metadata.columns) {
		return fmt.Errorf("write table %s: batch of %d columns for a table of %d", w.table.name, len(b.Columns), len(w.base.metadata.columns))
	}
	return ctx.Err()
}

// checkRemovable refuses to take rows away from an append-only table
// (protocol, "Append-only Tables").
func (w *deltaWriter) checkRemovable() error {
	if w.base.protocol.supports(featureAppendOnly) && w.base.metadata.isTrue("delta.appendOnly") {
		return fmt.Errorf("%w: table %s only takes new rows, as its property delta.appendOnly says", storage.ErrConstraint, w.table.name)
	}
	return nil
}

func (w *deltaWriter) lose(f storage.DataFile) (*losingFile, error) {
	if err := w.checkRemovable(); err != nil {
		return nil, err
	}
	file, err := entryOf(f)
	if err != nil {
		return nil, err
	}
	l, ok := w.losing[file.key()]
	if !ok {
		l = &losingFile{file: file, rows: deletes.NewPositionSet()}
		w.losing[file.key()] = l
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
		if row < 0 {
			return fmt.Errorf("delete from %s: row position %d", f.Path, row)
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
	own, err := w.completeKeyed(ctx, &result)
	if err != nil {
		return result, err
	}
	losing := make([]*losingFile, 0, len(w.losing))
	for _, l := range w.losing {
		losing = append(losing, l)
	}
	slices.SortFunc(losing, func(a, b *losingFile) int { return strings.Compare(a.file.path, b.file.path) })
	for _, l := range losing {
		if err := w.takeRows(ctx, l); err != nil {
			return result, err
		}
		result.RemovedFiles = append(result.RemovedFiles, l.file.dataFile())
	}
	result.DataFiles, result.Read = append(result.DataFiles, w.vectors...), w.read
	if w.wrote {
		files, err := w.rows.Complete(ctx)
		if err != nil {
			return result, fmt.Errorf("write table %s: %w", w.table.name, err)
		}
		for i := range files {
			result.DataFiles = append(result.DataFiles, w.dataFile(&files[i]))
		}
	}
	return result, errors.Join(ctx.Err(), w.table.RemoveFiles(ctx, own, nil))
}

// takeRows takes rows of a file away.
func (w *deltaWriter) takeRows(ctx context.Context, l *losingFile) error {
	if l.whole {
		return nil
	}
	if err := w.takeSome(ctx, l); err != nil {
		return fmt.Errorf("delete rows of %s of table %s: %w", l.file.path, w.table.name, err)
	}
	return nil
}

func (w *deltaWriter) takeSome(ctx context.Context, l *losingFile) error {
	file, err := w.table.openFile(ctx, l.file)
	if err != nil {
		return err
	}
	if last := l.rows.Max(); last >= file.Rows() {
		return fmt.Errorf("row %d of a file of %d rows", last, file.Rows())
	}
	gone, err := w.table.deletedRows(ctx, l.file)
	if err != nil {
		return err
	}
	l.rows.Or(gone)
	switch {
	case l.rows.Cardinality() == file.Rows():
		return nil // none is left
	case w.base.writesVectors() && !l.file.written:
		// A file of this transaction is written anew: its old form is garbage.
		return w.writeVector(ctx, l, file.Rows())
	}
	return w.rewrite(ctx, file, l)
}

// rewrite writes the rows of a file that stay.
func (w *deltaWriter) rewrite(ctx context.Context, file *parquet.File, l *losingFile) (err error) {
	s, err := w.base.scanFor(&scanning.Request{})
	if err != nil {
		return err
	}
	o := s.ReadOptions(storage.ScanTask{})
	o.Deletes = l.rows
	rows, err := s.readFile(file, l.file, o, storage.ScanTask{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for {
		b, err := rows.Next(ctx)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if err := w.checkBatch(ctx, b); err != nil {
			return err
		}
		w.wrote = true
		if err := w.rows.Write(ctx, b); err != nil {
			return err
		}
	}
}

// dataFile makes the add action of a file that was written.
func (w *deltaWriter) dataFile(f *storage.DataFile) storage.DataFile {
	relative := strings.TrimPrefix(f.Path, w.table.storePath(""))
	values := w.base.metadata.partitionValues(f.Partition)
	a := &action.Add{Path: encodePath(relative), PartitionValues: values, Size: f.SizeBytes, ModificationTime: time.Now().UnixMilli(),
		DataChange: true, Stats: w.stats.format(f)}
	tuple := slices.Clone(f.Partition)
	for i, v := range values {
		if v.IsNull {
			tuple[i] = nil // as the value will be read back
		}
	}
	entry := &activeFile{path: relative, add: a, partition: tuple, records: f.Records, knownWriter: true, written: true}
	out := entry.dataFile()
	out.Stats = f.Stats
	return out
}

// Abort implements storage.TaskWriter.
func (w *deltaWriter) Abort(ctx context.Context) error {
	var err error
	if w.keyed != nil {
		err = w.keyed.Abort(ctx)
	}
	return errors.Join(err, w.rows.Abort(ctx), w.table.RemoveFiles(ctx, w.vectors, nil))
}

// RemoveFiles implements storage.Table. Of a file that got a deletion vector
// only that is removed: the data file belongs to the table.
func (t *Table) RemoveFiles(ctx context.Context, files []storage.DataFile, _ []storage.DeleteFile) error {
	var errs []error
	for _, f := range files {
		entry, err := entryOf(f)
		if err == nil && entry.vector != "" {
			err = t.removeVector(ctx, f, entry.vector)
		}
		if err == nil && entry.written {
			if err = t.store.Delete(ctx, t.storePath(entry.path)); err != nil {
				err = fmt.Errorf("remove file %s of table %s: %w", f.Path, t.name, err)
			}
		}
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}
