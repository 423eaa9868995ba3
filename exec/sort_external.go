package exec

import (
	"bytes"
	"cmp"
	"context"
	"io"

	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// rowKeyBytes is what sorting needs besides a row: two rowKeys and a position.
const rowKeyBytes = 2*16 + 4

// bytes is the memory that the run takes, with what sorting it needs.
func (r *sortRun) bytes() int64 {
	return batchBytes(r.rows.Batch()) + int64(r.rows.Rows())*rowKeyBytes
}

// keep accounts for the run's rows; those that don't fit are spilled.
func (r *sortRun) keep() error {
	if r.account.fit(r.bytes()) {
		return nil
	}
	return r.spill()
}

// spill sorts the rows and writes them to a file.
func (r *sortRun) spill() error {
	if r.rows.Rows() == 0 {
		return nil
	}
	if r.file == nil {
		var err error
		if r.file, err = r.account.memory.newSpillFile(); err != nil {
			return err
		}
	}
	sorted := vector.Batch{Columns: r.rows.Batch().Columns, Sel: r.order()}
	w := newSpillWriter(r.file, r.types, new([]byte))
	for from := 0; from < len(sorted.Sel); from += blockRows {
		if err := w.writeBlock(sorted.Slice(from, min(from+blockRows, len(sorted.Sel)))); err != nil {
			return err
		}
	}
	written, err := w.finish()
	r.spilled = append(r.spilled, written)
	r.rows.Reset()
	return err
}

// fitTogether reports whether the rows of all runs may be brought together in
// the first.
func fitTogether(runs []*sortRun) bool {
	total := int64(0)
	for _, r := range runs {
		if r.spilled != nil {
			return false
		}
		total += r.bytes()
	}
	return len(runs) == 1 || runs[0].account.fit(total)
}

// mostMerged is how many runs are merged at once.
const mostMerged = 64

// mergeRuns spills what the runs still hold and merges all. The merge gives
// equal rows in the order in which a run of all rows would have them.
func mergeRuns(ctx context.Context, runs []*sortRun) (*runMerge, error) {
	var parts []spilledRows
	for _, r := range runs {
		if err := r.spill(); err != nil {
			return nil, err
		}
		parts = append(parts, r.spilled...)
		r.rows = nil
		r.account.release()
	}
	for len(parts) > mostMerged {
		var longer []spilledRows
		for from := 0; from < len(parts); from += mostMerged {
			merged, err := mergeToFile(ctx, runs[0], parts[from:min(from+mostMerged, len(parts))])
			if err != nil {
				return nil, err
			}
			longer = append(longer, merged)
		}
		dropFiles(parts)
		parts = longer
	}
	return newRunMerge(runs[0], parts), nil
}

// mergeToFile merges runs into one in a new file.
func mergeToFile(ctx context.Context, r *sortRun, parts []spilledRows) (spilledRows, error) {
	file, err := r.account.memory.newSpillFile()
	if err != nil {
		return spilledRows{}, err
	}
	w := newSpillWriter(file, r.types, new([]byte))
	if err := pump(ctx, newRunMerge(r, parts), w.writeBlock); err != nil {
		return spilledRows{}, err
	}
	return w.finish()
}

// dropFiles removes the files of rows that are not needed any more.
func dropFiles(parts []spilledRows) {
	for _, p := range parts {
		for _, b := range p.blocks {
			b.file.drop()
		}
	}
}

// runMerge is an operator that gives the rows of sorted runs in order.
type runMerge struct {
	columns int // without the keys
	keys    []plan.SortKey
	compare []func(a *vector.Vector, i int32, b *vector.Vector, j int32) int
	parts   []*mergePart
	heap    []*mergePart // those that have rows, the least at 0; nil before the first call
	rows    *vector.Collector
	order   []mergedRow
}

// mergePart is a run that is being merged. Rows of it that come next are taken
// by position, and copied when its batch is exhausted or the output is full.
type mergePart struct {
	number int
	reader *spillReader
	batch  *vector.Batch
	keys   []*vector.Vector
	words  []uint64 // of the first key, as orderRows has them
	at     int32
	taken  vector.Selection // rows of batch that are to be copied
	copied []int32          // positions in the output's collector of those that were
}

// mergedRow is a row of the output: the n-th that it takes of a part.
type mergedRow struct {
	part *mergePart
	n    int32
}

func newRunMerge(r *sortRun, parts []spilledRows) *runMerge {
	m := &runMerge{columns: r.firstKey(), keys: r.sortKeys, rows: vector.NewCollector(r.types)}
	for _, k := range r.sortKeys {
		m.compare = append(m.compare, crossComparator(k))
	}
	for i := range parts {
		m.parts = append(m.parts, &mergePart{number: i, reader: parts[i].reader(), taken: vector.Selection{}})
	}
	return m
}

func (m *runMerge) next(ctx context.Context) (*vector.Batch, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if m.heap == nil {
		m.heap = []*mergePart{}
		for _, p := range m.parts {
			if err := m.advance(ctx, p); err == nil {
				m.heap = append(m.heap, p)
			} else if err != io.EOF {
				return nil, err
			}
		}
		for i := len(m.heap)/2 - 1; i >= 0; i-- {
			m.sink(i)
		}
	}
	m.rows.Reset()
	m.order = m.order[:0]
	for _, p := range m.parts {
		p.copied = p.copied[:0]
	}
	for len(m.heap) > 0 && len(m.order) < vector.BatchRows {
		if err := m.take(ctx); err != nil {
			return nil, err
		}
	}
	for _, p := range m.heap {
		if err := m.copy(p); err != nil {
			return nil, err
		}
	}
	if len(m.order) == 0 {
		return nil, io.EOF
	}
	sel := make(vector.Selection, len(m.order))
	for i, r := range m.order {
		sel[i] = r.part.copied[r.n]
	}
	return (&vector.Batch{Columns: m.rows.Batch().Columns, Sel: sel}).Compact(), nil
}

// take takes the least row.
func (m *runMerge) take(ctx context.Context) error {
	p := m.heap[0]
	m.order = append(m.order, mergedRow{part: p, n: int32(len(p.copied) + len(p.taken))})
	p.taken = append(p.taken, p.at)
	p.at++
	if int(p.at) == p.batch.Len {
		if err := m.copy(p); err != nil {
			return err
		}
		if err := m.advance(ctx, p); err == io.EOF {
			last := len(m.heap) - 1
			m.heap[0] = m.heap[last]
			m.heap = m.heap[:last]
		} else if err != nil {
			return err
		}
	}
	m.sink(0)
	return nil
}

// copy copies the rows that were taken to the output's collector.
func (m *runMerge) copy(p *mergePart) error {
	if len(p.taken) == 0 {
		return nil
	}
	first := int32(m.rows.Rows())
	for k := range p.taken {
		p.copied = append(p.copied, first+int32(k))
	}
	err := m.rows.Append(&vector.Batch{Columns: p.batch.Columns, Len: p.batch.Len, Sel: p.taken})
	p.taken = p.taken[:0]
	return err
}

// advance reads the part's next batch.
func (m *runMerge) advance(ctx context.Context, p *mergePart) error {
	b, err := p.reader.next(ctx)
	if err != nil {
		return err
	}
	p.batch, p.keys, p.at = b, b.Columns[m.columns:], 0
	if len(m.keys) > 0 {
		p.words = keyWords(p.words, p.keys[0], m.keys[0])
	}
	return nil
}

// keyWords gives words that are in the order of a key's values; equal words tell
// nothing.
func keyWords(words []uint64, v *vector.Vector, k plan.SortKey) []uint64 {
	rows := make([]rowKey, v.Len)
	for i := range rows {
		rows[i].row = int32(i)
	}
	fillWords(rows, v)
	words = words[:0]
	for i, r := range rows {
		w := r.word
		if k.Descending {
			w = ^w
		}
		if v.IsNull(i) {
			w = ^uint64(0)
			if k.NullsFirst {
				w = 0
			}
		}
		words = append(words, w)
	}
	return words
}

// sink moves the part at i down the heap.
func (m *runMerge) sink(i int) {
	for {
		least := i
		for c := 2*i + 1; c <= 2*i+2 && c < len(m.heap); c++ {
			if m.less(m.heap[c], m.heap[least]) {
				least = c
			}
		}
		if least == i {
			return
		}
		m.heap[i], m.heap[least] = m.heap[least], m.heap[i]
		i = least
	}
}

// less reports whether a part's next row comes before another's.
func (m *runMerge) less(a, b *mergePart) bool {
	if len(m.keys) > 0 && a.words[a.at] != b.words[b.at] {
		return a.words[a.at] < b.words[b.at]
	}
	for k, compare := range m.compare {
		if order := compare(a.keys[k], a.at, b.keys[k], b.at); order != 0 {
			return order < 0
		}
	}
	return a.number < b.number
}

func (m *runMerge) close() error { return nil }

// withoutKeys gives the rows without the key columns.
func (m *runMerge) withoutKeys() operator { return &keylessMerge{m} }

type keylessMerge struct{ *runMerge }

func (m *keylessMerge) next(ctx context.Context) (*vector.Batch, error) {
	b, err := m.runMerge.next(ctx)
	if err != nil {
		return nil, err
	}
	b.Columns = b.Columns[:m.columns]
	return b, nil
}

// crossComparator is comparator for rows of two flat vectors.
func crossComparator(k plan.SortKey) func(a *vector.Vector, i int32, b *vector.Vector, j int32) int {
	compare := valueCrossComparator(k.Expr.Type())
	return func(a *vector.Vector, i int32, b *vector.Vector, j int32) int {
		nullA, nullB := !a.Valid.Valid(int(i)), !b.Valid.Valid(int(j))
		switch {
		case nullA || nullB:
			return orderOfNulls(nullA, nullB, k)
		case k.Descending:
			return compare(b, j, a, i)
		}
		return compare(a, i, b, j)
	}
}

// valueCrossComparator copies both values next to each other for the rarer
// types.
func valueCrossComparator(t types.Type) func(a *vector.Vector, i int32, b *vector.Vector, j int32) int {
	switch t.Physical() {
	case types.PhysInt32:
		return func(a *vector.Vector, i int32, b *vector.Vector, j int32) int {
			return cmp.Compare(a.Int32s[i], b.Int32s[j])
		}
	case types.PhysInt64:
		return func(a *vector.Vector, i int32, b *vector.Vector, j int32) int {
			return cmp.Compare(a.Int64s[i], b.Int64s[j])
		}
	case types.PhysInt128:
		return func(a *vector.Vector, i int32, b *vector.Vector, j int32) int { return a.Int128s[i].Cmp(b.Int128s[j]) }
	case types.PhysFloat64:
		return func(a *vector.Vector, i int32, b *vector.Vector, j int32) int {
			return types.CompareFloat64(a.Float64s[i], b.Float64s[j])
		}
	case types.PhysBytes:
		return func(a *vector.Vector, i int32, b *vector.Vector, j int32) int {
			return bytes.Compare(a.Bytes(int(i)), b.Bytes(int(j)))
		}
	}
	return func(a *vector.Vector, i int32, b *vector.Vector, j int32) int {
		both := vector.NewBuilder(t, 2)
		both.AppendFrom(a, int(i))
		both.AppendFrom(b, int(j))
		return valueComparator(both.Vector())(0, 1)
	}
}
