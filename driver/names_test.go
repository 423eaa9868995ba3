package driver_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/driver"
)

func TestTableNamesIgnoreCase(t *testing.T) {
	for _, dsn := range []string{"memory://", t.TempDir()} {
		db := open(t, dsn)
		exec(t, db, "CREATE TABLE Mixed (Id INT)")
		exec(t, db, "INSERT INTO MIXED (ID) VALUES (1)")
		require.Equal(t, "1", rows(t, db, "SELECT iD FROM mixed"))
		require.Equal(t, "0", rows(t, db, "SELECT count(*) FROM mixed VERSION AS OF 0"))
		require.Equal(t, "default,Mixed,false", rows(t, db, "SHOW TABLES"))
		_, err := db.Exec("CREATE TABLE mixed (id INT)")
		require.ErrorIs(t, err, driver.ErrTableExists)
		exec(t, db, "CREATE TABLE IF NOT EXISTS MIXED (id INT)")

		// In a transaction all spellings are one table.
		tx, err := db.Begin()
		require.NoError(t, err)
		exec(t, tx, "INSERT INTO mixed VALUES (2)")
		exec(t, tx, "INSERT INTO Mixed VALUES (3)")
		require.Equal(t, "3", rows(t, tx, "SELECT count(*) FROM MIXED"))
		require.NoError(t, tx.Commit())
		require.Equal(t, "3", rows(t, db, "SELECT count(*) FROM mixed"))

		exec(t, db, "DROP TABLE mixED")
		_, err = tryRows(t.Context(), db, "SELECT * FROM Mixed")
		require.ErrorIs(t, err, driver.ErrTableNotFound)
		exec(t, db, "BEGIN; CREATE TABLE mIxed (id INT); INSERT INTO mixed VALUES (7); COMMIT")
		require.Equal(t, "7", rows(t, db, "SELECT * FROM MIXED"))
		require.Equal(t, "default,mIxed,false", rows(t, db, "SHOW TABLES"))
	}
}

// TestTablesThatDifferInCase: another program may have made such tables; each
// is reached by its exact name.
func TestTablesThatDifferInCase(t *testing.T) {
	dir := t.TempDir()
	db := open(t, dir)
	exec(t, db, "CREATE TABLE a (id INT); INSERT INTO a VALUES (1); CREATE TABLE b (id INT); INSERT INTO b VALUES (2)")
	require.NoError(t, os.Rename(filepath.Join(dir, "b"), filepath.Join(dir, "A")))
	require.NoError(t, db.Close())
	if _, err := os.Stat(filepath.Join(dir, "a", "_delta_log")); err != nil {
		t.Skip("the file system does not tell a from A")
	}
	again := open(t, dir)
	require.Equal(t, "1,2", rows(t, again, "SELECT a.id, b.id FROM a, `A` b"))
}

// TestTableRemovedByAnother: a table whose directory is gone can be created.
func TestTableRemovedByAnother(t *testing.T) {
	dir := t.TempDir()
	db := open(t, dir)
	exec(t, db, "CREATE TABLE t (id INT); INSERT INTO t VALUES (1)")
	require.NoError(t, os.RemoveAll(filepath.Join(dir, "t")))
	_, err := tryRows(t.Context(), db, "SELECT * FROM t")
	require.ErrorIs(t, err, driver.ErrTableNotFound)
	exec(t, db, "CREATE TABLE t (id INT); INSERT INTO t VALUES (5)")
	require.Equal(t, "5", rows(t, db, "SELECT * FROM t"))
	require.NoError(t, os.RemoveAll(filepath.Join(dir, "t")))
	exec(t, db, "CREATE TABLE T (name STRING)")
	require.Equal(t, "", rows(t, db, "SELECT name FROM t"))
}
