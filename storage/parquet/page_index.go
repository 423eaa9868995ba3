package parquet

import (
	"context"

	"github.com/parquet-go/parquet-go/format"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/storage/parquet/internal/meta"
	"github.com/tarndb/tarn/storage/prune"
)

// rowRange is rows [from, to) of a row group.
type rowRange struct{ from, to int64 }

// maxIndexBytes bounds the page index of a chunk that is read.
const maxIndexBytes = 16 << 20

// findRows looks at the page indexes of the row group for the rows that the
// filter may be true for: each conjunct of a single column is asked of each
// page of it. It gives nil if all rows remain.
func (r *Reader) findRows(ctx context.Context) ([]rowRange, error) {
	g := &r.file.footer.RowGroups[r.group]
	var rows []rowRange
	for _, conjunct := range expr.SplitConjuncts(r.o.Filter) {
		c, index := r.singleColumn(conjunct)
		if c == nil || g.Columns[c.pages.leaf.index].ColumnIndex.Length == 0 {
			continue
		}
		kept, err := r.findPages(ctx, conjunct, c, index)
		if err != nil {
			return nil, err
		}
		if kept == nil {
			continue
		}
		if rows == nil {
			rows = kept
		} else {
			rows = intersect(rows, kept)
		}
	}
	return rows, nil
}

// singleColumn gives the only column of the file that a conjunct reads.
func (r *Reader) singleColumn(conjunct expr.Expr) (found *flatColumn, index int) {
	for _, c := range expr.Columns(conjunct) {
		switch column := r.columns[c.Index].(type) {
		case *constantColumn:
		case *flatColumn:
			if found != nil {
				return nil, 0
			}
			found, index = column, c.Index
		default:
			return nil, 0
		}
	}
	return found, index
}

// findPages gives the rows of the pages that the conjunct may be true in; nil
// if that is all.
func (r *Reader) findPages(ctx context.Context, conjunct expr.Expr, c *flatColumn, index int) ([]rowRange, error) {
	pages, err := r.locatePages(ctx, c.pages)
	if err != nil || len(pages) < 2 {
		return nil, err
	}
	chunk := &r.file.footer.RowGroups[r.group].Columns[c.pages.leaf.index]
	b, err := r.readSection(ctx, chunk.ColumnIndex)
	if err != nil || b == nil {
		return nil, err
	}
	bounds, err := meta.ParseColumnIndex(b)
	if err != nil {
		return nil, corrupt(r.file.path, chunk.ColumnIndex.Offset, err, "column index can't be read")
	}
	if len(bounds.NullPages) != len(pages) {
		return nil, corrupt(r.file.path, chunk.ColumnIndex.Offset, nil, "column index of %d pages, and there are %d", len(bounds.NullPages), len(pages))
	}
	out := []rowRange{}
	kept := 0
	for i := range pages {
		page := r.pageRange(c.pages, bounds, i)
		if !prune.InclusiveMetrics(conjunct, r.withColumn(index, page)) {
			continue
		}
		kept++
		out = appendRange(out, pageRows(pages, i, r.file.groups[r.group].Rows))
	}
	if kept == len(pages) {
		return nil, nil
	}
	return out, nil
}

// withColumn gives constants their values and one column the range of a page.
func (r *Reader) withColumn(index int, page prune.Range) prune.Columns {
	return func(c *expr.Column) prune.Range {
		if c.Index == index {
			return page
		}
		return prune.Exactly(r.columns[c.Index].(*constantColumn).v.Value(0))
	}
}

// pageRange is what the column index says of a page, under the same rules of
// trust as the statistics of a chunk.
func (r *Reader) pageRange(p *pages, x *format.ColumnIndex, i int) prune.Range {
	if x.NullPages[i] {
		return prune.Exactly(nil)
	}
	nulls := int64(-1)
	if len(x.NullCounts) > 0 {
		nulls = x.NullCounts[i]
	}
	out := r.file.rangeOf(p, &meta.Statistics{MinValue: x.MinValues[i], MaxValue: x.MaxValues[i]})
	out.MayBeNull = nulls != 0
	return out
}

// pageRows gives the rows of page i in the row group.
func pageRows(pages []format.PageLocation, i int, rows int64) rowRange {
	if i+1 < len(pages) {
		return rowRange{pages[i].FirstRowIndex, pages[i+1].FirstRowIndex}
	}
	return rowRange{pages[i].FirstRowIndex, rows}
}

// locatePages reads the offset index of a column's chunk, once per row group;
// nil if there is none.
func (r *Reader) locatePages(ctx context.Context, p *pages) ([]format.PageLocation, error) {
	if p.located == r.group+1 {
		return p.locations, nil
	}
	p.located, p.locations = r.group+1, nil
	g := &r.file.footer.RowGroups[r.group]
	section := g.Columns[p.leaf.index].OffsetIndex
	b, err := r.readSection(ctx, section)
	if err != nil || b == nil {
		return nil, err
	}
	pages, err := meta.ParseOffsetIndex(b)
	if err != nil {
		return nil, corrupt(r.file.path, section.Offset, err, "offset index can't be read")
	}
	start, length, err := r.file.chunkRange(g, p.leaf.index)
	if err != nil {
		return nil, err
	}
	row := int64(-1)
	for i, l := range pages {
		if l.FirstRowIndex <= row || l.FirstRowIndex >= g.NumRows || i == 0 && l.FirstRowIndex != 0 ||
			l.Offset < start || l.CompressedPageSize < 0 || l.Offset-start > length-int64(l.CompressedPageSize) {
			return nil, corrupt(r.file.path, section.Offset, nil, "offset index has page %d at %d of row %d", i, l.Offset, l.FirstRowIndex)
		}
		row = l.FirstRowIndex
	}
	p.locations = pages
	return pages, nil
}

// readSection reads a part of an index; nil if there is none.
func (r *Reader) readSection(ctx context.Context, s meta.Section) ([]byte, error) {
	if s.Length == 0 {
		return nil, nil
	}
	if s.Length < 0 || s.Length > maxIndexBytes || s.Offset < 0 || s.Offset > r.file.size-int64(s.Length) {
		return nil, corrupt(r.file.path, s.Offset, nil, "page index of %d bytes in a file of %d", s.Length, r.file.size)
	}
	b := make([]byte, s.Length)
	if err := r.file.readAt(ctx, s.Offset, b); err != nil {
		return nil, err
	}
	r.metrics.BytesRead += int64(len(b))
	return b, nil
}

// appendRange appends a range that follows the others.
func appendRange(ranges []rowRange, next rowRange) []rowRange {
	if n := len(ranges); n > 0 && ranges[n-1].to == next.from {
		ranges[n-1].to = next.to
		return ranges
	}
	return append(ranges, next)
}

// intersect gives the rows in both lists of ascending ranges.
func intersect(a, b []rowRange) []rowRange {
	out := []rowRange{}
	for len(a) > 0 && len(b) > 0 {
		from, to := max(a[0].from, b[0].from), min(a[0].to, b[0].to)
		if from < to {
			out = appendRange(out, rowRange{from, to})
		}
		if a[0].to < b[0].to {
			a = a[1:]
		} else {
			b = b[1:]
		}
	}
	return out
}

// overlaps reports whether a range of ascending ones has rows in common with r.
func overlaps(ranges []rowRange, r rowRange) bool {
	for _, x := range ranges {
		if x.from < r.to {
			if r.from < x.to {
				return true
			}
			continue
		}
		break
	}
	return false
}
