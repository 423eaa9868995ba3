package prune_test

import (
	"math"
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage/prune"
)

func column(i int, k types.Kind) *expr.Column {
	return &expr.Column{Index: i, Name: string(rune('a' + i)), T: types.Of(k), MayBeNull: true}
}

func resolve(t *testing.T, name string, args ...expr.Expr) expr.Expr {
	e, err := eval.Resolve(name, args)
	require.NoError(t, err)
	return e
}

// TestTryCastMayBeNull: a date beyond the timestamps has no midnight.
func TestTryCastMayBeNull(t *testing.T) {
	day := column(0, types.Date)
	far := func(*expr.Column) prune.Range {
		return prune.Range{Min: int64(0), Max: int64(1 << 30), MayBeValue: true}
	}
	for _, kind := range []types.Kind{types.Timestamp, types.TimestampNTZ} {
		cast := &expr.Cast{Arg: day, T: types.Of(kind), Try: true}
		require.True(t, prune.InclusiveMetrics(expr.IsNull(cast), far), kind)
	}
}

func TestKnownRanges(t *testing.T) {
	a, s, f := column(0, types.Int), column(1, types.String), column(2, types.Double)
	num := func(v int64) expr.Expr { return &expr.Literal{T: types.Of(types.Int), Value: v} }
	dbl := func(v float64) expr.Expr { return &expr.Literal{T: types.Of(types.Double), Value: v} }
	between5and9 := prune.Range{Min: int64(5), Max: int64(9), MayBeValue: true}
	words := prune.Range{Min: "apple", Max: "melon", MayBeValue: true, MayBeNull: true}
	floats := prune.Range{Min: 1.0, Max: 2.0, MayBeValue: true, MayBeNaN: true}
	digits := prune.Range{Min: "10", Max: "9", MayBeValue: true} // in the order of text
	bytes := prune.Range{Min: []byte("apple"), Max: []byte("melon"), MayBeValue: true}
	noNaN := prune.Range{Min: 1.0, Max: math.Inf(1), MayBeValue: true}
	allNaN := prune.Exactly(math.NaN())
	tame, wild := column(5, types.Double), column(6, types.Double)
	columns := func(c *expr.Column) prune.Range {
		return []prune.Range{between5and9, words, floats, digits, bytes, noNaN, allNaN}[c.Index]
	}
	for _, c := range []struct {
		filter            expr.Expr
		inclusive, strict bool
	}{
		{resolve(t, "=", a, num(7)), true, false},
		{resolve(t, "=", a, num(4)), false, false},
		{resolve(t, "<", a, num(10)), true, true},
		{resolve(t, ">=", num(5), a), true, false},
		{resolve(t, "<>", a, num(3)), true, true},
		{resolve(t, "not", resolve(t, ">", a, num(4))), false, false},
		{expr.IsNull(a), false, false},
		{expr.IsNull(s), true, false},
		{resolve(t, "<=>", s, expr.Null(types.Of(types.String))), true, false},
		{resolve(t, "in", a, num(1), num(2)), false, false},
		{resolve(t, "in", a, num(1), num(6)), true, false},
		{resolve(t, "like", s, expr.Str("z%")), false, false},
		{resolve(t, "like", s, expr.Str("me%")), true, false},
		{resolve(t, "like", s, expr.Str("melon%")), true, false}, // the largest itself
		{resolve(t, "like", s, expr.Str("apple%")), true, false},
		{resolve(t, "like", s, expr.Str("zoo")), false, false},
		{resolve(t, "like", s, expr.Str("%z")), true, false},
		{expr.And(resolve(t, ">", a, num(6)), resolve(t, "<", a, num(2))), false, false},
		{expr.Or(resolve(t, ">", a, num(10)), resolve(t, "<", a, num(2))), false, false},
		{resolve(t, ">", f, dbl(5)), true, false},
		{resolve(t, "<", f, dbl(0)), false, false},
		{resolve(t, "=", f, dbl(5)), false, false},
		{resolve(t, "=", f, dbl(math.NaN())), true, false},
		{resolve(t, "isnan", f), true, false},
		{resolve(t, "isnan", tame), false, false},
		{resolve(t, "not", resolve(t, "isnan", tame)), true, true},
		{resolve(t, "isnan", wild), true, true},
		{resolve(t, "=", wild, dbl(0)), false, false},
		{resolve(t, ">", &expr.Cast{Arg: a, T: types.Of(types.BigInt)}, expr.Int(9)), false, false},
		{resolve(t, "startswith", s, expr.Str("n")), false, false},
		{resolve(t, "startswith", column(4, types.Binary), &expr.Literal{T: types.Of(types.Binary), Value: []byte("n")}), true, false},
		{resolve(t, "=", &expr.Cast{Arg: column(3, types.String), T: types.Of(types.Int)}, num(50)), true, false},
	} {
		require.Equal(t, c.inclusive, prune.InclusiveMetrics(c.filter, columns), c.filter)
		require.Equal(t, c.strict, prune.StrictMetrics(c.filter, columns), c.filter)
	}
}

