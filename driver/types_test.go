package driver_test

import (
	"database/sql"
	"math"
	"math/big"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/driver"
)

// columnFacts is what ColumnTypes says of a column.
type columnFacts struct {
	name     string
	nullable bool
	length   int64 // -1: none
	digits   int64 // -1: none
	scale    int64
	scan     reflect.Type
}

func factsOf(t *testing.T, c *sql.ColumnType) columnFacts {
	t.Helper()
	f := columnFacts{name: c.DatabaseTypeName(), length: -1, digits: -1, scan: c.ScanType()}
	var ok bool
	f.nullable, ok = c.Nullable()
	require.True(t, ok)
	if n, ok := c.Length(); ok {
		f.length = n
	}
	if p, s, ok := c.DecimalSize(); ok {
		f.digits, f.scale = p, s
	}
	return f
}

// typeCases has a value of each SQL type as it is written to a table, read
// back, and scanned.
var typeCases = []struct {
	sql  string // the type of the column
	arg  any
	want any // in any
	into any // pointer to what it is also scanned into
	got  any // what into then points to
	columnFacts
}{
	{"BOOLEAN", true, true, new(bool), true, columnFacts{"BOOLEAN", true, -1, -1, 0, reflect.TypeFor[bool]()}},
	{"TINYINT", int8(-128), int64(-128), new(int8), int8(-128), columnFacts{"TINYINT", true, -1, -1, 0, reflect.TypeFor[int64]()}},
	{"SMALLINT", 32767, int64(32767), new(int16), int16(32767), columnFacts{"SMALLINT", true, -1, -1, 0, reflect.TypeFor[int64]()}},
	{"INT", math.MinInt32, int64(math.MinInt32), new(int32), int32(math.MinInt32), columnFacts{"INT", true, -1, -1, 0, reflect.TypeFor[int64]()}},
	{"BIGINT", int64(math.MaxInt64), int64(math.MaxInt64), new(uint64), uint64(math.MaxInt64), columnFacts{"BIGINT", true, -1, -1, 0, reflect.TypeFor[int64]()}},
	{"FLOAT", float32(0.1), float64(float32(0.1)), new(float32), float32(0.1), columnFacts{"FLOAT", true, -1, -1, 0, reflect.TypeFor[float64]()}},
	{"DOUBLE", math.Inf(-1), math.Inf(-1), new(float64), math.Inf(-1), columnFacts{"DOUBLE", true, -1, -1, 0, reflect.TypeFor[float64]()}},
	{"DECIMAL(5,2)", "-1.5", "-1.50", new(float64), -1.5, columnFacts{"DECIMAL", true, -1, 5, 2, reflect.TypeFor[string]()}},
	{"DECIMAL(38,18)", "12345678901234567890.123456789012345678", "12345678901234567890.123456789012345678", new(string), "12345678901234567890.123456789012345678",
		columnFacts{"DECIMAL", true, -1, 38, 18, reflect.TypeFor[string]()}},
	{"STRING", "žluť\x00\n'", "žluť\x00\n'", new([]byte), []byte("žluť\x00\n'"), columnFacts{"STRING", true, math.MaxInt64, -1, 0, reflect.TypeFor[string]()}},
	{"VARCHAR(5)", "äöüßé", "äöüßé", new(string), "äöüßé", columnFacts{"VARCHAR", true, 5, -1, 0, reflect.TypeFor[string]()}},
	{"CHAR(3)", "a", "a  ", new(string), "a  ", columnFacts{"CHAR", true, 3, -1, 0, reflect.TypeFor[string]()}},
	{"BINARY", []byte{0, 255}, []byte{0, 255}, new(sql.RawBytes), sql.RawBytes{0, 255}, columnFacts{"BINARY", true, math.MaxInt64, -1, 0, reflect.TypeFor[[]byte]()}},
	{"DATE", time.Date(1969, 12, 31, 0, 0, 0, 0, time.UTC), time.Date(1969, 12, 31, 0, 0, 0, 0, time.UTC), new(string), "1969-12-31T00:00:00Z",
		columnFacts{"DATE", true, -1, -1, 0, reflect.TypeFor[time.Time]()}},
	{"TIMESTAMP", time.Date(2024, 1, 2, 3, 4, 5, 6000, time.FixedZone("", 3600)), time.Date(2024, 1, 2, 2, 4, 5, 6000, time.UTC), new(time.Time), time.Date(2024, 1, 2, 2, 4, 5, 6000, time.UTC),
		columnFacts{"TIMESTAMP", true, -1, -1, 0, reflect.TypeFor[time.Time]()}},
	{"TIMESTAMP_NTZ", "2024-01-02 03:04:05", time.Date(2024, 1, 2, 3, 4, 5, 0, time.UTC), new(time.Time), time.Date(2024, 1, 2, 3, 4, 5, 0, time.UTC),
		columnFacts{"TIMESTAMP_NTZ", true, -1, -1, 0, reflect.TypeFor[time.Time]()}},
	{"ARRAY<STRING>", driver.List{"a", nil}, driver.List{"a", nil}, new(driver.List), driver.List{"a", nil}, columnFacts{"ARRAY<STRING>", true, -1, -1, 0, reflect.TypeFor[driver.List]()}},
	{"MAP<STRING, INT>", driver.Map{{Key: "k", Value: 1}}, driver.Map{{Key: "k", Value: int64(1)}}, new(driver.Map), driver.Map{{Key: "k", Value: int64(1)}},
		columnFacts{"MAP<STRING, INT>", true, -1, -1, 0, reflect.TypeFor[driver.Map]()}},
	{"STRUCT<a: INT, b: ARRAY<DATE>>", driver.Struct{{Name: "a", Value: 1}, {Name: "b", Value: nil}}, driver.Struct{{Name: "a", Value: int64(1)}, {Name: "b", Value: nil}}, new(driver.Struct),
		driver.Struct{{Name: "a", Value: int64(1)}, {Name: "b", Value: nil}}, columnFacts{"STRUCT<a: INT, b: ARRAY<DATE>>", true, -1, -1, 0, reflect.TypeFor[driver.Struct]()}},
}

