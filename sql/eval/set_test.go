package eval

import (
	"math/rand"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// TestSetAgreesWithPrograms shares subexpressions at the top, inside others and
// behind conditions, and compares with programs of their own.
func TestSetAgreesWithPrograms(t *testing.T) {
	money := types.DecimalOf(15, 2)
	a, b := col(0, money), col(1, money)
	price := call("*", a, call("-", expr.Int(1), b))
	quotient := call("/", a, b)
	s := col(2, tString)
	word := call("||", s, call("upper", s))
	safe := call("if", call("=", b, lit(tInt, 0)), expr.Null(quotient.Type()), quotient)
	exprs := []expr.Expr{
		price, call("*", price, call("+", expr.Int(1), b)), call("coalesce", price, expr.Null(price.Type())), safe,
		call("and", call(">", b, lit(tInt, 0)), call(">", quotient, lit(tInt, 1))), call("coalesce", safe, quotient),
		word, call("length", word), call("=", word, expr.Str("aA")), call("upper", s), call("if", call("<", a, b), call("||", word, word), word),
	}
	set, err := CompileSet(exprs, testEnv)
	require.NoError(t, err)
	alone := make([]*Program, len(exprs))
	for i, e := range exprs {
		alone[i] = compile(t, e)
	}
	rng := rand.New(rand.NewSource(1))
	evaluated := 0
	for range 300 {
		n := 1 + rng.Intn(90)
		batch := vector.NewBatch(n, randomColumn(rng, money, n, true), randomColumn(rng, money, n, false), randomColumn(rng, tString, n, rng.Intn(2) == 0))
		batch.Sel = randomSelection(rng, n)
		got, err := set.Eval(batch)
		var want []*vector.Vector
		var wantErr error
		for _, p := range alone {
			v, err := p.Eval(batch)
			want = append(want, v)
			if err != nil {
				wantErr = err
			}
		}
		if wantErr != nil {
			require.ErrorIs(t, err, ErrInvalidValue)
			continue
		}
		require.NoError(t, err)
		evaluated++
		for i := range exprs {
			for k := range batch.Rows() {
				row := batch.Row(k)
				require.Equal(t, want[i].Value(row), got[i].Value(row), "%s, row %d", exprs[i], row)
			}
		}
	}
	require.Greater(t, evaluated, 50)
}

func TestSharedExpressionsAreTheSame(t *testing.T) {
	x, y := &expr.Column{Index: 0, Name: "x", T: tInt}, &expr.Column{Index: 1, Name: "x", T: tInt}
	a, b := call("+", call("-", x, x), y), call("+", call("-", x, y), y)
	require.Equal(t, a.String(), b.String())
	require.NotEqual(t, shareKey(a), shareKey(b))
	set, err := CompileSet([]expr.Expr{a, a, b, b}, nil)
	require.NoError(t, err)
	got, err := set.Eval(vector.NewBatch(1, vec(tInt, 10), vec(tInt, 3)))
	require.NoError(t, err)
	require.Equal(t, []any{int64(3), int64(3), int64(10), int64(10)}, []any{got[0].Value(0), got[1].Value(0), got[2].Value(0), got[3].Value(0)})
}

func BenchmarkSharedPrices(b *testing.B) {
	batch, money := moneyBatch()
	price := call("*", col(0, money), call("-", expr.Int(1), col(1, money)))
	set, err := CompileSet([]expr.Expr{price, call("*", price, call("+", expr.Int(1), col(2, money)))}, nil)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	b.SetBytes(int64(batch.Len))
	for b.Loop() {
		if _, err := set.Eval(batch); err != nil {
			b.Fatal(err)
		}
	}
}
