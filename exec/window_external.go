package exec

import (
	"context"
	"io"

	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/sql/vector"
)

// windowRowBytes is what a call of a window needs per row: its result, the frame
// and what the function keeps.
const windowRowBytes = 32

// windowBytes is the memory that computing a window over rows takes, which are
// so many bytes with their order: they are there in the order of arrival and in
// the window's.
func windowBytes(n *plan.Window, bytes int64, rows int) int64 {
	return 2*bytes + int64(rows*len(n.Calls)*windowRowBytes)
}

// windowParts cuts rows that come in a window's order into batches of whole
// partitions. A partition that has no room in memory is an error: every row may
// depend on all others of it.
type windowParts struct {
	node    *plan.Window
	merge   *runMerge
	account *account
	rows    *vector.Collector
	cut     int // the first row of the last partition in rows
	done    bool
}

func newWindowParts(n *plan.Window, merge *runMerge, memory *nodeMemory) *windowParts {
	p := &windowParts{node: n, merge: merge, account: memory.account()}
	p.rows = vector.NewCollector(merge.rows.Types())
	return p
}

// next gives rows of whole partitions, with the window's keys, or io.EOF.
func (p *windowParts) next(ctx context.Context) (*vector.Batch, error) {
	for !p.done {
		b, err := p.merge.next(ctx)
		if err == io.EOF {
			p.done = true
			break
		}
		if err != nil {
			return nil, err
		}
		if err := p.add(b); err != nil {
			return nil, err
		}
		if p.cut > 0 && p.bytes() > p.account.memory.statement.budget.minimum() {
			return p.take(p.cut)
		}
	}
	if p.rows.Rows() == 0 {
		return nil, io.EOF
	}
	return p.take(p.rows.Rows())
}

func (p *windowParts) bytes() int64 {
	return windowBytes(p.node, batchBytes(p.rows.Batch()), p.rows.Rows())
}

// add takes more rows and finds where the last partition begins.
func (p *windowParts) add(b *vector.Batch) error {
	from := p.rows.Rows()
	if err := p.rows.Append(b); err != nil {
		return err
	}
	keys := comparators(p.rows.Batch().Columns[p.merge.columns:], p.merge.keys[:len(p.node.PartitionBy)])
	for i := int32(max(1, from)); i < int32(p.rows.Rows()); i++ {
		for _, compare := range keys {
			if compare(i-1, i) != 0 {
				p.cut = int(i)
				break
			}
		}
	}
	if p.cut == 0 {
		return p.account.need(p.bytes(), "a partition of a window")
	}
	p.account.fit(p.bytes()) // what is before the cut is about to go
	return nil
}

// take gives the first n rows and keeps the others.
func (p *windowParts) take(n int) (*vector.Batch, error) {
	all := p.rows.Batch()
	p.rows = vector.NewCollector(p.merge.rows.Types())
	rest := vector.Selection{}
	for i := n; i < all.Len; i++ {
		rest = append(rest, int32(i))
	}
	p.cut = 0
	return all.Slice(0, n), p.rows.Append(&vector.Batch{Columns: all.Columns, Len: all.Len, Sel: rest})
}
