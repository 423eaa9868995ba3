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

// randomValue draws from few values, so that comparisons meet equal ones, with
// the extremes among them.
func randomValue(rng *rand.Rand, t types.Type) any {
	switch t.Kind {
	case types.Boolean:
		return rng.Intn(2) == 0
	case types.TinyInt:
		return int64([]int64{-128, -1, 0, 1, 2, 3, 100, 127}[rng.Intn(8)])
	case types.Int, types.SmallInt:
		return int64([]int64{-5, -1, 0, 1, 2, 3, 7, 30000}[rng.Intn(8)])
	case types.BigInt:
		return []int64{math.MinInt64, -3, -1, 0, 1, 2, 1 << 40, math.MaxInt64}[rng.Intn(8)]
	case types.Float, types.Double:
		return []float64{math.Inf(-1), -1.5, math.Copysign(0, -1), 0, 1.5, 2, math.Inf(1), math.NaN()}[rng.Intn(8)]
	case types.Decimal:
		d := types.Decimal128FromInt64(rng.Int63n(2000) - 1000)
		if t.Precision > 18 && rng.Intn(3) == 0 {
			d, _ = d.Mul(types.Pow10(int(t.Precision) - 5))
		}
		return d
	case types.String:
		return []string{"", "a", "ab", "abc", "b%", "äb", "12", "2024-02-29"}[rng.Intn(8)]
	case types.Date:
		return int64(rng.Intn(40000) - 5000)
	case types.Timestamp:
		return rng.Int63n(1<<51) - 1<<49
	case types.IntervalKind:
		return types.Interval{Months: int32(rng.Intn(5)), Days: int32(rng.Intn(40)), Micros: rng.Int63n(1000)}
	case types.Array:
		out := make([]any, rng.Intn(4))
		for i := range out {
			if rng.Intn(4) > 0 {
				out[i] = randomValue(rng, t.Elem.Type)
			}
		}
		return out
	case types.Map:
		out := []vector.MapEntry{}
		for k := range rng.Intn(3) {
			out = append(out, vector.MapEntry{Key: []string{"a", "b", "c"}[k], Value: randomValue(rng, t.Elem.Type)})
		}
		return out
	case types.Struct:
		out := make([]any, len(t.Fields))
		for i, f := range t.Fields {
			if rng.Intn(4) > 0 {
				out[i] = randomValue(rng, f.Type)
			}
		}
		return out
	}
	panic(t.String())
}

// randomColumn makes a column of n rows in a random form.
func randomColumn(rng *rand.Rand, t types.Type, n int, nulls bool) *vector.Vector {
	value := func() any {
		if nulls && rng.Intn(4) == 0 {
			return nil
		}
		return randomValue(rng, t)
	}
	build := func(n int) *vector.Vector {
		b := vector.NewBuilder(t, n)
		for range n {
			b.AppendValue(value())
		}
		return b.Vector()
	}
	switch rng.Intn(4) {
	case 0:
		v := constantVector(t, value())
		v.Len = n
		return v
	case 1:
		codes := make([]int32, n)
		for i := range codes {
			codes[i] = int32(rng.Intn(5))
		}
		var valid vector.Bitmap
		if nulls && rng.Intn(2) == 0 {
			valid = vector.NewValidBitmap(n)
			for i := range n {
				if rng.Intn(4) == 0 {
					valid.Clear(i)
				}
			}
		}
		return vector.NewDictionary(build(5), codes, valid)
	}
	return build(n)
}

func randomSelection(rng *rand.Rand, n int) vector.Selection {
	if rng.Intn(3) == 0 {
		return nil
	}
	sel := vector.Selection{}
	keep := []int{1, 2, 10}[rng.Intn(3)]
	for i := range n {
		if rng.Intn(10) < keep || rng.Intn(20) == 0 {
			sel = append(sel, int32(i))
		}
	}
	return sel
}

