package lru

import (
	"container/list"
	"sync"
)

// Cache keeps the values used last. It is safe for concurrent use.
type Cache[K comparable, V any] struct {
	mu      sync.Mutex
	most    int
	entries map[K]*list.Element // guarded by mu
	order   *list.List          // of entry, used last first; guarded by mu
}

type entry[K comparable, V any] struct {
	key   K
	value V
}

// New gives a cache of that many values at most.
func New[K comparable, V any](most int) *Cache[K, V] {
	return &Cache[K, V]{most: most, entries: map[K]*list.Element{}, order: list.New()}
}

// Get gives a value or makes it. Two callers may make the same value at the
// same time; that of the later one stays.
func (c *Cache[K, V]) Get(key K, make func() (V, error)) (V, error) {
	c.mu.Lock()
	if e, ok := c.entries[key]; ok {
		c.order.MoveToFront(e)
		c.mu.Unlock()
		return e.Value.(entry[K, V]).value, nil
	}
	c.mu.Unlock()
	value, err := make()
	if err != nil {
		return value, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.entries[key]; ok {
		c.order.Remove(e)
	}
	c.entries[key] = c.order.PushFront(entry[K, V]{key, value})
	if c.order.Len() > c.most {
		oldest := c.order.Back()
		delete(c.entries, oldest.Value.(entry[K, V]).key)
		c.order.Remove(oldest)
	}
	return value, nil
}
