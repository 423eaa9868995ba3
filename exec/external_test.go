package exec_test

import (
	"context"
	"os"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/exec"
	"github.com/tarndb/tarn/pushdown"
	"github.com/tarndb/tarn/sql/bind"
	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/parser"
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
	for _, limit := range []int64{forceSpilling, 8 << 20} {
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
	tx := readOnlyTx{tables: map[string]*memoryTable{"t": randomTable(100_000)}}
	sameWhenSpilled(t, tx, "SELECT g, v, x FROM t ORDER BY g, v, x", true)
	sameWhenSpilled(t, tx, "SELECT g, v, x FROM t ORDER BY x DESC, v DESC LIMIT 50000 OFFSET 5", true)
	tx.tables["t"] = randomTable(7_000)
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

func TestSpilledGroups(t *testing.T) {
	tx := readOnlyTx{tables: map[string]*memoryTable{"t": randomTable(50_000)}}
	for _, sql := range []string{
		"SELECT v % 10007 AS k, count(*), sum(x), min(g), max(v), avg(x) FROM t GROUP BY 1",
		"SELECT CAST(v % 5003 AS STRING) AS k, g % 3 AS h, count(DISTINCT x), sum(DISTINCT g) FILTER (WHERE x > 50), round(stddev(x), 6) FROM t GROUP BY 1, 2",
		"SELECT array(g, x) AS k, DATE '2024-01-01' + CAST(g AS INT) AS d, CAST(g AS DECIMAL(38, 2)) AS m, count(*) FROM t GROUP BY 1, 2, 3",
		"SELECT DISTINCT g, x FROM t",
		"SELECT g, x % 3 AS y, count(*) FROM t GROUP BY ROLLUP (g, x % 3)",
	} {
		sameWhenSpilled(t, tx, sql, false)
	}
	small := readOnlyTx{tables: map[string]*memoryTable{"t": randomTable(10_000)}}
	sameWhenSpilled(t, small, "SELECT CASE WHEN v % 5 <> 0 THEN CAST(v % 1009 AS DOUBLE) END AS k, sort_array(collect_list(x)), max_by(g, v), percentile(x, 0.5) FROM t GROUP BY 1", false)
	tx.limit = 200 << 10
	got, err := tx.query("SELECT count(DISTINCT v), count(DISTINCT g, x) FROM t", 2)
	require.NoError(t, err)
	tx.limit = 0
	want, err := tx.query("SELECT count(DISTINCT v), count(DISTINCT g, x) FROM t", 2)
	require.NoError(t, err)
	require.Equal(t, want, got)
	tx.limit = 200 << 10
	_, err = tx.query("SELECT length(concat_ws(',', collect_list(CAST(v AS STRING)))) FROM t", 2)
	require.ErrorIs(t, err, exec.ErrMemoryLimit)
	require.ErrorContains(t, err, "values of an aggregate's groups")
}

// TestSpilledGroupsManyLevels has so little room that the parts of parts are
// spilled again.
func TestSpilledGroupsManyLevels(t *testing.T) {
	tx := readOnlyTx{tables: map[string]*memoryTable{"t": randomTable(400_000)}, limit: forceSpilling}
	got, err := tx.query("SELECT count(*), sum(n), sum(s) FROM (SELECT v, count(*) AS n, sum(x) AS s FROM t GROUP BY v) q", 2)
	require.NoError(t, err)
	tx.limit = 0
	want, err := tx.query("SELECT count(DISTINCT v), count(*), sum(x) FROM t", 2)
	require.NoError(t, err)
	require.Equal(t, want, got)
}

// joinTables are two tables of rows (k, x, n) with NULLs and many keys that only
// one of them has.
const joinTables = `WITH a AS (SELECT CASE WHEN x < 95 THEN v % 4001 END AS k, x, g AS n FROM t WHERE g < 700),
	b AS (SELECT CASE WHEN x < 90 THEN v % 4001 + 700 END AS k, x, g AS n FROM t WHERE g > 200) `

func TestSpilledJoins(t *testing.T) {
	tx := readOnlyTx{tables: map[string]*memoryTable{"t": randomTable(8_000)}}
	for _, sql := range []string{
		"SELECT a.*, b.* FROM a JOIN b ON a.k = b.k",
		"SELECT a.*, b.* FROM a JOIN b ON a.k = b.k AND a.x < b.x",
		"SELECT a.*, b.* FROM a LEFT JOIN b ON a.k = b.k AND a.x < b.x",
		"SELECT a.*, b.* FROM a RIGHT JOIN b ON a.k = b.k AND a.x < b.x",
		"SELECT a.*, b.* FROM a FULL JOIN b ON a.k = b.k AND a.x < b.x",
		"SELECT a.*, b.* FROM a FULL JOIN b ON a.k <=> b.k AND a.x = b.x AND a.n = b.n",
		"SELECT a.* FROM a LEFT SEMI JOIN b ON a.k = b.k",
		"SELECT a.* FROM a LEFT SEMI JOIN b ON a.k = b.k AND a.x < b.x",
		"SELECT a.* FROM a LEFT ANTI JOIN b ON a.k = b.k AND a.x < b.x",
		"SELECT a.* FROM a WHERE a.x > 97 OR a.k IN (SELECT k FROM b WHERE k IS NOT NULL)",
		"SELECT a.*, a.k IN (SELECT k FROM b) AS m FROM a",
		"SELECT a.*, a.k NOT IN (SELECT k FROM b WHERE k IS NOT NULL) AS m FROM a",
		"SELECT a.* FROM a WHERE a.k NOT IN (SELECT k FROM b WHERE k IS NOT NULL)",
		"SELECT a.*, (SELECT sum(b.x) FROM b WHERE b.k = a.k) AS s FROM a",
		"SELECT a.n, b.n FROM a JOIN b ON CAST(a.k AS STRING) = CAST(b.k AS STRING) AND a.x = b.x",
		"SELECT a.n, b.n FROM a JOIN b ON array(a.k) = array(b.k) AND CAST(a.x AS DOUBLE) = CAST(b.x AS DOUBLE)",
		"SELECT c.v, d.v FROM t c JOIN (SELECT g, v FROM t WHERE x < 20) d ON c.g = d.g", // with a dynamic filter
	} {
		sameWhenSpilled(t, tx, joinTables+sql, false)
	}
	tx.tables["t"], tx.limit = randomTable(30_000), 100<<10
	_, err := tx.query(joinTables+"SELECT count(*) FROM a JOIN b ON a.x + b.x = 7", 2)
	require.ErrorIs(t, err, exec.ErrMemoryLimit)
	require.ErrorContains(t, err, "a side of a join without equal keys")
	_, err = tx.query(joinTables+"SELECT count(*) FROM a JOIN (SELECT 1 AS k, x FROM b) c ON a.k = c.k", 2)
	require.ErrorIs(t, err, exec.ErrMemoryLimit)
	require.ErrorContains(t, err, "have one key")
}

// TestNullInSpilledPartition: NULLs of a null-aware join are known to every
// partition.
func TestNullInSpilledPartition(t *testing.T) {
	tx := readOnlyTx{tables: map[string]*memoryTable{"t": randomTable(8_000)}, limit: forceSpilling}
	got, err := tx.query(joinTables+"SELECT count(*) FROM a WHERE a.k NOT IN (SELECT k FROM b)", 2)
	require.NoError(t, err)
	require.Equal(t, []string{"0"}, got)
}

func TestRecursionWithoutRoom(t *testing.T) {
	tx := readOnlyTx{tables: map[string]*memoryTable{}, limit: 100 << 10}
	sql := "WITH RECURSIVE r(n) AS (SELECT 1 UNION SELECT n + m FROM r, (VALUES (1), (10), (100), (1000), (10000)) v(m) WHERE n < 100000) SELECT count(*) FROM r"
	_, err := tx.query(sql, 2)
	require.ErrorIs(t, err, exec.ErrMemoryLimit)
	require.ErrorContains(t, err, "a round of a recursion")
	tx.limit = 0
	_, err = tx.query(sql, 2)
	require.NoError(t, err)
}

// TestCloseWithFiles leaves statements that have spilled at every stage: after a
// row, after an error and with their context cancelled.
func TestCloseWithFiles(t *testing.T) {
	tx := readOnlyTx{tables: map[string]*memoryTable{"t": randomTable(20_000)}}
	for _, sql := range []string{
		"SELECT v FROM t ORDER BY v",
		"SELECT v, count(*) FROM t GROUP BY v",
		"SELECT a.v FROM t a JOIN t b ON a.v = b.v",
		"SELECT a.v FROM t a JOIN t b ON a.v = b.v WHERE 1000 / (a.x - b.x) > 0", // of the rows of any partition
		"SELECT sum(x) OVER (PARTITION BY g ORDER BY v) AS s FROM t",
	} {
		stmt, err := parser.Parse(sql)
		require.NoError(t, err)
		node, err := bind.Statement(t.Context(), stmt, bind.Options{Catalog: tx, Text: sql})
		require.NoError(t, err)
		node, err = pushdown.Rewrite(node)
		require.NoError(t, err)
		budget, dir := exec.NewStingyBudget(), t.TempDir()
		ctx, cancel := context.WithCancel(t.Context())
		r, err := exec.Run(ctx, node, exec.Env{Eval: &eval.Env{}, Threads: 2, Tx: tx, Budget: budget, TempDir: dir})
		require.NoError(t, err)
		_, err = r.Next(ctx)
		require.Equal(t, strings.Contains(sql, "/"), err != nil, "%v", err)
		files, err := os.ReadDir(dir)
		require.NoError(t, err)
		require.Len(t, files, 1, "%s: the process's directory", sql)
		cancel()
		_, err = r.Next(ctx)
		require.Error(t, err)
		require.NoError(t, r.Close())
		files, err = os.ReadDir(dir)
		require.NoError(t, err)
		require.Empty(t, files, sql)
		require.Zero(t, budget.Used(), sql)
	}
}

func TestTempDirMissing(t *testing.T) {
	tx := readOnlyTx{tables: map[string]*memoryTable{"t": randomTable(20_000)}, limit: forceSpilling, tempDir: "/nosuch/dir"}
	_, err := tx.query("SELECT g FROM t ORDER BY g", 2)
	require.ErrorIs(t, err, storage.ErrIO)
	require.ErrorContains(t, err, "temp_dir")
}
