package parquet_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage/parquet"
)

func TestRoundTrip(t *testing.T) {
	codecs := []parquet.Codec{parquet.Snappy, parquet.Uncompressed, parquet.Zstd, parquet.Gzip, parquet.LZ4}
	for i := range 40 {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			r := rand.New(rand.NewPCG(uint64(i), 7))
			g := &generator{r: r, nulls: []float64{0, 0.1, 0.9, 1}[i%4], distinct: []int{3, 300, 1 << 40}[i%3]}
			schema := allSchema(g.nulls > 0)
			o := parquet.WriterOptions{Codec: codecs[i%len(codecs)], PageBytes: 64 << r.IntN(12), PageRows: 1 + r.IntN(3000), FieldIDs: true}
			o.RowGroupRows = 1 + r.Int64N(7000)
			var batches []*vector.Batch
			var want [][]any
			for range 1 + r.IntN(3) {
				b := asDictionaries(r, g.batch(schema, r.IntN(3000)))
				if r.IntN(2) == 0 {
					b.Sel = vector.Selection{}
					for k := range b.Len {
						if r.IntN(3) > 0 {
							b.Sel = append(b.Sel, int32(k))
						}
					}
				}
				batches = append(batches, b)
				want = append(want, batchRows(b)...)
			}
			file, _ := write(t, schema, o, batches...)
			f, err := openBytes(t, file)
			require.NoError(t, err)
			require.EqualValues(t, len(want), f.Rows())
			require.Equal(t, schema, f.Schema())
			equalRows(t, want, rows(t, f, parquet.ReadOptions{Columns: schema.Fields, ByID: i%2 == 0}))
		})
	}
}

// asDictionaries makes dictionary or constant vectors of some columns.
func asDictionaries(r *rand.Rand, b *vector.Batch) *vector.Batch {
	for i, v := range b.Columns {
		if b.Len == 0 || r.IntN(2) == 0 {
			continue
		}
		codes := make([]int32, b.Len)
		entries := 1 + r.IntN(b.Len)
		for k := range codes {
			codes[k] = int32(r.IntN(entries))
		}
		valid := vector.NewValidBitmap(b.Len)
		if v.MayHaveNulls() {
			valid.Clear(r.IntN(b.Len))
		}
		b.Columns[i] = vector.NewDictionary(v, codes, valid)
		if r.IntN(4) == 0 {
			constant := *v
			constant.Form = vector.Constant
			b.Columns[i] = &constant
		}
	}
	return b
}
