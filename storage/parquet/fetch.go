package parquet

import (
	"cmp"
	"context"
	"slices"

	"github.com/tarndb/tarn/sql/vector"
)

const (
	// maxGapBytes is what is read for nothing rather than asking once more.
	maxGapBytes = 64 << 10
	// maxRunBytes bounds the bytes asked for at once, unless a single chunk is
	// larger.
	maxRunBytes = 16 << 20
)

// piece is some bytes of a column chunk that have to be fetched: its first
// window, one page, or what comes before the first page.
type piece struct {
	pages         *pages
	start, length int64
	end           int64 // of the chunk, which may have more than the piece
	page          int   // in the offset index; -1 if the piece is no single page
	got           []byte
}

// fetch reads the chunks of columns in the current row group, neighbours
// together, and starts their pages.
func (r *Reader) fetch(ctx context.Context, columns []int) error {
	var all []piece
	for _, i := range columns {
		for _, p := range r.columns[i].chunks() {
			pieces, err := r.pieces(ctx, p)
			if err != nil {
				return err
			}
			all = append(all, pieces...)
		}
	}
	order := make([]*piece, len(all))
	for i := range all {
		order[i] = &all[i]
	}
	slices.SortFunc(order, func(a, b *piece) int { return cmp.Compare(a.start, b.start) })
	for len(order) > 0 {
		n, end := 1, order[0].start+order[0].length
		for ; n < len(order); n++ {
			next := order[n]
			if next.start-end > maxGapBytes || next.start+next.length-order[0].start > maxRunBytes {
				break
			}
			end = max(end, next.start+next.length)
		}
		if err := r.fetchRun(ctx, order[:n], end); err != nil {
			return err
		}
		order = order[n:]
	}
	r.startPages(all)
	return nil
}

// pieces lists what to fetch of a chunk: where ranges leave rows out and an
// offset index tells the pages apart, only those with rows that are left.
func (r *Reader) pieces(ctx context.Context, p *pages) ([]piece, error) {
	start, length, err := r.file.chunkRange(&r.file.footer.RowGroups[r.group], p.leaf.index)
	if err != nil {
		return nil, err
	}
	p.windowBytes = r.o.WindowBytes
	whole := []piece{{pages: p, start: start, length: min(length, int64(p.windowBytes)), end: start + length, page: -1}}
	if r.ranges == nil || !p.flat {
		return whole, nil
	}
	pages, err := r.locatePages(ctx, p)
	if err != nil || len(pages) == 0 {
		return whole, err
	}
	rows := r.file.groups[r.group].Rows
	out := []piece{{pages: p, start: start, length: pages[0].Offset - start, end: pages[0].Offset, page: -1}}
	for i, l := range pages {
		if overlaps(r.ranges, batchesOf(pageRows(pages, i, rows))) {
			out = append(out, piece{pages: p, start: l.Offset, length: int64(l.CompressedPageSize), page: i})
		}
	}
	return out, nil
}

// batchesOf widens rows to the batches that they are read in.
func batchesOf(r rowRange) rowRange {
	return rowRange{r.from / vector.BatchRows * vector.BatchRows, (r.to + vector.BatchRows - 1) / vector.BatchRows * vector.BatchRows}
}

// startPages hands the pieces, those of a chunk next to each other, out.
func (r *Reader) startPages(all []piece) {
	g := &r.file.footer.RowGroups[r.group]
	for len(all) > 0 {
		head, n := all[0], 1
		for n < len(all) && all[n].pages == head.pages {
			n++
		}
		m := &g.Columns[head.pages.leaf.index].MetaData
		if !r.isSparse(head.pages) {
			head.pages.start(m, window{data: head.got, base: head.start, end: head.end, load: head.pages.load})
		} else {
			sparse := make([][]byte, len(head.pages.locations))
			for _, c := range all[1:n] {
				sparse[c.page] = c.got
			}
			head.pages.startSparse(m, window{data: head.got, base: head.start, end: head.end}, sparse)
		}
		all = all[n:]
	}
}

// isSparse tells the chunks that pieces took apart.
func (r *Reader) isSparse(p *pages) bool {
	return r.ranges != nil && p.flat && p.located == r.group+1 && len(p.locations) > 0
}

func (r *Reader) fetchRun(ctx context.Context, run []*piece, end int64) error {
	start := run[0].start
	b := r.memory.take(int(end - start))
	if err := r.file.readAt(ctx, start, b); err != nil {
		return err
	}
	r.metrics.BytesRead += int64(len(b))
	for _, c := range run {
		c.got = b[c.start-start:][:c.length]
	}
	return nil
}