func TestTypesRoundTrip(t *testing.T) {
	for _, c := range typeCases {
		t.Run(c.sql, func(t *testing.T) {
			db := open(t, "memory://")
			exec(t, db, "CREATE TABLE t (id INT NOT NULL, v "+c.sql+")")
			exec(t, db, "INSERT INTO t VALUES (1, ?), (2, NULL)", c.arg)
			r, err := db.Query("SELECT v, id FROM t ORDER BY id")
			require.NoError(t, err)
			defer r.Close()
			ts, err := r.ColumnTypes()
			require.NoError(t, err)
			require.Equal(t, "v", ts[0].Name())
			require.Equal(t, c.columnFacts, factsOf(t, ts[0]))
			nullable, _ := ts[1].Nullable()
			require.False(t, nullable)
			var got any
			require.True(t, r.Next())
			require.NoError(t, r.Scan(&got, new(int)))
			require.Equal(t, c.want, got)
			require.NoError(t, r.Scan(c.into, new(int)))
			require.Equal(t, c.got, reflect.ValueOf(c.into).Elem().Interface())
			require.True(t, r.Next())
			require.NoError(t, r.Scan(&got, new(int)))
			require.Nil(t, got)
			require.False(t, r.Next())
			require.NoError(t, r.Err())
		})
	}
}

