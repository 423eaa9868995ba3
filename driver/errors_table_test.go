package driver_test

import (
	"context"
	"database/sql"
	sqldriver "database/sql/driver"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/driver"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/object"
)

const (
	firstCommit  = "t/_delta_log/00000000000000000000.json"
	secondCommit = "t/_delta_log/00000000000000000001.json"
	lastCommit   = "t/_delta_log/00000000000000000002.json"
	nextCommit   = "t/_delta_log/00000000000000000003.json"
)

// errorTable is the one list of errors: first the sentinels, then the structs.
var errorTable = []errorEntry{
	{name: "ErrConfig", sentinel: driver.ErrConfig, state: "08001", cases: []errorCase{
		{dsn: "", says: "the DSN names no warehouse"},
		{dsn: "?threads=1", says: "the DSN names no warehouse"},
		{dsn: "{dir}?thread=4", says: `unknown option "thread"; the options are`},
		{dsn: "{dir}?threads=x", says: `option threads: "x" is not a whole number above zero`},
		{dsn: "{dir}?threads=1&threads=2", says: "option threads is given 2 times"},
		{dsn: "{dir}?threads=%zz", says: "the options of the DSN are no query string"},
		{dsn: "{dir}?timezone=Mars/Olympus", says: "option timezone"},
		{dsn: "{dir}?isolation=dirty", says: "option isolation"},
		{dsn: "{dir}?target_file_size=big", says: "option target_file_size"},
		{dsn: "{dir}?read_only=maybe", says: "option read_only"},
		{dsn: "{dir}?format=hudi", says: "option format"},
		{dsn: "{dir}?memory_limit=much", says: "option memory_limit"},
		{dsn: "{dir}?temp_dir={dir}/missing", says: "option temp_dir"},
		{dsn: "{dir}?multi_table=ordered", says: `not yet supported option "multi_table"`},
		{dsn: "{dir}/no/such/parent", says: "the directory above it doesn't exist"},
		{dsn: "{dir}/missing?read_only=true", says: "with the option read_only the warehouse must exist"},
		{dsn: "{dir}/" + firstCommit, says: "it is a file"},
		{dsn: "{dir}/" + firstCommit + "/below", says: "doesn't exist"},
		{dsn: "nosuch://x", says: `unknown store scheme "nosuch"`},
		{dsn: "s3://bucket/x", says: `unknown store scheme "s3": it is not supported yet`},
		{dsn: "memory://a/b", says: "only a name may follow memory://"},
		{dsn: "file://host/x", says: "three slashes"},
		{run: "SET nosuch = 1", says: `unknown option "nosuch"`},
		{run: "SET read_only = true", says: "option read_only belongs to all connections"},
		{run: "RESET nosuch", says: `unknown option "nosuch"`},
	}},
	{name: "ErrSyntax", sentinel: driver.ErrSyntax, state: "42601", cases: []errorCase{
		{run: "SELEC 1", says: "line 1:1"},
		{run: "INSERT INTO t VALUES (3, 'c'); SELECT 'open", says: "line 1:39"},
		{run: "SELECT (1", says: "end of input"},
		{run: "SELECT '\xff'", says: "UTF-8"},
	}},
	{name: "ErrUnsupportedSQL", sentinel: driver.ErrUnsupportedSQL, state: "0A000", cases: []errorCase{
		{run: "VACUUM t", says: "VACUUM"},
		{run: "ALTER TABLE t ADD COLUMN x INT", says: "ALTER TABLE"},
		{run: "CREATE VIEW v AS SELECT 1", says: "VIEW"},
		{run: "SELECT * FROM t TABLESAMPLE (10 PERCENT)", says: "line 1:15: unsupported SQL: TABLESAMPLE"},
		{run: "INSERT INTO t VALUES (3, 'c') RETURNING id", says: "line 1:31: unsupported SQL: INSERT … RETURNING is not supported"},
		{run: "INSERT INTO t VALUES (3, 'c'); GRANT SELECT ON t TO me", says: "line 1:32: unsupported SQL: GRANT is not supported"},
		{says: "tables have no generated row ids", provoke: func(w *warehouse) error {
			result, err := w.db.Exec("DELETE FROM u")
			require.NoError(w.t, err)
			_, err = result.LastInsertId()
			return err
		}},
	}},
	{name: "ErrInvalidSQL", sentinel: driver.ErrInvalidSQL, state: "42000", cases: []errorCase{
		{run: "SELECT name FROM t GROUP BY id", says: "GROUP BY"},
		{run: "SELECT id FROM t WHERE count(*) > 1", says: "line 1:24"},
		{run: "INSERT INTO t VALUES (1)", says: "line"},
		{run: "CREATE TABLE x (id INTT)", says: "line 1:20: invalid statement: there is no type INTT; did you mean INT?"},
	}},
	{name: "ErrParameter", sentinel: driver.ErrParameter, state: "07001", cases: []errorCase{
		{run: "SELECT ?", says: ""},
		{run: "INSERT INTO t VALUES (:id, 'x')", says: "takes 1 argument, 0 given"},
		{says: "takes 0 arguments, 1 given", provoke: query("SELECT 1", 2)},
		{says: `no argument is named "x"`, provoke: query("SELECT :x", sql.Named("nosuch", 1))},
		{says: "chan int", provoke: query("SELECT ?", make(chan int))},
		{says: "a []int is no SQL value; pass it as a driver.List", provoke: query("SELECT ?", []int{1})},
		{says: "a [2]string is no SQL value; pass it as a driver.List", provoke: query("SELECT ?", &[2]string{})},
		{says: "a [16]uint8 is no SQL value; pass it as a []byte", provoke: query("SELECT ?", [16]byte{})},
		{says: "a map[string]int is no SQL value; pass it as a driver.Map", provoke: query("SELECT ?", map[string]int{})},
		{says: "a struct { A int } is no SQL value; pass it as a driver.Struct, or give the type", provoke: query("SELECT ?", struct{ A int }{})},
		{says: "argument 1: parameter mismatch: a []int is no SQL value; pass it as a driver.List", provoke: query("SELECT ?", driver.List{[]int{1}})},
		{says: "a []int is no", provoke: query("SELECT ?", driver.Map{{Key: "k", Value: []int{1}}})},
		{says: "a []int is no", provoke: query("SELECT ?", driver.Struct{{Name: "k", Value: driver.List{[]int{1}}}})},
		{says: "no value today", provoke: query("SELECT ?", brokenValuer{})},
		{says: "no value today", provoke: query("SELECT ?", driver.List{brokenValuer{}})},
	}},
	{name: "ErrTableNotFound", sentinel: driver.ErrTableNotFound, state: "42P01", cases: []errorCase{
		{run: "SELECT * FROM nope", says: "nope; the tables are c, t, u"},
		{run: "INSERT INTO nope VALUES (1)", says: "nope"},
		{run: "UPDATE nope SET id = 1", says: "nope"},
		{run: "DELETE FROM nope", says: "nope"},
		{run: "MERGE INTO nope USING t ON true WHEN MATCHED THEN DELETE", says: "nope"},
		{run: "DROP TABLE nope", says: "nope"},
		{run: "DESCRIBE nope", says: "nope"},
		{run: "SELECT * FROM nosuch.s.t", says: "no catalog nosuch"},
		{run: "SELECT * FROM delta.`/nosuch/dir`", says: "the directory does not exist"},
		{run: "SELECT * FROM iceberg.`/`", says: "the directory has no table of this format"},
		{run: "SELECT * FROM foo.t", says: "foo.t; the schema foo does not exist"},
		{run: "SELECT * FROM t", dsn: "{dir}?schema=nope", says: "nope.t; the schema nope does not exist"},
		{run: "SELECT * FROM t", dsn: "{dir}/t", says: "/t is itself a Delta table: open the directory above it"},
		{run: "SELECT * FROM t", dsn: "memory://", says: "t; the warehouse memory:// has no tables"},
		{run: "SELECT * FROM `/data/t`", says: "a table is named by its path as delta.`…` or iceberg.`…`"},
		{run: "SELECT * FROM t.history", says: "t.history: t is a Delta table, and metadata tables are Iceberg's"},
		{run: "SELECT * FROM `../t`", says: "../t"},
		{run: "SELECT * FROM t", damage: func(t *testing.T, dir string) { require.NoError(t, os.RemoveAll(filepath.Join(dir, "t"))) }, says: "t; the tables are c, u"},
		{run: "TABLE t", damage: func(t *testing.T, dir string) { require.NoError(t, os.RemoveAll(filepath.Join(dir, "t/_delta_log"))) }, says: "t; the tables are c, u"},
		{run: "SELECT id FROM t", damage: replaceBy("t/_delta_log", "a file"), says: "t; the tables are c, u"},
		{run: "SELECT name FROM t", damage: func(t *testing.T, dir string) {
			remove(t, dir, "t/_delta_log/*.json")
		}, says: "t; the tables are c, u"},
	}},
	{name: "ErrTableExists", sentinel: driver.ErrTableExists, state: "42P07", cases: []errorCase{
		{run: "CREATE TABLE t (id INT)", says: "t"},
		{run: "CREATE TABLE T AS SELECT 1 AS id", says: "t"},
		{run: "BEGIN; CREATE TABLE x (id INT); CREATE TABLE x (id INT)", says: "x"},
	}},
	{name: "ErrSchemaNotFound", sentinel: driver.ErrSchemaNotFound, state: "3F000", cases: []errorCase{
		{run: "SHOW TABLES IN nosuch", says: "nosuch"},
		{run: "SHOW TABLES IN `../x`", says: "../x"},
	}},
	{name: "ErrColumnNotFound", sentinel: driver.ErrColumnNotFound, state: "42703", cases: []errorCase{
		{run: "SELECT\n nmae FROM t", says: "line 2:2"},
		{run: "SELECT nmae FROM t", says: "name"},
		{run: "INSERT INTO t (id, nope) VALUES (3, 'c')", says: "nope"},
		{run: "UPDATE t SET nope = 1", says: "nope"},
		{run: "DELETE FROM t WHERE nope = 1", says: "nope"},
		{run: "SELECT named_struct('a', 1).b", says: "b"},
	}},
	{name: "ErrAmbiguousColumn", sentinel: driver.ErrAmbiguousColumn, state: "42702", cases: []errorCase{
		{run: "SELECT id FROM t, u", says: "line 1:8"},
	}},
	{name: "ErrFunctionNotFound", sentinel: driver.ErrFunctionNotFound, state: "42883", cases: []errorCase{
		{run: "SELECT nofunc(1)", says: "nofunc"},
		{run: "SELECT lowr('x')", says: "lower"},
		{run: "INSERT INTO t SELECT nofunc(1), 'x'", says: "nofunc"},
	}},
	{name: "ErrTypeMismatch", sentinel: driver.ErrTypeMismatch, state: "42804", cases: []errorCase{
		{run: "SELECT array(1) + 1", says: "line 1:"},
		{run: "SELECT CAST(array(1) AS INT)", says: "ARRAY<INT>"},
		{run: "INSERT INTO t VALUES (DATE '2024-01-01', 'a')", says: "DATE"},
		{run: "UPDATE t SET id = DATE '2024-01-01'", says: "DATE"},
		{run: "SELECT * FROM t WHERE id", says: "BOOLEAN"},
		{run: "SELECT 1 UNION SELECT array(1)", says: ""},
		{run: "SELECT upper(1, 2)", says: "upper"},
	}},
	{name: "ErrInvalidValue", sentinel: driver.ErrInvalidValue, state: "22000", cases: []errorCase{
		{run: "SELECT CAST('x' AS INT)", says: "'x'"},
		{run: "SELECT CAST(name AS INT) FROM t", says: "INT"},
		{run: "SELECT CAST('2024-02-30' AS DATE)", says: "2024-02-30"},
		{run: "SELECT 1 / 0", says: "division by zero"},
		{run: "SELECT 2147483647 + 1", says: "INT"},
		{run: "SELECT CAST(300 AS TINYINT)", says: "TINYINT"},
		{run: "SELECT CAST(123.45 AS DECIMAL(3,2))", says: "DECIMAL(3,2)"},
		{run: "INSERT INTO t VALUES (3, 'c'), (99999999999, 'a')", says: "INT"},
		{run: "INSERT INTO t SELECT 1 / (id - 2), 'x' FROM t", says: "division by zero"},
		{run: "UPDATE t SET id = 1 / (id - 2)", says: "division by zero"},
		{run: "DELETE FROM t WHERE 1 / (id - 2) = 5", says: "division by zero"},
		{run: "MERGE INTO t USING t AS s ON t.id = s.id WHEN MATCHED THEN UPDATE SET id = 1 / (s.id - 2)", says: "division by zero"},
		{run: "CREATE TABLE x AS SELECT 1 / (id - 2) AS q FROM t", says: "division by zero"},
		{run: "BEGIN; INSERT INTO t VALUES (3, 'c'); SELECT count(*) FROM t; SELECT 1 / 0", says: "division by zero"},
	}},
	{name: "ErrInvalidPattern", sentinel: driver.ErrInvalidPattern, state: "42601", cases: []errorCase{
		{run: "SELECT name LIKE 'a#' ESCAPE '#' FROM t", says: "the escape character '#'"},
		{run: `SELECT 'x' LIKE ANY ('x', 'a\')`, says: "the escape character"},
	}},
	{name: "ErrDuplicateKey", sentinel: driver.ErrDuplicateKey, state: "23505", cases: []errorCase{
		{run: "SELECT map('a', 1, 'a', 2)", says: "'a' twice"},
		{run: "SELECT map_from_arrays(array(id, 1), array(1, 2)) FROM t", says: "1 twice"},
	}},
	{name: "ErrLimitExceeded", sentinel: driver.ErrLimitExceeded, state: "54000", cases: []errorCase{
		{run: "SELECT sequence(1, 3000000000L)", says: "16777216 elements"},
		{run: "SELECT sequence(-9223372036854775808L, 9223372036854775807L, id) FROM t WHERE id = 1", says: "16777216 elements"},
		{run: "SELECT sequence(TIMESTAMP '0001-01-01 00:00:00', TIMESTAMP '9999-01-01 00:00:00', INTERVAL 1 SECOND)", says: "16777216 elements"},
		{run: "SELECT array_repeat(id, 2147483647) FROM t", says: "16777216 elements"},
	}},
	{name: "ErrDataFileMissing", sentinel: driver.ErrDataFileMissing, state: "58P01", cases: []errorCase{
		{run: "SELECT * FROM t", damage: func(t *testing.T, dir string) { remove(t, dir, "t/*.parquet") }, says: ".parquet"},
		{run: "UPDATE t SET name = 'x'", damage: func(t *testing.T, dir string) { remove(t, dir, "t/*.parquet") }, says: ".parquet"},
		{run: "SELECT name FROM t", damage: replaceBy("t/*.parquet", directory), says: "directory"},
		{run: "SELECT * FROM c", damage: func(t *testing.T, dir string) { remove(t, dir, vector) }, says: ".bin"},
		{run: "SELECT id FROM c", damage: replaceBy(vector, directory), says: "directory"},
	}},
	{name: "ErrIO", sentinel: driver.ErrIO, state: "58030", cases: []errorCase{
		{run: "INSERT INTO t VALUES (3, 'c')", faults: diskFull(object.OpCreate, "*.parquet"), says: "no space left"},
		{run: "INSERT INTO t VALUES (4, 'c')", faults: diskFull(object.OpWrite, "*.parquet"), says: "no space left"},
		{run: "INSERT INTO t VALUES (5, 'c')", faults: diskFull(object.OpClose, "*.parquet"), says: "no space left"},
		{run: "INSERT INTO t VALUES (6, 'c')", faults: diskFull(object.OpPutIfAbsent, ""), says: "no space left"},
		{run: "UPDATE t SET name = 'x'", faults: diskFull(object.OpPutIfAbsent, ""), says: "no space left"},
		{run: "DELETE FROM t WHERE id = 1", faults: diskFull(object.OpPutIfAbsent, ""), says: "no space left"},
		{run: "CREATE TABLE x (id INT)", faults: diskFull(object.OpPutIfAbsent, ""), says: "no space left"},
		{run: "CREATE TABLE x AS SELECT * FROM t", faults: diskFull(object.OpClose, ""), says: "no space left"},
		{run: "SELECT * FROM t", faults: []object.Rule{{Op: object.OpListFrom}}, says: "injected fault"},
		{run: "SELECT * FROM u", faults: []object.Rule{{Op: object.OpGet}}, says: "injected fault"},
		{run: "DROP TABLE t", faults: []object.Rule{{Op: object.OpDelete}}, says: "injected fault"},
		{run: "SELECT count(name) FROM t", damage: unreadable("t/*.parquet"), says: "permission denied"},
		{run: "SELECT count(id) FROM t", damage: unreadable(lastCommit), says: "permission denied"},
		{run: "SELECT * FROM t LIMIT 1", damage: unreadable("t/_delta_log"), says: "permission denied"},
	}},
	{name: "ErrTxState", sentinel: driver.ErrTxState, state: "25000", cases: []errorCase{
		{run: "COMMIT", says: "no transaction is open"},
		{run: "ROLLBACK", says: "no transaction is open"},
		{run: "SAVEPOINT s", says: "no transaction is open"},
		{run: "BEGIN; BEGIN", says: "open already"},
		{run: "BEGIN; INSERT INTO t VALUES (3, 'c'); ROLLBACK TO nosuch", says: "nosuch"},
		{run: "BEGIN; INSERT INTO t VALUES (3, 'c'); DROP TABLE t", says: "DROP TABLE must be the only statement"},
		{says: "Read Committed", provoke: func(w *warehouse) error {
			_, err := w.db.BeginTx(context.Background(), &sql.TxOptions{Isolation: sql.LevelReadCommitted})
			return err
		}},
		{says: "Commit or Rollback of the sql.Tx", provoke: inTx(nil, "INSERT INTO t VALUES (3, 'c')", "COMMIT")},
		{says: "open already", provoke: inTx(nil, "INSERT INTO t VALUES (3, 'c')", "BEGIN")},
	}},
	{name: "ErrChangeDataUnavailable", sentinel: driver.ErrChangeDataUnavailable, state: "55000", missing: "table_changes", refusal: driver.ErrUnsupportedSQL, cases: []errorCase{
		{run: "SELECT * FROM table_changes('t', 0)", says: "table_changes"},
	}},
	{name: "ErrReadOnly", sentinel: driver.ErrReadOnly, state: "25006", cases: []errorCase{
		{dsn: "{dir}?read_only=true", run: "INSERT INTO t VALUES (3, 'c')", says: "read-only transaction: t"},
		{dsn: "{dir}?read_only=true", run: "UPDATE t SET name = 'x'", says: "t can't be written to"},
		{dsn: "{dir}?read_only=true", run: "DELETE FROM t", says: "t can't be written to"},
		{dsn: "{dir}?read_only=true", run: "MERGE INTO t USING u ON t.id = u.id WHEN MATCHED THEN DELETE", says: "t can't be written to"},
		{dsn: "{dir}?read_only=true", run: "TRUNCATE TABLE t", says: "t can't be written to"},
		{dsn: "{dir}?read_only=true", run: "CREATE TABLE x (id INT)", says: "x can't be created"},
		{dsn: "{dir}?read_only=true", run: "DROP TABLE t", says: "t can't be dropped"},
		{run: "BEGIN READ ONLY; INSERT INTO t VALUES (3, 'c')", says: "t can't be written to"},
		{says: "t can't be written to", provoke: inTx(&sql.TxOptions{ReadOnly: true}, "SELECT * FROM t", "INSERT INTO t VALUES (3, 'c')")},
	}},
	{name: "ErrReadOnlySnapshot", sentinel: driver.ErrReadOnlySnapshot, state: "25006", cases: []errorCase{
		{run: "DELETE FROM t VERSION AS OF 1", says: "t"},
		{run: "UPDATE t VERSION AS OF 1 SET name = 'x'", says: "t"},
		{run: "INSERT INTO t@v1 VALUES (3, 'c')", says: "t"},
		{run: "MERGE INTO t VERSION AS OF 1 USING u ON t.id = u.id WHEN MATCHED THEN DELETE", says: "t"},
	}},
	{name: "ErrVersionNotFound", sentinel: driver.ErrVersionNotFound, state: "22023", cases: []errorCase{
		{run: "SELECT * FROM t VERSION AS OF 7", says: "no version 7: the newest is 2"},
		{run: "SELECT * FROM t@v9", says: "no version 9"},
		{run: "SELECT * FROM t VERSION AS OF 'branch'", says: `no branch or tag "branch"`},
	}},
	{name: "ErrTimestampOutOfRange", sentinel: driver.ErrTimestampOutOfRange, state: "22023", cases: []errorCase{
		{run: "SELECT * FROM t TIMESTAMP AS OF '2001-01-01'", says: "is before the oldest version"},
		{run: "SELECT * FROM t TIMESTAMP AS OF '9001-01-01'", says: "is after the newest version, 2 of 20"},
		{run: "SELECT * FROM t TIMESTAMP AS OF current_timestamp() + INTERVAL 1 HOUR", says: "is after the newest version"},
	}},
	{name: "ErrUnsupportedFeature", sentinel: driver.ErrUnsupportedFeature, state: "0A000", cases: []errorCase{
		{run: "CREATE TABLE x (id INT) USING iceberg TBLPROPERTIES ('write.format.default' = 'orc')", says: "write.format.default=orc"},
		{run: "CREATE TABLE x (id INT) LOCATION '/x'", says: "LOCATION"},
		{run: "SELECT * FROM parquet.`/data/x.parquet`", says: "only delta.`…` and iceberg.`…` name a table by its path yet"},
		{run: "SELECT * FROM delta.`s3://bucket/x`", says: "the store s3:// is not supported yet"},
		{run: "SELECT * FROM t", damage: addCommit(`{"protocol":{"minReaderVersion":3,"minWriterVersion":7,"readerFeatures":["nosuch"],"writerFeatures":["nosuch"]}}`), says: `"nosuch"`},
		{run: "INSERT INTO t VALUES (3, 'c')", damage: addCommit(`{"protocol":{"minReaderVersion":1,"minWriterVersion":7,"writerFeatures":["nosuch"]}}`), says: `writing table t needs the feature "nosuch"`},
	}},
	{name: "ErrCorrupt", sentinel: driver.ErrCorrupt, state: "XX001", cases: corruptCases},
	{name: "ErrConflict", sentinel: driver.ErrConflict, state: "40001", retry: true, cases: []errorCase{
		{says: "run the transaction again", provoke: conflict("DELETE FROM t WHERE id = 1", "UPDATE t SET name = 'x' WHERE id = 1")},
		{says: "run the transaction again", provoke: conflict("UPDATE t SET name = 'y'", "DELETE FROM t")},
		{says: "the table was created meanwhile", provoke: createdMeanwhile},
	}},
	{name: "ErrCommitUnknown", sentinel: driver.ErrCommitUnknown, state: "08007", cases: []errorCase{
		{run: "INSERT INTO t VALUES (3, 'c')", faults: lostAnswer, says: "read the table before writing again", mayKeep: true},
	}},
	{name: "ErrConstraint", sentinel: driver.ErrConstraint, state: "23000", cases: []errorCase{
		{run: "INSERT INTO t VALUES (3, 'c'), (NULL, 'a')", says: "NOT NULL id"},
		{run: "INSERT INTO t (name) VALUES ('a')", says: "NOT NULL id"},
		{run: "UPDATE t SET id = NULL WHERE name = 'b'", says: "NOT NULL id"},
	}},
	{name: "ErrSchemaMismatch", sentinel: driver.ErrSchemaMismatch, state: "42804", cases: []errorCase{
		{run: "SELECT * FROM t", damage: addCommit(`{"metaData":{"id":"x","format":{"provider":"parquet","options":{}},"schemaString":"{\"type\":\"struct\",\"fields\":[]}","partitionColumns":[],"configuration":{}}}`), says: "no columns"},
		{run: "SELECT id FROM t", damage: addCommit(`{"metaData":{"id":"x","format":{"provider":"parquet","options":{}},"schemaString":"{\"type\":\"struct\",\"fields\":[{\"name\":\"id\",\"type\":\"date\",\"nullable\":true,\"metadata\":{}}]}","partitionColumns":[],"configuration":{}}}`), says: "id has type INT"},
	}},
	{name: "ErrMultiTableCommit", sentinel: driver.ErrMultiTableCommit, state: "0A000", cases: []errorCase{
		{run: "BEGIN; INSERT INTO t VALUES (3, 'c'); INSERT INTO u VALUES (1)", says: "u must be written in another"},
		{run: "BEGIN; DELETE FROM t; CREATE TABLE x (id INT)", says: "x must be created in another"},
	}},
	{name: "ErrMergeCardinality", sentinel: driver.ErrMergeCardinality, state: "21000", cases: []errorCase{
		{run: "MERGE INTO t USING VALUES (1), (1) AS s(id) ON t.id = s.id WHEN MATCHED THEN UPDATE SET name = 'x'", says: "t"},
	}},
	{name: "ErrSubqueryCardinality", sentinel: driver.ErrSubqueryCardinality, state: "21000", cases: []errorCase{
		{run: "SELECT (SELECT x FROM VALUES (1), (2) AS s(x))", says: "more than one row"},
		{run: "UPDATE t SET name = (SELECT x FROM VALUES (1, 'a'), (1, 'b') AS s(i, x) WHERE i = t.id)", says: "more than one row"},
		{run: "DELETE FROM t WHERE id > (SELECT x FROM VALUES (1), (2) AS s(x))", says: "more than one row"},
	}},
	{name: "ErrMemoryLimit", sentinel: driver.ErrMemoryLimit, state: "53200", cases: []errorCase{
		{dsn: "{dir}?memory_limit=1KiB", run: "SELECT sum(a.id) OVER () FROM t a, t b, t c, t d, t e, t f", says: "memory_limit is 1.0 KiB"},
	}},

	{name: "*SyntaxError", sentinel: driver.ErrSyntax, state: "42601", fields: isSyntaxError, cases: []errorCase{
		{run: "SELECT 1\nFORM t x", says: "line 2:6"},
	}},
	{name: "*BindError", sentinel: driver.ErrColumnNotFound, state: "42703", fields: isBindError, cases: []errorCase{
		{run: "SELECT 1;\n SELECT nope FROM t", says: "line 2:9"},
	}},
	{name: "*CommitConflict", sentinel: driver.ErrConflict, state: "40001", retry: true, fields: isCommitConflict, cases: []errorCase{
		{says: "table t: the change based on version 2 conflicts with version 3 (DELETE)", provoke: conflict("DELETE FROM t WHERE id = 1", "DELETE FROM t")},
	}},
	{name: "*CommitUnknown", sentinel: driver.ErrCommitUnknown, state: "08007", fields: isCommitUnknown, cases: []errorCase{
		{provoke: query("DELETE FROM t WHERE id = 1"), faults: lostAnswer, says: "it is unknown whether version 3 was committed", mayKeep: true},
	}},
	{name: "*UnsupportedFeature", sentinel: driver.ErrUnsupportedFeature, state: "0A000", fields: isUnsupportedFeature, cases: []errorCase{
		{run: "SELECT * FROM t", damage: addCommit(`{"protocol":{"minReaderVersion":3,"minWriterVersion":7,"readerFeatures":["nosuch"],"writerFeatures":["nosuch"]}}`), says: "(protocol reader 3, writer 7)"},
	}},
	{name: "*CorruptTable", sentinel: driver.ErrCorrupt, state: "XX001", fields: isCorruptTable, cases: []errorCase{
		{run: "SELECT * FROM t", damage: replaceBy(lastCommit, "{\"commitInfo\":{}}\n{\"add\": oops\n"), says: lastCommit + " at 2"},
	}},
	{name: "*ConstraintViolation", sentinel: driver.ErrConstraint, state: "23000", fields: isConstraintViolation, cases: []errorCase{
		{run: "INSERT INTO t VALUES (NULL, 'a')", says: "table t: constraint NOT NULL id is violated by row"},
	}},
	{name: "*MultiTableCommit", sentinel: driver.ErrMultiTableCommit, state: "0A000", missing: "the option multi_table", refusal: driver.ErrConfig, cases: []errorCase{
		{dsn: "{dir}?multi_table=ordered", says: "multi_table"},
	}},
}

