package driver_test

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/driver"
)

func TestSetSchema(t *testing.T) {
	ctx := context.Background()
	db := open(t, "memory://")
	conn := connection(t, db)
	exec(t, conn, "CREATE TABLE t (id INT); INSERT INTO t VALUES (1)")
	exec(t, conn, "SET schema = sales")
	_, err := tryRows(ctx, conn, "SELECT * FROM t")
	require.ErrorIs(t, err, driver.ErrTableNotFound)
	exec(t, conn, "CREATE TABLE t (id INT); INSERT INTO t VALUES (2)")
	require.Equal(t, "2", rows(t, conn, "SELECT id FROM t"))
	require.Equal(t, "2,1", rows(t, conn, "SELECT t.id, d.id FROM t, default.t d"))
	require.Equal(t, "sales,t,false", rows(t, conn, "SHOW TABLES"))
	_, err = driver.CopyFrom(ctx, conn, "t", nil, driver.CopyFromRows([][]any{{3}}))
	require.NoError(t, err)
	exec(t, conn, "RESET schema")
	require.Equal(t, "1", rows(t, conn, "SELECT id FROM t"))
	require.Equal(t, "2;3", rows(t, conn, "SELECT id FROM sales.t ORDER BY id"))
	exec(t, conn, "USE sales")
	require.Equal(t, "2", rows(t, conn, "SELECT count(*) FROM t"))
	exec(t, conn, "DROP TABLE t")
	require.NoError(t, conn.Close()) // a new session starts over
	require.Equal(t, "1", rows(t, db, "SELECT id FROM t"))
}

func TestDefaultSchemaIsOneTable(t *testing.T) {
	db := open(t, "memory://")
	exec(t, db, "CREATE TABLE t (id INT)")
	tx, err := db.Begin()
	require.NoError(t, err)
	exec(t, tx, "INSERT INTO default.t VALUES (1)")
	exec(t, tx, "INSERT INTO t VALUES (2)")
	require.Equal(t, "2", rows(t, tx, "SELECT count(*) FROM `DEFAULT`.t"))
	require.NoError(t, tx.Commit())
	require.Equal(t, "2", rows(t, db, "SELECT count(*) FROM t"))
}

func TestSchemaOption(t *testing.T) {
	dir := t.TempDir()
	db := open(t, dir+"?schema=s")
	exec(t, db, "CREATE TABLE t (id INT)")
	require.Equal(t, "0", rows(t, open(t, dir), "SELECT count(*) FROM s.t"))
	require.Equal(t, "s,t,false", rows(t, db, "SHOW TABLES"))
}

func TestSetErrors(t *testing.T) {
	db := open(t, "memory://")
	conn := connection(t, db)
	for _, c := range []struct{ statement, text string }{
		{"SET nosuch = 1", `unknown option "nosuch"; the options are catalog, catalog_name, commit_retries, format, isolation, log_level, memory_limit, read_only, schema, target_file_size, temp_dir, threads, timezone`},
		{"SET memory_limit = '1GiB'", "option memory_limit belongs to all connections"},
		{"SET multi_table = 'ordered'", `not yet supported option "multi_table"`},
		{"SET read_only = true", "option read_only belongs to all connections"},
		{"SET commit_retries = 3", "option commit_retries"},
		{"SET threads = 0", `option threads: "0" is not a whole number above zero`},
		{"SET format = hudi", `option format: "hudi" is neither delta nor iceberg`},
		{"SET timezone = 'Mars/Olympus'", "option timezone"},
		{"SET isolation = dirty", "is none of write_serializable, serializable, snapshot"},
		{"SET schema = ''", "option schema"},
		{"RESET nosuch", `unknown option "nosuch"`},
	} {
		_, err := conn.ExecContext(t.Context(), c.statement)
		require.ErrorIs(t, err, driver.ErrConfig, c.statement)
		require.ErrorContains(t, err, c.text)
	}
	exec(t, conn, "SET TIME ZONE 'Asia/Tokyo'; SET threads = 2; SET format = DELTA")
	require.Equal(t, "2024-01-02 00:00:00 +0900 JST", rows(t, conn, "SELECT TIMESTAMP '2024-01-02 00:00:00'"))
	exec(t, conn, "RESET")
	require.Equal(t, "2024-01-02 00:00:00 +0000 UTC", rows(t, conn, "SELECT TIMESTAMP '2024-01-02 00:00:00'"))
}

func TestUnsupportedOptionsInDSN(t *testing.T) {
	for _, name := range []string{"engine", "multi_table"} {
		_, err := sql.Open("tarn", "memory://?"+name+"=x")
		require.ErrorIs(t, err, driver.ErrConfig)
		require.ErrorContains(t, err, fmt.Sprintf("not yet supported option %q; the options are", name))
	}
}

func TestLogLevel(t *testing.T) {
	for level, logged := range map[string]bool{"info": true, "warn": true, "error": false} {
		var log bytes.Buffer
		config, err := driver.ParseDSN("memory://?log_level=" + level)
		require.NoError(t, err)
		config.Logger = slog.New(slog.NewTextHandler(&log, nil)).With("app", "x")
		db := sql.OpenDB(driver.NewConnector(config))
		conn, err := db.Conn(t.Context())
		require.NoError(t, err)
		exec(t, conn, "BEGIN")
		require.NoError(t, conn.Close())
		require.NoError(t, db.Close())
		require.Equal(t, logged, strings.Contains(log.String(), "rolled back"), level)
		require.Equal(t, logged, strings.Contains(log.String(), "app=x"), level)
	}
}

