package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/catalog"
)

// layouts are the tables as other programs make them: Java's catalog without and
// with views, and PyIceberg's.
var layouts = map[string]string{
	"none": "",
	"java without views": `CREATE TABLE iceberg_tables(catalog_name VARCHAR(255) NOT NULL,table_namespace VARCHAR(255) NOT NULL,table_name VARCHAR(255) NOT NULL,metadata_location VARCHAR(1000),previous_metadata_location VARCHAR(1000),PRIMARY KEY (catalog_name, table_namespace, table_name));
		CREATE TABLE iceberg_namespace_properties(catalog_name VARCHAR(255) NOT NULL,namespace VARCHAR(255) NOT NULL,property_key VARCHAR(255),property_value VARCHAR(1000),PRIMARY KEY (catalog_name, namespace, property_key))`,
	"java with views": `CREATE TABLE iceberg_tables(catalog_name VARCHAR(255) NOT NULL,table_namespace VARCHAR(255) NOT NULL,table_name VARCHAR(255) NOT NULL,metadata_location VARCHAR(1000),previous_metadata_location VARCHAR(1000),PRIMARY KEY (catalog_name, table_namespace, table_name));
		ALTER TABLE iceberg_tables ADD COLUMN iceberg_type VARCHAR(5);
		CREATE TABLE iceberg_namespace_properties(catalog_name VARCHAR(255) NOT NULL,namespace VARCHAR(255) NOT NULL,property_key VARCHAR(255),property_value VARCHAR(1000),PRIMARY KEY (catalog_name, namespace, property_key))`,
	"pyiceberg": `CREATE TABLE iceberg_tables (catalog_name VARCHAR(255) NOT NULL, table_namespace VARCHAR(255) NOT NULL, table_name VARCHAR(255) NOT NULL, metadata_location VARCHAR(1000), previous_metadata_location VARCHAR(1000), iceberg_type VARCHAR(5), PRIMARY KEY (catalog_name, table_namespace, table_name));
		CREATE TABLE iceberg_namespace_properties (catalog_name VARCHAR(255) NOT NULL, namespace VARCHAR(255) NOT NULL, property_key VARCHAR(255) NOT NULL, property_value VARCHAR(1000) NOT NULL, PRIMARY KEY (catalog_name, namespace, property_key))`,
}

// database makes a database file.
func database(t *testing.T, statements ...string) string {
	path := filepath.Join(t.TempDir(), "a b?%.db") // no character of the name has a meaning
	db, err := sql.Open("sqlite", dsn(path, false))
	require.NoError(t, err)
	for _, s := range statements {
		_, err := db.Exec(s)
		require.NoError(t, err, s)
	}
	require.NoError(t, db.Close())
	return path
}

func opened(t *testing.T, path, name string) catalog.Backend {
	b, err := open(path, catalog.BackendOptions{CatalogName: name})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, b.Close()) })
	return b
}

func rows(t *testing.T, path, query string) []string {
	db, err := sql.Open("sqlite", dsn(path, false))
	require.NoError(t, err)
	defer db.Close()
	out, err := texts(t.Context(), db, query)
	require.NoError(t, err)
	return out
}

func TestSwap(t *testing.T) {
	for name, layout := range layouts {
		t.Run(name, func(t *testing.T) {
			ctx := t.Context()
			path := database(t, layout)
			b, other := opened(t, path, "lake"), opened(t, path, "other")
			id := catalog.Identifier{Namespace: "a.b", Name: "t"}
			load := func(want string) {
				t.Helper()
				location, err := b.Load(ctx, id)
				if want == "" {
					require.ErrorIs(t, err, storage.ErrTableNotFound)
					return
				}
				require.NoError(t, err)
				require.Equal(t, want, location)
			}
			swap := func(from, to string) error { return b.Swap(ctx, []catalog.Change{{Table: id, From: from, To: to}}) }
			load("")
			require.ErrorIs(t, swap("m0", "m1"), storage.ErrLostRace)
			require.NoError(t, swap("", "m1"))
			load("m1")
			require.ErrorIs(t, swap("", "m1"), storage.ErrLostRace)
			require.ErrorIs(t, swap("m0", "m2"), storage.ErrLostRace)
			require.NoError(t, swap("m1", "m2"))
			load("m2")
			_, err := other.Load(ctx, id)
			require.ErrorIs(t, err, storage.ErrTableNotFound)
			require.Equal(t, []string{"lake a.b t m2 m1"}, rows(t, path, "SELECT catalog_name || ' ' || table_namespace || ' ' || table_name || ' ' || metadata_location || ' ' || previous_metadata_location FROM iceberg_tables"))

			second := catalog.Identifier{Namespace: "a.b", Name: "second"}
			require.ErrorIs(t, b.Swap(ctx, []catalog.Change{{Table: second, To: "s1"}, {Table: id, From: "m1", To: "m3"}}), storage.ErrLostRace)
			load("m2")
			names, err := b.List(ctx, "a.b")
			require.NoError(t, err)
			require.Equal(t, []string{"t"}, names)
			require.NoError(t, b.Swap(ctx, []catalog.Change{{Table: second, To: "s1"}, {Table: id, From: "m2", To: "m3"}}))
			load("m3")
			require.ErrorIs(t, swap("m2", ""), storage.ErrLostRace)
			require.NoError(t, swap("m3", ""))
			load("")
		})
	}
}

