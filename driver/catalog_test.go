package driver_test

import (
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/driver"
	_ "github.com/tarndb/tarn/storage/catalog/sqlite"
)

// emptyTable writes the metadata of an Iceberg table with a column and no
// snapshot, and gives its location.
func emptyTable(t *testing.T, dir, column string) string {
	metadata := fmt.Sprintf(`{"format-version": 2, "table-uuid": "9c12d441-03fe-4693-9a96-a0705ddf69c1", "location": %q, "last-sequence-number": 0, "last-updated-ms": 1,
		"last-column-id": 1, "current-schema-id": 0, "schemas": [{"type": "struct", "schema-id": 0, "fields": [{"id": 1, "name": %q, "required": false, "type": "long"}]}],
		"default-spec-id": 0, "partition-specs": [{"spec-id": 0, "fields": []}], "last-partition-id": 999, "default-sort-order-id": 0, "sort-orders": [{"order-id": 0, "fields": []}]}`, dir, column)
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "metadata"), 0o700))
	location := filepath.Join(dir, "metadata", "00000-9c12d441-03fe-4693-9a96-a0705ddf69c1.metadata.json")
	require.NoError(t, os.WriteFile(location, []byte(metadata), 0o600))
	return location
}

func TestCatalogNames(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "cat.db")
	database, err := sql.Open("sqlite", file)
	require.NoError(t, err)
	defer database.Close()
	for _, statement := range []string{
		"CREATE TABLE iceberg_tables (catalog_name, table_namespace, table_name, metadata_location, previous_metadata_location, PRIMARY KEY (catalog_name, table_namespace, table_name))",
		"CREATE TABLE iceberg_namespace_properties (catalog_name, namespace, property_key, property_value)",
	} {
		_, err := database.Exec(statement)
		require.NoError(t, err)
	}
	put := func(namespace, name, location string) {
		_, err := database.Exec("INSERT INTO iceberg_tables VALUES ('lake', ?, ?, ?, NULL)", namespace, name, location)
		require.NoError(t, err)
	}
	warehouse := filepath.Join(dir, "warehouse")
	put("default", "plain", emptyTable(t, filepath.Join(warehouse, "default", "plain"), "in_default"))
	put("sales", "Orders", "file://"+emptyTable(t, filepath.Join(dir, "elsewhere"), "outside"))
	put("a.b", "deep", emptyTable(t, filepath.Join(warehouse, "a", "b", "deep"), "in_levels"))
	db := open(t, warehouse+"?catalog=sqlite:"+url.QueryEscape(file)+"&catalog_name=lake")
	for name, column := range map[string]string{
		"plain": "in_default", `"default".plain`: "in_default", "lake.default.plain": "in_default", "LAKE.default.PLAIN": "in_default",
		"sales.orders": "outside", "lake.sales.orders": "outside",
		"a.b.deep": "in_levels", "`a.b`.deep": "in_levels", "lake.a.b.deep": "in_levels",
		"iceberg.`" + filepath.Join(dir, "elsewhere") + "`": "outside",
	} {
		result, err := db.Query("SELECT * FROM " + name)
		require.NoError(t, err, name)
		columns, err := result.Columns()
		require.NoError(t, err)
		require.Equal(t, []string{column}, columns, name)
		require.NoError(t, result.Close())
	}
	for _, name := range []string{"plain.snapshots", "sales.orders.snapshots", "lake.sales.orders.snapshots", "lake.a.b.deep.snapshots"} {
		require.Equal(t, "0", rows(t, db, "SELECT count(*) FROM "+name), name)
	}
	require.Equal(t, "sales,Orders,false", rows(t, db, "SHOW TABLES IN sales"))
	for query, says := range map[string]string{
		"SELECT * FROM nosuch":          "the tables are plain",
		"SELECT * FROM nosuch.t":        "the catalog lake has no schema nosuch",
		"SELECT * FROM lake.nosuch.t":   "the catalog lake has no schema nosuch",
		"SELECT * FROM other.sales.ord": "the catalog lake has no schema `other.sales`",
		"SELECT * FROM a.t":             "the catalog lake has no tables in the schema a",
	} {
		_, err := db.Query(query)
		require.ErrorIs(t, err, driver.ErrTableNotFound, query)
		require.ErrorContains(t, err, says)
	}
}

