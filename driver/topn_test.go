package driver_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTopNSkipsFiles sees that ORDER BY with LIMIT reads the file first whose
// rows come first and, having enough rows, no other.
func TestTopNSkipsFiles(t *testing.T) {
	db := open(t, "memory://?threads=1")
	exec(t, db, "CREATE TABLE t (k BIGINT, n INT)")
	numbers := "WITH RECURSIVE r(i) AS (SELECT 0L UNION ALL SELECT i + 1 FROM r WHERE i < 149) SELECT %s FROM r a, r b"
	for _, columns := range []string{"a.i * 150 + b.i, 1", "100000 + a.i * 150 + b.i, NULL", "200000 + a.i * 150 + b.i, 3"} {
		exec(t, db, "INSERT INTO t "+strings.Replace(numbers, "%s", columns, 1))
	}
	require.Equal(t, "<nil>;<nil>;<nil>", rows(t, db, "SELECT n FROM t ORDER BY n LIMIT 3"))
	require.Equal(t, "3;3", rows(t, db, "SELECT n FROM t ORDER BY n DESC LIMIT 2"))
	for query, skipped := range map[string]string{
		"SELECT k FROM t ORDER BY k LIMIT 3":                 "2 skipped at run time",
		"SELECT k FROM t ORDER BY k DESC LIMIT 3":            "2 skipped at run time",
		"SELECT n FROM t ORDER BY n NULLS LAST LIMIT 3":      "2 skipped at run time",
		"SELECT n FROM t ORDER BY n LIMIT 3":                 "1 skipped at run time",
		"SELECT k FROM t ORDER BY k LIMIT 3 OFFSET 30000":    "",
		"SELECT k + 1 FROM t ORDER BY t.k DESC, t.n LIMIT 3": "2 skipped at run time",
	} {
		plan := rows(t, db, "EXPLAIN ANALYZE "+query)
		require.Equal(t, skipped != "", strings.Contains(plan, "skipped at run time"), plan)
		require.Contains(t, plan, skipped)
	}
}
