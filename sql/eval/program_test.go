package eval

import (
	"math/rand"
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

// TestFiltersAllocateNothing covers the other forms that scans filter with.
func TestFiltersAllocateNothing(t *testing.T) {
	dict := vec(tString, "AIR", "RAIL", nil, "SHIP")
	codes := make([]int32, vector.BatchRows)
	for i := range codes {
		codes[i] = int32(i % 4)
	}
	modes := vector.NewDictionary(dict, codes, nil)
	dates := vector.New(tDate, vector.BatchRows)
	for i := range dates.Int32s {
		dates.Int32s[i] = int32(i)
	}
	batch := vector.NewBatch(vector.BatchRows, modes, dates, modes.Flatten())
	for _, e := range []expr.Expr{
		call("in", col(0, tString), expr.Str("AIR"), expr.Str("SHIP")),
		call("like", col(2, tString), expr.Str("%AI%")),
		call("=", col(2, tString), expr.Str("AIR")),
		call("or", call("is_null", col(0, tString)), call("<", col(1, tDate), date("1971-01-01"))),
		call("=", call("year", col(1, tDate)), lit(tInt, 1971)),
		call("=", call("substring", col(2, tString), lit(tInt, 1), lit(tInt, 2)), expr.Str("AI")),
		call(">", call("if", call("=", col(0, tString), expr.Str("AIR")), lit(tInt, 1), lit(tInt, 0)), lit(tInt, 0)),
	} {
		p := compile(t, e)
		run := func() {
			if _, err := p.Filter(batch); err != nil {
				panic(err)
			}
		}
		run()
		require.LessOrEqual(t, testing.AllocsPerRun(50, run), 0.0, e.String())
	}
}

func TestVolatileFunctionsDifferByRow(t *testing.T) {
	for _, name := range []string{"uuid", "rand"} {
		v, err := compile(t, call(name)).Eval(vector.NewBatch(50))
		require.NoError(t, err)
		seen := map[any]bool{}
		for _, x := range values(v) {
			seen[x] = true
		}
		require.Len(t, seen, 50)
		require.True(t, IsVolatile(call("=", call(name), call(name))))
	}
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

func TestUncastOperandsAreRefused(t *testing.T) {
	for _, e := range []expr.Expr{
		expr.Compare("=", col(0, tInt), col(1, tBigInt)),
		expr.Compare("<", col(0, types.DecimalOf(5, 2)), col(1, types.DecimalOf(5, 1))),
		expr.Compare("<", col(0, types.DecimalOf(5, 2)), col(1, tBigInt)),
		&expr.Call{Name: "in", Args: []expr.Expr{col(0, tInt), lit(tString, "x")}, T: tBool},
		&expr.Case{Whens: []expr.When{{Condition: col(0, tBool), Result: lit(tString, "x")}}, T: tInt},
	} {
		_, err := Compile(e, nil)
		require.ErrorIs(t, err, ErrTypeMismatch, e.String())
	}
}

// TestProgramsShareNothing compiles the same expressions in several goroutines,
// which the race detector watches.
func TestProgramsShareNothing(t *testing.T) {
	exprs := []expr.Expr{
		call("like", col(0, tString), expr.Str("a%")), call("regexp_replace", col(0, tString), expr.Str("a"), expr.Str("b")),
		call("date_format", lit(tTimestamp, 0), expr.Str("yyyy")), call("+", call("length", col(0, tString)), lit(tInt, 1)), call("in", col(0, tString), expr.Str("ab")),
	}
	done := make(chan error)
	for range 4 {
		go func() {
			set, err := CompileSet(exprs, testEnv)
			for n := 1; n < 50 && err == nil; n++ {
				_, err = set.Eval(vector.NewBatch(n, randomColumn(rand.New(rand.NewSource(int64(n))), tString, n, true)))
			}
			done <- err
		}()
	}
	for range 4 {
		require.NoError(t, <-done)
	}
}

// TestSharedBytesAreNotWritten cuts empty strings out of a buffer with room
// behind them, which a later batch must not append to.
func TestSharedBytesAreNotWritten(t *testing.T) {
	buffer := []byte("secret")
	empty := vector.New(tString, 2)
	clear(empty.Views)
	empty.Data = buffer[:0]
	p := compile(t, call("substring", col(0, tString), lit(tInt, 1), lit(tInt, 1)))
	_, err := p.Eval(vector.NewBatch(2, empty))
	require.NoError(t, err)
	wide := constantVector(tString, "xyz")
	wide.Len = 2
	for _, e := range []expr.Expr{call("trim", col(0, tString)), call("upper", call("trim", col(0, tString)))} {
		p := compile(t, e)
		_, err = p.Eval(vector.NewBatch(2, empty))
		require.NoError(t, err)
		_, err = p.Eval(vector.NewBatch(2, wide))
		require.NoError(t, err)
	}
	require.Equal(t, "secret", string(buffer))
}
