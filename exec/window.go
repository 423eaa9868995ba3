package exec

import (
	"context"
	"errors"
	"io"
	"sync"

	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
)

// window collects its input, a run per worker, brings it into the order of
// partitions and keys and computes one call after the other over all rows.
func (x *executor) window(n *plan.Window) ([]operator, error) {
	ops, err := x.build(n.Input)
	if err != nil {
		return nil, err
	}
	return []operator{&windowOperator{node: n, env: x.env, memory: x.memoryOf(n), inputs: ops}}, nil
}

type windowOperator struct {
	node     *plan.Window
	env      Env
	memory   *nodeMemory
	inputs   []operator
	computed *batchOperator
	parts    *windowParts // what is still to be computed; nil if all was at once
}

func (w *windowOperator) next(ctx context.Context) (*vector.Batch, error) {
	if w.computed == nil {
		if err := w.drain(ctx); err != nil {
			return nil, err
		}
	}
	for {
		b, err := w.computed.next(ctx)
		if err != io.EOF || w.parts == nil {
			return b, err
		}
		sorted, err := w.parts.next(ctx)
		if err != nil {
			return nil, err
		}
		if err := w.computeSorted(ctx, sorted); err != nil {
			return nil, err
		}
	}
}

func (w *windowOperator) close() error {
	w.computed, w.parts = &batchOperator{batch: &vector.Batch{}}, nil // nothing is kept
	w.memory.releaseAll()
	return closeAll(w.inputs)
}

func (w *windowOperator) drain(ctx context.Context) error {
	inputs := w.inputs
	w.inputs = nil // collectRuns closes them
	run, merge, err := collectRuns(ctx, inputs, func() (*sortRun, error) {
		return newSortRun(w.node.Input.Schema().Types(), w.node.Keys(), plan.NoLimit, w.env.Eval, w.memory)
	})
	if err != nil {
		return err
	}
	if merge == nil && !run.account.fit(windowBytes(w.node, run.bytes(), run.rows.Rows())) {
		if merge, err = mergeRuns(ctx, []*sortRun{run}); err != nil {
			return err
		}
	}
	if merge != nil {
		w.parts = newWindowParts(w.node, merge, w.memory)
		w.computed = &batchOperator{batch: &vector.Batch{}}
		return nil
	}
	return w.computeSorted(ctx, (&vector.Batch{Columns: run.rows.Batch().Columns, Sel: run.order()}).Compact())
}

// computeSorted computes the calls for rows in the window's order, followed by
// its keys.
func (w *windowOperator) computeSorted(ctx context.Context, sorted *vector.Batch) error {
	rows := newWindowRows(w.node, sorted)
	results, err := w.compute(ctx, rows)
	if err != nil {
		return err
	}
	w.computed = &batchOperator{batch: vector.NewBatch(rows.Len, append(rows.input.Columns, results...)...)}
	return nil
}

// compute gives the results of all calls; each is computed by one goroutine.
func (w *windowOperator) compute(ctx context.Context, rows *windowRows) ([]*vector.Vector, error) {
	results := make([]*vector.Vector, len(w.node.Calls))
	errs := make([]error, len(results))
	free := make(chan struct{}, w.env.Threads)
	var wg sync.WaitGroup
	for i, c := range w.node.Calls {
		free <- struct{}{}
		wg.Go(func() {
			defer func() { <-free }()
			defer storage.Guard(&errs[i])
			results[i], errs[i] = rows.call(ctx, c, w.env.Eval)
		})
	}
	wg.Wait()
	return results, errors.Join(errs...)
}

// windowRows are the rows of a Window node in its order.
type windowRows struct {
	eval.WindowRows
	input *vector.Batch
	order []plan.SortKey // within a partition
}

