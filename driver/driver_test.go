package driver_test

import (
	"context"
	"database/sql"
	"math/big"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/driver"
	"github.com/tarndb/tarn/storage"
)

func TestDSNRoundTrip(t *testing.T) {
	zone, err := time.LoadLocation("Europe/Vienna")
	require.NoError(t, err)
	for _, c := range []driver.Config{
		{Warehouse: "./warehouse"},
		{Warehouse: "memory://demo", Threads: 4, ReadOnly: true, MemoryLimitBytes: 3 << 30, TempDir: os.TempDir()},
		{Warehouse: "file:///data/my%20lake", Schema: "sales", Format: "delta", Timezone: zone, Isolation: storage.Serializable, TargetFileSizeBytes: 64 << 20, CommitRetries: 7},
	} {
		parsed, err := driver.ParseDSN(c.FormatDSN())
		require.NoError(t, err)
		require.Equal(t, c, parsed)
	}
}

// TestEveryErrorIsTheDrivers: also those of functions that are called outside of
// database/sql.
func TestEveryErrorIsTheDrivers(t *testing.T) {
	for _, dsn := range []string{"", "memory://?nosuch=1", "memory://?threads=x", "memory://?threads=1&threads=2", "memory://?threads=%zz"} {
		_, err := driver.ParseDSN(dsn)
		var e *driver.Error
		require.ErrorAs(t, err, &e, dsn)
		require.ErrorIs(t, err, driver.ErrConfig)
		require.Equal(t, "08001", e.SQLState())
	}
	var rat big.Rat
	for _, dest := range []sql.Scanner{new(driver.Time), new(driver.List), new(driver.Map), new(driver.Struct), new(driver.Variant), driver.Into(&rat), driver.Into(rat)} {
		err := dest.Scan(true)
		var e *driver.Error
		require.ErrorAs(t, err, &e, "%T", dest)
		require.Equal(t, "42804", e.SQLState())
	}
}

func TestParameters(t *testing.T) {
	db := open(t, "memory://")
	require.Equal(t, "7,x", rows(t, db, "SELECT ? + 3, ?", 4, "x"))
	require.Equal(t, "5,5", rows(t, db, "SELECT $1, $1", 5))
	require.Equal(t, "a,b,a", rows(t, db, "SELECT :x, :y, :x", sql.Named("y", "b"), sql.Named("x", "a")))
	require.Equal(t, "9", rows(t, db, "SELECT @n", sql.Named("n", 9)))
	require.Equal(t, "<nil>", rows(t, db, "SELECT ?", nil))
	require.Equal(t, "1.50", rows(t, db, "SELECT CAST(? AS DECIMAL(5,2))", big.NewRat(3, 2)))
	require.Equal(t, "it's ? $1", rows(t, db, "SELECT ?", "it's ? $1"))
	exec(t, db, "CREATE TABLE t (id INT, s STRING)")
	exec(t, db, "INSERT INTO t VALUES (?, ?); INSERT INTO t VALUES (?, ?)", 1, "a", 2, "b") // each ? is an argument of its own
	exec(t, db, "INSERT INTO t VALUES ($1 + 2, $2); INSERT INTO t VALUES ($1 + 3, $2)", 1, "c")
	require.Equal(t, "1,a;2,b;3,c;4,c", rows(t, db, "SELECT id, s FROM t ORDER BY id"))
	_, err := db.Query("SELECT ?, ?", 1)
	require.ErrorIs(t, err, driver.ErrParameter)
	_, err = db.Query("SELECT :x", sql.Named("y", 1))
	require.Error(t, err)
}

