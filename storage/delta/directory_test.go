package delta

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/object"
)

// TestDirectoriesInTheLog: a directory where a file should be is damage, at
// whichever version it is, also for a handle that knows the table already.
func TestDirectoriesInTheLog(t *testing.T) {
	newStore := map[string]func(t *testing.T) object.Store{
		"memory": func(*testing.T) object.Store { return object.NewMemory("") },
		"file": func(t *testing.T) object.Store {
			store, err := object.NewFileStore(t.TempDir())
			require.NoError(t, err)
			t.Cleanup(func() { require.NoError(t, store.Close()) })
			return store
		},
	}
	for name, open := range newStore {
		for version := range storage.Version(4) {
			t.Run(name+versionName(version), func(t *testing.T) {
				store := open(t)
				table := newSimple(t, store, nil)
				require.NoError(t, insert(table, row3(1, "a", 1.5)))
				require.NoError(t, insert(table, row3(2, "a", 1.5)))
				latest(t, table)
				makeDirectory(t, store, table.commitPath(version))
				handles := []*Table{reopen(table), table}
				if version < 2 {
					handles = handles[:1] // the other has read it before
				}
				for _, table := range handles {
					_, err := table.LoadLatest(ctx)
					requireDirectory(t, err, table.commitPath(version))
					_, err = table.LoadAt(ctx, 1)
					requireDirectory(t, err, table.commitPath(version))
					requireDirectory(t, insert(table, row3(3, "a", nil)), table.commitPath(version))
				}
				exists, err := Exists(ctx, store, "t")
				require.NoError(t, err)
				require.True(t, exists)
			})
		}
	}
}

func requireDirectory(t *testing.T, err error, path string) {
	t.Helper()
	var corrupt *storage.CorruptTable
	require.ErrorAs(t, err, &corrupt)
	require.Equal(t, path, corrupt.Path)
	require.Contains(t, err.Error(), "a directory is in its place")
}

// makeDirectory puts a directory in the place of an object.
func makeDirectory(t *testing.T, store object.Store, path string) {
	t.Helper()
	require.NoError(t, store.Delete(ctx, path))
	if f, ok := store.(*object.FileStore); ok {
		require.NoError(t, os.Mkdir(filepath.Join(f.Root(), filepath.FromSlash(path)), 0o700))
		return
	}
	require.NoError(t, store.Put(ctx, path+"/x", nil))
}
