package exec_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSharedRows reads the rows of a common table expression in several places,
// some of which end before they have asked for any.
func TestSharedRows(t *testing.T) {
	tx := readOnlyTx{tables: map[string]*memoryTable{"t": randomTable(20_000), "none": {name: "none", schema: randomTable(1).schema}}}
	with := "WITH c AS (SELECT g, count(*) AS n FROM t GROUP BY g) "
	for sql, want := range map[string][]string{
		"SELECT n - n FROM (SELECT 0 AS n UNION ALL SELECT n FROM c LIMIT 1) a UNION ALL SELECT sum(n) FROM c":                        {"0", "20000"},
		"SELECT sum(n) FROM c UNION ALL SELECT n - n FROM (SELECT 0 AS n UNION ALL SELECT n FROM c LIMIT 1) a":                        {"0", "20000"},
		"SELECT count(*), sum(a.n) = sum(b.n) FROM c a JOIN c b ON a.g = b.g":                                                         {"1000 | TRUE"},
		"SELECT count(*) FROM c WHERE n = (SELECT max(n) FROM c) HAVING count(*) = 0":                                                 {},
		"SELECT (SELECT count(*) FROM c a JOIN none ON a.g = none.g) + (SELECT count(*) FROM c)":                                      {"1000"},
		"SELECT count(*) FROM none JOIN (SELECT a.g FROM c a JOIN c b ON a.n = b.n) d ON none.g = d.g UNION ALL SELECT sum(n) FROM c": {"0", "20000"},
	} {
		for _, threads := range []int{1, 3} {
			for _, limit := range []int64{0, forceSpilling} {
				tx.limit = limit
				got, err := tx.query(with+sql, threads)
				require.NoError(t, err, sql)
				slices.Sort(got)
				require.Equal(t, want, append([]string{}, got...), sql)
			}
		}
	}
}