func TestValues(t *testing.T) {
	db := open(t, "memory://")
	for _, c := range []struct {
		expr string
		want any
		name string
	}{
		{"true", true, "BOOLEAN"}, {"CAST(7 AS TINYINT)", int64(7), "TINYINT"}, {"7", int64(7), "INT"}, {"9000000000", int64(9000000000), "BIGINT"},
		{"CAST(1.5 AS FLOAT)", 1.5, "FLOAT"}, {"CAST(0.1 AS DOUBLE)", 0.1, "DOUBLE"}, {"1.50", "1.50", "DECIMAL"},
		{"CAST('12345678901234567890123456789012345678' AS DECIMAL(38,0))", "12345678901234567890123456789012345678", "DECIMAL"},
		{"'x'", "x", "STRING"}, {"X'0aff'", []byte{10, 255}, "BINARY"}, {"DATE '2024-02-29'", time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC), "DATE"},
		{"TIMESTAMP '2024-01-02 03:04:05.678'", time.Date(2024, 1, 2, 3, 4, 5, 678e6, time.UTC), "TIMESTAMP"},
		{"TIMESTAMP_NTZ '1969-12-31 23:59:59'", time.Date(1969, 12, 31, 23, 59, 59, 0, time.UTC), "TIMESTAMP_NTZ"},
		{"array(1, NULL)", driver.List{int64(1), nil}, "ARRAY<INT>"},
		{"map('k', 1.5)", driver.Map{{Key: "k", Value: "1.5"}}, "MAP<STRING, DECIMAL(2,1)>"},
		{"named_struct('a', 1, 'b', 'x')", driver.Struct{{Name: "a", Value: int64(1)}, {Name: "b", Value: "x"}}, "STRUCT<a: INT NOT NULL, b: STRING NOT NULL>"},
		{"NULL", nil, "VOID"},
	} {
		r, err := db.Query("SELECT " + c.expr + " AS v")
		require.NoError(t, err, c.expr)
		types, err := r.ColumnTypes()
		require.NoError(t, err)
		require.Equal(t, c.name, types[0].DatabaseTypeName(), c.expr)
		require.True(t, r.Next())
		var got any
		require.NoError(t, r.Scan(&got))
		require.Equal(t, c.want, got, c.expr)
		require.NoError(t, r.Close())
	}
	var name string
	var day time.Time
	var small int8
	require.NoError(t, db.QueryRow("SELECT 'x', DATE '2024-01-02', 7").Scan(&name, &day, &small))
}

func TestResultSets(t *testing.T) {
	db := open(t, "memory://")
	r, err := db.Query("CREATE TABLE t (id INT); INSERT INTO t VALUES (1), (2); SELECT count(*) FROM t; SELECT id FROM t WHERE id = 2; DELETE FROM t")
	require.NoError(t, err)
	var n int
	require.True(t, r.Next())
	require.NoError(t, r.Scan(&n))
	require.Equal(t, 2, n)
	require.True(t, r.NextResultSet())
	require.True(t, r.Next())
	require.NoError(t, r.Close()) // runs the DELETE
	require.Equal(t, "0", rows(t, db, "SELECT count(*) FROM t"))
	_, err = db.Exec("INSERT INTO t VALUES (3); SELECT 1/0; INSERT INTO t VALUES (4)")
	require.Error(t, err)
	require.Equal(t, "3", rows(t, db, "SELECT id FROM t"))
}

func TestSetAndReset(t *testing.T) {
	db := open(t, "memory://")
	ctx := context.Background()
	conn, err := db.Conn(ctx)
	require.NoError(t, err)
	exec(t, conn, "SET timezone = 'Asia/Tokyo'")
	require.Equal(t, "2024-01-02 09:00:00 +0900 JST", rows(t, conn, "SELECT TIMESTAMP '2024-01-02 00:00:00Z'"))
	_, err = conn.ExecContext(ctx, "SET nosuch = 1")
	require.ErrorIs(t, err, driver.ErrConfig)
	require.NoError(t, conn.Close())
	require.Equal(t, "2024-01-02 00:00:00 +0000 UTC", rows(t, db, "SELECT TIMESTAMP '2024-01-02 00:00:00Z'"))
}
