package driver_test

import (
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/driver"
)

// requireState checks an error's sentinel and SQLSTATE.
func requireState(t *testing.T, err, sentinel error, state, what string) {
	t.Helper()
	require.ErrorIs(t, err, sentinel, what)
	var e *driver.Error
	require.ErrorAs(t, err, &e, what)
	require.Equal(t, state, e.SQLState(), what)
	require.True(t, strings.HasPrefix(err.Error(), "tarn: "), what)
}

func TestErrorsOfStatements(t *testing.T) {
	db := open(t, "memory://")
	exec(t, db, "CREATE TABLE t (id INT NOT NULL, name STRING); CREATE TABLE u (id INT)")
	for _, c := range []struct {
		query    string
		sentinel error
		state    string
	}{
		{"SELEC 1", driver.ErrSyntax, "42601"},
		{"SELECT nope FROM t", driver.ErrColumnNotFound, "42703"},
		{"SELECT id FROM t, u", driver.ErrAmbiguousColumn, "42702"},
		{"SELECT * FROM nope", driver.ErrTableNotFound, "42P01"},
		{"DROP TABLE nope", driver.ErrTableNotFound, "42P01"},
		{"SELECT nofunc(1)", driver.ErrFunctionNotFound, "42883"},
		{"SELECT CAST('x' AS INT)", driver.ErrInvalidValue, "22000"},
		{"SELECT 1 / 0", driver.ErrInvalidValue, "22000"},
		{"SELECT 2147483647 + 1", driver.ErrInvalidValue, "22000"},
		{"SELECT array(1) + 1", driver.ErrTypeMismatch, "42804"},
		{"INSERT INTO t VALUES (DATE '2024-01-01', 'a')", driver.ErrTypeMismatch, "42804"},
		{"SELECT name FROM t GROUP BY id", driver.ErrInvalidSQL, "42000"},
		{"SELECT ?", driver.ErrParameter, "07001"},
		{"CREATE TABLE t (id INT)", driver.ErrTableExists, "42P07"},
		{"INSERT INTO t VALUES (NULL, 'a')", driver.ErrConstraint, "23000"},
		{"INSERT INTO t VALUES (99999999999, 'a')", driver.ErrInvalidValue, "22000"},
		{"MERGE INTO t USING VALUES (1), (1) AS s(id) ON t.id = s.id WHEN MATCHED THEN UPDATE SET name = 'x'", driver.ErrMergeCardinality, "21000"},
		{"SELECT * FROM t VERSION AS OF 7", driver.ErrVersionNotFound, "22023"},
		{"SELECT * FROM t VERSION AS OF 'branch'", driver.ErrVersionNotFound, "22023"},
		{"SELECT * FROM t TIMESTAMP AS OF '2001-01-01'", driver.ErrTimestampOutOfRange, "22023"},
		{"DELETE FROM t VERSION AS OF 0", driver.ErrReadOnlySnapshot, "25006"},
		{"VACUUM t", driver.ErrUnsupportedSQL, "0A000"},
		{"CREATE TABLE x (id INT) LOCATION '/x'", driver.ErrUnsupportedFeature, "0A000"},
		{"CREATE TABLE x (id INT) USING iceberg", driver.ErrUnsupportedFeature, "0A000"},
		{"SHOW TABLES IN `../x`", driver.ErrSchemaNotFound, "3F000"},
		{"COMMIT", driver.ErrTxState, "25000"},
		{"BEGIN; BEGIN", driver.ErrTxState, "25000"},
		{"BEGIN; INSERT INTO t VALUES (1, ''); INSERT INTO u VALUES (1)", driver.ErrMultiTableCommit, "0A000"},
		{"SET nope = 1", driver.ErrConfig, "08001"},
	} {
		if strings.HasPrefix(c.query, "MERGE") {
			exec(t, db, "INSERT INTO t VALUES (1, 'a')")
		}
		_, err := tryRows(t.Context(), db, c.query)
		requireState(t, err, c.sentinel, c.state, c.query)
		_, err = db.Exec(c.query)
		requireState(t, err, c.sentinel, c.state, c.query)
	}
	require.Equal(t, "1", rows(t, db, "SELECT count(*) FROM t"))
	var syntax *driver.SyntaxError
	_, err := db.Exec("SELECT 1\nFORM t x")
	require.ErrorAs(t, err, &syntax)
	require.Equal(t, []int{2, 6}, []int{syntax.Line, syntax.Column})
	var bound *driver.BindError
	_, err = db.Exec("SELECT 1;\n SELECT nope FROM t")
	require.ErrorAs(t, err, &bound)
	require.Equal(t, []int{2, 9}, []int{bound.Line, bound.Column})
}

