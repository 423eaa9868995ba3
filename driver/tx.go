package driver

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"

	"github.com/tarndb/tarn/storage"
)

// Tx is a transaction begun by sql.DB.BeginTx.
type Tx struct {
	ctx  context.Context // of BeginTx: Commit has none of its own
	conn *Conn
}

var _ driver.Tx = (*Tx)(nil)

// Begin implements driver.Conn.
func (c *Conn) Begin() (driver.Tx, error) {
	return c.BeginTx(context.Background(), driver.TxOptions{})
}

// isolationOf maps the levels of database/sql. RepeatableRead is Snapshot.
func (c *Conn) isolationOf(level driver.IsolationLevel) (storage.Isolation, error) {
	switch sql.IsolationLevel(level) {
	case sql.LevelDefault, sql.LevelSnapshot, sql.LevelRepeatableRead:
		return c.config.Isolation, nil
	case sql.LevelSerializable:
		return storage.Serializable, nil
	}
	return 0, fmt.Errorf("%w: isolation level %s is not supported; use Default, Snapshot, RepeatableRead or Serializable", ErrTxState, sql.IsolationLevel(level))
}

// BeginTx implements driver.ConnBeginTx. It does no I/O.
func (c *Conn) BeginTx(ctx context.Context, opts driver.TxOptions) (driver.Tx, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if c.tx != nil {
		return nil, wrapError(fmt.Errorf("%w: a transaction is open already", ErrTxState))
	}
	level, err := c.isolationOf(opts.Isolation)
	if err != nil {
		return nil, wrapError(err)
	}
	o := c.txOptions()
	o.ReadOnly = o.ReadOnly || opts.ReadOnly
	o.Isolation = &level
	c.tx = c.connector.manager.Begin(o)
	return &Tx{ctx: ctx, conn: c}, nil
}

// Commit implements driver.Tx.
func (t *Tx) Commit() error {
	tx := t.conn.tx
	if tx == nil {
		return wrapError(fmt.Errorf("%w: it has ended", ErrTxState))
	}
	t.conn.tx = nil
	return wrapError(tx.Commit(t.ctx))
}

// Rollback implements driver.Tx.
func (t *Tx) Rollback() error {
	tx := t.conn.tx
	if tx == nil {
		return wrapError(fmt.Errorf("%w: it has ended", ErrTxState))
	}
	t.conn.tx = nil
	return wrapError(tx.Rollback(context.WithoutCancel(t.ctx)))
}

// joinErrors adds a clean-up error to the error that came first.
func joinErrors(err, cleanup error) error {
	if cleanup == nil {
		return err
	}
	return errors.Join(err, cleanup)
}
