package object

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"iter"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/google/btree"
)

// Memory is a store in the process's memory. Its objects live as long as a
// handle to them.
type Memory struct {
	name    string
	objects *memoryObjects
	release func() // for a shared store, drops this handle's reference
	closed  atomic.Bool
}

// NewMemory returns an empty store of its own. The name only serves String; see
// [Open] for stores that are shared by name.
func NewMemory(name string) *Memory {
	return &Memory{name: name, objects: newMemoryObjects(), release: func() {}}
}

// memoryObjects is what the handles to one store share. Bodies are never
// changed, so they are read without the lock.
type memoryObjects struct {
	mu     sync.RWMutex
	byPath *btree.BTreeG[memoryObject] // guarded by mu
}

type memoryObject struct {
	path    string
	body    []byte
	modTime time.Time
}

func (o memoryObject) info() Info {
	return Info{Path: o.path, Size: int64(len(o.body)), ModTime: o.modTime}
}

func newMemoryObjects() *memoryObjects {
	less := func(a, b memoryObject) bool { return a.path < b.path }
	return &memoryObjects{byPath: btree.NewG(32, less)}
}

// String returns a memory URL.
func (m *Memory) String() string { return "memory://" + url.PathEscape(m.name) }

// Close gives this handle up; a shared store is gone with its last handle. All
// later calls fail.
func (m *Memory) Close() error {
	if !m.closed.Swap(true) {
		m.release()
	}
	return nil
}

// begin checks a call on an object.
func (m *Memory) begin(ctx context.Context, op Op, path string) error {
	if m.closed.Load() {
		return causeError(op, path, ErrIO, errDone)
	}
	return begin(ctx, op, path)
}

func (m *Memory) find(ctx context.Context, op Op, path string) (memoryObject, error) {
	if err := m.begin(ctx, op, path); err != nil {
		return memoryObject{}, err
	}
	m.objects.mu.RLock()
	defer m.objects.mu.RUnlock()
	found, ok := m.objects.byPath.Get(memoryObject{path: path})
	if !ok {
		return memoryObject{}, opError(op, path, ErrNotFound)
	}
	return found, nil
}

// Get implements Store.
func (m *Memory) Get(ctx context.Context, path string) ([]byte, error) {
	found, err := m.find(ctx, OpGet, path)
	if err != nil {
		return nil, err
	}
	return bytes.Clone(found.body), nil
}

// GetRange implements Store.
func (m *Memory) GetRange(ctx context.Context, path string, off int64, p []byte) (int, error) {
	found, err := m.find(ctx, OpGetRange, path)
	if err != nil {
		return 0, err
	}
	if off < 0 {
		return 0, opError(OpGetRange, path, fmt.Errorf("%w: negative offset %d", ErrIO, off))
	}
	var n int
	if off < int64(len(found.body)) {
		n = copy(p, found.body[off:])
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}

// Stat implements Store.
func (m *Memory) Stat(ctx context.Context, path string) (Info, error) {
	found, err := m.find(ctx, OpStat, path)
	if err != nil {
		return Info{}, err
	}
	return found.info(), nil
}

// Put implements Store.
func (m *Memory) Put(ctx context.Context, path string, body []byte) error {
	if err := m.begin(ctx, OpPut, path); err != nil {
		return err
	}
	m.objects.put(path, bytes.Clone(body))
	return nil
}

func (o *memoryObjects) put(path string, body []byte) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.byPath.ReplaceOrInsert(memoryObject{path: path, body: body, modTime: time.Now()})
}

// PutIfAbsent implements Store.
func (m *Memory) PutIfAbsent(ctx context.Context, path string, body []byte) error {
	if err := m.begin(ctx, OpPutIfAbsent, path); err != nil {
		return err
	}
	added := memoryObject{path: path, body: bytes.Clone(body), modTime: time.Now()}
	m.objects.mu.Lock()
	defer m.objects.mu.Unlock()
	if m.objects.byPath.Has(added) {
		return opError(OpPutIfAbsent, path, ErrExists)
	}
	m.objects.byPath.ReplaceOrInsert(added)
	return nil
}

