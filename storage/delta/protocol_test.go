package delta

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/object"
)

// tableOf makes a table by writing the first commit by hand.
func tableOf(t *testing.T, protocol, fieldMetadata, configuration string) *Table {
	table := OpenTable(object.NewMemory(""), "t", simpleName, Options{})
	schema := fmt.Sprintf(`{"type":"struct","fields":[{"name":"a","type":"integer","nullable":true,"metadata":{%s}}]}`, fieldMetadata)
	body := fmt.Sprintf("{\"protocol\":%s}\n{\"metaData\":{\"id\":\"x\",\"format\":{\"provider\":\"parquet\",\"options\":{}},\"schemaString\":%q,\"partitionColumns\":[],\"configuration\":{%s}}}\n",
		protocol, schema, configuration)
	require.NoError(t, table.store.Put(ctx, table.commitPath(0), []byte(body)))
	return table
}

func features(reader, writer string) string {
	quote := func(list string) string {
		if list == "" {
			return ""
		}
		return `"` + strings.ReplaceAll(list, ",", `","`) + `"`
	}
	return fmt.Sprintf(`{"minReaderVersion":3,"minWriterVersion":7,"readerFeatures":[%s],"writerFeatures":[%s]}`, quote(reader), quote(writer))
}

func TestReaderFeatures(t *testing.T) {
	for _, c := range []struct{ protocol, refused string }{
		{`{"minReaderVersion":1,"minWriterVersion":2}`, ""},
		{`{"minReaderVersion":2,"minWriterVersion":6}`, ""},
		{`{"minReaderVersion":1,"minWriterVersion":99}`, ""},
		{`{"minReaderVersion":4,"minWriterVersion":7}`, "reader version 4"},
		{features("columnMapping,deletionVectors,timestampNtz,v2Checkpoint,vacuumProtocolCheck,typeWidening", "somethingNew"), ""},
		{features("deletionVectors,catalogManaged", "catalogManaged"), "catalogManaged"},
		{features("somethingNew", "somethingNew"), "somethingNew"},
	} {
		_, err := tableOf(t, c.protocol, "", "").LoadLatest(ctx)
		if c.refused == "" {
			require.NoError(t, err, c.protocol)
			continue
		}
		var refused *storage.UnsupportedFeature
		require.ErrorAs(t, err, &refused)
		require.Equal(t, c.refused, refused.Feature)
		require.False(t, refused.Writing)
	}
}

// TestProtocolOfLaterCommits raises the protocol of a table that has been read.
func TestProtocolOfLaterCommits(t *testing.T) {
	table := newSimple(t, object.NewMemory(""), nil)
	require.NoError(t, insert(table, row3(1, "a", nil)))
	latest(t, table)
	require.NoError(t, table.store.Put(ctx, table.commitPath(2),
		[]byte(`{"protocol":{"minReaderVersion":3,"minWriterVersion":7,"readerFeatures":["nosuch"],"writerFeatures":["nosuch"]}}`)))
	for range 2 {
		_, err := table.loadLatest(ctx)
		require.ErrorIs(t, err, storage.ErrUnsupportedFeature)
	}
}

