package parquet

import (
	"time"

	"github.com/tarndb/tarn/storage/parquet/internal/compress"
)

const (
	// firstWindowBytes is how much of a column chunk is read at first; what
	// stops early, as LIMIT does, reads no more.
	firstWindowBytes = 512 << 10
	maxWindowBytes   = 16 << 20
	// slowRead is how long a read takes where it pays to ask for more at once.
	// Where reads cost only a copy, small windows stay in the processor's cache.
	slowRead = 4 * time.Millisecond
)

// window is the part of a column chunk that is in memory.
type window struct {
	data []byte // with slack behind it
	base int64  // place of data in the file
	end  int64  // where the chunk ends in the file
	// load reads at least n bytes; nil if data is all that there is.
	load func(at int64, n int) ([]byte, error)
}

// bytes gives n bytes of the file, or those up to the end of the chunk. They
// are valid until the next call.
func (w *window) bytes(at, n int64) ([]byte, error) {
	n = max(0, min(n, w.end-at))
	if at < w.base || at+n > w.base+int64(len(w.data)) {
		if w.load == nil {
			return nil, errRange
		}
		data, err := w.load(at, int(n))
		if err != nil {
			return nil, err
		}
		w.data, w.base = data, at
	}
	from := at - w.base
	return w.data[from : from+n], nil
}

// loadWindow gives p's next window; after a slow read, the one that follows is
// twice as long. What the two have in common is moved, not read again.
func (r *Reader) loadWindow(p *pages, at int64, n int) ([]byte, error) {
	size := max(n, min(p.windowBytes, int(p.win.end-at)))
	var common []byte
	if at >= p.win.base && at < p.win.base+int64(len(p.win.data)) {
		common = p.win.data[at-p.win.base:]
	}
	buf := p.windowBuf
	if cap(buf) < size+compress.Slack {
		buf = r.memory.get(size)
	}
	buf = buf[:size]
	have := copy(buf, common) // which may be further back in the same memory
	if cap(p.windowBuf) < size+compress.Slack {
		r.memory.put(p.windowBuf)
		p.windowBuf = buf
	}
	begin := time.Now()
	if err := r.file.readAt(r.ctx, at+int64(have), buf[have:]); err != nil {
		return nil, err
	}
	if time.Since(begin) > slowRead {
		p.windowBytes = min(2*p.windowBytes, maxWindowBytes)
	}
	r.metrics.BytesRead += int64(size - have)
	return buf, nil
}
