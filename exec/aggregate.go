package exec

import (
	"context"
	"io"
	"sync"
	"sync/atomic"

	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/sql/vector"
)

// aggregate drains its input, one group table per worker, and gives the groups.
// Few groups are merged into one table; many are split into partitions, which the
// operators share.
func (x *executor) aggregate(n *plan.Aggregate) ([]operator, error) {
	if op, err := x.fromStatistics(n); op != nil || err != nil {
		return []operator{op}, err
	}
	ops, err := x.build(n.Input)
	if err != nil {
		return nil, err
	}
	a := &aggregation{node: n, env: x.env.Eval, memory: x.memoryOf(n), inputs: ops}
	out := make([]operator, len(ops))
	if len(n.Keys) == 0 {
		out = out[:1] // there is one group
	}
	a.open.Store(int32(len(out)))
	for i := range out {
		out[i] = &aggregateOperator{aggregation: a}
	}
	return out, nil
}

// aggregation is what the operators of an Aggregate share.
type aggregation struct {
	node   *plan.Aggregate
	env    *eval.Env
	memory *nodeMemory
	open   atomic.Int32 // operators that were not closed

	once    sync.Once // drains the inputs
	err     error
	inputs  []operator
	workers []*workerGroups // nil unless their groups are given by partition

	mu   sync.Mutex  // guards left
	left []groupPart // the last comes next
}

// run drains the inputs once, for whichever operator comes first.
func (a *aggregation) run(ctx context.Context) error {
	a.once.Do(func() { a.err = a.drain(ctx) })
	return a.err
}

func (a *aggregation) drain(ctx context.Context) error {
	tables := make([]*groupTable, len(a.inputs))
	for i := range tables {
		var err error
		if tables[i], err = newGroupTable(a.node, a.env, a.memory); err != nil {
			return err
		}
		tables[i].isCopied = i > 0
		tables[i].isPartial = len(tables) > 1
	}
	inputs := a.inputs
	a.inputs = nil // drainOperators closes them
	err := drainOperators(ctx, inputs, func(worker int) func(*vector.Batch) error { return tables[worker].add })
	if err != nil {
		return err
	}
	return a.plan(tables)
}

// take gives what is to be aggregated next; ok is false if nothing is left.
func (a *aggregation) take() (part groupPart, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.left) == 0 {
		return groupPart{}, false
	}
	part = a.left[len(a.left)-1]
	a.left = a.left[:len(a.left)-1]
	return part, true
}

func (a *aggregation) push(parts []groupPart) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.left = append(a.left, parts...)
}

// aggregateOperator gives one row per group.
type aggregateOperator struct {
	*aggregation
	groups *groupTable // nil before the first and after the last
	at     int
	closed bool
}

func (a *aggregateOperator) next(ctx context.Context) (*vector.Batch, error) {
	if err := a.run(ctx); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for {
		if b, err := a.give(); b != nil || err != nil {
			return b, err
		}
		if a.groups != nil {
			a.groups.account.release()
			a.groups = nil
		}
		part, ok := a.take()
		if !ok {
			return nil, io.EOF
		}
		var err error
		if a.groups, err = a.aggregatePart(ctx, &part); err != nil {
			return nil, err
		}
		a.at = 0
	}
}

// give gives the next groups of the table, nil if there are no more.
func (a *aggregateOperator) give() (*vector.Batch, error) {
	for a.groups != nil && a.at < a.groups.count {
		to := min(a.at+vector.BatchRows, a.groups.count)
		b, err := a.groups.result(a.at, to)
		if a.at = to; err != nil || b.Rows() > 0 {
			return b, err
		}
	}
	return nil, nil
}

// close frees what the operator holds; the last one that is closed frees what
// they share.
func (a *aggregateOperator) close() error {
	a.groups = nil
	if a.closed {
		return nil
	}
	a.closed = true
	if a.open.Add(-1) > 0 {
		return nil
	}
	a.workers, a.left = nil, nil
	a.memory.releaseAll()
	return closeAll(a.inputs)
}