// corruptCases damage the log and the files of t. See TestFlippedBits and
// TestTruncatedFiles for more of the files.
var corruptCases = []errorCase{
	{run: "SELECT * FROM t", damage: func(t *testing.T, dir string) { remove(t, dir, secondCommit) }, says: secondCommit},
	{run: "INSERT INTO t VALUES (3, 'c')", damage: func(t *testing.T, dir string) { remove(t, dir, firstCommit) }, says: firstCommit},
	{run: "SELECT 'JSON', * FROM t", damage: replaceBy(secondCommit, "{\"add\": oops\n"), says: secondCommit + " at 1"},
	{run: "SELECT 'cut', * FROM t", damage: cutOff(lastCommit, 40), says: lastCommit},
	{run: "SELECT 'UTF-8', * FROM t", damage: replaceBy(lastCommit, "{\"commitInfo\":{\"operation\":\"\xff\xfe\"}}\n{\"remove\":{\"path\":\"\xff\"}}\n"), says: lastCommit + " at 1"},
	{run: "SELECT 'NUL', * FROM t", damage: replaceBy(lastCommit, "\x00\x00\x00\x00\x00\x00\x00\x00"), says: lastCommit},
	{run: "SELECT 'empty first', * FROM t", damage: replaceBy(firstCommit, ""), says: "no protocol or no metadata"},
	{run: "SELECT 'directory', * FROM t", damage: replaceBy(lastCommit, directory), says: lastCommit + ": a directory is in its place"},
	{run: "DELETE FROM t", damage: replaceBy(lastCommit, directory), says: lastCommit + ": a directory is in its place"},
	{run: "SELECT 'next', * FROM t", damage: replaceBy(nextCommit, directory), says: nextCommit + ": a directory is in its place"},
	{run: "INSERT INTO t VALUES (4, 'd')", damage: replaceBy(nextCommit, directory), says: nextCommit + ": a directory is in its place"},
	{run: "SELECT 'no schema', * FROM t", damage: addCommit(`{"metaData":{"id":"x","format":{"provider":"parquet"},"schemaString":"{","partitionColumns":[],"configuration":{}}}`), says: "t"},
	{run: "SELECT 'NUL in a path', * FROM t", damage: addFile("part%00.parquet"), says: "NUL"},
	{run: "SELECT 'not below the table', * FROM t", damage: addFile("../u/part.parquet"), says: `element ".."`},
	{run: "SELECT 'the table itself', * FROM t", damage: addFile("."), says: "path"},
	{run: "SELECT 'the root', * FROM t", damage: addFile("/"), says: "path"},
	{run: "SELECT 'percent', * FROM t", damage: addFile("part%zz.parquet"), says: "percent-encoded"},
	{run: "SELECT 'kind of vector', * FROM c", damage: all(replaceBy(checkpoint, ""), replaceText(vectorCommit, `"storageType":"u"`, `"storageType":"q"`)), says: "q"},
	{run: "SELECT 'size of vector', * FROM c", damage: all(replaceBy(checkpoint, ""), replaceText(vectorCommit, `"sizeInBytes":`, `"sizeInBytes":9`)), says: ".bin"},
	{run: "SELECT 'size below zero', * FROM c", damage: all(replaceBy(checkpoint, ""), replaceText(vectorCommit, `"sizeInBytes":`, `"sizeInBytes":-`)), says: "c"},
	{run: "SELECT 'file', * FROM t", damage: replaceBy("t/*.parquet", "PAR1 nothing PAR1"), says: ".parquet"},
	{run: "SELECT 'no bytes', * FROM t", damage: replaceBy("t/*.parquet", ""), says: ".parquet"},
	{run: "SELECT * FROM c", damage: all(replaceBy(checkpoint, "PAR1 nothing PAR1"), replaceBy("c/_delta_log/*0.json", "")), says: "no protocol or no metadata"},
	{run: "SELECT 'gone', * FROM c", damage: all(replaceBy(checkpoint, directory), func(t *testing.T, dir string) { remove(t, dir, "c/_delta_log/*1.json") }), says: "c/_delta_log/"},
	{run: "SELECT 'vector', * FROM c", damage: replaceBy(vector, "nothing"), says: ".bin"},
	{run: "SELECT 'no vector', * FROM c", damage: replaceBy(vector, ""), says: ".bin"},
	{run: "UPDATE t SET name = 'x'", damage: replaceBy("t/*.parquet", "PAR1 nothing PAR1"), says: ".parquet"},
}

