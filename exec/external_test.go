package exec_test

import (
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/exec"
	"github.com/tarndb/tarn/storage"
)

// sameWhenSpilled runs a query with room for all rows and with hardly any, with
// one worker and with several: the rows must be the same, and the second run
// must have used temporary files.
func sameWhenSpilled(t *testing.T, tx readOnlyTx, sql string, ordered bool) {
	t.Helper()
	want, err := tx.query(sql, 1)
	require.NoError(t, err, sql)
	require.NotEmpty(t, want, sql)
	for _, limit := range []int64{forceSpilling, 1 << 20} {
		for _, threads := range []int{1, 3} {
			tx.limit = limit
			got, err := tx.query(sql, threads)
			require.NoError(t, err, sql)
			if !ordered {
				sort.Strings(want)
				sort.Strings(got)
			}
			require.Equal(t, want, got, "%s with a limit of %d and %d threads", sql, limit, threads)
		}
	}
	tx.limit = forceSpilling
	plan, err := tx.query("EXPLAIN ANALYZE "+sql, 2)
	require.NoError(t, err)
	require.Regexp(t, `spilled: [0-9.]+ [KM]iB in [1-9]`, strings.Join(plan, "\n"))
}

func TestExternalSort(t *testing.T) {
	tx := readOnlyTx{tables: map[string]*memoryTable{"t": randomTable(60_000)}}
	sameWhenSpilled(t, tx, "SELECT g, v, x FROM t ORDER BY g, v, x", true)
	sameWhenSpilled(t, tx, "SELECT g, v, x FROM t ORDER BY x DESC, v DESC LIMIT 30000 OFFSET 5", true)
	tx.tables["t"] = randomTable(20_000)
	for _, order := range []string{
		"CASE WHEN g % 7 <> 0 THEN g END, v", "CASE WHEN g % 7 <> 0 THEN g END DESC NULLS FIRST, v", "CASE WHEN g % 3 <> 0 THEN x END NULLS LAST, v",
		"CAST(x AS STRING) DESC, v", "'a long beginning ' || CAST(g AS STRING), v", "CAST(v AS DECIMAL(38, 3)), g", "CAST(x AS FLOAT), v DESC", "CAST(x AS DOUBLE) DESC, v",
		"x < 50, CAST(g AS INT), v", "array(x, g), v", "v % 2 = 0 DESC, array(CAST(x AS STRING)), v", "CAST(x AS DECIMAL(30, 0)) * 100000000000000000000, v",
	} {
		sameWhenSpilled(t, tx, "SELECT g, v, x, array(g), CAST(v AS STRING) FROM t ORDER BY "+order, true)
	}
}

func TestExternalWindow(t *testing.T) {
	tx := readOnlyTx{tables: map[string]*memoryTable{"t": randomTable(20_000)}}
	sameWhenSpilled(t, tx, `SELECT g, v, rank() OVER (PARTITION BY g ORDER BY v) AS r, sum(x) OVER (PARTITION BY g ORDER BY v) AS s,
		sum(x) OVER (PARTITION BY g ORDER BY v ROWS BETWEEN 3 PRECEDING AND 1 FOLLOWING) AS w, max(v) OVER (PARTITION BY g, x % 2) AS m FROM t`, false)
	tx.limit = 64 << 10
	_, err := tx.query("SELECT sum(x) OVER (ORDER BY v) AS s FROM t", 2)
	require.ErrorIs(t, err, exec.ErrMemoryLimit)
	require.ErrorContains(t, err, "a partition of a window")
	require.ErrorContains(t, err, "memory_limit is 64.0 KiB")
}

func TestTempDirMissing(t *testing.T) {
	tx := readOnlyTx{tables: map[string]*memoryTable{"t": randomTable(20_000)}, limit: forceSpilling, tempDir: "/nosuch/dir"}
	_, err := tx.query("SELECT g FROM t ORDER BY g", 2)
	require.ErrorIs(t, err, storage.ErrIO)
	require.ErrorContains(t, err, "temp_dir")
}
