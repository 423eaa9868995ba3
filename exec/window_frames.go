package exec

import (
	"context"

	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// frames gives the frame of each row, as eval.WindowRows has them.
func (w *windowRows) frames(ctx context.Context, f plan.Frame, env *eval.Env) (from, to []int32, err error) {
	if from, err = w.bounds(ctx, f, f.Start, false, env); err != nil {
		return nil, nil, err
	}
	if to, err = w.bounds(ctx, f, f.End, true, env); err != nil {
		return nil, nil, err
	}
	for i := range to {
		to[i] = max(from[i], to[i]) // a frame that ends before it begins is empty
	}
	return from, to, nil
}

// bounds gives for each row the first row of its frame or, for an end, the row
// behind its last one.
func (w *windowRows) bounds(ctx context.Context, f plan.Frame, b plan.FrameBound, isEnd bool, env *eval.Env) ([]int32, error) {
	out := make([]int32, w.Len)
	behind := int64(0)
	if isEnd {
		behind = 1
	}
	switch {
	case b.Edge != nil:
		return out, w.edges(ctx, f.Key, b.Edge, isEnd, env, out)
	case b.Kind == plan.FrameUnbounded:
		w.eachPartition(func(start, end int32, _ []int32) {
			for i := start; i < end; i++ {
				out[i] = w.unbounded(start, end, isEnd)
			}
		})
	case f.Unit == plan.FrameRows:
		w.eachPartition(func(start, end int32, _ []int32) {
			for i := start; i < end; i++ {
				out[i] = int32(min(max(int64(i)+b.Offset+behind, int64(start)), int64(end)))
			}
		})
	default:
		w.eachPartition(func(_, _ int32, peers []int32) {
			last := int64(len(peers) - 1)
			for g := range last {
				at := peers[min(max(g+b.Offset+behind, 0), last)]
				for i := peers[g]; i < peers[g+1]; i++ {
					out[i] = at
				}
			}
		})
	}
	return out, nil
}

func (w *windowRows) unbounded(start, end int32, isEnd bool) int32 {
	if isEnd {
		return end
	}
	return start
}

// eachPartition gives the partitions with the first rows of their peers and the
// partition's end.
func (w *windowRows) eachPartition(f func(start, end int32, peers []int32)) {
	at := 0
	for p := range len(w.Partitions) - 1 {
		first := at
		for w.Peers[at] < w.Partitions[p+1] {
			at++
		}
		f(w.Partitions[p], w.Partitions[p+1], w.Peers[first:at+1])
	}
}

// edges finds for each row the first one of its partition whose key is not
// before the row's edge or, for an end, is after it. The keys are ascending in
// the window's order, and mostly the edges are too.
func (w *windowRows) edges(ctx context.Context, key, edge expr.Expr, isEnd bool, env *eval.Env, out []int32) error {
	values, _, err := w.eval(ctx, []expr.Expr{key, edge}, nil, env)
	if err != nil {
		return err
	}
	both := vector.NewCollector([]types.Type{edge.Type()})
	for _, v := range values {
		if err := both.Append(vector.NewBatch(w.Len, v)); err != nil {
			return err
		}
	}
	compare := comparator(both.Batch().Columns[0], w.order[0])
	outside := func(row, of int32) bool { // row comes before the bound
		order := compare(row, int32(w.Len)+of)
		return order < 0 || isEnd && order == 0
	}
	w.eachPartition(func(start, end int32, _ []int32) {
		at := start
		for i := start; i < end; i++ {
			for at > start && !outside(at-1, i) {
				at--
			}
			for at < end && outside(at, i) {
				at++
			}
			out[i] = at
		}
	})
	return nil
}
