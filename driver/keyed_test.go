package driver_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/driver"
)

// TestUpsertManyRows writes rows most of which are in the table, with so little
// memory, too, that the writer forgets the keys that it has met again and again.
func TestUpsertManyRows(t *testing.T) {
	for _, c := range []struct{ dsn, properties string }{
		{"memory://", ""},
		{"memory://?memory_limit=1MiB", ""},
		{"memory://?memory_limit=1MiB", "TBLPROPERTIES ('delta.enableDeletionVectors' = 'true')"},
		{"memory://?format=iceberg&memory_limit=1MiB", "TBLPROPERTIES ('format-version' = '1')"},
		{"memory://?format=iceberg&memory_limit=1MiB", "TBLPROPERTIES ('format-version' = '2')"},
		{"memory://?format=iceberg&memory_limit=1MiB", "TBLPROPERTIES ('format-version' = '3')"},
		{"memory://?format=iceberg&memory_limit=1MiB", "TBLPROPERTIES ('write.format.default' = 'avro')"},
	} {
		t.Run(c.dsn+c.properties, func(t *testing.T) { upsertManyRows(t, c.dsn, c.properties) })
	}
}

func upsertManyRows(t *testing.T, dsn, properties string) {
	db := open(t, dsn)
	exec(t, db, "CREATE TABLE t (id BIGINT, part INT, v STRING) PARTITIONED BY (part) "+properties)
	exec(t, db, "INSERT INTO t SELECT id, id % 3, 'old' FROM range(0, 20000)")
	r, err := db.Exec("UPSERT INTO t KEYS (id) SELECT id % 15000 + 10000, id % 3, 'new ' || id FROM range(0, 30000) ORDER BY id")
	require.NoError(t, err)
	n, err := r.RowsAffected()
	require.NoError(t, err)
	require.EqualValues(t, 30000, n)
	require.Equal(t, "25000,25000,15000", rows(t, db, "SELECT count(*), count(DISTINCT id), count_if(v = 'new ' || (id + 5000)) FROM t"))
	r, err = db.Exec("APPLY CHANGES INTO t FROM (SELECT id % 25000 AS id, 0 AS part, 'cdc' AS v, id AS s FROM range(0, 50000)) KEYS (id) DELETE WHEN s % 2 = 0 SEQUENCE BY s")
	require.NoError(t, err)
	n, err = r.RowsAffected()
	require.NoError(t, err)
	require.EqualValues(t, 25000, n)
	require.Equal(t, "12500,12500", rows(t, db, "SELECT count(*), count_if(id % 2 = 1 AND v = 'cdc') FROM t"))
}

func TestUpsertWithParameters(t *testing.T) {
	db := open(t, "memory://")
	exec(t, db, "CREATE TABLE t (id BIGINT, v STRING)")
	s, err := db.Prepare("UPSERT INTO t KEYS (id) VALUES (?, ?)")
	require.NoError(t, err)
	defer s.Close()
	tx, err := db.Begin()
	require.NoError(t, err)
	for i := range 30 {
		_, err := tx.Stmt(s).Exec(i%10, fmt.Sprint("v", i))
		require.NoError(t, err)
	}
	require.NoError(t, tx.Commit())
	require.Equal(t, "10,v20,v29", rows(t, db, "SELECT count(*), min(v), max(v) FROM t"))
}

// TestDeleteByKeyIsNotCounted asks for what nobody knows.
func TestDeleteByKeyIsNotCounted(t *testing.T) {
	db := open(t, "memory://")
	exec(t, db, "CREATE TABLE t (id BIGINT, v STRING) TBLPROPERTIES ('tarn.delete.mode' = 'equality'); INSERT INTO t VALUES (1, 'a'), (2, 'b')")
	r, err := db.Exec("DELETE FROM t WHERE id = ?", 1)
	require.NoError(t, err)
	_, err = r.RowsAffected()
	require.ErrorIs(t, err, driver.ErrUnsupportedSQL)
	require.ErrorContains(t, err, "tarn.delete.mode")
	r, err = db.Exec("INSERT INTO t VALUES (3, 'c'); DELETE FROM t WHERE id IN (2, 9)")
	require.NoError(t, err)
	_, err = r.RowsAffected()
	require.Error(t, err, "of several statements, one is not counted")
	require.Equal(t, "3", rows(t, db, "SELECT id FROM t"))
	r, err = db.Exec("DELETE FROM t WHERE id > ?", 0)
	require.NoError(t, err)
	n, err := r.RowsAffected()
	require.NoError(t, err)
	require.EqualValues(t, 1, n)
}

// TestConcurrentUpserts lets several connections write the same keys: each key is
// there once, whoever wins.
func TestConcurrentUpserts(t *testing.T) {
	db := open(t, t.TempDir())
	exec(t, db, "CREATE TABLE t (id BIGINT, v STRING)")
	var wait sync.WaitGroup
	errs := make(chan error, 40)
	for w := range 4 {
		wait.Go(func() {
			for i := range 10 {
				_, err := db.Exec("UPSERT INTO t KEYS (id) VALUES (?, ?), (?, ?)", i, fmt.Sprint(w), 100+w, "own")
				errs <- err
			}
		})
	}
	wait.Wait()
	close(errs)
	done := 0
	for err := range errs {
		if err == nil {
			done++
		} else {
			require.True(t, errors.Is(err, driver.ErrConflict), err)
		}
	}
	require.NotZero(t, done)
	require.Equal(t, "0", rows(t, db, "SELECT count(*) - count(DISTINCT id) FROM t"))
}
