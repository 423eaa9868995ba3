package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"slices"

	sqlite3 "modernc.org/sqlite/lib"

	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/catalog"
)

// layout says what of the catalog's tables is in the database.
type layout uint8

const (
	noTables     layout = iota
	withoutTypes        // as long as there were no views
	withTypes           // with the column iceberg_type
)

// create makes the tables.
var create = []string{
	`CREATE TABLE IF NOT EXISTS iceberg_tables (
		catalog_name VARCHAR(255) NOT NULL, table_namespace VARCHAR(255) NOT NULL, table_name VARCHAR(255) NOT NULL,
		metadata_location VARCHAR(1000), previous_metadata_location VARCHAR(1000), iceberg_type VARCHAR(5),
		PRIMARY KEY (catalog_name, table_namespace, table_name))`,
	`CREATE TABLE IF NOT EXISTS iceberg_namespace_properties (
		catalog_name VARCHAR(255) NOT NULL, namespace VARCHAR(255) NOT NULL, property_key VARCHAR(255) NOT NULL, property_value VARCHAR(1000) NOT NULL,
		PRIMARY KEY (catalog_name, namespace, property_key))`,
}

// isTable is the condition that a row of iceberg_tables is no view's.
func (l layout) isTable() string {
	if l == withTypes {
		return " AND (iceberg_type = 'TABLE' OR iceberg_type IS NULL)"
	}
	return ""
}

func findLayout(ctx context.Context, q querier) (layout, error) {
	columns, err := texts(ctx, q, "SELECT name FROM pragma_table_info('iceberg_tables')")
	switch {
	case err != nil || len(columns) == 0:
		return noTables, err
	case slices.Contains(columns, "iceberg_type"):
		return withTypes, nil
	}
	return withoutTypes, nil
}

// Load implements catalog.Backend.
func (b *backend) Load(ctx context.Context, table catalog.Identifier) (string, error) {
	location, err := b.location(ctx, table)
	if err == nil && location == "" {
		return "", fmt.Errorf("%w: %s", storage.ErrTableNotFound, table)
	}
	return location, b.failed(ctx, "read", err)
}

// location is empty if there is no such table.
func (b *backend) location(ctx context.Context, table catalog.Identifier) (string, error) {
	l, err := findLayout(ctx, b.db)
	if err != nil || l == noTables {
		return "", err
	}
	found, err := b.locations(ctx, b.db, l, table)
	if err != nil || len(found) == 0 {
		return "", err
	}
	return found[0], nil
}

// locations gives the one location of a table, or none.
func (b *backend) locations(ctx context.Context, q querier, l layout, table catalog.Identifier) ([]string, error) {
	return texts(ctx, q, "SELECT metadata_location FROM iceberg_tables WHERE catalog_name = ? AND table_namespace = ? AND table_name = ?"+l.isTable(),
		b.catalog, table.Namespace, table.Name)
}

// List implements catalog.Backend.
func (b *backend) List(ctx context.Context, namespace string) ([]string, error) {
	names, exists, err := b.list(ctx, namespace)
	if err == nil && !exists {
		return nil, fmt.Errorf("%w: %s", storage.ErrSchemaNotFound, namespace)
	}
	return names, b.failed(ctx, "list", err)
}

// list also tells whether the namespace exists: something is in it or below it,
// or it has properties.
func (b *backend) list(ctx context.Context, namespace string) (names []string, exists bool, err error) {
	l, err := findLayout(ctx, b.db)
	if err != nil || l == noTables {
		return nil, false, err
	}
	names, err = texts(ctx, b.db, "SELECT table_name FROM iceberg_tables WHERE catalog_name = ? AND table_namespace = ?"+l.isTable()+" ORDER BY table_name", b.catalog, namespace)
	if err != nil || len(names) > 0 {
		return names, true, err
	}
	const in = " WHERE catalog_name = ?1 AND (n = ?2 OR substr(n, 1, length(?2) + 1) = ?2 || '.')"
	found, err := texts(ctx, b.db, "SELECT n FROM (SELECT catalog_name, table_namespace n FROM iceberg_tables UNION ALL SELECT catalog_name, namespace n FROM iceberg_namespace_properties)"+in+" LIMIT 1",
		b.catalog, namespace)
	return nil, len(found) > 0, err
}

// Swap implements catalog.Backend.
func (b *backend) Swap(ctx context.Context, changes []catalog.Change) error {
	tx, err := b.db.BeginTx(ctx, nil)
	if err != nil {
		return b.failed(ctx, "change", err)
	}
	if err := b.apply(ctx, tx, changes); err != nil {
		_ = tx.Rollback() // the transaction ends with its connection at the latest
		return err
	}
	if err := tx.Commit(); err != nil {
		return &storage.AmbiguousError{Cause: b.failed(context.WithoutCancel(ctx), "commit to", err)}
	}
	return nil
}

func (b *backend) apply(ctx context.Context, tx *sql.Tx, changes []catalog.Change) error {
	for _, statement := range create {
		if _, err := tx.ExecContext(ctx, statement); err != nil {
			return b.failed(ctx, "change", err)
		}
	}
	l, err := findLayout(ctx, tx)
	if err != nil {
		return b.failed(ctx, "change", err)
	}
	for _, c := range changes {
		done, err := b.change(ctx, tx, l, c)
		if isCode(err, sqlite3.SQLITE_CONSTRAINT) {
			return b.taken(ctx, tx, l, c.Table)
		}
		if err != nil {
			return b.failed(ctx, "change", err)
		}
		if n, err := done.RowsAffected(); err != nil || n != 1 {
			return storage.ErrLostRace
		}
	}
	return nil
}

// taken tells by what the name of a new table is taken: a table that somebody else
// has made, or a view.
func (b *backend) taken(ctx context.Context, tx *sql.Tx, l layout, table catalog.Identifier) error {
	found, err := b.locations(ctx, tx, l, table)
	switch {
	case err != nil:
		return b.failed(ctx, "change", err)
	case len(found) == 0:
		return fmt.Errorf("%w: %s is a view", storage.ErrTableExists, table)
	}
	return storage.ErrLostRace
}

// change makes a row, or changes or removes it if it is what it is taken for.
func (b *backend) change(ctx context.Context, tx *sql.Tx, l layout, c catalog.Change) (sql.Result, error) {
	const key = " WHERE catalog_name = ? AND table_namespace = ? AND table_name = ? AND metadata_location = ?"
	switch {
	case c.From == "" && l == withTypes:
		return tx.ExecContext(ctx, "INSERT INTO iceberg_tables (catalog_name, table_namespace, table_name, metadata_location, iceberg_type) VALUES (?, ?, ?, ?, 'TABLE')",
			b.catalog, c.Table.Namespace, c.Table.Name, c.To)
	case c.From == "":
		return tx.ExecContext(ctx, "INSERT INTO iceberg_tables (catalog_name, table_namespace, table_name, metadata_location) VALUES (?, ?, ?, ?)",
			b.catalog, c.Table.Namespace, c.Table.Name, c.To)
	case c.To == "":
		return tx.ExecContext(ctx, "DELETE FROM iceberg_tables"+key+l.isTable(), b.catalog, c.Table.Namespace, c.Table.Name, c.From)
	}
	return tx.ExecContext(ctx, "UPDATE iceberg_tables SET metadata_location = ?, previous_metadata_location = ?"+key+l.isTable(),
		c.To, c.From, b.catalog, c.Table.Namespace, c.Table.Name, c.From)
}
