package driver_test

import (
	"context"
	"database/sql"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/driver"
)

// momentZones are sessions' zones and times whose clocks differ from theirs: the
// instant of each is on another day there.
func momentZones(t *testing.T) map[string]time.Time {
	vienna, err := time.LoadLocation("Europe/Vienna")
	require.NoError(t, err)
	return map[string]time.Time{
		"UTC":              time.Date(2024, 7, 1, 0, 0, 0, 0, vienna),
		"America/New_York": time.Date(2024, 7, 1, 0, 0, 0, 0, time.UTC),
		"Asia/Tokyo":       time.Date(2024, 7, 1, 23, 0, 0, 0, time.FixedZone("", -11*3600)).Add(-23 * time.Hour),
	}
}

const onlyDay = "2024-07-01 00:00:00 +0000 UTC"

// TestClocksOfArgumentsAreStored: a DATE and a TIMESTAMP_NTZ take the clock that
// a time shows, whatever stands between the argument and the column.
func TestClocksOfArgumentsAreStored(t *testing.T) {
	for zone, day := range momentZones(t) {
		for _, c := range []struct {
			statement string
			args      []any
		}{
			{"INSERT INTO x (k, d, n) VALUES (1, ?, ?)", []any{day, day}},
			{"INSERT INTO x (k, d, n) SELECT 1, ?, ?", []any{day, day}},
			{"INSERT INTO x (k, d, n) SELECT 1, $1, $1 WHERE NOT EXISTS (SELECT 1 FROM x WHERE d = $1)", []any{day}},
			{"INSERT INTO x (k, d, n) SELECT * FROM (SELECT 1, ? a, ? b) WHERE a IS NOT NULL ORDER BY a LIMIT 1", []any{day, day}},
			{"INSERT INTO x (k, d, n) SELECT * FROM (VALUES (1, ?, ?))", []any{day, day}},
			{"INSERT INTO x (k, d, n) SELECT DISTINCT 1, v, v FROM (VALUES (?), (?)) AS s(v)", []any{day, day}},
			{"INSERT INTO x (k, d, n) SELECT 1, ?, ? UNION SELECT 1, ?, ?", []any{day, day, day, day}},
			{"INSERT INTO x (k, d, n) VALUES (1, CASE WHEN true THEN ? END, CASE WHEN rand() < 2 THEN ? ELSE ? END)", []any{day, day, day}},
			{"INSERT INTO x (k, d, n) VALUES (1, coalesce(NULL, ?), if(rand() < 2, ?, ?))", []any{day, day, day}},
			{"INSERT INTO x (k, d, n) WITH s AS (SELECT ? a) SELECT 1, a, a FROM s", []any{day}},
			{"INSERT INTO x (k, d, n) SELECT 1, max(v), min(v) FROM (VALUES (?)) AS s(v)", []any{day}},
			{"INSERT INTO x (k, d, n) SELECT 1, lag(v, 0) OVER (ORDER BY v), first_value(v) OVER (ORDER BY v) FROM (VALUES (?)) AS s(v)", []any{day}},
			{"INSERT INTO x (k, d, n) SELECT 1, v, v FROM unnest(?) AS u(v)", []any{driver.List{day}}},
			{"INSERT INTO x (k, d, n) SELECT 1, a[0], element_at(a, 1) FROM (SELECT array(?) a)", []any{day}},
			{"INSERT INTO x (k, d, n) SELECT 1, s.v, s.v FROM (SELECT ? s)", []any{driver.Struct{{Name: "v", Value: day}}}},
			{"INSERT INTO x (k, d, n) SELECT 1, transform(?, e -> e)[0], ?", []any{driver.List{day}, day}},
			{"INSERT INTO x (k, d, n) VALUES (1, (SELECT ?), (SELECT ?))", []any{day, day}},
			{"INSERT INTO x (k, d, n) VALUES (1, ? + INTERVAL '0' DAY, ? - INTERVAL '0' HOUR)", []any{day, day}},
			{"INSERT INTO x (k, d, n) SELECT 1, ? - INTERVAL '1' HOUR, ? + INTERVAL '0' MONTH", []any{day.Add(time.Hour), day}},
			{"INSERT INTO x BY NAME SELECT 1 k, ? d, ? n", []any{day, day}},
			{"INSERT INTO x (k, d, n) VALUES (1, '2020-01-01', '2020-01-01'); UPDATE x SET d = ?, n = (SELECT ?)", []any{day, day}},
			{"MERGE INTO x USING (SELECT 1 k, ? d, ? n) s ON x.k = s.k WHEN NOT MATCHED THEN INSERT (k, d, n) VALUES (s.k, s.d, s.n)", []any{day, day}},
			{"MERGE INTO x USING (SELECT 1 k, ? d, ? n, NULL ad, NULL sd, NULL md) s ON x.k = s.k WHEN NOT MATCHED THEN INSERT *", []any{day, day}},
			{"MERGE INTO x USING (SELECT 1 k) s ON x.k = s.k WHEN NOT MATCHED THEN INSERT (k, d, n) VALUES (s.k, ?, ?)", []any{day, day}},
			{"UPSERT INTO x (k, d, n) KEYS (k) VALUES (1, ?, ?)", []any{day, day}},
			{"UPSERT INTO x (k, d, n) KEYS (k) SELECT 1, ?, ?", []any{day, day}},
			{"UPSERT INTO x (k, d, n) KEYS (d) SELECT 1, ?, ?", []any{day, day}},
			{"APPLY CHANGES INTO x FROM (SELECT 1 k, ? d, ? n, NULL ad, NULL sd, NULL md, 1 seq) KEYS (k) SEQUENCE BY seq", []any{day, day}},
		} {
			db := momentTable(t, zone)
			_, err := db.Exec(c.statement, c.args...)
			require.NoError(t, err, "%s: %s", zone, c.statement)
			require.Equal(t, "1,"+onlyDay+","+onlyDay, rows(t, db, "SELECT k, d, n FROM x"), "%s: %s", zone, c.statement)
			require.NoError(t, db.Close())
		}
	}
}