// TestTableMadeAnew: a handle does not take another table of the same name for
// its own.
func TestTableMadeAnew(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "cat.db")
	database, err := sql.Open("sqlite", file)
	require.NoError(t, err)
	defer database.Close()
	_, err = database.Exec("CREATE TABLE iceberg_tables (catalog_name, table_namespace, table_name, metadata_location, previous_metadata_location)")
	require.NoError(t, err)
	_, err = database.Exec("INSERT INTO iceberg_tables VALUES ('default', 'default', 't', ?, NULL)", emptyTable(t, filepath.Join(dir, "one"), "first"))
	require.NoError(t, err)
	db := open(t, dir+"?catalog=sqlite:"+url.QueryEscape(file))
	require.Equal(t, "", rows(t, db, "SELECT first FROM t"))
	require.Equal(t, "", rows(t, db, "SELECT first FROM default.default.t"))
	_, err = database.Exec("UPDATE iceberg_tables SET metadata_location = ?", emptyTable(t, filepath.Join(dir, "two"), "second"))
	require.NoError(t, err)
	require.Equal(t, "", rows(t, db, "SELECT second FROM default.default.t"))
	require.Equal(t, "", rows(t, db, "SELECT second FROM t"))
}

// TestCatalogTables makes, changes and drops tables of a catalog. A dropped table's
// files stay.
func TestCatalogTables(t *testing.T) {
	dir := t.TempDir()
	dsn := filepath.Join(dir, "lake") + "?catalog_name=lake&catalog=sqlite:" + url.QueryEscape(filepath.Join(dir, "cat.db"))
	db, other := open(t, dsn), open(t, dsn)
	exec(t, db, "CREATE TABLE sales.eu.orders (id INT, v STRING) PARTITIONED BY (v)")
	exec(t, db, "INSERT INTO lake.sales.eu.orders VALUES (1, 'a'), (2, 'b')")
	for _, statement := range []string{"CREATE TABLE lake.sales.eu.orders (other INT)", "CREATE TABLE sales.eu.Orders AS SELECT 1 x"} {
		_, err := other.Exec(statement)
		require.ErrorIs(t, err, driver.ErrTableExists)
	}
	exec(t, other, "CREATE TABLE t AS SELECT * FROM sales.eu.orders WHERE id = 2")
	require.DirExists(t, filepath.Join(dir, "lake", "default", "t", "metadata"))
	exec(t, other, "UPDATE sales.eu.orders SET v = upper(v)")
	require.Equal(t, "1,A;2,B", rows(t, db, "SELECT * FROM sales.eu.orders ORDER BY id"))
	require.Equal(t, "2,b", rows(t, db, "SELECT * FROM lake.default.t"))

	for _, name := range []string{"sales.eu", "lake.sales.eu", "`sales.eu`"} {
		require.Equal(t, "sales.eu,orders,false", rows(t, db, "SHOW TABLES IN "+name))
	}

	// Own writes are seen under every spelling of the name.
	tx, err := db.Begin()
	require.NoError(t, err)
	exec(t, tx, "DELETE FROM t")
	require.Equal(t, "", rows(t, tx, "SELECT * FROM lake.default.t"))
	require.NoError(t, tx.Rollback())

	a, err := db.Begin()
	require.NoError(t, err)
	b, err := other.Begin()
	require.NoError(t, err)
	exec(t, a, "UPDATE sales.eu.orders SET v = 'x' WHERE id = 1")
	exec(t, b, "UPDATE lake.sales.eu.orders SET v = 'y' WHERE id = 1")
	require.NoError(t, a.Commit())
	require.ErrorIs(t, b.Commit(), driver.ErrConflict)

	files := dataFiles(t, dir)
	exec(t, db, "DROP TABLE lake.sales.eu.orders")
	require.Equal(t, files, dataFiles(t, dir))
	_, err = other.Query("SELECT * FROM sales.eu.orders")
	require.ErrorIs(t, err, driver.ErrTableNotFound)
	_, err = db.Exec("DROP TABLE sales.eu.orders")
	require.ErrorIs(t, err, driver.ErrTableNotFound)
	exec(t, db, "CREATE TABLE sales.eu.orders (id BIGINT)")
	require.Equal(t, "", rows(t, other, "SELECT * FROM sales.eu.orders"))
	_, err = db.Exec("CREATE TABLE d (id INT) USING delta")
	require.ErrorIs(t, err, driver.ErrUnsupportedFeature)
	require.ErrorContains(t, err, "USING delta in a catalog of Iceberg tables")
}

func TestCatalogOptions(t *testing.T) {
	dir := t.TempDir()
	for dsn, says := range map[string]string{
		"?catalog=sqlite:" + filepath.Join(dir, "nosuch", "cat.db"): "there is no directory",
		"?catalog=sqlite:":                     "names no file",
		"?catalog=":                            "names nothing",
		"?catalog=postgres://me:secret@host/x": "known are sqlite",
		"?read_only=true&catalog=sqlite:" + filepath.Join(dir, "nosuch.db"): "no such file",
	} {
		db, err := sql.Open("tarn", dir+dsn)
		if err == nil {
			err = db.Ping()
			require.NoError(t, db.Close())
		}
		require.ErrorIs(t, err, driver.ErrConfig, dsn)
		require.ErrorContains(t, err, "option catalog: ")
		require.ErrorContains(t, err, says)
		require.NotContains(t, err.Error(), "secret")
	}
}
