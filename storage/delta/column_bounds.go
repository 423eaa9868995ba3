package delta

import (
	"github.com/tarndb/tarn/storage/prune"
)

// maxBoundsFiles is the most files whose statistics are read for bounds that
// only planning uses.
const maxBoundsFiles = 10_000

// ColumnBounds gives bounds of a column's values, for planning.
func (s *Snapshot) ColumnBounds(column string) (lowest, highest any, ok bool) {
	if cached, ok := s.bounds.Load(column); ok {
		b := cached.(prune.Bounds)
		return b.Min, b.Max, b.Min != nil
	}
	b := s.computeBounds(column)
	s.bounds.Store(column, b)
	return b.Min, b.Max, b.Min != nil
}

// computeBounds gives bounds over all files; none if a file has none.
func (s *Snapshot) computeBounds(column string) (out prune.Bounds) {
	i := s.metadata.schema.Index(column)
	if i < 0 || s.metadata.isPartition(i) || s.files.Len() > maxBoundsFiles {
		return out
	}
	t := s.metadata.schema.Fields[i].Type
	path := [][]string{{s.metadata.columns[i].Physical.Name}}
	ok := true
	s.files.Ascend(func(f *activeFile) bool {
		stats := parseStats(f.add.Stats, path)
		r := stats.columnRange(0, t, false, true)
		if !r.MayBeValue {
			return true // only NULLs
		}
		ok = out.Add(t, r.Min, r.Max)
		return ok
	})
	if !ok {
		return prune.Bounds{}
	}
	return out
}
