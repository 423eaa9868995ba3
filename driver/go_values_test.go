package driver_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/driver"
)

func TestTimesAreClocksForDatesAndNTZ(t *testing.T) {
	vienna, err := time.LoadLocation("Europe/Vienna")
	require.NoError(t, err)
	for _, zone := range []string{"UTC", "America/New_York", "Asia/Tokyo"} {
		db := open(t, "memory://?timezone="+zone)
		exec(t, db, "CREATE TABLE t (d DATE, n TIMESTAMP_NTZ, i TIMESTAMP)")
		day, clock := time.Date(2026, 1, 2, 0, 0, 0, 0, vienna), time.Date(2026, 1, 2, 10, 0, 0, 5000, vienna)
		exec(t, db, "INSERT INTO t VALUES (?, ?, ?)", day, clock, clock)
		conn, err := db.Conn(context.Background())
		require.NoError(t, err)
		_, err = driver.CopyFrom(context.Background(), conn, "t", []string{"d", "n", "i"}, driver.CopyFromRows([][]any{{day, clock, clock}}))
		require.NoError(t, err)
		require.NoError(t, conn.Close())
		var d, n, i time.Time
		r, err := db.Query("SELECT d, n, i FROM t")
		require.NoError(t, err)
		for range 2 {
			require.True(t, r.Next())
			require.NoError(t, r.Scan(&d, &n, &i))
			require.Equal(t, "2026-01-02 2026-01-02 10:00:00.000005", d.Format("2006-01-02")+" "+n.Format("2006-01-02 15:04:05.000000"))
			require.True(t, i.Equal(clock))
		}
		require.NoError(t, r.Close())
		// What comes out finds itself again.
		require.Equal(t, "2", rows(t, db, "SELECT count(*) FROM t WHERE d = ? AND n = ? AND i = ? AND d IN (?) AND n BETWEEN ? AND ?", d, n, i, d, n, n))
		require.Equal(t, "0", rows(t, db, "SELECT count(*) FROM t WHERE d = ?", clock))
	}
}

func TestStructArgumentsAreTakenByName(t *testing.T) {
	db := open(t, "memory://")
	exec(t, db, "CREATE TABLE t (s STRUCT<a: STRING, b: STRING>, l ARRAY<STRUCT<x: INT, y: STRING>>)")
	exec(t, db, "INSERT INTO t VALUES (?, ?)", driver.Struct{{Name: "b", Value: "BB"}, {Name: "A", Value: "AA"}},
		driver.List{driver.Struct{{Name: "y", Value: "Y"}, {Name: "x", Value: 1}}})
	require.Equal(t, `{"a":"AA","b":"BB"},[{"x":1,"y":"Y"}]`, rows(t, db, "SELECT * FROM t"))
	_, err := db.Exec("INSERT INTO t (s) VALUES (?)", driver.Struct{{Name: "zz", Value: "ZZ"}})
	require.ErrorIs(t, err, driver.ErrColumnNotFound)
	exec(t, db, "INSERT INTO t (s) VALUES (?)", driver.Struct{{Name: "b", Value: "only"}})
	require.Equal(t, `{"a":null,"b":"only"}`, rows(t, db, "SELECT s FROM t WHERE s.a IS NULL"))
	conn, err := db.Conn(context.Background())
	require.NoError(t, err)
	_, err = driver.CopyFrom(context.Background(), conn, "t", []string{"s"}, driver.CopyFromRows([][]any{{driver.Struct{{Name: "b", Value: "2"}, {Name: "a", Value: "1"}}}}))
	require.NoError(t, err)
	require.NoError(t, conn.Close())
	require.Equal(t, `{"a":"1","b":"2"}`, rows(t, db, "SELECT s FROM t WHERE s.a = '1'"))
}

