package catalog

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/tarndb/tarn/storage"
)

// Identifier names a table of a metastore.
type Identifier struct {
	Namespace string // its levels, with dots between them
	Name      string
}

// String gives the whole name.
func (i Identifier) String() string { return i.Namespace + "." + i.Name }

// Change moves a table's pointer from one metadata file to another.
type Change struct {
	Table Identifier
	From  string // empty for a table that does not exist yet
	To    string // empty for a table that is dropped
}

// Backend keeps, for each table of a metastore, the location of its current
// metadata file. It opens none of them. It is safe for concurrent use.
type Backend interface {
	io.Closer
	// List gives the names of a namespace's tables in order; ErrSchemaNotFound if
	// there is no such namespace.
	List(ctx context.Context, namespace string) ([]string, error)
	// Load gives the location of a table's metadata file; ErrTableNotFound if there
	// is no such table.
	Load(ctx context.Context, table Identifier) (location string, err error)
	// Swap makes all changes or none. storage.ErrLostRace: none, because a pointer
	// is not what a change says. A *storage.AmbiguousError: all or none. Any other
	// error: none.
	Swap(ctx context.Context, changes []Change) error
}

// BackendOptions are what a Backend is opened with.
type BackendOptions struct {
	CatalogName string
	ReadOnly    bool
}

// BackendOpener opens the Backend that the text behind a scheme and its colon
// names.
type BackendOpener func(address string, o BackendOptions) (Backend, error)

var backends = struct {
	mu      sync.RWMutex
	openers map[string]BackendOpener // by scheme, guarded by mu
}{openers: map[string]BackendOpener{}}

// Register makes a kind of metastore available to Open. It is for the init of a
// package that is imported for that effect, and panics when the scheme is taken.
func Register(scheme string, opener BackendOpener) {
	backends.mu.Lock()
	defer backends.mu.Unlock()
	if _, ok := backends.openers[scheme]; ok {
		panic("catalog: the scheme " + scheme + " is registered twice")
	}
	backends.openers[scheme] = opener
}

// openBackend opens the metastore that the options name. The address may hold
// a password, so errors name the scheme alone.
func openBackend(o Options) (Backend, error) {
	scheme, address, _ := strings.Cut(o.Metastore, ":")
	backends.mu.RLock()
	opener, ok := backends.openers[strings.ToLower(scheme)]
	known := slices.Sorted(maps.Keys(backends.openers))
	backends.mu.RUnlock()
	switch {
	case ok:
		return opener(address, BackendOptions{CatalogName: cmp.Or(o.CatalogName, DefaultCatalogName), ReadOnly: o.MustExist})
	case len(known) == 0:
		return nil, fmt.Errorf("%w: catalog %s: no package for catalogs is imported, such as github.com/tarndb/tarn/storage/catalog/sqlite", storage.ErrUnsupportedFeature, scheme)
	}
	return nil, fmt.Errorf("%w: catalog %s: it begins with the kind of catalog and a colon, as in %s:…; known are %s", storage.ErrUnsupportedFeature, scheme, known[0], strings.Join(known, ", "))
}
