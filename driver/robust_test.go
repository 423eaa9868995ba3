package driver_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/driver"
)

// checkGoroutines fails if the test leaves goroutines behind.
func checkGoroutines(t *testing.T) {
	t.Helper()
	before := runtime.NumGoroutine()
	t.Cleanup(func() {
		deadline := time.Now().Add(2 * time.Second)
		for runtime.NumGoroutine() > before {
			if time.Now().After(deadline) {
				stacks := make([]byte, 1<<16)
				t.Fatalf("%d goroutines, %d before:\n%s", runtime.NumGoroutine(), before, stacks[:runtime.Stack(stacks, true)])
			}
			time.Sleep(5 * time.Millisecond)
		}
	})
}

// manyRows fills t(id) with 2^16 rows in several files.
func manyRows(t *testing.T, db *sql.DB) {
	t.Helper()
	exec(t, db, "CREATE TABLE t (id BIGINT)")
	exec(t, db, "INSERT INTO t VALUES (0), (1), (2), (3), (4), (5), (6), (7)")
	for i := 8; i < 1<<16; i *= 2 {
		exec(t, db, fmt.Sprintf("INSERT INTO t SELECT id + %d FROM t", i))
	}
}

func TestNoGoroutineIsLeft(t *testing.T) {
	checkGoroutines(t)
	db := open(t, "memory://?threads=4")
	manyRows(t, db)
	for _, query := range []string{
		"SELECT id FROM t", "SELECT id FROM t ORDER BY id DESC", "SELECT id, count(*) FROM t GROUP BY id", "SELECT a.id FROM t a JOIN t b ON a.id = b.id",
		"SELECT a.id FROM t a, t b", "SELECT id FROM t UNION ALL SELECT id FROM t", "SELECT id FROM t LIMIT 100",
	} {
		r, err := db.Query(query)
		require.NoError(t, err, query)
		require.True(t, r.Next())
		require.NoError(t, r.Close(), "closed early: %s", query)

		ctx, cancel := context.WithCancel(t.Context())
		r, err = db.QueryContext(ctx, query)
		require.NoError(t, err, query)
		require.True(t, r.Next())
		cancel()
		for r.Next() {
		}
		require.NoError(t, r.Close(), "cancelled: %s", query)
	}
	for _, query := range []string{
		"SELECT 1 / (id - 60000) FROM t", "SELECT sum(1 / (id - 60000)) FROM t", "SELECT id FROM t ORDER BY 1 / (id - 60000)", "SELECT a.id FROM t a JOIN t b ON a.id = 1 / (b.id - 60000)",
		"INSERT INTO t SELECT 1 / (id - 60000) FROM t", "DELETE FROM t WHERE 1 / (id - 60000) = 5", "UPDATE t SET id = 1 / (id - 60000)",
	} {
		_, err := tryRows(t.Context(), db, query)
		require.ErrorIs(t, err, driver.ErrInvalidValue, query)
	}
	require.Equal(t, "65536", rows(t, db, "SELECT count(*) FROM t"))
	for range 20 { // several workers fail: one of them is heard
		_, err := tryRows(t.Context(), db, "SELECT 1 / (id - id) FROM t")
		require.Equal(t, 1, strings.Count(err.Error(), "division by zero"), err)
	}
}

