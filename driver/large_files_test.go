package driver_test

import (
	"database/sql"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestChangesOfLargeFiles changes rows of a table of which only some files are so large
// that several workers read a part each.
func TestChangesOfLargeFiles(t *testing.T) {
	for _, properties := range []string{"USING delta", "USING delta TBLPROPERTIES ('delta.enableDeletionVectors' = 'true')",
		"USING iceberg TBLPROPERTIES ('write.delete.mode' = 'merge-on-read', 'write.update.mode' = 'merge-on-read')"} {
		db, err := sql.Open("tarn", "memory://?threads=4")
		require.NoError(t, err)
		_, err = db.Exec("CREATE TABLE t (id BIGINT, f INT) " + properties)
		require.NoError(t, err)
		for f, rows := range []int{10, 300_000, 10, 300_000, 10, 10} {
			_, err = db.Exec("INSERT INTO t SELECT id, ? FROM range(?) AS r(id)", f, rows)
			require.NoError(t, err)
		}
		for _, statement := range []string{"DELETE FROM t WHERE id = 5 AND f + 0 = 4", "UPDATE t SET id = -1 WHERE id = 6 AND f + 0 = 2",
			"MERGE INTO t USING (SELECT 7 AS id) s ON t.id = s.id AND t.f + 0 = 5 WHEN MATCHED THEN DELETE"} {
			done, err := db.Exec(statement)
			require.NoError(t, err, statement)
			n, err := done.RowsAffected()
			require.NoError(t, err)
			require.EqualValues(t, 1, n, statement)
		}
		var lost, all int
		require.NoError(t, db.QueryRow("SELECT count(*) FILTER (WHERE id = 5 AND f = 4 OR id = 6 AND f = 2 OR id = 7 AND f = 5), count(*) FROM t").Scan(&lost, &all))
		require.Zero(t, lost, properties)
		require.Equal(t, 600_038, all, properties)
		require.NoError(t, db.Close())
	}
}