func momentTable(t *testing.T, zone string) *sql.DB {
	db := open(t, "memory://?timezone="+zone)
	exec(t, db, "CREATE TABLE x (k INT, d DATE, n TIMESTAMP_NTZ, ad ARRAY<DATE>, sd STRUCT<a: DATE, i: TIMESTAMP, n: ARRAY<TIMESTAMP_NTZ>>, md MAP<DATE, TIMESTAMP_NTZ>)")
	return db
}

func TestClocksInsideOfNestedArguments(t *testing.T) {
	for zone, day := range momentZones(t) {
		args := []any{driver.List{day, nil}, driver.Struct{{Name: "n", Value: driver.List{day}}, {Name: "i", Value: day}, {Name: "a", Value: day}}, driver.Map{{Key: day, Value: day}}}
		want := "1,2024-07-01,2024-07-01,2024-07-01 00:00:00," + strconv.FormatInt(day.Unix(), 10) + ",2024-07-01,2024-07-01 00:00:00"
		for _, statement := range []string{
			"INSERT INTO x (k, ad, sd, md) VALUES (1, ?, ?, ?)",
			"UPSERT INTO x (k, ad, sd, md) KEYS (k) VALUES (1, ?, ?, ?)",
			"",
		} {
			db := momentTable(t, zone)
			if statement != "" {
				exec(t, db, statement, args...)
			} else {
				conn, err := db.Conn(context.Background())
				require.NoError(t, err)
				_, err = driver.CopyFrom(context.Background(), conn, "x", []string{"k", "ad", "sd", "md"}, driver.CopyFromRows([][]any{append([]any{1}, args...)}))
				require.NoError(t, err)
				require.NoError(t, conn.Close())
			}
			require.Equal(t, want, rows(t, db, `SELECT k, CAST(ad[0] AS STRING), CAST(sd.a AS STRING), CAST(sd.n[0] AS STRING),
				unix_seconds(sd.i), CAST(map_keys(md)[0] AS STRING), CAST(map_values(md)[0] AS STRING) FROM x`), "%s: %s", zone, statement)
		}
	}
}

