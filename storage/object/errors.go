package object

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
)

var (
	// ErrNotFound says that there is no object at a path.
	ErrNotFound = errors.New("object not found")

	// ErrExists says that PutIfAbsent found an object at its path.
	ErrExists = errors.New("object already exists")

	// ErrIO says that the disk, the network or the service failed. The error
	// that wraps it wraps the cause too.
	ErrIO = errors.New("I/O error")

	// ErrInvalidPath says that a path or URL can't name what it should.
	ErrInvalidPath = errors.New("invalid path")

	// ErrUnknownScheme says that no store is registered for a URL's scheme.
	ErrUnknownScheme = errors.New("unknown store scheme")
)

// errDone is the cause of errors on a writer or store that was closed.
var errDone = fs.ErrClosed

// opError names the operation and the path of an error that already is a
// sentinel or the context's own.
func opError(op Op, path string, err error) error {
	return fmt.Errorf("%s %q: %w", op, path, err)
}

// causeError is opError for an error from below the store, which it puts under
// a sentinel. The context's errors stay what they are, since a cancelled call
// is not a broken disk.
func causeError(op Op, path string, sentinel, cause error) error {
	if errors.Is(cause, context.Canceled) || errors.Is(cause, context.DeadlineExceeded) {
		return opError(op, path, cause)
	}
	return fmt.Errorf("%s %q: %w: %w", op, path, sentinel, cause)
}

// begin holds the checks that every call on an object starts with.
func begin(ctx context.Context, op Op, path string) error {
	if err := beginDir(ctx, op, path); err != nil {
		return err
	}
	if path == "" {
		return opError(op, path, fmt.Errorf("%w: the root is a directory", ErrInvalidPath))
	}
	return nil
}

// beginDir holds the checks that every call on a directory starts with.
func beginDir(ctx context.Context, op Op, dir string) error {
	if err := ctx.Err(); err != nil {
		return opError(op, dir, err)
	}
	if err := ValidatePath(dir); err != nil {
		return opError(op, dir, err)
	}
	return nil
}
