package parquet

import (
	"slices"
	"sync"

	"github.com/tarndb/tarn/storage/parquet/internal/compress"
)

// memories hands the memory of closed readers to new ones.
var memories = sync.Pool{New: func() any { return new(memory) }}

// memory is the large buffers of a reader.
type memory struct {
	free, used [][]byte // of chunks
	pages      [][]byte // of pages, each nil or free
}

// maxFree bounds the free buffers that are kept.
const maxFree = 64

// get gives n bytes with slack capacity behind them, from the smallest free
// buffer that has them.
func (m *memory) get(n int) []byte {
	best := -1
	for i, b := range m.free {
		if cap(b) >= n+compress.Slack && (best < 0 || cap(b) < cap(m.free[best])) {
			best = i
		}
	}
	if best < 0 {
		return make([]byte, n, n+n/8+compress.Slack)
	}
	b := m.free[best]
	m.free = slices.Delete(m.free, best, best+1)
	return b[:n]
}

func (m *memory) put(b []byte) {
	if cap(b) > 0 && len(m.free) < maxFree {
		m.free = append(m.free, b)
	}
}

// take is get until release.
func (m *memory) take(n int) []byte {
	b := m.get(n)
	m.used = append(m.used, b)
	return b
}

// release makes the chunks' buffers free again.
func (m *memory) release() {
	for _, b := range m.used {
		m.put(b)
	}
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
