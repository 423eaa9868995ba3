package exec

import (
	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

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
	isPartial bool  // other tables may have rows of the same groups
	isCopied  bool  // its groups are to be copied into another table
	unchecked int   // rows since the account was brought up to date
	values    int64 // bytes of the groups' values when missed was set
	level     int   // how often its rows were spilled before
	// missed takes the rows that belong to no group of the table, with their
	// keys; nil as long as new groups are made for them.
	missed       func(b *vector.Batch, keys []*vector.Vector) error
	spilled      *partitionWriter // nil if there are none such
	hits, misses vector.Selection
	passes       bool   // rows are not looked up any more, missed takes all of them
	moved        []bool // groups that another table has; nil if there are none

	// What scatters looks at: the rows since checked groups were there, and the
	// number of groups with which it looks again.
	rows, checked, checkAt int
	looked, found          int // rows of which the group was looked for, and was there
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
	t := &groupTable{numKeys: len(n.Keys), account: memory.account(), checkAt: leastScattered}
	if len(n.Keys) > 0 {
		t.keys = newKeyTable(typesOf(n.Keys))
		if t.keys.dense != nil {
			t.checkAt = leastScatteredDense
		}
	} else {
		t.count = 1
	}
	inputs := append([]expr.Expr{}, n.Keys...)
	for _, c := range n.Aggregates {
		function := *c.Function
		function.Distinct = function.Distinct && !c.Distinct // the call tells distinct values itself
		call := aggregateCall{state: function.NewState(), from: len(inputs)}
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
			t.rows += b.Rows()
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
	if err := t.keep(b.Rows()); err != nil || !t.scatters() {
		return err
	}
	return t.scatter()
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
	if t.moved != nil {
		out.Sel = vector.Selection{}
		for k, moved := range t.moved[from:to] {
			if !moved {
				out.Sel = append(out.Sel, int32(k))
			}
		}
	}
	return out, nil
}
