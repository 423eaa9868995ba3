package object

import (
	"context"
	"slices"
)

// memoryWriter writes one object of a Memory store.
type memoryWriter struct {
	ctx   context.Context // that of Create, which governs the writer
	store *Memory
	path  string
	body  []byte
	done  bool
}

// Create implements Store.
func (m *Memory) Create(ctx context.Context, path string) (Writer, error) {
	if err := m.begin(ctx, OpCreate, path); err != nil {
		return nil, err
	}
	return &memoryWriter{ctx: ctx, store: m, path: path}, nil
}

func (w *memoryWriter) Write(p []byte) (int, error) {
	if err := w.usable(OpWrite); err != nil {
		return 0, err
	}
	w.body = append(w.body, p...)
	return len(p), nil
}

func (w *memoryWriter) usable(op Op) error {
	if w.done {
		return causeError(op, w.path, ErrIO, errDone)
	}
	return w.store.begin(w.ctx, op, w.path)
}

func (w *memoryWriter) Close() error {
	err := w.usable(OpClose)
	if err == nil {
		w.store.objects.put(w.path, slices.Clip(w.body))
	}
	w.body, w.done = nil, true
	return err
}

func (w *memoryWriter) Abort() error {
	w.body, w.done = nil, true
	return nil
}
