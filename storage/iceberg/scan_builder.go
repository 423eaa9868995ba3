package iceberg

import (
	"context"
	"fmt"
	"slices"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/internal/scanning"
	"github.com/tarndb/tarn/storage/internal/workers"
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
	fields := make([]types.Field, len(layout.Read))
	for i, c := range layout.Read {
		fields[i] = s.schema.Fields[c]
	}
	var summary storage.ScanSummary
	files, index, err := s.plan(ctx, r, &summary)
	if err != nil {
		return nil, fmt.Errorf("plan the scan of table %s: %w", s.table.name, err)
	}
	out := &scan{snapshot: s, equality: newEqualityDeletes(s, index)}
	out.Scan = scanning.NewScan(layout, fields, func(f storage.DataFile) string { return f.Path })
	out.Plan(r, summary, len(files), func(i int) (storage.DataFile, bool) { return files[i].dataFile(), files[i].isWhole() })
	return out, nil
}

// scanFile is a data file with its deletes: the Entry of a storage.DataFile.
type scanFile struct {
	file    *ContentFile
	name    string // its path, relative to the table where it is below that
	deletes fileDeletes
	index   *deleteFileIndex // that has the deletes; nil for a file that was just written
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
	if s.changes != nil {
		files = append(s.changes.withoutRemoved(files), s.changes.added...)
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
	if s.changes != nil {
		deleteFiles = append(s.changes.withoutRemovedDeletes(deleteFiles), s.changes.addedDeletes...)
	}
	index, err := newDeleteFileIndex(s.metadata, deleteFiles)
	if err != nil {
		return nil, nil, err
	}
	out := make([]*scanFile, len(selected))
	for i, f := range selected {
		out[i] = &scanFile{file: f, name: s.displayPath(f.Path), deletes: index.forFile(f), index: index}
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

// files reads the live files of manifests, in their order.
func (s *Snapshot) files(ctx context.Context, manifests []*ManifestFile) ([]*ContentFile, error) {
	all, err := s.entries(ctx, manifests)
	return slices.DeleteFunc(all, func(f *ContentFile) bool { return !f.isLive() }), err
}

// entries reads the files of manifests, deleted ones too.
func (s *Snapshot) entries(ctx context.Context, manifests []*ManifestFile) ([]*ContentFile, error) {
	lists := make([][]*ContentFile, len(manifests))
	errs := make([]error, len(manifests))
	var wait workers.Group
	slots := make(chan struct{}, manifestReaders)
	for i, m := range manifests {
		slots <- struct{}{}
		wait.Start(func() {
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

// isWhole tells that no part of the file can be read without the rows before.
func (f *scanFile) isWhole() bool { return f.file.Format != "parquet" }

func (f *scanFile) dataFile() storage.DataFile {
	return storage.DataFile{Path: f.name, SizeBytes: f.file.SizeBytes, Records: f.file.Records, Deleted: f.deleted(), Entry: f}
}
