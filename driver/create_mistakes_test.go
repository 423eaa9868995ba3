package driver_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/driver"
)

// TestMistakesInCreateTable: what is misspelt is refused with what to write, and
// no table is made.
func TestMistakesInCreateTable(t *testing.T) {
	db := open(t, "file://"+t.TempDir())
	for _, c := range []struct {
		statement string
		is        error
		says      string
	}{
		{"CREATE TABLE x (id INT) TBLPROPERTIES ('tarn.delete.mode' = 'equalty')", driver.ErrInvalidSQL, "tarn.delete.mode is equality"},
		{"CREATE TABLE x (id INT) TBLPROPERTIES ('delta.appendOnly' = 'maybe')", driver.ErrSchemaMismatch, `delta.appendOnly of table x is true or false, not "maybe"`},
		{"CREATE TABLE x (id INT) TBLPROPERTIES ('delta.enableDeletionVectors' = 'yes')", driver.ErrSchemaMismatch, "is true or false"},
		{"CREATE TABLE x (id INT) USING icberg", driver.ErrUnsupportedFeature, "USING takes delta or iceberg"},
		{"CREATE TABLE x (id INT, PRIMARY KEY (id))", driver.ErrUnsupportedFeature, "USING iceberg"},
		{"CREATE TABLE x (id INT PRIMARY KEY) USING iceberg", driver.ErrUnsupportedSQL, "PRIMARY KEY (…) after the columns"},
		{"INSERT INTO x VALUES (1) ON CONFLICT DO NOTHING", driver.ErrUnsupportedSQL, "UPSERT INTO … KEYS"},
	} {
		_, err := db.Exec(c.statement)
		require.ErrorIs(t, err, c.is, c.statement)
		require.ErrorContains(t, err, c.says)
	}
	require.Empty(t, rows(t, db, "SHOW TABLES"))
}
