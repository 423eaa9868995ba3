package iceberg

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/prune"
)

// scanBuilder refines a scan of a snapshot.
type scanBuilder struct {
	snapshot  *Snapshot
	columns   []string // nil for all
	positions bool
	filter    expr.Expr
	limit     int64 // 0 for none
}

var _ storage.ScanBuilder = (*scanBuilder)(nil)

// NewScan implements storage.Scannable.
func (s *Snapshot) NewScan() storage.ScanBuilder { return &scanBuilder{snapshot: s} }

// Support implements storage.ScanBuilder. What can be evaluated without the
// session is applied to every row by the reader.
func (b *scanBuilder) Support(conjunct expr.Expr) storage.FilterSupport {
	if eval.IsVolatile(conjunct) {
		return storage.Unsupported
	}
	for _, c := range expr.Columns(conjunct) {
		if c.MetaColumn || c.Index < 0 || c.Index >= len(b.snapshot.schema.Fields) {
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

// exactly gives the conjuncts of the filter that the reader applies to rows.
func (b *scanBuilder) exactly() expr.Expr {
	var exact []expr.Expr
	for _, c := range expr.SplitConjuncts(b.filter) {
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

// WithPartitionFilter implements storage.ScanBuilder. Files have partition
// values of the spec that they were written with, so it is a filter of rows like
// any other.
func (b *scanBuilder) WithPartitionFilter(f expr.Expr) storage.ScanBuilder {
	return b.WithDataFilter(f)
}

// WithDataFilter implements storage.ScanBuilder.
func (b *scanBuilder) WithDataFilter(f expr.Expr) storage.ScanBuilder {
	b.filter = expr.And(b.filter, f)
	return b
}

// WithLimitHint implements storage.ScanBuilder.
func (b *scanBuilder) WithLimitHint(rows int64) storage.ScanBuilder {
	b.limit = rows
	return b
}

// Build implements storage.ScanBuilder (spec, "Scan Planning"): manifests are
// dropped by their partition summaries, files by their partition and by their
// metrics; then each file gets its deletes.
func (b *scanBuilder) Build(ctx context.Context) (storage.Scan, error) {
	s := &scan{snapshot: b.snapshot, positions: b.positions}
	if err := s.chooseColumns(b.columns, b.exactly()); err != nil {
		return nil, err
	}
	files, index, err := b.plan(ctx, &s.summary)
	if err != nil {
		return nil, fmt.Errorf("plan the scan of table %s: %w", b.snapshot.table.name, err)
	}
	s.equality = newEqualityDeletes(b.snapshot, index)
	for _, f := range files {
		s.summary.FilesSelected++
		s.summary.BytesSelected += f.file.SizeBytes
		s.tasks = appendTasks(s.tasks, f)
	}
	return s, nil
}

// scanFile is a data file with its deletes: the Entry of a storage.DataFile.
type scanFile struct {
	file    *ContentFile
	deletes fileDeletes
}

// plan selects the files.
func (b *scanBuilder) plan(ctx context.Context, summary *storage.ScanSummary) ([]*scanFile, *deleteFileIndex, error) {
	s := b.snapshot
	manifests, err := s.list(ctx)
	if err != nil {
		return nil, nil, err
	}
	pruner := newFilePruner(s, b.filter)
	var wanted, deletes []*ManifestFile
	for _, m := range manifests {
		switch {
		case m.AddedFiles == 0 && m.ExistingFiles == 0:
		case m.content == deletesManifest:
			deletes = append(deletes, m)
		case pruner.mayMatchManifest(m):
			wanted = append(wanted, m)
		default:
			summary.FilesTotal += int(max(m.liveFiles(), 0))
			summary.SkippedManifests = append(summary.SkippedManifests, s.displayPath(m.Path))
		}
	}
	files, err := s.files(ctx, wanted)
	if err != nil {
		return nil, nil, err
	}
	var selected []*ContentFile
	for _, f := range files {
		summary.FilesTotal++
		summary.BytesTotal += f.SizeBytes
		if name := s.displayPath(f.Path); !pruner.mayMatchPartition(f) {
			summary.SkippedByPartition = append(summary.SkippedByPartition, name)
		} else if !pruner.mayMatch(f) {
			summary.SkippedByStatistics = append(summary.SkippedByStatistics, name)
		} else {
			selected = append(selected, f)
		}
	}
	deleteFiles, err := s.files(ctx, deletes)
	if err != nil {
		return nil, nil, err
	}
	index := newDeleteFileIndex(s.metadata, deleteFiles)
	out := make([]*scanFile, len(selected))
	for i, f := range selected {
		out[i] = &scanFile{file: f, deletes: index.forFile(f)}
	}
	if b.limit > 0 && b.filter == nil {
		out = limitFiles(s, out, b.limit, &summary.SkippedByLimit)
	}
	return out, index, ctx.Err()
}

// displayPath is a location relative to the table.
func (s *Snapshot) displayPath(location string) string {
	if relative, ok := s.metadata.relative(location); ok {
		return relative
	}
	return location
}

// limitFiles keeps the first files that have enough rows for certain.
func limitFiles(s *Snapshot, files []*scanFile, limit int64, skipped *[]string) []*scanFile {
	var certain int64
	for i, f := range files {
		certain += max(f.liveRecords(), 0)
		if certain >= limit {
			for _, rest := range files[i+1:] {
				*skipped = append(*skipped, s.displayPath(rest.file.Path))
			}
			return files[:i+1]
		}
	}
	return files
}

// deleted is the number of rows that the deletes take away; -1 if unknown.
func (f *scanFile) deleted() int64 {
	switch {
	case len(f.deletes.positions)+len(f.deletes.equality) > 0:
		return -1
	case f.deletes.vector != nil:
		return f.deletes.vector.Records
	}
	return 0
}

func (f *scanFile) liveRecords() int64 {
	if d := f.deleted(); d >= 0 {
		return f.file.Records - d
	}
	return -1
}

// files reads the live files of manifests, in their order.
func (s *Snapshot) files(ctx context.Context, manifests []*ManifestFile) ([]*ContentFile, error) {
	all, err := s.entries(ctx, manifests)
	return slices.DeleteFunc(all, func(f *ContentFile) bool { return !f.isLive() }), err
}

// entries reads the files of manifests, deleted ones too.
func (s *Snapshot) entries(ctx context.Context, manifests []*ManifestFile) ([]*ContentFile, error) {
	lists := make([][]*ContentFile, len(manifests))
	errs := make([]error, len(manifests))
	var wait sync.WaitGroup
	slots := make(chan struct{}, manifestReaders)
	for i, m := range manifests {
		slots <- struct{}{}
		wait.Go(func() {
			defer func() { <-slots }()
			lists[i], errs[i] = s.table.manifest(ctx, s.metadata, m)
		})
	}
	wait.Wait()
	var out []*ContentFile
	for i, list := range lists {
		if errs[i] != nil {
			return nil, errs[i]
		}
		out = append(out, list...)
	}
	return out, nil
}

// manifestReaders is how many manifests are read at the same time.
const manifestReaders = 8

// manifest reads a manifest, or gives it as it was read before: it never
// changes.
func (t *Table) manifest(ctx context.Context, m *TableMetadata, file *ManifestFile) ([]*ContentFile, error) {
	return t.manifests.Get(file.Path, func() ([]*ContentFile, error) {
		body, path, err := t.get(ctx, m, file.Path)
		if err != nil {
			return nil, err
		}
		list, err := parseManifest(body, file, m)
		return list, t.blame(path, "manifest can't be understood", err)
	})
}

// splitBytes is how much of a file a task reads at most.
const splitBytes = 128 << 20

func appendTasks(tasks []storage.ScanTask, f *scanFile) []storage.ScanTask {
	file := f.dataFile()
	size := f.file.SizeBytes
	for offset := int64(0); offset == 0 || offset < size && f.file.Format == "parquet"; offset += splitBytes {
		length := min(splitBytes, size-offset)
		if f.file.Format != "parquet" {
			length = size
		}
		tasks = append(tasks, storage.ScanTask{File: file, Offset: offset, Length: length})
	}
	return tasks
}

func (f *scanFile) dataFile() storage.DataFile {
	return storage.DataFile{Path: f.file.Path, SizeBytes: f.file.SizeBytes, Records: f.file.Records, Deleted: f.deleted(), Partition: f.file.Partition, Entry: f}
}

// chooseColumns decides what is read of each file: the columns asked for and
// then those that only the filter needs.
func (s *scan) chooseColumns(names []string, filter expr.Expr) error {
	schema := s.snapshot.schema
	if names == nil {
		names = schema.Names()
	}
	for k, name := range names {
		i := schema.Index(name)
		if i < 0 && name == storage.MetadataColumn && k == len(names)-1 {
			s.metadata = true
			break
		}
		if i < 0 {
			return fmt.Errorf("%w: table %s has no column %s", storage.ErrSchemaMismatch, s.snapshot.table.name, types.QuoteIdent(name))
		}
		s.schema.Fields = append(s.schema.Fields, schema.Fields[i])
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
	for _, c := range expr.Columns(filter) {
		if _, ok := at[c.Index]; !ok {
			at[c.Index] = len(s.read)
			s.read = append(s.read, c.Index)
		}
	}
	s.filter = expr.Remap(filter, at)
	for _, c := range s.read {
		s.fields = append(s.fields, schema.Fields[c])
	}
	s.fields = slices.Clip(s.fields)
	return nil
}
