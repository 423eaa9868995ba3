package exec

import "github.com/tarndb/tarn/sql/vector"

// maxDirect is the largest number of combinations of dictionary codes that are
// looked up in an array instead of the hash table.
const maxDirect = 4096

// directCache maps combinations of the codes of some dictionaries to key
// numbers. It stays valid while batches come with the same dictionaries.
type directCache struct {
	dicts   []*vector.Vector
	sizes   []int
	numbers []int32 // key number + 1 by combination; 0 where it is not known yet
	combo   []int32 // of each row of the batch
}

// prepare reports whether the columns are all dictionary-encoded or constant
// with few enough combinations, and makes the cache fit them.
func (d *directCache) prepare(columns []*vector.Vector, n int) bool {
	if len(columns) == 0 {
		return false
	}
	total := 1
	for _, c := range columns {
		if c.Form != vector.Dictionary {
			return false
		}
		total *= c.Dict.Len + 1 // one more for NULL
		if total > maxDirect {
			return false
		}
	}
	same := len(d.dicts) == len(columns)
	for i, c := range columns {
		same = same && d.dicts[i] == c.Dict && d.sizes[i] == c.Dict.Len
	}
	if !same {
		d.dicts, d.sizes = d.dicts[:0], d.sizes[:0]
		for _, c := range columns {
			d.dicts = append(d.dicts, c.Dict)
			d.sizes = append(d.sizes, c.Dict.Len)
		}
		if cap(d.numbers) < total {
			d.numbers = make([]int32, total)
		}
		d.numbers = d.numbers[:total]
		clear(d.numbers)
	}
	if cap(d.combo) < n {
		d.combo = make([]int32, n)
	}
	d.combo = d.combo[:n]
	return true
}

// combine computes each row's combination. It is done for all rows: codes of
// rows that are not selected are in range as well.
func (d *directCache) combine(columns []*vector.Vector) {
	for k, c := range columns {
		size := int32(c.Dict.Len + 1)
		codes := c.Codes[:len(d.combo)]
		switch {
		case k == 0 && c.Valid == nil:
			copy(d.combo, codes)
		case c.Valid == nil:
			for i, code := range codes {
				d.combo[i] = d.combo[i]*size + code
			}
		default:
			for i, code := range codes {
				if !c.Valid.Valid(i) {
					code = size - 1
				}
				if k == 0 {
					d.combo[i] = code
				} else {
					d.combo[i] = d.combo[i]*size + code
				}
			}
		}
	}
}

// insertDirect is insert through the cache: the hash table is only asked for
// combinations that were not met before.
func (t *keyTable) insertDirect(columns []*vector.Vector, sel vector.Selection, n int, numbers []int32) {
	d := &t.direct
	d.combine(columns)
	one := make(vector.Selection, 1)
	resolve := func(i int) int32 {
		one[0] = int32(i)
		t.encode(columns, one, n, true)
		k := t.insertRow(t.row, hashWords(t.row))
		d.numbers[d.combo[i]] = k + 1
		return k
	}
	if sel == nil {
		for i, c := range d.combo {
			if k := d.numbers[c]; k != 0 {
				numbers[i] = k - 1
			} else {
				numbers[i] = resolve(i)
			}
		}
		return
	}
	for _, i := range sel {
		if k := d.numbers[d.combo[i]]; k != 0 {
			numbers[i] = k - 1
		} else {
			numbers[i] = resolve(int(i))
		}
	}
}
