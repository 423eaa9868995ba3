package parquet

import "github.com/tarndb/tarn/sql/vector"

// takeShare leaves the rows of the reader's share of a row group, which are whole
// batches, in ranges. It is false if there are none.
func (r *Reader) takeShare(g RowGroup) bool {
	if r.o.Parts < 2 {
		return true
	}
	if !r.hasOffsetIndex() {
		return r.o.Part == 0
	}
	batches := (g.Rows + vector.BatchRows - 1) / vector.BatchRows
	bound := func(part int) int64 {
		return min(batches*int64(part)/int64(r.o.Parts)*vector.BatchRows, g.Rows)
	}
	share := rowRange{bound(r.o.Part), bound(r.o.Part + 1)}
	if share.from == share.to {
		return false
	}
	if r.ranges == nil {
		r.ranges = []rowRange{share}
	} else {
		r.ranges = intersect(r.ranges, []rowRange{share})
	}
	return len(r.ranges) > 0
}

// hasOffsetIndex tells whether pages of all columns that are read can be found
// without reading those before them.
func (r *Reader) hasOffsetIndex() bool {
	g := &r.file.footer.RowGroups[r.group]
	for _, c := range r.columns {
		for _, p := range c.chunks() {
			if g.Columns[p.leaf.index].OffsetIndex.Length == 0 {
				return false
			}
		}
	}
	return true
}