// TestClocksOfArgumentsFindRows: what is compared with a DATE or a TIMESTAMP_NTZ
// is compared by its clock.
func TestClocksOfArgumentsFindRows(t *testing.T) {
	for zone, day := range momentZones(t) {
		db := momentTable(t, zone)
		exec(t, db, "INSERT INTO x (k, d, n, ad) VALUES (1, ?, ?, ?)", day, day, driver.List{day})
		exec(t, db, "INSERT INTO x (k, d, n) VALUES (2, DATE '2024-06-30', TIMESTAMP_NTZ '2024-06-30 22:00:00'), (3, DATE '2024-07-02', NULL)")
		for _, c := range []struct {
			where string
			args  []any
		}{
			{"d = ?", []any{day}},
			{"n = ?", []any{day}},
			{"d <=> ?", []any{day}},
			{"d IN (?, ?)", []any{day, day}},
			{"d BETWEEN ? AND ?", []any{day, day}},
			{"? BETWEEN d AND d", []any{day}},
			{"array_contains(?, d)", []any{driver.List{day}}},
			{"array_contains(?, n)", []any{driver.List{day, nil}}},
			{"array_contains(ad, ?)", []any{day}},
			{"d IN (SELECT * FROM unnest(?))", []any{driver.List{day}}},
			{"n IN (SELECT * FROM unnest(?))", []any{driver.List{day}}},
			{"n = ANY (SELECT explode(?))", []any{driver.List{day}}},
			{"EXISTS (SELECT 1 FROM (SELECT ? v) s WHERE s.v = x.d)", []any{day}},
			{"(d, k) IN ((?, 1))", []any{day}},
			{"(d, n) = (?, ?)", []any{day, day}},
			{"struct(d, n) = struct(?, ?)", []any{day, day}},
			{"d = (SELECT ?)", []any{day}},
			{"d = ? + INTERVAL '0' DAY", []any{day}},
			{"n = ? + INTERVAL '0' HOUR", []any{day}},
			{"d = coalesce(?, d)", []any{day}},
			{"nullif(d, ?) IS NULL", []any{day}},
			{"CASE d WHEN ? THEN true ELSE false END", []any{day}},
			{"CASE ? WHEN (SELECT ?) THEN false WHEN d THEN true END", []any{day, day.AddDate(1, 0, 0)}},
			{"d = CASE WHEN k > 0 THEN ? ELSE ? END", []any{day, day}},
			{"d = greatest(?, DATE '2020-01-01')", []any{day}},
			{"d = CAST(? AS DATE)", []any{day}},
			{"d = CAST((SELECT ?) AS DATE)", []any{day}},
			{"datediff(?, d) = 0", []any{day}},
			{"k IN (SELECT k FROM x y JOIN (VALUES (?)) AS s(v) ON y.d = s.v)", []any{day}},
			{"k IN (SELECT k FROM x y JOIN (SELECT ? d) USING (d))", []any{day}},
			{"k IN (WITH s AS (SELECT ? v) SELECT k FROM x y, s WHERE y.d = s.v AND y.n = s.v)", []any{day}},
			{"d IN (SELECT d FROM x INTERSECT SELECT ?)", []any{day}},
		} {
			got, err := tryRows(t.Context(), db, "SELECT k FROM x WHERE "+c.where, c.args...)
			require.NoError(t, err, "%s: %s", zone, c.where)
			require.Equal(t, "1", got, "%s: %s", zone, c.where)
		}
		exec(t, db, "DELETE FROM x WHERE d = (SELECT ?)", day)
		exec(t, db, "DELETE FROM x WHERE n = ?", day.Add(-2*time.Hour))
		require.Equal(t, "3", rows(t, db, "SELECT k FROM x"))
		exec(t, db, "INSERT INTO x (k, d) REPLACE WHERE d >= ? SELECT 4, ?", day.AddDate(0, 0, 1), day.AddDate(0, 0, 1))
		require.Equal(t, "4", rows(t, db, "SELECT k FROM x"))
		require.NoError(t, db.Close())
	}
}

