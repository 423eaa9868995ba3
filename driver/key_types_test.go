package driver_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestKeysOfEveryType upserts rows by a key of each type: the same key in one
// statement, in the next, and in the next transaction, and NULL.
func TestKeysOfEveryType(t *testing.T) {
	for _, c := range []struct {
		column, one, other string
		icebergOnly        bool
	}{
		{"BOOLEAN", "true", "false", false},
		{"INT", "-1", "2147483647", false},
		{"BIGINT", "-9223372036854775807", "5", false},
		{"DECIMAL(9,2)", "-1.50", "1.50", false},
		{"DECIMAL(18,0)", "999999999999999999", "-999999999999999999", false},
		{"DECIMAL(38,4)", "-1234567890123456789012345678901234.5678", "0.0001", false},
		{"STRING", "'é'", "''", false},
		{"VARCHAR(5)", "'a'", "'a '", false},
		{"BINARY", "X'00FF'", "X''", false},
		{"DATE", "DATE '1969-12-31'", "DATE '2024-02-29'", false},
		{"TIMESTAMP", "TIMESTAMP '1969-12-31 23:59:59.999999'", "TIMESTAMP '2024-01-01 00:00:00'", false},
		{"TIMESTAMP_NTZ", "TIMESTAMP_NTZ '1969-12-31 23:59:59.999999'", "TIMESTAMP_NTZ '2024-01-01 00:00:00'", false},
		{"CHAR(3)", "'a  '", "'abc'", false},
		{"TIME", "TIME '23:59:59.999999'", "TIME '00:00:00'", true},
		{"UUID", "CAST('00112233-4455-6677-8899-aabbccddeeff' AS UUID)", "CAST('ffffffff-4455-6677-8899-aabbccddeeff' AS UUID)", true},
		{"FIXED(2)", "CAST(X'0001' AS FIXED(2))", "CAST(X'FF01' AS FIXED(2))", true},
	} {
		for dsn, properties := range map[string][]string{
			"memory://":                nil,
			"memory://?format=iceberg": {"'format-version' = '1'", "'format-version' = '2'", "'format-version' = '2', 'write.delete.format.default' = 'avro'", "'format-version' = '3'"},
		} {
			if properties == nil && c.icebergOnly || c.column == "CHAR(3)" && properties != nil {
				continue
			}
			for _, p := range append(properties, "'x' = 'y'") {
				t.Run(c.column+dsn+p, func(t *testing.T) {
					db := open(t, dsn)
					exec(t, db, "CREATE TABLE t (k "+c.column+", v INT) TBLPROPERTIES ("+p+")")
					exec(t, db, "INSERT INTO t VALUES ("+c.one+", 1), ("+c.other+", 1), (NULL, 1)")
					exec(t, db, "UPSERT INTO t KEYS (k) VALUES ("+c.one+", 2), ("+c.one+", 3), (NULL, 3)")
					require.Equal(t, "3,1,3", rows(t, db, "SELECT count(*), min(v), max(v) FROM t"))
					exec(t, db, "BEGIN; UPSERT INTO t KEYS (k) VALUES ("+c.other+", 4), (NULL, 4); UPSERT INTO t KEYS (k) VALUES ("+c.other+", 5), ("+c.one+", 5); COMMIT")
					require.Equal(t, "3,14", rows(t, db, "SELECT count(*), sum(v) FROM t"))
					require.Equal(t, "5,5", rows(t, db, "SELECT (SELECT v FROM t WHERE k = "+c.one+"), (SELECT v FROM t WHERE k = "+c.other+")"))
				})
			}
		}
	}
}
