package exec

import (
	"context"
	"errors"
	"io"
	"sync"
	"sync/atomic"

	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// join builds a hash table of the right input and probes it with the operators
// of the left one.
func (x *executor) join(n *plan.Join) ([]operator, error) {
	feeds := make([]*dynamicFilter, len(n.Keys))
	for i, k := range n.Keys {
		if k.Feeds != 0 {
			feeds[i] = x.dynamic(k.Feeds)
		}
	}
	buildOps, err := x.build(n.Right)
	if err != nil {
		return nil, err
	}
	probeOps, err := x.build(n.Left)
	if err != nil {
		return nil, errors.Join(err, closeAll(buildOps))
	}
	memory := x.memoryOf(n)
	shared := &joinBuild{
		x: x, node: n, feeds: feeds, inputs: buildOps, columns: n.Right.Schema().Types(),
		joinSpilling: joinSpilling{memory: memory, account: memory.account()},
	}
	shared.probing.Store(int32(len(probeOps)))
	shared.open.Store(int32(len(probeOps)))
	ops := make([]operator, len(probeOps))
	for i, in := range probeOps {
		if ops[i], err = newProbe(shared, in, n.Left.Schema().Types()); err != nil {
			return nil, err
		}
	}
	return ops, nil
}

// newProbe gives an operator that probes with the rows of in.
func newProbe(build *joinBuild, in operator, columns []types.Type) (*probeOperator, error) {
	n, env := build.node, build.x.env.Eval
	p := &probeOperator{build: build, in: in, kind: n.Kind, probeTypes: columns, outSel: vector.Selection{}}
	var err error
	if p.keys, err = eval.CompileSet(n.LeftKeys(), env); err != nil {
		return nil, err
	}
	if n.Condition != nil {
		p.condition, err = eval.Compile(n.Condition, env)
	}
	return p, err
}

// joinBuild is the build side that the probing operators share.
type joinBuild struct {
	x       *executor
	node    *plan.Join
	feeds   []*dynamicFilter // what the keys' values are for; nil for nothing
	inputs  []operator
	columns []types.Type

	once  sync.Once
	err   error
	rows  *vector.Batch // of all workers
	index *rowIndex     // nil without keys: every row matches
	// matched says which rows found a match, for joins that give the others.
	matched []atomic.Bool
	probing atomic.Int32 // operators that still probe
	joinSpilling
}

// run drains the build side once, for whichever operator comes first.
func (j *joinBuild) run(ctx context.Context) error {
	j.once.Do(func() { j.err = j.drain(ctx) })
	return j.err
}

func (j *joinBuild) drain(ctx context.Context) error {
	sinks := make([]*buildSink, len(j.inputs))
	inputs := j.inputs
	j.inputs = nil // drainOperators closes them
	err := drainOperators(ctx, inputs, func(worker int) func(*vector.Batch) error {
		sinks[worker] = j.newSink(worker)
		return sinks[worker].add
	})
	if err != nil {
		return err
	}
	if j.rows, err = j.allRows(ctx, sinks); err != nil {
		return err
	}
	if givesBuildRows(j.node.Kind) {
		j.matched = make([]atomic.Bool, j.rows.Len)
	}
	j.hasRows = j.hasRows || j.rows.Len > 0
	return j.indexRows()
}

// allRows brings the workers' rows together, or those for which there is room.
func (j *joinBuild) allRows(ctx context.Context, sinks []*buildSink) (*vector.Batch, error) {
	if j.spilling.Load() {
		return j.finishSpill(ctx, sinks)
	}
	all := sinks[0].rows
	for _, s := range sinks[1:] {
		if err := all.Append(s.rows.Batch()); err != nil {
			return nil, err
		}
		s.rows = nil
	}
	for _, s := range sinks {
		j.account.take(s.account)
	}
	return all.Batch(), nil
}

// indexRows indexes the rows by their keys, if there are any.
func (j *joinBuild) indexRows() error {
	if len(j.node.Keys) == 0 {
		return nil
	}
	programs, err := eval.CompileSet(j.node.RightKeys(), j.x.env.Eval)
	if err != nil {
		return err
	}
	if j.index, err = newRowIndex(j.rows, j.node.Keys, programs); err != nil {
		return err
	}
	j.nullKeys = j.nullKeys || j.index.nullKeys
	j.account.force(batchBytes(j.rows) + j.index.bytes())
	for i, f := range j.feeds {
		if f == nil || j.spill != nil { // spilled rows have keys too
			continue
		}
		bounds := j.index.bounds
		if bounds == nil { // of one key of several
			if bounds, err = boundsOf(j.rows, j.node.Keys[i].Right, j.x.env.Eval); err != nil {
				return err
			}
		}
		f.known.Store(bounds)
	}
	return nil
}

// notNull selects the rows without a NULL in a key that is not null-safe; nil
// if that is all of them.
func notNull(columns []*vector.Vector, keys []plan.JoinKey, n int) vector.Selection {
	var nullable []*vector.Vector
	for i, c := range columns {
		if !keys[i].NullSafe && c.MayHaveNulls() {
			nullable = append(nullable, c)
		}
	}
	if nullable == nil {
		return nil
	}
	sel := make(vector.Selection, 0, n)
rows:
	for i := range n {
		for _, c := range nullable {
			if c.IsNull(i) {
				continue rows
			}
		}
		sel = append(sel, int32(i))
	}
	return sel
}

// probeOperator probes the hash table with its input's batches. A batch's
// pairs are given in pieces of at most vector.BatchRows.
type probeOperator struct {
	build      *joinBuild
	in         operator
	kind       plan.JoinKind
	keys       *eval.ProgramSet
	condition  *eval.Program
	probeTypes []types.Type

	index   *rowIndex     // this operator's view of the build side's
	batch   *vector.Batch // being probed
	matched []int32       // first build row with the same key, by row; -1 for none
	k       int           // ordinal of the row whose matches come next
	row     int32         // next build row for it; -1: take the next probe row
	hit     []bool        // by ordinal: the row has a match
	unknown []bool        // by ordinal, for MarkJoin: the condition is NULL for a row
	pairs   [2]vector.Selection

	spilled *spillPartition // rows whose partition is not in memory
	sub     *probeOperator  // joins such a partition

	// out and what it consists of are used again by the next call.
	out      vector.Batch
	columns  []*vector.Vector
	selected []*vector.Vector // by column of the result: what matches selects
	nulls    []*vector.Vector // by build column: NULLs
	mark     *vector.Vector
	probeSel vector.Selection
	outSel   vector.Selection

	inputDone bool
	tail      int // next build row to look at for those without a match
	isLast    bool
}

func (p *probeOperator) next(ctx context.Context) (*vector.Batch, error) {
	if err := p.build.run(ctx); err != nil {
		return nil, err
	}
	for !p.inputDone {
		if p.batch == nil {
			if err := p.fetch(ctx); err == io.EOF {
				p.inputDone = true
				if err := p.finishInput(); err != nil {
					return nil, err
				}
				p.isLast = p.build.probing.Add(-1) == 0
				break
			} else if err != nil {
				return nil, err
			}
		}
		out, err := p.probe(ctx)
		if err != nil || out != nil {
			return out, err
		}
	}
	if out, err := p.buildRows(ctx); err != io.EOF {
		return out, err
	}
	return p.nextPart(ctx)
}

// fetch takes the next batch to probe with.
func (p *probeOperator) fetch(ctx context.Context) error {
	b, err := p.nextInput(ctx)
	if err != nil {
		return err
	}
	p.batch, p.k, p.row = b, -1, -1
	p.hit = cleared(p.hit, b.Rows())
	if p.kind == plan.MarkJoin {
		p.unknown = cleared(p.unknown, b.Rows())
	}
	if p.build.index == nil {
		return nil
	}
	columns, err := p.keys.Eval(b)
	if err != nil {
		return err
	}
	if p.build.node.NullAware {
		p.noteNullKeys(columns[0])
	}
	if cap(p.matched) < b.Len {
		p.matched = make([]int32, b.Len)
	}
	p.matched = p.matched[:b.Len]
	if p.index == nil {
		p.index = p.build.index.reader()
	}
	p.index.find(columns, b.Sel, b.Len, p.matched)
	return nil
}

// nextInput gives the next batch of the input with rows for the table.
func (p *probeOperator) nextInput(ctx context.Context) (*vector.Batch, error) {
	for {
		b, err := p.in.next(ctx)
		if err != nil || p.build.spill == nil {
			return b, err
		}
		if b, err = p.split(b); err != nil || b.Rows() > 0 {
			return b, err
		}
	}
}

// cleared gives n times false, in the memory of flags if it is enough.
func cleared(flags []bool, n int) []bool {
	if cap(flags) < n {
		return make([]bool, n)
	}
	flags = flags[:n]
	clear(flags)
	return flags
}

// probe gives the next piece of the batch's result, or nil when the batch is
// finished.
func (p *probeOperator) probe(ctx context.Context) (*vector.Batch, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		more := p.collectPairs()
		out, err := p.matches()
		if err != nil || out != nil {
			return out, err
		}
		if !more {
			break
		}
	}
	b := p.batch
	p.batch = nil
	switch p.kind {
	case plan.SemiJoin, plan.AntiJoin:
		return p.hitRows(b, p.kind == plan.SemiJoin), nil
	case plan.LeftJoin, plan.FullJoin, plan.SingleJoin:
		return p.padded(p.hitRows(b, false)), nil
	case plan.MarkJoin:
		return p.marked(b), nil
	}
	return nil, nil
}