// TestErrorsOfTables damages tables.
func TestErrorsOfTables(t *testing.T) {
	for name, c := range map[string]struct {
		damage   func(t *testing.T, dir string)
		sentinel error
		state    string
	}{
		"missing data file": {func(t *testing.T, dir string) { remove(t, dir, "*.parquet") }, driver.ErrDataFileMissing, "58P01"},
		"missing commit":    {func(t *testing.T, dir string) { remove(t, dir, "_delta_log/00000000000000000001.json") }, driver.ErrCorrupt, "XX001"},
		"damaged commit": {func(t *testing.T, dir string) {
			require.NoError(t, os.WriteFile(filepath.Join(dir, "_delta_log/00000000000000000001.json"), []byte("{\"add\": oops\n"), 0o600))
		}, driver.ErrCorrupt, "XX001"},
		"damaged data file": {func(t *testing.T, dir string) {
			files, err := filepath.Glob(filepath.Join(dir, "*.parquet"))
			require.NoError(t, err)
			require.NoError(t, os.WriteFile(files[0], []byte("PAR1 nothing PAR1"), 0o600))
		}, driver.ErrCorrupt, "XX001"},
		"unknown feature": {func(t *testing.T, dir string) {
			require.NoError(t, os.WriteFile(filepath.Join(dir, "_delta_log/00000000000000000003.json"),
				[]byte(`{"protocol":{"minReaderVersion":3,"minWriterVersion":7,"readerFeatures":["nosuch"],"writerFeatures":["nosuch"]}}`+"\n"), 0o600))
		}, driver.ErrUnsupportedFeature, "0A000"},
		"no columns": {func(t *testing.T, dir string) {
			require.NoError(t, os.WriteFile(filepath.Join(dir, "_delta_log/00000000000000000003.json"),
				[]byte(`{"metaData":{"id":"x","format":{"provider":"parquet","options":{}},"schemaString":"{\"type\":\"struct\",\"fields\":[]}","partitionColumns":[],"configuration":{}}}`+"\n"), 0o600))
		}, driver.ErrSchemaMismatch, "42804"},
		"no table": {func(t *testing.T, dir string) { require.NoError(t, os.RemoveAll(filepath.Join(dir, "_delta_log"))) }, driver.ErrTableNotFound, "42P01"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			db, err := sql.Open("tarn", dir)
			require.NoError(t, err)
			exec(t, db, "CREATE TABLE t (id INT); INSERT INTO t VALUES (1); INSERT INTO t VALUES (2)")
			require.NoError(t, db.Close())
			c.damage(t, filepath.Join(dir, "t"))
			_, err = tryRows(t.Context(), open(t, dir), "SELECT * FROM t")
			requireState(t, err, c.sentinel, c.state, name)
		})
	}
}

func remove(t *testing.T, dir, pattern string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, pattern))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, f := range files {
		require.NoError(t, os.Remove(f))
	}
}

func TestErrorsOfFullDisk(t *testing.T) {
	dir := t.TempDir()
	db := open(t, dir)
	exec(t, db, "CREATE TABLE t (id INT)")
	log := filepath.Join(dir, "t", "_delta_log")
	require.NoError(t, os.Rename(log, log+"-away"))
	require.NoError(t, os.WriteFile(log, nil, 0o600)) // where the directory was
	_, err := db.Exec("INSERT INTO t VALUES (1)")
	require.Error(t, err)
	var e *driver.Error
	require.ErrorAs(t, err, &e)
	require.NotEqual(t, "XX000", e.SQLState(), err)
	require.NoError(t, os.Remove(log))
	require.NoError(t, os.Rename(log+"-away", log))
	require.Equal(t, "0", rows(t, db, "SELECT count(*) FROM t"))
	require.Equal(t, 0, dataFiles(t, dir))
}
