package exec

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// TestOrderRows compares the order with that of comparing whole rows, for keys
// of all layouts with few and with many different values.
func TestOrderRows(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	kinds := []types.Type{types.Of(types.Boolean), types.Of(types.TinyInt), types.Of(types.Int), types.Of(types.BigInt), types.Of(types.Float), types.Of(types.Double),
		types.DecimalOf(38, 0), types.Of(types.String), types.Of(types.Date), types.DayTime, types.ArrayOf(types.Of(types.Int), true)}
	for round := range 300 {
		n := r.IntN(20)
		if round%3 == 0 {
			n = r.IntN(3000)
		}
		var columns []*vector.Vector
		var keys []plan.SortKey
		for range 1 + r.IntN(3) {
			kind := kinds[r.IntN(len(kinds))]
			columns = append(columns, randomKeys(r, kind, n))
			keys = append(keys, plan.SortKey{Descending: r.IntN(2) == 0, NullsFirst: r.IntN(2) == 0})
		}
		want := make(vector.Selection, n)
		for i := range want {
			want[i] = int32(i)
		}
		slices.SortFunc(want, func(a, b int32) int {
			for i, c := range columns {
				if order := comparator(c, keys[i])(a, b); order != 0 {
					return order
				}
			}
			return cmp.Compare(a, b)
		})
		require.Equal(t, want, orderRows(columns, keys, n), "round %d: %d rows by %s", round, n, columns[0].Type)
	}
}

func randomKeys(r *rand.Rand, t types.Type, n int) *vector.Vector {
	b := vector.NewBuilder(t, n)
	most, nulls := []int64{2, 100, math.MaxInt64}[r.IntN(3)], r.IntN(3)
	floats := []float64{0, math.Copysign(0, -1), math.NaN(), math.Inf(1), math.Inf(-1), -1.5, math.Float64frombits(math.Float64bits(math.NaN()) | 1<<63)}
	for range n {
		x := r.Int64N(most) - most/2
		switch {
		case nulls > 0 && r.IntN(4) == 0:
			b.AppendNull()
		case t.Kind == types.Boolean:
			b.AppendValue(x > 0)
		case t.Kind == types.TinyInt:
			b.AppendValue(int64(int8(x)))
		case t.Kind == types.Int, t.Kind == types.Date:
			b.AppendValue(int64(int32(x)))
		case t.Kind == types.BigInt:
			b.AppendValue(x)
		case t.Kind == types.Float, t.Kind == types.Double:
			b.AppendValue([]float64{floats[r.IntN(len(floats))], float64(x) / 8}[r.IntN(2)])
		case t.Kind == types.Decimal:
			b.AppendValue(types.Decimal128{Hi: x % 3, Lo: uint64(x)})
		case t.Kind == types.String:
			b.AppendValue([]string{"", "prefix", "prefixes and "}[r.IntN(3)] + string(rune('a'+x%7)))
		case t.Kind == types.IntervalKind:
			b.AppendValue(types.DayTimeInterval(x % (1 << 50)))
		default:
			b.AppendValue([]any{x % 3, nil})
		}
	}
	return b.Vector()
}
