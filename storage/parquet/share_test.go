package parquet_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage/parquet"
)

// TestShares: the readers that share a file read each row once, whatever the
// filter leaves, with their positions.
func TestShares(t *testing.T) {
	schema := types.Schema{Fields: []types.Field{{Name: "n", Type: types.Of(types.BigInt)}, {Name: "s", Type: types.Of(types.String), Nullable: true}}}
	b := vector.NewBatch(5*vector.BatchRows + 7)
	n, s := vector.NewBuilder(types.Of(types.BigInt), b.Len), vector.NewBuilder(types.Of(types.String), b.Len)
	for i := range b.Len {
		n.AppendInt64(int64(i))
		if i%5 == 0 {
			s.AppendNull()
		} else {
			s.AppendValue(fmt.Sprint("value ", i%100))
		}
	}
	b.Columns = []*vector.Vector{n.Vector(), s.Vector()}
	body, _ := write(t, schema, parquet.WriterOptions{}, b)
	f, err := openBytes(t, body)
	require.NoError(t, err)
	id := &expr.Column{Index: 0, Name: "n", T: types.Of(types.BigInt)}
	for _, filter := range []expr.Expr{nil, &expr.Call{Name: expr.OpGreater, Args: []expr.Expr{id, &expr.Literal{T: id.T, Value: int64(4000)}}, T: types.Of(types.Boolean)}} {
		whole := rows(t, f, parquet.ReadOptions{Columns: schema.Fields, Filter: filter, Positions: true})
		for _, parts := range []int{1, 2, 3, 5, 64} {
			var got [][]any
			most := 0
			for part := range parts {
				share, err := tryRows(f, parquet.ReadOptions{Columns: schema.Fields, Filter: filter, Positions: true, Part: part, Parts: parts})
				require.NoError(t, err)
				most = max(most, len(share))
				got = append(got, share...)
			}
			slices.SortFunc(got, func(a, b []any) int { return int(a[2].(int64) - b[2].(int64)) })
			require.Equal(t, whole, got, "%d parts", parts)
			if parts > 1 && filter == nil {
				require.Less(t, most, len(whole))
			}
		}
	}
}
