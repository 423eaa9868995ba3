package exec

import (
	"fmt"
	"math"
	"sync"
	"sync/atomic"

	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/sql/vector"
)

// Budget bounds the memory that statements hold together. Operators that keep
// rows reserve what they keep in steps of some 100 KiB; what passes through, such
// as the batches and pages being read, is not counted. For it, and for garbage
// that was not collected yet, a quarter of the limit is left.
//
// What a Budget refuses goes to temporary files. An operator that can spill
// never takes all that is free, so that those that come after it find something,
// and is never refused a small minimum, so that it gets on.
type Budget struct {
	limit int64
	used  atomic.Int64
	// stingy is for tests: what can be spilled is refused two times of three.
	stingy bool
	asked  atomic.Int64
}

// NewBudget gives a budget for a memory limit in bytes; 0 is no limit.
func NewBudget(limit int64) *Budget {
	if limit <= 0 {
		limit = math.MaxInt64 / 4
	}
	return &Budget{limit: limit}
}

// Limit is the memory limit in bytes.
func (b *Budget) Limit() int64 { return b.limit }

// Used is how many bytes are reserved.
func (b *Budget) Used() int64 { return b.used.Load() }

// capacity is the most that may be reserved.
func (b *Budget) capacity() int64 { return b.limit / 4 * 3 }

// Reserve takes bytes from the budget, or reports that there are not enough.
func (b *Budget) Reserve(bytes int64) bool {
	for {
		used := b.used.Load()
		if used+bytes > b.capacity() {
			return false
		}
		if b.used.CompareAndSwap(used, used+bytes) {
			return true
		}
	}
}

// Release gives reserved bytes back.
func (b *Budget) Release(bytes int64) { b.used.Add(-bytes) }

const (
	mostStepBytes    = 256 << 10
	mostMinimumBytes = 8 << 20
)

// step is what reservations are rounded up to.
func (b *Budget) step() int64 {
	if b.stingy {
		return 4 << 10
	}
	return max(1, min(mostStepBytes, b.limit/256))
}

// minimum is what a goroutine of an operator that can spill is never refused.
func (b *Budget) minimum() int64 {
	if b.stingy {
		return 0
	}
	return min(mostMinimumBytes, b.limit/64)
}

// statementMemory is what a statement holds of its budget and in temporary
// files. Closing it gives back what its operators have not.
type statementMemory struct {
	budget  *Budget
	tempDir string
	held    atomic.Int64

	mu    sync.Mutex // guards files
	files map[*spillFile]bool
}

func newStatementMemory(env Env) *statementMemory {
	s := &statementMemory{budget: env.Budget, tempDir: env.TempDir, files: map[*spillFile]bool{}}
	if s.budget == nil {
		s.budget = NewBudget(0)
	}
	return s
}

func (s *statementMemory) close() {
	s.budget.Release(s.held.Swap(0))
	s.mu.Lock()
	files := s.files
	s.files = map[*spillFile]bool{}
	s.mu.Unlock()
	for f := range files {
		f.remove()
	}
}

// nodeMemory is what the operators of one node hold and have spilled.
type nodeMemory struct {
	statement *statementMemory
	held      atomic.Int64
	peak      atomic.Int64
	spilled   atomic.Int64 // bytes
	files     atomic.Int64
}

// memoryOf gives the account of a node.
func (x *executor) memoryOf(n plan.Node) *nodeMemory {
	m := &nodeMemory{statement: x.memory}
	if x.stats == nil {
		return m
	}
	stats := x.stats.node(n)
	x.stats.mu.Lock()
	defer x.stats.mu.Unlock()
	if stats.memory == nil { // a node below a recursion has operators for each round
		stats.memory = m
	}
	return stats.memory
}

// notes are the lines that EXPLAIN ANALYZE adds to the node.
func (m *nodeMemory) notes() []string {
	var lines []string
	if peak := m.peak.Load(); peak > 0 {
		lines = append(lines, fmt.Sprintf("memory: %s peak", formatBytes(peak)))
	}
	if spilled := m.spilled.Load(); spilled > 0 {
		lines = append(lines, fmt.Sprintf("spilled: %s in %d files", formatBytes(spilled), m.files.Load()))
	}
	return lines
}

