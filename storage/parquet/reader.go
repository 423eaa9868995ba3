package parquet

import (
	"context"
	"fmt"
	"io"

	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/deletes"
)

// ReadOptions say what to read of a file.
type ReadOptions struct {
	// Columns are the columns of the batches, with the types of the table. A
	// column, or a field of a struct, that the file doesn't have is NULL. The
	// file's type may differ where every value of it can be kept (Schema
	// evolution in the package comment); else Read gives ErrSchemaMismatch.
	Columns []types.Field
	// ByID finds columns with an ID by the file's field ids instead of names.
	// A file without any is ErrSchemaMismatch; see HasFieldIDs.
	ByID bool
	// Defaults are the values of fields of structs that the file doesn't have, by
	// their ids; without one they are NULL. Row 0 of the vector counts.
	Defaults map[types.FieldID]*vector.Vector
	// Constants are the columns, by position in Columns, that don't come from
	// the file but have one value for all of it, such as partition columns.
	// Row 0 of the vector counts.
	Constants map[int]*vector.Vector
	// Filter keeps only rows for which it is true; Column.Index is the position
	// in Columns. Row groups that can't have such rows are not read.
	Filter expr.Expr
	// Members keep only rows with values in sets, after Filter.
	Members []Member
	// Env is what Filter is evaluated with.
	Env *eval.Env
	// Offset and Length are a byte range: row groups whose middle lies in it
	// are read. A Length of 0 means all of them.
	Offset, Length int64
	// Parts, if it is not 0, is the number of readers that share the rows of each
	// row group; this one has the share Part, from 0 on. A row group without an
	// offset index belongs to the first.
	Part, Parts int
	// Deletes are positions of rows to leave out. It must not change while the
	// reader is in use.
	Deletes *deletes.PositionSet
	// WindowBytes is how much of a column chunk is read at a time; where
	// reads are slow, each asks for twice as much as the one before. 0 means 512 KiB.
	WindowBytes int
	// Positions appends a BIGINT column: each row's position in the file.
	Positions bool
}

// Member is a set of values of a column.
type Member struct {
	Column int // position in ReadOptions.Columns
	Set    storage.Members
}

// Reader reads the rows of a file in order. It is for one goroutine; a File
// may have several.
type Reader struct {
	file      *File
	ctx       context.Context // of the call of Next at hand
	o         ReadOptions
	columns   []column
	steps     []filterStep
	rest      []int // columns that no step reads
	cursor    *deletes.Cursor
	group     int // the row group being read
	row       int64
	open      bool       // rows of group are left
	fetched   bool       // the chunks of rest were read
	ranges    []rowRange // rows of group that the filter may be true for; nil: all
	metrics   storage.ReadMetrics
	memory    *memory
	input     vector.Batch // what filters see
	batch     vector.Batch
	pending   []int64 // by column: rows that were not read yet
	keep      vector.Selection
	positions vector.Vector
	err       error
}

// filterStep is a conjunct of the filter, or a set, and the columns to read
// before it.
type filterStep struct {
	program *eval.Program
	member  *Member // if there is no program
	columns []int
	out     vector.Selection // of member
}

// keep selects the rows of a batch that pass the step.
func (s *filterStep) keep(b *vector.Batch) (vector.Selection, error) {
	if s.program != nil {
		return s.program.Filter(b)
	}
	if cap(s.out) < b.Len {
		s.out = make(vector.Selection, b.Len)
	}
	return s.member.Set.Select(b.Columns[s.member.Column], b.Sel, b.Len, s.out[:b.Len]), nil
}

