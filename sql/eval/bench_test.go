package eval

import (
	"testing"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

func moneyBatch() (*vector.Batch, types.Type) {
	money := types.DecimalOf(15, 2)
	a, b, c := vector.New(money, vector.BatchRows), vector.New(money, vector.BatchRows), vector.New(money, vector.BatchRows)
	for i := range a.Int64s {
		a.Int64s[i], b.Int64s[i], c.Int64s[i] = int64(i*7919%1000000), int64(i%11), int64(i%9)
	}
	return vector.NewBatch(vector.BatchRows, a, b, c), money
}

func benchEval(b *testing.B, e expr.Expr, batch *vector.Batch) {
	p, err := Compile(e, nil)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	b.SetBytes(int64(batch.Len))
	for b.Loop() {
		if _, err := p.Eval(batch); err != nil {
			b.Fatal(err)
		}
	}
}

func benchFilter(b *testing.B, e expr.Expr, batch *vector.Batch) {
	p, err := Compile(e, nil)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	b.SetBytes(int64(batch.Len))
	for b.Loop() {
		if _, err := p.Filter(batch); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDiscountedPrice(b *testing.B) {
	batch, money := moneyBatch()
	benchEval(b, call("*", col(0, money), call("-", expr.Int(1), col(1, money))), batch)
}

func BenchmarkCharge(b *testing.B) {
	batch, money := moneyBatch()
	price := call("*", col(0, money), call("-", expr.Int(1), col(1, money)))
	benchEval(b, call("*", price, call("+", expr.Int(1), col(2, money))), batch)
}

func BenchmarkDoubleProduct(b *testing.B) {
	x := vector.New(tDouble, vector.BatchRows)
	benchEval(b, call("*", col(0, tDouble), call("+", col(0, tDouble), lit(tDouble, 1.5))), vector.NewBatch(x.Len, x))
}

func BenchmarkFilterRange(b *testing.B) {
	batch, money := moneyBatch()
	benchFilter(b, call("and", call(">=", col(1, money), dec("0.05", 2, 2)), call("<", col(0, money), expr.Int(5000))), batch)
}

func BenchmarkFilterDictionaryLike(b *testing.B) {
	dict := vec(tString, "PROMO BRUSHED", "STANDARD TIN", "SMALL PLATED", "PROMO TIN")
	codes := make([]int32, vector.BatchRows)
	for i := range codes {
		codes[i] = int32(i % 4)
	}
	benchFilter(b, call("like", col(0, tString), expr.Str("PROMO%")), vector.NewBatch(len(codes), vector.NewDictionary(dict, codes, nil)))
}

func BenchmarkFilterFlatLike(b *testing.B) {
	dict := vec(tString, "the special packages requests sleep", "carefully final requests", "x", "about the slyly special furious requests")
	codes := make([]int32, vector.BatchRows)
	for i := range codes {
		codes[i] = int32(i % 4)
	}
	benchFilter(b, call("like", col(0, tString), expr.Str("%special%requests%")), vector.NewBatch(len(codes), vector.NewDictionary(dict, codes, nil).Flatten()))
}

func benchAggregate(b *testing.B, name string, t types.Type, v *vector.Vector, groups []int32) {
	a, err := ResolveAggregate(name, []expr.Expr{col(0, t)}, false)
	if err != nil {
		b.Fatal(err)
	}
	s := a.NewState()
	s.Grow(16)
	args := []*vector.Vector{v}
	b.ReportAllocs()
	b.SetBytes(int64(v.Len))
	for b.Loop() {
		if err := s.Update(args, nil, v.Len, groups); err != nil {
			b.Fatal(err)
		}
	}
}

func fourGroups() []int32 {
	groups := make([]int32, vector.BatchRows)
	for i := range groups {
		groups[i] = int32(i * 7 % 4)
	}
	return groups
}

func BenchmarkSumDecimal(b *testing.B) {
	batch, money := moneyBatch()
	benchAggregate(b, "sum", money, batch.Columns[0], nil)
}

func BenchmarkSumDecimalGrouped(b *testing.B) {
	batch, money := moneyBatch()
	benchAggregate(b, "sum", money, batch.Columns[0], fourGroups())
}

func BenchmarkSumWideDecimalGrouped(b *testing.B) {
	t := types.DecimalOf(32, 4)
	benchAggregate(b, "sum", t, vector.New(t, vector.BatchRows), fourGroups())
}

func BenchmarkMaxBigInt(b *testing.B) {
	benchAggregate(b, "max", tBigInt, vector.New(tBigInt, vector.BatchRows), nil)
}
