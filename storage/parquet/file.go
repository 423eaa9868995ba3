package parquet

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/object"
	"github.com/tarndb/tarn/storage/parquet/internal/meta"
)

// OpenOptions configure Open. The zero value is good.
type OpenOptions struct {
	// TailBytes is how much of the file's end the first read asks for: enough
	// for most footers. 0 means 64 KiB.
	TailBytes int
	// FieldIDs gives the fields of a file whose footer has no field ids theirs, by
	// the names on the way to a field and the place of its column; 0 is none.
	// Elements, keys and values have those names.
	FieldIDs func(path []string, column int) types.FieldID
}

const (
	defaultTailBytes = 64 << 10
	trailerBytes     = 8 // footer length and magic
	maxFooterBytes   = 1 << 30
)

// File is the footer of a Parquet file. It never changes and is safe for
// concurrent use, so a caller may cache it.
type File struct {
	store  object.Store
	path   string
	size   int64
	footer *meta.FileMetaData
	fields []*shape
	leaves []*leaf
	groups []RowGroup
	rows   int64
	// assigned tells that the field ids are not the footer's.
	assigned bool
}

// RowGroup is a horizontal part of a file.
type RowGroup struct {
	Rows     int64
	FirstRow int64 // position of its first row in the file
	Start    int64 // byte range of its pages
	Length   int64
}

// Open reads the footer of the file at path. Size may be -1 if it is unknown.
// One read of the tail is all for most files. A path without an object is
// ErrDataFileMissing.
func Open(ctx context.Context, store object.Store, path string, size int64, o OpenOptions) (f *File, err error) {
	defer guard(path, &err)
	known := size >= 0
	if !known {
		if size, err = statSize(ctx, store, path); err != nil {
			return nil, err
		}
	}
	f = &File{store: store, path: path, size: size}
	err = f.open(ctx, o)
	if known && errors.Is(err, storage.ErrCorrupt) {
		// The size that the caller had from elsewhere may be wrong.
		actual, statErr := statSize(ctx, store, path)
		if statErr == nil && actual != size {
			f = &File{store: store, path: path, size: actual}
			err = f.open(ctx, o)
		}
	}
	if err != nil {
		return nil, err
	}
	return f, nil
}

func statSize(ctx context.Context, store object.Store, path string) (int64, error) {
	info, err := store.Stat(ctx, path)
	if err != nil {
		return 0, fileError(path, err)
	}
	return info.Size, nil
}

// fileError says which file a call on the store failed for.
func fileError(path string, err error) error {
	if errors.Is(err, object.ErrNotFound) {
		return fmt.Errorf("%w: %s: %w", storage.ErrDataFileMissing, path, err)
	}
	return fmt.Errorf("read %s: %w", path, err)
}

// readAt fills p; a file that ends sooner than it should is corrupt.
func (f *File) readAt(ctx context.Context, offset int64, p []byte) error {
	_, err := f.store.GetRange(ctx, f.path, offset, p)
	if err == io.EOF {
		return corrupt(f.path, offset, nil, "the file has no %d bytes there", len(p))
	}
	if err != nil {
		return fileError(f.path, err)
	}
	return nil
}

func (f *File) open(ctx context.Context, o OpenOptions) error {
	b, err := f.readFooter(ctx, o)
	if err != nil {
		return err
	}
	if f.footer, err = meta.ParseFileMetaData(b); err != nil {
		return corrupt(f.path, f.size-trailerBytes-int64(len(b)), err, "footer can't be read")
	}
	if f.footer.Encrypted {
		return unsupported(f.path, "encryption")
	}
	root, leaves, err := parseSchema(f.path, f.footer.Schema)
	if err != nil {
		return err
	}
	f.leaves = make([]*leaf, leaves)
	for _, e := range root.children {
		f.fields = append(f.fields, f.shapeField(e))
	}
	if o.FieldIDs != nil && !f.HasFieldIDs() {
		f.assignIDs(o.FieldIDs)
	}
	return f.checkRowGroups()
}

// readFooter reads the tail and, if it is longer than that, the whole footer.
func (f *File) readFooter(ctx context.Context, o OpenOptions) ([]byte, error) {
	if f.size < trailerBytes+4 {
		return nil, corrupt(f.path, 0, nil, "%d bytes are too few for a Parquet file", f.size)
	}
	tailBytes := int64(o.TailBytes)
	if tailBytes <= 0 {
		tailBytes = defaultTailBytes
	}
	tail := make([]byte, min(f.size, max(tailBytes, trailerBytes)))
	if err := f.readAt(ctx, f.size-int64(len(tail)), tail); err != nil {
		return nil, err
	}
	trailer := tail[len(tail)-trailerBytes:]
	if bytes.Equal(trailer[4:], []byte("PARE")) {
		return nil, unsupported(f.path, "footer encryption")
	}
	if !bytes.Equal(trailer[4:], []byte("PAR1")) {
		return nil, corrupt(f.path, f.size-4, nil, "it doesn't end in PAR1")
	}
	n := int64(binary.LittleEndian.Uint32(trailer))
	if n > min(f.size-trailerBytes-4, maxFooterBytes) {
		return nil, corrupt(f.path, f.size-trailerBytes, nil, "footer of %d bytes in a file of %d", n, f.size)
	}
	if n+trailerBytes <= int64(len(tail)) {
		return bytes.Clone(tail[int64(len(tail))-trailerBytes-n : len(tail)-trailerBytes]), nil
	}
	footer := make([]byte, n)
	return footer, f.readAt(ctx, f.size-trailerBytes-n, footer)
}

