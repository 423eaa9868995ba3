package iceberg

import (
	"context"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/storage/prune"
)

// maxBoundsFiles is the most files whose metrics are read for bounds that only
// planning uses.
const maxBoundsFiles = 10_000

// ColumnBounds gives bounds of a column's values, for planning. At its first call
// it reads the manifests, which the scan needs too.
func (s *Snapshot) ColumnBounds(column string) (lowest, highest any, ok bool) {
	i := s.schema.Index(column)
	if i < 0 || s.schema.Fields[i].Type.IsNested() {
		return nil, nil, false
	}
	f := s.schema.Fields[i]
	if cached, ok := s.bounds.Load(f.ID); ok {
		b := cached.(prune.Bounds)
		return b.Min, b.Max, b.Min != nil
	}
	b := s.computeBounds(f)
	s.bounds.Store(f.ID, b)
	return b.Min, b.Max, b.Min != nil
}

// computeBounds gives bounds over all files; none if a file has none.
func (s *Snapshot) computeBounds(f types.Field) (out prune.Bounds) {
	files, ok := s.dataFiles()
	if !ok {
		return out
	}
	for _, file := range files {
		m, ok := file.column(f.ID)
		if ok && m.isAllNull() {
			continue
		}
		low, high := bounds(f.Type, m.LowerBound, m.UpperBound)
		if !out.Add(f.Type, low, high) {
			return prune.Bounds{}
		}
	}
	return out
}

// dataFiles lists the data files; ok is false if they are too many, or can't be
// read, of which the scan will tell.
func (s *Snapshot) dataFiles() (files []*ContentFile, ok bool) {
	ctx := context.Background()
	list, err := s.list(ctx)
	if err != nil {
		return nil, false
	}
	var wanted []*ManifestFile
	total := int64(0)
	for _, m := range list {
		if n := m.liveFiles(); m.content == dataManifest && n != 0 {
			wanted = append(wanted, m)
			total += max(n, 1)
		}
	}
	if total > maxBoundsFiles {
		return nil, false
	}
	if files, err = s.files(ctx, wanted); err != nil {
		return nil, false
	}
	if s.changes != nil {
		files = append(s.changes.withoutRemoved(files), s.changes.added...)
	}
	return files, true
}
