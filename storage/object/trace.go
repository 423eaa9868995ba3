package object

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"sync"
)

// Call is one call that a [Trace] recorded.
type Call struct {
	Op     Op
	Path   string
	Start  string // of OpListFrom
	Offset int64  // of OpGetRange
	Bytes  int64  // read or written; OpClose and OpAbort have what the writer was given
	Err    error
}

// String returns the call as a line of a golden trace: the operation, the path,
// where it started, the bytes, and the error's kind.
func (c Call) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %q", c.Op, c.Path)
	switch c.Op {
	case OpListFrom:
		fmt.Fprintf(&b, " start=%q", c.Start)
	case OpGetRange:
		fmt.Fprintf(&b, " offset=%d", c.Offset)
	}
	switch c.Op {
	case OpGet, OpGetRange, OpClose, OpAbort, OpPut, OpPutIfAbsent:
		fmt.Fprintf(&b, " bytes=%d", c.Bytes)
	}
	if c.Err != nil {
		fmt.Fprintf(&b, " error=%q", errorKind(c.Err))
	}
	return b.String()
}

// errorKind returns what an error is about, without the text of the cause,
// which differs by platform.
func errorKind(err error) string {
	kinds := []error{context.Canceled, context.DeadlineExceeded, io.EOF,
		ErrNotFound, ErrExists, ErrInvalidPath, ErrIO}
	for _, kind := range kinds {
		if errors.Is(err, kind) {
			return kind.Error()
		}
	}
	return err.Error()
}

// Trace passes calls on to a store and records them in the order in which they
// began. A listing counts when it is iterated; the pieces written to a Writer
// are summed up in its Close or Abort, since how many there are says nothing.
type Trace struct {
	store Store

	mu    sync.Mutex
	calls []*Call // guarded by mu, as are the calls' results
}

// NewTrace returns a recorder of the calls to a store.
func NewTrace(store Store) *Trace { return &Trace{store: store} }

// Calls returns the calls so far.
func (t *Trace) Calls() []Call {
	t.mu.Lock()
	defer t.mu.Unlock()
	calls := make([]Call, len(t.calls))
	for i, call := range t.calls {
		calls[i] = *call
	}
	return calls
}

// Reset forgets the calls so far.
func (t *Trace) Reset() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.calls = nil
}

// Text returns the calls so far, one a line.
func (t *Trace) Text() string {
	var b strings.Builder
	for _, call := range t.Calls() {
		b.WriteString(call.String())
		b.WriteByte('\n')
	}
	return b.String()
}

// begin records a call; end adds its result.
func (t *Trace) begin(call Call) (end func(bytes int64, err error)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	recorded := &call
	t.calls = append(t.calls, recorded)
	return func(bytes int64, err error) {
		t.mu.Lock()
		defer t.mu.Unlock()
		recorded.Bytes, recorded.Err = bytes, err
	}
}

// String returns the URL of the store below.
func (t *Trace) String() string { return t.store.String() }

// Close closes the store below, if it needs that.
func (t *Trace) Close() error { return closeStore(t.store) }

func closeStore(store Store) error {
	if closer, ok := store.(io.Closer); ok {
		return closer.Close()
	}
	return nil
}

// Get implements Store.
func (t *Trace) Get(ctx context.Context, path string) ([]byte, error) {
	end := t.begin(Call{Op: OpGet, Path: path})
	body, err := t.store.Get(ctx, path)
	end(int64(len(body)), err)
	return body, err
}

// GetRange implements Store.
func (t *Trace) GetRange(ctx context.Context, path string, off int64, p []byte) (int, error) {
	end := t.begin(Call{Op: OpGetRange, Path: path, Offset: off})
	n, err := t.store.GetRange(ctx, path, off, p)
	end(int64(n), err)
	return n, err
}

// Stat implements Store.
func (t *Trace) Stat(ctx context.Context, path string) (Info, error) {
	end := t.begin(Call{Op: OpStat, Path: path})
	info, err := t.store.Stat(ctx, path)
	end(0, err)
	return info, err
}

// ListFrom implements Store.
func (t *Trace) ListFrom(ctx context.Context, dir, start string) iter.Seq2[Info, error] {
	return t.list(Call{Op: OpListFrom, Path: dir, Start: start}, t.store.ListFrom(ctx, dir, start))
}

// List implements Store.
func (t *Trace) List(ctx context.Context, dir string) iter.Seq2[Info, error] {
	return t.list(Call{Op: OpList, Path: dir}, t.store.List(ctx, dir))
}

func (t *Trace) list(call Call, below iter.Seq2[Info, error]) iter.Seq2[Info, error] {
	return func(yield func(Info, error) bool) {
		end := t.begin(call)
		for info, err := range below {
			if err != nil {
				end(0, err)
			}
			if !yield(info, err) {
				return
			}
		}
	}
}

// ListDirs implements Store.
func (t *Trace) ListDirs(ctx context.Context, dir string) ([]string, error) {
	end := t.begin(Call{Op: OpListDirs, Path: dir})
	names, err := t.store.ListDirs(ctx, dir)
	end(0, err)
	return names, err
}

// Put implements Store.
func (t *Trace) Put(ctx context.Context, path string, body []byte) error {
	end := t.begin(Call{Op: OpPut, Path: path})
	err := t.store.Put(ctx, path, body)
	end(int64(len(body)), err)
	return err
}

// PutIfAbsent implements Store.
func (t *Trace) PutIfAbsent(ctx context.Context, path string, body []byte) error {
	end := t.begin(Call{Op: OpPutIfAbsent, Path: path})
	err := t.store.PutIfAbsent(ctx, path, body)
	end(int64(len(body)), err)
	return err
}

// Delete implements Store.
func (t *Trace) Delete(ctx context.Context, path string) error {
	end := t.begin(Call{Op: OpDelete, Path: path})
	err := t.store.Delete(ctx, path)
	end(0, err)
	return err
}

// Create implements Store.
func (t *Trace) Create(ctx context.Context, path string) (Writer, error) {
	end := t.begin(Call{Op: OpCreate, Path: path})
	w, err := t.store.Create(ctx, path)
	end(0, err)
	if err != nil {
		return nil, err
	}
	return &traceWriter{trace: t, path: path, below: w}, nil
}

type traceWriter struct {
	trace *Trace
	path  string
	below Writer
	bytes int64
	done  bool
}

func (w *traceWriter) Write(p []byte) (int, error) {
	n, err := w.below.Write(p)
	w.bytes += int64(n)
	return n, err
}

func (w *traceWriter) Close() error { return w.finish(OpClose, w.below.Close) }

// Abort is recorded only where it has something to do.
func (w *traceWriter) Abort() error {
	if w.done {
		return w.below.Abort()
	}
	return w.finish(OpAbort, w.below.Abort)
}

func (w *traceWriter) finish(op Op, below func() error) error {
	w.done = true
	end := w.trace.begin(Call{Op: op, Path: w.path})
	err := below()
	end(w.bytes, err)
	return err
}