// collectPairs fills p.pairs with the next pairs of probe and build rows that
// have equal keys; it reports whether there may be more.
func (p *probeOperator) collectPairs() bool {
	probe, build := p.pairs[0][:0], p.pairs[1][:0]
	rows := p.batch.Rows()
	firstOnly := p.condition == nil && p.kind.LeftOnly()
	unmatchedOnly := p.kind.RightOnly() // one match of a build row is enough
	for len(probe) < vector.BatchRows {
		if p.row < 0 {
			p.k++
			if p.k >= rows {
				p.pairs = [2]vector.Selection{probe, build}
				return false
			}
			p.row = p.firstMatch(p.batch.Row(p.k))
			continue
		}
		if firstOnly {
			p.hit[p.k], p.row = true, -1
			continue
		}
		if !unmatchedOnly || !p.build.matched[p.row].Load() {
			probe, build = append(probe, int32(p.k)), append(build, p.row)
		}
		p.row = p.nextMatch(p.row)
	}
	p.pairs = [2]vector.Selection{probe, build}
	return true
}

func (p *probeOperator) firstMatch(i int) int32 {
	if p.build.index != nil {
		return p.matched[i]
	}
	if p.build.rows.Len == 0 {
		return -1
	}
	return 0
}

func (p *probeOperator) nextMatch(row int32) int32 {
	if p.build.index != nil {
		return p.build.index.next[row]
	}
	if int(row)+1 == p.build.rows.Len {
		return -1
	}
	return row + 1
}

