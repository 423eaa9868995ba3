package exec

import (
	"math"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// columnsOf gives the keys from..to as flat vectors.
func (t *keyTable) columnsOf(from, to int) []*vector.Vector {
	if cap(t.ordinals) < to-from {
		t.ordinals = make([]int32, to-from)
	}
	numbers := t.ordinals[:to-from]
	for k := range numbers {
		numbers[k] = int32(from + k)
	}
	return t.columnsAt(numbers)
}

// columnsAt gives the keys of some numbers as flat vectors.
func (t *keyTable) columnsAt(numbers []int32) []*vector.Vector {
	out := make([]*vector.Vector, len(t.columns))
	for c := range t.columns {
		if t.columns[c].typ.IsNested() {
			out[c] = t.nestedColumn(c, numbers)
			continue
		}
		v := vector.New(t.columns[c].typ, len(numbers))
		t.nullsAt(v, c, numbers)
		t.valuesAt(v, c, numbers)
		out[c] = v
	}
	return out
}

func (t *keyTable) nullsAt(v *vector.Vector, c int, numbers []int32) {
	word, bit := c>>6, uint64(1)<<(c&63)
	for k, number := range numbers {
		if t.keys[int(number)*t.words+word]&bit != 0 {
			v.SetNull(k)
		}
	}
}

// valuesAt decodes the words of a column. A NULL's word is 0.
func (t *keyTable) valuesAt(v *vector.Vector, c int, numbers []int32) {
	col := &t.columns[c]
	at := func(number int32) int { return int(number)*t.words + col.offset }
	switch col.typ.Physical() {
	case types.PhysBool:
		for k, number := range numbers {
			v.Bools[k] = t.keys[at(number)] != 0
		}
	case types.PhysInt32:
		for k, number := range numbers {
			v.Int32s[k] = int32(t.keys[at(number)])
		}
	case types.PhysInt64:
		for k, number := range numbers {
			v.Int64s[k] = int64(t.keys[at(number)])
		}
	case types.PhysFloat32:
		for k, number := range numbers {
			v.Float32s[k] = float32(math.Float64frombits(t.keys[at(number)]))
		}
	case types.PhysFloat64:
		for k, number := range numbers {
			v.Float64s[k] = math.Float64frombits(t.keys[at(number)])
		}
	case types.PhysInt128:
		for k, number := range numbers {
			v.Int128s[k] = types.Decimal128{Lo: t.keys[at(number)], Hi: int64(t.keys[at(number)+1])}
		}
	case types.PhysInterval:
		for k, number := range numbers {
			w := t.keys[at(number)]
			v.Intervals[k] = types.Interval{Months: int32(uint32(w)), Days: int32(uint32(w >> 32)), Micros: int64(t.keys[at(number)+1])}
		}
	case types.PhysBytes:
		for k, number := range numbers {
			if v.Valid.Valid(k) {
				v.SetBytes(k, col.strs.bytes(int(t.keys[at(number)])))
			}
		}
	}
}

func (t *keyTable) isNull(row []uint64, c int) bool { return row[c>>6]>>(c&63)&1 != 0 }

// nestedColumn decodes what vector.AppendKey encoded.
func (t *keyTable) nestedColumn(c int, numbers []int32) *vector.Vector {
	col := &t.columns[c]
	b := vector.NewBuilder(col.typ, len(numbers))
	for _, number := range numbers {
		row := t.keys[int(number)*t.words : (int(number)+1)*t.words]
		if t.isNull(row, c) {
			b.AppendNull()
			continue
		}
		value, _ := vector.ReadKey(col.strs.bytes(int(row[col.offset])), col.typ)
		b.AppendValue(value)
	}
	return b.Vector()
}
