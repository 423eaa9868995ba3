package iceberg

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/deletes"
	"github.com/tarndb/tarn/storage/internal/lru"
	"github.com/tarndb/tarn/storage/object"
	"github.com/tarndb/tarn/storage/parquet"
)

const (
	maxFooters       = 1024 // Parquet footers kept in memory
	maxManifests     = 4096
	maxPositionFiles = 256 // position delete files and deletion vectors
)

// Options configure a table. The zero value is good.
type Options struct {
	// Metadata tells which metadata file is the current one; nil for a table
	// whose metadata files are numbered. See MetadataFile. With a catalog's Pointer
	// the table is where its metadata says.
	Metadata Pointer
	// Branch is the branch that the table's latest state is on, and that commits
	// go to; empty for main.
	Branch string
	// CreatedBy is the engine that snapshots name.
	CreatedBy string
}

// Table is an Iceberg table. It is safe for concurrent use.
type Table struct {
	store   object.Store
	root    string // of the table in the store
	name    types.TableName
	pointer Pointer
	branch  string
	engine  string
	// relocates tells that files are looked for in the directory that the table was
	// opened in, wherever the metadata says that the table is.
	relocates bool

	volumes   object.Volumes
	footers   *lru.Cache[footerKey, *parquet.File]
	manifests *lru.Cache[string, []*ContentFile]
	positions *lru.Cache[string, map[string]*deletes.PositionSet] // by delete file, by data file
	vectors   *lru.Cache[vectorKey, *deletes.PositionSet]

	mu          sync.Mutex
	latest      *state                                      // guarded by mu
	mayMake     bool                                        // the table need not exist yet
	definitions map[*storage.TableDefinition]*TableMetadata // guarded by mu
}

// state is a metadata file that was read, with the latest snapshot that it tells of.
type state struct {
	location string
	metadata *TableMetadata
	latest   *Snapshot
}

// OpenTable gives a handle on the table in the directory root of a store. It
// does no I/O; a table that is not there is ErrTableNotFound when it is loaded.
func OpenTable(store object.Store, root string, name types.TableName, o Options) *Table {
	t := &Table{store: store, root: root, name: name, pointer: o.Metadata, branch: cmp.Or(o.Branch, MainBranch), engine: cmp.Or(o.CreatedBy, "tarn"),
		footers: lru.New[footerKey, *parquet.File](maxFooters), manifests: lru.New[string, []*ContentFile](maxManifests),
		positions: lru.New[string, map[string]*deletes.PositionSet](maxPositionFiles), vectors: lru.New[vectorKey, *deletes.PositionSet](maxPositionFiles)}
	switch t.pointer.(type) {
	case nil:
		t.pointer, t.relocates = directory{t}, true
	case file:
		t.relocates = true
	}
	return t
}

// NewTable is OpenTable for a table that need not exist yet: until somebody has
// committed to it, LoadLatest gives an empty state of NoVersion.
func NewTable(store object.Store, root string, name types.TableName, o Options) *Table {
	t := OpenTable(store, root, name, o)
	t.mayMake = true
	return t
}

// MetadataFile is the Pointer of a table that is read as one of its metadata
// files says, relative to the table's directory.
func MetadataFile(relative string) Pointer { return file(relative) }

// Name implements storage.Table.
func (t *Table) Name() types.TableName { return t.name }

// load reads the current metadata, unless it is known.
func (t *Table) load(ctx context.Context) (*state, error) {
	location, err := t.pointer.Current(ctx)
	if err != nil {
		return nil, err
	}
	t.mu.Lock()
	known := t.latest
	t.mu.Unlock()
	if known != nil && known.location == location {
		return known, nil
	}
	m, err := t.readMetadata(ctx, location)
	if err != nil {
		return nil, err
	}
	s := &state{location: location, metadata: m}
	s.latest = t.newSnapshot(s, t.head(m), m.schema(m.CurrentSchemaID))
	t.mu.Lock()
	defer t.mu.Unlock()
	t.latest = s
	return s, nil
}

func (t *Table) readMetadata(ctx context.Context, location string) (*TableMetadata, error) {
	store, p, err := t.locate(location)
	if err != nil {
		return nil, err
	}
	body, err := store.Get(ctx, p)
	if errors.Is(err, object.ErrNotFound) {
		return nil, fmt.Errorf("%w: %s: its metadata file %s is missing", storage.ErrTableNotFound, t.name, p)
	}
	if err != nil {
		return nil, err
	}
	m, err := ParseTableMetadata(body)
	return m, t.blame(p, "metadata file can't be understood", err)
}

// blame makes an error of bytes that can't be understood one that names the
// file, and gives refusals the table's name.
func (t *Table) blame(path, reason string, err error) error {
	var refused *storage.UnsupportedFeature
	switch {
	case err == nil:
		return nil
	case errors.As(err, &refused):
		named := *refused
		named.Table = t.name.String()
		return &named
	}
	return &storage.CorruptTable{Path: path, Offset: -1, Reason: reason, Cause: err}
}

// get reads a file that metadata names.
func (t *Table) get(ctx context.Context, m *TableMetadata, location string) ([]byte, string, error) {
	store, p, err := t.resolve(m, location)
	if err != nil {
		return nil, "", err
	}
	body, err := store.Get(ctx, p)
	if errors.Is(err, object.ErrNotFound) {
		return nil, p, &storage.CorruptTable{Path: p, Offset: -1, Reason: "a file that the metadata names is missing", Cause: err}
	}
	return body, p, err
}