const (
	checkpoint = "c/_delta_log/00000000000000000002.checkpoint.parquet"
	vector     = "c/deletion_vector_*.bin"
	// vectorCommit names the deletion vector.
	vectorCommit = "c/_delta_log/00000000000000000002.json"
)

// survived damages c in ways that leave enough to read all of it.
var survived = map[string]func(*testing.T, string){
	"checkpoint":                  replaceBy(checkpoint, "PAR1 nothing PAR1"),
	"checkpoint cut off":          cutOff(checkpoint, 9),
	"checkpoint empty":            replaceBy(checkpoint, ""),
	"checkpoint gone":             func(t *testing.T, dir string) { remove(t, dir, checkpoint) },
	"checkpoint a directory":      replaceBy(checkpoint, directory),
	"commits before a checkpoint": func(t *testing.T, dir string) { remove(t, dir, "c/_delta_log/*[01].json") },
	"hint":                        replaceBy("c/_delta_log/_last_checkpoint", "{oops"),
	"hint empty":                  replaceBy("c/_delta_log/_last_checkpoint", ""),
	"hint of no checkpoint":       replaceBy("c/_delta_log/_last_checkpoint", `{"version":1,"size":3}`),
	"hint of the future":          replaceBy("c/_delta_log/_last_checkpoint", `{"version":99,"size":3}`),
	"hint gone":                   func(t *testing.T, dir string) { remove(t, dir, "c/_delta_log/_last_checkpoint") },
	"hint a directory":            replaceBy("c/_delta_log/_last_checkpoint", directory),
	"hint and checkpoint":         all(replaceBy(checkpoint, ""), replaceBy("c/_delta_log/_last_checkpoint", "\x00\xff")),
	"other files":                 replaceBy("c/_delta_log/00000000000000000002.crc", "oops"),
}