func TestListsAfterIn(t *testing.T) {
	db := open(t, "memory://")
	exec(t, db, "CREATE TABLE t (id INT, city STRING); INSERT INTO t VALUES (1, 'a'), (2, 'b'), (3, 'c'), (NULL, NULL)")
	ids, cities := driver.List{1, 3, 5}, driver.List{"b", "c"}
	require.Equal(t, "1;3", rows(t, db, "SELECT id FROM t WHERE id IN (SELECT * FROM unnest(?)) ORDER BY id", ids))
	require.Equal(t, "1;3", rows(t, db, "SELECT id FROM t WHERE array_contains(?, id) ORDER BY id", ids))
	require.Equal(t, "3", rows(t, db, "SELECT id FROM t WHERE array_contains(?, id) AND city IN (SELECT * FROM unnest(?))", ids, cities))
	require.Equal(t, "2", rows(t, db, "SELECT id FROM t WHERE id NOT IN (SELECT * FROM unnest(?))", ids))
	_, err := tryRows(t.Context(), db, "SELECT id FROM t WHERE id IN (?)", ids)
	require.ErrorIs(t, err, driver.ErrTypeMismatch)
	require.ErrorContains(t, err, "line 1:24: type mismatch: IN takes values and ? is an array; use array_contains(?, id) or id IN (SELECT * FROM unnest(?))")
}

// TestValuesThatNoTableHolds: times beyond the range and texts that are not
// UTF-8 are refused in every way into a table, and nothing is stored.
func TestValuesThatNoTableHolds(t *testing.T) {
	db := open(t, "memory://")
	exec(t, db, "CREATE TABLE v (t TIMESTAMP, d DATE, n TIMESTAMP_NTZ, s STRING)")
	exec(t, db, "CREATE TABLE p (i INT, s STRING) PARTITIONED BY (s)")
	far := time.Date(300000, 1, 1, 0, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		query string
		args  []any
	}{
		{"INSERT INTO v (t) VALUES (?)", []any{far}},
		{"INSERT INTO v (d) VALUES (?)", []any{far}},
		{"INSERT INTO v (n) VALUES (?)", []any{far}},
		{"INSERT INTO v (s) VALUES (?)", []any{"bad\xff"}},
		{"INSERT INTO p VALUES (1, CAST(X'FF61' AS STRING))", nil},
	} {
		_, err := db.Exec(c.query, c.args...)
		require.ErrorIs(t, err, driver.ErrInvalidValue, c.query)
	}
	conn, err := db.Conn(t.Context())
	require.NoError(t, err)
	defer conn.Close()
	for _, row := range [][]any{{far, nil, nil, nil}, {nil, far, nil, nil}, {nil, nil, far, nil}, {nil, nil, nil, "bad\xff"}} {
		_, err := driver.CopyFrom(t.Context(), conn, "v", nil, driver.CopyFromRows([][]any{row}))
		require.ErrorIs(t, err, driver.ErrInvalidValue, row)
	}
	require.Equal(t, "0", rows(t, db, "SELECT count(*) FROM v"))
	require.Equal(t, "0", rows(t, db, "SELECT count(*) FROM p"))
}

// TestNestedDecimalsComeBack: what a query gave is an argument for the column
// that it came from.
func TestNestedDecimalsComeBack(t *testing.T) {
	db := open(t, "memory://")
	exec(t, db, "CREATE TABLE t (id INT, a ARRAY<STRUCT<k: STRING, v: DECIMAL(5,1)>>, m MAP<STRING, DATE>)")
	exec(t, db, "INSERT INTO t VALUES (1, array(struct('x', 1.5)), map('d', DATE '2026-01-02'))")
	var a driver.List
	var m driver.Map
	require.NoError(t, db.QueryRow("SELECT a, m FROM t").Scan(&a, &m))
	exec(t, db, "INSERT INTO t VALUES (2, ?, ?)", a, m)
	conn, err := db.Conn(t.Context())
	require.NoError(t, err)
	defer conn.Close()
	_, err = driver.CopyFrom(t.Context(), conn, "t", nil, driver.CopyFromRows([][]any{{3, a, m}}))
	require.NoError(t, err)
	require.Equal(t, "3", rows(t, db, "SELECT count(*) FROM t WHERE a[0].v = 1.5 AND m['d'] = DATE '2026-01-02'"))
	_, err = db.Exec("INSERT INTO t (id, a) VALUES (4, ?)", driver.List{driver.Struct{{Name: "k", Value: "x"}, {Name: "v", Value: "y"}}})
	require.ErrorIs(t, err, driver.ErrTypeMismatch)
}
