package object

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// scriptedFileSystem records the calls that decide what survives a crash, and
// makes the n-th of them fail.
type scriptedFileSystem struct {
	osFileSystem
	root   string
	linkAs error // what link answers instead of doing anything
	moveAs error // what renameExclusive answers
	failAt int   // 1 is the first call

	mu    sync.Mutex
	calls []string
}

var errScripted = errors.New("scripted")

// record notes a call, with temporary names all alike.
func (s *scriptedFileSystem) record(call string, names ...string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, name := range names {
		if isTemporary(filepath.Base(name)) {
			name = filepath.Join(filepath.Dir(name), "TEMP")
		}
		relative, err := filepath.Rel(filepath.Dir(s.root), name)
		if err != nil {
			return err
		}
		call += " " + filepath.ToSlash(relative)
	}
	s.calls = append(s.calls, call)
	if len(s.calls) == s.failAt {
		return errScripted
	}
	return nil
}

func (s *scriptedFileSystem) create(name string) (syncFile, error) {
	if err := s.record("create", name); err != nil {
		return nil, err
	}
	file, err := s.osFileSystem.create(name)
	if err != nil {
		return nil, err
	}
	return &scriptedFile{syncFile: file, system: s, name: name}, nil
}

func (s *scriptedFileSystem) mkdir(name string) error {
	return errors.Join(s.record("mkdir", name), s.osFileSystem.mkdir(name))
}

func (s *scriptedFileSystem) remove(name string) error {
	if err := s.record("remove", name); err != nil {
		return err
	}
	return s.osFileSystem.remove(name)
}

func (s *scriptedFileSystem) rename(from, to string) error {
	if err := s.record("rename", from, to); err != nil {
		return err
	}
	return s.osFileSystem.rename(from, to)
}

func (s *scriptedFileSystem) link(from, to string) error {
	if err := errors.Join(s.record("link", from, to), s.linkAs); err != nil {
		return err
	}
	return s.osFileSystem.link(from, to)
}

func (s *scriptedFileSystem) renameExclusive(from, to string) error {
	if err := errors.Join(s.record("rename-exclusive", from, to), s.moveAs); err != nil {
		return err
	}
	return s.osFileSystem.renameExclusive(from, to)
}

func (s *scriptedFileSystem) syncDir(name string) error {
	if err := s.record("fsync-dir", name); err != nil {
		return err
	}
	return s.osFileSystem.syncDir(name)
}

type scriptedFile struct {
	syncFile
	system *scriptedFileSystem
	name   string
}

func (f *scriptedFile) Write(p []byte) (int, error) {
	if err := f.system.record("write", f.name); err != nil {
		return 0, err
	}
	return f.syncFile.Write(p)
}

func (f *scriptedFile) Sync() error {
	if err := f.system.record("fsync", f.name); err != nil {
		return err
	}
	return f.syncFile.Sync()
}

func (f *scriptedFile) Close() error {
	return errors.Join(f.system.record("close", f.name), f.syncFile.Close())
}

// newScripted returns a store in a directory "root" that doesn't exist yet.
func newScripted(t *testing.T) (*FileStore, *scriptedFileSystem) {
	root := filepath.Join(t.TempDir(), "root")
	system := &scriptedFileSystem{root: root}
	store, err := newFile(root, system)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	return store, system
}

// requireCalls compares the calls since the last time.
func (s *scriptedFileSystem) requireCalls(t *testing.T, want ...string) {
	t.Helper()
	require.Equal(t, want, s.calls)
	s.calls = nil
}

const logFile = "t/_delta_log/00000000000000000000.json"

func TestPutIfAbsentSyncsInOrder(t *testing.T) {
	store, system := newScripted(t)
	require.NoError(t, store.PutIfAbsent(t.Context(), logFile, []byte("{}")))
	system.requireCalls(t,
		"mkdir root", "fsync-dir .",
		"mkdir root/t", "fsync-dir root",
		"mkdir root/t/_delta_log", "fsync-dir root/t",
		"create root/t/_delta_log/TEMP",
		"write root/t/_delta_log/TEMP",
		"fsync root/t/_delta_log/TEMP",
		"close root/t/_delta_log/TEMP",
		"link root/t/_delta_log/TEMP root/"+logFile,
		"remove root/t/_delta_log/TEMP",
		"fsync-dir root/t/_delta_log")

	require.NoError(t, store.PutIfAbsent(t.Context(), "t/_delta_log/1", nil))
	system.requireCalls(t, // directories are made durable once
		"create root/t/_delta_log/TEMP",
		"write root/t/_delta_log/TEMP",
		"fsync root/t/_delta_log/TEMP",
		"close root/t/_delta_log/TEMP",
		"link root/t/_delta_log/TEMP root/t/_delta_log/1",
		"remove root/t/_delta_log/TEMP",
		"fsync-dir root/t/_delta_log")

	require.ErrorIs(t, store.PutIfAbsent(t.Context(), logFile, nil), ErrExists)
	system.requireCalls(t) // a lost race that can be seen costs nothing
}