// all does several kinds of damage.
func all(damages ...func(*testing.T, string)) func(*testing.T, string) {
	return func(t *testing.T, dir string) {
		for _, damage := range damages {
			damage(t, dir)
		}
	}
}

// directory stands for one in replaceBy.
const directory = "\x00directory"

// replaceBy puts other contents, or a directory, in the place of files or where
// there is none.
func replaceBy(pattern, body string) func(*testing.T, string) {
	return func(t *testing.T, dir string) {
		files, err := filepath.Glob(filepath.Join(dir, pattern))
		require.NoError(t, err)
		if len(files) == 0 {
			files = []string{filepath.Join(dir, pattern)}
		}
		for _, f := range files {
			require.NoError(t, os.RemoveAll(f))
			if body == directory {
				require.NoError(t, os.Mkdir(f, 0o700))
			} else {
				require.NoError(t, os.WriteFile(f, []byte(body), 0o600))
			}
		}
	}
}

func addCommit(line string) func(*testing.T, string) { return replaceBy(nextCommit, line+"\n") }

// addFile adds a data file to t that is not there.
func addFile(path string) func(*testing.T, string) {
	return addCommit(`{"add":{"path":"` + path + `","partitionValues":{},"size":900,"modificationTime":0,"dataChange":true}}`)
}

