package exec

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
)

// planScan asks the storage for what the node's ScanSpec says, once.
func (x *executor) planScan(n *plan.Scan) (storage.Scan, error) {
	if scan, ok := x.planned[n]; ok {
		return scan, nil
	}
	source, ok := n.Source.(storage.Scannable)
	if !ok {
		return nil, fmt.Errorf("exec: %s can't be scanned", n.Source.Name())
	}
	x.noteRead(n)
	b := source.NewScan().WithColumns(n.Spec.Columns)
	if n.RowPositions {
		b = b.WithRowPositions()
	}
	if n.Spec.PartitionFilter != nil {
		b = b.WithPartitionFilter(n.Spec.PartitionFilter)
	}
	if n.Spec.DataFilter != nil {
		b = b.WithDataFilter(n.Spec.DataFilter)
	}
	if n.Spec.LimitHint > 0 {
		b = b.WithLimitHint(n.Spec.LimitHint)
	}
	scan, err := b.Build(x.ctx)
	if err != nil {
		return nil, err
	}
	if x.stats != nil {
		x.stats.planned(n, scan)
	}
	x.planned[n] = scan
	return scan, nil
}

// noteRead tells the transaction what a scan reads, and keeps it for the change
// that the statement may make. A past state is not noted: it never changes.
func (x *executor) noteRead(n *plan.Scan) {
	if n.AsOf != nil {
		return
	}
	filter := expr.And(n.Spec.PartitionFilter, n.Spec.DataFilter, n.Spec.Residual)
	if filter == nil {
		filter = expr.True
	}
	x.env.Tx.NoteRead(n.Source, filter)
	x.reads[n.Source.Name()] = storage.UnionReads(x.reads[n.Source.Name()], filter)
}

// scan gives operators that share a queue of tasks.
func (x *executor) scan(n *plan.Scan) ([]operator, error) {
	scan, err := x.planScan(n)
	if err != nil {
		return nil, err
	}
	queue := newTaskQueue(x, n, scan)
	ops := make([]operator, max(1, min(x.env.Threads, len(queue.tasks))))
	for i := range ops {
		op := &scanOperator{queue: queue, withFile: n.RowPositions, node: n, stats: x.stats}
		ops[i] = op
		if n.Spec.Residual == nil {
			continue
		}
		filter, err := newFilter(op, residual(n), x.env.Eval)
		if err != nil {
			return nil, err
		}
		ops[i] = filter
	}
	return ops, nil
}

// residual is the scan's residual over the scan's own columns.
func residual(n *plan.Scan) expr.Expr {
	schema := n.Source.Schema()
	at := map[int]int{}
	for i, name := range n.Spec.Columns {
		at[schema.Index(name)] = i
	}
	return expr.Remap(n.Spec.Residual, at)
}

// scanOperator reads tasks until none is left.
type scanOperator struct {
	queue    *taskQueue
	withFile bool
	node     *plan.Scan
	stats    *planStats
	reader   storage.BatchReader
	file     *vector.Vector // constant: the ordinal of the reader's file
	out      vector.Batch
}

func (s *scanOperator) next(ctx context.Context) (*vector.Batch, error) {
	for {
		if s.reader == nil {
			if err := s.open(ctx); err != nil {
				return nil, err
			}
		}
		b, err := s.reader.Next(ctx)
		if err == io.EOF {
			if err := s.finish(); err != nil {
				return nil, err
			}
			continue
		}
		if err != nil || !s.withFile {
			return b, err
		}
		return s.addFile(b), nil
	}
}

// addFile puts the file's ordinal before the row position, which is last.
func (s *scanOperator) addFile(b *vector.Batch) *vector.Batch {
	last := len(b.Columns) - 1
	s.out = vector.Batch{Columns: append(s.out.Columns[:0], b.Columns[:last]...), Len: b.Len, Sel: b.Sel}
	s.file.Len = b.Len
	s.out.Columns = append(s.out.Columns, s.file, b.Columns[last])
	return &s.out
}

func (s *scanOperator) open(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	scan, task, ok := s.queue.take()
	if !ok {
		return io.EOF
	}
	reader, err := scan.Open(ctx, task)
	if err != nil {
		return err
	}
	s.reader = reader
	s.file = &vector.Vector{Type: types.Of(types.Int), Form: vector.Constant, Int32s: []int32{s.queue.files[task.File.Path]}}
	return nil
}

func (s *scanOperator) finish() error {
	if s.reader == nil {
		return nil
	}
	if s.stats != nil {
		s.stats.read(s.node, s.reader.Metrics())
	}
	err := s.reader.Close()
	s.reader = nil
	return err
}

func (s *scanOperator) close() error { return s.finish() }

// filterOperator narrows the selection of its input's batches.
type filterOperator struct {
	in      operator
	program *eval.Program
	out     vector.Batch
}

func newFilter(in operator, condition expr.Expr, env *eval.Env) (operator, error) {
	program, err := eval.Compile(condition, env)
	return &filterOperator{in: in, program: program}, err
}