// Read starts reading. It does no I/O.
func (f *File) Read(o ReadOptions) (r *Reader, err error) {
	defer guard(f.path, &err)
	if o.ByID && !f.HasFieldIDs() {
		return nil, fmt.Errorf("read %s: the file has no field ids to find columns by: %w", f.path, storage.ErrSchemaMismatch)
	}
	r = &Reader{file: f, o: o, cursor: o.Deletes.Cursor()}
	res := resolver{file: f, byID: o.ByID, defaults: o.Defaults}
	for i, want := range o.Columns {
		var c column
		if v, ok := o.Constants[i]; ok {
			c = newConstantColumn(v)
		} else if c, err = res.column(want); err != nil {
			return nil, err
		}
		r.columns = append(r.columns, c)
	}
	if err := r.compile(); err != nil {
		return nil, err
	}
	if r.o.WindowBytes <= 0 {
		r.o.WindowBytes = firstWindowBytes
	}
	r.memory = memories.Get().(*memory)
	for _, c := range r.columns {
		for _, p := range c.chunks() {
			p.pageBuf, p.dictBuf = r.memory.pageBuffer(), r.memory.pageBuffer()
			p.load = func(at int64, n int) ([]byte, error) { return r.loadWindow(p, at, n) }
		}
	}
	r.pending = make([]int64, len(r.columns))
	r.input.Columns = make([]*vector.Vector, len(r.columns))
	r.batch.Columns = make([]*vector.Vector, len(r.columns), len(r.columns)+1)
	r.positions.Type = types.Of(types.BigInt)
	return r, nil
}

// compile makes a step of each conjunct of the filter, in their order.
func (r *Reader) compile() error {
	read := make([]bool, len(r.columns))
	for _, conjunct := range expr.SplitConjuncts(r.o.Filter) {
		program, err := eval.Compile(conjunct, r.o.Env)
		if err != nil {
			return fmt.Errorf("read %s: %w", r.file.path, err)
		}
		step := filterStep{program: program}
		for _, c := range expr.Columns(conjunct) {
			if c.Index < 0 || c.Index >= len(r.columns) {
				return fmt.Errorf("read %s: filter column %s has index %d of %d", r.file.path, c, c.Index, len(r.columns))
			}
			if !read[c.Index] {
				read[c.Index] = true
				step.columns = append(step.columns, c.Index)
			}
		}
		r.steps = append(r.steps, step)
	}
	for i := range r.o.Members {
		m := &r.o.Members[i]
		step := filterStep{member: m}
		if !read[m.Column] {
			read[m.Column] = true
			step.columns = []int{m.Column}
		}
		r.steps = append(r.steps, step)
	}
	for i := range r.columns {
		if !read[i] {
			r.rest = append(r.rest, i)
		}
	}
	return nil
}

// Next gives the next batch: dense, with at most vector.BatchRows rows and
// never empty. At the end it gives io.EOF. The batch is valid until the next
// call.
func (r *Reader) Next(ctx context.Context) (b *vector.Batch, err error) {
	if r.err != nil {
		return nil, r.err
	}
	defer func() { r.err = err }() // columns may have got out of step, so it stays
	defer guard(r.file.path, &err)
	r.ctx = ctx
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if !r.open {
			if err := r.nextGroup(ctx); err != nil {
				return nil, err
			}
		}
		rows := r.file.groups[r.group].Rows
		n := int(min(rows-r.row, vector.BatchRows))
		b, err := r.readRows(ctx, n)
		if err != nil {
			return nil, err
		}
		r.row += int64(n)
		if r.row == rows {
			r.closeGroup()
		}
		if b != nil {
			r.metrics.RowsRead += int64(b.Len)
			return b, nil
		}
	}
}

// Close gives the reader's memory to the next one: the batches that it gave
// must not be looked at any more.
func (r *Reader) Close() error {
	r.err = fmt.Errorf("read %s: reader is closed", r.file.path)
	for _, c := range r.columns {
		for _, p := range c.chunks() {
			r.memory.pages = append(r.memory.pages, p.pageBuf, p.dictBuf)
			r.memory.put(p.windowBuf)
		}
	}
	if r.memory != nil {
		r.memory.release()
		memories.Put(r.memory)
	}
	r.memory, r.columns, r.batch, r.input = nil, nil, vector.Batch{}, vector.Batch{}
	return nil
}

// Metrics tells what was read so far.
func (r *Reader) Metrics() storage.ReadMetrics { return r.metrics }

// nextGroup begins the next row group that has to be read.
func (r *Reader) nextGroup(ctx context.Context) error {
	for ; r.group < len(r.file.groups); r.group++ {
		g := r.file.groups[r.group]
		if g.Rows == 0 || !r.inRange(g) {
			continue
		}
		if !r.mayMatch(r.group) {
			r.metrics.RowGroupsPruned++
			continue
		}
		var err error
		if r.ranges, err = r.findRows(ctx); err != nil {
			return err
		}
		if r.ranges != nil && len(r.ranges) == 0 {
			r.metrics.RowGroupsPruned++
			continue
		}
		if !r.takeShare(g) {
			continue
		}
		if r.o.Part == 0 {
			r.metrics.RowGroupsRead++
		}
		r.open, r.fetched, r.row = true, false, 0
		clear(r.pending)
		var columns []int
		for _, s := range r.steps {
			columns = append(columns, s.columns...)
		}
		return r.fetch(ctx, columns)
	}
	return io.EOF
}

