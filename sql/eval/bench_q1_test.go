package eval

import (
	"testing"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/vector"
)

// BenchmarkPricingSummary is the work of a pricing summary per batch: a filter
// that nearly all rows pass, two computed columns and eight aggregates.
func BenchmarkPricingSummary(b *testing.B) {
	batch, money := moneyBatch()
	dates := vector.New(tDate, vector.BatchRows)
	for i := range dates.Int32s {
		dates.Int32s[i] = int32(i)
	}
	batch.Columns = append(batch.Columns, dates)
	filter, err := Compile(call("<=", col(3, tDate), &expr.Literal{T: tDate, Value: int64(2000)}), nil)
	if err != nil {
		b.Fatal(err)
	}
	price := call("*", col(0, money), call("-", expr.Int(1), col(1, money)))
	set, err := CompileSet([]expr.Expr{col(0, money), col(1, money), price, call("*", price, call("+", expr.Int(1), col(2, money)))}, nil)
	if err != nil {
		b.Fatal(err)
	}
	var states []AggregateState
	var args []int
	for _, a := range []struct {
		name string
		arg  int
	}{{"sum", 0}, {"sum", 1}, {"sum", 2}, {"sum", 3}, {"avg", 0}, {"avg", 1}, {"avg", 1}, {"count", 0}} {
		agg, err := ResolveAggregate(a.name, []expr.Expr{[]expr.Expr{col(0, money), col(1, money), price, call("*", price, call("+", expr.Int(1), col(2, money)))}[a.arg]}, false)
		if err != nil {
			b.Fatal(err)
		}
		s := agg.NewState()
		s.Grow(4)
		states, args = append(states, s), append(args, a.arg)
	}
	groups := fourGroups()
	b.ReportAllocs()
	b.SetBytes(vector.BatchRows)
	for b.Loop() {
		batch.Sel = nil
		if batch.Sel, err = filter.Filter(batch); err != nil {
			b.Fatal(err)
		}
		columns, err := set.Eval(batch)
		if err != nil {
			b.Fatal(err)
		}
		for i, s := range states {
			if err := s.Update([]*vector.Vector{columns[args[i]]}, batch.Sel, batch.Len, groups); err != nil {
				b.Fatal(err)
			}
		}
	}
}
