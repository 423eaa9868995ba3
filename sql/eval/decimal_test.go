package eval

import (
	"math/big"
	"math/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// randomDecimal draws a value of a type, often near its ends.
func randomDecimal(rng *rand.Rand, t types.Type) types.Decimal128 {
	digits := 1 + rng.Intn(int(t.Precision))
	limit := types.Pow10(digits).Big()
	v := new(big.Int).Rand(rng, limit)
	if rng.Intn(4) == 0 {
		v.Sub(limit, big.NewInt(1))
	}
	if rng.Intn(2) == 0 {
		v.Neg(v)
	}
	d, _ := types.Decimal128FromBig(v)
	return d
}

func ratOf(d types.Decimal128, scale uint8) *big.Rat {
	return new(big.Rat).SetFrac(d.Big(), types.Pow10(int(scale)).Big())
}

// exact computes op with rationals and rounds half away from zero to the
// type's scale; ok is false if the result does not fit it.
func exact(op string, x, y *big.Rat, t types.Type) (d types.Decimal128, ok bool) {
	r := new(big.Rat)
	switch op {
	case expr.OpAdd:
		r.Add(x, y)
	case expr.OpSubtract:
		r.Sub(x, y)
	case expr.OpMultiply:
		r.Mul(x, y)
	default:
		if y.Sign() == 0 {
			return d, false
		}
		r.Quo(x, y)
		if op == expr.OpModulo {
			whole := new(big.Int).Quo(r.Num(), r.Denom())
			if len(strings.Trim(whole.String(), "-0")) > types.MaxDecimalPrecision {
				return d, false
			}
			r.Sub(x, new(big.Rat).Mul(new(big.Rat).SetInt(whole), y))
		}
	}
	r.Mul(r, new(big.Rat).SetInt(types.Pow10(int(t.Scale)).Big()))
	half := big.NewRat(int64(r.Sign()), 2)
	r.Add(r, half)
	d, ok = types.Decimal128FromBig(new(big.Int).Quo(r.Num(), r.Denom()))
	return d, ok && d.FitsPrecision(int(t.Precision))
}

// TestDecimalsAgainstRationals compares batches of decimals of all widths with
// exact arithmetic.
func TestDecimalsAgainstRationals(t *testing.T) {
	rng := rand.New(rand.NewSource(5))
	for range 600 {
		p1, p2 := 1+rng.Intn(38), 1+rng.Intn(38)
		a, b := types.DecimalOf(p1, rng.Intn(p1+1)), types.DecimalOf(p2, rng.Intn(p2+1))
		const n = 24
		va, vb := vector.NewBuilder(a, n), vector.NewBuilder(b, n)
		var xs, ys []types.Decimal128
		for range n {
			x, y := randomDecimal(rng, a), randomDecimal(rng, b)
			xs, ys = append(xs, x), append(ys, y)
			va.AppendValue(x)
			vb.AppendValue(y)
		}
		for _, op := range []string{"+", "-", "*", "/", "%"} {
			e := call(op, col(0, a), col(1, b))
			p := compile(t, e)
			batch := vector.NewBatch(n, va.Vector(), vb.Vector())
			var good vector.Selection
			want := map[int]types.Decimal128{}
			for i := range n {
				d, ok := exact(op, ratOf(xs[i], a.Scale), ratOf(ys[i], b.Scale), e.Type())
				if ok {
					want[i] = d
					good = append(good, int32(i))
				}
			}
			_, err := p.Eval(batch)
			require.Equal(t, len(good) == n, err == nil, "%s: %v", e, err)
			batch.Sel = good
			if len(good) == 0 {
				continue
			}
			v, err := p.Eval(batch)
			require.NoError(t, err)
			for _, i := range good {
				require.Equal(t, want[int(i)], v.Value(int(i)), "%s %s %s: %s %s %s", a, op, b, xs[i].Format(int(a.Scale)), op, ys[i].Format(int(b.Scale)))
			}
		}
	}
}

// TestIntegersAgainstBig compares whole-number arithmetic with integers of any
// size.
func TestIntegersAgainstBig(t *testing.T) {
	rng := rand.New(rand.NewSource(6))
	for _, ty := range []types.Type{types.Of(types.TinyInt), types.Of(types.SmallInt), tInt, tBigInt} {
		lo, hi := ty.IntegerRange()
		draw := func() int64 {
			switch rng.Intn(4) {
			case 0:
				return lo + int64(rng.Intn(3))
			case 1:
				return hi - int64(rng.Intn(3))
			}
			return int64(rng.Intn(200) - 100)
		}
		for range 3000 {
			x, y := draw(), draw()
			for _, op := range []string{"+", "-", "*"} {
				want := new(big.Int)
				switch op {
				case "+":
					want.Add(big.NewInt(x), big.NewInt(y))
				case "-":
					want.Sub(big.NewInt(x), big.NewInt(y))
				case "*":
					want.Mul(big.NewInt(x), big.NewInt(y))
				}
				p := compile(t, call(op, col(0, ty), col(1, ty)))
				v, err := p.Eval(vector.NewBatch(3, vec(ty, 1, x, nil), vec(ty, 1, y, y)))
				if !want.IsInt64() || want.Int64() < lo || want.Int64() > hi {
					require.ErrorIs(t, err, ErrInvalidValue, "%d %s %d", x, op, y)
					continue
				}
				require.NoError(t, err)
				require.Equal(t, []any{v.Value(0), want.Int64(), nil}, values(v), "%d %s %d", x, op, y)
			}
		}
	}
}