func TestIsolationLevels(t *testing.T) {
	db := open(t, "memory://")
	for level := sql.LevelDefault; level <= sql.LevelLinearizable; level++ {
		tx, err := db.BeginTx(t.Context(), &sql.TxOptions{Isolation: level})
		switch level {
		case sql.LevelDefault, sql.LevelRepeatableRead, sql.LevelSnapshot, sql.LevelSerializable:
			require.NoError(t, err, level)
			require.NoError(t, tx.Rollback())
		default:
			require.ErrorIs(t, err, driver.ErrTxState, level)
			require.ErrorContains(t, err, level.String())
		}
	}
}

// TestSerializableReads: what a serializable transaction read must not change,
// what another one read may.
func TestSerializableReads(t *testing.T) {
	for _, c := range []struct {
		level    sql.IsolationLevel
		conflict bool
	}{{sql.LevelDefault, false}, {sql.LevelSnapshot, false}, {sql.LevelSerializable, true}} {
		db := open(t, "memory://")
		exec(t, db, "CREATE TABLE t (id INT); INSERT INTO t VALUES (1)")
		tx, err := db.BeginTx(t.Context(), &sql.TxOptions{Isolation: c.level})
		require.NoError(t, err)
		require.Equal(t, "1", rows(t, tx, "SELECT count(*) FROM t"))
		exec(t, tx, "INSERT INTO t VALUES (2)")
		exec(t, db, "INSERT INTO t VALUES (3)")
		err = tx.Commit()
		if c.conflict {
			require.ErrorIs(t, err, driver.ErrConflict)
		} else {
			require.NoError(t, err, c.level)
		}
	}
}

// TestReadsOutliveSavepoints: a rollback to a savepoint doesn't make unread what
// the program has seen.
func TestReadsOutliveSavepoints(t *testing.T) {
	for _, statements := range [][]string{
		{"SELECT count(*) FROM t", "SAVEPOINT s", "INSERT INTO t VALUES (2)"},
		{"SAVEPOINT s", "INSERT INTO t VALUES (2)", "SELECT count(*) FROM t"},
		{"INSERT INTO t VALUES (2)", "SAVEPOINT s", "SELECT count(*) FROM t", "INSERT INTO t VALUES (4)"},
	} {
		db := open(t, "memory://")
		exec(t, db, "CREATE TABLE t (id INT); INSERT INTO t VALUES (1)")
		tx, err := db.BeginTx(t.Context(), &sql.TxOptions{Isolation: sql.LevelSerializable})
		require.NoError(t, err)
		for _, s := range append(statements, "ROLLBACK TO s", "INSERT INTO t VALUES (5)") {
			if strings.HasPrefix(s, "SELECT") {
				rows(t, tx, s)
			} else {
				exec(t, tx, s)
			}
		}
		exec(t, db, "INSERT INTO t VALUES (3)")
		require.ErrorIs(t, tx.Commit(), driver.ErrConflict, "%v", statements)
	}
}

func TestPreparedAcrossSchemaChanges(t *testing.T) {
	db := open(t, "memory://")
	conn := connection(t, db)
	exec(t, conn, "CREATE TABLE t (id INT); INSERT INTO t VALUES (1)")
	stmt, err := conn.PrepareContext(t.Context(), "SELECT * FROM t WHERE id >= ?")
	require.NoError(t, err)
	read := func() (string, error) {
		r, err := stmt.Query(0)
		if err != nil {
			return "", err
		}
		defer r.Close()
		columns, err := r.Columns()
		require.NoError(t, err)
		return strings.Join(columns, ","), nil
	}
	got, err := read()
	require.NoError(t, err)
	require.Equal(t, "id", got)
	exec(t, conn, "DROP TABLE t")
	_, err = read()
	require.ErrorIs(t, err, driver.ErrTableNotFound)
	exec(t, conn, "CREATE TABLE t (name STRING, id BIGINT)")
	got, err = read()
	require.NoError(t, err)
	require.Equal(t, "name,id", got)
	_, err = stmt.Query()
	require.ErrorContains(t, err, "expected 1 arguments, got 0")
	require.NoError(t, stmt.Close())
	_, err = conn.PrepareContext(t.Context(), "SELEC")
	require.ErrorIs(t, err, driver.ErrSyntax)
}

func TestOpenTransactionKeepsConnectionOutOfThePool(t *testing.T) {
	db := open(t, "memory://")
	db.SetMaxOpenConns(1)
	exec(t, db, "CREATE TABLE t (id INT)")
	exec(t, db, "BEGIN; INSERT INTO t VALUES (1)") // the connection is dropped, and with it the transaction
	require.Equal(t, "0", rows(t, db, "SELECT count(*) FROM t"))
	exec(t, db, "BEGIN; INSERT INTO t VALUES (1); COMMIT")
	require.Equal(t, "1", rows(t, db, "SELECT count(*) FROM t"))
	_, err := db.Exec("BEGIN; INSERT INTO t VALUES (2); SELECT nope; COMMIT")
	require.ErrorIs(t, err, driver.ErrColumnNotFound)
	require.Equal(t, "1", rows(t, db, "SELECT count(*) FROM t"))
}
