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
	"github.com/tarndb/tarn/storage/object"
)

var definition = storage.TableDefinition{Schema: types.Schema{Fields: []types.Field{{Name: "id", Type: types.Of(types.Int), Nullable: true}}}}

func create(t *testing.T, c catalog.Catalog, name types.TableName) {
	createAs(t, c, name, definition)
}

func createAs(t *testing.T, c catalog.Catalog, name types.TableName, definition storage.TableDefinition) {
	ctx := context.Background()
	table, err := c.NewTable(ctx, name, definition)
	require.NoError(t, err)
	head, err := table.LoadLatest(ctx)
	require.NoError(t, err)
	attempt, err := table.Committer().Prepare(ctx, head, storage.RowDelta{Definition: &definition, Operation: "CREATE TABLE"})
	require.NoError(t, err)
	require.NoError(t, table.Committer().Publish(ctx, attempt))
}

func TestNamesAndDirectories(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	c, err := catalog.Open(dir, catalog.Options{})
	require.NoError(t, err)
	create(t, c, types.TableName{Name: "plain"})
	create(t, c, types.TableName{Schema: "sales", Name: "orders"})
	require.DirExists(t, filepath.Join(dir, "plain", "_delta_log"))
	require.DirExists(t, filepath.Join(dir, "sales", "orders", "_delta_log"))
	for _, name := range []types.TableName{
		{Name: "plain"}, {Schema: "default", Name: "plain"}, {Schema: "sales", Name: "orders"},
		{Schema: "delta", Name: filepath.Join(dir, "plain")}, {Format: "delta", Path: "file://" + filepath.Join(dir, "sales", "orders")},
	} {
		table, err := c.LoadTable(ctx, name)
		require.NoError(t, err, name)
		snapshot, err := table.LoadLatest(ctx)
		require.NoError(t, err)
		require.Equal(t, []string{"id"}, snapshot.Schema().Names())
	}
	tables, err := c.ListTables(ctx, "")
	require.NoError(t, err)
	require.Equal(t, []types.TableName{{Schema: "default", Name: "plain"}}, tables)
	tables, err = c.ListTables(ctx, "sales")
	require.NoError(t, err)
	require.Len(t, tables, 1)
	_, err = c.ListTables(ctx, "nosuch")
	require.ErrorIs(t, err, storage.ErrSchemaNotFound)

	inSales, err := catalog.Open(dir, catalog.Options{Schema: "sales"})
	require.NoError(t, err)
	_, err = inSales.LoadTable(ctx, types.TableName{Name: "orders"})
	require.NoError(t, err)
}

func TestRefusals(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	c, err := catalog.Open(dir, catalog.Options{})
	require.NoError(t, err)
	for _, name := range []types.TableName{
		{Name: "nosuch"}, {Schema: "nosuch", Name: "t"}, {Name: "../outside"}, {Name: ""}, {Name: "a/b"}, {Name: `a\b`}, {Name: "_delta_log"}, {Schema: "_x", Name: "t"}, {Catalog: "other", Name: "t"},
		{Schema: "delta", Name: filepath.Join(dir, "nosuch")},
	} {
		_, err := c.LoadTable(ctx, name)
		require.ErrorIs(t, err, storage.ErrTableNotFound, name)
	}
	create(t, c, types.TableName{Name: "t"})
	_, err = c.NewTable(ctx, types.TableName{Name: "t"}, definition)
	require.ErrorIs(t, err, storage.ErrTableExists)
	for _, name := range []string{"a/b", `a\b`, "_delta_log", ".hidden"} {
		_, err = c.NewTable(ctx, types.TableName{Name: name}, definition)
		require.Error(t, err, name)
	}
	other := definition
	other.Format = "orc"
	_, err = c.NewTable(ctx, types.TableName{Name: "u"}, other)
	require.ErrorIs(t, err, storage.ErrUnsupportedFeature)
	require.NoError(t, c.DropTable(ctx, types.TableName{Name: "t"}))
	require.ErrorIs(t, c.DropTable(ctx, types.TableName{Name: "t"}), storage.ErrTableNotFound)
	_, err = catalog.Open(filepath.Join(dir, "missing"), catalog.Options{MustExist: true})
	require.ErrorIs(t, err, object.ErrNotFound)
	_, err = catalog.Open(dir, catalog.Options{Format: "nosuch"})
	require.Error(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "file"), nil, 0o600))
	_, err = catalog.Open(filepath.Join(dir, "file"), catalog.Options{})
	require.ErrorIs(t, err, object.ErrInvalidPath)
}

