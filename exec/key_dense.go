package exec

import (
	"math"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// denseKeys numbers keys that are one whole number in an array, as long as the
// numbers lie close enough together.
type denseKeys struct {
	low     int64
	numbers []int32 // key number + 1 by key - low; 0 where there is none
	null    int32   // key number + 1 of NULL
	words   []uint64
}

// An array that is looked up by numbers has room for at most so many of them per
// key, and for minDenseSpan anyway.
const (
	maxDenseSpan = 32
	minDenseSpan = 1 << 18
)

// denseSpan is how far apart the numbers of so many keys may lie in an array.
func denseSpan(keys int) uint64 { return uint64(maxDenseSpan*keys + minDenseSpan) }

// newDenseKeys gives an empty array, nil for other keys.
func newDenseKeys(columns []types.Type) *denseKeys {
	if len(columns) != 1 {
		return nil
	}
	if p := columns[0].Physical(); p != types.PhysInt32 && p != types.PhysInt64 {
		return nil
	}
	return &denseKeys{}
}

// lay lays the selected rows out in d.words and makes room for their numbers;
// it reports false where the array would be too large.
func (d *denseKeys) lay(v *vector.Vector, sel vector.Selection, n, keys int) bool {
	d.words = numbersOf(d.words, v, sel, n)
	nulls := v.MayHaveNulls()
	low, high, any := int64(0), int64(0), false
	for k, w := range d.words {
		if nulls && v.IsNull(rowOf(sel, k)) {
			continue
		}
		x := int64(w)
		if !any {
			low, high, any = x, x, true
		}
		low, high = min(low, x), max(high, x)
	}
	if !any {
		return true
	}
	if len(d.numbers) > 0 {
		low, high = min(low, d.low), max(high, d.low+int64(len(d.numbers)-1))
	}
	span := uint64(high) - uint64(low)
	if span >= denseSpan(keys) {
		return false
	}
	if int(span) < len(d.numbers) {
		return true
	}
	// Room for as many again where the numbers grew.
	spare := min(uint64(len(d.numbers)), denseSpan(keys)-span)
	before := uint64(0)
	if len(d.numbers) > 0 {
		before = uint64(d.low) - uint64(low)
		if before > 0 {
			spare = min(spare, uint64(low)-(1<<63))
			low, before = low-int64(spare), before+spare
		} else {
			spare = min(spare, math.MaxInt64-uint64(high))
		}
	} else {
		spare = 0
	}
	numbers := make([]int32, span+1+spare)
	copy(numbers[before:], d.numbers)
	d.low, d.numbers = low, numbers
	return true
}

// rowOf is the position of the k-th selected row.
func rowOf(sel vector.Selection, k int) int {
	if sel == nil {
		return k
	}
	return int(sel[k])
}

// insertDense is insert with the array; it reports false where the keys no
// longer fit and the table of hashes has to be made.
func (t *keyTable) insertDense(v *vector.Vector, sel vector.Selection, n int, numbers []int32) bool {
	d := t.dense
	if !d.lay(v, sel, n, t.count) {
		t.hashAll()
		return false
	}
	nulls := v.MayHaveNulls()
	for k, w := range d.words {
		i := rowOf(sel, k)
		slot := &d.null
		null := uint64(1)
		if !nulls || !v.IsNull(i) {
			slot, null = &d.numbers[w-uint64(d.low)], 0
		} else {
			w = 0
		}
		if *slot == 0 {
			t.keys = append(t.keys, null, w)
			t.count++
			*slot = int32(t.count)
		}
		numbers[i] = *slot - 1
	}
	return true
}

// hashAll makes the table of hashes in the place of the array.
func (t *keyTable) hashAll() {
	t.dense = nil
	for k := range t.count {
		row := t.keys[k*t.words : (k+1)*t.words]
		h := hashWords(row)
		s := h & t.slots.mask
		for t.slots.slots[s] != 0 {
			s = (s + 1) & t.slots.mask
		}
		t.hashes = append(t.hashes, h)
		t.slots.put(s, int32(k), t.hashes)
	}
}

// findDense is find with the array.
func (t *keyTable) findDense(v *vector.Vector, sel vector.Selection, n int, numbers []int32) {
	d := t.dense
	d.words = numbersOf(d.words, v, sel, n)
	nulls := v.MayHaveNulls()
	for k, w := range d.words {
		i := rowOf(sel, k)
		switch at := w - uint64(d.low); {
		case nulls && v.IsNull(i):
			numbers[i] = d.null - 1
		case at < uint64(len(d.numbers)):
			numbers[i] = d.numbers[at] - 1
		default:
			numbers[i] = -1
		}
	}
}