// Delete implements Store.
func (m *Memory) Delete(ctx context.Context, path string) error {
	if err := m.begin(ctx, OpDelete, path); err != nil {
		return err
	}
	m.objects.mu.Lock()
	defer m.objects.mu.Unlock()
	m.objects.byPath.Delete(memoryObject{path: path})
	return nil
}

// listPage is how many objects a listing reads under the lock at a time.
const listPage = 1000

// ListFrom implements Store.
func (m *Memory) ListFrom(ctx context.Context, dir, start string) iter.Seq2[Info, error] {
	return m.list(ctx, OpListFrom, dir, start, m.objects.children)
}

// List implements Store.
func (m *Memory) List(ctx context.Context, dir string) iter.Seq2[Info, error] {
	return m.list(ctx, OpList, dir, "", m.objects.descendants)
}

// pager returns up to listPage objects below a prefix whose paths are from or
// follow it, and the path to go on from, "" at the end.
type pager func(prefix, from string) (page []Info, next string)

func (m *Memory) list(ctx context.Context, op Op, dir, start string, pages pager) iter.Seq2[Info, error] {
	return func(yield func(Info, error) bool) {
		if err := m.beginDir(ctx, op, dir); err != nil {
			yield(Info{}, err)
			return
		}
		prefix := joinPath(dir, "")
		for from := prefix + start; ; {
			page, next := pages(prefix, from)
			for _, info := range page {
				if err := ctx.Err(); err != nil {
					yield(Info{}, opError(op, dir, err))
					return
				}
				if !yield(info, nil) {
					return
				}
			}
			if next == "" {
				return
			}
			from = next
		}
	}
}

func (m *Memory) beginDir(ctx context.Context, op Op, dir string) error {
	if m.closed.Load() {
		return causeError(op, dir, ErrIO, errDone)
	}
	return beginDir(ctx, op, dir)
}

// descendants pages through all objects below a prefix.
func (o *memoryObjects) descendants(prefix, from string) (page []Info, next string) {
	o.mu.RLock()
	defer o.mu.RUnlock()
	o.byPath.AscendGreaterOrEqual(memoryObject{path: from}, func(found memoryObject) bool {
		switch {
		case !strings.HasPrefix(found.path, prefix):
			return false
		case len(page) == listPage:
			next = found.path
			return false
		}
		page = append(page, found.info())
		return true
	})
	return page, next
}

// children pages through the objects directly below a prefix. It steps over a
// subdirectory, however large, in one search.
func (o *memoryObjects) children(prefix, from string) (page []Info, next string) {
	o.mu.RLock()
	defer o.mu.RUnlock()
	for more := true; more; {
		more = false
		o.byPath.AscendGreaterOrEqual(memoryObject{path: from}, func(found memoryObject) bool {
			rest, ok := strings.CutPrefix(found.path, prefix)
			if !ok {
				return false
			}
			if name, _, isBelow := strings.Cut(rest, "/"); isBelow {
				from, more = afterDir(prefix+name), true
				return false
			}
			if len(page) == listPage {
				next = found.path
				return false
			}
			page = append(page, found.info())
			return true
		})
	}
	return page, next
}

// afterDir returns the least string that follows all paths below a directory.
func afterDir(dir string) string { return dir + string(rune('/'+1)) }

// ListDirs implements Store.
func (m *Memory) ListDirs(ctx context.Context, dir string) ([]string, error) {
	if err := m.beginDir(ctx, OpListDirs, dir); err != nil {
		return nil, err
	}
	prefix := joinPath(dir, "")
	var names []string
	m.objects.mu.RLock()
	defer m.objects.mu.RUnlock()
	for from, more := prefix, true; more; {
		more = false
		m.objects.byPath.AscendGreaterOrEqual(memoryObject{path: from}, func(found memoryObject) bool {
			rest, ok := strings.CutPrefix(found.path, prefix)
			if !ok {
				return false
			}
			if name, _, isBelow := strings.Cut(rest, "/"); isBelow {
				names = append(names, name)
				from, more = afterDir(prefix+name), true
				return false
			}
			return true
		})
	}
	slices.Sort(names) // the tree's order is that of paths, "a-b/" before "a/"
	return names, nil
}

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
