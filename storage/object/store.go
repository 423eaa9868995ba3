package object

import (
	"context"
	"io"
	"iter"
	"time"
)

// Store is a namespace of objects that are immutable by convention.
//
// Paths are slash-separated and relative to the store's root; see
// [ValidatePath]. All other bytes in them, percent signs among them, stand for
// themselves. A directory is what the paths have in common: it needs no making,
// and it is never an object. The root is the directory "".
//
// A Store is safe for concurrent use. Each call returns the context's error
// when the context has ended before it.
type Store interface {
	// Get reads a whole object, which the caller then owns.
	Get(ctx context.Context, path string) ([]byte, error)

	// GetRange fills p from the offset on, by the rules of io.ReaderAt: the
	// error is io.EOF itself when the object ends before p is full, nil when
	// p is full.
	GetRange(ctx context.Context, path string, off int64, p []byte) (int, error)

	// Stat describes an object without reading it.
	Stat(ctx context.Context, path string) (Info, error)

	// ListFrom yields the objects directly in dir whose name is start or
	// follows it, in byte order of their names. Directories are among them,
	// where their names with a slash belong, so that one in the place of an
	// object is not overlooked. A directory that doesn't exist is empty.
	// Iteration ends with the first error.
	ListFrom(ctx context.Context, dir, start string) iter.Seq2[Info, error]

	// List yields the objects below dir at any depth, in byte order of their
	// paths.
	List(ctx context.Context, dir string) iter.Seq2[Info, error]

	// ListDirs returns the names of the directories directly in dir, in byte
	// order. A store with real directories also names empty ones.
	ListDirs(ctx context.Context, dir string) ([]string, error)

	// Create starts an object that is written in pieces. The context governs
	// the writer too. The path should be a fresh one: what is there when the
	// writer is closed is replaced.
	Create(ctx context.Context, path string) (Writer, error)

	// Put writes an object and replaces the one that is there.
	Put(ctx context.Context, path string, body []byte) error

	// PutIfAbsent writes an object where there is none and returns ErrExists
	// where there is one.
	PutIfAbsent(ctx context.Context, path string, body []byte) error

	// Delete removes an object; it is no error when there is none.
	Delete(ctx context.Context, path string) error

	// String returns the store's URL without credentials.
	String() string
}

// Writer writes one object, which is invisible until Close. It is for one
// goroutine.
//
// Either Close or Abort must be called. Abort after Close does nothing, so it
// may be deferred. After a failed Write, Close fails too and nothing becomes
// visible.
type Writer interface {
	io.Writer

	// Close makes the object durable and visible.
	Close() error

	// Abort drops what was written.
	Abort() error
}

// Info describes an object or, in what ListFrom yields, a directory, of which
// only the path is known.
type Info struct {
	Path    string // from the store's root
	Size    int64  // in bytes
	ModTime time.Time
	IsDir   bool
}
