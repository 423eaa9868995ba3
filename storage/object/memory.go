package object

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/url"
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