// metamorphicCalls are expressions over columns a, b and c of the given types.
func metamorphicCalls() map[string][]expr.Expr {
	money, wide := types.DecimalOf(15, 2), types.DecimalOf(30, 4)
	out := map[string][]expr.Expr{}
	add := func(group string, e expr.Expr) { out[group] = append(out[group], e) }
	for _, t := range []types.Type{tBool, types.Of(types.TinyInt), tInt, tBigInt, types.Of(types.Float), tDouble, money, wide, tString, tDate, tTimestamp, types.ArrayOf(tInt, true)} {
		for _, op := range []string{"=", "<>", "<", "<=", ">", ">=", "<=>"} {
			add("compare "+t.String(), call(op, col(0, t), col(1, t)))
			rng := rand.New(rand.NewSource(3))
			add("compare "+t.String(), call(op, col(0, t), &expr.Literal{T: t, Value: randomValue(rng, t)}))
			add("compare "+t.String(), call(op, &expr.Literal{T: t, Value: randomValue(rng, t)}, col(0, t)))
		}
		rng := rand.New(rand.NewSource(4))
		list := []expr.Expr{col(0, t)}
		for range 3 {
			list = append(list, &expr.Literal{T: t, Value: randomValue(rng, t)})
		}
		add("in "+t.String(), call("in", list...))
		add("in "+t.String(), call("in", append(list, expr.Null(t))...))
		add("in "+t.String(), call("in", append(list, col(1, t))...))
		add("null "+t.String(), call("is_null", col(0, t)))
		add("null "+t.String(), call("coalesce", col(0, t), col(1, t)))
		add("null "+t.String(), call("coalesce", col(0, t), list[1]))
		add("null "+t.String(), call("nullif", col(0, t), col(1, t)))
		add("null "+t.String(), call("greatest", col(0, t), col(1, t)))
		add("null "+t.String(), call("if", call("=", col(0, t), col(1, t)), col(1, t), list[2]))
		add("text "+t.String(), must(NewCast(col(0, t), tString, false)))
		if t.Kind != types.Array {
			add("hash "+t.String(), call("xxhash64", col(0, t), col(1, t)))
		}
	}
	for _, t := range []types.Type{types.Of(types.TinyInt), tInt, tBigInt, types.Of(types.Float), tDouble, money, wide} {
		for _, op := range []string{"+", "-", "*", "/", "%", "try_add", "try_divide", "try_multiply"} {
			add("arithmetic "+t.String(), call(op, col(0, t), col(1, t)))
			add("arithmetic "+t.String(), call(op, col(0, t), lit(tInt, 3)))
			add("arithmetic "+t.String(), call(op, lit(tInt, 3), col(0, t)))
		}
		add("arithmetic "+t.String(), call("negate", col(0, t)))
		add("arithmetic "+t.String(), call("abs", col(0, t)))
		for _, u := range []types.Type{types.Of(types.TinyInt), tInt, tBigInt, types.Of(types.Float), tDouble, money, wide, tBool, types.DecimalOf(4, 1)} {
			add("cast "+t.String(), must(NewCast(col(0, t), u, true)))
			add("cast "+t.String(), must(NewCast(col(0, t), u, false)))
		}
	}
	a, b := col(0, tBool), col(1, tBool)
	for _, e := range []expr.Expr{call("and", a, b), call("or", a, b), call("not", call("and", a, call("not", b))), call("and", a, call("or", b, col(2, tBool)))} {
		add("logic", e)
	}
	s := col(0, tString)
	for _, e := range []expr.Expr{call("like", s, expr.Str("a%")), call("like", s, col(1, tString)), call("upper", s), call("substring", s, lit(tInt, 2)), call("substring", s, lit(tInt, -2), lit(tInt, 1)),
		call("||", s, col(1, tString)), call("length", s), call("reverse", s), call("trim", s, expr.Str("a")), call("lpad", s, lit(tInt, 4), expr.Str("xy")), call("regexp_replace", s, expr.Str("(a)"), expr.Str("<$1>")),
		must(NewCast(s, tInt, true)), must(NewCast(s, tInt, false)), must(NewCast(s, tDate, true)), call("split", s, expr.Str("b")), call("concat_ws", expr.Str("-"), s, col(1, tString)), call("in", call("upper", s), expr.Str("A"), expr.Str("AB"))} {
		add("string", e)
	}
	d, ts := col(0, tDate), col(0, tTimestamp)
	for _, e := range []expr.Expr{call("year", d), call("month", ts), call("weekofyear", d), call("date_trunc", expr.Str("month"), ts), call("last_day", d), call("date_format", ts, expr.Str("yyyy-MM-dd HH:mm")),
		call("+", d, lit(types.Of(types.IntervalKind), types.Interval{Months: 1})), call("-", ts, lit(types.Of(types.IntervalKind), types.Interval{Days: 3, Micros: 5})), call("-", d, col(1, tDate)),
		call("add_months", d, lit(tInt, 5)), must(NewCast(ts, tDate, false)), must(NewCast(d, tTimestamp, false)), call("<", ts, call("date_trunc", expr.Str("year"), ts))} {
		add("time", e)
	}
	addNestedCalls(add)
	return out
}

