package exec_test

import (
	"context"
	"io"
	"math/rand/v2"
	"sort"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/exec"
	"github.com/tarndb/tarn/pushdown"
	"github.com/tarndb/tarn/sql/bind"
	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/parser"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// randomTable has n rows: g of 1000 values, v random, x small.
func randomTable(n int) *memoryTable {
	r := rand.New(rand.NewPCG(1, 2))
	t := &memoryTable{name: "t"}
	for _, name := range []string{"g", "v", "x"} {
		t.schema.Fields = append(t.schema.Fields, types.Field{Name: name, Type: types.Of(types.BigInt)})
	}
	for from := 0; from < n; from += vector.BatchRows {
		b := vector.NewBatch(min(vector.BatchRows, n-from))
		for _, most := range []int64{1000, 1 << 40, 100} {
			v := vector.New(types.Of(types.BigInt), b.Len)
			for i := range v.Int64s {
				v.Int64s[i] = r.Int64N(most)
			}
			b.Columns = append(b.Columns, v)
		}
		t.batches = append(t.batches, b)
	}
	return t
}

// TestWindowThreads: however many workers have the rows, partitions are whole.
func TestWindowThreads(t *testing.T) {
	tx := readOnlyTx{tables: map[string]*memoryTable{"t": randomTable(20000)}}
	var want []string
	for _, threads := range []int{1, 2, 5} {
		got, err := tx.query(`SELECT g, v, rank() OVER (PARTITION BY g ORDER BY v) AS r, sum(x) OVER (PARTITION BY g ORDER BY v) AS s,
			sum(x) OVER (PARTITION BY g ORDER BY v ROWS BETWEEN 3 PRECEDING AND 1 FOLLOWING) AS w, count(*) OVER () AS n FROM t`, threads)
		require.NoError(t, err)
		sort.Strings(got)
		if want == nil {
			want = got
		}
		require.Equal(t, want, got)
	}
	require.Len(t, want, 20000)
}

// drain runs a query and drops its rows.
func (t readOnlyTx) drain(ctx context.Context, sql string, threads int) error {
	stmt, err := parser.Parse(sql)
	if err != nil {
		return err
	}
	node, err := bind.Statement(ctx, stmt, bind.Options{Catalog: t, Text: sql})
	if err != nil {
		return err
	}
	if node, err = pushdown.Rewrite(node); err != nil {
		return err
	}
	r, err := exec.Run(ctx, node, exec.Env{Eval: &eval.Env{}, Threads: threads, Tx: t})
	if err != nil {
		return err
	}
	defer r.Close()
	for {
		if _, err := r.Next(ctx); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

func BenchmarkWindow(b *testing.B) {
	tx := readOnlyTx{tables: map[string]*memoryTable{"t": randomTable(1_000_000)}}
	for _, c := range []struct{ name, sql string }{
		{"row_number_sum", "SELECT g, row_number() OVER (PARTITION BY g ORDER BY v) AS n, sum(x) OVER (PARTITION BY g ORDER BY v) AS s FROM t"},
		{"no_partition", "SELECT g, row_number() OVER (ORDER BY v) AS n, sum(x) OVER (ORDER BY v) AS s FROM t"},
		{"whole_partitions", "SELECT sum(x) OVER (PARTITION BY g) AS s, max(v) OVER (PARTITION BY g) AS m FROM t"},
		{"narrow_frame", "SELECT sum(x) OVER (PARTITION BY g ORDER BY v ROWS BETWEEN 3 PRECEDING AND 3 FOLLOWING) AS s FROM t"},
		{"wide_frame", "SELECT sum(x) OVER (ORDER BY v ROWS BETWEEN 10000 PRECEDING AND 10000 FOLLOWING) AS s FROM t"},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				require.NoError(b, tx.drain(context.Background(), c.sql, 2))
			}
		})
	}
}
