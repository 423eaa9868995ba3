package exec

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
)

// spillDirs are the directories that hold this process's temporary files, one
// in each temp_dir in use. A directory is made with its first file and removed
// with its last. A file is unlinked when it is made, where the system allows
// that, so a killed process leaves an empty directory behind.
var spillDirs = struct {
	mu   sync.Mutex // guards used and what is in it
	used map[string]*spillDir
}{used: map[string]*spillDir{}}

type spillDir struct {
	path  string
	files int
}

// takeSpillDir gives the process's directory in tempDir.
func takeSpillDir(tempDir string) (string, error) {
	if tempDir == "" {
		tempDir = os.TempDir()
	}
	spillDirs.mu.Lock()
	defer spillDirs.mu.Unlock()
	d := spillDirs.used[tempDir]
	if d == nil {
		path, err := os.MkdirTemp(tempDir, fmt.Sprintf("tarn-%d-", os.Getpid()))
		if err != nil {
			return "", err
		}
		d = &spillDir{path: path}
		spillDirs.used[tempDir] = d
	}
	d.files++
	return d.path, nil
}

// leaveSpillDir is called for each takeSpillDir once its file is gone.
func leaveSpillDir(path string) {
	spillDirs.mu.Lock()
	defer spillDirs.mu.Unlock()
	for tempDir, d := range spillDirs.used {
		if d.path != path {
			continue
		}
		if d.files--; d.files == 0 {
			_ = os.RemoveAll(path) // what can't be removed is as harmless as after a kill
			delete(spillDirs.used, tempDir)
		}
	}
}

// spillFile is a temporary file of blocks. Several goroutines may append to it
// and read from it.
type spillFile struct {
	memory *nodeMemory
	dir    string
	file   *os.File
	end    atomic.Int64
	once   sync.Once
}

// newSpillFile makes a temporary file for a node's operators. It is removed at
// the statement's end or before.
func (m *nodeMemory) newSpillFile() (*spillFile, error) {
	s := m.statement
	dir, err := takeSpillDir(s.tempDir)
	if err != nil {
		return nil, spillError("make a directory in temp_dir", err)
	}
	file, err := os.CreateTemp(dir, "spill-")
	if err != nil {
		leaveSpillDir(dir)
		return nil, spillError("make a file", err)
	}
	_ = os.Remove(file.Name()) // some systems remove it only when it was closed
	f := &spillFile{memory: m, dir: dir, file: file}
	m.files.Add(1)
	s.mu.Lock()
	s.files[f] = true
	s.mu.Unlock()
	return f, nil
}

// spillError is an error about temporary files.
func spillError(what string, err error) error {
	return fmt.Errorf("%w: the statement needs temporary files because of memory_limit, but failed to %s: %w; see the options temp_dir and memory_limit", storage.ErrIO, what, err)
}

// remove closes the file, which frees its space.
func (f *spillFile) remove() {
	f.once.Do(func() {
		_ = f.file.Close()
		_ = os.Remove(f.file.Name())
		leaveSpillDir(f.dir)
	})
}

// drop is remove before the statement's end.
func (f *spillFile) drop() {
	if f == nil {
		return
	}
	s := f.memory.statement
	s.mu.Lock()
	delete(s.files, f)
	s.mu.Unlock()
	f.remove()
}

// extent is the place of a block, in its file or in memory.
type extent struct {
	file   *spillFile
	offset int64
	bytes  int64
	kept   []uint64 // nil for a block in a file
}

// blockSink is where blocks are written.
type blockSink interface {
	append(block []byte) (extent, error)
}

// blockStore keeps blocks in memory while there is room, and those that come
// after it in a temporary file. One goroutine appends to it.
type blockStore struct {
	memory *nodeMemory
	file   *spillFile // nil as long as there is room
}

func (s *blockStore) append(block []byte) (extent, error) {
	if n := int64(len(block)); s.memory.reserveBlock(n) {
		kept := bytes.Clone(block) // aligned to words, as all but the smallest allocations are
		return extent{bytes: n, kept: unsafe.Slice((*uint64)(unsafe.Pointer(&kept[0])), n/wordBytes)}, nil
	}
	if s.file == nil {
		var err error
		if s.file, err = s.memory.newSpillFile(); err != nil {
			return extent{}, err
		}
	}
	return s.file.append(block)
}

// release gives back the memory of the blocks that are in memory.
func (s *spilledRows) release(memory *nodeMemory) {
	for i := range s.blocks {
		if e := &s.blocks[i]; e.kept != nil {
			memory.release(e.bytes)
			e.kept = nil
		}
	}
}

func (f *spillFile) append(block []byte) (extent, error) {
	n := int64(len(block))
	e := extent{file: f, offset: f.end.Add(n) - n, bytes: n}
	if _, err := f.file.WriteAt(sealBlock(block), e.offset); err != nil {
		return e, spillError("write to "+filepath.Dir(f.dir), err)
	}
	f.memory.spilled.Add(n)
	return e, nil
}

