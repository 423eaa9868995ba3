package parquet_test

import (
	"bytes"
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage/parquet"
)

// lineitem has the columns of TPC-H's table that its queries read most, with
// values of like distribution.
var lineitem = types.Schema{Fields: []types.Field{
	{Name: "l_orderkey", Type: types.Of(types.BigInt)},
	{Name: "l_partkey", Type: types.Of(types.BigInt)},
	{Name: "l_quantity", Type: types.DecimalOf(15, 2)},
	{Name: "l_extendedprice", Type: types.DecimalOf(15, 2)},
	{Name: "l_discount", Type: types.DecimalOf(15, 2)},
	{Name: "l_tax", Type: types.DecimalOf(15, 2)},
	{Name: "l_returnflag", Type: types.Of(types.String)},
	{Name: "l_shipdate", Type: types.Of(types.Date)},
	{Name: "l_comment", Type: types.Of(types.String)},
}}

const benchRows = 1 << 20

func lineitemBatches(rows int) []*vector.Batch {
	r := rand.New(rand.NewPCG(1, 1))
	words := []string{"carefully", "final", "deposits", "quickly", "ironic", "requests", "sleep", "furiously", "blithely", "even"}
	var out []*vector.Batch
	for at := 0; at < rows; at += vector.BatchRows {
		b := &vector.Batch{Len: vector.BatchRows}
		for _, f := range lineitem.Fields {
			v := vector.New(f.Type, b.Len)
			b.Columns = append(b.Columns, v)
		}
		for i := range b.Len {
			qty := int64(1 + r.IntN(50))
			b.Columns[0].Int64s[i] = int64((at + i) / 4)
			b.Columns[1].Int64s[i] = int64(r.IntN(200000))
			b.Columns[2].Int64s[i] = qty * 100
			b.Columns[3].Int64s[i] = qty * int64(90000+r.IntN(110000))
			b.Columns[4].Int64s[i] = int64(r.IntN(11))
			b.Columns[5].Int64s[i] = int64(r.IntN(9))
			b.Columns[6].SetBytes(i, []byte([]string{"A", "N", "R"}[r.IntN(3)]))
			b.Columns[7].Int32s[i] = int32(8036 + r.IntN(2526))
			b.Columns[8].SetBytes(i, []byte(words[r.IntN(10)]+" "+words[r.IntN(10)]+" "+words[r.IntN(10)]+fmt.Sprint(r.IntN(1000))))
		}
		out = append(out, b)
	}
	return out
}

var lineitemFile = sync.OnceValue(func() []byte {
	var out bytes.Buffer
	w, err := parquet.NewWriter(&out, lineitem, parquet.WriterOptions{})
	if err != nil {
		panic(err)
	}
	for _, b := range lineitemBatches(benchRows) {
		if err := w.Write(b); err != nil {
			panic(err)
		}
	}
	if _, _, err := w.Close(); err != nil {
		panic(err)
	}
	return out.Bytes()
})

func scan(b *testing.B, f *parquet.File, o parquet.ReadOptions) int {
	r, err := f.Read(o)
	require.NoError(b, err)
	defer r.Close()
	n := 0
	for {
		batch, err := r.Next(ctx)
		if err == io.EOF {
			return n
		}
		require.NoError(b, err)
		n += batch.Len
	}
}

func BenchmarkScan(b *testing.B) {
	f, err := openBytes(b, lineitemFile())
	require.NoError(b, err)
	for i, c := range lineitem.Fields {
		b.Run(c.Name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				scan(b, f, parquet.ReadOptions{Columns: lineitem.Fields[i : i+1]})
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchRows, "ns/row")
		})
	}
	b.Run("all", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			scan(b, f, parquet.ReadOptions{Columns: lineitem.Fields})
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchRows, "ns/row")
	})
}

// BenchmarkFilter reads what TPC-H's sixth query reads.
func BenchmarkFilter(b *testing.B) {
	f, err := openBytes(b, lineitemFile())
	require.NoError(b, err)
	columns := []types.Field{lineitem.Fields[7], lineitem.Fields[4], lineitem.Fields[2], lineitem.Fields[3]}
	col := func(i int) expr.Expr { return &expr.Column{Index: i, Name: columns[i].Name, T: columns[i].Type} }
	lit := func(i int, v any) expr.Expr { return &expr.Literal{T: columns[i].Type, Value: v} }
	dec := types.Decimal128FromInt64
	filter := expr.And(
		expr.Compare(expr.OpGreaterEqual, col(0), lit(0, int64(8766))), expr.Compare(expr.OpLess, col(0), lit(0, int64(9131))),
		expr.Compare(expr.OpGreaterEqual, col(1), lit(1, dec(5))), expr.Compare(expr.OpLessEqual, col(1), lit(1, dec(7))),
		expr.Compare(expr.OpLess, col(2), lit(2, dec(2400))))
	b.ReportAllocs()
	for b.Loop() {
		scan(b, f, parquet.ReadOptions{Columns: columns, Filter: filter})
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/benchRows, "ns/row")
}

func BenchmarkWrite(b *testing.B) {
	batches := lineitemBatches(benchRows / 4)
	for _, threads := range []int{1, 2} {
		b.Run(strconv.Itoa(threads), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				w, err := parquet.NewWriter(io.Discard, lineitem, parquet.WriterOptions{Threads: threads})
				require.NoError(b, err)
				for _, batch := range batches {
					require.NoError(b, w.Write(batch))
				}
				_, _, err = w.Close()
				require.NoError(b, err)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/(benchRows/4), "ns/row")
		})
	}
}
