package parquet

import (
	"cmp"
	"context"
	"slices"

	"github.com/tarndb/tarn/storage/parquet/internal/compress"
)

const (
	// maxGapBytes is what is read for nothing rather than asking once more.
	maxGapBytes = 64 << 10
	// maxRunBytes bounds the bytes asked for at once, unless a single chunk is
	// larger.
	maxRunBytes = 16 << 20
)

// chunkBytes is a column chunk that has to be fetched.
type chunkBytes struct {
	pages         *pages
	start, length int64
}

// fetch reads the chunks of columns in the current row group, neighbours
// together, and starts their pages.
func (r *Reader) fetch(ctx context.Context, columns []int) error {
	g := &r.file.footer.RowGroups[r.group]
	var chunks []chunkBytes
	for _, i := range columns {
		for _, p := range r.columns[i].chunks() {
			start, length, err := r.file.chunkRange(g, p.leaf.index)
			if err != nil {
				return err
			}
			chunks = append(chunks, chunkBytes{p, start, length})
		}
	}
	slices.SortFunc(chunks, func(a, b chunkBytes) int { return cmp.Compare(a.start, b.start) })
	for len(chunks) > 0 {
		n, end := 1, chunks[0].start+chunks[0].length
		for ; n < len(chunks); n++ {
			next := chunks[n]
			if next.start-end > maxGapBytes || next.start+next.length-chunks[0].start > maxRunBytes {
				break
			}
			end = max(end, next.start+next.length)
		}
		if err := r.fetchRun(ctx, chunks[:n], end); err != nil {
			return err
		}
		chunks = chunks[n:]
	}
	return nil
}

func (r *Reader) fetchRun(ctx context.Context, run []chunkBytes, end int64) error {
	start := run[0].start
	b := r.memory.take(int(end-start), compress.Slack)
	if err := r.file.readAt(ctx, start, b); err != nil {
		return err
	}
	r.metrics.BytesRead += int64(len(b))
	g := &r.file.footer.RowGroups[r.group]
	for _, c := range run {
		from := c.start - start
		c.pages.start(&g.Columns[c.pages.leaf.index].MetaData, c.start, b[from:from+c.length])
	}
	return nil
}