// TestInstantsOfArguments: a TIMESTAMP, and what no clock is asked of, take the
// instant.
func TestInstantsOfArguments(t *testing.T) {
	for zone, day := range momentZones(t) {
		db := open(t, "memory://?timezone="+zone)
		exec(t, db, "CREATE TABLE i (k INT, t TIMESTAMP, d DATE)")
		exec(t, db, "INSERT INTO i VALUES (1, ?, ?)", day, day)
		exec(t, db, "INSERT INTO i SELECT 2, ?, NULL", day)
		exec(t, db, "INSERT INTO i SELECT 3, v, v FROM (SELECT ? a, ? v)", day, day.In(zoneOf(t, zone)))
		for _, where := range []string{"t = ?", "t = (SELECT ?)", "array_contains(array(?), t)", "t IN (SELECT * FROM unnest(array(?)))", "date_trunc('MINUTE', ?) = t", "unix_micros(?) = unix_micros(t)", "hash(?) = hash(t)", "to_json(struct(? AS a)) = to_json(struct(t AS a))"} {
			require.Equal(t, "1;2;3", rows(t, db, "SELECT k FROM i WHERE "+where+" ORDER BY k", day), "%s: %s", zone, where)
		}
		var out, again time.Time
		require.NoError(t, db.QueryRow("SELECT ?, max(v) FROM (VALUES (?)) AS s(v)", day, day).Scan(&out, &again))
		require.True(t, out.Equal(day) && again.Equal(day))
		require.Equal(t, "true,true", rows(t, db, "SELECT ? = ?, ? < ?", day, day.UTC(), day.UTC(), day.Add(time.Second)))
		require.Equal(t, "1", rows(t, db, "SELECT count(*) FROM (SELECT ? UNION SELECT ?)", day, day.UTC()))
		_, err := db.Exec("INSERT INTO i SELECT 4, v, v FROM (SELECT ? v)", day)
		require.ErrorIs(t, err, driver.ErrTypeMismatch)
		require.ErrorContains(t, err, "CAST(? AS DATE)")
		require.NoError(t, db.Close())
	}
}

func zoneOf(t *testing.T, name string) *time.Location {
	loc, err := time.LoadLocation(name)
	require.NoError(t, err)
	return loc
}

