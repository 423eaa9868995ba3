package parquet

import (
	"slices"
	"sync"
)

// memories hands the memory of closed readers to new ones.
var memories = sync.Pool{New: func() any { return new(memory) }}

// memory is the large buffers of a reader.
type memory struct {
	free, used [][]byte // of chunks
	pages      [][]byte // of pages, each nil or free
}

// take gives n bytes with slack capacity behind them.
func (m *memory) take(n, slack int) []byte {
	best := -1
	for i, b := range m.free {
		if cap(b) >= n+slack && (best < 0 || cap(b) < cap(m.free[best])) {
			best = i
		}
	}
	var b []byte
	if best >= 0 {
		b = m.free[best]
		m.free = slices.Delete(m.free, best, best+1)
	} else {
		if len(m.free) > 0 { // one that is too small makes room
			m.free = m.free[:len(m.free)-1]
		}
		b = make([]byte, n+n/8+slack)
	}
	m.used = append(m.used, b)
	return b[:n]
}

// release makes the chunks' buffers free again.
func (m *memory) release() {
	m.free = append(m.free, m.used...)
	m.used = m.used[:0]
}

// pageBuffer gives a free buffer of any size; nil if there is none.
func (m *memory) pageBuffer() []byte {
	if len(m.pages) == 0 {
		return nil
	}
	b := m.pages[len(m.pages)-1]
	m.pages = m.pages[:len(m.pages)-1]
	return b
}
