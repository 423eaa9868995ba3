package object

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
)

// FileStore is a store in a directory of the local file system.
//
//  1. The root need not exist: until the first write makes it, in a parent that
//     must exist, all reads find nothing.
//  2. Objects become visible by link(2) or rename(2) of a finished file that
//     was fsynced; a crash leaves at most a hidden file ".tmp-<uuid>" that no
//     listing shows and RemoveTemporary removes.
//  3. Data files are kept open for later reads. Replacing or deleting them
//     through this store is noticed; files below "_delta_log" and "metadata"
//     are opened afresh each time, because other processes replace those.
//  4. Symbolic links are followed, save that List doesn't descend into linked
//     directories, so that a cleaner never leaves the table.
type FileStore struct {
	root string // absolute
	fs   fileSystem
	open *handleCache

	// making is held while directories are made, so that nobody relies on a
	// directory whose own entry isn't durable yet.
	making sync.Mutex
	// durable holds the directories whose entries, up to the root, are known
	// to be durable.
	durable sync.Map
}

// NewFileStore opens the directory rootDir as a store. It does no I/O.
func NewFileStore(rootDir string) (*FileStore, error) {
	return newFile(rootDir, osFileSystem{})
}

func newFile(rootDir string, system fileSystem) (*FileStore, error) {
	if rootDir == "" {
		return nil, fmt.Errorf("open file store: %w: the directory's name is empty", ErrInvalidPath)
	}
	root, err := filepath.Abs(rootDir)
	if err != nil {
		return nil, fmt.Errorf("open file store %q: %w: %w", rootDir, ErrIO, err)
	}
	return &FileStore{root: root, fs: system, open: newHandleCache(maxOpenFiles)}, nil
}

// Root returns the absolute name of the store's directory.
func (f *FileStore) Root() string { return f.root }

// String returns a file URL.
func (f *FileStore) String() string {
	path := filepath.ToSlash(f.root)
	if !strings.HasPrefix(path, "/") { // a drive letter
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// Close closes the files that are kept open. The store stays usable.
func (f *FileStore) Close() error { return f.open.close() }

// Get implements Store.
func (f *FileStore) Get(ctx context.Context, path string) ([]byte, error) {
	local, err := f.begin(ctx, OpGet, path)
	if err != nil {
		return nil, err
	}
	body, err := os.ReadFile(local)
	if err != nil {
		return nil, readError(OpGet, path, err)
	}
	return body, nil
}

// GetRange implements Store.
func (f *FileStore) GetRange(ctx context.Context, path string, off int64, p []byte) (int, error) {
	if err := begin(ctx, OpGetRange, path); err != nil {
		return 0, err
	}
	if off < 0 {
		return 0, opError(OpGetRange, path, fmt.Errorf("%w: negative offset %d", ErrIO, off))
	}
	file, err := f.open.acquire(f.root, path)
	if err != nil {
		return 0, readError(OpGetRange, path, err)
	}
	n, err := file.ReadAt(p, off)
	closeErr := f.open.release(file)
	switch {
	case err == io.EOF:
		return n, io.EOF
	case err != nil:
		return n, readError(OpGetRange, path, err)
	case closeErr != nil:
		return n, readError(OpGetRange, path, closeErr)
	}
	return n, nil
}

// Stat implements Store.
func (f *FileStore) Stat(ctx context.Context, path string) (Info, error) {
	local, err := f.begin(ctx, OpStat, path)
	if err != nil {
		return Info{}, err
	}
	stat, err := os.Stat(local)
	if err == nil && stat.IsDir() {
		err = errIsDir
	}
	if err != nil {
		return Info{}, readError(OpStat, path, err)
	}
	return Info{Path: path, Size: stat.Size(), ModTime: stat.ModTime()}, nil
}

// errIsDir is what reading a directory as an object comes to.
var errIsDir = fmt.Errorf("it is a directory: %w", fs.ErrNotExist)

// begin checks a call on an object and returns its file's name.
func (f *FileStore) begin(ctx context.Context, op Op, path string) (string, error) {
	if err := begin(ctx, op, path); err != nil {
		return "", err
	}
	local, err := localPath(f.root, path)
	if err != nil {
		return "", opError(op, path, err)
	}
	return local, nil
}

// readError puts an error of reading under ErrNotFound or ErrIO.
func readError(op Op, path string, err error) error {
	if errors.Is(err, ErrInvalidPath) {
		return opError(op, path, err)
	}
	if errors.Is(err, fs.ErrNotExist) || isNotObject(err) {
		return causeError(op, path, ErrNotFound, err)
	}
	return causeError(op, path, ErrIO, err)
}
