package driver_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/driver"
)

func open(t *testing.T, dsn string) *sql.DB {
	t.Helper()
	db, err := sql.Open("tarn", dsn)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	return db
}

// querier is what *sql.DB, *sql.Conn and *sql.Tx have in common.
type querier interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

func exec(t *testing.T, q querier, query string, args ...any) int64 {
	t.Helper()
	r, err := q.ExecContext(context.Background(), query, args...)
	require.NoError(t, err, query)
	n, err := r.RowsAffected()
	require.NoError(t, err)
	return n
}

// rows gives a result as text: columns apart by commas, rows by semicolons.
func rows(t *testing.T, q querier, query string, args ...any) string {
	t.Helper()
	text, err := tryRows(context.Background(), q, query, args...)
	require.NoError(t, err, query)
	return text
}

func tryRows(ctx context.Context, q querier, query string, args ...any) (string, error) {
	r, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return "", err
	}
	defer r.Close()
	columns, err := r.Columns()
	if err != nil {
		return "", err
	}
	var lines []string
	for r.Next() {
		values := make([]any, len(columns))
		into := make([]any, len(columns))
		for i := range values {
			into[i] = &values[i]
		}
		if err := r.Scan(into...); err != nil {
			return "", err
		}
		cells := make([]string, len(values))
		for i, v := range values {
			cells[i] = fmt.Sprint(v)
		}
		lines = append(lines, strings.Join(cells, ","))
	}
	return strings.Join(lines, ";"), errors.Join(r.Err(), r.Close())
}

// eachFormat runs a test in a new directory with the options for each format, and
// for a catalog.
func eachFormat(t *testing.T, test func(t *testing.T, dir, options string)) {
	for name, options := range map[string]string{
		"delta": "", "iceberg": "?format=iceberg", "catalog": "?catalog=sqlite:" + url.QueryEscape(filepath.Join(t.TempDir(), "catalog.db")),
	} {
		t.Run(name, func(t *testing.T) { test(t, t.TempDir(), options) })
	}
}

// firstVersion is the version of a table t after its first INSERT.
func firstVersion(t *testing.T, db *sql.DB, options string) string {
	if options == "" {
		return "1" // the second commit
	}
	return rows(t, db, "SELECT snapshot_id FROM t.snapshots WHERE parent_id IS NULL")
}

func dataFiles(t *testing.T, dir string) int {
	t.Helper()
	n := 0
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".parquet") && !strings.Contains(path, "_delta_log") {
			n++
		}
		return err
	}))
	return n
}

func TestPreparedInsertsShareFiles(t *testing.T) { eachFormat(t, onPreparedInsertsShareFiles) }

func onPreparedInsertsShareFiles(t *testing.T, dir, options string) {
	db := open(t, dir+options)
	exec(t, db, "CREATE TABLE t (id BIGINT, part STRING, at TIMESTAMP) PARTITIONED BY (part)")
	tx, err := db.Begin()
	require.NoError(t, err)
	stmt, err := tx.Prepare("INSERT INTO t VALUES (?, ?, ?)")
	require.NoError(t, err)
	at := time.Date(2024, 1, 2, 3, 4, 5, 6000, time.UTC)
	for i := range 10_000 {
		_, err := stmt.Exec(i, fmt.Sprint("p", i%3), at)
		require.NoError(t, err)
	}
	require.NoError(t, stmt.Close())
	require.NoError(t, tx.Commit())
	require.Equal(t, 3, dataFiles(t, dir))
	require.Equal(t, "10000,49995000,2024-01-02 03:04:05.000006 +0000 UTC", rows(t, db, "SELECT count(*), sum(id), max(at) FROM t"))
}

func TestReadYourWritesAndIsolation(t *testing.T) { eachFormat(t, onReadYourWritesAndIsolation) }

func onReadYourWritesAndIsolation(t *testing.T, dir, options string) {
	db := open(t, dir+options)
	exec(t, db, "CREATE TABLE t (id INT, v STRING)")
	exec(t, db, "INSERT INTO t VALUES (1, 'a'), (2, 'b')")
	tx, err := db.Begin()
	require.NoError(t, err)
	require.EqualValues(t, 1, exec(t, tx, "INSERT INTO t VALUES (3, 'c')"))
	require.Equal(t, "1,a;2,b;3,c", rows(t, tx, "SELECT * FROM t ORDER BY id"))
	require.EqualValues(t, 1, exec(t, tx, "UPDATE t SET v = upper(v) WHERE id = 3"))
	require.EqualValues(t, 1, exec(t, tx, "DELETE FROM t WHERE id = 1"))
	require.Equal(t, "2,b;3,C", rows(t, tx, "SELECT * FROM t ORDER BY id"))
	require.Equal(t, "1,a;2,b", rows(t, db, "SELECT * FROM t ORDER BY id"))

	// A snapshot that was taken before the commit stays.
	old, err := db.Begin()
	require.NoError(t, err)
	require.Equal(t, "2", rows(t, old, "SELECT count(*) FROM t"))
	require.NoError(t, tx.Commit())
	require.Equal(t, "1,a;2,b", rows(t, old, "SELECT * FROM t ORDER BY id"))
	require.NoError(t, old.Rollback())
	require.Equal(t, "2,b;3,C", rows(t, db, "SELECT * FROM t ORDER BY id"))
	require.Equal(t, "1,a;2,b", rows(t, db, "SELECT * FROM t VERSION AS OF "+firstVersion(t, db, options)+" ORDER BY id"))
}