// TestNeverDisagreesWithFiltering generates filters and rows: a filter that is
// true for some row is never pruned, and one that is not true for some row is
// never certain.
func TestNeverDisagreesWithFiltering(t *testing.T) {
	seed := int64(20240607)
	rng := rand.New(rand.NewSource(seed))
	for round := range 5000 {
		b, ranges := randomRows(rng)
		filter := randomFilter(rng, 3)
		p, err := eval.Compile(filter, &eval.Env{})
		require.NoError(t, err)
		sel, err := p.Filter(b)
		require.NoError(t, err)
		columns := func(c *expr.Column) prune.Range { return ranges[c.Index] }
		if len(sel) > 0 {
			require.True(t, prune.InclusiveMetrics(filter, columns), "seed %d round %d: %s", seed, round, filter)
		}
		if len(sel) < b.Len {
			require.False(t, prune.StrictMetrics(filter, columns), "seed %d round %d: %s", seed, round, filter)
		}
	}
}

// randomRows makes a few rows of an INT and a DOUBLE column and their ranges,
// sometimes wider than they need be.
func randomRows(rng *rand.Rand) (*vector.Batch, []prune.Range) {
	n := 1 + rng.Intn(4)
	ints, floats := vector.NewBuilder(types.Of(types.Int), n), vector.NewBuilder(types.Of(types.Double), n)
	ranges := make([]prune.Range, 2)
	for range n {
		if rng.Intn(4) == 0 {
			ints.AppendNull()
			ranges[0].MayBeNull = true
		} else {
			v := int64(rng.Intn(6))
			ints.AppendInt64(v)
			ranges[0] = widen(types.Of(types.Int), ranges[0], v)
		}
		switch v := float64(rng.Intn(6)); {
		case v == 5:
			floats.AppendValue(math.NaN())
			ranges[1].MayBeNaN, ranges[1].MayBeValue = true, true
		case rng.Intn(4) == 0:
			floats.AppendNull()
			ranges[1].MayBeNull = true
		default:
			floats.AppendValue(v)
			ranges[1] = widen(types.Of(types.Double), ranges[1], v)
		}
	}
	for i := range ranges {
		if rng.Intn(6) == 0 {
			ranges[i].Max = nil
		}
		if rng.Intn(6) == 0 {
			ranges[i].Min = nil
		}
	}
	return vector.NewBatch(n, ints.Vector(), floats.Vector()), ranges
}

func widen(t types.Type, r prune.Range, v any) prune.Range {
	r.MayBeValue = true
	if c, ok := compare(t, v, r.Min); !ok || c < 0 {
		r.Min = v
	}
	if c, ok := compare(t, v, r.Max); !ok || c > 0 {
		r.Max = v
	}
	return r
}

func compare(t types.Type, a, b any) (int, bool) {
	if b == nil {
		return 0, false
	}
	return types.CompareValues(t, a, b)
}

func randomFilter(rng *rand.Rand, depth int) expr.Expr {
	if depth > 0 && rng.Intn(3) > 0 {
		a, b := randomFilter(rng, depth-1), randomFilter(rng, depth-1)
		switch rng.Intn(3) {
		case 0:
			return expr.And(a, b)
		case 1:
			return expr.Or(a, b)
		}
		return expr.Not(a)
	}
	col := column(rng.Intn(2), types.Int)
	literal := func() expr.Expr {
		if rng.Intn(8) == 0 {
			return expr.Null(col.T)
		}
		if col.Index == 0 {
			return &expr.Literal{T: col.T, Value: int64(rng.Intn(8) - 1)}
		}
		return &expr.Literal{T: col.T, Value: []float64{-1, 0, 1, 2, 3, 4, 5, math.NaN()}[rng.Intn(8)]}
	}
	if col.Index == 1 {
		col.T = types.Of(types.Double)
	}
	ops := []string{"=", "<>", "<", "<=", ">", ">=", "<=>", "in", "is_null", "is_not_null"}
	op := ops[rng.Intn(len(ops))]
	args := []expr.Expr{col}
	switch op {
	case "in":
		args = append(args, literal(), literal())
	case "is_null", "is_not_null":
	default:
		args = append(args, literal())
	}
	e, err := eval.Resolve(op, args)
	if err != nil {
		panic(err)
	}
	return e
}