// checkRowGroups checks every chunk's place and gives the groups theirs.
func (f *File) checkRowGroups() error {
	first := int64(0)
	for i := range f.footer.RowGroups {
		g := &f.footer.RowGroups[i]
		if len(g.Columns) != len(f.leaves) || g.NumRows < 0 || first+g.NumRows < first {
			return corrupt(f.path, -1, nil, "row group %d has %d columns and %d rows; the schema has %d columns", i, len(g.Columns), g.NumRows, len(f.leaves))
		}
		group := RowGroup{Rows: g.NumRows, FirstRow: first, Start: f.size}
		end := int64(0)
		for c := range g.Columns {
			start, length, err := f.chunkRange(g, c)
			if err != nil {
				return err
			}
			group.Start, end = min(group.Start, start), max(end, start+length)
		}
		if group.Start > end { // no columns
			group.Start, end = 0, 0
		}
		group.Length = end - group.Start
		first += g.NumRows
		f.groups = append(f.groups, group)
	}
	f.rows = first
	if n := f.footer.NumRows; n != 0 && n != first { // some writers leave it at zero
		return corrupt(f.path, -1, nil, "row groups have %d rows, the footer tells of %d", first, n)
	}
	return nil
}

// chunkRange gives the bytes of a column chunk, which lie within the file.
func (f *File) chunkRange(g *meta.RowGroup, c int) (start, length int64, err error) {
	chunk := &g.Columns[c]
	switch {
	case chunk.Encrypted:
		return 0, 0, unsupported(f.path, "column encryption")
	case chunk.FilePath != "":
		return 0, 0, unsupported(f.path, "column chunks in other files")
	case !chunk.HasMetaData:
		return 0, 0, corrupt(f.path, -1, nil, "column chunk without metadata")
	}
	m := &chunk.MetaData
	start = m.DataPageOffset
	if m.DictionaryPageOffset > 0 && m.DictionaryPageOffset < start {
		start = m.DictionaryPageOffset
	}
	length = m.TotalCompressedSize
	if start < 0 || length < 0 || start > f.size || length > f.size-start {
		return 0, 0, corrupt(f.path, -1, nil, "column chunk of %d bytes at %d in a file of %d", length, start, f.size)
	}
	l := f.leaves[c]
	if len(m.Path) > 0 && !slices.Equal(m.Path, l.path) {
		return 0, 0, corrupt(f.path, start, nil, "column chunk is of %q, its column of %q", m.Path, l.path)
	}
	if l.maxDef == 0 && m.Statistics.NullCount > 0 {
		return 0, 0, corrupt(f.path, start, nil, "column chunk of the required column %q has %d NULLs", l.path, m.Statistics.NullCount)
	}
	if m.Type != l.physical {
		return 0, 0, corrupt(f.path, start, nil, "column chunk is of %s, its column of %s", m.Type, l.physical)
	}
	if m.NumValues < g.NumRows || l.maxRep == 0 && m.NumValues != g.NumRows {
		return 0, 0, corrupt(f.path, start, nil, "column chunk has %d values for %d rows", m.NumValues, g.NumRows)
	}
	return start, length, nil
}

// Path is the path that the file was opened by.
func (f *File) Path() string { return f.path }

// Schema gives the columns of the file, with the types that keep every value
// and the field ids of the footer.
func (f *File) Schema() types.Schema {
	out := types.Schema{Fields: make([]types.Field, len(f.fields))}
	for i, s := range f.fields {
		out.Fields[i] = s.field
	}
	return out
}

// HasFieldIDs reports whether the footer, or else OpenOptions.FieldIDs, gives
// any column a field id. Files that were written outside of a table often have
// none.
func (f *File) HasFieldIDs() bool {
	if f.assigned {
		return true
	}
	for i := range f.footer.Schema {
		if f.footer.Schema[i].HasFieldID {
			return true
		}
	}
	return false
}

// RowGroups lists the row groups in file order. The caller must not change it.
func (f *File) RowGroups() []RowGroup { return f.groups }

// Rows counts the rows.
func (f *File) Rows() int64 { return f.rows }

// Size is the length of the file in bytes.
func (f *File) Size() int64 { return f.size }