// reserve takes bytes for an operator that can spill: while others may want
// some, the node gets two thirds of what they leave.
func (m *nodeMemory) reserve(bytes int64) bool {
	b, held := m.statement.budget, m.held.Load()
	free := b.capacity() - (b.Used() - held)
	if b.stingy && b.asked.Add(1)%3 != 0 || held+bytes > free/3*2 || !b.Reserve(bytes) {
		return false
	}
	m.add(bytes)
	return true
}

// reserveBlock takes bytes for rows that could as well be in a file. It leaves
// twice as much to what the rows are for as it takes.
func (m *nodeMemory) reserveBlock(bytes int64) bool {
	b, held := m.statement.budget, m.held.Load()
	free := b.capacity() - (b.Used() - held)
	if b.stingy && b.asked.Add(1)%3 != 0 || held+bytes > free/3 || !b.Reserve(bytes) {
		return false
	}
	m.add(bytes)
	return true
}

// need takes bytes for what can't be spilled.
func (m *nodeMemory) need(bytes int64, what string) error {
	b := m.statement.budget
	if !b.Reserve(bytes) {
		return fmt.Errorf("%w: %s would take %s, which can't be spilled; memory_limit is %s, of which statements hold %s: raise memory_limit or let the statement keep less",
			ErrMemoryLimit, what, formatBytes(m.held.Load()+bytes), formatBytes(b.limit), formatBytes(b.Used()))
	}
	m.add(bytes)
	return nil
}

// force takes bytes whatever the budget says.
func (m *nodeMemory) force(bytes int64) {
	m.statement.budget.used.Add(bytes)
	m.add(bytes)
}

func (m *nodeMemory) add(bytes int64) {
	m.statement.held.Add(bytes)
	held := m.held.Add(bytes)
	for {
		peak := m.peak.Load()
		if held <= peak || m.peak.CompareAndSwap(peak, held) {
			return
		}
	}
}

func (m *nodeMemory) release(bytes int64) {
	m.held.Add(-bytes)
	m.statement.held.Add(-bytes)
	m.statement.budget.Release(bytes)
}

// releaseAll gives back what all operators of the node hold. They must be done.
func (m *nodeMemory) releaseAll() { m.release(m.held.Load()) }

// account is what one goroutine of a node holds.
type account struct {
	memory *nodeMemory
	held   int64
}

func (m *nodeMemory) account() *account { return &account{memory: m} }

// fit makes the account one of at least so many bytes. It reports false, and
// changes nothing, if the operator has to spill instead.
func (a *account) fit(bytes int64) bool {
	if bytes <= a.held {
		return true
	}
	b := a.memory.statement.budget
	step := b.step()
	more := (bytes - a.held + step - 1) / step * step
	if !a.memory.reserve(more) {
		if bytes > b.minimum() {
			return false
		}
		a.memory.force(more)
	}
	a.held += more
	return true
}

// need is fit for what can't be spilled; what is the thing that is kept.
func (a *account) need(bytes int64, what string) error {
	if bytes <= a.held {
		return nil
	}
	step := a.memory.statement.budget.step()
	more := (bytes - a.held + step - 1) / step * step
	if bytes <= a.memory.statement.budget.minimum() {
		a.memory.force(more)
	} else if err := a.memory.need(more, what); err != nil {
		return err
	}
	a.held += more
	return nil
}

// force makes the account one of at least so many bytes, whatever the budget
// says.
func (a *account) force(bytes int64) {
	if more := bytes - a.held; more > 0 {
		a.memory.force(more)
		a.held += more
	}
}

// take makes what another account of the node holds part of this one.
func (a *account) take(other *account) {
	a.held += other.held
	other.held = 0
}

// release gives back what the account holds.
func (a *account) release() {
	a.memory.release(a.held)
	a.held = 0
}

// batchBytes is the memory that a batch of flat vectors takes, with the room
// that it has for more rows.
func batchBytes(b *vector.Batch) int64 {
	var size int64
	for _, v := range b.Columns {
		size += vectorBytes(v)
	}
	return size
}

func vectorBytes(v *vector.Vector) int64 {
	size := 8*cap(v.Valid) + cap(v.Bools) + 4*(cap(v.Int32s)+cap(v.Float32s)+cap(v.Offsets)+cap(v.Codes)) +
		8*(cap(v.Int64s)+cap(v.Float64s)+cap(v.Views)) + 16*(cap(v.Int128s)+cap(v.Intervals)) + cap(v.Data)
	total := int64(size)
	if v.Child != nil {
		total += vectorBytes(v.Child)
	}
	for _, c := range v.Children {
		total += vectorBytes(c)
	}
	return total
}
