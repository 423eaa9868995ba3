package iceberg

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/storage"
)

// TestMetadataTables counts the rows of every metadata table.
func TestMetadataTables(t *testing.T) {
	s, err := openTestdata(t, "testdata", "events").LoadLatest(t.Context())
	require.NoError(t, err)
	for name, want := range map[string]int{
		"snapshots": 4, "history": 4, "refs": 3, "metadata_log_entries": 10, "manifests": 4, "all_manifests": 8,
		"files": 7, "data_files": 6, "delete_files": 1, "entries": 8, "all_files": 11, "all_entries": 12, "all_data_files": 10, "all_delete_files": 1, "partitions": 6,
	} {
		m, err := s.(storage.MetadataTables).MetadataTable(t.Context(), strings.ToUpper(name))
		require.NoError(t, err, name)
		scan, err := m.NewScan().Build(t.Context())
		require.NoError(t, err, name)
		rows := 0
		for _, task := range scan.Tasks() {
			r, err := scan.Open(t.Context(), task)
			require.NoError(t, err)
			for b, err := r.Next(t.Context()); err == nil; b, err = r.Next(t.Context()) {
				require.Len(t, b.Columns, len(m.Schema().Fields))
				rows += b.Rows()
			}
		}
		require.Equal(t, want, rows, name)
	}
	_, err = s.(storage.MetadataTables).MetadataTable(t.Context(), "snapshot")
	require.ErrorIs(t, err, storage.ErrTableNotFound)
	require.ErrorContains(t, err, "snapshots")
}

// TestPartitionText shows partition values as directory names have them.
func TestPartitionText(t *testing.T) {
	for transform, want := range map[string]string{"year": "1969", "month": "1969-12", "day": "1969-12-31", "hour": "1969-12-31-23", "identity": "-1", "bucket[4]": "-1"} {
		tr := parseTransform(transform)
		require.Equal(t, want, tr.display(tr.resultType(types.Of(types.BigInt)), int64(-1)), transform)
		require.Nil(t, tr.display(types.Of(types.Int), nil))
	}
	for _, c := range []struct {
		t    types.Type
		v    any
		want string
	}{
		{types.Of(types.Timestamp), int64(-1), "1969-12-31T23:59:59.999999+00:00"}, {types.Of(types.TimestampNTZ), int64(0), "1970-01-01T00:00:00"},
		{types.Of(types.TimestampNTZNS), int64(1), "1970-01-01T00:00:00.000000001"}, {types.Of(types.Time), int64(1), "00:00:00.000001"},
		{types.Of(types.Binary), []byte{0, 255, 1}, "AP8B"}, {types.Of(types.UUID), []byte("0123456789abcdef"), "30313233-3435-3637-3839-616263646566"},
		{types.DecimalOf(9, 2), types.Decimal128FromInt64(-150), "-1.50"}, {types.Of(types.Boolean), true, "true"}, {types.Of(types.String), "a/b", "a/b"},
	} {
		require.Equal(t, c.want, parseTransform("identity").display(c.t, c.v))
	}
}
