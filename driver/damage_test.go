package driver_test

import (
	"database/sql"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/driver"
	"github.com/tarndb/tarn/storage/object"
)

// dataFile is the one data file of a table, whole.
type dataFile struct {
	warehouse, path, want string
	body                  []byte
	footer                int // where it begins
}

const readAll = "SELECT * FROM t ORDER BY id"

// newDataFile makes a table of one file.
func newDataFile(t *testing.T, statements string) *dataFile {
	t.Helper()
	f := &dataFile{warehouse: t.TempDir()}
	db, err := sql.Open("tarn", f.warehouse)
	require.NoError(t, err)
	exec(t, db, statements)
	f.want = rows(t, db, readAll)
	require.NoError(t, db.Close())
	files, err := filepath.Glob(filepath.Join(f.warehouse, "t", "*.parquet"))
	require.NoError(t, err)
	require.Len(t, files, 1)
	f.path = files[0]
	f.body, err = os.ReadFile(f.path)
	require.NoError(t, err)
	f.footer = len(f.body) - 8 - int(binary.LittleEndian.Uint32(f.body[len(f.body)-8:]))
	return f
}

// check reads the table with other bytes in the place of its file: the answer
// is the right rows or one of some errors.
func (f *dataFile) check(t *testing.T, body []byte, mayBeRight bool, format string, args ...any) {
	t.Helper()
	args = append([]any{format}, args...)
	require.NoError(t, os.WriteFile(f.path, body, 0o600))
	db, err := sql.Open("tarn", f.warehouse)
	require.NoError(t, err)
	got, err := tryRows(t.Context(), db, readAll)
	require.NoError(t, db.Close())
	if err == nil && mayBeRight {
		require.Equal(t, f.want, got, args...)
		return
	}
	var e *driver.Error
	require.ErrorAs(t, err, &e, args...)
	isDamage := errors.Is(err, driver.ErrCorrupt) || errors.Is(err, driver.ErrSchemaMismatch) || errors.Is(err, driver.ErrUnsupportedFeature)
	require.True(t, isDamage, append(args, err)...)
	require.NotContains(t, err.Error(), "goroutine", args...) // a panic that was caught
}

// flip gives the file with one bit turned.
func (f *dataFile) flip(at, bit int) []byte {
	body := append([]byte{}, f.body...)
	body[at] ^= 1 << bit
	return body
}

// TestFlippedBits turns bits of every byte: one before the footer, where pages
// have checksums, several of the footer and of its length. The unit of
// TIMESTAMP_NTZ and the bounds for pruning have no second copy in a footer that
// could tell them wrong, so there is no such column and no filter.
func TestFlippedBits(t *testing.T) {
	for name, c := range map[string]struct {
		apart      int // bits of a footer's byte that are turned, one after the other
		statements string
	}{
		"plain pages": {2, `CREATE TABLE t (id INT NOT NULL, name STRING, price DECIMAL(8,2), at TIMESTAMP, tags ARRAY<STRING>, b BOOLEAN);
			INSERT INTO t VALUES (1, 'a', 1.5, TIMESTAMP '2024-01-02 03:04:05', array('x'), true), (2, NULL, 2.5, NULL, array(), NULL),
			(3, 'c', NULL, TIMESTAMP '2024-01-02 03:04:05', NULL, false)`},
		"types": {4, `CREATE TABLE t (id SMALLINT, f FLOAT, day DATE, b BINARY, m MAP<STRING, INT>, w DECIMAL(30,4), s STRUCT<a: TINYINT, l: ARRAY<STRUCT<q: DATE>>>);
			INSERT INTO t VALUES (1, 1.5, DATE '2024-01-02', X'0102', map('a', 1), 1.5, named_struct('a', CAST(1 AS TINYINT), 'l', array(named_struct('q', DATE '2024-01-01')))),
			(2, NULL, NULL, NULL, NULL, NULL, NULL)`},
		"dictionaries": {8, `CREATE TABLE t (id BIGINT, name STRING, place STRUCT<city: STRING, zip: INT>);
			INSERT INTO t SELECT a.x * 6 + b.y, concat('name', b.y), named_struct('city', concat('c', a.x), 'zip', b.y)
			FROM (VALUES (0), (1), (2), (3), (4), (5)) AS a(x), (VALUES (0), (1), (2), (3), (4), (5)) AS b(y)`},
	} {
		t.Run(name, func(t *testing.T) {
			f := newDataFile(t, c.statements)
			for at := range f.body {
				apart := c.apart
				if at < f.footer {
					apart = 8
				}
				for bit := at % apart; bit < 8; bit += apart {
					f.check(t, f.flip(at, bit), true, "bit %d of byte %d; the footer begins at %d", bit, at, f.footer)
				}
			}
		})
	}
}

// TestTruncatedFiles cuts a data file off at every length, and makes it longer.
func TestTruncatedFiles(t *testing.T) {
	f := newDataFile(t, "CREATE TABLE t (id INT, name STRING); INSERT INTO t VALUES (1, 'a'), (2, 'b')")
	for n := range f.body {
		f.check(t, f.body[:n], false, "%d bytes", n)
	}
	f.check(t, append(append([]byte{}, f.body...), "more"...), true, "longer")
	f.check(t, append([]byte("more"), f.body...), true, "shifted")
	f.check(t, f.body, true, "whole")
}

// TestDropThatFails: a table that could not be dropped whole is there as it was,
// or is no table or a damaged one, and can be dropped again.
func TestDropThatFails(t *testing.T) {
	registerFaulty()
	for n := 1; ; n++ {
		dir := t.TempDir()
		db := open(t, "faulty://"+dir)
		exec(t, db, "CREATE TABLE t (City STRING, id INT) PARTITIONED BY (City); INSERT INTO t VALUES ('Graz', 1), ('Wien', 2); INSERT INTO t VALUES ('Linz', 3)")
		before := tree(t, dir)
		fault, _ := faulty.Load(dir)
		fault.(*object.Fault).Script(object.Rule{Op: object.OpDelete, Index: n})
		_, err := db.Exec("DROP TABLE t")
		if fault.(*object.Fault).Fired() == 0 {
			require.NoError(t, err)
			return
		}
		require.ErrorIs(t, err, driver.ErrIO)
		if n == 1 {
			require.Equal(t, before, tree(t, dir))
		}
		other := open(t, dir)
		got, err := tryRows(t.Context(), other, readAll)
		if err == nil {
			require.Equal(t, "Graz,1;Wien,2;Linz,3", got, "delete %d failed", n)
		} else {
			require.True(t, errors.Is(err, driver.ErrCorrupt) || errors.Is(err, driver.ErrTableNotFound), "delete %d failed: %v", n, err)
		}
		fault.(*object.Fault).Script()
		if _, err = other.Exec("DROP TABLE t"); !errors.Is(err, driver.ErrTableNotFound) {
			require.NoError(t, err)
		}
		_, err = tryRows(t.Context(), other, readAll)
		require.ErrorIs(t, err, driver.ErrTableNotFound)
	}
}
