package eval

import (
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

func (s *sumState) prepare(args []*vector.Vector, sel vector.Selection, n int) vector.Selection {
	return s.rows.valid(args[0], sel, n)
}

func (s *sumState) restart() {
	s.counts[0] = 0
	if s.exact() {
		s.wide[0] = types.Decimal128{}
	} else {
		s.floats[0] = 0
	}
}

func (s *sumState) addRow(args []*vector.Vector, row int) error {
	v := args[0]
	s.counts[0]++
	switch v.Type.Physical() {
	case types.PhysInt32:
		addInt(&s.wide[0], int64(v.Int32s[row]))
	case types.PhysInt64:
		addInt(&s.wide[0], v.Int64s[row])
	case types.PhysInt128:
		if addInt128To(&s.wide[0], &v.Int128s[row]) < 0 {
			return overflow(s.out, "sum")
		}
	case types.PhysFloat32:
		s.floats[0] += float64(v.Float32s[row])
	case types.PhysFloat64:
		s.floats[0] += v.Float64s[row]
	case types.PhysInterval:
		addInt(&s.wide[0], spanOf(s.in, v.Intervals[row]))
	}
	return nil
}

func (s *sumState) storeValue(out *vector.Vector, i int) error {
	if s.counts[0] == 0 {
		out.SetNull(i)
		return nil
	}
	return s.store(out, i, 0)
}
