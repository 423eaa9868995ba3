package exec

import (
	"math"
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// TestRowIndex compares the chains of an index with the rows of each number,
// where the numbers lie close together and where they don't.
func TestRowIndex(t *testing.T) {
	for _, numbers := range [][]int64{
		{1, 2, 3, 1, 2, 1},
		{-5, 70000, -5, 0},
		{math.MinInt64, math.MaxInt64, 0, math.MaxInt64},
		{math.MaxInt64 - 1, math.MaxInt64},
		{},
	} {
		checkRowIndex(t, numbers)
	}
	rng := rand.New(rand.NewSource(1))
	for _, span := range []int64{10, 5000, math.MaxInt32} {
		numbers := make([]int64, 3*vector.BatchRows)
		for i := range numbers {
			numbers[i] = rng.Int63n(span) - span/2
		}
		checkRowIndex(t, numbers)
	}
}

func checkRowIndex(t *testing.T, numbers []int64) {
	column := vector.NewBuilder(types.Of(types.BigInt), len(numbers)+1)
	want := map[int64][]int32{}
	for i, n := range numbers {
		column.AppendValue(n)
		want[n] = append(want[n], int32(i))
	}
	column.AppendNull()
	rows := vector.NewBatch(len(numbers)+1, column.Vector())
	key := &expr.Column{T: types.Of(types.BigInt), MayBeNull: true}
	programs, err := eval.CompileSet([]expr.Expr{key}, nil)
	require.NoError(t, err)
	index, err := newRowIndex(rows, []plan.JoinKey{{Left: key, Right: key}}, programs)
	require.NoError(t, err)
	require.True(t, index.nullKeys)

	probe := vector.NewBuilder(types.Of(types.BigInt), 0)
	asked := append(append([]int64{}, numbers...), 4, -1, math.MaxInt64, math.MinInt64)
	for _, n := range asked {
		probe.AppendValue(n)
	}
	probe.AppendNull()
	found := make([]int32, len(asked)+1)
	index.reader().find([]*vector.Vector{probe.Vector()}, nil, len(found), found)
	for i, n := range asked {
		var chain []int32
		for row := found[i]; row >= 0; row = index.next[row] {
			chain = append(chain, row)
		}
		require.Equal(t, want[n], chain, "rows of %d", n)
	}
	require.Equal(t, int32(-1), found[len(asked)], "NULL finds nothing")
}
