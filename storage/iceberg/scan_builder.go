package iceberg

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/internal/scanning"
)

// NewScan implements storage.Scannable.
func (s *Snapshot) NewScan() storage.ScanBuilder { return scanning.NewBuilder(s.support, s.buildScan) }

func (s *Snapshot) support(conjunct expr.Expr) storage.FilterSupport {
	return scanning.Support(conjunct, len(s.schema.Fields))
}

// buildScan plans a scan (spec, "Scan Planning"): manifests are dropped by their
// partition summaries, files by their partition and by their metrics; then each
// file gets its deletes.
func (s *Snapshot) buildScan(ctx context.Context, r *scanning.Request) (storage.Scan, error) {
	layout, err := r.Layout(s.table.name, s.schema.Schema, s.MetadataColumn(), s.support)
	if err != nil {
		return nil, err
	}
	out := &scan{snapshot: s, layout: layout, filter: layout.Filter}
	for _, c := range layout.Read {
		out.fields = append(out.fields, s.schema.Fields[c])
	}
	out.fields = slices.Clip(out.fields)
	files, index, err := s.plan(ctx, r, &out.summary)
	if err != nil {
		return nil, fmt.Errorf("plan the scan of table %s: %w", s.table.name, err)
	}
	out.equality = newEqualityDeletes(s, index)
	for _, f := range files {
		out.summary.FilesSelected++
		out.summary.BytesSelected += f.file.SizeBytes
		out.tasks = appendTasks(out.tasks, f)
	}
	return out, nil
}

// scanFile is a data file with its deletes: the Entry of a storage.DataFile.
type scanFile struct {
	file    *ContentFile
	deletes fileDeletes
}

// plan selects the files.
func (s *Snapshot) plan(ctx context.Context, r *scanning.Request, summary *storage.ScanSummary) ([]*scanFile, *deleteFileIndex, error) {
	manifests, err := s.list(ctx)
	if err != nil {
		return nil, nil, err
	}
	pruner := newFilePruner(s, r.DataFilter)
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
	if r.Limit > 0 && r.DataFilter == nil {
		out = limitFiles(s, out, r.Limit, &summary.SkippedByLimit)
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
	return storage.DataFile{Path: f.file.Path, SizeBytes: f.file.SizeBytes, Records: f.file.Records, Deleted: f.deleted(), Entry: f}
}
