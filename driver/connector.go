package driver

import (
	"context"
	"database/sql/driver"
	"io"
	"log/slog"
	"sync"

	"github.com/tarndb/tarn/exec"
	"github.com/tarndb/tarn/storage/catalog"
	"github.com/tarndb/tarn/txn"
)

// Connector opens connections to one warehouse. Its connections share the
// store, the tables' snapshots and what is cached of their files. sql.DB.Close
// closes it.
type Connector struct {
	config Config

	once    sync.Once // guards the fields below
	err     error
	catalog catalog.Catalog
	manager *txn.Manager
	logger  *slog.Logger
	budget  *exec.Budget
}

var (
	_ driver.Connector = (*Connector)(nil)
	_ io.Closer        = (*Connector)(nil)
)

// NewConnector gives a connector for sql.OpenDB. What is wrong with the
// config is reported by the first connection.
func NewConnector(c Config) *Connector { return &Connector{config: c} }

// open opens the warehouse once.
func (c *Connector) open() error {
	c.once.Do(func() {
		c.catalog, c.err = catalog.Open(c.config.Warehouse, catalog.Options{
			Format: c.config.Format, MustExist: c.config.ReadOnly, CreatedBy: "tarn",
			Metastore: c.config.Catalog, CatalogName: c.config.CatalogName,
		})
		if c.err != nil {
			c.err = wrapError(configError(c.err, c.config))
			return
		}
		c.logger = leveled(c.config.Logger, c.config.LogLevel)
		limit := c.config.MemoryLimitBytes
		if limit == 0 {
			limit = defaultMemoryLimit()
		}
		c.budget = exec.NewBudget(limit)
		c.manager = txn.NewManager(c.catalog, txn.Options{
			Isolation: c.config.Isolation, CommitRetries: c.config.CommitRetries, Logger: c.logger,
			TargetFileSizeBytes: c.config.TargetFileSizeBytes,
		})
	})
	return c.err
}

// Connect implements driver.Connector.
func (c *Connector) Connect(ctx context.Context) (driver.Conn, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if err := c.open(); err != nil {
		return nil, err
	}
	return &Conn{connector: c, config: c.config}, nil
}

// Driver implements driver.Connector.
func (c *Connector) Driver() driver.Driver { return Driver{} }

// Close implements io.Closer.
func (c *Connector) Close() error {
	if c.catalog == nil {
		return nil
	}
	return wrapError(c.catalog.Close())
}