// TestBothFormats: a warehouse has tables of both formats.
func TestBothFormats(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.CopyFS(filepath.Join(dir, "events"), os.DirFS(filepath.Join("..", "iceberg", "testdata", "events"))))
	c, err := catalog.Open(dir, catalog.Options{})
	require.NoError(t, err)
	ctx, name := t.Context(), types.TableName{Name: "events"}
	table, err := c.LoadTable(ctx, name)
	require.NoError(t, err)
	_, err = table.LoadLatest(ctx)
	require.NoError(t, err)
	_, err = c.NewTable(ctx, name, definition)
	require.ErrorIs(t, err, storage.ErrTableExists)
	require.NoError(t, c.DropTable(ctx, name))
	require.ErrorIs(t, c.DropTable(ctx, name), storage.ErrTableNotFound)
	for _, format := range []string{"delta", "iceberg"} {
		made := definition
		made.Format = format
		table, err := c.NewTable(ctx, types.TableName{Name: format}, made)
		require.NoError(t, err)
		base, err := table.LoadLatest(ctx)
		require.NoError(t, err)
		attempt, err := table.Committer().Prepare(ctx, base, storage.RowDelta{Definition: &made})
		require.NoError(t, err)
		require.NoError(t, table.Committer().Publish(ctx, attempt))
	}
	names, err := c.ListTables(ctx, "")
	require.NoError(t, err)
	require.Len(t, names, 2)
}

// TestNotFoundSaysWhy: what is there instead of a table is part of the error.
func TestNotFoundSaysWhy(t *testing.T) {
	dir := t.TempDir()
	open := func(path string) catalog.Catalog {
		c, err := catalog.Open(path, catalog.Options{})
		require.NoError(t, err)
		return c
	}
	c := open(dir)
	says := func(c catalog.Catalog, name types.TableName, text string) {
		t.Helper()
		_, err := c.LoadTable(t.Context(), name)
		require.ErrorIs(t, err, storage.ErrTableNotFound)
		require.ErrorContains(t, err, text)
	}
	says(c, types.TableName{Name: "t"}, "t; the warehouse "+dir+" has no tables")
	says(open(filepath.Join(dir, "new")), types.TableName{Name: "t"}, "has no tables")
	create(t, c, types.TableName{Schema: "sales", Name: "t"})
	says(c, types.TableName{Name: "t"}, "has no tables in the schema default")
	create(t, c, types.TableName{Name: "t"})
	require.NoError(t, os.CopyFS(filepath.Join(dir, "events"), os.DirFS(filepath.Join("..", "iceberg", "testdata", "events"))))
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "empty", "x"), 0o700))

	says(c, types.TableName{Name: "u"}, "u; the tables are events, t")
	says(c, types.TableName{Schema: "nope", Name: "t"}, "nope.t; the schema nope does not exist")
	says(c, types.TableName{Schema: "empty", Name: "t"}, "empty.t; the schema empty has no tables")
	says(open(filepath.Join(dir, "t")), types.TableName{Name: "t"}, "is itself a Delta table: open the directory above it")
	says(open(filepath.Join(dir, "events")), types.TableName{Name: "t"}, "is itself an Iceberg table")
	path := func(format, name string) types.TableName {
		return types.TableName{Format: format, Path: filepath.Join(dir, name)}
	}
	says(c, path("iceberg", "t"), ": it is a Delta table, delta.`"+filepath.Join(dir, "t")+"`")
	says(c, path("delta", "events"), ": it is an Iceberg table, iceberg.`")
	says(c, path("delta", "empty"), ": the directory has no table of this format")
	says(c, path("delta", "nope"), ": the directory does not exist")
	says(c, types.TableName{Name: filepath.Join(dir, "t")}, "delta.`…` or iceberg.`…`")
	for _, name := range []types.TableName{{Schema: "parquet", Name: "/data/x.parquet"}, {Format: "delta", Path: "s3://bucket/x"}} {
		_, err := c.LoadTable(t.Context(), name)
		require.ErrorIs(t, err, storage.ErrUnsupportedFeature)
	}
}
