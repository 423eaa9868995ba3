package storage_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
)

func bigints(values ...any) *vector.Vector {
	b := vector.NewBuilder(types.Of(types.BigInt), len(values))
	for _, v := range values {
		if v == nil {
			b.AppendNull()
		} else {
			b.AppendInt64(int64(v.(int)))
		}
	}
	return b.Vector()
}

// TestRowMetadata: a stored id wins, else it is counted from the file's first
// one, and without that rows have none but in files that are not committed yet.
func TestRowMetadata(t *testing.T) {
	first := int64(100)
	m := &storage.RowMetadata{Path: "s3://b/t/part.parquet", SizeBytes: 9, Offset: 4, Length: 5, ModTime: time.UnixMicro(7), RowIDs: true, Stored: 1, Positions: 3, First: &first, Version: 6}
	b := vector.NewBatch(3, bigints(1, 2, 3), bigints(nil, 55, nil), bigints(nil, 2, 3), bigints(0, 1, 8))
	file := []any{"s3://b/t/part.parquet", "part.parquet", int64(9), int64(4), int64(5), int64(7)}
	v := m.Column(b)
	require.Equal(t, append(append([]any{}, file...), int64(100), int64(6)), v.Value(0))
	require.Equal(t, append(append([]any{}, file...), int64(55), int64(2)), v.Value(1))
	require.Equal(t, append(append([]any{}, file...), int64(108), int64(3)), v.Value(2))
	m.First = nil
	require.Equal(t, append(append([]any{}, file...), nil, nil), m.Column(b).Value(1))
	m.IsStaged = true
	require.Equal(t, append(append([]any{}, file...), int64(55), int64(2)), m.Column(b).Value(1))
	require.Equal(t, append(append([]any{}, file...), nil, int64(3)), m.Column(b).Value(2))
	require.Equal(t, nil, m.IDs(b).Value(0))
	m.RowIDs = false
	require.Equal(t, file, m.Column(b).Value(1))
	require.Len(t, storage.FileMetadataType(false).Fields, 6)
	require.False(t, storage.HasRowIDs(storage.FileMetadataType(false)))
	require.True(t, storage.HasRowIDs(storage.FileMetadataType(true)))
}
