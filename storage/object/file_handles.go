package object

import (
	"container/list"
	"errors"
	"os"
	"strings"
	"sync"
)

// handleCache keeps the most recently read data files open, since a reader of
// Parquet comes back to a file for its footer, indexes and pages.
type handleCache struct {
	limit int

	mu      sync.Mutex
	byPath  map[string]*list.Element // of *handle
	recent  *list.List               // most recently used first
	changes uint64                   // counts forget calls
}

// handle is an open file. Its fields but File are guarded by the cache's mu.
type handle struct {
	*os.File
	path  string
	users int
	kept  bool // whether the cache holds it
}

func newHandleCache(limit int) *handleCache {
	return &handleCache{limit: limit, byPath: map[string]*list.Element{}, recent: list.New()}
}

// acquire returns the open file of a path below a root directory; release must
// follow.
func (c *handleCache) acquire(root, path string) (*handle, error) {
	found, changes := c.find(path)
	if found != nil {
		return found, nil
	}
	local, err := localPath(root, path)
	if err != nil {
		return nil, err
	}
	file, err := os.Open(local)
	if err != nil {
		return nil, err
	}
	stat, err := file.Stat()
	if err == nil && stat.IsDir() {
		err = errIsDir
	}
	if err != nil {
		return nil, errors.Join(err, file.Close())
	}
	h := &handle{File: file, path: path, users: 1}
	if c.limit == 0 || !isImmutable(path) {
		return h, nil
	}
	if err := c.keep(h, changes); err != nil {
		return nil, errors.Join(err, c.release(h))
	}
	return h, nil
}

func (c *handleCache) find(path string) (*handle, uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	element, ok := c.byPath[path]
	if !ok {
		return nil, c.changes
	}
	c.recent.MoveToFront(element)
	h := element.Value.(*handle)
	h.users++
	return h, c.changes
}

// keep puts a handle into the cache, unless another reader was faster or an
// object was replaced or deleted since the handle's owner looked, in which case
// the file it opened may be the old one.
func (c *handleCache) keep(h *handle, changes uint64) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.byPath[h.path]; ok || changes != c.changes {
		return nil
	}
	h.kept = true
	c.byPath[h.path] = c.recent.PushFront(h)
	if c.recent.Len() > c.limit {
		return c.drop(c.recent.Back())
	}
	return nil
}

// release ends a use that acquire began.
func (c *handleCache) release(h *handle) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	h.users--
	return h.closeUnused()
}

// forget drops the file of a path, if it is kept.
func (c *handleCache) forget(path string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.changes++
	if element, ok := c.byPath[path]; ok {
		return c.drop(element)
	}
	return nil
}

// close drops all files.
func (c *handleCache) close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	var errs []error
	for c.recent.Len() > 0 {
		errs = append(errs, c.drop(c.recent.Back()))
	}
	return errors.Join(errs...)
}

// drop needs c.mu.
func (c *handleCache) drop(element *list.Element) error {
	h := c.recent.Remove(element).(*handle)
	delete(c.byPath, h.path)
	h.kept = false
	return h.closeUnused()
}

// closeUnused needs the cache's mu.
func (h *handle) closeUnused() error {
	if h.kept || h.users > 0 {
		return nil
	}
	return h.Close()
}

// isImmutable reports whether a path is that of a data file, which nobody
// replaces. The log of a Delta table and the metadata of an Iceberg table have
// files that are: _last_checkpoint, checksum files, version-hint.text.
func isImmutable(path string) bool {
	for element := range strings.SplitSeq(path, "/") {
		if element == "_delta_log" || element == "metadata" {
			return false
		}
	}
	return true
}
