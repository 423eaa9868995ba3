package delta

import (
	"github.com/tarndb/tarn/storage/prune"
)

// maxBoundsFiles is the most files whose statistics are read for bounds that
// only planning uses.
const maxBoundsFiles = 10_000

// columnBounds are bounds of a column over all files; ok is false if a file
// has none.
type columnBounds struct {
	min, max any
	ok       bool
}

// ColumnBounds gives bounds of a column's values, for planning.
func (s *Snapshot) ColumnBounds(column string) (lowest, highest any, ok bool) {
	if cached, ok := s.bounds.Load(column); ok {
		b := cached.(columnBounds)
		return b.min, b.max, b.ok
	}
	b := s.computeBounds(column)
	s.bounds.Store(column, b)
	return b.min, b.max, b.ok
}

func (s *Snapshot) computeBounds(column string) columnBounds {
	i := s.metadata.schema.Index(column)
	if i < 0 || s.metadata.isPartition(i) || s.files.Len() > maxBoundsFiles {
		return columnBounds{}
	}
	t := s.metadata.schema.Fields[i].Type
	path := [][]string{{s.metadata.columns[i].Physical.Name}}
	out := columnBounds{ok: true}
	s.files.Ascend(func(f *activeFile) bool {
		stats := parseStats(f.add.Stats, path)
		r := stats.columnRange(0, t, false, true)
		if !r.MayBeValue {
			return true // only NULLs
		}
		out.ok = prune.Widen(t, &out.min, r.Min, -1) && prune.Widen(t, &out.max, r.Max, 1)
		return out.ok
	})
	out.ok = out.ok && out.min != nil
	return out
}
