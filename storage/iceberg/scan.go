package iceberg

import (
	"context"
	"errors"
	"fmt"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/internal/scanning"
	"github.com/tarndb/tarn/storage/parquet"
)

// scan is a planned scan of a snapshot.
type scan struct {
	scanning.Scan
	snapshot *Snapshot
	equality *equalityDeletes
}

var _ storage.Scan = (*scan)(nil)

// ColumnStatistics implements storage.Scan. Identity partition values and bounds
// of whole numbers and dates are values; bounds of other types may be cut.
func (s *scan) ColumnStatistics(task storage.ScanTask, column int) (storage.ColumnStats, bool) {
	f, ok := task.File.Entry.(*scanFile)
	if !ok || column >= s.Layout.Output || !f.deletes.isEmpty() {
		return storage.ColumnStats{}, false
	}
	field := s.Fields[column]
	out := storage.ColumnStats{Type: field.Type}
	if v, ok := f.file.identityValue(field.ID); ok {
		if out.Min, out.Max = v, v; v == nil {
			out.NullCount = f.file.Records
		}
		return out, true
	}
	m, ok := f.file.column(field.ID)
	if !ok || !field.Type.IsInteger() && field.Type.Kind != types.Date || m.NullCount < 0 || m.Values != f.file.Records {
		return out, false
	}
	out.Min, out.Max = bounds(field.Type, m.LowerBound, m.UpperBound)
	out.NullCount = m.NullCount
	return out, out.NullCount == f.file.Records || out.Min != nil && out.Max != nil
}

// Narrow implements storage.Scan.
func (s *scan) Narrow(filters []storage.RuntimeFilter) storage.Scan {
	out := *s
	out.Scan = s.Narrowed(filters, func(filter expr.Expr) func(storage.DataFile) bool {
		pruner := newFilePruner(s.snapshot, filter)
		return func(f storage.DataFile) bool { return pruner.mayMatch(f.Entry.(*scanFile).file) }
	})
	return &out
}

// Divides implements storage.Divider.
func (s *scan) Divides(task storage.ScanTask, parts int) bool {
	return !task.File.Entry.(*scanFile).isWhole() && s.Scan.Divides(task, parts)
}

// Open implements storage.Scan.
func (s *scan) Open(ctx context.Context, task storage.ScanTask) (storage.BatchReader, error) {
	r, err := s.open(ctx, task)
	if err != nil {
		return nil, fmt.Errorf("read table %s: %w", s.snapshot.table.name, err)
	}
	return r, nil
}

func (s *scan) open(ctx context.Context, task storage.ScanTask) (storage.BatchReader, error) {
	f, ok := task.File.Entry.(*scanFile)
	if !ok {
		return nil, fmt.Errorf("file %s is of no Iceberg scan", task.File.Path)
	}
	o := s.ReadOptions(task)
	o.ByID = true
	r := &taskReader{scan: s, sequence: f.file.SequenceNumber, output: scanning.Output{Layout: &s.Layout}}
	if s.Layout.Metadata || s.Layout.RowIDs {
		if err := r.addMetadata(ctx, task, &o); err != nil {
			return nil, err
		}
	}
	var err error
	if o.Deletes, err = s.snapshot.table.deletedRows(ctx, s.snapshot.metadata, f); err != nil {
		return nil, err
	}
	keys, err := s.equality.keysFor(ctx, f)
	if err != nil {
		return nil, err
	}
	for _, k := range keys {
		o.Columns = r.addKey(o.Columns, k)
	}
	r.output.Width = len(o.Columns)
	if m := r.output.Metadata; m != nil {
		m.Positions = r.output.Width
	}
	r.rows, err = s.snapshot.openFile(ctx, f.file, o)
	return r, err
}

// openFile starts reading a data or delete file of any format.
func (s *Snapshot) openFile(ctx context.Context, f *ContentFile, o parquet.ReadOptions) (storage.BatchReader, error) {
	switch f.Format {
	case "parquet":
		file, err := s.parquetFile(ctx, f)
		if err != nil {
			return nil, err
		}
		o.Constants, o.Defaults = s.missing(file, f, o.Columns), s.schema.defaultVectors()
		return file.Read(o)
	case "avro":
		return s.openAvro(ctx, f, o)
	}
	return nil, &storage.UnsupportedFeature{Table: s.table.name.String(), Feature: f.Format + " data files"}
}

// footerKey identifies a footer with the ids that the table's name mapping gives.
type footerKey struct{ path, mapping string }

// parquetFile gives the footer of a Parquet file, with field ids.
func (s *Snapshot) parquetFile(ctx context.Context, f *ContentFile) (*parquet.File, error) {
	return s.table.footers.Get(footerKey{f.Path, s.metadata.Properties[nameMappingProperty]}, func() (*parquet.File, error) {
		mapping, err := s.nameMapping()
		if err != nil {
			return nil, err
		}
		store, path, err := s.table.resolve(s.metadata, f.Path)
		if err != nil {
			return nil, err
		}
		file, err := parquet.Open(ctx, store, path, -1, parquet.OpenOptions{FieldIDs: mapping.fieldID})
		if errors.Is(err, storage.ErrDataFileMissing) {
			return nil, fmt.Errorf("%s: %w", f.Path, err)
		}
		return file, err
	})
}

// missing gives the values of columns that a file does not have: the partition
// value of an identity transform, or else the column's default (spec, "Column
// Projection").
func (s *Snapshot) missing(file *parquet.File, f *ContentFile, columns []types.Field) map[int]*vector.Vector {
	inFile := map[types.FieldID]bool{}
	for _, c := range file.Schema().Fields {
		inFile[c.ID] = true
	}
	out := map[int]*vector.Vector{}
	for i, c := range columns {
		if inFile[c.ID] {
			continue
		}
		if v, ok := s.valueOfMissing(f, c); ok {
			out[i] = vector.Single(c.Type, v)
		}
	}
	return out
}

// valueOfMissing is the value of a column for all rows of a file without it.
func (s *Snapshot) valueOfMissing(f *ContentFile, c types.Field) (any, bool) {
	if v, ok := f.identityValue(c.ID); ok {
		return v, true
	}
	return s.metadata.initialDefault(c.ID)
}

// identityValue is the value that a column has in all rows of the file, as its
// partition says.
func (f *ContentFile) identityValue(id types.FieldID) (any, bool) {
	for k, field := range f.Spec.Fields {
		if field.Transform.kind == identityTransform && field.SourceIDs[0] == id {
			return f.Partition[k], true
		}
	}
	return nil, false
}

// defaultVectors gives the defaults of fields within columns.
func (s *Schema) defaultVectors() map[types.FieldID]*vector.Vector {
	if len(s.initial) == 0 {
		return nil
	}
	out := map[types.FieldID]*vector.Vector{}
	s.walk(func(f types.Field, path []int) {
		if v, ok := s.initial[f.ID]; ok && len(path) > 1 {
			out[f.ID] = vector.Single(f.Type, v)
		}
	})
	return out
}
