package exec

import (
	"context"
	"io"

	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// aggregate drains its input, one group table per worker, merges the tables
// and gives the groups.
func (x *executor) aggregate(n *plan.Aggregate) ([]operator, error) {
	if op, err := x.fromStatistics(n); op != nil || err != nil {
		return []operator{op}, err
	}
	ops, err := x.build(n.Input)
	if err != nil {
		return nil, err
	}
	if hasDistinct(n) && len(ops) > 1 {
		// Distinct values must be seen by one table.
		ops = []operator{newGather(x.ctx, ops)}
	}
	return []operator{&aggregateOperator{node: n, env: x.env.Eval, memory: x.memoryOf(n), inputs: ops}}, nil
}

func hasDistinct(n *plan.Aggregate) bool {
	for _, c := range n.Aggregates {
		if c.Distinct {
			return true
		}
	}
	return false
}

// aggregateOperator gives one row per group.
type aggregateOperator struct {
	node   *plan.Aggregate
	env    *eval.Env
	memory *nodeMemory
	inputs []operator
	groups *groupTable // after the input was drained
	at     int
	parts  *groupParts // what is still to be aggregated; nil if nothing was spilled
}

func (a *aggregateOperator) next(ctx context.Context) (*vector.Batch, error) {
	if a.groups == nil {
		if err := a.drain(ctx); err != nil {
			return nil, err
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for a.at >= a.groups.count {
		if more, err := a.nextPart(ctx); err != nil {
			return nil, err
		} else if !more {
			return nil, io.EOF
		}
	}
	to := min(a.at+vector.BatchRows, a.groups.count)
	b, err := a.groups.result(a.at, to)
	a.at = to
	return b, err
}

func (a *aggregateOperator) drain(ctx context.Context) error {
	tables := make([]*groupTable, len(a.inputs))
	for i := range tables {
		var err error
		if tables[i], err = newGroupTable(a.node, a.env, a.memory); err != nil {
			return err
		}
		tables[i].isCopied = i > 0
	}
	inputs := a.inputs
	a.inputs = nil // drainOperators closes them
	err := drainOperators(ctx, inputs, func(worker int) func(*vector.Batch) error { return tables[worker].add })
	if err != nil {
		return err
	}
	for _, t := range tables[1:] {
		if err := tables[0].merge(t); err != nil {
			return err
		}
		tables[0].account.take(t.account)
		t.keys, t.calls = nil, nil // what is left is what it has spilled
	}
	return a.giveFirst(ctx, tables)
}

func (a *aggregateOperator) close() error {
	a.groups, a.parts = &groupTable{account: a.memory.account()}, nil // nothing is kept
	a.memory.releaseAll()
	return closeAll(a.inputs)
}

// groupTable is the groups of some rows with their aggregates.
type groupTable struct {
	keys  *keyTable // nil without keys: then there is one group
	count int
	// inputs computes the keys and then the arguments of the calls without a
	// filter, so that what they share is computed once.
	inputs  *eval.ProgramSet
	numKeys int
	calls   []aggregateCall
	numbers []int32

	account   *account
	isCopied  bool  // its groups are to be copied into another table
	unchecked int   // rows since the account was brought up to date
	values    int64 // bytes of the groups' values when missed was set
	level     int   // how often its rows were spilled before
	// missed takes the rows that belong to no group of the table, with their
	// keys; nil as long as new groups are made for them.
	missed       func(b *vector.Batch, keys []*vector.Vector) error
	spilled      *partitionWriter // nil if there are none such
	hits, misses vector.Selection
}

// aggregateCall is one aggregate of a groupTable.
type aggregateCall struct {
	state    eval.AggregateState
	from, to int // of its arguments in the table's inputs, without a filter
	filter   *eval.Program
	filtered *eval.ProgramSet // its arguments, with a filter
	distinct *distinctPairs   // nil without DISTINCT
	group    *vector.Vector   // DISTINCT: the group numbers as a key column
	pair     []*vector.Vector // DISTINCT: group and arguments
	batch    vector.Batch     // the rows that pass the filter
}

func newGroupTable(n *plan.Aggregate, env *eval.Env, memory *nodeMemory) (*groupTable, error) {
	t := &groupTable{numKeys: len(n.Keys), account: memory.account()}
	if len(n.Keys) > 0 {
		t.keys = newKeyTable(typesOf(n.Keys))
	} else {
		t.count = 1
	}
	inputs := append([]expr.Expr{}, n.Keys...)
	for _, c := range n.Aggregates {
		call := aggregateCall{state: c.Function.NewState(), from: len(inputs)}
		var err error
		if c.Filter == nil {
			inputs = append(inputs, c.Function.Args...)
		} else if call.filter, err = eval.Compile(c.Filter, env); err == nil {
			call.filtered, err = eval.CompileSet(c.Function.Args, env)
		}
		if err != nil {
			return nil, err
		}
		call.to = len(inputs)
		if c.Distinct {
			call.distinct = newDistinctPairs(typesOf(c.Function.Args))
		}
		call.state.Grow(t.count)
		t.calls = append(t.calls, call)
	}
	var err error
	t.inputs, err = eval.CompileSet(inputs, env)
	return t, err
}

// add counts the rows of a batch.
func (t *groupTable) add(b *vector.Batch) error {
	inputs, err := t.inputs.Eval(b)
	if err != nil {
		return err
	}
	var groups []int32
	if t.keys != nil {
		if cap(t.numbers) < b.Len {
			t.numbers = make([]int32, b.Len)
		}
		groups = t.numbers[:b.Len]
		if t.missed == nil {
			t.keys.insert(inputs[:t.numKeys], b.Sel, b.Len, groups)
			t.count = t.keys.len()
		} else if b, err = t.known(b, inputs[:t.numKeys], groups); err != nil || b.Rows() == 0 {
			return err
		}
	}
	for i := range t.calls {
		c := &t.calls[i]
		c.state.Grow(t.count)
		if err := c.add(b, inputs[c.from:c.to], groups); err != nil {
			return err
		}
	}
	return t.keep(b.Rows())
}

func (c *aggregateCall) add(b *vector.Batch, args []*vector.Vector, groups []int32) error {
	sel := b.Sel
	if c.filter != nil {
		var err error
		if sel, err = c.filter.Filter(b); err != nil || len(sel) == 0 {
			return err
		}
		c.batch = vector.Batch{Columns: b.Columns, Len: b.Len, Sel: sel}
		if args, err = c.filtered.Eval(&c.batch); err != nil {
			return err
		}
	}
	if c.distinct != nil {
		var err error
		if sel, err = c.firstSeen(args, sel, b.Len, groups); err != nil {
			return err
		}
	}
	return c.state.Update(args, sel, b.Len, groups)
}

// firstSeen selects the rows whose group and arguments were not met before.
func (c *aggregateCall) firstSeen(args []*vector.Vector, sel vector.Selection, n int, groups []int32) (vector.Selection, error) {
	if c.group == nil {
		c.group = &vector.Vector{Type: types.Of(types.Int)}
	}
	c.group.Reset(n)
	if groups != nil {
		copy(c.group.Int32s, groups)
	} else {
		clear(c.group.Int32s)
	}
	c.pair = append(append(c.pair[:0], c.group), args...)
	return c.distinct.unseen(c.pair, sel, n)
}

// merge adds the groups of another worker's table.
func (t *groupTable) merge(other *groupTable) error {
	numbers := make([]int32, other.count)
	if t.keys != nil {
		for from := 0; from < other.count; from += vector.BatchRows {
			to := min(from+vector.BatchRows, other.count)
			t.keys.insert(other.keys.columnsOf(from, to), nil, to-from, numbers[from:to])
		}
		t.count = t.keys.len()
	}
	for i := range t.calls {
		t.calls[i].state.Grow(t.count)
		if err := t.calls[i].state.Merge(other.calls[i].state, numbers); err != nil {
			return err
		}
	}
	return nil
}

// result gives the groups from..to.
func (t *groupTable) result(from, to int) (*vector.Batch, error) {
	out := vector.NewBatch(to - from)
	if t.keys != nil {
		out.Columns = t.keys.columnsOf(from, to)
	}
	for _, c := range t.calls {
		v, err := c.state.Result(from, to)
		if err != nil {
			return nil, err
		}
		out.Columns = append(out.Columns, v)
	}
	return out, nil
}
