package iceberg

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage/object"
	"github.com/tarndb/tarn/storage/parquet"
)

// TestNameMappingChanges reads a file without ids as the mapping of each state
// of the table says.
func TestNameMappingChanges(t *testing.T) {
	var body bytes.Buffer
	w, err := parquet.NewWriter(&body, types.Schema{Fields: []types.Field{{Name: "a", Type: types.Of(types.Int)}}}, parquet.WriterOptions{})
	require.NoError(t, err)
	b := vector.NewBatch(1)
	b.Columns = []*vector.Vector{vector.Single(types.Of(types.Int), int64(1))}
	require.NoError(t, w.Write(b))
	_, _, err = w.Close()
	require.NoError(t, err)
	store := object.NewMemory("")
	require.NoError(t, store.Put(t.Context(), "t/data/f.parquet", body.Bytes()))
	table := OpenTable(store, "t", types.TableName{Name: "t"}, Options{})
	for mapping, want := range map[string]types.FieldID{`[{"field-id": 7, "names": ["a"]}]`: 7, `[{"field-id": 8, "names": ["a"]}]`: 8, `[]`: 0} {
		s := &Snapshot{table: table, metadata: &TableMetadata{Location: "file:///t", Properties: map[string]string{nameMappingProperty: mapping}}}
		file, err := s.parquetFile(t.Context(), &ContentFile{Path: "file:///t/data/f.parquet"})
		require.NoError(t, err)
		require.Equal(t, want, file.Schema().Fields[0].ID, mapping)
	}
	s := &Snapshot{table: table, metadata: &TableMetadata{Location: "file:///t", Properties: map[string]string{nameMappingProperty: "{"}}}
	_, err = s.parquetFile(t.Context(), &ContentFile{Path: "file:///t/data/f.parquet"})
	require.ErrorContains(t, err, nameMappingProperty)
}
