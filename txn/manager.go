package txn

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"sync"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/storage"
)

// Options configure a Manager.
type Options struct {
	Isolation     storage.Isolation // of transactions that ask for no level
	CommitRetries int               // attempts after the first one; 0 for 100
	Write         storage.WriteOptions
	Logger        *slog.Logger // nil for slog.Default
}

// Manager begins transactions on the tables of a catalog and keeps the handles
// of tables, which hold their loaded snapshots.
type Manager struct {
	catalog storage.Catalog
	options Options

	mu     sync.Mutex // guards tables
	tables map[string]storage.Table
}

// NewManager gives a manager of a catalog's tables.
func NewManager(catalog storage.Catalog, o Options) *Manager {
	if o.CommitRetries == 0 {
		o.CommitRetries = 100
	}
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	return &Manager{catalog: catalog, options: o, tables: map[string]storage.Table{}}
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

func key(name types.TableName) string { return strings.ToLower(name.String()) }

// load finds a table and its newest snapshot.
func (m *Manager) load(ctx context.Context, name types.TableName) (storage.Table, storage.Snapshot, error) {
	table, err := m.table(ctx, name)
	if err != nil {
		return nil, nil, err
	}
	snapshot, err := table.LoadLatest(ctx)
	if errors.Is(err, storage.ErrTableNotFound) {
		m.forget(name)
	}
	return table, snapshot, err
}

// table gives the shared handle of a table.
func (m *Manager) table(ctx context.Context, name types.TableName) (storage.Table, error) {
	m.mu.Lock()
	table, ok := m.tables[key(name)]
	m.mu.Unlock()
	if ok {
		return table, nil
	}
	table, err := m.catalog.LoadTable(ctx, name)
	if err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if other, ok := m.tables[key(name)]; ok {
		return other, nil
	}
	m.tables[key(name)] = table
	return table, nil
}

// forget drops the handle of a table that is gone.
func (m *Manager) forget(name types.TableName) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.tables, key(name))
}