// TestNanosecondsOfArguments: TIMESTAMP(9) and TIMESTAMP_NTZ(9) take all that a
// time has, and what comes out finds itself.
func TestNanosecondsOfArguments(t *testing.T) {
	vienna := zoneOf(t, "Europe/Vienna")
	at := time.Date(2024, 7, 1, 12, 34, 56, 123456789, vienna)
	for _, zone := range []string{"UTC", "Europe/Vienna", "America/New_York"} {
		for i, statement := range []string{
			"INSERT INTO n VALUES (1, ?, ?, ?, ?)", "INSERT INTO n SELECT 1, ?, ?, ?, ?", "UPSERT INTO n KEYS (k) VALUES (1, ?, ?, ?, ?)",
			"INSERT INTO n (k) VALUES (1); UPDATE n SET i = ?, c = ?, c6 = ?, a = ?",
			"MERGE INTO n USING (SELECT 1 k, ? i, ? c, ? c6, ? a) s ON n.k = s.k WHEN NOT MATCHED THEN INSERT *", "",
		} {
			db := open(t, "file://"+t.TempDir()+"?format=iceberg&timezone="+zone)
			exec(t, db, "CREATE TABLE n (k INT, i TIMESTAMP(9), c TIMESTAMP_NTZ(9), c6 TIMESTAMP_NTZ, a ARRAY<TIMESTAMP_NTZ(9)>) TBLPROPERTIES ('format-version' = '3')")
			if args := []any{at, at, at, driver.List{at}}; statement != "" {
				exec(t, db, statement, args...)
			} else {
				conn, err := db.Conn(context.Background())
				require.NoError(t, err)
				_, err = driver.CopyFrom(context.Background(), conn, "n", nil, driver.CopyFromRows([][]any{append([]any{1}, args...)}))
				require.NoError(t, err)
				require.NoError(t, conn.Close())
			}
			var instant, clock, micros, element time.Time
			require.NoError(t, db.QueryRow("SELECT i, c, c6, a[0] FROM n").Scan(&instant, &clock, &micros, &element))
			require.True(t, instant.Equal(at), "%d %s %s", i, zone, instant)
			require.Equal(t, "2024-07-01T12:34:56.123456789Z", clock.Format(time.RFC3339Nano), "%d %s", i, zone)
			require.Equal(t, "2024-07-01T12:34:56.123456789Z", element.Format(time.RFC3339Nano), "%d %s", i, zone)
			require.Equal(t, "2024-07-01T12:34:56.123456Z", micros.Format(time.RFC3339Nano), "%d %s", i, zone)
			require.Equal(t, "1", rows(t, db, "SELECT k FROM n WHERE i = ? AND c = ? AND i IN (SELECT * FROM unnest(?)) AND array_contains(a, ?) AND i = (SELECT ?)", instant, clock, driver.List{instant}, clock, instant))
			exec(t, db, "UPDATE n SET i = ?, c = ?", instant, clock)
			require.Equal(t, "1", rows(t, db, "SELECT k FROM n WHERE i = ? AND c = ?", at, at))
			require.Equal(t, "0", rows(t, db, "SELECT count(*) FROM n WHERE i = ?", at.Add(1)))
			require.NoError(t, db.Close())
		}
	}
}

// TestNanosecondsOfLiterals: a typed literal has the digits that it is written
// with, where they count.
func TestNanosecondsOfLiterals(t *testing.T) {
	db := open(t, "file://"+t.TempDir()+"?format=iceberg")
	exec(t, db, "CREATE TABLE n (k INT, i TIMESTAMP(9), c TIMESTAMP_NTZ(9), m TIMESTAMP) TBLPROPERTIES ('format-version' = '3')")
	exec(t, db, "INSERT INTO n VALUES (1, TIMESTAMP '2024-07-01 12:34:56.123456789', TIMESTAMP_NTZ '2024-07-01 12:34:56.123456789', TIMESTAMP '2024-07-01 12:34:56.123456789')")
	exec(t, db, "INSERT INTO n SELECT 2, TIMESTAMP '2024-07-01 12:34:56.123456789', TIMESTAMP_NTZ '2024-07-01 12:34:56.123456789', TIMESTAMP '9999-12-31 23:59:59.999999999'")
	require.Equal(t, "1;2", rows(t, db, "SELECT k FROM n WHERE i = TIMESTAMP '2024-07-01 12:34:56.123456789' AND c = TIMESTAMP_NTZ '2024-07-01 12:34:56.123456789' ORDER BY k"))
	require.Equal(t, "1;2", rows(t, db, "SELECT k FROM n WHERE i = (SELECT TIMESTAMP '2024-07-01 12:34:56.123456789') AND array_contains(array(TIMESTAMP_NTZ '2024-07-01 12:34:56.123456789'), c) ORDER BY k"))
	require.Equal(t, "0", rows(t, db, "SELECT count(*) FROM n WHERE i = TIMESTAMP '2024-07-01 12:34:56.123456788'"))
	require.Equal(t, "1", rows(t, db, "SELECT k FROM n WHERE m <= TIMESTAMP '2024-12-31 23:59:59.999999999'"), "beside a TIMESTAMP the digits that it has")
	require.Equal(t, "TIMESTAMP,TIMESTAMP_NTZ", rows(t, db, "SELECT upper(typeof(TIMESTAMP '2024-07-01 12:34:56.123456789')), upper(typeof(TIMESTAMP_NTZ '2024-07-01 12:34:56.1234567'))"))
}
