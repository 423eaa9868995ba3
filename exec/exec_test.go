package exec_test

import (
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func testTables(t *testing.T, size int) readOnlyTx {
	tx := readOnlyTx{tables: map[string]*memoryTable{}}
	tx.add(t, "emp", `SELECT * FROM VALUES (1, 'ann', 10, 100.50), (2, 'bob', 20, 80.25), (3, 'cyd', 10, NULL), (4, NULL, NULL, 70.00), (5, 'eve', 30, 100.50) AS v(id, name, dept, pay)`, size)
	tx.add(t, "dept", `SELECT * FROM VALUES (10, 'red'), (20, 'blue'), (40, 'green'), (NULL, 'none') AS v(id, name)`, size)
	return tx
}

func TestQueries(t *testing.T) {
	for _, c := range []struct{ sql, want string }{
		{"SELECT 1 + 1 AS two, 'a' || 'b'", "2 | 'ab'"},
		{"SELECT id FROM emp WHERE pay > 75 ORDER BY id", "1;2;5"},
		{"SELECT name, pay * 2 FROM emp WHERE name LIKE '%b%' OR pay IS NULL ORDER BY name DESC", "'cyd' | NULL;'bob' | 160.50"},
		{"SELECT id, name FROM emp ORDER BY name", "4 | NULL;1 | 'ann';2 | 'bob';3 | 'cyd';5 | 'eve'"},
		{"SELECT id FROM emp ORDER BY name DESC NULLS FIRST LIMIT 2", "4;5"},
		{"SELECT id FROM emp ORDER BY pay DESC, id LIMIT 2 OFFSET 1", "5;2"},
		{"SELECT id FROM emp ORDER BY id LIMIT 9223372036854775807 OFFSET 2", "3;4;5"},
		{"SELECT id FROM (SELECT id FROM emp LIMIT 9223372036854775807 OFFSET 0) q ORDER BY id LIMIT 4611686018427387904", "1;2;3;4;5"},
		{"SELECT count(*) FROM (SELECT id + 0 FROM emp LIMIT 9223372036854775807 OFFSET 1) q", "4"},
		{"SELECT dept, count(*), sum(pay), min(name) FROM emp GROUP BY dept ORDER BY dept", "NULL | 1 | 70.00 | NULL;10 | 2 | 100.50 | 'ann';20 | 1 | 80.25 | 'bob';30 | 1 | 100.50 | 'eve'"},
		{"SELECT dept + 1 AS d, count(*) AS n FROM emp WHERE dept IS NOT NULL GROUP BY dept + 1 HAVING count(*) > 1", "11 | 2"},
		{"SELECT count(*), count(name), count(DISTINCT dept), avg(pay) FROM emp", "5 | 4 | 3 | 87.812500"},
		{"SELECT dept, count(DISTINCT pay) FROM emp GROUP BY dept ORDER BY dept", "NULL | 1;10 | 1;20 | 1;30 | 1"}, // one of them in two groups
		{"SELECT count(*) FROM emp WHERE false", "0"},
		{"SELECT sum(pay) FROM emp WHERE id > 100", "NULL"},
		{"SELECT count(*) FROM emp HAVING false", ""},
		{"SELECT id FROM (SELECT id FROM emp ORDER BY id LIMIT 2) q WHERE id > 1", "2"},
		{"SELECT count(*) FROM (SELECT id FROM emp ORDER BY id LIMIT 2 OFFSET 1) q WHERE id <> 2", "1"},
		{"SELECT DISTINCT pay FROM emp ORDER BY 1", "NULL;70.00;80.25;100.50"},
		{"SELECT e.id, d.name FROM emp e JOIN dept d ON e.dept = d.id ORDER BY 1", "1 | 'red';2 | 'blue';3 | 'red'"},
		{"SELECT e.id, d.name FROM emp e, dept d WHERE e.dept = d.id AND d.name <> 'red'", "2 | 'blue'"},
		{"SELECT e.id, d.name FROM emp e LEFT JOIN dept d ON e.dept = d.id ORDER BY 1", "1 | 'red';2 | 'blue';3 | 'red';4 | NULL;5 | NULL"},
		{"SELECT e.id, d.name FROM emp e RIGHT JOIN dept d ON e.dept = d.id ORDER BY 1, 2", "NULL | 'green';NULL | 'none';1 | 'red';2 | 'blue';3 | 'red'"},
		{"SELECT e.id, d.name FROM emp e FULL JOIN dept d ON e.dept = d.id ORDER BY 1, 2", "NULL | 'green';NULL | 'none';1 | 'red';2 | 'blue';3 | 'red';4 | NULL;5 | NULL"},
		{"SELECT e.id FROM emp e LEFT SEMI JOIN dept d ON e.dept = d.id ORDER BY 1", "1;2;3"},
		{"SELECT e.id FROM emp e LEFT ANTI JOIN dept d ON e.dept = d.id ORDER BY 1", "4;5"},
		{"SELECT e.id, d.id FROM emp e LEFT JOIN dept d ON e.dept = d.id AND d.name = 'blue' ORDER BY 1", "1 | NULL;2 | 20;3 | NULL;4 | NULL;5 | NULL"},
		{"SELECT count(*) FROM emp CROSS JOIN dept", "20"},
		{"SELECT a.id, b.id FROM emp a JOIN emp b ON a.id < b.id AND a.dept = b.dept", "1 | 3"},
		{"SELECT e.id, d.id FROM emp e JOIN dept d ON e.id * 10 > d.id ORDER BY 1, 2 LIMIT 2", "2 | 10;3 | 10"},
		{"SELECT id FROM emp WHERE id IN (1, 3, 99) UNION ALL SELECT id FROM dept WHERE id = 10 ORDER BY id", "1;3;10"},
		{"SELECT dept FROM emp UNION SELECT id FROM dept ORDER BY 1", "NULL;10;20;30;40"},
		{"WITH t AS (SELECT dept, sum(pay) AS s FROM emp GROUP BY dept) SELECT d.name, t.s FROM t JOIN dept d ON t.dept = d.id ORDER BY s", "'blue' | 80.25;'red' | 100.50"},
		{"SELECT CASE WHEN pay > 90 THEN 'hi' WHEN pay IS NULL THEN '?' ELSE 'lo' END FROM emp ORDER BY id", "'hi';'lo';'?';'lo';'hi'"},
		{"SELECT x.s FROM (SELECT id + 1 AS s FROM emp) x WHERE x.s > 5", "6"},
		{"SELECT id, name FROM emp JOIN dept USING (id)", ""},
		{"SELECT DATE '2024-01-31' + INTERVAL 1 MONTH", "DATE '2024-02-29'"},
		{"SELECT id FROM emp LIMIT 0", ""},
		{"SELECT count(*) FILTER (WHERE dept = 10) FROM emp", "2"},
		{"SELECT max(pay) - min(pay) AS d FROM emp GROUP BY ALL", "30.50"},
		{"VALUES (1, 'a'), (2, NULL)", "1 | 'a';2 | NULL"},
		{"SELECT * EXCEPT (name, pay) FROM emp WHERE id = 1", "1 | 10"},
	} {
		for _, size := range []int{1, 2, 100} {
			for _, run := range []struct {
				threads int
				limit   int64
			}{{threads: 1}, {threads: 3}, {1, forceSpilling}, {3, forceSpilling}} {
				tx := testTables(t, size)
				tx.limit = run.limit
				got, err := tx.query(c.sql, run.threads)
				if c.want == "" && err != nil && strings.Contains(c.sql, "USING") {
					continue // name is ambiguous
				}
				require.NoError(t, err, c.sql)
				if !strings.Contains(c.sql, "ORDER BY") {
					sort.Strings(got)
				}
				require.Equal(t, c.want, strings.Join(got, ";"), "%s with batches of %d and %+v", c.sql, size, run)
			}
		}
	}
}

func TestQueryErrors(t *testing.T) {
	for _, c := range []struct{ sql, want string }{
		{"SELECT nam FROM emp", "line 1:8: column not found: nam; did you mean name?"},
		{"SELECT id FROM emp, dept", "ambiguous column"},
		{"SELECT name, count(*) FROM emp", "line 1:8: invalid statement: name must stand in GROUP BY"},
		{"SELECT 1 / 0", "invalid value"},
		{"SELECT * FROM nosuch", "line 1:15: table not found"},
		{"SELECT sum(sum(pay)) FROM emp", "stands inside the aggregate"},
		{"SELECT id FROM emp WHERE count(*) > 1", "can't stand in WHERE"},
		{"SELECT upperr(name) FROM emp", "upper"},
		{"SELECT e.id FROM emp e FULL JOIN emp f ON e.id + f.id IN (SELECT 1)", "unsupported SQL: a subquery in the ON of a FULL JOIN"},
		{"SELECT id FROM emp ORDER BY 3", "position 3 is not in the select list"},
		{"SELECT id FROM emp WHERE name", "needs a BOOLEAN"},
	} {
		_, err := testTables(t, 2).query(c.sql, 2)
		require.ErrorContains(t, err, c.want, c.sql)
	}
}

// TestTopN compares LIMIT over ORDER BY with the whole sort, over enough rows
// for runs to be cut.
func TestTopN(t *testing.T) {
	tx := readOnlyTx{tables: map[string]*memoryTable{}}
	tx.add(t, "seq", `SELECT a.c * 100 + b.c AS n FROM (SELECT 1 AS c UNION ALL SELECT 2 UNION ALL SELECT 3) a, (VALUES (1), (2), (3), (4), (5), (6), (7), (8), (9)) b(c)`, 5)
	tx.add(t, "big", `SELECT CASE WHEN (a.n * 7 + b.n * 13 + c.n) % 11 = 0 THEN NULL ELSE (a.n * 7919 + b.n * 104729 + c.n * 31) % 1000 END AS k, (a.n + b.n) % 5 AS v,
		CAST((a.n * 31 + b.n * 17 + c.n * 7) % 97 AS STRING) AS s FROM seq a, seq b, seq c`, 2048)
	for _, order := range []string{"k", "k DESC", "k NULLS LAST", "k DESC NULLS FIRST", "s, k", "s DESC, v, k", "v, k, s", "v, s", "v DESC, s DESC, k"} {
		all, err := tx.query("SELECT k, v, s FROM big ORDER BY "+order+", v, s, k", 2)
		require.NoError(t, err)
		require.Len(t, all, 27*27*27)
		for _, threads := range []int{1, 2} { // two may share the rows so that neither cuts its run
			got, err := tx.query("SELECT k, v, s FROM big ORDER BY "+order+", v, s, k LIMIT 20", threads)
			require.NoError(t, err)
			require.Equal(t, all[:20], got, "%s with %d threads", order, threads)
		}
	}
}