// TestOwnTables sees the tables that a transaction has created or dropped as it
// sees its rows.
func TestOwnTables(t *testing.T) { eachFormat(t, onOwnTables) }

func onOwnTables(t *testing.T, dir, options string) {
	db := open(t, dir+options)
	exec(t, db, "CREATE TABLE t (id INT)")
	ctx := t.Context()
	tx, err := db.Begin()
	require.NoError(t, err)
	exec(t, tx, "CREATE TABLE a (id INT)")
	require.Equal(t, "default,a,false;default,t,false", rows(t, tx, "SHOW TABLES"))
	require.NoError(t, tx.Rollback())

	tx, err = db.Begin()
	require.NoError(t, err)
	require.Equal(t, "0", rows(t, tx, "SELECT count(*) FROM t"))
	exec(t, tx, "DROP TABLE t")
	require.Empty(t, rows(t, tx, "SHOW TABLES"))
	for _, query := range []string{"SELECT * FROM t", "SELECT * FROM T", "SELECT * FROM t VERSION AS OF 0", "INSERT INTO t VALUES (1)", "DELETE FROM t"} {
		_, err = tryRows(ctx, tx, query)
		require.ErrorIs(t, err, driver.ErrTableNotFound, query)
	}
	_, err = tryRows(ctx, tx, "CREATE TABLE t (other STRING)")
	require.ErrorIs(t, err, driver.ErrTxState)
	require.Equal(t, "0", rows(t, db, "SELECT count(*) FROM t"))
	require.NoError(t, tx.Rollback())
	require.Equal(t, "0", rows(t, db, "SELECT count(*) FROM t"))
}

func TestRollbackRemovesFiles(t *testing.T) { eachFormat(t, onRollbackRemovesFiles) }

func onRollbackRemovesFiles(t *testing.T, dir, options string) {
	db := open(t, dir+options)
	exec(t, db, "CREATE TABLE t (id INT)")
	exec(t, db, "INSERT INTO t VALUES (1)")
	before := dataFiles(t, dir)
	tx, err := db.Begin()
	require.NoError(t, err)
	exec(t, tx, "INSERT INTO t VALUES (2)")
	require.Equal(t, "2", rows(t, tx, "SELECT count(*) FROM t"))
	exec(t, tx, "DELETE FROM t WHERE id = 1")
	exec(t, tx, "UPSERT INTO t KEYS (id) VALUES (2), (3), (3)")
	require.NoError(t, tx.Rollback())
	require.Equal(t, before, dataFiles(t, dir))
	require.Equal(t, "1", rows(t, db, "SELECT * FROM t"))
}

func TestConflict(t *testing.T) { eachFormat(t, onConflict) }

func onConflict(t *testing.T, dir, options string) {
	db := open(t, dir+options)
	exec(t, db, "CREATE TABLE t (id INT)")
	exec(t, db, "INSERT INTO t VALUES (1), (2)")
	a, err := db.Begin()
	require.NoError(t, err)
	b, err := db.Begin()
	require.NoError(t, err)
	exec(t, a, "DELETE FROM t WHERE id = 1")
	exec(t, b, "DELETE FROM t WHERE id = 1")
	require.NoError(t, a.Commit())
	err = b.Commit()
	require.ErrorIs(t, err, driver.ErrConflict)
	var conflict *driver.CommitConflict
	require.ErrorAs(t, err, &conflict)
	require.Equal(t, "t", conflict.Table)
	var e *driver.Error
	require.ErrorAs(t, err, &e)
	require.Equal(t, "40001", e.SQLState())
	require.True(t, e.SafeToRetry())
	require.Equal(t, "2", rows(t, db, "SELECT * FROM t"))
}

func TestBlindAppendsDoNotConflict(t *testing.T) { eachFormat(t, onBlindAppendsDoNotConflict) }

func onBlindAppendsDoNotConflict(t *testing.T, dir, options string) {
	db := open(t, dir+options)
	exec(t, db, "CREATE TABLE t (id INT)")
	a, err := db.Begin()
	require.NoError(t, err)
	b, err := db.Begin()
	require.NoError(t, err)
	exec(t, a, "INSERT INTO t VALUES (1)")
	exec(t, b, "INSERT INTO t VALUES (2)")
	require.NoError(t, a.Commit())
	require.NoError(t, b.Commit())
	require.Equal(t, "1;2", rows(t, db, "SELECT id FROM t ORDER BY id"))
}

