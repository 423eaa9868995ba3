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
	files, err := s.selectFiles(ctx, r, &out.summary)
	if err != nil {
		return nil, fmt.Errorf("plan the scan of table %s: %w", s.table.name, err)
	}
	out.tasks = make([]storage.ScanTask, 0, len(files))
	for _, f := range files {
		out.summary.FilesSelected++
		out.summary.BytesSelected += f.add.Size
		out.tasks = appendTasks(out.tasks, f)
	}
	return out, nil
}

// selectFiles plans: it drops files by their partition, by their statistics and
// by the limit.
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
	if r.Limit > 0 && r.DataFilter == nil {
		files = limitFiles(files, r.Limit, &summary.SkippedByLimit)
	}
	return files, ctx.Err()
}

// limitFiles keeps the first files that have enough rows for certain.
func limitFiles(files []*activeFile, limit int64, skipped *[]string) []*activeFile {
	var certain int64
	for i, f := range files {
		if f.records >= 0 {
			certain += max(f.records-f.deleted(), 0)
		}
		if certain >= limit {
			for _, rest := range files[i+1:] {
				*skipped = append(*skipped, rest.path)
			}
			return files[:i+1]
		}
	}
	return files
}

// splitBytes is how much of a file a task reads at most.
const splitBytes = 128 << 20

func appendTasks(tasks []storage.ScanTask, f *activeFile) []storage.ScanTask {
	file := f.dataFile()
	for offset := int64(0); offset == 0 || offset < f.add.Size; offset += splitBytes {
		tasks = append(tasks, storage.ScanTask{File: file, Offset: offset, Length: min(splitBytes, f.add.Size-offset)})
	}
	return tasks
}

// scanFor gives a scan without files that reads what the request needs.
func (s *Snapshot) scanFor(r *scanning.Request) (*scan, error) {
	m := s.metadata
	layout, err := r.Layout(s.table.name, m.schema, s.MetadataColumn(), s.support)
	if err != nil {
		return nil, err
	}
	out := &scan{snapshot: s, layout: layout, filter: layout.Filter}
	for _, c := range layout.Read {
		out.fields = append(out.fields, m.readField(c))
	}
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
