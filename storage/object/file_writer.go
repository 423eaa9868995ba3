package object

import (
	"context"
	"errors"
)

// fileWriter writes one object of a FileStore.
type fileWriter struct {
	ctx   context.Context // that of Create, which governs the writer
	store *FileStore
	path  string
	file  *staged // nil once closed or aborted
	err   error   // of the first failed Write
}

// Create implements Store.
func (f *FileStore) Create(ctx context.Context, path string) (Writer, error) {
	local, err := f.begin(ctx, OpCreate, path)
	if err != nil {
		return nil, err
	}
	s, err := f.newStaged(local)
	if err != nil {
		return nil, causeError(OpCreate, path, ErrIO, err)
	}
	return &fileWriter{ctx: ctx, store: f, path: path, file: s}, nil
}

func (w *fileWriter) Write(p []byte) (int, error) {
	if err := w.usable(OpWrite); err != nil {
		return 0, err
	}
	n, err := w.file.file.Write(p)
	if err != nil {
		w.err = causeError(OpWrite, w.path, ErrIO, err)
	}
	return n, w.err
}

// usable returns the error that keeps the writer from going on.
func (w *fileWriter) usable(op Op) error {
	if w.file == nil {
		return causeError(op, w.path, ErrIO, errDone)
	}
	if w.err == nil && w.ctx.Err() != nil {
		w.err = opError(op, w.path, w.ctx.Err())
	}
	return w.err
}

func (w *fileWriter) Close() error {
	err := w.usable(OpClose)
	if w.file == nil {
		return err
	}
	file := w.file
	w.file = nil
	if err != nil {
		return errors.Join(err, file.discard())
	}
	if err := file.syncAndClose(); err != nil {
		return causeError(OpClose, w.path, ErrIO, errors.Join(err, file.discard()))
	}
	if err := w.store.replace(file, w.path); err != nil {
		return causeError(OpClose, w.path, ErrIO, err)
	}
	return nil
}

func (w *fileWriter) Abort() error {
	if w.file == nil {
		return nil
	}
	file := w.file
	w.file = nil
	if err := file.discard(); err != nil {
		return causeError(OpAbort, w.path, ErrIO, err)
	}
	return nil
}
