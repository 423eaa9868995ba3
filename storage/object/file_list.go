package object

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// ListFrom implements Store.
func (f *FileStore) ListFrom(ctx context.Context, dir, start string) iter.Seq2[Info, error] {
	return func(yield func(Info, error) bool) {
		entries, err := f.readDir(ctx, OpListFrom, dir, start)
		if err != nil {
			yield(Info{}, err)
			return
		}
		for _, entry := range entries {
			if !f.yieldEntry(ctx, OpListFrom, joinPath(dir, entry.Name()), entry, yield) {
				return
			}
		}
	}
}

// List implements Store.
func (f *FileStore) List(ctx context.Context, dir string) iter.Seq2[Info, error] {
	return func(yield func(Info, error) bool) { f.walk(ctx, dir, yield) }
}

// walk yields the objects below dir and reports whether to go on.
func (f *FileStore) walk(ctx context.Context, dir string, yield func(Info, error) bool) bool {
	entries, err := f.readDir(ctx, OpList, dir, "")
	if err != nil {
		yield(Info{}, err)
		return false
	}
	for _, entry := range entries {
		path := joinPath(dir, entry.Name())
		if entry.IsDir() {
			if !f.walk(ctx, path, yield) {
				return false
			}
		} else if !f.yieldEntry(ctx, OpList, path, entry, yield) {
			return false
		}
	}
	return true
}

// ListDirs implements Store.
func (f *FileStore) ListDirs(ctx context.Context, dir string) ([]string, error) {
	entries, err := f.readDir(ctx, OpListDirs, dir, "")
	if err != nil {
		return nil, err
	}
	var names []string
	for _, entry := range entries {
		isDir := entry.IsDir()
		if entry.Type()&fs.ModeSymlink != 0 {
			local, err := localPath(f.root, joinPath(dir, entry.Name()))
			if err != nil {
				return nil, opError(OpListDirs, dir, err)
			}
			stat, err := os.Stat(local)
			isDir = err == nil && stat.IsDir() // a dangling link is neither
		}
		if isDir {
			names = append(names, entry.Name())
		}
	}
	slices.Sort(names) // readDir's order is that of paths, "a-b" before "a/"
	return names, nil
}

// readDir returns a directory's entries that are called start or later, but for
// files being written. They are in the order of the paths below dir, in which a
// directory's name counts with its slash.
func (f *FileStore) readDir(ctx context.Context, op Op, dir, start string) ([]fs.DirEntry, error) {
	if err := beginDir(ctx, op, dir); err != nil {
		return nil, err
	}
	local, err := localPath(f.root, dir)
	if err != nil {
		return nil, opError(op, dir, err)
	}
	entries, err := readEntries(local)
	if errors.Is(err, fs.ErrNotExist) || isNotObject(err) {
		return nil, nil
	}
	if err != nil {
		return nil, causeError(op, dir, ErrIO, err)
	}
	entries = slices.DeleteFunc(entries, func(e fs.DirEntry) bool {
		return e.Name() < start || isTemporary(e.Name())
	})
	slices.SortFunc(entries, comparePaths)
	return entries, nil
}

func readEntries(local string) ([]fs.DirEntry, error) {
	dir, err := os.Open(local)
	if err != nil {
		return nil, err
	}
	entries, err := dir.ReadDir(-1)
	return entries, errors.Join(err, dir.Close())
}

func comparePaths(a, b fs.DirEntry) int {
	if !a.IsDir() && !b.IsDir() {
		return cmp.Compare(a.Name(), b.Name())
	}
	return strings.Compare(pathSuffix(a), pathSuffix(b))
}

func pathSuffix(entry fs.DirEntry) string {
	if entry.IsDir() {
		return entry.Name() + "/"
	}
	return entry.Name()
}

// yieldEntry yields a directory's entry and reports whether to go on. An object
// that has vanished since the directory was read is none, and only ListFrom
// yields directories.
func (f *FileStore) yieldEntry(ctx context.Context, op Op, path string, entry fs.DirEntry, yield func(Info, error) bool) bool {
	if err := ctx.Err(); err != nil {
		yield(Info{}, opError(op, path, err))
		return false
	}
	stat, err := f.statEntry(path, entry)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return true
	case err != nil:
		yield(Info{}, causeError(op, path, ErrIO, err))
		return false
	case stat.IsDir():
		return op != OpListFrom || yield(Info{Path: path, IsDir: true}, nil)
	}
	return yield(Info{Path: path, Size: stat.Size(), ModTime: stat.ModTime()}, nil)
}

func (f *FileStore) statEntry(path string, entry fs.DirEntry) (fs.FileInfo, error) {
	if entry.Type()&fs.ModeSymlink == 0 {
		return entry.Info()
	}
	local, err := localPath(f.root, path)
	if err != nil {
		return nil, err
	}
	return os.Stat(local)
}

// RemoveTemporary removes the files below dir that were being written and
// whose last write was before a time, and returns how many there were. A crash
// leaves such files and no listing shows them; the time must be so long ago
// that no writer can still be at work.
func (f *FileStore) RemoveTemporary(ctx context.Context, dir string, before time.Time) (int, error) {
	if err := beginDir(ctx, OpDelete, dir); err != nil {
		return 0, err
	}
	local, err := localPath(f.root, dir)
	if err != nil {
		return 0, opError(OpDelete, dir, err)
	}
	removed := 0
	local += string(filepath.Separator) // so that dir itself may be a link
	err = filepath.WalkDir(local, func(name string, entry fs.DirEntry, err error) error {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil || !entry.Type().IsRegular() || !isTemporary(entry.Name()) {
			return ignoreMissing(err)
		}
		stat, err := entry.Info()
		if err != nil || !stat.ModTime().Before(before) {
			return ignoreMissing(err)
		}
		if err := f.fs.remove(name); err != nil {
			return ignoreMissing(err)
		}
		removed++
		return nil
	})
	if err != nil {
		return removed, causeError(OpDelete, dir, ErrIO, err)
	}
	return removed, nil
}

// ignoreMissing makes a file that vanished meanwhile no error.
func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}
