package object

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Put implements Store.
func (f *FileStore) Put(ctx context.Context, path string, body []byte) error {
	local, err := f.begin(ctx, OpPut, path)
	if err != nil {
		return err
	}
	s, err := f.stage(local, body)
	if err == nil {
		err = f.replace(s, path)
	}
	if err != nil {
		return causeError(OpPut, path, ErrIO, err)
	}
	return nil
}

// PutIfAbsent implements Store. Readers see the object only when it is whole and
// its bytes are durable; its name is so when PutIfAbsent returns. The file system
// decides which of several writers is first.
func (f *FileStore) PutIfAbsent(ctx context.Context, path string, body []byte) error {
	local, err := f.begin(ctx, OpPutIfAbsent, path)
	if err != nil {
		return err
	}
	// A lost race is common enough to look before two fsyncs are spent.
	if _, err := os.Lstat(local); err == nil {
		return opError(OpPutIfAbsent, path, ErrExists)
	}
	s, err := f.stage(local, body)
	if err == nil {
		err = f.linkExclusive(s)
	}
	if errors.Is(err, ErrExists) {
		return opError(OpPutIfAbsent, path, err)
	}
	if err != nil {
		return causeError(OpPutIfAbsent, path, ErrIO, err)
	}
	return nil
}

// Delete implements Store. It leaves the directory, even when it is empty now,
// and doesn't wait for the disk: a file that comes back after a crash is one
// that its owner deletes again.
func (f *FileStore) Delete(ctx context.Context, path string) error {
	local, err := f.begin(ctx, OpDelete, path)
	if err != nil {
		return err
	}
	if stat, err := os.Stat(local); err == nil && stat.IsDir() {
		return nil // a directory is no object, and remove would take an empty one
	}
	err = f.fs.remove(local)
	if errors.Is(err, fs.ErrNotExist) || isNotObject(err) {
		err = nil
	}
	if err := errors.Join(err, f.open.forget(path)); err != nil {
		return causeError(OpDelete, path, ErrIO, err)
	}
	return nil
}

// staged is an object that is being written under a temporary name beside its
// own.
type staged struct {
	fs    fileSystem
	file  syncFile // nil once closed
	temp  string
	final string
}

// stage writes a whole body under a temporary name and makes it durable.
func (f *FileStore) stage(local string, body []byte) (*staged, error) {
	s, err := f.newStaged(local)
	if err != nil {
		return nil, err
	}
	if _, err := s.file.Write(body); err != nil {
		return nil, errors.Join(err, s.discard())
	}
	if err := s.syncAndClose(); err != nil {
		return nil, errors.Join(err, s.discard())
	}
	return s, nil
}

func (f *FileStore) newStaged(local string) (*staged, error) {
	s := &staged{fs: f.fs, temp: filepath.Join(filepath.Dir(local), temporaryName()), final: local}
	err := f.createIn(s)
	if errors.Is(err, fs.ErrNotExist) {
		// Somebody else removed a directory that this store knew.
		f.durable.Clear()
		err = f.createIn(s)
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

// createIn makes the temporary file and the directories it is in.
func (f *FileStore) createIn(s *staged) (err error) {
	if err := f.makeDir(filepath.Dir(s.temp)); err != nil {
		return err
	}
	s.file, err = f.fs.create(s.temp)
	return err
}

// syncAndClose makes the temporary file's contents durable and closes it.
func (s *staged) syncAndClose() error {
	if err := s.file.Sync(); err != nil {
		return err
	}
	file := s.file
	s.file = nil
	return file.Close()
}

// discard removes the temporary file.
func (s *staged) discard() error {
	var err error
	if s.file != nil {
		err = s.file.Close()
		s.file = nil
	}
	return errors.Join(err, s.fs.remove(s.temp))
}

// replace gives a file that was synced its name, whether or not there is
// another.
func (f *FileStore) replace(s *staged, path string) error {
	if err := f.fs.rename(s.temp, s.final); err != nil {
		return errors.Join(err, s.discard())
	}
	err := f.open.forget(path)
	return errors.Join(err, f.fs.syncDir(filepath.Dir(s.final)))
}

// linkExclusive gives a file that was synced its name unless there is another:
// by link(2), or where the file system has no hard links by a rename that
// replaces nothing. Writing under the final name with O_EXCL would be exclusive
// too, but readers would see half an object.
func (f *FileStore) linkExclusive(s *staged) error {
	err := f.fs.link(s.temp, s.final)
	if err != nil && lacksHardLinks(err) {
		return f.renameExclusive(s, err)
	}
	if errors.Is(err, fs.ErrExist) && !s.isFinal() {
		return errors.Join(ErrExists, s.discard())
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return errors.Join(err, s.discard())
	}
	// The object is there from here on, so a second name that can't be removed
	// is no reason to report that it isn't: the name is hidden and harmless.
	_ = f.fs.remove(s.temp)
	return f.fs.syncDir(filepath.Dir(s.final))
}

// isFinal reports whether the file already has its final name. An NFS client
// whose first answer got lost asks again and is told that the name exists.
func (s *staged) isFinal() bool {
	temp, err := os.Lstat(s.temp)
	if err != nil {
		return false
	}
	final, err := os.Lstat(s.final)
	return err == nil && os.SameFile(temp, final)
}

func (f *FileStore) renameExclusive(s *staged, linkErr error) error {
	err := f.fs.renameExclusive(s.temp, s.final)
	switch {
	case errors.Is(err, fs.ErrExist):
		return errors.Join(ErrExists, s.discard())
	case errors.Is(err, errors.ErrUnsupported):
		return errors.Join(fmt.Errorf("the file system has neither hard links (%w) nor an exclusive rename (%w), "+
			"so concurrent writers would overwrite each other; keep the table on another one", linkErr, err), s.discard())
	case err != nil:
		return errors.Join(err, s.discard())
	}
	return f.fs.syncDir(filepath.Dir(s.final))
}

// makeDir makes a directory and those above it, down from the root, and makes
// their entries durable. It does so once for each directory, also for one that
// exists: the process that made it may not have got as far as its fsync.
func (f *FileStore) makeDir(dir string) error {
	if _, ok := f.durable.Load(dir); ok {
		return nil
	}
	f.making.Lock()
	defer f.making.Unlock()
	return f.makeDirLocked(dir)
}

func (f *FileStore) makeDirLocked(dir string) error {
	if _, ok := f.durable.Load(dir); ok {
		return nil
	}
	if dir == f.root {
		return f.makeRoot()
	}
	parent := filepath.Dir(dir)
	if err := f.makeDirLocked(parent); err != nil {
		return err
	}
	if err := f.fs.mkdir(dir); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	if err := f.fs.syncDir(parent); err != nil {
		return err
	}
	f.durable.Store(dir, nil)
	return nil
}

// makeRoot makes the root if it doesn't exist, but not what is above it: a
// wrong path shall not become a tree of directories.
func (f *FileStore) makeRoot() error {
	_, err := os.Stat(f.root)
	if errors.Is(err, fs.ErrNotExist) {
		err = f.fs.mkdir(f.root)
		if err == nil || errors.Is(err, fs.ErrExist) {
			err = f.fs.syncDir(filepath.Dir(f.root))
		} else if errors.Is(err, fs.ErrNotExist) {
			err = fmt.Errorf("make the directory above the store's root first: %w", err)
		}
	}
	if err != nil {
		return err
	}
	f.durable.Store(f.root, nil)
	return nil
}
