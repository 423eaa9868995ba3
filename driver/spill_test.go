package driver_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestGroupsSpillWithWorkers groups more texts than there is room for, by several
// workers, whose tables are merged and go on taking rows of the groups they have.
func TestGroupsSpillWithWorkers(t *testing.T) {
	dir := t.TempDir()
	db := open(t, dir)
	exec(t, db, "CREATE TABLE p (s STRING)")
	for f := range 3 {
		exec(t, db, fmt.Sprintf("INSERT INTO p SELECT concat('key-', CAST((n + %d) %% 4001 AS STRING)) FROM (WITH RECURSIVE g AS (SELECT 0 AS n UNION ALL SELECT n + 1 FROM g WHERE n < 149) SELECT a.n * 150 + b.n AS n FROM g a, g b) x", f))
	}
	for _, dsn := range []string{"?memory_limit=1MiB&threads=2", "?memory_limit=2MiB&threads=4"} {
		small := open(t, dir+dsn)
		for range 3 {
			require.Equal(t, "4001,67500", rows(t, small, "SELECT count(*), sum(c) FROM (SELECT s, count(*) AS c FROM p GROUP BY s) x"))
		}
	}
}

// TestDistinctValuesSpillWithWorkers has workers that have met no group of some
// partition.
func TestDistinctValuesSpillWithWorkers(t *testing.T) {
	dir := t.TempDir()
	db := open(t, dir)
	exec(t, db, "CREATE TABLE p (id INT)")
	for f := range 3 {
		exec(t, db, fmt.Sprintf("INSERT INTO p SELECT id FROM range(%d, %d) AS r(id)", 30*f, 30*f+30))
	}
	for _, limit := range []string{"8KiB", "32KiB", "40KiB"} {
		small := open(t, dir+"?threads=2&memory_limit="+limit)
		require.Equal(t, "91,91,91,4095", rows(t, small, "SELECT count(*), sum(size(s)), sum(n), sum(d) FROM (SELECT collect_set(1) AS s, count(DISTINCT 'x') AS n, CASE WHEN id IS NOT NULL THEN sum(DISTINCT id) ELSE 90 END AS d FROM p GROUP BY ROLLUP (id)) x"), limit)
	}
}
