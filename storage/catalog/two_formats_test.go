package catalog_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/catalog"
	"github.com/tarndb/tarn/storage/delta"
	"github.com/tarndb/tarn/storage/iceberg"
)

// createAt makes a table of a format in a directory whatever else is there.
func createAt(t *testing.T, c catalog.Catalog, format, dir string) {
	d := definition
	d.Format = format
	createAs(t, c, types.TableName{Format: format, Path: dir}, d)
}

func TestDirectoryOfTwoFormatsIsNotTakenByChance(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	c, err := catalog.Open(dir, catalog.Options{})
	require.NoError(t, err)
	createAt(t, c, "delta", filepath.Join(dir, "both"))
	createAt(t, c, "iceberg", filepath.Join(dir, "both"))
	name := types.TableName{Name: "both"}
	for range 20 {
		_, err = c.LoadTable(ctx, name)
		require.ErrorIs(t, err, storage.ErrUnsupportedFeature)
		require.ErrorContains(t, err, "delta.`"+filepath.Join(dir, "both")+"` or iceberg.`"+filepath.Join(dir, "both")+"`")
	}
	require.ErrorIs(t, c.DropTable(ctx, name), storage.ErrUnsupportedFeature)
	_, err = c.NewTable(ctx, name, definition)
	require.Error(t, err)
	tables, err := c.ListTables(ctx, "")
	require.NoError(t, err)
	require.Len(t, tables, 1, "it is there")
	for _, format := range []string{"delta", "iceberg"} {
		_, err = c.LoadTable(ctx, types.TableName{Format: format, Path: filepath.Join(dir, "both")})
		require.NoError(t, err)
	}
}

func TestUniversalTableIsItsDeltaTable(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	c, err := catalog.Open(dir, catalog.Options{})
	require.NoError(t, err)
	path := filepath.Join(dir, "uniform")
	const commit = `{"protocol":{"minReaderVersion":2,"minWriterVersion":7,"writerFeatures":["columnMapping","icebergCompatV2"]}}
{"metaData":{"id":"6b6f9e0c-5a4f-4d2f-8f2e-1f0a5b8c7d3e","format":{"provider":"parquet","options":{}},"schemaString":"{\"type\":\"struct\",\"fields\":[{\"name\":\"id\",\"type\":\"integer\",\"nullable\":true,\"metadata\":{\"delta.columnMapping.id\":1,\"delta.columnMapping.physicalName\":\"id\"}}]}","partitionColumns":[],"configuration":{"delta.columnMapping.mode":"name","delta.columnMapping.maxColumnId":"1","delta.enableIcebergCompatV2":"true","delta.universalFormat.enabledFormats":"hudi, iceberg"}}}
`
	require.NoError(t, os.MkdirAll(filepath.Join(path, delta.LogDir), 0o777))
	require.NoError(t, os.WriteFile(filepath.Join(path, delta.LogDir, "00000000000000000000.json"), []byte(commit), 0o666))
	createAt(t, c, "iceberg", path)
	for range 20 {
		table, err := c.LoadTable(ctx, types.TableName{Name: "uniform"})
		require.NoError(t, err)
		require.IsType(t, &delta.Table{}, table)
		table, err = c.LoadTable(ctx, types.TableName{Format: "iceberg", Path: path})
		require.NoError(t, err)
		require.IsType(t, &iceberg.Table{}, table)
	}
	require.NoError(t, c.DropTable(ctx, types.TableName{Name: "uniform"}))
	tables, err := c.ListTables(ctx, "")
	require.NoError(t, err)
	require.Empty(t, tables)
}