// TestTypesWithoutColumns has the types that Delta tables can't hold.
func TestTypesWithoutColumns(t *testing.T) {
	db := open(t, "memory://")
	for _, c := range []struct {
		expr  string
		want  any
		facts columnFacts
	}{
		{"TIME '01:02:03'", "01:02:03.000000", columnFacts{"TIME", false, -1, -1, 0, reflect.TypeFor[string]()}},
		{"INTERVAL '1' DAY", "INTERVAL '1' DAY", columnFacts{"INTERVAL", false, -1, -1, 0, reflect.TypeFor[string]()}},
		{"NULL", nil, columnFacts{"VOID", true, -1, -1, 0, reflect.TypeFor[any]()}},
		{"CAST('00112233-4455-6677-8899-aabbccddeeff' AS UUID)", "00112233-4455-6677-8899-aabbccddeeff", columnFacts{"UUID", false, -1, -1, 0, reflect.TypeFor[string]()}},
	} {
		r, err := db.Query("SELECT " + c.expr + " AS v")
		require.NoError(t, err, c.expr)
		ts, err := r.ColumnTypes()
		require.NoError(t, err)
		require.Equal(t, c.facts, factsOf(t, ts[0]), c.expr)
		var got any
		require.True(t, r.Next())
		require.NoError(t, r.Scan(&got))
		require.Equal(t, c.want, got, c.expr)
		require.NoError(t, r.Close())
	}
}

// TestNothingRunsAfterAnError: the rest of a text is not run after a row that
// can't be computed, neither by the next result set nor by Close.
func TestNothingRunsAfterAnError(t *testing.T) {
	db := open(t, "memory://")
	exec(t, db, "CREATE TABLE t (id INT); INSERT INTO t VALUES (0)")
	for _, goOn := range []bool{false, true} {
		r, err := db.Query("SELECT 1 / id AS v FROM t; DELETE FROM t")
		require.NoError(t, err)
		require.False(t, r.Next())
		require.ErrorIs(t, r.Err(), driver.ErrInvalidValue)
		if goOn {
			require.False(t, r.NextResultSet())
		}
		_ = r.Close()
		require.ErrorIs(t, db.QueryRow("SELECT 1 / id AS v FROM t; DELETE FROM t").Scan(new(any)), driver.ErrInvalidValue)
		require.Equal(t, "0", rows(t, db, "SELECT * FROM t"))
	}
	conn := connection(t, db)
	exec(t, conn, "BEGIN; INSERT INTO t VALUES (1)")
	require.ErrorIs(t, conn.QueryRowContext(t.Context(), "SELECT 1 / id AS v FROM t ORDER BY id; COMMIT").Scan(new(any)), driver.ErrInvalidValue)
	exec(t, conn, "ROLLBACK")
	require.Equal(t, "0", rows(t, db, "SELECT * FROM t"))
}

func TestColumnTypesAfterErrors(t *testing.T) {
	db := open(t, "memory://")
	exec(t, db, "CREATE TABLE t (id INT); INSERT INTO t VALUES (0)")
	r, err := db.Query("SELECT 1 / id AS v FROM t; SELECT 2")
	require.NoError(t, err)
	require.False(t, r.Next())
	require.ErrorIs(t, r.Err(), driver.ErrInvalidValue)
	require.False(t, r.NextResultSet(), "nothing runs after an error")
	require.NoError(t, r.Close())

	r, err = db.Query("SELECT 1 AS a; SELECT nope")
	require.NoError(t, err)
	require.False(t, r.NextResultSet())
	require.ErrorIs(t, r.Err(), driver.ErrColumnNotFound)
	require.NoError(t, r.Close(), "Err has told it")

	r, err = db.Query("SELECT 1 AS a; SELECT nope")
	require.NoError(t, err)
	for r.Next() {
	}
	require.NoError(t, r.Err(), "of the result set at hand")
	require.ErrorIs(t, r.Close(), driver.ErrColumnNotFound, "what is left is run by Close")
}

func TestDecimalArguments(t *testing.T) {
	db := open(t, "memory://")
	exec(t, db, "CREATE TABLE t (d DECIMAL(20,10))")
	exec(t, db, "INSERT INTO t VALUES (?), (?), (?)", "0.1", big.NewRat(1, 3), bigInt("9999999999"))
	require.Equal(t, "0.1000000000;0.3333333333;9999999999.0000000000", rows(t, db, "SELECT d FROM t ORDER BY d"))
	require.Equal(t, "1", rows(t, db, "SELECT count(*) FROM t WHERE d = ?", big.NewRat(1, 10)))
}
