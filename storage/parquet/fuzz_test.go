package parquet_test

import (
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/parquet"
)

// requireTyped asks that an error of damaged input is one of those promised,
// and no panic that was caught.
func requireTyped(t testing.TB, err error) {
	t.Helper()
	if err == nil || errors.Is(err, storage.ErrUnsupportedFeature) || errors.Is(err, storage.ErrSchemaMismatch) {
		return
	}
	require.ErrorIs(t, err, storage.ErrCorrupt)
	require.NotContains(t, err.Error(), "decoding failed")
}

// readAll reads a file that may be damaged, at most a million rows of it.
func readAll(t testing.TB, b []byte) {
	f, err := openBytes(t, b)
	requireTyped(t, err)
	if err != nil {
		return
	}
	r, err := f.Read(parquet.ReadOptions{Columns: f.Schema().Fields, Positions: true})
	requireTyped(t, err)
	if err != nil {
		return
	}
	defer r.Close()
	for rows := 0; rows < 1<<20; {
		batch, err := r.Next(ctx)
		if err != nil {
			if err.Error() != "EOF" {
				requireTyped(t, err)
			}
			return
		}
		for _, v := range batch.Columns {
			v.Value(0)
			v.Value(batch.Len - 1)
		}
		rows += batch.Len
	}
}

// seeds are small files of all kinds.
func seeds(t testing.TB) [][]byte {
	var out [][]byte
	for i := range 4 {
		g := &generator{r: rand.New(rand.NewPCG(uint64(i), 3)), nulls: float64(i%2) / 2, distinct: 20}
		schema := allSchema(i%2 == 1)
		schema = types.Schema{Fields: schema.Fields[i*6 : i*6+8]}
		b, _ := write(t, schema, parquet.WriterOptions{PageRows: 20, RowGroupRows: 70, Codec: parquet.Codec(i)}, g.batch(schema, 100))
		out = append(out, b)
	}
	files, err := filepath.Glob("testdata/*.parquet")
	require.NoError(t, err)
	for _, file := range files {
		b, err := os.ReadFile(file)
		require.NoError(t, err)
		out = append(out, b)
	}
	return out
}

// TestBitFlips damages files at random.
func TestBitFlips(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for _, seed := range seeds(t) {
		n := 300
		if testing.Short() {
			n = 30
		}
		for range n {
			b := append([]byte(nil), seed...)
			for range 1 + r.IntN(3) {
				b[r.IntN(len(b))] ^= 1 << r.IntN(8)
			}
			readAll(t, b)
		}
		for range 20 {
			readAll(t, seed[:r.IntN(len(seed))])
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, seed := range seeds(f) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, b []byte) { readAll(t, b) })
}
