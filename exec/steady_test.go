package exec_test

import (
	"context"
	"database/sql"
	"fmt"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	_ "github.com/tarndb/tarn/driver"
	"github.com/tarndb/tarn/sql/vector"
)

// steadyTable makes a table of so many thousand rows in one row group: numbers,
// dates, and texts with a dictionary.
func steadyTable(t testing.TB, db *sql.DB, thousands int) {
	digits := "(VALUES (0), (1), (2), (3), (4), (5), (6), (7), (8), (9))"
	var more []string
	for i := range thousands {
		more = append(more, fmt.Sprintf("(%d)", i))
	}
	_, err := db.Exec(fmt.Sprintf(`CREATE TABLE t%d AS SELECT id, CAST(id %% 977 AS INT) AS small, id * 0.25D AS price, CAST(id %% 9973 AS DECIMAL(12,2)) AS paid,
		date_add(DATE '2024-01-01', id %% 300) AS day, element_at(array('red', 'green', 'blue'), 1 + id %% 3) AS color
		FROM (SELECT a.x + 10 * b.x + 100 * c.x + 1000 * d.x AS id FROM %s a(x), %s b(x), %s c(x), (VALUES %s) d(x))`, thousands, digits, digits, digits, strings.Join(more, ", ")))
	require.NoError(t, err)
}

// steadyQueries have filters, expressions, joins that probe, and few groups. The
// page index has no answer to their filters: the bounds of pages are looked at
// once, when a row group begins, and cost a few allocations each.
var steadyQueries = []string{
	"SELECT color, count(*), sum(price * (1 - small)), sum(paid * (1 + paid)), avg(price), min(day), max(small) FROM t WHERE month(day) < 8 + small % 3 GROUP BY color",
	"SELECT color, day, count(*) FROM t WHERE CAST(small % 7 AS STRING) || color <> '1red' GROUP BY color, day",
	"SELECT sum(CASE WHEN color = 'red' THEN price ELSE 0 END), max(color || 'x') FROM t WHERE upper(color) || CAST(day AS STRING) <> 'GREEN'",
	"SELECT upper(color), stddev(price), count(DISTINCT small) FROM t WHERE id % 3 <> small % 3 GROUP BY upper(color)",
	"SELECT year(day), count(*) FILTER (WHERE small > 100), sum(id) FROM t WHERE id % 2 = 0 OR small < paid GROUP BY year(day)",
	"SELECT d.w, count(*), sum(t1.price) FROM t AS t1 LEFT JOIN d ON t1.small = d.k AND t1.price > d.w GROUP BY d.w",
	"SELECT d.w, sum(t1.price) FROM d RIGHT JOIN t AS t1 ON t1.small = d.k GROUP BY d.w",
	"SELECT count(*), max(price) FROM t WHERE color IN (SELECT c FROM names)",
	"SELECT count(*), max(price) FROM t WHERE color IN (SELECT c FROM names) OR small = 5",
	"SELECT count(*), max(price) FROM t WHERE NOT EXISTS (SELECT 1 FROM d WHERE d.k = small)",
}

// TestSteadyStateAllocatesNothing runs pipelines over one row group and over one
// of twice as many rows: what they allocate is for the statement, the file and
// the row group, and nothing for a batch more. Some buffers grow a little later
// in the larger one.
func TestSteadyStateAllocatesNothing(t *testing.T) {
	if info, ok := debug.ReadBuildInfo(); ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		t.Skip("the race detector drops what is pooled")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // keeps what is pooled
	db, err := sql.Open("tarn", "memory://?threads=1")
	require.NoError(t, err)
	defer db.Close()
	conn, err := db.Conn(context.Background())
	require.NoError(t, err)
	defer conn.Close()
	const thousands = 200
	steadyTable(t, db, thousands)
	steadyTable(t, db, 2*thousands)
	for _, q := range []string{"CREATE TABLE d AS SELECT DISTINCT small AS k, small % 20 AS w FROM t200 WHERE small % 3 = 0", "CREATE TABLE names AS SELECT 'red' AS c UNION SELECT 'blue'"} {
		_, err := db.Exec(q)
		require.NoError(t, err)
	}
	batches := float64(thousands * 1000 / vector.BatchRows)
	for _, query := range steadyQueries {
		allocs := func(table string) float64 {
			q := strings.ReplaceAll(query, " t ", " "+table+" ")
			return testing.AllocsPerRun(3, func() {
				rows, err := conn.QueryContext(context.Background(), q)
				require.NoError(t, err)
				for rows.Next() {
				}
				require.NoError(t, rows.Err())
			})
		}
		once, twice := allocs(fmt.Sprint("t", thousands)), allocs(fmt.Sprint("t", 2*thousands))
		t.Logf("%.0f and %.0f allocations: %s", once, twice, query)
		assert.Less(t, (twice-once)/batches, 0.1, query)
	}
}
