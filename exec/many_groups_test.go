package exec_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// groupsOf counts rows "k | g | x" by key: rows, sum of x, least g and distinct g.
func groupsOf(rows []string) []string {
	type group struct {
		rows, sum, least int
		g                map[int]bool
	}
	groups := map[string]*group{}
	for _, row := range rows {
		var g, x int
		cells := strings.Split(row, " | ")
		fmt.Sscan(cells[1], &g)
		fmt.Sscan(cells[2], &x)
		s := groups[cells[0]]
		if s == nil {
			s = &group{least: g, g: map[int]bool{}}
			groups[cells[0]] = s
		}
		s.rows, s.sum, s.least, s.g[g] = s.rows+1, s.sum+x, min(s.least, g), true
	}
	var out []string
	for k, s := range groups {
		out = append(out, fmt.Sprintf("%s | %d | %d | %d | %d", k, s.rows, s.sum, s.least, len(s.g)))
	}
	slices.Sort(out)
	return out
}

// TestManyGroups has so many groups that their rows are scattered, as long as
// they do not come together, and groups that several workers have or one alone.
func TestManyGroups(t *testing.T) {
	tx := readOnlyTx{tables: map[string]*memoryTable{"t": randomTable(200_000)}}
	for _, key := range []string{
		"CAST(v % 80021 AS STRING)",          // most rows have a group by then
		"CAST(v % 3000017 AS STRING)",        // few rows have one
		"CASE WHEN v % 7 <> 0 THEN v END",    // an array's span is too large
		"v % 40009",                          // found in an array
		"CAST(x % 5 AS STRING)",              // few
		"CAST(v DIV 100000 AS DECIMAL(30))",  // many rows of a group
		"CASE WHEN x < 50 THEN 1 ELSE v END", // one large group
	} {
		rows, err := tx.query("SELECT "+key+" AS k, g, x FROM t", 1)
		require.NoError(t, err)
		want := groupsOf(rows)
		for _, threads := range []int{1, 3} {
			for _, limit := range []int64{0, 8 << 20, forceSpilling} {
				tx.limit = limit
				got, err := tx.query("SELECT "+key+" AS k, count(*), sum(x), min(g), count(DISTINCT g) FROM t GROUP BY 1", threads)
				tx.limit = 0
				require.NoError(t, err, "%s with %d threads, limit %d", key, threads, limit)
				slices.Sort(got)
				require.Equal(t, len(want), len(got), "%s with %d threads, limit %d", key, threads, limit)
				require.True(t, slices.Equal(want, got), "%s with %d threads, limit %d", key, threads, limit)
			}
		}
	}
}

// TestScatteredRowsKeepTheirOrder: one worker meets the rows of a group in the
// order of its input, wherever they were in the meantime.
func TestScatteredRowsKeepTheirOrder(t *testing.T) {
	tx := readOnlyTx{tables: map[string]*memoryTable{"t": randomTable(200_000)}}
	for _, limit := range []int64{0, forceSpilling} {
		tx.limit = limit
		got, err := tx.query(`SELECT count(*) FROM (SELECT CAST(v % 60013 AS STRING) AS k, first(n) AS f, min(n) AS a, last(n) AS l, max(n) AS b
			FROM (SELECT v, row_number() OVER (ORDER BY v, g, x) AS n FROM t ORDER BY n) q GROUP BY 1) r WHERE f <> a OR l <> b`, 2)
		require.NoError(t, err)
		require.Equal(t, []string{"0"}, got)
	}
}
