package delta

import (
	"context"
	"fmt"
	"slices"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/internal/scanning"
)

// NewScan implements storage.Scannable.
func (s *Snapshot) NewScan() storage.ScanBuilder { return scanning.NewBuilder(s.support, s.buildScan) }

// support tells how a scan uses a conjunct. A CHAR column has the spaces that
// belong to its values added after the reader.
func (s *Snapshot) support(conjunct expr.Expr) storage.FilterSupport {
	if slices.ContainsFunc(expr.Columns(conjunct), func(c *expr.Column) bool { return hasChar(c.T) }) {
		return storage.Unsupported
	}
	return scanning.Support(conjunct, len(s.metadata.columns))
}

// buildScan plans a scan.
func (s *Snapshot) buildScan(ctx context.Context, r *scanning.Request) (storage.Scan, error) {
	if len(s.metadata.columns) == 0 && s.version != storage.NoVersion {
		return nil, fmt.Errorf("%w: table %s has no columns; add one before reading it", storage.ErrSchemaMismatch, s.table.name)
	}
	out, err := s.scanFor(r)
	if err != nil {
		return nil, err
	}
	var summary storage.ScanSummary
	files, err := s.selectFiles(ctx, r, &summary)
	if err != nil {
		return nil, fmt.Errorf("plan the scan of table %s: %w", s.table.name, err)
	}
	out.Plan(r, summary, len(files), func(i int) (storage.DataFile, bool) { return files[i].dataFile(), false })
	return out, nil
}

// selectFiles drops files by their partition and by their statistics.
func (s *Snapshot) selectFiles(ctx context.Context, r *scanning.Request, summary *storage.ScanSummary) ([]*activeFile, error) {
	index := s.index()
	files := index.files
	summary.FilesTotal, summary.BytesTotal = len(files), index.bytes
	pruner := newFilePruner(s.metadata, r.PartitionFilter, r.DataFilter)
	if r.PartitionFilter == nil {
		files = index.byStatistics(pruner, &summary.SkippedByStatistics)
	} else {
		var err error
		if files, err = pruner.byPartition(ctx, files, &summary.SkippedByPartition); err != nil {
			return nil, err
		}
		files = pruner.byStatistics(files, &summary.SkippedByStatistics)
	}
	return files, ctx.Err()
}

// scanFor gives a scan without files that reads what the request needs.
func (s *Snapshot) scanFor(r *scanning.Request) (*scan, error) {
	m := s.metadata
	layout, err := r.Layout(s.table.name, m.schema, s.MetadataColumn(), s.support)
	if err != nil {
		return nil, err
	}
	fields := make([]types.Field, len(layout.Read))
	for i, c := range layout.Read {
		fields[i] = m.readField(c)
	}
	out := &scan{Scan: scanning.NewScan(layout, fields, func(f storage.DataFile) string { return f.Path }), snapshot: s}
	out.padded = slices.ContainsFunc(layout.Schema.Fields, func(f types.Field) bool { return hasChar(f.Type) })
	out.renamed = m.mapping != "none" && slices.ContainsFunc(layout.Schema.Fields, func(f types.Field) bool { return f.Type.IsNested() })
	return out, nil
}

// readField is how a column is asked for in a file. The names of nested fields
// are those of the file; a type without such names is the table's.
func (m *tableMetadata) readField(column int) types.Field {
	c := m.columns[column]
	f := c.Physical
	f.Nullable = true
	if !c.Logical.Type.IsNested() {
		f.Type = c.Logical.Type
	}
	return f
}
