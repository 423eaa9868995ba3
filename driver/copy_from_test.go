package driver_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/big"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/driver"
)

func connection(t *testing.T, db *sql.DB) *sql.Conn {
	t.Helper()
	conn, err := db.Conn(context.Background())
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() }) // a test may have closed it
	return conn
}

func TestCopyFrom(t *testing.T) {
	ctx := context.Background()
	db := open(t, "memory://")
	conn := connection(t, db)
	exec(t, db, `CREATE TABLE t (a BIGINT NOT NULL, b TINYINT, c STRING, d DECIMAL(10,2), e DOUBLE, f BOOLEAN, g BINARY, h DATE, i TIMESTAMP,
		j ARRAY<INT>, k MAP<STRING, DOUBLE>, l STRUCT<x: INT, y: STRING>, m VARCHAR(3), n FLOAT, o TIMESTAMP_NTZ)`)
	at := time.Date(2024, 2, 29, 23, 30, 0, 5000, time.UTC)
	n, err := driver.CopyFrom(ctx, conn, "t", nil, driver.CopyFromRows([][]any{
		{1, int8(2), "x", "1.005", 0.5, true, []byte{1}, at, at, driver.List{int64(1), nil}, driver.Map{{Key: "k", Value: 1.5}},
			driver.Struct{{Name: "x", Value: 7}, {Name: "y", Value: "z"}}, "abc", 1.5, at},
		{"2", sql.NullInt64{}, 5, big.NewRat(5, 4), 3, nil, []byte(nil), "2024-01-02", "2024-01-02 03:04:05", nil, nil, nil, nil, float32(0.25), nil},
	}))
	require.NoError(t, err)
	require.EqualValues(t, 2, n)
	require.Equal(t, `1,2,x,1.01,0.5,true,[1],2024-02-29 00:00:00 +0000 UTC,2024-02-29 23:30:00.000005 +0000 UTC,[1,null],{"k":1.5},{"x":7,"y":"z"},abc,1.5,2024-02-29 23:30:00.000005 +0000 UTC;`+
		`2,<nil>,5,1.25,3,<nil>,<nil>,2024-01-02 00:00:00 +0000 UTC,2024-01-02 03:04:05 +0000 UTC,<nil>,<nil>,<nil>,<nil>,0.25,<nil>`,
		rows(t, db, "SELECT * FROM t ORDER BY a"))
}

func TestCopyFromErrors(t *testing.T) {
	ctx := context.Background()
	db := open(t, "memory://")
	conn := connection(t, db)
	exec(t, db, "CREATE TABLE t (a INT NOT NULL, b TINYINT, c VARCHAR(3), d DECIMAL(4,2))")
	for _, c := range []struct {
		table    string
		columns  []string
		row      []any
		sentinel error
		text     string
	}{
		{"t", nil, []any{nil, 1, "x", "1"}, driver.ErrConstraint, "NOT NULL a"},
		{"t", []string{"b"}, []any{1}, driver.ErrConstraint, "NOT NULL a"},
		{"t", nil, []any{1, 128, "x", "1"}, driver.ErrInvalidValue, "row 2: column b: invalid value: 128 is out of range for TINYINT"},
		{"t", nil, []any{1, -129, "x", "1"}, driver.ErrInvalidValue, "-129"},
		{"t", nil, []any{1, 300.5, "x", "1"}, driver.ErrInvalidValue, "column b"},
		{"t", nil, []any{1, "many", "x", "1"}, driver.ErrInvalidValue, "'many'"},
		{"t", nil, []any{1, 1, "long", "1"}, driver.ErrInvalidValue, "VARCHAR(3)"},
		{"t", nil, []any{1, 1, "x", "100"}, driver.ErrInvalidValue, "DECIMAL(4,2)"},
		{"t", nil, []any{1, 1, "x", "one"}, driver.ErrInvalidValue, "'one'"},
		{"t", nil, []any{1, driver.List{1}, "x", "1"}, driver.ErrTypeMismatch, "column b is TINYINT"},
		{"t", nil, []any{1, struct{}{}, "x", "1"}, driver.ErrParameter, "row 2: column b: parameter mismatch: a struct {} is no SQL value; pass it as a driver.Struct"},
		{"t", nil, []any{1, []string{"x"}, "x", "1"}, driver.ErrParameter, "pass it as a driver.List"},
		{"t", nil, []any{1, map[string]int{}, "x", "1"}, driver.ErrParameter, "pass it as a driver.Map"},
		{"t", nil, []any{1, driver.List{[]int{1}}, "x", "1"}, driver.ErrParameter, "pass it as a driver.List"},
		{"t", nil, []any{1, 1, "x"}, driver.ErrInvalidSQL, "row 2: invalid statement: 3 values for 4 columns"},
		{"t", []string{"a", "A"}, []any{1, 1}, driver.ErrInvalidSQL, "twice"},
		{"t", []string{"z"}, []any{1}, driver.ErrColumnNotFound, "no column z"},
		{"nope", nil, []any{1}, driver.ErrTableNotFound, "nope"},
		{"t; DROP TABLE t", nil, []any{1}, driver.ErrSyntax, ";"},
	} {
		good := []any{1, 1, "x", "1"}[:len(c.row)]
		if len(c.columns) > 0 || len(c.row) == 3 {
			good = []any{1, 1, "x", "1"}
		}
		source := driver.CopyFromRows([][]any{good, c.row})
		if len(c.columns) > 0 {
			source = driver.CopyFromRows([][]any{c.row})
		}
		n, err := driver.CopyFrom(ctx, conn, c.table, c.columns, source)
		require.ErrorIs(t, err, c.sentinel, "%v", c.row)
		require.ErrorContains(t, err, c.text)
		require.Zero(t, n)
		var e *driver.Error
		require.ErrorAs(t, err, &e)
	}
	broken := errors.New("the file ends early")
	i := 0
	_, err := driver.CopyFrom(ctx, conn, "t", []string{"a"}, driver.CopyFromFunc(func() ([]any, error) {
		if i++; i > 5000 {
			return nil, broken
		}
		return []any{i}, nil
	}))
	require.ErrorIs(t, err, broken)
	require.Equal(t, "0", rows(t, db, "SELECT count(*) FROM t"))
}

