package delta

import (
	"container/list"
	"sync"
)

// cache keeps the values used last. It is safe for concurrent use.
type cache[K comparable, V any] struct {
	mu      sync.Mutex
	most    int
	entries map[K]*list.Element // guarded by mu
	order   *list.List          // of cacheEntry, used last first; guarded by mu
}

type cacheEntry[K comparable, V any] struct {
	key   K
	value V
}

func newCache[K comparable, V any](most int) *cache[K, V] {
	return &cache[K, V]{most: most, entries: map[K]*list.Element{}, order: list.New()}
}

// get gives a value or makes it. Two callers may make the same value at the
// same time; that of the later one stays.
func (c *cache[K, V]) get(key K, make func() (V, error)) (V, error) {
	c.mu.Lock()
	if e, ok := c.entries[key]; ok {
		c.order.MoveToFront(e)
		c.mu.Unlock()
		return e.Value.(cacheEntry[K, V]).value, nil
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
	c.entries[key] = c.order.PushFront(cacheEntry[K, V]{key, value})
	if c.order.Len() > c.most {
		oldest := c.order.Back()
		delete(c.entries, oldest.Value.(cacheEntry[K, V]).key)
		c.order.Remove(oldest)
	}
	return value, nil
}