// replaceText changes what must be in a file.
func replaceText(name, old, text string) func(*testing.T, string) {
	return func(t *testing.T, dir string) {
		body, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		require.Contains(t, string(body), old)
		replaceBy(name, strings.ReplaceAll(string(body), old, text))(t, dir)
	}
}

// cutOff takes bytes from the end of a file.
func cutOff(name string, n int) func(*testing.T, string) {
	return func(t *testing.T, dir string) {
		body, err := os.ReadFile(filepath.Join(dir, name))
		require.NoError(t, err)
		replaceBy(name, string(body[:len(body)-n]))(t, dir)
	}
}

func remove(t *testing.T, dir, pattern string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, pattern))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, f := range files {
		require.NoError(t, os.Remove(f))
	}
}

// unreadable takes all permissions away, which does not stop root.
func unreadable(pattern string) func(*testing.T, string) {
	return func(t *testing.T, dir string) {
		if os.Geteuid() <= 0 {
			t.Skip("permissions don't bind this user or system")
		}
		files, err := filepath.Glob(filepath.Join(dir, pattern))
		require.NoError(t, err)
		for _, f := range files {
			require.NoError(t, os.Chmod(f, 0))
			t.Cleanup(func() { _ = os.Chmod(f, 0o700) })
		}
	}
}