func TestViewsAreNoTables(t *testing.T) {
	ctx := t.Context()
	path := database(t, layouts["pyiceberg"], "INSERT INTO iceberg_tables VALUES ('lake', 'ns', 'v', 'm', NULL, 'VIEW'), ('lake', 'ns', 'old', 'm', NULL, NULL), ('lake', 'ns', 't', 'm', NULL, 'TABLE')")
	b := opened(t, path, "lake")
	names, err := b.List(ctx, "ns")
	require.NoError(t, err)
	require.Equal(t, []string{"old", "t"}, names)
	view := catalog.Identifier{Namespace: "ns", Name: "v"}
	_, err = b.Load(ctx, view)
	require.ErrorIs(t, err, storage.ErrTableNotFound)
	require.ErrorIs(t, b.Swap(ctx, []catalog.Change{{Table: view, To: "m2"}}), storage.ErrTableExists)
	for _, c := range []catalog.Change{{Table: view, From: "m", To: "m2"}, {Table: view, From: "m"}} {
		require.ErrorIs(t, b.Swap(ctx, []catalog.Change{c}), storage.ErrLostRace)
	}
}

func TestNamespaces(t *testing.T) {
	ctx := t.Context()
	path := database(t, layouts["pyiceberg"],
		"INSERT INTO iceberg_tables VALUES ('lake', 'a.b', 't', 'm', NULL, 'TABLE')",
		"INSERT INTO iceberg_namespace_properties VALUES ('lake', 'made', 'exists', 'true')")
	b := opened(t, path, "lake")
	for namespace, exists := range map[string]bool{"a": true, "a.b": true, "made": true, "": false, "a.": false, "a.%": false, "mad_": false, "other": false} {
		names, err := b.List(ctx, namespace)
		if !exists {
			require.ErrorIs(t, err, storage.ErrSchemaNotFound, namespace)
			continue
		}
		require.NoError(t, err, namespace)
		require.Equal(t, namespace == "a.b", len(names) > 0)
	}
	_, err := opened(t, database(t), "lake").List(ctx, "a")
	require.ErrorIs(t, err, storage.ErrSchemaNotFound)
}

// TestOneWriterWins lets writers on databases of their own count in one pointer:
// each number is written by one of them.
func TestOneWriterWins(t *testing.T) {
	ctx := t.Context()
	path := database(t)
	id := catalog.Identifier{Namespace: "ns", Name: "t"}
	require.NoError(t, opened(t, path, "lake").Swap(ctx, []catalog.Change{{Table: id, To: "0"}}))
	const writers, commits = 4, 15
	var wg sync.WaitGroup
	var lost atomic.Int64
	for range writers {
		b := opened(t, path, "lake")
		wg.Go(func() {
			for done := 0; done < commits; {
				from, err := b.Load(ctx, id)
				if err != nil {
					t.Error(err)
					return
				}
				var n int
				_, _ = fmt.Sscan(from, &n)
				switch err := b.Swap(ctx, []catalog.Change{{Table: id, From: from, To: fmt.Sprint(n + 1)}}); {
				case err == nil:
					done++
				case errors.Is(err, storage.ErrLostRace):
					lost.Add(1)
				default:
					t.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	location, err := opened(t, path, "lake").Load(ctx, id)
	require.NoError(t, err)
	require.Equal(t, fmt.Sprint(writers*commits), location)
	t.Logf("%d races lost", lost.Load())
}

func TestLockedDatabase(t *testing.T) {
	path := database(t, layouts["pyiceberg"])
	b := opened(t, path, "lake")
	db, err := sql.Open("sqlite", dsn(path, false))
	require.NoError(t, err)
	defer db.Close()
	tx, err := db.Begin()
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	change := []catalog.Change{{Table: catalog.Identifier{Namespace: "ns", Name: "t"}, To: "m"}}
	require.ErrorIs(t, b.Swap(ctx, change), context.DeadlineExceeded)
	time.AfterFunc(50*time.Millisecond, func() { _ = tx.Rollback() })
	require.NoError(t, b.Swap(t.Context(), change))
}

func TestOpenErrors(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "text")
	require.NoError(t, os.WriteFile(text, []byte("this is no database, but long enough to be looked at as if it were one"), 0o600))
	for path, says := range map[string]string{
		"":                                     "names no file",
		dir:                                    "is a directory",
		filepath.Join(dir, "nosuch", "cat.db"): "there is no directory",
		text:                                   "no sound SQLite database",
	} {
		_, err := open(path, catalog.BackendOptions{CatalogName: "lake"})
		require.ErrorContains(t, err, says)
	}
	_, err := open(filepath.Join(dir, "cat.db"), catalog.BackendOptions{ReadOnly: true})
	require.ErrorIs(t, err, os.ErrNotExist)

	path := database(t, layouts["pyiceberg"])
	b, err := open("//"+path, catalog.BackendOptions{CatalogName: "lake", ReadOnly: true})
	require.NoError(t, err)
	defer b.Close()
	_, err = b.Load(t.Context(), catalog.Identifier{Namespace: "ns", Name: "t"})
	require.ErrorIs(t, err, storage.ErrTableNotFound)
	require.ErrorIs(t, b.Swap(t.Context(), []catalog.Change{{Table: catalog.Identifier{Namespace: "ns", Name: "t"}, To: "m"}}), storage.ErrIO)
}