func (f *filterOperator) next(ctx context.Context) (*vector.Batch, error) {
	for {
		b, err := f.in.next(ctx)
		if err != nil {
			return nil, err
		}
		sel, err := f.program.Filter(b)
		if err != nil {
			return nil, err
		}
		if len(sel) == 0 {
			continue
		}
		f.out = vector.Batch{Columns: b.Columns, Len: b.Len, Sel: sel}
		return &f.out, nil
	}
}

func (f *filterOperator) close() error { return f.in.close() }

// projectOperator computes expressions.
type projectOperator struct {
	in       operator
	programs *eval.ProgramSet
	out      vector.Batch
}

func newProject(in operator, exprs []expr.Expr, env *eval.Env) (operator, error) {
	programs, err := eval.CompileSet(exprs, env)
	return &projectOperator{in: in, programs: programs}, err
}

func (p *projectOperator) next(ctx context.Context) (*vector.Batch, error) {
	b, err := p.in.next(ctx)
	if err != nil {
		return nil, err
	}
	columns, err := p.programs.Eval(b)
	p.out = vector.Batch{Columns: columns, Len: b.Len, Sel: b.Sel}
	return &p.out, err
}

func (p *projectOperator) close() error { return p.in.close() }

// batchOperator gives slices of one batch.
type batchOperator struct {
	batch *vector.Batch
	at    int
}

func (o *batchOperator) next(ctx context.Context) (*vector.Batch, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	rows := o.batch.Rows()
	if o.at >= rows {
		return nil, io.EOF
	}
	to := min(o.at+vector.BatchRows, rows)
	out := o.batch.Slice(o.at, to)
	o.at = to
	return out, nil
}

func (o *batchOperator) close() error { return nil }

// feedOperator gives the batches of a Feed.
type feedOperator struct{ *plan.Feed }

func (f feedOperator) next(ctx context.Context) (*vector.Batch, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return f.Next(ctx)
}

func (f feedOperator) close() error { return nil }

// values computes the rows of a Values node.
func (x *executor) values(n *plan.Values) ([]operator, error) {
	builders := make([]*vector.Builder, len(n.Fields))
	for c, f := range n.Fields {
		builders[c] = vector.NewBuilder(f.Type, len(n.Rows))
		for _, row := range n.Rows {
			v, err := eval.EvalConstant(row[c], x.env.Eval)
			if err != nil {
				return nil, err
			}
			builders[c].AppendValue(v)
		}
	}
	b := vector.NewBatch(len(n.Rows))
	for _, builder := range builders {
		b.Columns = append(b.Columns, builder.Vector())
	}
	return []operator{&batchOperator{batch: b}}, nil
}

// union gives operators that read the inputs one after the other.
func (x *executor) union(n *plan.Union) ([]operator, error) {
	var chains []operator
	for _, in := range n.Inputs {
		ops, err := x.build(in)
		if err != nil {
			return nil, errors.Join(err, closeAll(chains))
		}
		for i, op := range ops {
			if i == len(chains) {
				chains = append(chains, &chainOperator{})
			}
			c := chains[i].(*chainOperator)
			c.rest = append(c.rest, op)
		}
	}
	return chains, nil
}

// chainOperator reads operators in turn.
type chainOperator struct{ rest []operator }

func (c *chainOperator) next(ctx context.Context) (*vector.Batch, error) {
	for len(c.rest) > 0 {
		b, err := c.rest[0].next(ctx)
		if err != io.EOF {
			return b, err
		}
		if err := c.rest[0].close(); err != nil {
			return nil, err
		}
		c.rest = c.rest[1:]
	}
	return nil, io.EOF
}

func (c *chainOperator) close() error { return closeAll(c.rest) }

// limit stops after the rows asked for. Over a Sort it only keeps those.
func (x *executor) limit(n *plan.Limit) ([]operator, error) {
	var in operator
	var err error
	if s, ok := n.Input.(*plan.Sort); ok && n.Count != plan.NoLimit {
		var ops []operator
		if ops, err = x.sort(s, n.Needed()); err == nil {
			if x.stats != nil {
				ops = x.stats.measure(s, ops)
			}
			in = ops[0]
		}
	} else {
		in, err = x.single(n.Input)
	}
	if err != nil {
		return nil, err
	}
	return []operator{&limitOperator{in: in, skip: n.Offset, left: n.Count}}, nil
}

type limitOperator struct {
	in   operator
	skip int64
	left int64 // plan.NoLimit for no end
}

func (l *limitOperator) next(ctx context.Context) (*vector.Batch, error) {
	for l.left != 0 {
		b, err := l.in.next(ctx)
		if err != nil {
			return nil, err
		}
		rows := int64(b.Rows())
		if l.skip >= rows {
			l.skip -= rows
			continue
		}
		to := rows
		if l.left != plan.NoLimit {
			to = l.skip + min(rows-l.skip, l.left)
			l.left -= to - l.skip
		}
		out := b.Slice(int(l.skip), int(to))
		l.skip = 0
		return out, nil
	}
	return nil, io.EOF
}

func (l *limitOperator) close() error { return l.in.close() }
