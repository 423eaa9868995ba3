package exec

import (
	"context"
	"errors"
	"io"
	"sync"
	"sync/atomic"

	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// sharing is what the operators of a Shared node and those that read its rows
// elsewhere have in common.
type sharing struct {
	open atomic.Int32 // the places where they are read that were not closed
	rows *sharedRows  // once the operators of the Shared node are built
}

// sharingOf gives what the places that read some rows share.
func (x *executor) sharingOf(rows *plan.WorkingTable) *sharing {
	s := x.sharing[rows]
	if s == nil {
		s = &sharing{}
		x.sharing[rows] = s
	}
	return s
}

// sharedRows are the rows of a Shared node, which the first that asks for them
// computes. They are kept until the statement ends.
type sharedRows struct {
	x     *executor
	types []types.Type

	mu      sync.Mutex // held while the rows are computed
	inputs  []operator // until then
	batches []*vector.Batch
	spilled spilledRows
	err     error
	account *account
}

// shared gives the operators of a Shared node and lets its readers find its rows.
func (x *executor) shared(n *plan.Shared) ([]operator, error) {
	inputs, err := x.build(n.Input)
	if err != nil {
		return nil, err
	}
	s := &sharedRows{x: x, types: n.Schema().Types(), inputs: inputs, account: x.memoryOf(n).account()}
	s.spilled.types = s.types
	x.sharingOf(n.Rows).rows = s
	return x.readers(n.Rows), nil
}

// workingTable gives the operators that read rows which another node keeps.
func (x *executor) workingTable(n *plan.WorkingTable) []operator {
	if n.Shared == 0 {
		return []operator{&batchOperator{batch: x.working[n]}}
	}
	return x.readers(n)
}

// readers gives operators that share the reading of rows.
func (x *executor) readers(rows *plan.WorkingTable) []operator {
	s, at := x.sharingOf(rows), new(atomic.Int64)
	s.open.Add(1)
	ops := make([]operator, x.env.Threads)
	for i := range ops {
		ops[i] = &sharedReader{sharing: s, at: at, isFirst: i == 0}
	}
	return ops
}

// compute reads the inputs to their end, once.
func (s *sharedRows) compute() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.inputs == nil {
		return s.err
	}
	parts := make([]*sharedPart, len(s.inputs))
	s.err = drainOperators(s.x.ctx, s.inputs, func(worker int) func(*vector.Batch) error {
		parts[worker] = &sharedPart{rows: vector.NewCollector(s.types), account: s.account.memory.account()}
		return parts[worker].add
	})
	s.inputs = nil
	for _, p := range parts {
		if s.err == nil {
			s.err = s.take(p)
		}
	}
	return s.err
}

// take makes the rows of a part ones of all.
func (s *sharedRows) take(p *sharedPart) error {
	s.account.take(p.account)
	b := p.rows.Batch()
	for from := 0; from < b.Len; from += vector.BatchRows {
		s.batches = append(s.batches, b.Slice(from, min(from+vector.BatchRows, b.Len)))
	}
	if p.writer == nil {
		return nil
	}
	written, err := p.writer.finish()
	s.spilled.add(written)
	return err
}

// abandon closes the inputs of rows that nobody has asked for.
func (s *sharedRows) abandon() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.inputs == nil {
		return nil
	}
	err := closeAll(s.inputs)
	s.inputs, s.err = nil, errors.New("exec: shared rows are read after their end")
	return err
}

// sharedPart are the rows that one worker computes.
type sharedPart struct {
	rows    *vector.Collector
	account *account
	writer  *spillWriter // of rows that had no room; nil for none
}

func (p *sharedPart) add(b *vector.Batch) error {
	if err := p.rows.Append(b); err != nil {
		return err
	}
	if p.account.fit(batchBytes(p.rows.Batch())) {
		return nil
	}
	if p.writer == nil {
		file, err := p.account.memory.newSpillFile()
		if err != nil {
			return err
		}
		p.writer = newSpillWriter(file, p.rows.Types(), new([]byte))
	}
	err := p.writer.write(p.rows.Batch())
	p.rows.Reset()
	return err
}

// sharedReader gives some of the shared rows; others with the same at give the
// rest.
type sharedReader struct {
	sharing *sharing
	at      *atomic.Int64 // the next batch that nobody has taken
	isFirst bool          // of those with the same at, until it is closed

	found   *sharedRows // once read
	spilled *spillReader
}

func (r *sharedReader) next(ctx context.Context) (*vector.Batch, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if r.found == nil {
		s := r.sharing.rows
		if err := s.compute(); err != nil {
			return nil, err
		}
		r.found, r.spilled = s, s.spilled.reader()
	}
	at := int(r.at.Add(1)) - 1
	if at < len(r.found.batches) {
		return r.found.batches[at], nil
	}
	if r.spilled.at = at - len(r.found.batches); r.spilled.at >= len(r.found.spilled.blocks) {
		return nil, io.EOF
	}
	return r.spilled.next(ctx)
}

// close abandons the rows where this was the last place that could ask for them.
func (r *sharedReader) close() error {
	if !r.isFirst {
		return nil
	}
	r.isFirst = false
	if r.sharing.open.Add(-1) > 0 || r.sharing.rows == nil {
		return nil
	}
	return r.sharing.rows.abandon()
}
