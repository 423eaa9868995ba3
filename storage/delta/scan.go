package delta

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/delta/internal/schemajson"
	"github.com/tarndb/tarn/storage/internal/scanning"
	"github.com/tarndb/tarn/storage/parquet"
)

// scan is a planned scan of a snapshot.
type scan struct {
	scanning.Scan
	snapshot *Snapshot
	renamed  bool // nested columns have other names in files
	padded   bool // there are columns of type CHAR
}

var _ storage.Scan = (*scan)(nil)

// ColumnStatistics implements storage.Scan. Whole numbers and dates have bounds
// that are values (protocol, "Per-file Statistics"); those of other types may be
// cut or rounded.
func (s *scan) ColumnStatistics(task storage.ScanTask, column int) (storage.ColumnStats, bool) {
	f, ok := task.File.Entry.(*activeFile)
	if !ok || column >= s.Layout.Output || f.records < 0 {
		return storage.ColumnStats{}, false
	}
	m, c := s.snapshot.metadata, s.Layout.Read[column]
	out := storage.ColumnStats{Type: m.schema.Fields[c].Type}
	if k := slices.Index(m.partition, c); k >= 0 {
		out.Min, out.Max = f.partition[k], f.partition[k]
		if out.Min == nil {
			out.NullCount = task.File.LiveRecords()
		}
		return out, true
	}
	if f.deleted() != 0 || strings.Contains(f.add.Stats, `"tightBounds":false`) || !out.Type.IsInteger() && out.Type.Kind != types.Date {
		return storage.ColumnStats{}, false
	}
	stats := parseStats(f.add.Stats, [][]string{{m.columns[c].Physical.Name}})
	r := stats.columnRange(0, out.Type, false, true)
	out.Min, out.Max, out.NullCount = r.Min, r.Max, stats.columns[0].nullCount
	known := stats.records == f.records && out.NullCount >= 0 && (out.NullCount == f.records || out.Min != nil && out.Max != nil)
	return out, known
}

// Narrow implements storage.Scan.
func (s *scan) Narrow(filters []storage.RuntimeFilter) storage.Scan {
	out := *s
	out.Scan = s.Narrowed(filters, func(filter expr.Expr) func(storage.DataFile) bool {
		pruner := newFilePruner(s.snapshot.metadata, nil, filter)
		return func(f storage.DataFile) bool { return pruner.mayMatch(f.Entry.(*activeFile)) }
	})
	return &out
}

// Open implements storage.Scan.
func (s *scan) Open(ctx context.Context, task storage.ScanTask) (storage.BatchReader, error) {
	r, err := s.open(ctx, task)
	if err != nil {
		return nil, fmt.Errorf("read table %s: %w", s.snapshot.table.name, err)
	}
	return r, nil
}

func (s *scan) open(ctx context.Context, task storage.ScanTask) (*taskReader, error) {
	f, ok := task.File.Entry.(*activeFile)
	if !ok {
		return nil, fmt.Errorf("file %s is of no Delta scan", task.File.Path)
	}
	t := s.snapshot.table
	file, err := t.openFile(ctx, f)
	if err != nil {
		return nil, err
	}
	deleted, err := t.deletedRows(ctx, f)
	if err != nil {
		return nil, err
	}
	o := s.ReadOptions(task)
	o.Deletes = deleted
	return s.readFile(file, f, o, task)
}

// readFile starts reading a file as the options, which are the scan's, say.
func (s *scan) readFile(file *parquet.File, f *activeFile, o parquet.ReadOptions, task storage.ScanTask) (*taskReader, error) {
	o.Constants = s.constants(f)
	o.ByID = s.snapshot.metadata.mapping == schemajson.ByID
	r := &taskReader{scan: s, output: scanning.Output{Layout: &s.Layout}}
	if s.Layout.Metadata || s.Layout.RowIDs {
		r.output.Metadata = s.snapshot.rowMetadata(f, task, &o)
	}
	r.output.Width = len(o.Columns)
	var err error
	r.rows, err = file.Read(o)
	return r, err
}

// openFile gives the footer of a data file.
func (t *Table) openFile(ctx context.Context, f *activeFile) (*parquet.File, error) {
	return t.footers.Get(footerKey{f.path, f.add.Size}, func() (*parquet.File, error) {
		store, path, err := t.resolve(f.path)
		if err != nil {
			return nil, err
		}
		return parquet.Open(ctx, store, path, f.add.Size, parquet.OpenOptions{})
	})
}

// constants are the columns that files don't have: partition values.
func (s *scan) constants(f *activeFile) map[int]*vector.Vector {
	constants := map[int]*vector.Vector{}
	for i, c := range s.Layout.Read {
		for k, p := range s.snapshot.metadata.partition {
			if p == c {
				constants[i] = vector.Single(s.Fields[i].Type, f.partition[k])
			}
		}
	}
	return constants
}

// taskReader reads a task and drops the columns that only the filter needed.
type taskReader struct {
	scan   *scan
	rows   *parquet.Reader
	output scanning.Output
}

// Next implements storage.BatchReader.
func (r *taskReader) Next(ctx context.Context) (*vector.Batch, error) {
	b, err := r.rows.Next(ctx)
	if err != nil {
		return nil, err
	}
	s := r.scan
	out := r.output.Batch(b)
	if s.renamed {
		for i, v := range out.Columns {
			out.Columns[i] = renamed(v, s.Layout.Schema.Fields[i].Type)
		}
	}
	if s.padded {
		for i, v := range out.Columns {
			out.Columns[i] = padded(v, s.Layout.Schema.Fields[i].Type)
		}
	}
	return out, nil
}

// Close implements storage.BatchReader.
func (r *taskReader) Close() error { return r.rows.Close() }

// Metrics implements storage.BatchReader.
func (r *taskReader) Metrics() storage.ReadMetrics { return r.rows.Metrics() }

// renamed gives a nested vector the field names of a type that is otherwise
// its own. It shares all values.
func renamed(v *vector.Vector, t types.Type) *vector.Vector {
	if !t.IsNested() {
		return v
	}
	out := *v
	out.Type = t
	switch {
	case v.Dict != nil:
		out.Dict = renamed(v.Dict, t)
	case t.Kind == types.Array && v.Child != nil:
		out.Child = renamed(v.Child, t.Elem.Type)
	case t.Kind == types.Map && v.Child != nil:
		out.Child = renamed(v.Child, types.StructOf(*t.Key, *t.Elem))
	case t.Kind == types.Struct && len(v.Children) == len(t.Fields):
		out.Children = make([]*vector.Vector, len(v.Children))
		for i, c := range v.Children {
			out.Children[i] = renamed(c, t.Fields[i].Type)
		}
	}
	return &out
}
