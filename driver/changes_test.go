package driver_test

import (
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/driver"
)

// TestChangesConflictWithRowsTheyHaveMissed commits a row, by a statement that
// has read the table and removes nothing, while another is under way: one that
// would have seen the row conflicts.
func TestChangesConflictWithRowsTheyHaveMissed(t *testing.T) {
	eachFormat(t, onChangesThatMissRows)
}

func onChangesThatMissRows(t *testing.T, _, options string) {
	if options != "" { // Iceberg's snapshots do not tell whether an append has read, so at lower levels none conflicts
		options += "&isolation=serializable"
	}
	for _, c := range []struct {
		statement, missed string // the missed row's v
		wants             error
	}{
		{"DELETE FROM t WHERE v = 1", "1", driver.ErrConflict},
		{"DELETE FROM t WHERE v = 1", "100", nil},
		{"DELETE FROM t", "100", driver.ErrConflict},
		{"UPDATE t SET id = id + 10 WHERE v = 1", "1", driver.ErrConflict},
		{"UPDATE t SET id = id + 10 WHERE v = 1", "100", nil},
		{"MERGE INTO t USING (SELECT 1 AS v) s ON t.v = s.v AND t.v < 50 WHEN MATCHED THEN DELETE", "1", driver.ErrConflict},
		{"MERGE INTO t USING (SELECT 1 AS v) s ON t.v = s.v AND t.v < 50 WHEN MATCHED THEN DELETE", "100", nil},
		{"MERGE INTO t USING (SELECT 1 AS v) s ON t.v = s.v WHEN MATCHED THEN UPDATE SET id = 7", "100", driver.ErrConflict},
		{"MERGE INTO t USING (SELECT 1 AS v) s ON t.v = s.v AND t.v < 50 WHEN NOT MATCHED BY SOURCE THEN DELETE", "100", driver.ErrConflict},
		{"INSERT OVERWRITE t VALUES (9, 9)", "100", driver.ErrConflict},
		{"INSERT INTO t REPLACE WHERE v = 1 VALUES (9, 1)", "1", driver.ErrConflict},
		{"INSERT INTO t REPLACE WHERE v = 1 VALUES (9, 1)", "100", nil},
		{"INSERT INTO t VALUES (9, 1)", "1", nil},
		{"UPSERT INTO t KEYS (v) VALUES (9, 1)", "1", driver.ErrConflict},
		{"UPSERT INTO t KEYS (v) VALUES (9, 100)", "100", driver.ErrConflict},
		{"UPSERT INTO t KEYS (v) VALUES (9, 1)", "100", nil},
		{"APPLY CHANGES INTO t FROM (SELECT * FROM VALUES (9, 100), (9, 3) AS s(id, v)) KEYS (v) DELETE WHEN v = 100 SEQUENCE BY id", "100", driver.ErrConflict},
		{"APPLY CHANGES INTO t FROM (SELECT * FROM VALUES (9, 100), (9, 3) AS s(id, v)) KEYS (v) DELETE WHEN v = 100 SEQUENCE BY id", "1", nil},
	} {
		db := open(t, "memory://"+options)
		exec(t, db, "DROP TABLE IF EXISTS t; CREATE TABLE t (id INT, v INT); INSERT INTO t VALUES (1, 1); INSERT INTO t VALUES (2, 2)")
		tx, err := db.Begin()
		require.NoError(t, err)
		exec(t, tx, c.statement)
		exec(t, db, "MERGE INTO t USING (VALUES (3, "+c.missed+")) s(id, v) ON t.id = s.id WHEN NOT MATCHED THEN INSERT *")
		err = tx.Commit()
		byKey := options != "" && (strings.HasPrefix(c.statement, "UPSERT") || strings.HasPrefix(c.statement, "APPLY"))
		if byKey && c.wants != nil { // equality deletes take away the row that was missed
			c.wants = nil
			require.Equal(t, "1", rows(t, db, "SELECT count(DISTINCT v) - count(*) + 1 FROM t"), "%s, missed v = %s", c.statement, c.missed)
		}
		if c.wants == nil {
			require.NoError(t, err, "%s, missed v = %s", c.statement, c.missed)
		} else {
			require.ErrorIs(t, err, c.wants, "%s, missed v = %s", c.statement, c.missed)
		}
	}
}

// allFiles lists what is in a directory, unfinished files too.
func allFiles(t *testing.T, dir string) []string {
	t.Helper()
	var paths []string
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			paths = append(paths, path)
		}
		return err
	}))
	return paths
}

// TestFailedStatementLeavesNothing makes statements fail at their last row: what
// they did before is no part of the transaction, which goes on.
func TestFailedStatementLeavesNothing(t *testing.T) { eachFormat(t, onFailedStatement) }

func onFailedStatement(t *testing.T, dir, options string) {
	db := open(t, dir+options)
	manyRows(t, db)
	exec(t, db, "CREATE TABLE u (id BIGINT NOT NULL); INSERT INTO u SELECT id FROM t WHERE id < 5000")
	files, before := dataFiles(t, dir), allFiles(t, dir)
	tx, err := db.Begin()
	require.NoError(t, err)
	for _, statement := range []string{
		"INSERT INTO u SELECT 1 / (id - 65535) FROM (SELECT id FROM t ORDER BY id)",
		"INSERT INTO u SELECT CASE WHEN id < 65535 THEN id END FROM (SELECT id FROM t ORDER BY id)",
		"INSERT INTO u VALUES (1), (NULL)",
		"INSERT OVERWRITE u SELECT 1 / (id - 65535) FROM (SELECT id FROM t ORDER BY id)",
		"UPDATE u SET id = 1 / (id - 4999)",
		"UPSERT INTO u KEYS (id) SELECT CASE WHEN id < 65535 THEN id END FROM (SELECT id FROM t ORDER BY id)",
		"APPLY CHANGES INTO u FROM (SELECT id % 65535 AS id, id AS s FROM t) KEYS (id) SEQUENCE BY nullif(s, 65534)",
		"MERGE INTO u USING (SELECT id FROM t ORDER BY id) s ON u.id = s.id WHEN NOT MATCHED THEN INSERT (id) VALUES (1 / (s.id - 65535))",
	} {
		_, err := tx.Exec(statement)
		require.Error(t, err, statement)
		require.Equal(t, before, allFiles(t, dir), statement)
		require.Equal(t, "5000,12497500", rows(t, tx, "SELECT count(*), sum(id) FROM u"), statement)
	}
	exec(t, tx, "INSERT INTO u VALUES (5000)")
	require.NoError(t, tx.Commit())
	require.Equal(t, "5001,12502500", rows(t, db, "SELECT count(*), sum(id) FROM u"))
	require.Equal(t, files+1, dataFiles(t, dir))
}
