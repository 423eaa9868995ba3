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
	clear(s.ints)
	clear(s.wide)
	clear(s.floats)
}

func (s *sumState) addRow(args []*vector.Vector, row int) error {
	v := args[0]
	s.counts[0]++
	ok := true
	switch v.Type.Physical() {
	case types.PhysInt32:
		ok = s.addWhole(int64(v.Int32s[row]))
	case types.PhysInt64:
		ok = s.addWhole(v.Int64s[row])
	case types.PhysInt128:
		ok = addInt128To(&s.wide[0], &v.Int128s[row]) >= 0 || s.wide[0].FitsPrecision(types.MaxDecimalPrecision)
	case types.PhysFloat32:
		s.floats[0] += float64(v.Float32s[row])
	case types.PhysFloat64:
		s.floats[0] += v.Float64s[row]
	case types.PhysInterval:
		ok = s.addSpan(0, spanOf(s.in, v.Intervals[row]))
	}
	if !ok {
		return s.overflow()
	}
	return nil
}

// addWhole adds a whole number, or the digits of a short decimal.
func (s *sumState) addWhole(x int64) bool {
	switch {
	case s.in.Kind == types.Decimal:
		addInt(&s.wide[0], x)
		return true
	case s.avg:
		s.floats[0] += float64(x)
		return true
	}
	return addIntTo(&s.ints[0], x) >= 0
}

func (s *sumState) storeValue(out *vector.Vector, i int) error {
	if s.counts[0] == 0 {
		out.SetNull(i)
		return nil
	}
	return s.store(out, i, 0)
}