func TestCopyFromManyRows(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	dir := t.TempDir()
	db := open(t, dir)
	conn := connection(t, db)
	exec(t, db, "CREATE TABLE t (id BIGINT, name STRING)")
	text := strings.Repeat("x", 200)
	source := func(rows int, each func(i int)) driver.CopyFromSource {
		i := 0
		return driver.CopyFromFunc(func() ([]any, error) {
			if i == rows {
				return nil, nil
			}
			i++
			each(i)
			return []any{i, text}, nil
		})
	}
	n, err := driver.CopyFrom(ctx, conn, "t", []string{"id", "name"}, source(100_000, func(int) {}))
	require.NoError(t, err)
	require.EqualValues(t, 100_000, n)
	require.Equal(t, "100000,5000050000", rows(t, db, "SELECT count(*), sum(id) FROM t"))

	// Beyond what is buffered, an error removes what was written.
	before := dataFiles(t, dir)
	_, err = driver.CopyFrom(ctx, conn, "t", nil, source(200_000, func(i int) {
		if i == 150_000 {
			cancel()
		}
	}))
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, before, dataFiles(t, dir))
	require.Equal(t, "100000", rows(t, db, "SELECT count(*) FROM t"))
}

func TestCopyFromInTransaction(t *testing.T) {
	ctx := context.Background()
	db := open(t, "memory://")
	conn := connection(t, db)
	exec(t, db, "CREATE TABLE t (id INT)")
	tx, err := conn.BeginTx(ctx, nil)
	require.NoError(t, err)
	defer tx.Rollback() // or else a failed test waits for it when it closes the connection
	exec(t, tx, "INSERT INTO t VALUES (1)")
	for i := 2; i < 5; i++ {
		n, err := driver.CopyFrom(ctx, conn, "t", nil, driver.CopyFromRows([][]any{{i}}))
		require.NoError(t, err)
		require.EqualValues(t, 1, n)
	}
	_, err = driver.CopyFrom(ctx, conn, "t", nil, driver.CopyFromRows([][]any{{"no"}}))
	require.ErrorIs(t, err, driver.ErrInvalidValue)
	require.Equal(t, "4", rows(t, tx, "SELECT count(*) FROM t"))
	require.Equal(t, "0", rows(t, db, "SELECT count(*) FROM t"))
	require.NoError(t, tx.Commit())
	require.Equal(t, "4", rows(t, db, "SELECT count(*) FROM t"))
	n, err := driver.CopyFrom(ctx, conn, "`T`", nil, driver.CopyFromRows(nil))
	require.NoError(t, err)
	require.Zero(t, n)

	read, err := conn.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	require.NoError(t, err)
	defer read.Rollback()
	_, err = driver.CopyFrom(ctx, conn, "t", nil, driver.CopyFromRows([][]any{{1}}))
	require.ErrorIs(t, err, driver.ErrReadOnly)
	require.NoError(t, read.Rollback())
	require.NoError(t, conn.Close())
	_, err = driver.CopyFrom(ctx, conn, "t", nil, driver.CopyFromRows([][]any{{1}}))
	require.ErrorIs(t, err, sql.ErrConnDone)
}

func BenchmarkCopyFrom(b *testing.B) {
	ctx := context.Background()
	db, err := sql.Open("tarn", b.TempDir())
	require.NoError(b, err)
	defer db.Close()
	_, err = db.Exec("CREATE TABLE t (id BIGINT, name STRING, amount DECIMAL(10,2), at TIMESTAMP)")
	require.NoError(b, err)
	conn, err := db.Conn(ctx)
	require.NoError(b, err)
	defer conn.Close()
	at := time.Now()
	row := make([]any, 4)
	i := 0
	b.ReportAllocs()
	b.ResetTimer()
	_, err = driver.CopyFrom(ctx, conn, "t", nil, driver.CopyFromFunc(func() ([]any, error) {
		if i == b.N {
			return nil, nil
		}
		i++
		row[0], row[1], row[2], row[3] = i, fmt.Sprint("name ", i%1000), "12.34", at
		return row, nil
	}))
	require.NoError(b, err)
}