func TestCreateSyncsInOrder(t *testing.T) {
	store, system := newScripted(t)
	require.NoError(t, os.MkdirAll(filepath.Join(store.Root(), "t"), 0o777))
	w, err := store.Create(t.Context(), "t/part=1/file.parquet")
	require.NoError(t, err)
	_, err = w.Write([]byte("PAR1"))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	system.requireCalls(t,
		"mkdir root/t", "fsync-dir root", // its maker may have died before its fsync
		"mkdir root/t/part=1", "fsync-dir root/t",
		"create root/t/part=1/TEMP",
		"write root/t/part=1/TEMP",
		"fsync root/t/part=1/TEMP",
		"close root/t/part=1/TEMP",
		"rename root/t/part=1/TEMP root/t/part=1/file.parquet",
		"fsync-dir root/t/part=1")
}

func TestAbortRemovesTheFile(t *testing.T) {
	store, system := newScripted(t)
	w, err := store.Create(t.Context(), "x")
	require.NoError(t, err)
	require.NoError(t, w.Abort())
	system.requireCalls(t, "mkdir root", "fsync-dir .", "create root/TEMP", "close root/TEMP", "remove root/TEMP")
}

// TestFileSystemFaults makes each call of a write fail in turn. The object must
// be whole or absent, absent unless the failure came after the publishing call,
// and no other file may be left but where its removal itself failed.
func TestFileSystemFaults(t *testing.T) {
	writes := map[string]func(t *testing.T, store *FileStore) error{
		"put":           func(t *testing.T, s *FileStore) error { return s.Put(t.Context(), logFile, []byte("body")) },
		"put-if-absent": func(t *testing.T, s *FileStore) error { return s.PutIfAbsent(t.Context(), logFile, []byte("body")) },
		"create": func(t *testing.T, s *FileStore) error {
			w, err := s.Create(t.Context(), logFile)
			if err != nil {
				return err
			}
			_, writeErr := w.Write([]byte("body"))
			closeErr := w.Close()
			if writeErr != nil {
				require.ErrorIs(t, closeErr, writeErr)
			}
			return closeErr
		},
	}
	for name, write := range writes {
		t.Run(name, func(t *testing.T) {
			for n := 1; ; n++ {
				store, system := newScripted(t)
				system.failAt = n
				err := write(t, store)
				if len(system.calls) < n {
					require.NoError(t, err)
					require.Greater(t, n, 10)
					return
				}
				failed := system.calls[n-1]
				checkFault(t, store, failed, err)
			}
		})
	}
}

func checkFault(t *testing.T, store *FileStore, failed string, err error) {
	removal := strings.HasPrefix(failed, "remove")
	if removal {
		require.NoError(t, err, "the object is published")
	} else {
		require.ErrorIs(t, err, ErrIO, failed)
		require.ErrorIs(t, err, errScripted, failed)
	}
	body, readErr := store.Get(t.Context(), logFile)
	if removal || failed == "fsync-dir root/t/_delta_log" {
		require.NoError(t, readErr)
		require.Equal(t, "body", string(body))
	} else {
		require.ErrorIs(t, readErr, ErrNotFound, failed)
	}
	for info, err := range store.List(t.Context(), "") {
		require.NoError(t, err)
		require.Equal(t, logFile, info.Path)
	}
	left, err := filepath.Glob(filepath.Join(store.Root(), "t", "_delta_log", tempPrefix+"*"))
	require.NoError(t, err)
	require.Equal(t, removal, len(left) == 1, "left after %q: %v", failed, left)
}

func TestPutIfAbsentWithoutHardLinks(t *testing.T) {
	if runtime.GOOS != "linux" && runtime.GOOS != "darwin" && runtime.GOOS != "windows" {
		t.Skip("no exclusive rename on " + runtime.GOOS)
	}
	store, system := newScripted(t)
	system.linkAs = &os.LinkError{Op: "link", Err: errors.ErrUnsupported}
	require.NoError(t, store.Put(t.Context(), "warm", nil))
	system.calls = nil
	require.NoError(t, store.PutIfAbsent(t.Context(), "x", []byte("mine")))
	system.requireCalls(t, "create root/TEMP", "write root/TEMP", "fsync root/TEMP", "close root/TEMP",
		"link root/TEMP root/x", "rename-exclusive root/TEMP root/x", "fsync-dir root")

	// The loser of a race that shows only at the rename.
	s, err := store.stage(filepath.Join(store.Root(), "x"), []byte("theirs"))
	require.NoError(t, err)
	require.ErrorIs(t, store.linkExclusive(s), ErrExists)
	requireOnly(t, store, "x", "mine")
}