func TestCancellationIsFast(t *testing.T) {
	checkGoroutines(t)
	db := open(t, "memory://")
	manyRows(t, db)
	for _, query := range []string{
		"SELECT count(*) FROM t a, t b WHERE a.id + b.id = -1",
		"SELECT sum(a.id * b.id) FROM t a, t b",
		"SELECT a.id FROM t a, t b ORDER BY a.id",
		"SELECT a.id, count(*) FROM t a, t b GROUP BY a.id",
		"INSERT INTO t SELECT a.id FROM t a, t b",
		"DELETE FROM t WHERE id < 0; MERGE INTO t USING (SELECT a.id FROM t a, t b) s ON t.id = s.id AND s.id < 0 WHEN NOT MATCHED THEN INSERT *",
	} {
		const limit = 100 * time.Millisecond
		took := cancelled(t, db, query)
		for try := 1; took >= limit && try < 5; try++ { // the machine may have been busy
			took = cancelled(t, db, query)
		}
		require.Less(t, took, limit, query)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err := db.ExecContext(ctx, "SELECT count(*) FROM t a, t b")
	require.ErrorIs(t, err, context.DeadlineExceeded)
}

// cancelled cancels a query that never ends and tells how long it goes on.
func cancelled(t *testing.T, db *sql.DB, query string) time.Duration {
	ctx, cancel := context.WithCancel(t.Context())
	var at time.Time
	timer := time.AfterFunc(150*time.Millisecond, func() {
		at = time.Now()
		cancel()
	})
	_, err := tryRows(ctx, db, query)
	took := time.Since(at)
	require.False(t, timer.Stop(), "%s ended by itself", query)
	require.ErrorIs(t, err, context.Canceled, query)
	return took
}

func TestOddTexts(t *testing.T) {
	db := open(t, "memory://")
	for _, text := range []string{"", " ", ";;", "-- nothing", "/* nothing */ ;", "\n;\t;"} {
		require.Zero(t, exec(t, db, text))
		r, err := db.Query(text)
		require.NoError(t, err, "%q", text)
		columns, err := r.Columns()
		require.NoError(t, err)
		require.Empty(t, columns)
		require.False(t, r.Next())
		require.NoError(t, r.Close())
		require.ErrorIs(t, db.QueryRow(text).Scan(new(int)), sql.ErrNoRows)
		stmt, err := db.Prepare(text)
		require.NoError(t, err)
		_, err = stmt.Exec()
		require.NoError(t, err)
		require.NoError(t, stmt.Close())
	}
	require.Equal(t, "a\x00b", rows(t, db, "SELECT 'a\x00b'"))
	require.Equal(t, "1", rows(t, db, ";;SELECT 1;; -- end"))
	for _, text := range []string{"SELECT \x00", "\x00", "SELECT 1 \x00", "SELECT '\xff'", "SELECT 'open", "SELECT /* open", "SELECT `open", "\ufeffSELECT"} {
		_, err := tryRows(t.Context(), db, text)
		require.ErrorIs(t, err, driver.ErrSyntax, "%q", text)
	}
	_, err := db.Exec("SELECT ?; ;", 1, 2)
	require.ErrorContains(t, err, "2")
}

func TestLongStatements(t *testing.T) {
	db := open(t, "memory://")
	const n = 20_000
	args := make([]any, n)
	for i := range args {
		args[i] = i
	}
	marks := strings.TrimSuffix(strings.Repeat("?,", n), ",")
	require.Equal(t, "true", rows(t, db, "SELECT 19999 IN ("+marks+")", args...))
	exec(t, db, "CREATE TABLE t (id INT)")
	values := strings.TrimSuffix(strings.Repeat("(?),", n), ",")
	require.EqualValues(t, n, exec(t, db, "INSERT INTO t VALUES "+values, args...))
	require.Equal(t, "199990000", rows(t, db, "SELECT sum(id) FROM t"))
	long := strings.Repeat("x", 1<<20)
	require.Equal(t, fmt.Sprint(len(long)), rows(t, db, "SELECT length('"+long+"')"))
	require.Equal(t, fmt.Sprint(len(long)), rows(t, db, "SELECT length(?)", long))
	require.Equal(t, "5001", rows(t, db, "SELECT 1"+strings.Repeat(" + 1", 5000)))
	_, err := tryRows(t.Context(), db, "SELECT "+strings.Repeat("(", 5000)+"1"+strings.Repeat(")", 5000))
	require.ErrorIs(t, err, driver.ErrSyntax)
	_, err = tryRows(t.Context(), db, "SELECT '"+strings.Repeat("x", 17<<20)+"'")
	require.ErrorIs(t, err, driver.ErrSyntax)
	many := strings.Repeat("SELECT 1;", 5000)
	require.Zero(t, exec(t, db, many))
}

func TestOneDatabaseManyGoroutines(t *testing.T) {
	checkGoroutines(t)
	db := open(t, "memory://")
	exec(t, db, "CREATE TABLE t (worker INT, n INT)")
	const workers, each = 8, 5
	var wg sync.WaitGroup
	errs := make(chan error, workers)
	for w := range workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			errs <- func() error {
				for n := range each {
					if _, err := db.Exec("INSERT INTO t VALUES (?, ?)", w, n); err != nil {
						return err
					}
					got, err := tryRows(context.Background(), db, "SELECT count(*) FROM t WHERE worker = ?", w)
					if err != nil {
						return err
					}
					if got != fmt.Sprint(n+1) {
						return fmt.Errorf("worker %d reads %s rows after writing %d", w, got, n+1)
					}
				}
				return nil
			}()
		}()
	}
	wg.Wait()
	close(errs)
	for err := range errs {
		require.NoError(t, err)
	}
	require.Equal(t, fmt.Sprint(workers*each), rows(t, db, "SELECT count(DISTINCT worker * 100 + n) FROM t"))

	// Transactions that change the same row: one wins, the others are told.
	exec(t, db, "CREATE TABLE c (n INT); INSERT INTO c VALUES (0)")
	for range workers {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for {
				_, err := db.Exec("UPDATE c SET n = n + 1")
				var e *driver.Error
				if err == nil || !errors.As(err, &e) || !e.SafeToRetry() {
					if err != nil {
						t.Error(err)
					}
					return
				}
			}
		}()
	}
	wg.Wait()
	require.Equal(t, fmt.Sprint(workers), rows(t, db, "SELECT n FROM c"))
}