func diskFull(op object.Op, path string) []object.Rule {
	return []object.Rule{{Op: op, Path: path, Err: syscall.ENOSPC}}
}

// lostAnswer loses the answer to a commit and what it is looked up with.
var lostAnswer = []object.Rule{{Op: object.OpPutIfAbsent, Effect: object.LoseAnswer}, {Op: object.OpGet, Path: "*.json"}}

// brokenValuer is a Valuer that fails.
type brokenValuer struct{}

func (brokenValuer) Value() (sqldriver.Value, error) { return nil, errors.New("no value today") }

func query(text string, args ...any) func(*warehouse) error {
	return func(w *warehouse) error {
		_, err := tryRows(context.Background(), w.db, text, args...)
		return err
	}
}

// inTx runs statements in a transaction of BeginTx, of which the last one fails.
func inTx(o *sql.TxOptions, statements ...string) func(*warehouse) error {
	return func(w *warehouse) error {
		tx, err := w.db.BeginTx(context.Background(), o)
		require.NoError(w.t, err)
		for _, s := range statements[:len(statements)-1] {
			exec(w.t, tx, s)
		}
		_, err = tx.Exec(statements[len(statements)-1])
		require.NoError(w.t, tx.Rollback())
		return err
	}
}

// conflict commits one statement while another is about to be.
func conflict(first, second string) func(*warehouse) error {
	return func(w *warehouse) error {
		tx, err := w.db.Begin()
		require.NoError(w.t, err)
		rows(w.t, tx, "SELECT * FROM t")
		exec(w.t, w.db, first)
		w.mark()
		exec(w.t, tx, second)
		return tx.Commit()
	}
}

