package exec

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/sql/vector"
)

// operator gives batches. It is used by one goroutine.
type operator interface {
	// next gives a batch with at least one selected row, valid until the next
	// call, or io.EOF.
	next(ctx context.Context) (*vector.Batch, error)
	// close frees what the operator holds and waits for its goroutines.
	close() error
}

// build gives the operators of a node, one per worker.
func (x *executor) build(n plan.Node) ([]operator, error) {
	ops, err := x.buildNode(n)
	if err == nil && x.stats != nil {
		ops = x.stats.measure(n, ops)
	}
	return ops, err
}

func (x *executor) buildNode(n plan.Node) ([]operator, error) {
	switch n := n.(type) {
	case *plan.Scan:
		return x.scan(n)
	case *plan.Values:
		return x.values(n)
	case *plan.Feed:
		return []operator{feedOperator{n}}, nil
	case *plan.Filter:
		return x.wrap(n.Input, func(in operator) (operator, error) { return newFilter(in, n.Condition, x.env.Eval) })
	case *plan.Project:
		return x.wrap(n.Input, func(in operator) (operator, error) { return newProject(in, n.Exprs, x.env.Eval) })
	case *plan.Aggregate:
		return x.aggregate(n)
	case *plan.Join:
		return x.join(n)
	case *plan.Window:
		return x.window(n)
	case *plan.Sort:
		return x.sort(n, plan.NoLimit)
	case *plan.Limit:
		return x.limit(n)
	case *plan.Union:
		return x.union(n)
	case *plan.Expand:
		return x.wrap(n.Input, func(in operator) (operator, error) { return newExpand(in, n, x.env.Eval) })
	case *plan.Generate:
		return x.wrap(n.Input, func(in operator) (operator, error) { return newGenerate(in, n, x.env.Eval) })
	case *plan.Recursion:
		return x.recursion(n)
	case *plan.WorkingTable:
		return x.workingTable(n), nil
	case *plan.Shared:
		return x.shared(n)
	}
	return nil, fmt.Errorf("exec: no operator for %T", n)
}

// single gives the rows of a node as one operator.
func (x *executor) single(n plan.Node) (operator, error) {
	ops, err := x.build(n)
	if err != nil {
		return nil, err
	}
	if len(ops) == 1 {
		return ops[0], nil
	}
	return newGather(x.ctx, ops), nil
}

// wrap puts an operator on each operator of the input.
func (x *executor) wrap(input plan.Node, f func(operator) (operator, error)) ([]operator, error) {
	ops, err := x.build(input)
	if err != nil {
		return nil, err
	}
	for i, op := range ops {
		wrapped, err := f(op)
		if err != nil {
			return nil, errors.Join(err, closeAll(ops))
		}
		ops[i] = wrapped
	}
	return ops, nil
}

func closeAll(ops []operator) error {
	var errs []error
	for _, op := range ops {
		errs = append(errs, op.close())
	}
	return errors.Join(errs...)
}

// gather merges operators that run in a goroutine each, from the first call of
// next on: by then the joins above have told the scans below what they need. A
// worker that has handed a batch over waits until the consumer is done with it,
// so batches need no copying.
type gather struct {
	ctx     context.Context
	ops     []operator // until they run
	batches chan gathered
	release chan struct{} // of the worker whose batch the consumer holds
	cancel  context.CancelFunc
	running int
}

type gathered struct {
	batch    *vector.Batch
	err      error // that ended the worker, io.EOF if it was the end of the rows
	closeErr error // of closing the worker's operator
	release  chan struct{}
}

func newGather(ctx context.Context, ops []operator) *gather {
	ctx, cancel := context.WithCancel(ctx)
	return &gather{ctx: ctx, ops: ops, batches: make(chan gathered), cancel: cancel}
}

func (g *gather) start() {
	g.running = len(g.ops)
	for _, op := range g.ops {
		go g.work(g.ctx, op)
	}
	g.ops = nil
}

func (g *gather) work(ctx context.Context, op operator) {
	release := make(chan struct{}, 1)
	err := pump(ctx, op, func(b *vector.Batch) error {
		select {
		case g.batches <- gathered{batch: b, release: release}:
		case <-ctx.Done():
			return ctx.Err()
		}
		select {
		case <-release:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	})
	if err == nil {
		err = io.EOF
	}
	g.batches <- gathered{err: err, closeErr: op.close()} // next or close receives the end of every worker
}

func (g *gather) next(ctx context.Context) (*vector.Batch, error) {
	if g.ops != nil {
		g.start()
	}
	if g.release != nil {
		g.release <- struct{}{}
		g.release = nil
	}
	for g.running > 0 {
		select {
		case got := <-g.batches:
			if got.batch != nil {
				g.release = got.release
				return got.batch, nil
			}
			g.running--
			if got.err == io.EOF {
				got.err = nil
			}
			if err := errors.Join(got.err, got.closeErr); err != nil {
				return nil, err
			}
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	return nil, io.EOF
}

// close stops the workers. What their rows failed with is of no account: next
// has given an error before, or nobody wants those rows.
func (g *gather) close() error {
	g.cancel()
	g.release = nil
	errs := []error{closeAll(g.ops)}
	g.ops = nil
	for g.running > 0 {
		got := <-g.batches
		if got.batch != nil {
			continue
		}
		g.running--
		errs = append(errs, got.closeErr)
	}
	return errors.Join(errs...)
}
