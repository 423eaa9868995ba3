package delta

import (
	"context"
	"fmt"
	"slices"

	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/prune"
)

// scanBuilder refines a scan of a snapshot.
type scanBuilder struct {
	snapshot        *Snapshot
	columns         []string // nil for all
	positions       bool
	partitionFilter expr.Expr
	dataFilter      expr.Expr
	limit           int64 // 0 for none
}

var _ storage.ScanBuilder = (*scanBuilder)(nil)

// NewScan implements storage.Scannable.
func (s *Snapshot) NewScan() storage.ScanBuilder { return &scanBuilder{snapshot: s} }

// Support implements storage.ScanBuilder. What can be evaluated without the
// session is applied exactly: to partition values while planning, to rows by
// the reader. Of the rest, the statistics may still show that no row of a file
// can satisfy it.
func (b *scanBuilder) Support(conjunct expr.Expr) storage.FilterSupport {
	if eval.IsVolatile(conjunct) {
		return storage.Unsupported
	}
	for _, c := range expr.Columns(conjunct) {
		if c.MetaColumn || c.Index < 0 || c.Index >= len(b.snapshot.metadata.columns) || hasChar(c.T) {
			return storage.Unsupported
		}
	}
	if !prune.IsSessionFree(conjunct) {
		return storage.Inexact
	}
	if _, err := eval.Compile(conjunct, nil); err != nil {
		return storage.Unsupported
	}
	return storage.Exact
}

// exactly gives the conjuncts of a filter that the reader applies to rows.
func (b *scanBuilder) exactly(filter expr.Expr) expr.Expr {
	var exact []expr.Expr
	for _, c := range expr.SplitConjuncts(filter) {
		if b.Support(c) == storage.Exact {
			exact = append(exact, c)
		}
	}
	return expr.And(exact...)
}

// WithColumns implements storage.ScanBuilder.
func (b *scanBuilder) WithColumns(names []string) storage.ScanBuilder {
	b.columns = append([]string{}, names...)
	return b
}

// WithRowPositions implements storage.ScanBuilder.
func (b *scanBuilder) WithRowPositions() storage.ScanBuilder {
	b.positions = true
	return b
}

// WithPartitionFilter implements storage.ScanBuilder.
func (b *scanBuilder) WithPartitionFilter(f expr.Expr) storage.ScanBuilder {
	b.partitionFilter = expr.And(b.partitionFilter, f)
	return b
}

// WithDataFilter implements storage.ScanBuilder.
func (b *scanBuilder) WithDataFilter(f expr.Expr) storage.ScanBuilder {
	b.dataFilter = expr.And(b.dataFilter, f)
	return b
}

// WithLimitHint implements storage.ScanBuilder.
func (b *scanBuilder) WithLimitHint(rows int64) storage.ScanBuilder {
	b.limit = rows
	return b
}

// Build implements storage.ScanBuilder.
func (b *scanBuilder) Build(ctx context.Context) (storage.Scan, error) {
	m := b.snapshot.metadata
	if len(m.columns) == 0 && b.snapshot.version != storage.NoVersion {
		return nil, fmt.Errorf("%w: table %s has no columns; add one before reading it", storage.ErrSchemaMismatch, b.snapshot.table.name)
	}
	s := &scan{snapshot: b.snapshot, positions: b.positions}
	if err := s.chooseColumns(b.columns, b.exactly(b.dataFilter)); err != nil {
		return nil, err
	}
	files, err := b.selectFiles(ctx, &s.summary)
	if err != nil {
		return nil, fmt.Errorf("plan the scan of table %s: %w", b.snapshot.table.name, err)
	}
	s.tasks = make([]storage.ScanTask, 0, len(files))
	for _, f := range files {
		s.summary.FilesSelected++
		s.summary.BytesSelected += f.add.Size
		s.tasks = appendTasks(s.tasks, f)
	}
	return s, nil
}

// selectFiles plans: it drops files by their partition, by their statistics and
// by the limit.
func (b *scanBuilder) selectFiles(ctx context.Context, summary *storage.ScanSummary) ([]*activeFile, error) {
	index := b.snapshot.index()
	files := index.files
	summary.FilesTotal, summary.BytesTotal = len(files), index.bytes
	pruner := newFilePruner(b.snapshot.metadata, b.partitionFilter, b.dataFilter)
	if b.partitionFilter == nil {
		files = index.byStatistics(pruner, &summary.SkippedByStatistics)
	} else {
		var err error
		if files, err = pruner.byPartition(ctx, files, &summary.SkippedByPartition); err != nil {
			return nil, err
		}
		files = pruner.byStatistics(files, &summary.SkippedByStatistics)
	}
	if b.limit > 0 && b.dataFilter == nil {
		files = limitFiles(files, b.limit, &summary.SkippedByLimit)
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

// chooseColumns decides what is read of each file: the columns asked for and
// then those that only the filter needs.
func (s *scan) chooseColumns(names []string, dataFilter expr.Expr) error {
	m := s.snapshot.metadata
	if names == nil {
		names = m.schema.Names()
	}
	for k, name := range names {
		i := m.schema.Index(name)
		if i < 0 && name == storage.MetadataColumn && k == len(names)-1 {
			s.metadata = true
			break
		}
		if i < 0 {
			return fmt.Errorf("%w: table %s has no column %s", storage.ErrSchemaMismatch, s.snapshot.table.name, types.QuoteIdent(name))
		}
		s.schema.Fields = append(s.schema.Fields, m.schema.Fields[i])
		s.read = append(s.read, i)
	}
	if s.metadata {
		s.schema.Fields = append(s.schema.Fields, types.Field{Name: storage.MetadataColumn, Type: s.snapshot.MetadataColumn()})
	}
	if s.positions {
		s.schema.Fields = append(s.schema.Fields, types.Field{Name: "_position", Type: types.Of(types.BigInt)})
	}
	s.output = len(s.read)
	at := map[int]int{}
	for i, c := range s.read {
		at[c] = i
	}
	for _, c := range expr.Columns(dataFilter) {
		if _, ok := at[c.Index]; !ok {
			at[c.Index] = len(s.read)
			s.read = append(s.read, c.Index)
		}
	}
	s.filter = expr.Remap(dataFilter, at)
	for _, c := range s.read {
		s.fields = append(s.fields, m.readField(c))
	}
	s.padded = slices.ContainsFunc(s.schema.Fields, func(f types.Field) bool { return hasChar(f.Type) })
	s.renamed = m.mapping != "none" && slices.ContainsFunc(s.schema.Fields, func(f types.Field) bool { return f.Type.IsNested() })
	return nil
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
