package txn

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"strings"
	"sync"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/storage"
)

// Options configure a Manager.
type Options struct {
	Isolation     storage.Isolation // of transactions that ask for no level
	CommitRetries int               // attempts after the first one; 0 for 100
	// TargetFileSizeBytes is the size at which files roll; 0 for the table's.
	TargetFileSizeBytes int64
	Logger              *slog.Logger // nil for slog.Default
}

// Manager begins transactions on the tables of a catalog and keeps the handles
// of tables, which hold their loaded snapshots.
type Manager struct {
	catalog storage.Catalog
	options Options

	mu      sync.Mutex // guards the maps
	tables  map[string]storage.Table
	spelled map[string]types.TableName // names that differ in case from the table's
}

// NewManager gives a manager of a catalog's tables.
func NewManager(catalog storage.Catalog, o Options) *Manager {
	if o.CommitRetries == 0 {
		o.CommitRetries = 100
	}
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	return &Manager{catalog: catalog, options: o, tables: map[string]storage.Table{}, spelled: map[string]types.TableName{}}
}

// TxOptions are what a transaction is begun with.
type TxOptions struct {
	ReadOnly  bool
	Isolation *storage.Isolation // nil for the manager's
}

// Begin starts a transaction. It does no I/O.
func (m *Manager) Begin(o TxOptions) *Tx {
	isolation := m.options.Isolation
	if o.Isolation != nil {
		isolation = *o.Isolation
	}
	return &Tx{manager: m, readOnly: o.ReadOnly, isolation: isolation, tables: map[string]*tableState{}}
}

func key(name types.TableName) string { return name.String() }

// table gives the shared handle of a table. Case does not count in its name,
// unless there are several tables that differ in nothing else.
func (m *Manager) table(ctx context.Context, name types.TableName) (storage.Table, error) {
	m.mu.Lock()
	if other, ok := m.spelled[key(name)]; ok {
		name = other
	}
	table, ok := m.tables[key(name)]
	m.mu.Unlock()
	if ok {
		return table, nil
	}
	table, err := m.catalog.LoadTable(ctx, name)
	if errors.Is(err, storage.ErrTableNotFound) {
		return m.respelled(ctx, name, err)
	}
	if err != nil {
		return nil, err
	}
	return m.share(name, table), nil
}

// respelled finds a table whose name differs from name in case only; notFound
// is the answer if there is none.
func (m *Manager) respelled(ctx context.Context, name types.TableName, notFound error) (storage.Table, error) {
	if name.IsPath() {
		return nil, notFound
	}
	schema := name.Schema
	if name.Catalog != "" {
		schema = name.Catalog + "." + schema
	}
	tables, err := m.catalog.ListTables(ctx, schema)
	if err != nil {
		return nil, notFound
	}
	other := name
	matches := 0
	for _, t := range tables {
		if strings.EqualFold(t.Name, name.Name) {
			other.Name = t.Name
			matches++
		}
	}
	if matches != 1 || other.Name == name.Name {
		return nil, notFound
	}
	table, err := m.catalog.LoadTable(ctx, other)
	if err != nil {
		return nil, err
	}
	m.mu.Lock()
	m.spelled[key(name)] = other
	m.mu.Unlock()
	return m.share(other, table), nil
}

// share keeps a table's handle, unless another goroutine did so first.
func (m *Manager) share(name types.TableName, table storage.Table) storage.Table {
	m.mu.Lock()
	defer m.mu.Unlock()
	if other, ok := m.tables[key(name)]; ok {
		return other
	}
	m.tables[key(name)] = table
	return table
}

// load finds a table and its newest snapshot. A handle whose table is gone is
// dropped, and the table is looked for again: it may have been made anew.
func (m *Manager) load(ctx context.Context, name types.TableName) (storage.Table, storage.Snapshot, error) {
	for try := 0; ; try++ {
		table, err := m.table(ctx, name)
		if err != nil {
			return nil, nil, err
		}
		snapshot, err := m.latest(ctx, table)
		if try > 0 || !errors.Is(err, storage.ErrTableNotFound) {
			return table, snapshot, err
		}
	}
}

// latest loads the newest snapshot of a table.
func (m *Manager) latest(ctx context.Context, table storage.Table) (storage.Snapshot, error) {
	snapshot, err := table.LoadLatest(ctx)
	if errors.Is(err, storage.ErrTableNotFound) {
		m.forget(table.Name())
	}
	return snapshot, err
}

// forget drops the handles of a table that is gone, which may be known by several
// names.
func (m *Manager) forget(name types.TableName) {
	m.mu.Lock()
	defer m.mu.Unlock()
	maps.DeleteFunc(m.tables, func(_ string, t storage.Table) bool { return t.Name() == name })
	clear(m.spelled)
}
