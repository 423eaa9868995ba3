package eval

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// randomWindow divides n rows into partitions and gives frames of a kind.
func randomWindow(r *rand.Rand, n int, frame func(i, start, end int32) (from, to int32)) *WindowRows {
	w := &WindowRows{Len: n, From: make([]int32, n), To: make([]int32, n)}
	for i := int32(0); int(i) < n; {
		end := min(i+1+r.Int32N(int32(n)), int32(n))
		w.Partitions = append(w.Partitions, i)
		for row := i; row < end; row++ {
			from, to := frame(row, i, end)
			w.From[row] = min(max(from, i), end)
			w.To[row] = max(min(max(to, i), end), w.From[row])
		}
		i = end
	}
	w.Partitions = append(w.Partitions, int32(n))
	return w
}

// TestComputeWindow compares running and sliding frames, wide and narrow, with
// the aggregate of each frame by itself.
func TestComputeWindow(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	frames := map[string]func(i, start, end int32) (int32, int32){
		"running": func(i, start, _ int32) (int32, int32) { return start, i + 1 },
		"ahead":   func(i, start, _ int32) (int32, int32) { return start, i + 300 },
		"behind":  func(i, start, _ int32) (int32, int32) { return start, i - 2 },
		"narrow":  func(i, _, _ int32) (int32, int32) { return i - 1, i + 2 },
		"wide":    func(i, _, _ int32) (int32, int32) { return i - 700, i + 1500 },
		"rest":    func(i, _, end int32) (int32, int32) { return i, end },
		"any":     func(_, _, end int32) (int32, int32) { return r.Int32N(end), r.Int32N(end + 1) },
	}
	for name, frame := range frames {
		for _, n := range []int{1, 2, 40, 3000} {
			rows := randomWindow(r, n, frame)
			var sel vector.Selection
			if n%3 > 0 {
				sel = vector.Selection{}
				for i := range int32(n) {
					if r.IntN(4) > 0 {
						sel = append(sel, i)
					}
				}
			}
			for _, a := range windowAggregates(t) {
				checkFrames(t, fmt.Sprint(name, " ", n, " ", a), a, rows, sel, r)
			}
		}
	}
}

// windowAggregates are calls over columns of a type each.
func windowAggregates(t *testing.T) []*Aggregate {
	var out []*Aggregate
	column := func(i int, t types.Type) expr.Expr { return &expr.Column{Index: i, Name: "c", T: t, MayBeNull: true} }
	add := func(name string, ts ...types.Type) {
		var args []expr.Expr
		for i, at := range ts {
			args = append(args, column(i, at))
		}
		a, err := ResolveAggregate(name, args, false)
		require.NoError(t, err)
		out = append(out, a)
	}
	whole, big, double, text, wide := types.Of(types.Int), types.Of(types.BigInt), types.Of(types.Double), types.Of(types.String), types.DecimalOf(38, 2)
	add("count")
	for _, of := range []types.Type{whole, big, double, wide} {
		for _, name := range []string{"sum", "avg", "min", "max", "count"} {
			add(name, of)
		}
	}
	for _, name := range []string{"min", "max", "last", "first", "approx_count_distinct"} {
		add(name, text)
	}
	add("max_by", text, whole)
	add("count_if", types.Of(types.Boolean))
	add("bool_and", types.Of(types.Boolean))
	add("bit_xor", whole)
	add("variance", double)
	return out
}

func checkFrames(t *testing.T, name string, a *Aggregate, rows *WindowRows, sel vector.Selection, r *rand.Rand) {
	var args []*vector.Vector
	for _, e := range a.Args {
		b := vector.NewBuilder(e.Type(), rows.Len)
		for range rows.Len {
			b.AppendValue(windowValue(r, e.Type()))
		}
		args = append(args, b.Vector())
	}
	got, err := a.ComputeWindow(context.Background(), rows, args, sel)
	require.NoError(t, err, name)
	require.Equal(t, rows.Len, got.Len, name)
	counted := copySelection(sel, make(vector.Selection, rows.Len))
	for _, i := range append([]int{0, rows.Len - 1}, r.Perm(rows.Len)[:min(rows.Len, 20)]...) {
		lo, _ := slices.BinarySearch(counted, rows.From[i])
		hi, _ := slices.BinarySearch(counted, rows.To[i])
		state := a.NewState()
		state.Grow(1)
		require.NoError(t, state.Update(args, counted[lo:hi:hi], rows.Len, nil), name)
		want, err := state.Result(0, 1)
		require.NoError(t, err, name)
		if w, ok := want.Value(0).(float64); ok && w == w {
			require.InDelta(t, w, got.Value(i), 1e-9*max(1, w), "%s, row %d", name, i)
			continue
		}
		require.Equal(t, want.Value(0), got.Value(i), "%s, row %d: [%d, %d)", name, i, rows.From[i], rows.To[i])
	}
}

func windowValue(r *rand.Rand, t types.Type) any {
	if r.IntN(5) == 0 {
		return nil
	}
	n := int64(r.IntN(2000) - 1000)
	switch t.Kind {
	case types.Boolean:
		return n%7 > 0
	case types.String:
		return fmt.Sprint("s", n)
	case types.Double:
		return float64(n) / 4
	case types.Decimal:
		return types.Decimal128FromInt64(n * 1e15)
	}
	return n
}

// TestWideFramesOverflow: rows that are in no frame together may have a sum
// that no DECIMAL holds.
func TestWideFramesOverflow(t *testing.T) {
	column := &expr.Column{Name: "c", T: types.DecimalOf(38, 0)}
	a, err := ResolveAggregate("sum", []expr.Expr{column}, false)
	require.NoError(t, err)
	most, _, ok := types.ParseDecimal("99999999999999999999999999999999999999")
	require.True(t, ok)
	const n = 400
	v := vector.New(column.T, n)
	rows := randomWindow(rand.New(rand.NewPCG(1, 2)), n, func(i, _, _ int32) (int32, int32) { return i, i + 1 })
	for i := range n {
		v.Int128s[i] = most
	}
	rows.Partitions = []int32{0, 100, n} // one wide frame, of zeros
	for i := range 100 {
		v.Int128s[i], rows.From[i], rows.To[i] = types.Decimal128{}, 1, 90
	}
	got, err := a.ComputeWindow(context.Background(), rows, []*vector.Vector{v}, nil)
	require.NoError(t, err)
	require.Equal(t, types.Decimal128{}, got.Value(5))
	require.Equal(t, most, got.Value(n-1))
}

// TestComputeWindowCancelled: a cancelled context ends the computation of
// frames.
func TestComputeWindowCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	args := []*vector.Vector{vector.New(types.Of(types.Int), 10)}
	r := rand.New(rand.NewPCG(1, 2))
	for _, name := range []string{"sum", "last", "collect_set"} {
		a, err := ResolveAggregate(name, []expr.Expr{&expr.Column{T: args[0].Type}}, false)
		require.NoError(t, err)
		for _, frame := range []func(i, start, end int32) (int32, int32){
			func(i, start, _ int32) (int32, int32) { return start, i + 1 },
			func(i, _, _ int32) (int32, int32) { return i - 1, i + 1 },
		} {
			_, err = a.ComputeWindow(ctx, randomWindow(r, 10, frame), args, nil)
			require.ErrorIs(t, err, context.Canceled, name)
		}
	}
}
