package parquet_test

import (
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/expr"
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
	o := parquet.ReadOptions{Columns: f.Schema().Fields, Positions: true, WindowBytes: 100}
	first := drain(t, f, o)
	for i, value := range first[:max(len(first)-1, 0)] {
		ct := o.Columns[i].Type
		if ct.IsNested() || value == nil || i%12 > 0 {
			continue
		}
		col := &expr.Column{Index: i, Name: "c", T: ct, MayBeNull: true}
		o.Filter = expr.Compare(expr.OpGreater, col, &expr.Literal{T: ct, Value: value})
		drain(t, f, o)
	}
}

// drain reads to the end, or a million rows, and gives the first row.
func drain(t testing.TB, f *parquet.File, o parquet.ReadOptions) (first []any) {
	r, err := f.Read(o)
	requireTyped(t, err)
	if err != nil {
		return nil
	}
	defer r.Close()
	for rows := 0; rows < 1<<20; {
		batch, err := r.Next(ctx)
		if err == io.EOF {
			return first
		}
		if err != nil {
			requireTyped(t, err)
			return first
		}
		row := make([]any, len(batch.Columns))
		for i, v := range batch.Columns {
			row[i] = v.Value(0)
			v.Value(batch.Len - 1)
		}
		if rows == 0 {
			first = row
		}
		rows += batch.Len
	}
	return first
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
		n := 100
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
