package eval

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

func TestSteadyStateAllocatesNothing(t *testing.T) {
	money := types.DecimalOf(15, 2)
	a, b := vector.New(money, vector.BatchRows), vector.New(money, vector.BatchRows)
	for i := range a.Int64s {
		a.Int64s[i], b.Int64s[i] = int64(i*1000), int64(i%11)
	}
	batch := vector.NewBatch(vector.BatchRows, a, b)
	price := call("*", col(0, money), call("-", expr.Int(1), col(1, money)))
	require.Equal(t, "DECIMAL(32,4)", price.Type().String())
	program := compile(t, price)
	filter := compile(t, call("and", call("<", col(0, money), expr.Int(10000)), call(">=", col(1, money), dec("0.05", 2, 2))))
	run := func() {
		v, err := program.Eval(batch)
		require.NoError(t, err)
		require.Equal(t, types.Decimal128FromInt64(3000*97), v.Int128s[3])
		sel, err := filter.Filter(batch)
		require.NoError(t, err)
		require.NotEmpty(t, sel)
	}
	run()
	require.Zero(t, testing.AllocsPerRun(100, func() {
		if _, err := program.Eval(batch); err != nil {
			panic(err)
		}
		if _, err := filter.Filter(batch); err != nil {
			panic(err)
		}
	}))
}

func TestUnselectedRowsGiveNoError(t *testing.T) {
	batch := vector.NewBatch(3, vec(tBigInt, 1, 0, 4))
	p := compile(t, call("div", expr.Int(8), col(0, tBigInt)))
	_, err := p.Eval(batch)
	require.ErrorIs(t, err, ErrInvalidValue)
	batch.Sel = vector.Selection{0, 2}
	v, err := p.Eval(batch)
	require.NoError(t, err)
	require.Equal(t, int64(8), v.Int64s[0])
	require.Equal(t, int64(2), v.Int64s[2])
}

func TestLaterArgumentsSeeOnlyRowsThatNeedThem(t *testing.T) {
	batch := vector.NewBatch(3, vec(tBigInt, 1, 0, nil))
	safe := call(">", call("div", expr.Int(8), col(0, tBigInt)), expr.Int(2))
	and := compile(t, call("and", call("<>", col(0, tBigInt), expr.Int(0)), safe))
	v, err := and.Eval(batch)
	require.NoError(t, err)
	require.Equal(t, []any{true, false, nil}, values(v))
	or := compile(t, call("or", call("=", col(0, tBigInt), expr.Int(0)), safe))
	sel, err := or.Filter(batch)
	require.NoError(t, err)
	require.Equal(t, vector.Selection{0, 1}, sel)
	cases := compile(t, call("if", call("=", col(0, tBigInt), expr.Int(0)), expr.Int(-1), call("div", expr.Int(8), col(0, tBigInt))))
	v, err = cases.Eval(batch)
	require.NoError(t, err)
	require.Equal(t, []any{int64(8), int64(-1), nil}, values(v))
}

func TestDictionaryEntriesAreComputedOnce(t *testing.T) {
	dict := vec(tString, "1", "x", "30")
	column := vector.NewDictionary(dict, []int32{0, 2, 0, 2}, nil)
	batch := vector.NewBatch(4, column)
	cast := call(">", must(NewCast(col(0, tString), tInt, false)), lit(tInt, 5))
	p := compile(t, cast)
	sel, err := p.Filter(batch)
	require.NoError(t, err, "no row uses the entry that can't be cast")
	require.Equal(t, vector.Selection{1, 3}, sel)

	upper := compile(t, call("like", col(0, tString), expr.Str("%0")))
	v, err := upper.Eval(batch)
	require.NoError(t, err)
	require.Equal(t, vector.Dictionary, v.Form)
	require.Equal(t, []any{false, true, false, true}, values(v))

	column.Codes[1] = 1
	_, err = p.Filter(batch)
	require.ErrorIs(t, err, ErrInvalidValue)
}