// matches applies the condition to the collected pairs, notes which rows have
// a match, and gives the pairs' rows, or nil if there are none to give.
func (p *probeOperator) matches() (*vector.Batch, error) {
	ordinals, build := p.pairs[0], p.pairs[1]
	if len(ordinals) == 0 {
		return nil, nil
	}
	if p.kind.RightOnly() && p.condition == nil {
		for _, row := range build {
			p.build.matched[row].Store(true)
		}
		return nil, nil
	}
	p.probeSel = p.probeSel[:0]
	for _, k := range ordinals {
		p.probeSel = append(p.probeSel, int32(p.batch.Row(int(k))))
	}
	p.columns = p.columns[:0]
	p.selectInto(p.batch.Columns, p.probeSel)
	p.selectInto(p.build.rows.Columns, build)
	p.out = vector.Batch{Columns: p.columns, Len: len(ordinals)}
	out := &p.out
	if p.condition != nil {
		if err := p.filter(out); err != nil {
			return nil, err
		}
	}
	for k := range out.Rows() {
		i := out.Row(k)
		if p.kind == plan.SingleJoin && p.hit[ordinals[i]] {
			return nil, ErrSubqueryCardinality
		}
		p.hit[ordinals[i]] = true
		if p.build.matched != nil {
			p.build.matched[build[i]].Store(true)
		}
	}
	if out.Rows() == 0 || p.kind.LeftOnly() || p.kind.RightOnly() {
		return nil, nil
	}
	return out, nil
}

// filter selects the pairs for which the condition is true.
func (p *probeOperator) filter(pairs *vector.Batch) error {
	if p.kind == plan.MarkJoin {
		verdict, err := p.condition.Eval(pairs)
		if err != nil {
			return err
		}
		for i, k := range p.pairs[0] {
			p.unknown[k] = p.unknown[k] || verdict.IsNull(i)
		}
	}
	sel, err := p.condition.Filter(pairs)
	if err == nil && len(sel) < pairs.Len {
		p.outSel = append(p.outSel[:0], sel...) // never nil, which would stand for all rows
		pairs.Sel = p.outSel
	}
	return err
}

