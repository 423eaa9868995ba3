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

func BenchmarkCountDistinct(b *testing.B) {
	a, err := ResolveAggregate("count", []expr.Expr{col(0, tBigInt)}, true)
	if err != nil {
		b.Fatal(err)
	}
	v := vector.New(tBigInt, 1<<16)
	for i := range v.Int64s {
		v.Int64s[i] = int64(i) * 7919 % 50000
	}
	b.ReportAllocs()
	b.SetBytes(int64(v.Len))
	for b.Loop() {
		s := a.NewState()
		s.Grow(1)
		if err := s.Update([]*vector.Vector{v}, nil, v.Len, nil); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkYearOfDate(b *testing.B) {
	v := vector.New(tDate, vector.BatchRows)
	for i := range v.Int32s {
		v.Int32s[i] = int32(8000 + i)
	}
	benchEval(b, call("year", col(0, tDate)), vector.NewBatch(v.Len, v))
}

func BenchmarkSubstringAndCompare(b *testing.B) {
	v := vec(tString, "13-555-1234", "31-222-2222", "23-111-1111", "29-999-9999")
	codes := make([]int32, vector.BatchRows)
	for i := range codes {
		codes[i] = int32(i % 4)
	}
	flat := vector.NewDictionary(v, codes, nil).Flatten()
	benchFilter(b, call("in", call("substring", col(0, tString), lit(tInt, 1), lit(tInt, 2)), expr.Str("13"), expr.Str("31"), expr.Str("23")), vector.NewBatch(flat.Len, flat))
}

func BenchmarkCaseWhen(b *testing.B) {
	batch, money := moneyBatch()
	benchEval(b, call("if", call(">", col(1, money), lit(tInt, 5)), col(0, money), dec("0.00", 15, 2)), batch)
}

func BenchmarkMaxString(b *testing.B) {
	benchAggregate(b, "max", tString, vector.NewDictionary(vec(tString, "alpha", "beta", "gamma"), make([]int32, vector.BatchRows), nil).Flatten(), fourGroups())
}

func BenchmarkAvgDoubleGrouped(b *testing.B) {
	benchAggregate(b, "avg", tDouble, vector.New(tDouble, vector.BatchRows), fourGroups())
}
