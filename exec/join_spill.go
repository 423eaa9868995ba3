package exec

import (
	"context"
	"fmt"
	"io"
	"sync"
	"sync/atomic"

	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// A join whose build rows have no room partitions them by a hash of their keys.
// The partitions for which there is room are read back and make the table that
// the input is probed with; input rows that belong to the others go to files,
// partitioned by the same hash. When the input has ended, each of the other
// partitions is a join of its own, of files, which may be partitioned again. As
// rows of equal keys are always in the same partition this is right for every
// kind of join; only the NULLs of a null-aware one are known to all partitions.
//
// A join without keys has no partitions: every row meets every other, and a
// side that does not fit in memory would have to be read anew for each batch of
// the other. Such a join would hardly end, so it is an ErrMemoryLimit.

// joinSpill is what a join keeps in files.
type joinSpill struct {
	buildFile, probeFile *spillFile
	build                []spilledRows // by partition; no rows where it is resident
	resident             []bool        // the partition is in memory, or empty
	part                 int           // the one that is joined next

	mu    sync.Mutex // guards probe
	probe []spilledRows
}

// buildSink keeps the build rows of one worker.
type buildSink struct {
	j       *joinBuild
	worker  int
	rows    *vector.Collector
	account *account
	keys    *eval.ProgramSet
	hasher  *keyHasher
	writer  *partitionWriter // once the join spills
	bounds  []keyBounds      // of the keys that feed a filter
	null    bool             // some key is NULL
}

func (j *joinBuild) newSink(worker int) *buildSink {
	return &buildSink{j: j, worker: worker, rows: vector.NewCollector(j.columns), account: j.memory.account()}
}

// bytes is the memory that the rows take with their index, and with their copy
// in the table of all workers.
func (s *buildSink) bytes() int64 {
	size := batchBytes(s.rows.Batch())
	if s.worker > 0 {
		size *= 2
	}
	return size + int64(s.rows.Rows())*s.j.indexRowBytes()
}

// indexRowBytes estimates what indexing a row takes.
func (j *joinBuild) indexRowBytes() int64 {
	switch {
	case len(j.node.Keys) == 0:
		return 0
	case oneNumber(j.node.Keys):
		return 32
	}
	size := int64(64)
	for _, k := range j.node.Keys {
		size += 8
		if p := k.Right.Type().Physical(); p == types.PhysBytes || p == types.PhysList || p == types.PhysStruct {
			size += 64
		}
	}
	return size
}

func (s *buildSink) add(b *vector.Batch) error {
	if s.writer != nil {
		return s.write(b)
	}
	if err := s.rows.Append(b); err != nil {
		return err
	}
	if len(s.j.node.Keys) == 0 {
		return s.account.need(s.bytes(), "a side of a join without equal keys")
	}
	if s.j.spilling.Load() || !s.account.fit(s.bytes()) {
		return s.spill()
	}
	return nil
}

// spill moves the rows to the join's files, where those that follow go too.
func (s *buildSink) spill() error {
	j := s.j
	j.spilling.Store(true)
	j.spillOnce.Do(func() { j.spill, j.spillErr = j.newSpill() })
	if j.spillErr != nil {
		return j.spillErr
	}
	var err error
	if s.keys, err = eval.CompileSet(j.node.RightKeys(), j.x.env.Eval); err != nil {
		return err
	}
	s.hasher = newKeyHasher(j.level)
	s.writer = newPartitionWriter(j.spill.buildFile, j.columns)
	s.bounds = make([]keyBounds, len(j.feeds))
	for i := range s.bounds {
		s.bounds[i] = keyBounds{low: 0, high: -1}
	}
	all := s.rows.Batch()
	for from := 0; from < all.Len; from += vector.BatchRows {
		if err := s.write(all.Slice(from, min(from+vector.BatchRows, all.Len))); err != nil {
			return err
		}
	}
	s.rows = nil
	s.account.release()
	return nil
}

func (j *joinBuild) newSpill() (*joinSpill, error) {
	if j.level >= mostSpillLevels {
		return nil, fmt.Errorf("%w: the rows of a join that have one key, or the same few, have no room; memory_limit is %s: raise it",
			ErrMemoryLimit, formatBytes(j.memory.statement.budget.limit))
	}
	s := &joinSpill{
		build: make([]spilledRows, spillPartitions), resident: make([]bool, spillPartitions), probe: make([]spilledRows, spillPartitions),
	}
	var err error
	if s.buildFile, err = j.memory.newSpillFile(); err != nil {
		return nil, err
	}
	s.probeFile, err = j.memory.newSpillFile()
	return s, err
}

func (s *buildSink) write(b *vector.Batch) error {
	columns, err := s.keys.Eval(b)
	if err != nil {
		return err
	}
	for i, c := range columns {
		if c.MayHaveNulls() && !s.j.node.Keys[i].NullSafe {
			eachRow(b.Sel, b.Len, func(_, i int) { s.null = s.null || c.IsNull(i) })
		}
	}
	for i, f := range s.j.feeds {
		if f != nil {
			eachNumber(columns[i], b, s.bounds[i].include)
		}
	}
	return s.writer.write(b, s.hasher.hash(columns, b.Sel, b.Len))
}

// include widens the bounds.
func (b *keyBounds) include(v int64) {
	if b.low > b.high {
		b.low, b.high = v, v
	}
	b.low, b.high = min(b.low, v), max(b.high, v)
}

// eachNumber calls f with the values of a column of whole numbers that are not
// NULL.
func eachNumber(v *vector.Vector, b *vector.Batch, f func(int64)) {
	whole32 := v.Type.Physical() == types.PhysInt32
	eachRow(b.Sel, b.Len, func(_, i int) {
		if v.IsNull(i) {
			return
		}
		if values, p := v.At(i); whole32 {
			f(int64(values.Int32s[p]))
		} else {
			f(values.Int64s[p])
		}
	})
}

// finishSpill makes the partitions for which there is room resident and gives
// their rows.
func (j *joinBuild) finishSpill(ctx context.Context, sinks []*buildSink) (*vector.Batch, error) {
	s := j.spill
	for _, sink := range sinks {
		if sink.writer == nil {
			if err := sink.spill(); err != nil {
				return nil, err
			}
		}
		if err := sink.writer.finish(s.build); err != nil {
			return nil, err
		}
		j.nullKeys = j.nullKeys || sink.null
	}
	if err := j.feedSpilled(ctx, sinks); err != nil {
		return nil, err
	}
	rows, size := vector.NewCollector(j.columns), int64(0)
	for i := range s.build {
		part := &s.build[i]
		j.hasRows = j.hasRows || part.rows > 0
		// Its memory doubles when it grows.
		need := size + 2*part.bytes + part.rows*j.indexRowBytes()
		if part.rows > 0 && !j.account.fit(need) {
			continue
		}
		s.resident[i] = true
		if err := pump(ctx, part.reader(), rows.Append); err != nil {
			return nil, err
		}
		size = need
		*part = spilledRows{types: part.types}
	}
	return rows.Batch(), nil
}

// mostMemberBytes bounds a set of the keys of spilled rows.
const mostMemberBytes = 64 << 20

// feedSpilled tells the scans on the left the keys of the rows in the files.
func (j *joinBuild) feedSpilled(ctx context.Context, sinks []*buildSink) error {
	for i, f := range j.feeds {
		if f == nil {
			continue
		}
		bounds := keyBounds{low: 0, high: -1}
		for _, s := range sinks {
			if b := s.bounds[i]; b.low <= b.high {
				bounds.include(b.low)
				bounds.include(b.high)
			}
		}
		words := (uint64(bounds.high)-uint64(bounds.low))/64 + 1
		most := min(mostMemberBytes, j.memory.statement.budget.capacity()/16) / wordBytes
		if bounds.low <= bounds.high && words < uint64(most) {
			bounds.members = &members{low: bounds.low, bits: make([]uint64, words)}
			j.memory.force(int64(words * wordBytes))
			if err := j.addMembers(ctx, i, bounds.members); err != nil {
				return err
			}
		}
		f.known.Store(&bounds)
	}
	return nil
}

// addMembers adds the values of a key of the rows in the files to a set.
func (j *joinBuild) addMembers(ctx context.Context, key int, m *members) error {
	program, err := eval.Compile(j.node.Keys[key].Right, j.x.env.Eval)
	if err != nil {
		return err
	}
	for i := range j.spill.build {
		err := pump(ctx, j.spill.build[i].reader(), func(b *vector.Batch) error {
			v, err := program.Eval(b)
			if err == nil {
				eachNumber(v, b, m.add)
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// spillPartition is where rows go that are partitioned by a hash of their
// columns.
type spillPartition struct {
	hasher *keyHasher
	writer *partitionWriter
}

// split gives the rows of a batch whose partition is in memory; the others go
// to files.
func (p *probeOperator) split(b *vector.Batch) (*vector.Batch, error) {
	columns, err := p.keys.Eval(b)
	if err != nil {
		return nil, err
	}
	s := p.build.spill
	if p.spilled == nil {
		p.spilled = &spillPartition{hasher: newKeyHasher(p.build.level), writer: newPartitionWriter(s.probeFile, p.probeTypes)}
	}
	hashes := p.spilled.hasher.hash(columns, b.Sel, b.Len)
	here, away := vector.Selection{}, vector.Selection{}
	eachRow(b.Sel, b.Len, func(_, i int) {
		if s.resident[partitionOf(hashes[i])] {
			here = append(here, int32(i))
		} else {
			away = append(away, int32(i))
		}
	})
	err = p.spilled.writer.write(&vector.Batch{Columns: b.Columns, Len: b.Len, Sel: away}, hashes)
	return &vector.Batch{Columns: b.Columns, Len: b.Len, Sel: here}, err
}

// finishInput hands over what the operator has spilled.
func (p *probeOperator) finishInput() error {
	if p.spilled == nil {
		return nil
	}
	s := p.build.spill
	s.mu.Lock()
	defer s.mu.Unlock()
	err := p.spilled.writer.finish(s.probe)
	p.spilled = nil
	return err
}

// nextPart gives rows of the partitions that are not resident. The operator that
// finished last joins them.
func (p *probeOperator) nextPart(ctx context.Context) (*vector.Batch, error) {
	if !p.isLast {
		return nil, io.EOF
	}
	p.build.free()
	s := p.build.spill
	if s == nil {
		return nil, io.EOF
	}
	for {
		if p.sub != nil {
			b, err := p.sub.next(ctx)
			if err != io.EOF {
				return b, err
			}
			sub := p.sub
			p.sub = nil
			if err := sub.close(); err != nil {
				return nil, err
			}
		}
		if s.part == spillPartitions {
			s.buildFile.drop()
			s.probeFile.drop()
			return nil, io.EOF
		}
		i := s.part
		s.part++
		if s.resident[i] || s.probe[i].rows == 0 && !givesBuildRows(p.kind) {
			continue
		}
		var err error
		if p.sub, err = p.build.joinPart(i, p.probeTypes); err != nil {
			return nil, err
		}
	}
}

// joinPart gives an operator that joins a partition.
func (j *joinBuild) joinPart(i int, probeTypes []types.Type) (*probeOperator, error) {
	part := &joinBuild{
		x: j.x, node: j.node, inputs: []operator{j.spill.build[i].reader()}, columns: j.columns,
		joinSpilling: joinSpilling{memory: j.memory, account: j.memory.account(), level: j.level + 1, hasRows: j.hasRows, nullKeys: j.nullKeys},
	}
	part.probing.Store(1)
	part.open.Store(1)
	j.spill.probe[i].types = probeTypes
	return newProbe(part, j.spill.probe[i].reader(), probeTypes)
}

// free gives back what the table of the build rows takes, once all operators
// have probed it.
func (j *joinBuild) free() {
	j.rows, j.index, j.matched = nil, nil, nil
	j.account.release()
}

// bytes is the memory that the index takes.
func (x *rowIndex) bytes() int64 {
	size := int64(4 * (cap(x.next) + cap(x.dense) + cap(x.first)))
	if x.table != nil {
		size += x.table.bytes()
	}
	if x.bounds != nil && x.bounds.members != nil {
		size += int64(8 * len(x.bounds.members.bits))
	}
	return size
}

// givesBuildRows tells that a join gives rows of its build side by themselves.
func givesBuildRows(k plan.JoinKind) bool {
	return k == plan.RightJoin || k == plan.FullJoin || k.RightOnly()
}

// joinSpilling is embedded in joinBuild: what it needs for spilling.
type joinSpilling struct {
	memory    *nodeMemory
	account   *account // of the rows and the index
	level     int      // how often the rows were spilled before
	spilling  atomic.Bool
	spillOnce sync.Once
	spill     *joinSpill // nil if all build rows are in memory
	spillErr  error
	open      atomic.Int32 // operators that are not closed
	// hasRows and nullKeys tell of all build rows, wherever they are, whether
	// there are any and whether the key of one is NULL.
	hasRows, nullKeys bool
}
