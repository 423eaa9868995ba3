package exec

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"math"

	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// sort collects its input, a run per worker, and gives the rows in order. With
// a limit every worker keeps only so many of its rows.
func (x *executor) sort(n *plan.Sort, limit int64) ([]operator, error) {
	ops, err := x.build(n.Input)
	if err != nil {
		return nil, err
	}
	s := &sortOperator{node: n, env: x.env.Eval, memory: x.memoryOf(n), limit: limit, inputs: ops}
	if n.Feeds != 0 {
		s.feeds = x.dynamic(n.Feeds)
	}
	return []operator{s}, nil
}

type sortOperator struct {
	node   *plan.Sort
	env    *eval.Env
	memory *nodeMemory
	limit  int64 // plan.NoLimit for all rows
	inputs []operator
	feeds  *dynamicFilter // what the bound of the first rows is for; nil for nothing
	sorted operator
}

func (s *sortOperator) next(ctx context.Context) (*vector.Batch, error) {
	if s.sorted == nil {
		if err := s.drain(ctx); err != nil {
			return nil, err
		}
	}
	b, err := s.sorted.next(ctx)
	if err != nil {
		return nil, err
	}
	return b.Compact(), nil // a Sel is in ascending order, this one is not
}

func (s *sortOperator) close() error {
	s.sorted = &batchOperator{batch: &vector.Batch{}} // nothing is kept
	s.memory.releaseAll()
	return closeAll(s.inputs)
}

func (s *sortOperator) drain(ctx context.Context) error {
	inputs := s.inputs
	s.inputs = nil // collectRuns closes them
	run, merge, err := collectRuns(ctx, inputs, func() (*sortRun, error) {
		r, err := newSortRun(s.node.Schema().Types(), s.node.Keys, s.limit, s.env, s.memory)
		if err == nil {
			r.feeds = s.feeds
		}
		return r, err
	})
	if err != nil {
		return err
	}
	if merge != nil {
		s.sorted = merge.withoutKeys()
		return nil
	}
	b := run.rows.Batch()
	s.sorted = &batchOperator{batch: &vector.Batch{Columns: b.Columns[:run.firstKey()], Len: b.Len, Sel: run.order()}}
	return nil
}

// collectRuns drains the operators, each into a run of its own, closes them and
// gives one run with all rows or, if there was no room for that, their merge.
func collectRuns(ctx context.Context, inputs []operator, newRun func() (*sortRun, error)) (*sortRun, *runMerge, error) {
	runs := make([]*sortRun, len(inputs))
	for i := range runs {
		var err error
		if runs[i], err = newRun(); err != nil {
			return nil, nil, errors.Join(err, closeAll(inputs))
		}
	}
	if err := drainOperators(ctx, inputs, func(w int) func(*vector.Batch) error { return runs[w].add }); err != nil {
		return nil, nil, err
	}
	if !fitTogether(runs) {
		merge, err := mergeRuns(ctx, runs)
		return nil, merge, err
	}
	for _, r := range runs[1:] {
		if err := runs[0].rows.Append(r.rows.Batch()); err != nil {
			return nil, nil, err
		}
		r.account.release()
	}
	return runs[0], nil, nil
}

// sortRun is the rows of one worker: the input's columns and then the keys.
type sortRun struct {
	sortKeys []plan.SortKey
	limit    int64 // plan.NoLimit for all rows
	keys     *eval.ProgramSet
	types    []types.Type
	rows     *vector.Collector
	columns  []*vector.Vector
	// bound is the first key of the last row that truncate kept, as a vector of
	// one row: rows after it are not among the first.
	bound *vector.Vector
	feeds *dynamicFilter // that bound is for; nil for nothing
	sel   vector.Selection

	account *account
	file    *spillFile
	spilled []spilledRows // sorted, in the order of their rows' arrival
}

func newSortRun(columns []types.Type, keys []plan.SortKey, limit int64, env *eval.Env, memory *nodeMemory) (*sortRun, error) {
	r := &sortRun{sortKeys: keys, limit: limit, account: memory.account()}
	exprs := make([]expr.Expr, len(keys))
	for i, k := range keys {
		exprs[i] = k.Expr
	}
	r.types = append(append(r.types, columns...), typesOf(exprs)...)
	r.rows = vector.NewCollector(r.types)
	var err error
	r.keys, err = eval.CompileSet(exprs, env)
	return r, err
}

// firstKey is the number of the first key among the run's columns.
func (r *sortRun) firstKey() int { return len(r.types) - len(r.sortKeys) }

func (r *sortRun) add(b *vector.Batch) error {
	keys, err := r.keys.Eval(b)
	if err != nil {
		return err
	}
	r.columns = append(append(r.columns[:0], b.Columns...), keys...)
	sel := b.Sel
	if r.bound != nil {
		if sel, err = r.withinBound(keys[0], b); err != nil || len(sel) == 0 {
			return err
		}
	}
	if err := r.rows.Append(&vector.Batch{Columns: r.columns, Len: b.Len, Sel: sel}); err != nil {
		return err
	}
	if limit := r.limit; limit != plan.NoLimit && int64(r.rows.Rows()-8*vector.BatchRows)/4 >= limit {
		if err := r.truncate(); err != nil {
			return err
		}
	}
	return r.keep()
}

