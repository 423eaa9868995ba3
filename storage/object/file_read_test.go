package object

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func readAt(t *testing.T, store *FileStore, path string) string {
	t.Helper()
	p := make([]byte, 3)
	_, err := store.GetRange(t.Context(), path, 0, p)
	require.NoError(t, err)
	return string(p)
}

func TestHandlesAreBounded(t *testing.T) {
	store, _ := newScripted(t)
	store.open = newHandleCache(3)
	for round := range 2 {
		for i := range 10 {
			path := fmt.Sprintf("t/%d", i)
			if round == 0 {
				require.NoError(t, store.Put(t.Context(), path, fmt.Appendf(nil, "%03d", i)))
			}
			require.Equal(t, fmt.Sprintf("%03d", i), readAt(t, store, path))
			require.LessOrEqual(t, len(store.open.byPath), 3)
			require.Equal(t, len(store.open.byPath), store.open.recent.Len())
		}
	}
	require.Contains(t, store.open.byPath, "t/9")
	require.NoError(t, store.Close())
	require.Empty(t, store.open.byPath)
	require.Equal(t, "001", readAt(t, store, "t/1"), "usable after Close")
}

func TestEvictedHandleServesItsUsers(t *testing.T) {
	store, _ := newScripted(t)
	store.open = newHandleCache(3)
	require.NoError(t, store.Put(t.Context(), "t/a", []byte("old")))
	h, err := store.open.acquire(store.Root(), "t/a")
	require.NoError(t, err)
	require.NoError(t, store.Put(t.Context(), "t/a", []byte("new")))
	p := make([]byte, 3)
	_, err = h.ReadAt(p, 0)
	require.NoError(t, err)
	require.Equal(t, "old", string(p))
	require.NoError(t, store.open.release(h))
	_, err = h.ReadAt(p, 0)
	require.ErrorIs(t, err, os.ErrClosed)
	require.Equal(t, "new", readAt(t, store, "t/a"))
}

// TestHandleOpenedBeforeAChange has an object replaced between a reader's open
// and its entry in the cache.
func TestHandleOpenedBeforeAChange(t *testing.T) {
	store, _ := newScripted(t)
	store.open = newHandleCache(3)
	require.NoError(t, store.Put(t.Context(), "t/a", []byte("old")))
	_, changes := store.open.find("t/a")
	file, err := os.Open(filepath.Join(store.Root(), "t", "a"))
	require.NoError(t, err)
	h := &handle{File: file, path: "t/a", users: 1}
	require.NoError(t, store.Put(t.Context(), "t/a", []byte("new")))
	require.NoError(t, store.open.keep(h, changes))
	require.Empty(t, store.open.byPath)
	require.NoError(t, store.open.release(h))
	require.Equal(t, "new", readAt(t, store, "t/a"))
}

// TestMetadataIsReadAfresh has another process replace files.
func TestMetadataIsReadAfresh(t *testing.T) {
	mine, _ := newScripted(t)
	theirs, err := NewFileStore(mine.Root())
	require.NoError(t, err)
	for _, path := range []string{"t/_delta_log/_last_checkpoint", "ns/t/metadata/version-hint.text"} {
		require.NoError(t, theirs.Put(t.Context(), path, []byte("one")))
		require.Equal(t, "one", readAt(t, mine, path))
		require.NoError(t, theirs.Put(t.Context(), path, []byte("two")))
		require.Equal(t, "two", readAt(t, mine, path))
	}
	require.Empty(t, mine.open.byPath)
}

func TestListingHidesTemporaryFiles(t *testing.T) {
	store, _ := newScripted(t)
	w, err := store.Create(t.Context(), "t/a") // as a crash would leave it
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, w.Abort()) })
	entries, err := os.ReadDir(filepath.Join(store.Root(), "t"))
	require.NoError(t, err)
	require.Len(t, entries, 1)
	for info, err := range store.List(t.Context(), "") {
		require.NoError(t, err)
		require.Fail(t, "listed", info.Path)
	}
}

func TestRemoveTemporary(t *testing.T) {
	store, _ := newScripted(t)
	remove := func(age time.Duration) int {
		n, err := store.RemoveTemporary(t.Context(), "t", time.Now().Add(-age))
		require.NoError(t, err)
		return n
	}
	require.Zero(t, remove(0), "a missing directory is empty")
	require.NoError(t, store.Put(t.Context(), "t/d/a", nil))
	left := filepath.Join(store.Root(), "t", "d", temporaryName())
	require.NoError(t, os.WriteFile(left, nil, 0o666))
	require.Zero(t, remove(time.Hour), "it is young")
	require.Equal(t, 1, remove(-time.Hour))
	require.NoFileExists(t, left)
	_, err := store.Stat(t.Context(), "t/d/a")
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = store.RemoveTemporary(ctx, "t", time.Now())
	require.ErrorIs(t, err, context.Canceled)
}

func TestSymbolicLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("making links needs a privilege on Windows")
	}
	store, _ := newScripted(t)
	elsewhere := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(elsewhere, "x"), []byte("abc"), 0o666))
	require.NoError(t, store.Put(t.Context(), "t/a", nil))
	link := func(to, name string) { require.NoError(t, os.Symlink(to, filepath.Join(store.Root(), name))) }
	link(elsewhere, "linked")
	link(filepath.Join(elsewhere, "x"), "t/file")
	link("nowhere", "t/dangling")

	require.Equal(t, "abc", readAt(t, store, "linked/x"))
	dirs, err := store.ListDirs(t.Context(), "")
	require.NoError(t, err)
	require.Equal(t, []string{"linked", "t"}, dirs)
	sizes := map[string]int64{}
	for info, err := range store.List(t.Context(), "") {
		require.NoError(t, err)
		sizes[info.Path] = info.Size
	}
	require.Equal(t, map[string]int64{"t/a": 0, "t/file": 3}, sizes)
}

func TestNamesAreBytes(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("names are Unicode on " + runtime.GOOS)
	}
	store, _ := newScripted(t)
	path := "t/\xff\xfe\\c:\n"
	require.NoError(t, store.Put(t.Context(), path, []byte("abc")))
	require.Equal(t, "abc", readAt(t, store, path))
}