// requireOnly checks an object in the root and that no temporary file is left.
func requireOnly(t *testing.T, store *FileStore, path, body string) {
	t.Helper()
	read, err := store.Get(t.Context(), path)
	require.NoError(t, err)
	require.Equal(t, body, string(read))
	left, err := filepath.Glob(filepath.Join(store.Root(), tempPrefix+"*"))
	require.NoError(t, err)
	require.Empty(t, left)
}

func TestPutIfAbsentRefusesToOverwrite(t *testing.T) {
	store, system := newScripted(t)
	system.linkAs, system.moveAs = errors.ErrUnsupported, errors.ErrUnsupported
	err := store.PutIfAbsent(t.Context(), "x", nil)
	require.ErrorIs(t, err, ErrIO)
	require.ErrorIs(t, err, errors.ErrUnsupported)
	require.ErrorContains(t, err, "hard links")
	_, err = store.Get(t.Context(), "x")
	require.ErrorIs(t, err, ErrNotFound)
}

// TestLinkAnsweredTwice has a link that was made but is reported as a clash.
func TestLinkAnsweredTwice(t *testing.T) {
	store, err := newFile(t.TempDir(), &twiceLinking{osFileSystem{}})
	require.NoError(t, err)
	require.NoError(t, store.PutIfAbsent(t.Context(), "x", []byte("mine")))
	requireOnly(t, store, "x", "mine")
}

type twiceLinking struct{ osFileSystem }

// link does what a retransmitted request does.
func (s *twiceLinking) link(from, to string) error {
	if err := s.osFileSystem.link(from, to); err != nil {
		return err
	}
	return s.osFileSystem.link(from, to)
}

func TestRootAndItsParent(t *testing.T) {
	parent := filepath.Join(t.TempDir(), "parent")
	store, err := NewFileStore(filepath.Join(parent, "root"))
	require.NoError(t, err)
	_, err = store.Get(t.Context(), "x")
	require.ErrorIs(t, err, ErrNotFound)
	err = store.Put(t.Context(), "x", nil)
	require.ErrorIs(t, err, ErrIO)
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.NotErrorIs(t, err, ErrNotFound)
	require.NoDirExists(t, parent)

	require.NoError(t, os.Mkdir(parent, 0o777))
	require.NoError(t, store.Put(t.Context(), "x", nil))
	require.NoError(t, os.RemoveAll(store.Root()))
	require.NoError(t, store.Put(t.Context(), "d/x", nil), "a directory removed by somebody else is made again")
	_, err = NewFileStore("")
	require.ErrorIs(t, err, ErrInvalidPath)
}

func TestWriteBelowAnObject(t *testing.T) {
	store, _ := newScripted(t)
	require.NoError(t, store.Put(t.Context(), "a", nil))
	for _, path := range []string{"a/b", "a/b/c"} {
		require.ErrorIs(t, store.Put(t.Context(), path, nil), ErrIO)
		require.ErrorIs(t, store.PutIfAbsent(t.Context(), path, nil), ErrIO)
		_, err := store.Create(t.Context(), path)
		require.ErrorIs(t, err, ErrIO)
	}
}

func TestErrorsKeepTheCause(t *testing.T) {
	store, _ := newScripted(t)
	_, err := store.Get(t.Context(), "x")
	require.ErrorIs(t, err, ErrNotFound)
	require.ErrorIs(t, err, fs.ErrNotExist)
	require.NoError(t, store.Put(t.Context(), "dir/x", nil))
	err = store.Put(t.Context(), strings.Repeat("x", 300), nil)
	require.ErrorIs(t, err, ErrIO)
	var errno syscall.Errno
	require.ErrorAs(t, err, &errno)
}

func BenchmarkPutIfAbsent(b *testing.B) {
	store, err := NewFileStore(b.TempDir())
	require.NoError(b, err)
	body := []byte(strings.Repeat(`{"add":{}}`, 80))
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		if err := store.PutIfAbsent(b.Context(), fmt.Sprintf("t/_delta_log/%020d.json", i), body); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkGetRange(b *testing.B) {
	store, err := NewFileStore(b.TempDir())
	require.NoError(b, err)
	p := make([]byte, 4096)
	for _, path := range []string{"t/kept-open.parquet", "t/_delta_log/opened-each-time"} {
		require.NoError(b, store.Put(b.Context(), path, make([]byte, 1<<20)))
		b.Run(filepath.Base(path), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := store.GetRange(b.Context(), path, 4096, p); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	require.NoError(b, store.Close())
}
