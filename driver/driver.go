package driver

import (
	"context"
	"database/sql"
	"database/sql/driver"
)

func init() { sql.Register("tarn", Driver{}) }

// Driver is the driver that database/sql knows as "tarn".
type Driver struct{}

var (
	_ driver.Driver        = Driver{}
	_ driver.DriverContext = Driver{}
)

// Open opens a connection of its own. database/sql uses OpenConnector instead.
func (d Driver) Open(dsn string) (driver.Conn, error) {
	c, err := d.OpenConnector(dsn)
	if err != nil {
		return nil, err
	}
	return c.Connect(context.Background())
}

// OpenConnector parses a DSN and opens its warehouse.
func (Driver) OpenConnector(dsn string) (driver.Connector, error) {
	config, err := ParseDSN(dsn)
	if err != nil {
		return nil, err
	}
	c := NewConnector(config)
	return c, c.open()
}
