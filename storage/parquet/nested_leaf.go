package parquet

import (
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// nestedLeaf reads the levels and the values of a leaf below a nested column.
type nestedLeaf struct {
	*pages
	levelsOnly bool

	// The batch:
	def, rep []uint8       // rep is empty where nothing above repeats
	values   vector.Vector // without NULLs
}

// maxBatchEntries bounds the list elements of a batch.
const maxBatchEntries = 1 << 28

func (l *nestedLeaf) repAt(i int) int {
	if len(l.rep) == 0 {
		return 0
	}
	return int(l.rep[i])
}

// read takes the entries of the next n rows, or passes over them. A row ends
// where the next begins, which may be pages later.
func (l *nestedLeaf) read(n int, keep bool) error {
	l.def, l.rep = l.def[:0], l.rep[:0]
	l.values.Reset(0)
	for rows, done := 0, false; !done; {
		more, err := l.advance()
		if err != nil {
			return err
		}
		if !more {
			if rows < n {
				return l.corrupt(nil, "chunk has fewer values than its row group has rows")
			}
			return nil
		}
		if err := l.open(); err != nil {
			return err
		}
		var k int
		if k, done, err = l.entries(&rows, n); err != nil {
			return err
		}
		if err := l.take(k, keep); err != nil {
			return err
		}
	}
	return nil
}

// entries counts the entries of the open page that belong to the batch; done
// tells that the batch ends with them.
func (l *nestedLeaf) entries(rows *int, n int) (k int, done bool, err error) {
	left := l.n - l.at
	if l.leaf.maxRep == 0 {
		k = min(left, n-*rows)
		*rows += k
		return k, *rows == n, nil
	}
	levels := l.repLevels[l.at:]
	if *rows == 0 && levels[0] != 0 {
		return 0, false, l.corrupt(nil, "first entry of a row has repetition level %d", levels[0])
	}
	for k = range levels {
		if levels[k] == 0 {
			if *rows == n {
				return k, true, nil
			}
			*rows++
		}
	}
	return left, false, nil
}

// take moves the next k entries of the open page to the batch.
func (l *nestedLeaf) take(k int, keep bool) error {
	values := k
	if l.leaf.maxDef > 0 {
		values = 0
		for _, d := range l.defLevels[l.at : l.at+k] {
			if int(d) == l.leaf.maxDef {
				values++
			}
		}
	}
	if !keep || l.levelsOnly {
		if err := l.skipValues(values); err != nil {
			return err
		}
	} else if err := l.append(values); err != nil {
		return err
	}
	if keep {
		if len(l.def)+k > maxBatchEntries {
			return l.corrupt(nil, "more than %d list elements in %d rows", maxBatchEntries, vector.BatchRows)
		}
		l.appendLevels(k)
	}
	return l.pass(k)
}

func (l *nestedLeaf) appendLevels(k int) {
	if l.leaf.maxDef == 0 {
		l.def = append(l.def, make([]uint8, k)...)
	} else {
		l.def = append(l.def, l.defLevels[l.at:l.at+k]...)
	}
	if l.leaf.maxRep > 0 {
		l.rep = append(l.rep, l.repLevels[l.at:l.at+k]...)
	}
}

// append takes the next k values of the open page.
func (l *nestedLeaf) append(k int) error {
	at := l.values.Len
	extend(&l.values, at+k)
	if k == 0 {
		return nil
	}
	if l.form == formCodes {
		codes := resize(l.scratch.Codes, k)
		l.scratch.Codes = codes
		if err := l.readCodes(codes); err != nil {
			return err
		}
		gatherInto(&l.values, at, l.dict, codes)
		return nil
	}
	src, from, err := l.rawValues(k)
	if err != nil {
		return err
	}
	if l.convert != nil {
		if err := l.convert(&l.values, at, src, from, k); err != nil {
			return l.corrupt(err, "a value can't be read as %s", l.want)
		}
		return nil
	}
	for i, v := range src.Views[from : from+k] {
		l.values.SetBytes(at+i, src.Data[v.Offset:v.Offset+v.Length])
	}
	return nil
}

// extend makes a flat vector n rows long and keeps its values.
func extend(v *vector.Vector, n int) {
	v.Len = n
	switch v.Type.Physical() {
	case types.PhysBool:
		v.Bools = grow(v.Bools, n)
	case types.PhysInt32:
		v.Int32s = grow(v.Int32s, n)
	case types.PhysInt64:
		v.Int64s = grow(v.Int64s, n)
	case types.PhysInt128:
		v.Int128s = grow(v.Int128s, n)
	case types.PhysFloat32:
		v.Float32s = grow(v.Float32s, n)
	case types.PhysFloat64:
		v.Float64s = grow(v.Float64s, n)
	case types.PhysBytes:
		v.Views = grow(v.Views, n)
	}
}

func grow[T any](s []T, n int) []T {
	if cap(s) >= n {
		return s[:n]
	}
	out := make([]T, n, n+n/2)
	copy(out, s)
	return out
}
