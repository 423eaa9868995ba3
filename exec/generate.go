package exec

import (
	"context"
	"fmt"
	"math"

	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// generateOperator gives every row of its input once per value that the node's
// generator makes of it. A row with many values is given over several batches, so
// that nothing is kept but the input's batch.
type generateOperator struct {
	in     operator
	node   *plan.Generate
	args   *eval.ProgramSet
	values generatedValues

	batch *vector.Batch // of which rows from at on are still to be given
	at    int
	given uint64 // values of the row at

	rows      vector.Selection // of the batch, per row of the output
	positions []int64          // of the values, per row; -1 for a row of NULLs
	columns   []*vector.Vector // own
}

// generatedValues are the values that a generator makes of the rows of a batch.
type generatedValues interface {
	// begin takes what the arguments are for the rows of a batch.
	begin(args []*vector.Vector)
	// count is how many values row i has.
	count(i int) (uint64, error)
	// gather gives the values of rows at positions; NULL for a negative one.
	gather(rows vector.Selection, positions []int64) *vector.Vector
}

func newGenerate(in operator, n *plan.Generate, env *eval.Env) (operator, error) {
	args, err := eval.CompileSet(n.Function.Args, env)
	if err != nil {
		return nil, err
	}
	g := &generateOperator{in: in, node: n, args: args}
	for range n.Schema().Fields {
		g.columns = append(g.columns, &vector.Vector{})
	}
	switch n.Function.Kind {
	case eval.Elements:
		g.values = &elementValues{t: n.Function.Type}
	case eval.HalfOpenSeries, eval.ClosedSeries:
		g.values = &seriesValues{closed: n.Function.Kind == eval.ClosedSeries}
	}
	return g, nil
}

func (g *generateOperator) next(ctx context.Context) (*vector.Batch, error) {
	for {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if g.batch == nil || g.at == g.batch.Rows() {
			if err := g.advance(ctx); err != nil {
				return nil, err
			}
		}
		if err := g.fill(); err != nil {
			return nil, err
		}
		if len(g.rows) > 0 {
			return g.output(), nil
		}
	}
}

// advance takes the next batch of the input.
func (g *generateOperator) advance(ctx context.Context) error {
	b, err := g.in.next(ctx)
	if err != nil {
		return err
	}
	args, err := g.args.Eval(b)
	if err != nil {
		return err
	}
	g.batch, g.at, g.given = b, 0, 0
	g.values.begin(args)
	return nil
}

// fill chooses the rows of the next batch.
func (g *generateOperator) fill() error {
	g.rows, g.positions = g.rows[:0], g.positions[:0]
	for g.at < g.batch.Rows() && len(g.rows) < vector.BatchRows {
		i := g.batch.Row(g.at)
		count, err := g.values.count(i)
		if err != nil {
			return err
		}
		if count == 0 && g.node.Outer {
			g.rows, g.positions = append(g.rows, int32(i)), append(g.positions, -1)
		}
		end := g.given + min(count-g.given, uint64(vector.BatchRows-len(g.rows)))
		for ; g.given < end; g.given++ {
			g.rows, g.positions = append(g.rows, int32(i)), append(g.positions, int64(g.given))
		}
		if g.given == count {
			g.at, g.given = g.at+1, 0
		}
	}
	return nil
}

// output makes the chosen rows.
func (g *generateOperator) output() *vector.Batch {
	out := &vector.Batch{Columns: make([]*vector.Vector, len(g.columns)), Len: len(g.rows)}
	for i, c := range g.batch.Columns {
		c.SelectInto(g.columns[i], g.rows)
		out.Columns[i] = g.columns[i]
	}
	width := len(g.batch.Columns)
	for i, c := range g.node.Gives {
		switch c {
		case plan.GeneratedValue:
			out.Columns[width+i] = g.values.gather(g.rows, g.positions)
		case plan.GeneratedPosition:
			out.Columns[width+i] = g.numbers(g.columns[width+i])
		}
	}
	return out
}

func (g *generateOperator) numbers(out *vector.Vector) *vector.Vector {
	out.Type = types.Of(types.BigInt)
	out.Reset(len(g.positions))
	for k, p := range g.positions {
		out.Int64s[k] = p
		if p < 0 {
			out.SetNull(k)
		}
	}
	return out
}

func (g *generateOperator) close() error { return g.in.close() }

// elementValues are the elements of arrays.
type elementValues struct {
	t     types.Type
	lists *vector.Vector
	at    vector.Selection
	out   vector.Vector
}

func (e *elementValues) begin(args []*vector.Vector) { e.lists = args[0] }

func (e *elementValues) count(i int) (uint64, error) {
	if e.lists.IsNull(i) {
		return 0, nil
	}
	list, p := e.lists.At(i)
	return uint64(list.Offsets[p+1] - list.Offsets[p]), nil
}

func (e *elementValues) gather(rows vector.Selection, positions []int64) *vector.Vector {
	list, _ := e.lists.At(int(rows[0])) // that of all rows, or their dictionary
	child := list.Child
	if child == nil || child.Len == 0 {
		return vector.NewNull(e.t, len(rows))
	}
	e.at = e.at[:0]
	padded := false
	for k, i := range rows {
		if positions[k] < 0 {
			e.at, padded = append(e.at, 0), true
			continue
		}
		_, p := e.lists.At(int(i))
		e.at = append(e.at, list.Offsets[p]+int32(positions[k]))
	}
	if padded || child.Form == vector.Constant {
		child = child.Flatten()
	}
	child.SelectInto(&e.out, e.at)
	for k, p := range positions {
		if p < 0 {
			e.out.SetNull(k)
		}
	}
	return &e.out
}

// seriesValues are whole numbers that are a step apart.
type seriesValues struct {
	closed            bool
	first, last, step *vector.Vector
	out               vector.Vector
}

// intAt reads a BIGINT vector of any form.
func intAt(v *vector.Vector, i int) int64 {
	values, p := v.At(i)
	return values.Int64s[p]
}

func (s *seriesValues) begin(args []*vector.Vector) {
	s.first, s.last, s.step = args[0], args[1], args[2]
}

func (s *seriesValues) count(i int) (uint64, error) {
	if s.first.IsNull(i) || s.last.IsNull(i) || s.step.IsNull(i) {
		return 0, nil
	}
	first, last, step := intAt(s.first, i), intAt(s.last, i), intAt(s.step, i)
	if step == 0 {
		return 0, fmt.Errorf("%w: a series from %d to %d can't go by 0", eval.ErrInvalidValue, first, last)
	}
	if first == last && !s.closed || first != last && (first < last) != (step > 0) {
		return 0, nil
	}
	// In uint64 no difference of two int64 overflows.
	span, by := uint64(last)-uint64(first), uint64(step)
	if step < 0 {
		span, by = -span, -by
	}
	count := span / by
	if (s.closed || span%by != 0) && count < math.MaxUint64 {
		count++
	}
	return count, nil
}

func (s *seriesValues) gather(rows vector.Selection, positions []int64) *vector.Vector {
	s.out.Type = types.Of(types.BigInt)
	s.out.Reset(len(rows))
	for k, i := range rows {
		if positions[k] < 0 {
			s.out.SetNull(k)
			continue
		}
		s.out.Int64s[k] = intAt(s.first, int(i)) + positions[k]*intAt(s.step, int(i))
	}
	return &s.out
}
