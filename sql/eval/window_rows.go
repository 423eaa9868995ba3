package eval

import (
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// WindowRows says how rows, in the order of a window, are divided:
//
//  1. Partitions holds the first row of each partition and then Len; it is
//     ascending, and no partition is empty.
//  2. Peers holds the first row of each group of rows that are equal in the
//     window's order, and then Len. Every partition begins a group.
//  3. From and To hold each row's frame, the rows From[i] up to but without
//     To[i], which lie in the row's partition; From[i] <= To[i]. Both are nil
//     where each frame is the row's partition.
type WindowRows struct {
	Len        int
	Partitions []int32
	Peers      []int32
	From, To   []int32
}

// partitions calls f for each partition, up to the first error.
func (r *WindowRows) partitions(f func(p int, start, end int32) error) error {
	for p := range len(r.Partitions) - 1 {
		if err := f(p, r.Partitions[p], r.Partitions[p+1]); err != nil {
			return err
		}
	}
	return nil
}

// peers calls f for each group of peers with its partition, and how many groups
// come before it there.
func (r *WindowRows) peers(f func(start, end, partition, partitionEnd int32, before int)) {
	p, before := 0, 0
	for k := range len(r.Peers) - 1 {
		start := r.Peers[k]
		if start == r.Partitions[p+1] {
			p, before = p+1, 0
		}
		f(start, r.Peers[k+1], r.Partitions[p], r.Partitions[p+1], before)
		before++
	}
}

func rowNumbers(_ *WindowFunction, rows *WindowRows, _ []*vector.Vector) (*vector.Vector, error) {
	out := vector.New(types.Of(types.Int), rows.Len)
	return out, rows.partitions(func(_ int, start, end int32) error {
		for i := start; i < end; i++ {
			out.Int32s[i] = i - start + 1
		}
		return nil
	})
}

func ranks(_ *WindowFunction, rows *WindowRows, _ []*vector.Vector) (*vector.Vector, error) {
	out := vector.New(types.Of(types.Int), rows.Len)
	rows.peers(func(start, end, partition, _ int32, _ int) { fill(out.Int32s[start:end], start-partition+1) })
	return out, nil
}

func denseRanks(_ *WindowFunction, rows *WindowRows, _ []*vector.Vector) (*vector.Vector, error) {
	out := vector.New(types.Of(types.Int), rows.Len)
	rows.peers(func(start, end, _, _ int32, before int) { fill(out.Int32s[start:end], int32(before+1)) })
	return out, nil
}

func percentRanks(_ *WindowFunction, rows *WindowRows, _ []*vector.Vector) (*vector.Vector, error) {
	out := vector.New(types.Of(types.Double), rows.Len)
	rows.peers(func(start, end, partition, partitionEnd int32, _ int) {
		others := max(partitionEnd-partition-1, 1)
		fill(out.Float64s[start:end], float64(start-partition)/float64(others))
	})
	return out, nil
}

func cumeDists(_ *WindowFunction, rows *WindowRows, _ []*vector.Vector) (*vector.Vector, error) {
	out := vector.New(types.Of(types.Double), rows.Len)
	rows.peers(func(start, end, partition, partitionEnd int32, _ int) {
		fill(out.Float64s[start:end], float64(end-partition)/float64(partitionEnd-partition))
	})
	return out, nil
}

// buckets are as many as asked for; the first ones have a row more where the
// rows can't be divided evenly.
func buckets(f *WindowFunction, rows *WindowRows, _ []*vector.Vector) (*vector.Vector, error) {
	out := vector.New(types.Of(types.Int), rows.Len)
	return out, rows.partitions(func(_ int, start, end int32) error {
		n := int64(end - start)
		size, longer := n/f.N, n%f.N
		for i := range n {
			bucket := i / (size + 1)
			if bucket >= longer {
				bucket = longer + (i-longer*(size+1))/max(size, 1)
			}
			out.Int32s[int64(start)+i] = int32(bucket + 1)
		}
		return nil
	})
}

// countedRows numbers the rows that a function of another row's value counts:
// all, or those where the value is not NULL.
type countedRows struct {
	before []int32 // by row: how many are counted before it; nil if all are
	at     []int32 // the counted rows
}

func countRowsOf(f *WindowFunction, v *vector.Vector, n int) countedRows {
	if !f.IgnoreNulls || !v.MayHaveNulls() {
		return countedRows{}
	}
	c := countedRows{before: make([]int32, n+1)}
	for i := range n {
		c.before[i] = int32(len(c.at))
		if !v.IsNull(i) {
			c.at = append(c.at, int32(i))
		}
	}
	c.before[n] = int32(len(c.at))
	return c
}

// pick gives row k of those counted from row start on, or before it where k is
// negative; -1 if it is not in from up to but without to.
func (c countedRows) pick(start, k int64, from, to int32) int32 {
	if c.before == nil {
		if k += start; k < int64(from) || k >= int64(to) {
			return -1
		}
		return int32(k)
	}
	if k += int64(c.before[start]); k < int64(c.before[from]) || k >= int64(c.before[to]) {
		return -1
	}
	return c.at[k]
}

func shifted(f *WindowFunction, rows *WindowRows, args []*vector.Vector) (*vector.Vector, error) {
	n := f.N
	if f.Name == "lag" {
		n = -n
	}
	counted := countRowsOf(f, args[0], rows.Len)
	picked := make(vector.Selection, rows.Len)
	_ = rows.partitions(func(_ int, start, end int32) error {
		for i := start; i < end; i++ {
			switch {
			case n == 0:
				picked[i] = i
			case n > 0:
				picked[i] = counted.pick(int64(i)+1, n-1, start, end)
			default:
				picked[i] = counted.pick(int64(i), n, start, end)
			}
		}
		return nil
	})
	return pickedRows(args, picked)
}

func firstValues(f *WindowFunction, rows *WindowRows, args []*vector.Vector) (*vector.Vector, error) {
	return framePicks(f, rows, args, func(c countedRows, from, to int32) int32 { return c.pick(int64(from), 0, from, to) })
}

func lastValues(f *WindowFunction, rows *WindowRows, args []*vector.Vector) (*vector.Vector, error) {
	return framePicks(f, rows, args, func(c countedRows, from, to int32) int32 { return c.pick(int64(to), -1, from, to) })
}

func nthValues(f *WindowFunction, rows *WindowRows, args []*vector.Vector) (*vector.Vector, error) {
	n := min(f.N, int64(rows.Len)+1) - 1
	return framePicks(f, rows, args, func(c countedRows, from, to int32) int32 { return c.pick(int64(from), n, from, to) })
}

// framePicks gives each row the value of the row that pick finds in its frame.
func framePicks(f *WindowFunction, rows *WindowRows, args []*vector.Vector, pick func(c countedRows, from, to int32) int32) (*vector.Vector, error) {
	counted := countRowsOf(f, args[0], rows.Len)
	picked := make(vector.Selection, rows.Len)
	if rows.From != nil {
		for i := range picked {
			picked[i] = pick(counted, rows.From[i], rows.To[i])
		}
		return pickedRows(args, picked)
	}
	_ = rows.partitions(func(_ int, start, end int32) error {
		fill(picked[start:end], pick(counted, start, end))
		return nil
	})
	return pickedRows(args, picked)
}

// pickedRows gives for each row args[0] of the picked one. Where none is, the
// value is the row's own args[1], or NULL without one.
func pickedRows(args []*vector.Vector, picked vector.Selection) (*vector.Vector, error) {
	values := args[0]
	if len(args) > 1 {
		both := vector.NewCollector([]types.Type{values.Type})
		for _, v := range args[:2] {
			if err := both.Append(&vector.Batch{Columns: []*vector.Vector{v}, Len: len(picked)}); err != nil {
				return nil, err
			}
		}
		for i, p := range picked {
			if p < 0 {
				picked[i] = int32(len(picked) + i)
			}
		}
		return both.Batch().Columns[0].Select(picked), nil
	}
	var missing []int
	for i, p := range picked {
		if p < 0 {
			missing = append(missing, i)
			picked[i] = 0
		}
	}
	out := values.Select(picked)
	for _, i := range missing {
		out.SetNull(i)
	}
	return out, nil
}
