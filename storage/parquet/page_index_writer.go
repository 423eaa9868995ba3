package parquet

import (
	"fmt"

	"github.com/parquet-go/parquet-go/format"

	"github.com/tarndb/tarn/storage/parquet/internal/meta"
)

// pageIndex collects where the pages of a chunk are and what they hold
// (PageIndex.md).
type pageIndex struct {
	locations []format.PageLocation
	bounds    format.ColumnIndex
	unbounded bool // a page has values but no bounds, so there is no column index
}

// add notes a page with the bounds that l has for it.
func (x *pageIndex) add(l *leafWriter, at format.PageLocation) {
	x.locations = append(x.locations, at)
	s := l.page.statistics(l)
	isNull := !l.page.some && l.page.nans == 0
	if !isNull && (s.MinValue == nil || s.MaxValue == nil) {
		x.unbounded = true
	}
	x.bounds.NullPages = append(x.bounds.NullPages, isNull)
	x.bounds.MinValues = append(x.bounds.MinValues, s.MinValue)
	x.bounds.MaxValues = append(x.bounds.MaxValues, s.MaxValue)
	x.bounds.NullCounts = append(x.bounds.NullCounts, l.page.nulls)
}

// moveTo makes offsets from the first page's into offsets in the file.
func (x *pageIndex) moveTo(start int64) {
	for i := range x.locations {
		x.locations[i].Offset += start
	}
}

// putIndexes writes the column indexes, then the offset indexes, each kind in
// one place so that a reader gets several with one read.
func (w *Writer) putIndexes() error {
	chunks := make([]*meta.ColumnChunk, 0, len(w.indexes))
	for g := range w.footer.RowGroups {
		columns := w.footer.RowGroups[g].Columns
		for c := range columns {
			chunks = append(chunks, &columns[c])
		}
	}
	var b []byte
	var err error
	for i := range chunks {
		if x := &w.indexes[i]; !x.unbounded {
			from := len(b)
			if b, err = meta.Append(b, &x.bounds); err != nil {
				return fmt.Errorf("write parquet: %w", err)
			}
			chunks[i].ColumnIndex = meta.Section{Offset: w.offset + int64(from), Length: int32(len(b) - from)}
		}
	}
	for i := range chunks {
		from := len(b)
		if b, err = meta.Append(b, &format.OffsetIndex{PageLocations: w.indexes[i].locations}); err != nil {
			return fmt.Errorf("write parquet: %w", err)
		}
		chunks[i].OffsetIndex = meta.Section{Offset: w.offset + int64(from), Length: int32(len(b) - from)}
	}
	return w.put(b)
}