// selectInto adds rows of columns to p.columns, in the memory of those that stood
// in their places before.
func (p *probeOperator) selectInto(columns []*vector.Vector, sel vector.Selection) {
	for _, c := range columns {
		at := len(p.columns)
		if at == len(p.selected) {
			p.selected = append(p.selected, &vector.Vector{})
		}
		c.SelectInto(p.selected[at], sel)
		p.columns = append(p.columns, p.selected[at])
	}
}

func selectColumns(columns []*vector.Vector, sel vector.Selection) []*vector.Vector {
	out := make([]*vector.Vector, len(columns))
	for i, c := range columns {
		out[i] = c.Select(sel)
	}
	return out
}

// hitRows gives the probe rows that have a match, or those that have none; nil
// if there are none such.
func (p *probeOperator) hitRows(b *vector.Batch, want bool) *vector.Batch {
	p.outSel = p.outSel[:0]
	for k, hit := range p.hit {
		if hit == want {
			p.outSel = append(p.outSel, int32(b.Row(k)))
		}
	}
	if len(p.outSel) == 0 {
		return nil
	}
	p.out = vector.Batch{Columns: b.Columns, Len: b.Len, Sel: p.outSel}
	return &p.out
}

// noteNullKeys marks the rows whose key is NULL or could equal a NULL of the
// build side.
func (p *probeOperator) noteNullKeys(key *vector.Vector) {
	if !p.build.hasRows {
		return
	}
	for k := range p.unknown {
		p.unknown[k] = p.build.nullKeys || key.IsNull(p.batch.Row(k))
	}
}

// marked adds the mark to a batch.
func (p *probeOperator) marked(b *vector.Batch) *vector.Batch {
	if p.mark == nil {
		p.mark = &vector.Vector{Type: types.Of(types.Boolean)}
	}
	mark := p.mark
	mark.Reset(b.Len)
	for k, hit := range p.hit {
		row := b.Row(k)
		mark.Bools[row] = hit
		if !hit && p.unknown[k] {
			mark.SetNull(row)
		}
	}
	p.columns = append(append(p.columns[:0], b.Columns...), mark)
	p.out = vector.Batch{Columns: p.columns, Len: b.Len, Sel: b.Sel}
	return &p.out
}

// padded puts NULLs in the place of the build side's columns.
func (p *probeOperator) padded(b *vector.Batch) *vector.Batch {
	if b == nil {
		return nil
	}
	p.columns = append(p.columns[:0], b.Columns...)
	for i, t := range p.build.columns {
		if i == len(p.nulls) {
			p.nulls = append(p.nulls, vector.NewNull(t, b.Len))
		}
		p.nulls[i].Len = b.Len
		p.columns = append(p.columns, p.nulls[i])
	}
	p.out = vector.Batch{Columns: p.columns, Len: b.Len, Sel: b.Sel}
	return &p.out
}

// buildRows gives the build rows that no probe row matched, or, for
// RightSemiJoin, those that one did. Only the operator that finished last knows
// them all.
func (p *probeOperator) buildRows(ctx context.Context) (*vector.Batch, error) {
	if !p.isLast || p.build.matched == nil {
		return nil, io.EOF
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var sel vector.Selection
	for ; p.tail < p.build.rows.Len && len(sel) < vector.BatchRows; p.tail++ {
		if p.build.matched[p.tail].Load() == (p.kind == plan.RightSemiJoin) {
			sel = append(sel, int32(p.tail))
		}
	}
	if len(sel) == 0 {
		return nil, io.EOF
	}
	out := vector.NewBatch(len(sel))
	for _, t := range p.probeTypes {
		if p.kind.RightOnly() {
			break
		}
		out.Columns = append(out.Columns, vector.NewNull(t, len(sel)))
	}
	out.Columns = append(out.Columns, selectColumns(p.build.rows.Columns, sel)...)
	return out, nil
}

func (p *probeOperator) close() error {
	err := p.in.close()
	if p.sub != nil {
		err = errors.Join(err, p.sub.close())
	}
	p.build.once.Do(func() { err = errors.Join(err, closeAll(p.build.inputs)) })
	if p.build.open.Add(-1) == 0 {
		p.build.free()
	}
	return err
}
