package eval

import (
	"fmt"
	"math"
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

func aggregate(t *testing.T, name string, distinct bool, args ...expr.Expr) *Aggregate {
	t.Helper()
	a, err := ResolveAggregate(name, args, distinct)
	require.NoError(t, err)
	return a
}

// one aggregates values as a single group and prints the result.
func one(t *testing.T, a *Aggregate, columns ...*vector.Vector) string {
	t.Helper()
	s := a.NewState()
	s.Grow(1)
	err := s.Update(argumentsOf(t, a, columns), nil, columns[0].Len, nil)
	if err == nil {
		var v *vector.Vector
		if v, err = s.Result(0, 1); err == nil {
			require.Equal(t, a.Type.Physical(), v.Type.Physical())
			return printed(a.Type, v.Value(0))
		}
	}
	require.ErrorIs(t, err, ErrInvalidValue)
	return "error"
}

// argumentsOf evaluates the aggregate's arguments over columns.
func argumentsOf(t *testing.T, a *Aggregate, columns []*vector.Vector) []*vector.Vector {
	t.Helper()
	var args []*vector.Vector
	for _, e := range a.Args {
		v, err := compile(t, e).Eval(vector.NewBatch(columns[0].Len, columns...))
		require.NoError(t, err)
		args = append(args, v)
	}
	return args
}

func TestAggregates(t *testing.T) {
	money, wide := types.DecimalOf(15, 2), types.DecimalOf(38, 0)
	ints := vec(tInt, 3, nil, 1, 2, 2)
	doubles := vec(tDouble, 1.0, 2.0, math.NaN(), nil)
	names := vec(tString, "b", nil, "", "c", "c")
	nulls := vec(tInt, nil, nil)
	x, y := col(0, tInt), col(0, tDouble)
	for _, c := range []struct {
		a    *Aggregate
		v    *vector.Vector
		want string
		typ  string
	}{
		{aggregate(t, "count", false), ints, "5", "BIGINT"},
		{aggregate(t, "count", false, x), ints, "4", "BIGINT"},
		{aggregate(t, "count", true, x), ints, "3", "BIGINT"},
		{aggregate(t, "sum", false, x), ints, "8", "BIGINT"},
		{aggregate(t, "sum", true, x), ints, "6", "BIGINT"},
		{aggregate(t, "sum", false, x), nulls, "NULL", "BIGINT"},
		{aggregate(t, "count", false, x), nulls, "0", "BIGINT"},
		{aggregate(t, "sum", false, col(0, tBigInt)), vec(tBigInt, int64(math.MaxInt64), 1), "error", "BIGINT"},
		{aggregate(t, "sum", false, col(0, tBigInt)), vec(tBigInt, int64(math.MaxInt64), 1, -1), "error", "BIGINT"},
		{aggregate(t, "sum", false, col(0, money)), vec(money, 150, -25), "1.25", "DECIMAL(25,2)"},
		{aggregate(t, "sum", false, col(0, wide)), vec(wide, types.Pow10(37), types.Pow10(37)), "20000000000000000000000000000000000000", "DECIMAL(38,0)"},
		{aggregate(t, "avg", false, x), ints, "2.0", "DOUBLE"},
		{aggregate(t, "avg", false, col(0, money)), vec(money, 100, 100, 101), "1.003333", "DECIMAL(19,6)"},
		{aggregate(t, "avg", false, col(0, tString)), vec(tString, "1", "2"), "1.5", "DOUBLE"},
		{aggregate(t, "sum", false, y), doubles, "NaN", "DOUBLE"},
		{aggregate(t, "min", false, x), ints, "1", "INT"},
		{aggregate(t, "max", false, x), ints, "3", "INT"},
		{aggregate(t, "min", false, y), doubles, "1.0", "DOUBLE"},
		{aggregate(t, "max", false, y), doubles, "NaN", "DOUBLE"},
		{aggregate(t, "min", false, y), vec(tDouble, math.NaN(), 1.0), "1.0", "DOUBLE"},
		{aggregate(t, "min", false, col(0, tString)), names, "", "STRING"},
		{aggregate(t, "max", false, col(0, tString)), names, "c", "STRING"},
		{aggregate(t, "max", false, col(0, tBool)), vec(tBool, false, true), "true", "BOOLEAN"},
		{aggregate(t, "max", false, col(0, wide)), vec(wide, types.Pow10(37), types.Decimal128{}), types.Pow10(37).Format(0), "DECIMAL(38,0)"},
		{aggregate(t, "min", false, x), nulls, "NULL", "INT"},
		{aggregate(t, "bool_and", false, col(0, tBool)), vec(tBool, true, nil), "true", "BOOLEAN"},
		{aggregate(t, "some", false, col(0, tBool)), vec(tBool, false, nil), "false", "BOOLEAN"},
		{aggregate(t, "count_if", false, col(0, tBool)), vec(tBool, true, nil, false, true), "2", "BIGINT"},
		{aggregate(t, "stddev", false, x), vec(tInt, 1, 2, 3), "1.0", "DOUBLE"},
		{aggregate(t, "stddev_samp", false, x), vec(tInt, 1), "NULL", "DOUBLE"},
		{aggregate(t, "var_pop", false, x), vec(tInt, 1, 3), "1.0", "DOUBLE"},
		{aggregate(t, "variance", false, x), vec(tInt, 1, 3), "2.0", "DOUBLE"},
		{aggregate(t, "corr", false, x, x), vec(tInt, 1, 2, 3), "1.0", "DOUBLE"},
		{aggregate(t, "median", false, x), vec(tInt, 0, 10), "5.0", "DOUBLE"},
		{aggregate(t, "percentile", false, x, lit(tDouble, 0.3)), vec(tInt, 0, 10), "3.0", "DOUBLE"},
		{aggregate(t, "percentile_approx", false, x, lit(tDouble, 0.5)), ints, "2", "INT"},
		{aggregate(t, "percentile_approx", false, x, lit(tDouble, 1.0)), ints, "3", "INT"},
		{aggregate(t, "approx_count_distinct", false, x), ints, "3", "BIGINT"},
		{aggregate(t, "first", false, x), vec(tInt, nil, 5), "NULL", "INT"},
		{aggregate(t, "first", false, x, expr.True), vec(tInt, nil, 5, 6), "5", "INT"},
		{aggregate(t, "any_value", false, x), vec(tInt, nil, 5), "5", "INT"},
		{aggregate(t, "last", false, x), vec(tInt, 4, 5, nil), "NULL", "INT"},
		{aggregate(t, "last", false, x, expr.True), vec(tInt, 4, 5, nil), "5", "INT"},
		{aggregate(t, "collect_list", false, x), ints, "[3, 1, 2, 2]", "ARRAY<INT>"},
		{aggregate(t, "array_agg", true, x), ints, "[3, 1, 2]", "ARRAY<INT>"},
		{aggregate(t, "collect_set", false, x), nulls, "[]", "ARRAY<INT>"},
		{aggregate(t, "listagg", false, col(0, tString), expr.Str("-")), names, "b--c-c", "STRING"},
		{aggregate(t, "bit_or", false, x), ints, "3", "INT"},
	} {
		require.Equal(t, c.want, one(t, c.a, c.v), c.a.String())
		require.Equal(t, c.typ, c.a.Type.String(), c.a.String())
	}
}

func TestAggregatesOfOtherTypes(t *testing.T) {
	spans := vec(types.DayTime, types.Interval{Days: 1}, types.DayTimeInterval(types.MicrosPerDay), types.Interval{Days: 30})
	require.Equal(t, "2", one(t, aggregate(t, "count", true, col(0, spans.Type)), spans))
	require.Equal(t, "INTERVAL '30 00:00:00' DAY TO SECOND", one(t, aggregate(t, "max", false, col(0, spans.Type)), spans))
	maxBy := aggregate(t, "max_by", false, col(0, tString), col(1, tInt))
	require.Equal(t, "c", one(t, maxBy, vec(tString, "a", "b", "c"), vec(tInt, 1, nil, 5)))
	_, err := ResolveAggregate("sum", []expr.Expr{col(0, tDate)}, false)
	require.ErrorIs(t, err, ErrTypeMismatch)
	require.True(t, IsAggregate("SUM"))
	require.False(t, IsAggregate("substring"))
}

// TestAggregateFormsAgree feeds the same rows at once, in parts with merges, and
// one by one, in columns of every form, and compares the groups' results.
func TestAggregateFormsAgree(t *testing.T) {
	money, wide := types.DecimalOf(15, 2), types.DecimalOf(30, 4)
	for _, ty := range []types.Type{tInt, tBigInt, tDouble, types.Of(types.Float), money, wide, tString, tBool, tDate} {
		for _, name := range []string{"count", "sum", "avg", "min", "max", "collect_list", "first", "last", "approx_count_distinct", "var_pop", "median", "count_distinct"} {
			distinct := name == "count_distinct"
			if distinct {
				name = "count"
			}
			a, err := ResolveAggregate(name, []expr.Expr{col(0, ty)}, distinct)
			if err != nil || len(a.Args) > 0 && !a.Args[0].Type().Equal(ty) && ty.Kind == types.String {
				continue // not of this type
			}
			for seed := range int64(6) {
				checkAggregate(t, a, ty, seed)
			}
		}
	}
}

func checkAggregate(t *testing.T, a *Aggregate, ty types.Type, seed int64) {
	rng := rand.New(rand.NewSource(seed))
	const n, groupCount = 90, 4
	column := randomColumn(rng, ty, n, seed%2 == 0)
	if ty.Kind == types.Float || ty.Kind == types.Double { // sums of NaN and infinities depend on nothing, but not of rounding
		column = vec(tDouble, make([]any, n)...)
		column.Type, column.Valid = tDouble, nil
		for i := range column.Float64s {
			column.Float64s[i] = float64(rng.Intn(50))
		}
		if ty.Kind == types.Float {
			out := vector.New(ty, n)
			for i, x := range column.Float64s {
				out.Float32s[i] = float32(x)
			}
			column = out
		}
	}
	for _, v := range []*vector.Vector{column, column.Dict} { // nor does it matter what sum overflows first
		for i := 0; v != nil && i < len(v.Int64s); i++ {
			v.Int64s[i] /= n
		}
	}
	groups := make([]int32, n)
	ungrouped := seed%3 == 0
	for i := range groups {
		if !ungrouped {
			groups[i] = int32(rng.Intn(groupCount))
		}
	}
	sel := randomSelection(rng, n)
	args := argumentsOf(t, a, []*vector.Vector{column})
	all := a.NewState()
	all.Grow(groupCount)
	if ungrouped {
		err := all.Update(args, sel, n, nil)
		require.NoError(t, err)
	} else {
		require.NoError(t, all.Update(args, sel, n, groups))
	}
	merged := a.NewState()
	merged.Grow(groupCount)
	byOne := a.NewState()
	byOne.Grow(groupCount)
	for k := range rowsOf(sel, n) {
		i := rowAt(sel, k)
		require.NoError(t, byOne.Update(args, vector.Selection{int32(i)}, n, groups))
	}
	for from := 0; from < rowsOf(sel, n); from += 20 {
		part := vector.Selection{}
		for k := from; k < min(from+20, rowsOf(sel, n)); k++ {
			part = append(part, int32(rowAt(sel, k)))
		}
		s := a.NewState()
		s.Grow(groupCount)
		require.NoError(t, s.Update(args, part, n, groups))
		require.NoError(t, merged.Merge(s, nil, []int32{0, 1, 2, 3}))
	}
	want := results(a, byOne)
	where := fmt.Sprintf("%s of %s, form %d, seed %d", a, ty, column.Form, seed)
	require.Equal(t, want, results(a, all), where)
	if a.Type.Kind != types.Double {
		require.Equal(t, want, results(a, merged), where)
	}
	require.GreaterOrEqual(t, all.Size(), int64(0))
}

func results(a *Aggregate, s AggregateState) []string {
	var out []string
	v, err := s.Result(0, 4)
	if err != nil {
		return []string{"error"}
	}
	for i := range 4 {
		out = append(out, printed(a.Type, v.Value(i)))
	}
	return out
}

func TestApproxCountDistinctOfMany(t *testing.T) {
	a := aggregate(t, "approx_count_distinct", false, col(0, tBigInt))
	const n = 100_000
	v := vector.New(tBigInt, n)
	for i := range v.Int64s {
		v.Int64s[i] = int64(i)
	}
	s, half := a.NewState(), a.NewState()
	s.Grow(1)
	half.Grow(1)
	require.NoError(t, s.Update([]*vector.Vector{v}, nil, n, nil))
	require.NoError(t, half.Update([]*vector.Vector{v}, nil, 1000, nil))
	require.NoError(t, half.Merge(s, nil, []int32{0}))
	for _, state := range []AggregateState{s, half} {
		got, err := state.Result(0, 1)
		require.NoError(t, err)
		require.InEpsilon(t, n, got.Int64s[0], 0.03)
	}
}
