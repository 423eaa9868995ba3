package exec

import (
	"fmt"
	"math"
	"math/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// keyTypes are the types that keys can have, with a few values each.
var keyTypes = []struct {
	t      types.Type
	values []any
}{
	{types.Of(types.Boolean), []any{nil, true, false}},
	{types.Of(types.Int), []any{nil, int64(0), int64(-1), int64(7)}},
	{types.Of(types.BigInt), []any{nil, int64(0), int64(math.MinInt64), int64(7)}},
	{types.DecimalOf(10, 2), []any{nil, types.Decimal128FromInt64(5), types.Decimal128FromInt64(-5)}},
	{types.DecimalOf(38, 2), []any{nil, types.Decimal128{Hi: 1, Lo: 5}, types.Decimal128{Hi: -1, Lo: 5}, types.Decimal128{Lo: 5}}},
	{types.Of(types.Double), []any{nil, 0.0, math.Copysign(0, -1), math.NaN(), 1.5}},
	{types.Of(types.Float), []any{nil, 0.0, 1.5}},
	{types.Of(types.String), []any{nil, "", "a", "b", "longer than the others"}},
	{types.Of(types.Binary), []any{nil, []byte{}, []byte{0}}},
	{types.Of(types.IntervalKind), []any{nil, types.Interval{Days: 1}, types.Interval{Micros: types.MicrosPerDay}}},
	{types.ArrayOf(types.Of(types.String), true), []any{nil, []any{}, []any{nil}, []any{"a", "b"}, []any{"ab"}}},
	{types.StructOf(types.Field{Name: "x", Type: types.Of(types.Int), Nullable: true}), []any{nil, []any{nil}, []any{int64(1)}}},
}

// form gives v in a random form: flat, or as a dictionary, or if all rows are
// the same as a constant.
func form(rng *rand.Rand, v *vector.Vector) *vector.Vector {
	if rng.Intn(2) == 0 {
		return v
	}
	codes := make([]int32, v.Len)
	shuffled := rng.Perm(v.Len)
	sel := make(vector.Selection, v.Len)
	for code, row := range shuffled {
		sel[code] = int32(row)
		codes[row] = int32(code)
	}
	return vector.NewDictionary(v.Select(sel), codes, nil)
}

// keyText is equal for keys that SQL calls equal.
func keyText(columns []*vector.Vector, row int) string {
	parts := make([]string, len(columns))
	for i, c := range columns {
		v := c.Value(row)
		if v == 0.0 {
			v = 0.0 // -0.0 too
		}
		parts[i] = expr.FormatLiteral(c.Type, v)
	}
	return strings.Join(parts, "|")
}

// TestKeyTable compares numbering with a map, for random columns, forms and
// selections, and reads the keys back.
func TestKeyTable(t *testing.T) {
	for seed := range int64(400) {
		rng := rand.New(rand.NewSource(seed))
		width := 1 + rng.Intn(4)
		if seed%50 == 0 {
			width = 70 // more NULL bits than a word has
		}
		columns := make([]int, width)
		var ts []types.Type
		for i := range columns {
			columns[i] = rng.Intn(len(keyTypes))
			ts = append(ts, keyTypes[columns[i]].t)
		}
		table := newKeyTable(ts)
		want := map[string]int32{}
		for range 5 {
			n := 1 + rng.Intn(60)
			var batch []*vector.Vector
			for _, c := range columns {
				b := vector.NewBuilder(keyTypes[c].t, n)
				for range n {
					b.AppendValue(keyTypes[c].values[rng.Intn(len(keyTypes[c].values))])
				}
				batch = append(batch, form(rng, b.Vector()))
			}
			var sel vector.Selection
			if rng.Intn(2) == 0 {
				sel = vector.Selection{}
				for i := range n {
					if rng.Intn(3) > 0 {
						sel = append(sel, int32(i))
					}
				}
			}
			numbers := make([]int32, n)
			table.insert(batch, sel, n, numbers)
			eachRow(sel, n, func(_, i int) {
				key := keyText(batch, i)
				if _, ok := want[key]; !ok {
					want[key] = int32(len(want))
				}
				require.Equal(t, want[key], numbers[i], "seed %d: %s", seed, key)
			})
			found := make([]int32, n)
			table.reader().find(batch, sel, n, found)
			eachRow(sel, n, func(_, i int) {
				require.Equal(t, numbers[i], found[i], "seed %d", seed)
			})
		}
		require.Equal(t, len(want), table.len())
		if table.len() > 0 {
			keys := table.columnsOf(0, table.len())
			for k := range table.len() {
				require.Equal(t, int32(k), want[keyText(keys, k)], "seed %d: %s", seed, keyText(keys, k))
			}
		}
	}
}

func BenchmarkKeyTableInsert(b *testing.B) {
	for _, distinct := range []int{100, 100_000} {
		b.Run(fmt.Sprint(distinct), func(b *testing.B) {
			rng := rand.New(rand.NewSource(1))
			v := vector.New(types.Of(types.BigInt), vector.BatchRows)
			numbers := make([]int32, vector.BatchRows)
			table := newKeyTable([]types.Type{v.Type})
			b.SetBytes(8 * vector.BatchRows)
			for b.Loop() {
				for i := range v.Int64s {
					v.Int64s[i] = int64(rng.Intn(distinct))
				}
				table.insert([]*vector.Vector{v}, nil, v.Len, numbers)
			}
		})
	}
}
