package vector

// BatchRows is the number of rows that operators aim at in a batch.
const BatchRows = 2048

// Selection lists rows of a batch in ascending order; nil means all rows.
type Selection []int32

// Batch is a set of columns of Len rows each. Sel, if not nil, names the rows
// that count; operators evaluate and pass on only those.
type Batch struct {
	Columns []*Vector
	Len     int
	Sel     Selection
}

// NewBatch gives a batch of n rows.
func NewBatch(n int, columns ...*Vector) *Batch {
	return &Batch{Columns: columns, Len: n}
}

// Rows is the number of selected rows.
func (b *Batch) Rows() int {
	if b.Sel != nil {
		return len(b.Sel)
	}
	return b.Len
}

// Row gives the position in the columns of the i-th selected row.
func (b *Batch) Row(i int) int {
	if b.Sel != nil {
		return int(b.Sel[i])
	}
	return i
}

// Compact gives the batch with the selection applied: dense columns, no Sel.
func (b *Batch) Compact() *Batch {
	if b.Sel == nil {
		return b
	}
	out := &Batch{Columns: make([]*Vector, len(b.Columns)), Len: len(b.Sel)}
	for i, c := range b.Columns {
		out.Columns[i] = c.Select(b.Sel)
	}
	return out
}

// Slice gives selected rows [from, to) of the batch, sharing its memory.
func (b *Batch) Slice(from, to int) *Batch {
	if b.Sel != nil {
		return &Batch{Columns: b.Columns, Len: b.Len, Sel: b.Sel[from:to]}
	}
	out := &Batch{Columns: make([]*Vector, len(b.Columns)), Len: to - from}
	for i, c := range b.Columns {
		out.Columns[i] = c.Slice(from, to)
	}
	return out
}
