package catalog

import (
	"cmp"
	"errors"
	"fmt"
	"io"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/storage"
)

// ErrMetastore says that what Options.Metastore names can't be opened.
var ErrMetastore = errors.New("catalog can't be opened")

// DefaultCatalogName is the name of a catalog for which Options name none.
const DefaultCatalogName = "default"

// Catalog is a storage.Catalog that is closed after use.
type Catalog interface {
	storage.Catalog
	io.Closer
}

// Open opens the warehouse at a URL.
func Open(url string, o Options) (Catalog, error) {
	o.Schema = cmp.Or(o.Schema, types.DefaultSchema)
	if o.Format != "" {
		if _, err := formatOf(o.Format); err != nil {
			return nil, err
		}
	}
	files, err := openFiles(url, o)
	if err != nil {
		return nil, err
	}
	if o.Metastore == "" {
		return files, nil
	}
	backend, err := openBackend(o)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("%w: %w", ErrMetastore, err), files.Close())
	}
	return &MetastoreCatalog{files: files, backend: backend, options: o}, nil
}
