package storage

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
)

func TestUnionReads(t *testing.T) {
	id := &expr.Column{Name: "id", T: types.Of(types.BigInt)}
	a, b := expr.IsNull(id), expr.Compare(expr.OpEqual, id, expr.Int(1))
	require.Nil(t, UnionReads(nil, nil))
	require.Equal(t, a, UnionReads(a, nil))
	require.Equal(t, a, UnionReads(nil, a))
	require.Equal(t, a, UnionReads(a, a))
	require.True(t, expr.Equal(expr.Or(a, b), UnionReads(a, b)))
	require.Equal(t, expr.True, UnionReads(a, expr.True))
	require.Equal(t, expr.True, UnionReads(expr.True, a))

	var reads expr.Expr
	for i := range maxReads {
		reads = UnionReads(reads, expr.Compare(expr.OpEqual, id, expr.Int(int64(i))))
	}
	require.NotEqual(t, expr.True, reads)
	require.Equal(t, expr.True, UnionReads(reads, a), "too many filters: the whole table")
}
