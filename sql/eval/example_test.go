package eval_test

import (
	"fmt"

	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

func Example() {
	price := &expr.Column{Index: 0, Name: "price", T: types.DecimalOf(15, 2)}
	discounted, err := eval.Resolve("*", []expr.Expr{price, &expr.Literal{T: types.DecimalOf(2, 1), Value: types.Decimal128FromInt64(9)}})
	if err != nil {
		fmt.Println(err)
		return
	}
	program, err := eval.Compile(discounted, &eval.Env{})
	if err != nil {
		fmt.Println(err)
		return
	}
	b := vector.NewBuilder(price.T, 2)
	b.AppendInt64(1000)
	b.AppendInt64(250)
	v, err := program.Eval(vector.NewBatch(2, b.Vector()))
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range v.Len {
		fmt.Println(expr.FormatLiteral(v.Type, v.Value(i)))
	}
	// Output:
	// 9.000
	// 2.250
}

func ExampleResolveAggregate() {
	x := &expr.Column{Index: 0, Name: "x", T: types.Of(types.BigInt), MayBeNull: true}
	sum, err := eval.ResolveAggregate("sum", []expr.Expr{x}, false)
	if err != nil {
		fmt.Println(err)
		return
	}
	b := vector.NewBuilder(x.T, 3)
	for _, v := range []int64{1, 10, 100} {
		b.AppendInt64(v)
	}
	state := sum.NewState()
	state.Grow(2)
	if err := state.Update([]*vector.Vector{b.Vector()}, nil, 3, []int32{0, 1, 0}); err != nil {
		fmt.Println(err)
		return
	}
	v, err := state.Result(0, 2)
	fmt.Println(sum, v.Value(0), v.Value(1), err)
	// Output: sum(x) 101 10 <nil>
}
