package delta

import (
	"context"
	"path"
	"sync"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/deletes"
	"github.com/tarndb/tarn/storage/internal/lru"
	"github.com/tarndb/tarn/storage/object"
	"github.com/tarndb/tarn/storage/parquet"
)

// engineName starts what commits say of the engine that made them.
const engineName = "tarn"

const (
	maxFooters         = 1024 // Parquet footers kept in memory
	maxDeletionVectors = 256
)

// Options configure a table. The zero value is good.
type Options struct {
	// EngineInfo is what commits say of the engine that made them, as
	// "tarn/1.0".
	EngineInfo string
}

// Table is a Delta table: a directory with a _delta_log. It is safe for
// concurrent use.
type Table struct {
	store   object.Store
	root    string // of the table in the store
	name    types.TableName
	options Options

	volumes object.Volumes // of files outside the table
	footers *lru.Cache[footerKey, *parquet.File]
	vectors *lru.Cache[fileKey, *deletes.PositionSet]

	// loading holds a token while the whole log is read, so that only one
	// goroutine does that.
	loading chan struct{}

	mu          sync.Mutex
	latest      *Snapshot                             // newest state seen, guarded by mu
	mayMake     bool                                  // the table need not exist yet, guarded by mu
	definitions map[*storage.TableDefinition]*defined // guarded by mu
}

var _ storage.Table = (*Table)(nil)

// footerKey identifies an immutable file.
type footerKey struct {
	path string
	size int64
}

// OpenTable gives a handle on the table in the directory root of a store. It
// does no I/O; a table that is not there is ErrTableNotFound when it is loaded.
func OpenTable(store object.Store, root string, name types.TableName, o Options) *Table {
	if o.EngineInfo == "" {
		o.EngineInfo = engineName
	}
	return &Table{store: store, root: root, name: name, options: o, loading: make(chan struct{}, 1),
		footers: lru.New[footerKey, *parquet.File](maxFooters), vectors: lru.New[fileKey, *deletes.PositionSet](maxDeletionVectors)}
}

// NewTable is OpenTable for a table that need not exist yet: until somebody
// has committed to it, LoadLatest gives an empty state of NoVersion.
func NewTable(store object.Store, root string, name types.TableName, o Options) *Table {
	t := OpenTable(store, root, name, o)
	t.mayMake = true
	return t
}

// Exists tells whether there is a Delta table in a directory: a log with a
// commit or a checkpoint in it.
func Exists(ctx context.Context, store object.Store, root string) (bool, error) {
	for info, err := range store.ListFrom(ctx, path.Join(root, LogDir), "0") {
		if err != nil {
			return false, err
		}
		if path.Base(info.Path) > ":" {
			break
		}
		if _, ok := parseLogFile(info); ok {
			return true, nil
		}
	}
	return false, nil
}

// Name implements storage.Table.
func (t *Table) Name() types.TableName { return t.name }
