package driver_test

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/driver"
)

// lastIsBlindAppend is what the newest commit of a table says of itself.
func lastIsBlindAppend(t *testing.T, table string) string {
	t.Helper()
	commits, err := filepath.Glob(filepath.Join(table, "_delta_log", "*.json"))
	require.NoError(t, err)
	body, err := os.ReadFile(slices.Max(commits))
	require.NoError(t, err)
	found := regexp.MustCompile(`"isBlindAppend":(\w+)`).FindSubmatch(body)
	require.NotNil(t, found, string(body))
	return string(found[1])
}

// TestBlindAppends: only a transaction that has read nothing of the table says
// that it has appended blindly. A past state is not the table: it never changes.
func TestBlindAppends(t *testing.T) {
	for _, c := range []struct {
		statements []string
		blind      bool
	}{
		{[]string{"INSERT INTO t VALUES (2)"}, true},
		{[]string{"INSERT INTO t SELECT id FROM other"}, true},
		{[]string{"INSERT INTO t SELECT id FROM t VERSION AS OF 1"}, true},
		{[]string{"INSERT INTO t SELECT id + 1 FROM t"}, false},
		{[]string{"INSERT INTO t SELECT id FROM other UNION ALL SELECT max(id) FROM t"}, false},
		{[]string{"SELECT count(*) FROM t", "INSERT INTO t VALUES (2)"}, false},
		{[]string{"SELECT count(*) FROM other", "INSERT INTO t VALUES (2)"}, true},
		{[]string{"INSERT INTO t VALUES (2)", "SELECT count(*) FROM t"}, false},
	} {
		dir := t.TempDir()
		db := open(t, dir)
		exec(t, db, "CREATE TABLE t (id BIGINT); CREATE TABLE other (id BIGINT); INSERT INTO t VALUES (1); INSERT INTO other VALUES (1)")
		tx, err := db.Begin()
		require.NoError(t, err)
		for _, s := range c.statements {
			_ = rows(t, tx, s)
		}
		require.NoError(t, tx.Commit())
		require.Equal(t, fmt.Sprint(c.blind), lastIsBlindAppend(t, filepath.Join(dir, "t")), c.statements)
	}
}

// TestReadsThatCount commits a change while a transaction is under way. What its
// changes have read counts at both levels, what its queries have read at
// Serializable only, be it the transaction's level or the table's.
func TestReadsThatCount(t *testing.T) {
	const (
		blind  = "INSERT INTO t VALUES (5, 5)"
		reader = "MERGE INTO t USING (VALUES (5, 5)) s(id, v) ON t.id = s.id WHEN NOT MATCHED THEN INSERT *"
		del    = "DELETE FROM t WHERE id = 1"
	)
	insertSelect := []string{"INSERT INTO t SELECT 9, sum(v) FROM t"}
	narrow := []string{"INSERT INTO t SELECT 9, v FROM t WHERE v < 3"}
	query := []string{"SELECT sum(v) FROM t", "INSERT INTO t VALUES (9, 9)"}
	for _, c := range []struct {
		statements []string
		meanwhile  string
		write      bool // conflicts under WriteSerializable
		serial     bool // and under Serializable
	}{
		{insertSelect, blind, false, true},
		{insertSelect, reader, true, true},
		{insertSelect, del, true, true},
		{narrow, blind, false, false},
		{narrow, reader, false, false},
		{query, blind, false, true},
		{query, reader, false, true},
		{query, del, false, true},
		{[]string{"INSERT INTO t VALUES (9, 9)"}, reader, false, false},
		{[]string{"MERGE INTO t USING (SELECT 7 AS id, sum(v) AS v FROM t) s ON t.id = s.id AND t.id = 7 WHEN NOT MATCHED THEN INSERT *"}, reader, true, true},
	} {
		for _, level := range []struct {
			name, property string
			isolation      sql.IsolationLevel
			wants          bool
		}{
			{"write serializable", "WriteSerializable", sql.LevelDefault, c.write},
			{"serializable table", "Serializable", sql.LevelDefault, c.serial},
			{"serializable transaction", "WriteSerializable", sql.LevelSerializable, c.serial},
		} {
			db := open(t, "memory://")
			exec(t, db, "CREATE TABLE t (id INT, v BIGINT) TBLPROPERTIES ('delta.isolationLevel' = '"+level.property+"')")
			exec(t, db, "INSERT INTO t VALUES (1, 1); INSERT INTO t VALUES (2, 2)")
			tx, err := db.BeginTx(t.Context(), &sql.TxOptions{Isolation: level.isolation})
			require.NoError(t, err)
			for _, s := range c.statements {
				_ = rows(t, tx, s)
			}
			exec(t, db, c.meanwhile)
			err = tx.Commit()
			if level.wants {
				require.ErrorIs(t, err, driver.ErrConflict, "%s: %v, then %s", level.name, c.statements, c.meanwhile)
			} else {
				require.NoError(t, err, "%s: %v, then %s", level.name, c.statements, c.meanwhile)
			}
		}
	}
}
