package delta

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/delta/internal/action"
	"github.com/tarndb/tarn/storage/object"
)

func FuzzLastCheckpoint(f *testing.F) {
	f.Add([]byte(`{"version":10,"size":3,"parts":2,"checkpointSchema":{"type":"struct"}}`))
	f.Add([]byte(`{"version":1`))
	f.Fuzz(func(t *testing.T, body []byte) {
		if v, ok := parseLastCheckpoint(body); ok {
			require.GreaterOrEqual(t, v, storage.Version(0))
		}
	})
}

func FuzzStats(f *testing.F) {
	f.Add(`{"numRecords":3,"minValues":{"id":0,"st":{"x":-1.5e3}},"maxValues":{"id":2,"st":{"x":"NaN"}},"nullCount":{"id":0,"st":{"x":1}},"tightBounds":false}`)
	f.Add(`{"minValues":{"id":"2024-01-01T00:00:00.123Z"},"numRecords":null}`)
	kinds := []types.Type{types.Of(types.BigInt), types.Of(types.Double), types.DecimalOf(38, 5), types.Of(types.String), types.Of(types.Date),
		types.Of(types.Timestamp), types.Of(types.TimestampNTZ), types.Of(types.Boolean), types.Of(types.Binary)}
	f.Fuzz(func(t *testing.T, text string) {
		numRecords(text)
		stats := parseStats(text, [][]string{{"id"}, {"st", "x"}})
		require.Len(t, stats.columns, 2)
		for i := range stats.columns {
			for _, k := range kinds {
				r := stats.columnRange(i, k, true, false)
				if r.Min != nil && r.Max != nil {
					_, ok := types.CompareValues(k, r.Min, r.Max)
					require.True(t, ok)
				}
			}
		}
	})
}

func FuzzDeletionVector(f *testing.F) {
	f.Add("i", "wi5b=000010000siXQKl0rr91000f55c8Xg0@@D72lkbi5=-{L", int32(40), int64(6))
	f.Add("u", "ab^-aqEH.-t@S}K{vb[*k^", int32(40), int64(6))
	f.Add("p", "s3://mytable/deletion_vector.bin", int32(40), int64(6))
	table := OpenTable(object.NewMemory(""), "t", simpleName, Options{})
	f.Fuzz(func(t *testing.T, kind, text string, size int32, cardinality int64) {
		d := &action.DeletionVector{StorageType: kind, PathOrInlineDV: text, SizeInBytes: size, Cardinality: cardinality}
		if size > 1<<20 {
			t.Skip()
		}
		rows, err := table.readDeletionVector(ctx, d)
		if err == nil {
			require.Equal(t, cardinality, rows.Cardinality())
		}
	})
}

func FuzzPath(f *testing.F) {
	for _, seed := range []string{"p=100%2525/a.parquet", "a%20b", "file:///tmp/x%20y", "s3://b/k", "%zz", "a:b", "%3A", "/abs"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		decoded, err := decodePath(text)
		if err != nil || schemeOf(decoded) != "" {
			return
		}
		again, err := decodePath(encodePath(decoded))
		require.NoError(t, err)
		require.Equal(t, decoded, again)
	})
}