func TestReadOnly(t *testing.T) {
	dir := t.TempDir()
	db := open(t, dir)
	exec(t, db, "CREATE TABLE t (id INT)")
	tx, err := db.BeginTx(context.Background(), &sql.TxOptions{ReadOnly: true})
	require.NoError(t, err)
	_, err = tx.Exec("INSERT INTO t VALUES (1)")
	require.ErrorIs(t, err, driver.ErrReadOnly)
	require.NoError(t, tx.Rollback())
	_, err = open(t, dir+"?read_only=true").Exec("INSERT INTO t VALUES (1)")
	require.ErrorIs(t, err, driver.ErrReadOnly)
	_, err = db.Exec("INSERT INTO t VERSION AS OF 0 VALUES (1)")
	require.Error(t, err)
	_, err = db.BeginTx(context.Background(), &sql.TxOptions{Isolation: sql.LevelReadCommitted})
	require.ErrorIs(t, err, driver.ErrTxState)
}

func TestCancelledContext(t *testing.T) { eachFormat(t, onCancelledContext) }

func onCancelledContext(t *testing.T, dir, options string) {
	db := open(t, dir+options)
	exec(t, db, "CREATE TABLE t (id BIGINT)")
	exec(t, db, "INSERT INTO t VALUES (1)")
	before := dataFiles(t, dir)
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := db.QueryContext(cancelled, "SELECT * FROM t")
	require.ErrorIs(t, err, context.Canceled)
	_, err = db.ExecContext(cancelled, "INSERT INTO t VALUES (2)")
	require.ErrorIs(t, err, context.Canceled)

	// Cancelled between statement and commit: nothing is committed or left.
	ctx, cancel := context.WithCancel(context.Background())
	tx, err := db.BeginTx(ctx, nil)
	require.NoError(t, err)
	_, err = tx.ExecContext(ctx, "INSERT INTO t VALUES (3)")
	require.NoError(t, err)
	cancel()
	require.Error(t, tx.Commit())
	require.Eventually(t, func() bool { return dataFiles(t, dir) == before }, 5*time.Second, 5*time.Millisecond)
	require.Equal(t, "1", rows(t, db, "SELECT * FROM t"))

	// Cancelled while rows are read.
	ctx, cancel = context.WithCancel(context.Background())
	r, err := db.QueryContext(ctx, "SELECT a.id FROM t a, t b, t c")
	require.NoError(t, err)
	cancel()
	for r.Next() {
	}
	require.NoError(t, r.Close())
}

func TestSQLTransactions(t *testing.T) { eachFormat(t, onSQLTransactions) }

func onSQLTransactions(t *testing.T, dir, options string) {
	db := open(t, dir+options)
	ctx := context.Background()
	conn, err := db.Conn(ctx)
	require.NoError(t, err)
	exec(t, conn, "CREATE TABLE t (id INT)")
	exec(t, conn, "BEGIN; INSERT INTO t VALUES (1); SAVEPOINT s; INSERT INTO t VALUES (2); ROLLBACK TO s; INSERT INTO t VALUES (3); COMMIT")
	require.Equal(t, "1;3", rows(t, conn, "SELECT * FROM t ORDER BY id"))
	exec(t, conn, "BEGIN")
	exec(t, conn, "DELETE FROM t")
	exec(t, conn, "ROLLBACK")
	require.Equal(t, "2", rows(t, conn, "SELECT count(*) FROM t"))
	_, err = conn.ExecContext(ctx, "COMMIT")
	require.ErrorIs(t, err, driver.ErrTxState)
	exec(t, conn, "BEGIN")
	exec(t, conn, "INSERT INTO t VALUES (4)")
	require.NoError(t, conn.Close()) // rolled back: the pool drops the connection
	require.Equal(t, "2", rows(t, db, "SELECT count(*) FROM t"))
	tx, err := db.Begin()
	require.NoError(t, err)
	_, err = tx.Exec("BEGIN")
	require.ErrorIs(t, err, driver.ErrTxState)
	_, err = tx.Exec("COMMIT")
	require.ErrorIs(t, err, driver.ErrTxState)
	require.NoError(t, tx.Rollback())
}

func TestMultiTableIsRefused(t *testing.T) {
	db := open(t, t.TempDir())
	exec(t, db, "CREATE TABLE a (id INT); CREATE TABLE b (id INT)")
	tx, err := db.Begin()
	require.NoError(t, err)
	exec(t, tx, "INSERT INTO a VALUES (1)")
	_, err = tx.Exec("INSERT INTO b VALUES (1)")
	require.ErrorIs(t, err, driver.ErrMultiTableCommit)
	require.NoError(t, tx.Commit())
	require.Equal(t, "1", rows(t, db, "SELECT count(*) FROM a"))
	require.Equal(t, "0", rows(t, db, "SELECT count(*) FROM b"))
}
