package exec

import (
	"context"
	"errors"
	"io"
	"maps"

	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/sql/vector"
)

// recursionOperator gives the rows of the anchor and then those of each round
// of the step.
type recursionOperator struct {
	x     *executor
	outer *executor // of what stands around the recursion
	node  *plan.Recursion
	round *batchOperator // the rows being given; nil before the anchor
	seen  *keyTable      // rows given before, with Distinct

	account *account
}

// recursion gives an operator that builds the step's operators for each round,
// with scans that are planned once.
func (x *executor) recursion(n *plan.Recursion) ([]operator, error) {
	inner := *x
	inner.working, inner.planned = map[*plan.WorkingTable]*vector.Batch{}, maps.Clone(x.planned)
	maps.Copy(inner.working, x.working)
	if err := inner.planScans(n); err != nil {
		return nil, err
	}
	r := &recursionOperator{x: &inner, outer: x, node: n, account: x.memoryOf(n).account()}
	if n.Distinct {
		r.seen = newKeyTable(n.Schema().Types())
	}
	return []operator{r}, nil
}

func (r *recursionOperator) next(ctx context.Context) (*vector.Batch, error) {
	for {
		if r.round != nil {
			if b, err := r.round.next(ctx); err != io.EOF {
				return b, err
			}
			if r.round.batch.Rows() == 0 {
				return nil, io.EOF
			}
		}
		if err := r.run(ctx); err != nil {
			return nil, err
		}
	}
}

// run computes the next round.
func (r *recursionOperator) run(ctx context.Context) error {
	n := r.node.Anchor
	if r.round != nil {
		n = r.node.Step
		r.x.working[r.node.Rows] = r.round.batch
	}
	r.x.filters = map[int]*dynamicFilter{}
	for rows, s := range r.x.sharing {
		if r.outer.sharing[rows] == nil {
			s.rows.account.release() // of the last round
		}
	}
	r.x.sharing = maps.Clone(r.outer.sharing)
	in, err := r.x.single(n)
	if err != nil {
		return err
	}
	rows := vector.NewCollector(r.node.Schema().Types())
	err = pump(ctx, in, func(b *vector.Batch) error {
		if r.seen != nil {
			b = r.unseen(b)
		}
		if err := rows.Append(b); err != nil {
			return err
		}
		return r.account.need(r.bytes(rows.Batch()), "a round of a recursion")
	})
	if err = errors.Join(err, in.close()); err != nil {
		return err
	}
	r.round = &batchOperator{batch: rows.Batch()}
	return nil
}

// bytes is the memory that the recursion takes with the rows of the next round.
func (r *recursionOperator) bytes(next *vector.Batch) int64 {
	size := batchBytes(next)
	if r.round != nil {
		size += batchBytes(r.round.batch)
	}
	if r.seen != nil {
		size += r.seen.bytes()
	}
	return size
}

// unseen selects the rows that were not given before.
func (r *recursionOperator) unseen(b *vector.Batch) *vector.Batch {
	next := int32(r.seen.len())
	numbers := make([]int32, b.Len)
	r.seen.insert(b.Columns, b.Sel, b.Len, numbers)
	sel := make(vector.Selection, 0, b.Rows())
	eachRow(b.Sel, b.Len, func(_, i int) {
		if numbers[i] == next { // numbers are given in order
			sel = append(sel, int32(i))
			next++
		}
	})
	return &vector.Batch{Columns: b.Columns, Len: b.Len, Sel: sel}
}

func (r *recursionOperator) close() error {
	r.account.release()
	return nil
}
