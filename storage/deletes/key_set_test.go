package deletes_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage/deletes"
)

// TestKeySetAgainstMap compares with a map, for keys of one and of two columns
// and vectors of every form.
func TestKeySetAgainstMap(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for name, kinds := range map[string][]types.Type{
		"BIGINT": {types.Of(types.BigInt)}, "INT": {types.Of(types.Int)}, "STRING": {types.Of(types.String)},
		"two columns": {types.Of(types.BigInt), types.Of(types.String)},
	} {
		set, model := deletes.NewKeySet(kinds, 0), map[string]int64{}
		for sequence := int64(1); sequence <= 20; sequence++ {
			b := randomKeys(r, kinds, 200)
			set.Add(b, sequence)
			for i := range b.Rows() {
				model[keyText(b, b.Row(i))] = sequence
			}
		}
		require.Equal(t, len(model), set.Len(), name)
		require.Positive(t, set.SizeBytes())
		all := randomKeys(r, kinds, 20)
		all.Sel = nil
		set.Add(all, 30)
		require.Equal(t, vector.Selection{}, set.Keep(all, 29, nil), "no row stays")
		for i := range all.Len {
			model[keyText(all, i)] = 30
		}
		for range 50 {
			b := randomKeys(r, kinds, 300)
			b.Sel = nil
			sequence := r.Int64N(22)
			kept := set.Keep(b, sequence, nil)
			for i := range b.Len {
				stays := model[keyText(b, i)] <= sequence
				if stays {
					require.EqualValues(t, i, kept[0], name)
					kept = kept[1:]
				}
			}
			require.Empty(t, kept)
		}
	}
}

// randomKeys gives rows with NULLs, some of them selected.
func randomKeys(r *rand.Rand, kinds []types.Type, n int) *vector.Batch {
	b := vector.NewBatch(n)
	for _, t := range kinds {
		values := vector.NewBuilder(t, n)
		for range n {
			switch x := r.Int64N(300); {
			case x%10 == 0:
				values.AppendNull()
			case t.Kind == types.String:
				values.AppendValue(fmt.Sprint("k", x))
			default:
				values.AppendInt64(x - 100)
			}
		}
		v := values.Vector()
		if r.IntN(2) == 0 {
			codes := make([]int32, n)
			valid := vector.NewBitmap(n)
			for i := range codes {
				codes[i] = r.Int32N(20)
				if !v.IsNull(int(codes[i])) {
					valid.Set(i)
				}
			}
			dict := v.Slice(0, 20)
			dict.Valid = nil
			v = vector.NewDictionary(dict, codes, valid)
		}
		b.Columns = append(b.Columns, v)
	}
	for i := range n {
		if r.IntN(2) == 0 {
			b.Sel = append(b.Sel, int32(i))
		}
	}
	return b
}

func keyText(b *vector.Batch, row int) string {
	text := ""
	for _, c := range b.Columns {
		text += fmt.Sprint(c.Value(row), "|")
	}
	return text
}

// TestKeySetOfNumbers looks numbers up that are all there, as in a key column
// that is never NULL.
func TestKeySetOfNumbers(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{1, 100, 5000} {
		for _, room := range []int{0, n} {
			set, model := deletes.NewKeySet([]types.Type{types.Of(types.BigInt)}, room), map[int64]int64{}
			numbers := func(sequence int64) *vector.Batch {
				v := vector.New(types.Of(types.BigInt), n)
				for i := range n {
					v.Int64s[i] = r.Int64N(int64(3*n)) - int64(n)
					model[v.Int64s[i]] = max(model[v.Int64s[i]], sequence)
				}
				return vector.NewBatch(n, v)
			}
			set.Add(numbers(5), 5)
			set.Add(numbers(7), 7)
			looked := numbers(0)
			for _, sequence := range []int64{0, 5, 6, 7} {
				want := vector.Selection{}
				for i, key := range looked.Columns[0].Int64s {
					if model[key] <= sequence {
						want = append(want, int32(i))
					}
				}
				require.Equal(t, want, set.Keep(looked, sequence, nil))
			}
		}
	}
}
