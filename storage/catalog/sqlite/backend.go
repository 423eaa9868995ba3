package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/catalog"
)

func init() { catalog.Register("sqlite", open) }

// busyMillis is how long a call waits for another process's lock.
const busyMillis = 30_000

// backend is a catalog.Backend in a database file.
type backend struct {
	db      *sql.DB
	path    string
	catalog string // the value of the column catalog_name
}

// open opens the database at a path, with or without an empty authority before
// it. The file need not exist, but the directory must.
func open(address string, o catalog.BackendOptions) (catalog.Backend, error) {
	if rest, ok := strings.CutPrefix(address, "//"); ok {
		address = rest
	}
	if address == "" {
		return nil, errors.New("sqlite: it names no file")
	}
	path, err := filepath.Abs(address)
	if err != nil {
		return nil, err
	}
	if err := checkPath(path, o.ReadOnly); err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", dsn(path, o.ReadOnly))
	if err != nil {
		return nil, err
	}
	b := &backend{db: db, path: path, catalog: o.CatalogName}
	var version int
	if err := db.QueryRow("PRAGMA schema_version").Scan(&version); err != nil { // is it a database?
		return nil, errors.Join(b.failed(context.Background(), "open", err), db.Close())
	}
	return b, nil
}

func checkPath(path string, mustExist bool) error {
	switch info, err := os.Stat(path); {
	case err == nil && info.IsDir():
		return fmt.Errorf("sqlite: %s is a directory", path)
	case err == nil || os.IsNotExist(err) && !mustExist:
	default:
		return fmt.Errorf("sqlite: %w", err)
	}
	if info, err := os.Stat(filepath.Dir(path)); err != nil || !info.IsDir() {
		return fmt.Errorf("sqlite: there is no directory %s", filepath.Dir(path))
	}
	return nil
}

// dsn says how the driver opens the file. With synchronous=EXTRA the directory
// is synced too after the journal of a commit is removed, so that a power cut
// can't bring it back.
func dsn(path string, readOnly bool) string {
	slashes := filepath.ToSlash(path)
	if !strings.HasPrefix(slashes, "/") { // a drive letter
		slashes = "/" + slashes
	}
	query := url.Values{"_txlock": {"immediate"}, "_pragma": {fmt.Sprintf("busy_timeout(%d)", busyMillis), "synchronous(EXTRA)"}}
	if readOnly {
		query.Set("mode", "ro")
	}
	return (&url.URL{Scheme: "file", Path: slashes, RawQuery: query.Encode()}).String()
}

// Close implements catalog.Backend.
func (b *backend) Close() error { return b.db.Close() }

// failed names the operation and the database of an error; the context's own
// stays what it is.
func (b *backend) failed(ctx context.Context, operation string, err error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return ctx.Err()
	case isCode(err, sqlite3.SQLITE_NOTADB), isCode(err, sqlite3.SQLITE_CORRUPT):
		return &storage.CorruptTable{Path: b.path, Offset: -1, Reason: "the catalog is no sound SQLite database", Cause: err}
	}
	return fmt.Errorf("%s catalog %s: %w: %w", operation, b.path, storage.ErrIO, err)
}

// isCode tells whether an error has a primary result code of SQLite.
func isCode(err error, code int) bool {
	var e *sqlite.Error
	return errors.As(err, &e) && e.Code()&0xff == code
}

// querier is a database or a transaction.
type querier interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// texts gives the rows of a query of one column.
func texts(ctx context.Context, q querier, query string, args ...any) (out []string, err error) {
	rows, err := q.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	for rows.Next() {
		var text sql.NullString
		if err := rows.Scan(&text); err != nil {
			return nil, err
		}
		out = append(out, text.String)
	}
	return out, rows.Err()
}
