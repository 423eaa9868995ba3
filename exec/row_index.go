package exec

import (
	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// rowIndex finds the build rows of a join by their keys. Rows of equal keys are
// chained in their order; rows with a NULL in a key that is not null-safe are
// in no chain.
type rowIndex struct {
	next     []int32 // the next row with the same key; -1 at the end
	nullKeys bool    // a row was left out for a NULL

	// A key that is one whole number is looked up in an array, if the numbers of
	// the rows lie close enough together.
	bounds *keyBounds
	low    int64
	dense  []int32 // first row + 1 by key - low; 0 for none

	table   *keyTable // otherwise
	first   []int32   // first row of each of its keys
	numbers []uint64  // scratch of find
}

// newRowIndex indexes the rows of a batch without a selection.
func newRowIndex(rows *vector.Batch, keys []plan.JoinKey, programs *eval.ProgramSet) (*rowIndex, error) {
	x := &rowIndex{next: make([]int32, rows.Len)}
	if oneNumber(keys) {
		if done, err := x.indexNumbers(rows, keys, programs); done || err != nil {
			return x, err
		}
	}
	return x, x.indexKeys(rows, keys, programs)
}

func oneNumber(keys []plan.JoinKey) bool {
	if len(keys) != 1 || keys[0].NullSafe {
		return false
	}
	p := keys[0].Right.Type().Physical()
	return p == types.PhysInt32 || p == types.PhysInt64
}

// eachKeyBatch computes the keys of a batch at a time; sel selects the rows
// that have one. It reports whether some have none, for a NULL.
func eachKeyBatch(rows *vector.Batch, keys []plan.JoinKey, programs *eval.ProgramSet, f func(from, n int, columns []*vector.Vector, sel vector.Selection)) (nullKeys bool, err error) {
	for from := 0; from < rows.Len; from += vector.BatchRows {
		b := rows.Slice(from, min(from+vector.BatchRows, rows.Len))
		columns, err := programs.Eval(b)
		if err != nil {
			return false, err
		}
		sel := notNull(columns, keys, b.Len)
		nullKeys = nullKeys || sel != nil && len(sel) < b.Len
		f(from, b.Len, columns, sel)
	}
	return nullKeys, nil
}

// noKey is the next row of one that is in no chain, while the index is built.
const noKey = -2

// indexNumbers makes the array; it reports false where that would be too large.
func (x *rowIndex) indexNumbers(rows *vector.Batch, keys []plan.JoinKey, programs *eval.ProgramSet) (done bool, err error) {
	numbers := newKeyNumbers(rows.Len)
	x.nullKeys, err = eachKeyBatch(rows, keys, programs, func(from, n int, columns []*vector.Vector, sel vector.Selection) {
		numbers.add(from, columns[0], sel, n)
		if sel != nil {
			for i := range n {
				x.next[from+i] = noKey
			}
			for _, i := range sel {
				x.next[from+int(i)] = 0
			}
		}
	})
	if err != nil {
		return false, err
	}
	if keys[0].Feeds != 0 {
		x.bounds = numbers.bounds()
	}
	span := uint64(numbers.high) - uint64(numbers.low)
	if span >= denseSpan(rows.Len) {
		return false, nil
	}
	x.low, x.dense = numbers.low, make([]int32, span+1)
	for row := rows.Len - 1; row >= 0; row-- {
		if x.next[row] == noKey {
			continue
		}
		slot := &x.dense[numbers.values[row]-uint64(x.low)]
		x.next[row] = *slot - 1
		*slot = int32(row) + 1
	}
	return true, nil
}

// indexKeys makes the table of keys.
func (x *rowIndex) indexKeys(rows *vector.Batch, keys []plan.JoinKey, programs *eval.ProgramSet) (err error) {
	x.table = newKeyTable(typesOf((&plan.Join{Keys: keys}).RightKeys()))
	var last []int32 // last row of each key
	numbers := make([]int32, vector.BatchRows)
	x.nullKeys, err = eachKeyBatch(rows, keys, programs, func(from, n int, columns []*vector.Vector, sel vector.Selection) {
		x.table.insert(columns, sel, n, numbers)
		eachRow(sel, n, func(_, i int) {
			row, k := int32(from+i), numbers[i]
			x.next[row] = -1
			if int(k) == len(x.first) {
				x.first, last = append(x.first, row), append(last, row)
				return
			}
			x.next[last[k]] = row
			last[k] = row
		})
	})
	return err
}

// reader gives a view of a finished index for one goroutine to find rows with.
func (x *rowIndex) reader() *rowIndex {
	view := *x
	view.numbers = nil
	if x.table != nil {
		view.table = x.table.reader()
	}
	return &view
}

// find gives the first row with each selected row's key in rows[i]; -1 for
// none.
func (x *rowIndex) find(columns []*vector.Vector, sel vector.Selection, n int, rows []int32) {
	if x.table != nil {
		x.table.find(columns, sel, n, rows)
		eachRow(sel, n, func(_, i int) {
			if rows[i] >= 0 {
				rows[i] = x.first[rows[i]]
			}
		})
		return
	}
	v := columns[0]
	x.numbers = numbersOf(x.numbers, v, sel, n)
	if sel == nil {
		for i, number := range x.numbers {
			rows[i] = x.row(number)
		}
	} else {
		for k, i := range sel {
			rows[i] = x.row(x.numbers[k])
		}
	}
	if v.MayHaveNulls() {
		eachRow(sel, n, func(_, i int) {
			if v.IsNull(i) {
				rows[i] = -1
			}
		})
	}
}

// row gives the first row of a number; -1 for none.
func (x *rowIndex) row(number uint64) int32 {
	at := number - uint64(x.low)
	if at >= uint64(len(x.dense)) {
		return -1
	}
	return x.dense[at] - 1
}

// numbersOf lays the selected rows of a column of whole numbers out.
func numbersOf(dst []uint64, v *vector.Vector, sel vector.Selection, n int) []uint64 {
	if sel != nil {
		n = len(sel)
	}
	if cap(dst) < n {
		dst = make([]uint64, n)
	}
	dst = dst[:n]
	values := v
	if v.Form == vector.Dictionary {
		values = v.Dict
	}
	if v.Type.Physical() == types.PhysInt32 {
		encodeInts(dst, 1, v, values.Int32s, sel, n)
	} else {
		encodeInts(dst, 1, v, values.Int64s, sel, n)
	}
	return dst
}