// createdMeanwhile creates a table that another transaction is about to create.
func createdMeanwhile(w *warehouse) error {
	tx, err := w.db.Begin()
	require.NoError(w.t, err)
	exec(w.t, tx, "CREATE TABLE x (id INT)")
	exec(w.t, w.db, "CREATE TABLE x (name STRING)")
	w.mark()
	return tx.Commit()
}

func isSyntaxError(err error) bool {
	e, ok := errors.AsType[*driver.SyntaxError](err)
	return ok && e.Line == 2 && e.Column == 6 && e.Found == "t" && e.Expected != ""
}

func isBindError(err error) bool {
	e, ok := errors.AsType[*driver.BindError](err)
	return ok && e.Line == 2 && e.Column == 9
}

func isCommitConflict(err error) bool {
	e, ok := errors.AsType[*driver.CommitConflict](err)
	return ok && e.Table == "t" && e.Base == 2 && e.Version == 3 && e.Operation == "DELETE" && e.Reason != ""
}

func isCommitUnknown(err error) bool {
	e, ok := errors.AsType[*driver.CommitUnknown](err)
	return ok && e.Table == "t" && e.Version == 3 && e.Publish != nil && e.Find != nil
}

func isUnsupportedFeature(err error) bool {
	e, ok := errors.AsType[*driver.UnsupportedFeature](err)
	return ok && *e == storage.UnsupportedFeature{Table: "t", Feature: "nosuch", Version: "reader 3, writer 7"}
}

func isCorruptTable(err error) bool {
	e, ok := errors.AsType[*driver.CorruptTable](err)
	return ok && strings.HasSuffix(e.Path, lastCommit) && e.Offset == 2 && e.Reason != "" && e.Cause != nil
}

func isConstraintViolation(err error) bool {
	e, ok := errors.AsType[*driver.ConstraintViolation](err)
	return ok && e.Table == "t" && e.Constraint == "NOT NULL id" && strings.Contains(e.Row, "'a'")
}