// newWindowRows finds the partitions and peers of rows that are in the window's
// order and are followed by its keys.
func newWindowRows(n *plan.Window, sorted *vector.Batch) *windowRows {
	sortKeys := n.Keys()
	firstKey := len(sorted.Columns) - len(sortKeys)
	keys := comparators(sorted.Columns[firstKey:], sortKeys)
	w := &windowRows{input: vector.NewBatch(sorted.Len, sorted.Columns[:firstKey:firstKey]...), order: n.OrderBy}
	w.Len = sorted.Len
	for i := range int32(w.Len) {
		differs := 0 // the first key that differs from the row before
		for i > 0 && differs < len(keys) && keys[differs](i-1, i) == 0 {
			differs++
		}
		if i == 0 || differs < len(n.PartitionBy) {
			w.Partitions = append(w.Partitions, i)
		}
		if i == 0 || differs < len(keys) {
			w.Peers = append(w.Peers, i)
		}
	}
	w.Partitions, w.Peers = append(w.Partitions, int32(w.Len)), append(w.Peers, int32(w.Len))
	return w
}

// call computes one call.
func (w *windowRows) call(ctx context.Context, c plan.WindowCall, env *eval.Env) (*vector.Vector, error) {
	args, sel, err := w.eval(ctx, c.Args(), c.Filter, env)
	if err != nil {
		return nil, err
	}
	rows := w.WindowRows
	if (c.Function == nil || c.Function.ReadsFrame) && !c.Frame.WholePartition() {
		if rows.From, rows.To, err = w.frames(ctx, c.Frame, env); err != nil {
			return nil, err
		}
	}
	if c.Function != nil {
		return c.Function.Compute(&rows, args)
	}
	return c.Aggregate.ComputeWindow(ctx, &rows, args, sel)
}

// eval computes expressions for all rows, as flat vectors, and the rows for
// which filter is true; nil ones are all rows. Where the filter is not true the
// expressions are not computed, and the vectors have any value.
func (w *windowRows) eval(ctx context.Context, exprs []expr.Expr, filter expr.Expr, env *eval.Env) ([]*vector.Vector, vector.Selection, error) {
	if columns, ok := w.columns(exprs); ok {
		if filter == nil {
			return columns, nil, nil
		}
		sel, err := w.filter(ctx, filter, env, func(*vector.Batch) error { return nil })
		return columns, sel, err
	}
	program, err := eval.CompileSet(exprs, env)
	if err != nil {
		return nil, nil, err
	}
	out := vector.NewCollector(typesOf(exprs))
	sel, err := w.filter(ctx, filter, env, func(b *vector.Batch) error {
		values, err := program.Eval(b)
		if err != nil {
			return err
		}
		return out.Append(&vector.Batch{Columns: values, Len: b.Len, Sel: b.Sel})
	})
	if err != nil {
		return nil, nil, err
	}
	if sel == nil {
		return out.Batch().Columns, nil, nil
	}
	at := make(vector.Selection, w.Len)
	for k, i := range sel {
		at[i] = int32(k)
	}
	columns := make([]*vector.Vector, len(exprs))
	for i, v := range out.Batch().Columns {
		if len(sel) == 0 {
			v = vector.NewNull(v.Type, 1).Flatten()
		}
		columns[i] = v.Select(at)
	}
	return columns, sel, nil
}

// columns gives expressions that are columns of the input.
func (w *windowRows) columns(exprs []expr.Expr) ([]*vector.Vector, bool) {
	out := make([]*vector.Vector, len(exprs))
	for i, e := range exprs {
		c, ok := e.(*expr.Column)
		if !ok {
			return nil, false
		}
		out[i] = w.input.Columns[c.Index]
	}
	return out, true
}

// filter passes the input on in batches, those of the rows for which condition
// is true, and gives these rows; without a condition that is nil.
func (w *windowRows) filter(ctx context.Context, condition expr.Expr, env *eval.Env, f func(*vector.Batch) error) (vector.Selection, error) {
	var program *eval.Program
	var sel vector.Selection
	if condition != nil {
		var err error
		if program, err = eval.Compile(condition, env); err != nil {
			return nil, err
		}
		sel = vector.Selection{} // nil would be all rows
	}
	for from := 0; from < w.Len; from += vector.BatchRows {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		b := w.input.Slice(from, min(from+vector.BatchRows, w.Len))
		if program != nil {
			var err error
			if b.Sel, err = program.Filter(b); err != nil {
				return nil, err
			}
			for _, i := range b.Sel {
				sel = append(sel, int32(from)+i)
			}
		}
		if err := f(b); err != nil {
			return nil, err
		}
	}
	return sel, nil
}