// addNestedCalls adds expressions over lists, maps and structs.
func addNestedCalls(add func(group string, e expr.Expr)) {
	arr := types.ArrayOf(tInt, true)
	for _, e := range []expr.Expr{call("size", col(0, arr)), call("array_contains", col(0, arr), lit(tInt, 3)), call("try_element_at", col(0, arr), lit(tInt, -1)), call("element_at", col(0, arr), lit(tInt, 1)), call("sort_array", col(0, arr)),
		must(NewCast(col(0, arr), types.ArrayOf(tString, true), false)), call("array", col(0, arr), col(1, arr)), call("struct_field", call("struct", col(0, arr), col(1, arr)), lit(tInt, 1))} {
		add("nested", e)
	}
	m := types.MapOf(tString, tInt, true)
	st := types.StructOf(types.Field{Name: "x", Type: tInt, Nullable: true}, types.Field{Name: "y", Type: arr, Nullable: true})
	cond := call("=", col(1, tInt), lit(tInt, 1))
	for _, e := range []expr.Expr{call("map_keys", col(0, m)), call("map_values", col(0, m)), call("element_at", col(0, m), expr.Str("a")), call("map_contains_key", col(0, m), expr.Str("b")), call("size", col(0, m)), must(NewCast(col(0, m), tString, false)),
		must(NewCast(col(0, m), types.MapOf(tString, tDouble, true), false)), call("struct_field", col(0, st), lit(tInt, 0)), call("struct_field", col(0, st), lit(tInt, 1)), call("size", call("struct_field", col(0, st), lit(tInt, 1))), must(NewCast(col(0, st), tString, false)),
		call("is_null", call("struct_field", col(0, st), lit(tInt, 0))), call("=", col(0, st), col(2, st)), call("if", cond, col(0, st), col(2, st)), call("coalesce", col(0, m), col(2, m)), call("+", call("struct_field", col(0, st), lit(tInt, 0)), lit(tInt, 1)),
		call("to_json", col(0, st)), call("hash", col(0, st)), call("array_append", col(2, arr), col(1, tInt)), call("map_entries", col(0, m)), call("greatest", col(2, arr), col(2, arr)),
		call("array_field", col(0, types.ArrayOf(st, true)), lit(tInt, 0)), call("array_field", call("array", col(0, st), col(2, st)), lit(tInt, 1)), call("map_from_arrays", col(2, arr), col(2, arr)), call("array_sort", col(2, arr)),
		call("array_join", col(2, arr), expr.Str("-"), expr.Str("?"))} {
		add("map and struct", e)
	}
}

// TestFormsAgreeWithSingleRows computes expressions over columns of every form,
// with and without NULLs and selections, and compares each row with the
// expression of that row's values alone.
func TestFormsAgreeWithSingleRows(t *testing.T) {
	for group, exprs := range metamorphicCalls() {
		t.Run(group, func(t *testing.T) {
			for n, e := range exprs {
				for seed := range int64(12) {
					checkForms(t, e, int64(n)*100+seed)
				}
			}
		})
	}
}

func checkForms(t *testing.T, e expr.Expr, seed int64) {
	rng := rand.New(rand.NewSource(seed))
	n := []int{1, 7, 70, 130}[rng.Intn(4)]
	program := compile(t, e)
	for range 3 { // the same Program over several batches
		batch := vector.NewBatch(n)
		for i := range 3 {
			ct := tBool
			for _, c := range expr.Columns(e) {
				if c.Index == i {
					ct = c.T
				}
			}
			batch.Columns = append(batch.Columns, randomColumn(rng, ct, n, rng.Intn(2) == 0))
		}
		batch.Sel = randomSelection(rng, n)
		want, wantErr := rowByRow(e, batch)
		where := func() string { return fmt.Sprintf("%s, seed %d, %d rows, selection %v", e, seed, n, batch.Sel) }
		got, err := program.Eval(batch)
		if wantErr {
			require.ErrorIs(t, err, ErrInvalidValue, where())
			continue
		}
		require.NoError(t, err, where())
		require.Equal(t, n, got.Len, where())
		var trueRows vector.Selection
		for k := range batch.Rows() {
			i := batch.Row(k)
			require.Equal(t, printed(e.Type(), want[i]), printed(e.Type(), got.Value(i)), "%s: row %d", where(), i)
			if want[i] == true {
				trueRows = append(trueRows, int32(i))
			}
		}
		if e.Type().Kind == types.Boolean {
			sel, err := program.Filter(batch)
			require.NoError(t, err)
			require.Equal(t, fmt.Sprint(trueRows), fmt.Sprint(sel), where())
		}
	}
}

func printed(t types.Type, v any) string {
	if v == nil {
		return "NULL"
	}
	return string(appendText(nil, t, v, testEnv.zone()))
}

// rowByRow evaluates e for each selected row with its values as literals.
func rowByRow(e expr.Expr, b *vector.Batch) (want map[int]any, failed bool) {
	want = map[int]any{}
	for k := range b.Rows() {
		i := b.Row(k)
		row := expr.Rewrite(e, func(n expr.Expr) expr.Expr {
			c, ok := n.(*expr.Column)
			if !ok {
				return n
			}
			return &expr.Literal{T: c.T, Value: b.Columns[c.Index].Value(i)}
		})
		v, err := EvalConstant(row, testEnv)
		if err != nil {
			failed = true
		}
		want[i] = v
	}
	return want, failed
}

// metamorphicTargets are the types that a string can be cast to.
func metamorphicTargets() []types.Type {
	return []types.Type{types.Of(types.TinyInt), tInt, tBigInt, types.Of(types.Float), tDouble, types.DecimalOf(10, 2), types.DecimalOf(38, 18), tBool, tDate, tTimestamp,
		types.Of(types.TimestampNTZ), types.Of(types.TimestampNS), types.Of(types.Time), types.Of(types.UUID), tBinary}
}
