package iceberg

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestColumnBounds: bounds are those of all files, with what a transaction has
// added and without what it has removed.
func TestColumnBounds(t *testing.T) {
	w := newWriting(t, nil)
	bounds := func(s *Snapshot, column string) []any {
		low, high, ok := s.ColumnBounds(column)
		require.Equal(t, ok, low != nil)
		return []any{low, high}
	}
	require.Equal(t, []any{nil, nil}, bounds(w.latest(), "id"))
	require.NoError(t, w.commit(w.latest(), w.insert(w.latest(), 5, 50, 2, 20)))
	require.NoError(t, w.commit(w.latest(), w.insert(w.latest(), 9, 90)))
	base := w.latest()
	require.Equal(t, []any{int64(2), int64(9)}, bounds(base, "ID"))
	require.Equal(t, []any{int64(20), int64(90)}, bounds(base, "v"))
	require.Equal(t, []any{nil, nil}, bounds(base, "nosuch"))
	view, err := base.Apply(w.insert(base, -1, 7))
	require.NoError(t, err)
	require.Equal(t, []any{int64(-1), int64(9)}, bounds(view.(*Snapshot), "id"))
	less, err := base.Apply(w.delete(base, 0)) // the file of one row is gone
	require.NoError(t, err)
	require.Equal(t, []any{int64(2), int64(2)}, bounds(less.(*Snapshot), "id"))
}