func TestWriterFeatures(t *testing.T) {
	all := features("", "appendOnly,invariants,checkConstraints,changeDataFeed,generatedColumns,identityColumns,allowColumnDefaults,domainMetadata,clustering,inCommitTimestamp,icebergCompatV1,icebergCompatV2")
	for _, c := range []struct{ protocol, field, configuration, refused string }{
		{`{"minReaderVersion":1,"minWriterVersion":2}`, "", "", ""},
		{`{"minReaderVersion":2,"minWriterVersion":6}`, "", "", ""},
		{`{"minReaderVersion":1,"minWriterVersion":8}`, "", "", "writer version 8"},
		{all, "", "", ""},
		{features("", "somethingNew"), "", "", "somethingNew"},
		{features("", "rowTracking,domainMetadata"), "", "", "rowTracking"},
		{all, "", `"delta.enableChangeDataFeed":"true"`, "changeDataFeed"},
		{`{"minReaderVersion":1,"minWriterVersion":4}`, "", `"delta.enableChangeDataFeed":"true"`, "changeDataFeed"},
		{`{"minReaderVersion":1,"minWriterVersion":2}`, "", `"delta.enableChangeDataFeed":"true"`, ""},
		{all, "", `"delta.enableIcebergCompatV2":"true"`, "icebergCompatV2"},
		{all, "", `"delta.constraints.positive":"a > 0"`, "checkConstraints"},
		{all, `"delta.invariants":"{}"`, "", "invariants"},
		{all, `"delta.generationExpression":"1 + 1"`, "", "generatedColumns"},
		{all, `"delta.identity.start":1`, "", "identityColumns"},
		{all, `"CURRENT_DEFAULT":"7"`, "", "allowColumnDefaults"},
	} {
		table := tableOf(t, c.protocol, c.field, c.configuration)
		s := latest(t, table)
		_, err := table.NewDeltaWriter(ctx, s, storage.WriteOptions{})
		if c.refused == "" {
			require.NoError(t, err, c)
			continue
		}
		var refused *storage.UnsupportedFeature
		require.ErrorAs(t, err, &refused, c)
		require.Equal(t, c.refused, refused.Feature)
		require.True(t, refused.Writing)
		require.Equal(t, s.protocol.String(), refused.Version)
	}
}

// TestRowTracking: the property alone makes no row ids (protocol, "Row Tracking").
func TestRowTracking(t *testing.T) {
	for protocol, tracks := range map[string]bool{features("", "rowTracking,domainMetadata"): true, features("", "domainMetadata"): false} {
		s := latest(t, tableOf(t, protocol, "", `"delta.enableRowTracking":"true"`))
		require.Equal(t, tracks, storage.HasRowIDs(s.MetadataColumn()), protocol)
		require.Equal(t, tracks, s.CheckWrite() != nil, protocol)
	}
}

func TestWriteRules(t *testing.T) {
	s := latest(t, tableOf(t, features("", "checkConstraints,generatedColumns,allowColumnDefaults"), `"delta.generationExpression":"1 + 1","CURRENT_DEFAULT":"7"`,
		`"delta.constraints.positive":"a > 0"`))
	rules := fmt.Sprint(s.WriteRules())
	require.Equal(t, "[{0 positive  a > 0} {1  a 7} {2  a 1 + 1}]", rules)
}

func TestSparkFileNames(t *testing.T) {
	id := "00a10f3a-6c4a-4f7d-9a51-0f2f5d1c9b11"
	for name, want := range map[string]bool{
		"p=1/part-00000-" + id + ".c000.snappy.parquet": true,
		"part-00012-" + id + ".c001.zstd.parquet":       true,
		"part-00000-" + id + "-c000.snappy.parquet":     false, // so others name them too
		"part-0000x-" + id + ".c000.snappy.parquet":     false,
		"part-00000-" + id + ".cabc.snappy.parquet":     false,
		"part-00000-" + id:                              false,
		"x.parquet":                                     false,
		"":                                              false,
	} {
		require.Equal(t, want, isSparkFileName(name), name)
	}
}

func TestAbsolutePaths(t *testing.T) {
	memory := OpenTable(object.NewMemory(""), "t", simpleName, Options{})
	for _, path := range []string{"/data/x.parquet", "file:///data/x.parquet", "s3://bucket/x%20y.parquet"} {
		decoded, err := decodePath(path)
		require.NoError(t, err)
		_, _, err = memory.resolve(decoded)
		require.ErrorIs(t, err, storage.ErrUnsupportedFeature, path)
	}
	store, err := object.NewFileStore(t.TempDir())
	require.NoError(t, err)
	local := OpenTable(store, "t", simpleName, Options{})
	for path, want := range map[string]string{"file:/data/x%20y.parquet": "data/x y.parquet", "file:///data/../other/x": "other/x", "/data/x": "data/x"} {
		decoded, err := decodePath(path)
		require.NoError(t, err)
		_, got, err := local.resolve(decoded)
		require.NoError(t, err)
		require.Equal(t, want, got)
	}
	decoded, err := decodePath("a%3Ab/x.parquet")
	require.NoError(t, err)
	own, path, err := memory.resolve(decoded)
	require.NoError(t, err)
	require.Equal(t, memory.store, own)
	require.Equal(t, "t/a:b/x.parquet", path)
}