// truncate keeps the first rows in order.
func (r *sortRun) truncate() error {
	b := r.rows.Batch()
	kept := vector.NewCollector(r.types)
	if err := kept.Append(&vector.Batch{Columns: b.Columns, Len: b.Len, Sel: r.order()}); err != nil {
		return err
	}
	r.rows = kept
	if last := kept.Rows() - 1; last >= 0 {
		key := kept.Batch().Columns[r.firstKey()]
		r.bound = key.Slice(last, last+1)
		r.publish()
	}
	return nil
}

// publish tells the scan that the keys come from what bound leaves of them.
func (r *sortRun) publish() {
	if r.feeds == nil || r.bound.IsNull(0) {
		return
	}
	k := r.sortKeys[0]
	b := &keyBounds{low: math.MinInt64, high: math.MaxInt64, nulls: k.NullsFirst}
	if bound := int64(numbersOf(nil, r.bound, nil, 1)[0]); k.Descending {
		b.low = bound
	} else {
		b.high = bound
	}
	r.feeds.tighten(b)
}

// withinBound selects the rows whose first key is not after the bound.
func (r *sortRun) withinBound(key *vector.Vector, b *vector.Batch) (vector.Selection, error) {
	r.sel = r.sel[:0]
	k := r.sortKeys[0]
	if key.Form == vector.Flat && !key.MayHaveNulls() && r.bound.Valid == nil {
		switch key.Type.Physical() {
		case types.PhysInt32:
			r.sel = notAfter(r.sel, key.Int32s, r.bound.Int32s[0], k.Descending, b)
			return r.sel, nil
		case types.PhysInt64:
			r.sel = notAfter(r.sel, key.Int64s, r.bound.Int64s[0], k.Descending, b)
			return r.sel, nil
		}
	}
	// The bound joins the batch's keys as their last row.
	keys := vector.NewCollector([]types.Type{key.Type})
	if err := keys.Append(&vector.Batch{Columns: []*vector.Vector{key}, Len: b.Len}); err != nil {
		return nil, err
	}
	if err := keys.Append(&vector.Batch{Columns: []*vector.Vector{r.bound}, Len: 1}); err != nil {
		return nil, err
	}
	compare := comparator(keys.Batch().Columns[0], k)
	for n := range b.Rows() {
		if row := int32(b.Row(n)); compare(row, int32(b.Len)) <= 0 {
			r.sel = append(r.sel, row)
		}
	}
	return r.sel, nil
}

// notAfter selects the rows whose value does not sort after bound.
func notAfter[T int32 | int64](sel vector.Selection, values []T, bound T, descending bool, b *vector.Batch) vector.Selection {
	for n := range b.Rows() {
		row := b.Row(n)
		if v := values[row]; v == bound || (v > bound) == descending {
			sel = append(sel, int32(row))
		}
	}
	return sel
}

// order sorts the rows, equal ones in the order of arrival; at most limit of
// them are given.
func (r *sortRun) order() vector.Selection {
	b := r.rows.Batch()
	order := orderRows(b.Columns[r.firstKey():], r.sortKeys, b.Len)
	if limit := r.limit; limit != plan.NoLimit && int64(len(order)) > limit {
		order = order[:limit]
	}
	return order
}

// comparators orders rows by one key after the other.
func comparators(columns []*vector.Vector, keys []plan.SortKey) []func(a, b int32) int {
	out := make([]func(a, b int32) int, len(keys))
	for i, k := range keys {
		out[i] = comparator(columns[i], k)
	}
	return out
}

// comparator orders rows of a flat vector by a sort key.
func comparator(v *vector.Vector, k plan.SortKey) func(a, b int32) int {
	values := valueComparator(v)
	if k.Descending {
		ascending := values
		values = func(a, b int32) int { return ascending(b, a) }
	}
	if v.Valid == nil {
		return values
	}
	return func(a, b int32) int {
		if nullA, nullB := !v.Valid.Valid(int(a)), !v.Valid.Valid(int(b)); nullA || nullB {
			return orderOfNulls(nullA, nullB, k)
		}
		return values(a, b)
	}
}

// orderOfNulls orders two values of which one or both are NULL.
func orderOfNulls(nullA, nullB bool, k plan.SortKey) int {
	switch {
	case nullA && nullB:
		return 0
	case nullA == k.NullsFirst:
		return -1
	}
	return 1
}

func valueComparator(v *vector.Vector) func(a, b int32) int {
	switch v.Type.Physical() {
	case types.PhysInt32:
		return ordered(v.Int32s)
	case types.PhysInt64:
		return ordered(v.Int64s)
	case types.PhysInt128:
		return func(a, b int32) int { return v.Int128s[a].Cmp(v.Int128s[b]) }
	case types.PhysFloat32:
		return func(a, b int32) int { return types.CompareFloat64(float64(v.Float32s[a]), float64(v.Float32s[b])) }
	case types.PhysFloat64:
		return func(a, b int32) int { return types.CompareFloat64(v.Float64s[a], v.Float64s[b]) }
	case types.PhysBytes:
		return func(a, b int32) int { return bytes.Compare(v.Bytes(int(a)), v.Bytes(int(b))) }
	case types.PhysBool:
		return func(a, b int32) int {
			switch {
			case v.Bools[a] == v.Bools[b]:
				return 0
			case v.Bools[b]:
				return -1
			}
			return 1
		}
	}
	return func(a, b int32) int { // nested values; the binder refuses types without an order
		order, _ := types.CompareValues(v.Type, v.Value(int(a)), v.Value(int(b)))
		return order
	}
}

func ordered[T cmp.Ordered](values []T) func(a, b int32) int {
	return func(a, b int32) int { return cmp.Compare(values[a], values[b]) }
}