func (r *Reader) inRange(g RowGroup) bool {
	if r.o.Length == 0 {
		return true
	}
	middle := g.Start + g.Length/2
	return r.o.Offset <= middle && middle-r.o.Offset < r.o.Length
}

func (r *Reader) closeGroup() {
	r.open = false
	r.group++
	r.memory.release()
}

// readRows reads the next n rows of the row group: filter columns first, the others
// only if a row is left. It gives nil if none is.
func (r *Reader) readRows(ctx context.Context, n int) (*vector.Batch, error) {
	if r.ranges != nil && !overlaps(r.ranges, rowRange{r.row, r.row + int64(n)}) {
		r.delayAll(0, n)
		return nil, nil
	}
	first := r.file.groups[r.group].FirstRow + r.row
	sel := r.cursor.Keep(first, first+int64(n), r.keep)
	if sel != nil {
		r.keep = sel
	}
	r.input.Len = n
	read := 0 // steps done
	for ; read < len(r.steps) && (sel == nil || len(sel) > 0); read++ {
		s := &r.steps[read]
		if err := r.readColumns(s.columns, n); err != nil {
			return nil, err
		}
		r.input.Sel = sel
		var err error
		if sel, err = s.keep(&r.input); err != nil {
			return nil, err
		}
		if len(sel) == n {
			sel = nil
		}
	}
	if sel != nil && len(sel) == 0 {
		r.delayAll(read, n)
		return nil, nil
	}
	if err := r.readRest(ctx, n); err != nil {
		return nil, err
	}
	return r.output(first, n, sel), nil
}

// delayAll delays rows of all columns but those of the steps that were done.
func (r *Reader) delayAll(done, n int) {
	for _, s := range r.steps[done:] {
		r.delay(s.columns, n)
	}
	r.delay(r.rest, n)
}

// delay notes rows of columns that nobody needs, to be skipped in one go.
func (r *Reader) delay(columns []int, n int) {
	for _, i := range columns {
		r.pending[i] += int64(n)
	}
}

func (r *Reader) readColumns(columns []int, n int) error {
	for _, i := range columns {
		if err := r.skipPending(i); err != nil {
			return err
		}
		v, err := r.columns[i].read(n)
		if err != nil {
			return err
		}
		r.input.Columns[i] = v
	}
	return nil
}

func (r *Reader) skipPending(i int) error {
	for r.pending[i] > 0 {
		n := min(r.pending[i], 1<<16)
		if err := r.columns[i].skip(int(n)); err != nil {
			return err
		}
		r.pending[i] -= n
	}
	return nil
}

func (r *Reader) readRest(ctx context.Context, n int) error {
	if !r.fetched {
		if err := r.fetch(ctx, r.rest); err != nil {
			return err
		}
		r.fetched = true
	}
	return r.readColumns(r.rest, n)
}

// output puts the batch together.
func (r *Reader) output(first int64, n int, sel vector.Selection) *vector.Batch {
	r.batch.Columns = r.batch.Columns[:len(r.columns)]
	r.batch.Len = n
	if sel != nil {
		r.batch.Len = len(sel)
	}
	for i, c := range r.columns {
		if sel == nil {
			r.batch.Columns[i] = r.input.Columns[i]
		} else {
			r.batch.Columns[i] = c.pick(sel)
		}
	}
	if r.o.Positions {
		r.batch.Columns = append(r.batch.Columns, r.rowPositions(first, n, sel))
	}
	return &r.batch
}

func (r *Reader) rowPositions(first int64, n int, sel vector.Selection) *vector.Vector {
	if sel == nil {
		r.positions.Reset(n)
		for i := range r.positions.Int64s {
			r.positions.Int64s[i] = first + int64(i)
		}
		return &r.positions
	}
	r.positions.Reset(len(sel))
	for i, row := range sel {
		r.positions.Int64s[i] = first + int64(row)
	}
	return &r.positions
}