// spilledRows are rows in blocks.
type spilledRows struct {
	types  []types.Type
	blocks []extent
	rows   int64
	bytes  int64
}

// add appends the rows of another, of the same types.
func (s *spilledRows) add(other spilledRows) {
	s.blocks = append(s.blocks, other.blocks...)
	s.rows += other.rows
	s.bytes += other.bytes
}

// reader gives the rows in the order in which they were written.
func (s *spilledRows) reader() *spillReader { return &spillReader{rows: s} }

// spillReader reads spilled rows. A batch's memory is used again for the next.
type spillReader struct {
	rows  *spilledRows
	at    int
	block []uint64
}

func (r *spillReader) next(ctx context.Context) (*vector.Batch, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if r.at == len(r.rows.blocks) {
		return nil, io.EOF
	}
	e := r.rows.blocks[r.at]
	r.at++
	if e.kept != nil {
		return unpackBlock(e.kept, r.rows.types)
	}
	words := int(e.bytes / wordBytes)
	if cap(r.block) < words {
		r.block = make([]uint64, words)
	}
	r.block = r.block[:words]
	if _, err := e.file.file.ReadAt(bytesOf(r.block), e.offset); err != nil {
		return nil, spillError("read from "+filepath.Dir(e.file.dir), err)
	}
	b, err := readBlock(r.block, r.rows.types)
	if err != nil {
		return nil, spillError("read from "+filepath.Dir(e.file.dir), err)
	}
	return b, nil
}

func (r *spillReader) close() error { return nil }

// A block is written when it has so many rows or bytes.
const (
	blockRows  = vector.BatchRows
	blockBytes = 256 << 10
)

// spillWriter writes rows as blocks; it is used by one goroutine.
type spillWriter struct {
	file    blockSink
	written spilledRows
	buffer  *vector.Collector
	block   *[]byte // scratch, which writers of one goroutine may share
}

func newSpillWriter(file blockSink, columns []types.Type, block *[]byte) *spillWriter {
	return &spillWriter{file: file, written: spilledRows{types: columns}, buffer: vector.NewCollector(columns), block: block}
}

// write adds the selected rows of a batch.
func (w *spillWriter) write(b *vector.Batch) error {
	if b.Rows() == 0 {
		return nil
	}
	if err := w.buffer.Append(b); err != nil {
		return err
	}
	if w.buffer.Rows() >= blockRows || w.buffer.SizeBytes() >= blockBytes {
		return w.flush()
	}
	return nil
}

// flush writes what write has gathered.
func (w *spillWriter) flush() error {
	if w.buffer.Rows() == 0 {
		return nil
	}
	err := w.writeBlock(w.buffer.Batch())
	w.buffer.Reset()
	return err
}

// writeBlock writes a batch as a block of its own.
func (w *spillWriter) writeBlock(b *vector.Batch) error {
	*w.block = appendBlock((*w.block)[:0], b)
	e, err := w.file.append(*w.block)
	if err != nil {
		return err
	}
	w.written.blocks = append(w.written.blocks, e)
	w.written.rows += int64(b.Rows())
	w.written.bytes += e.bytes
	return nil
}

// finish gives what was written.
func (w *spillWriter) finish() (spilledRows, error) {
	err := w.flush()
	w.buffer = nil
	return w.written, err
}

// partitionWriter spreads rows over partitions by a hash; it is used by one
// goroutine.
type partitionWriter struct {
	writers []*spillWriter
	sels    []vector.Selection
	block   []byte
}

// spillPartitions is how many partitions rows are spread over at once.
const spillPartitions = 32

func newPartitionWriter(file blockSink, columns []types.Type) *partitionWriter {
	p := &partitionWriter{writers: make([]*spillWriter, spillPartitions), sels: make([]vector.Selection, spillPartitions)}
	for i := range p.writers {
		p.writers[i] = newSpillWriter(file, columns, &p.block)
		p.sels[i] = vector.Selection{} // nil would be all rows
	}
	return p
}

// write adds the selected rows of a batch; hashes are by position.
func (p *partitionWriter) write(b *vector.Batch, hashes []uint64) error {
	for i := range p.sels {
		p.sels[i] = p.sels[i][:0]
	}
	eachRow(b.Sel, b.Len, func(_, i int) {
		to := partitionOf(hashes[i])
		p.sels[to] = append(p.sels[to], int32(i))
	})
	for i, sel := range p.sels {
		if err := p.writers[i].write(&vector.Batch{Columns: b.Columns, Len: b.Len, Sel: sel}); err != nil {
			return err
		}
	}
	return nil
}

// finish adds what was written to the partitions.
func (p *partitionWriter) finish(to []spilledRows) error {
	var errs []error
	for i, w := range p.writers {
		written, err := w.finish()
		errs = append(errs, err)
		to[i].types = written.types
		to[i].add(written)
	}
	return errors.Join(errs...)
}

func partitionOf(hash uint64) int { return int(hash >> 59) } // spillPartitions is 1<<5

// hashOfPartition is a hash of which partitionOf is the partition.
func hashOfPartition(partition uint8) uint64 { return uint64(partition) << 59 }
