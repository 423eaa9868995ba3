package delta

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/storage/object"
)

// randomStats are statistics of id and v: in order or not, of NULLs only, with a
// bound that is missing, or none at all.
func randomStats(r *rand.Rand) string {
	id, v := r.IntN(10_000), r.Float64()*100
	switch r.IntN(12) {
	case 0:
		return ""
	case 1:
		return `{"numRecords":10,"nullCount":{"id":10,"v":10}}`
	case 2:
		return fmt.Sprintf(`{"numRecords":10,"minValues":{"id":%d},"nullCount":{"id":0}}`, id)
	case 3:
		return fmt.Sprintf(`{"numRecords":10,"maxValues":{"id":%d,"v":%f}}`, id, v)
	case 4:
		return fmt.Sprintf(`{"numRecords":10,"minValues":{"id":%d,"v":"NaN"},"maxValues":{"id":%d,"v":"NaN"},"nullCount":{"id":0,"v":0}}`, id, id+50)
	}
	return fmt.Sprintf(`{"numRecords":10,"minValues":{"id":%d,"v":%f},"maxValues":{"id":%d,"v":%f},"nullCount":{"id":%d,"v":%d}}`, id, v, id+r.IntN(100), v+1, r.IntN(2), r.IntN(2))
}

// TestFileIndexDropsWhatEachFileSays: asking blocks of files first leaves the
// files that asking each one leaves.
func TestFileIndexDropsWhatEachFileSays(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	table := newSimple(t, object.NewMemory(""), nil)
	var body strings.Builder
	for i := range 1000 {
		engine := "part-00000-00000000-0000-0000-0000-%012d.c000.snappy.parquet"
		if i%3 == 0 {
			engine = "other-%d.parquet" // its bounds say nothing of NaN
		}
		fmt.Fprintf(&body, `{"add":{"path":"part=p%d/`+engine+`","partitionValues":{"part":"p%d"},"size":1,"modificationTime":1,"dataChange":true,"stats":%q}}`+"\n", i%5, i, i%5, randomStats(r))
	}
	require.NoError(t, table.store.Put(ctx, table.commitPath(1), []byte(body.String())))
	s := latest(t, table)
	columns := map[string]func() any{
		"id": func() any { return int64(r.IntN(11_000) - 500) }, "v": func() any { return r.Float64()*110 - 5 }, "part": func() any { return fmt.Sprintf("p%d", r.IntN(7)) }}
	condition := func() expr.Expr {
		for name, value := range columns {
			return where(t, s, name, []string{"=", "<", ">", "<=", ">=", "<>"}[r.IntN(6)], value())
		}
		return nil
	}
	dropped := 0
	for range 300 {
		filter := condition()
		for range r.IntN(3) {
			if other := condition(); r.IntN(2) == 0 {
				filter = expr.And(filter, other)
			} else {
				filter = expr.Or(filter, other)
			}
		}
		p := newFilePruner(s.metadata, nil, filter)
		var skipped, wantSkipped []string
		want := p.byStatistics(s.index().files, &wantSkipped)
		got := s.index().byStatistics(p, &skipped)
		require.Equal(t, len(want), len(got), "%s", filter)
		for i := range want {
			require.Same(t, want[i], got[i], "%s", filter)
		}
		require.ElementsMatch(t, wantSkipped, skipped)
		dropped += len(skipped)
	}
	require.Greater(t, dropped, 100_000)
}

// TestFewRangedColumnsAreKept: an index does not keep the bounds of every column
// that was ever asked for.
func TestFewRangedColumnsAreKept(t *testing.T) {
	table := newSimple(t, object.NewMemory(""), nil)
	var body strings.Builder
	for i := range leastIndexed {
		fmt.Fprintf(&body, `{"add":{"path":"f%d","partitionValues":{"part":"p"},"size":1,"modificationTime":1,"dataChange":true,"stats":%q}}`+"\n",
			i, fmt.Sprintf(`{"numRecords":10,"minValues":{"id":%d},"maxValues":{"id":%d},"nullCount":{"id":0}}`, i, i))
	}
	require.NoError(t, table.store.Put(ctx, table.commitPath(1), []byte(body.String())))
	s := latest(t, table)
	for i := range 3 * mostRangedColumns {
		p := newFilePruner(s.metadata, nil, where(t, s, "id", "=", int64(i)))
		p.leaves[0].path = []string{fmt.Sprint("column ", i)}
		var skipped []string
		s.index().byStatistics(p, &skipped)
	}
	require.LessOrEqual(t, len(s.index().columns), mostRangedColumns)
	scan, err := s.NewScan().WithDataFilter(where(t, s, "id", "=", int64(7))).Build(ctx)
	require.NoError(t, err)
	require.Len(t, scan.Tasks(), 1)
	require.Equal(t, leastIndexed, scan.Summary().FilesTotal)
}
