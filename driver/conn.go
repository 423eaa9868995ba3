package driver

import (
	"context"
	"database/sql/driver"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/tarndb/tarn/exec"
	"github.com/tarndb/tarn/pushdown"
	"github.com/tarndb/tarn/sql/bind"
	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/parser"
	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/txn"
)

// Conn is a session: options and, at times, a transaction. database/sql lets
// one goroutine use it at a time.
type Conn struct {
	connector *Connector
	config    Config // with what SET changed
	tx        *txn.Tx
	bySQL     bool // tx was begun by the statement BEGIN
	closed    bool
}

var (
	_ driver.Conn               = (*Conn)(nil)
	_ driver.ConnBeginTx        = (*Conn)(nil)
	_ driver.ConnPrepareContext = (*Conn)(nil)
	_ driver.ExecerContext      = (*Conn)(nil)
	_ driver.QueryerContext     = (*Conn)(nil)
	_ driver.NamedValueChecker  = (*Conn)(nil)
	_ driver.Pinger             = (*Conn)(nil)
	_ driver.SessionResetter    = (*Conn)(nil)
	_ driver.Validator          = (*Conn)(nil)
)

// Prepare implements driver.Conn.
func (c *Conn) Prepare(query string) (driver.Stmt, error) {
	return c.PrepareContext(context.Background(), query)
}

// PrepareContext implements driver.ConnPrepareContext. It parses; names are
// resolved when the statement runs.
func (c *Conn) PrepareContext(ctx context.Context, query string) (driver.Stmt, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	statements, err := parser.ParseAll(query)
	if err != nil {
		return nil, wrapError(err)
	}
	return &Stmt{conn: c, text: query, statements: statements}, nil
}

// ExecContext implements driver.ExecerContext.
func (c *Conn) ExecContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Result, error) {
	statements, err := parser.ParseAll(query)
	if err != nil {
		return nil, wrapError(err)
	}
	return c.exec(ctx, query, statements, args)
}

// QueryContext implements driver.QueryerContext.
func (c *Conn) QueryContext(ctx context.Context, query string, args []driver.NamedValue) (driver.Rows, error) {
	statements, err := parser.ParseAll(query)
	if err != nil {
		return nil, wrapError(err)
	}
	return c.query(ctx, query, statements, args)
}

// exec runs all statements and adds up the rows that they affect.
func (c *Conn) exec(ctx context.Context, text string, statements []parser.Parsed, args []driver.NamedValue) (driver.Result, error) {
	bound, err := distribute(statements, args)
	if err != nil {
		return nil, wrapError(err)
	}
	var out result
	for i, s := range statements {
		run, err := c.run(ctx, text, s, bound[i])
		if err == nil {
			out.affected += run.result.RowsAffected
			out.uncounted = out.uncounted || run.result.Uncounted
			err = run.drain(ctx)
		}
		if err != nil {
			return nil, wrapError(err)
		}
	}
	return out, nil
}

// query runs statements up to the first that gives rows; Rows runs the others.
func (c *Conn) query(ctx context.Context, text string, statements []parser.Parsed, args []driver.NamedValue) (driver.Rows, error) {
	bound, err := distribute(statements, args)
	if err != nil {
		return nil, wrapError(err)
	}
	r := &Rows{ctx: ctx, conn: c, text: text, statements: statements, args: bound}
	if err := r.advance(); err != nil {
		return nil, wrapError(err)
	}
	return r, nil
}

// running is a statement whose rows are read.
type running struct {
	result *exec.Result
	tx     *txn.Tx // the statement's own transaction; nil inside a larger one
	places *bind.Places
}

// next gives the next rows.
func (r *running) next(ctx context.Context) (*vector.Batch, error) {
	b, err := r.result.Next(ctx)
	if err != nil && err != io.EOF {
		err = r.places.Locate(err)
	}
	return b, err
}

// drain reads the rows that are left, so that their errors come out, and
// finishes.
func (r *running) drain(ctx context.Context) error {
	var err error
	for err == nil {
		_, err = r.next(ctx)
	}
	if err == io.EOF {
		err = nil
	}
	return joinErrors(err, r.finish(ctx))
}

// finish drops the rows that are left and ends the statement's transaction.
func (r *running) finish(ctx context.Context) error {
	err := r.result.Close()
	if r.tx == nil {
		return err
	}
	tx := r.tx
	r.tx = nil
	if err != nil {
		_ = tx.Rollback(ctx) // a query staged nothing that could be left behind
		return err
	}
	return tx.Commit(ctx)
}

// run binds and starts one statement.
func (c *Conn) run(ctx context.Context, text string, s parser.Parsed, args []bind.Arg) (*running, error) {
	places := &bind.Places{}
	run, err := c.start(ctx, func(o bind.Options) (plan.Node, error) {
		o.Text, o.Args, o.Places = text, args, places
		return bind.Statement(ctx, s.Stmt, o)
	})
	if err != nil {
		return nil, places.Locate(err)
	}
	run.places = places
	return run, nil
}

// start runs the plan that bound gives. In the open transaction, what a command
// changes is staged when start returns; without one, a command runs in a
// transaction of its own and has been committed, and a query's ends with its
// rows.
func (c *Conn) start(ctx context.Context, bound func(bind.Options) (plan.Node, error)) (*running, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	tx, own := c.tx, false
	if tx == nil {
		tx, own = c.connector.manager.Begin(c.txOptions()), true
	}
	env := &eval.Env{Zone: c.config.Timezone, Now: time.Now()}
	node, err := planned(func() (plan.Node, error) {
		return bound(bind.Options{Catalog: tx, Schema: c.config.Schema, Format: c.config.Format, Env: env})
	})
	if err != nil {
		return nil, err
	}
	if session, ok := node.(*plan.Session); ok {
		return &running{result: &exec.Result{}}, c.session(ctx, session)
	}
	result, err := exec.Run(ctx, node, exec.Env{
		Eval: env, Threads: c.config.Threads, Tx: tx, Budget: c.connector.budget, TempDir: c.config.TempDir,
	})
	if err != nil {
		if own {
			err = joinErrors(err, tx.Rollback(ctx))
		}
		return nil, err
	}
	run := &running{result: result}
	if !own {
		return run, nil
	}
	if len(result.Schema.Fields) > 0 {
		run.tx = tx
		return run, nil
	}
	return run, tx.Commit(ctx)
}

// planned gives the plan that is executed for a bound one.
func planned(bound func() (plan.Node, error)) (n plan.Node, err error) {
	defer storage.Guard(&err)
	if n, err = bound(); err != nil {
		return nil, err
	}
	return pushdown.Rewrite(n)
}

func (c *Conn) txOptions() txn.TxOptions {
	isolation := c.config.Isolation
	return txn.TxOptions{ReadOnly: c.config.ReadOnly, Isolation: &isolation}
}

// session runs BEGIN, COMMIT, SET and their like.
func (c *Conn) session(ctx context.Context, n *plan.Session) error {
	switch n.Action {
	case plan.Begin:
		return c.sqlBegin(n)
	case plan.Set:
		o, err := findOption(n.Name)
		if err == nil && !o.session {
			err = fmt.Errorf("%w: option %s belongs to all connections: set it in the DSN or driver.Config", ErrConfig, o.name)
		}
		if err != nil {
			return err
		}
		return c.config.apply(n.Name, n.Value)
	case plan.Reset:
		return c.reset(n.Name)
	}
	if c.tx == nil {
		return fmt.Errorf("%w: no transaction is open on this connection; BEGIN and what follows it need one *sql.Conn, or use BeginTx", ErrTxState)
	}
	switch n.Action {
	case plan.Commit, plan.Rollback:
		if !c.bySQL {
			return fmt.Errorf("%w: the transaction was begun by BeginTx; end it with Commit or Rollback of the sql.Tx", ErrTxState)
		}
		tx := c.tx
		c.tx, c.bySQL = nil, false
		if n.Action == plan.Commit {
			return tx.Commit(ctx)
		}
		return tx.Rollback(ctx)
	case plan.Savepoint:
		return c.tx.Savepoint(ctx, n.Name)
	case plan.RollbackTo:
		return c.tx.RollbackTo(ctx, n.Name)
	}
	return c.tx.Release(n.Name)
}

func (c *Conn) sqlBegin(n *plan.Session) error {
	if c.tx != nil {
		return fmt.Errorf("%w: a transaction is open already", ErrTxState)
	}
	o := c.txOptions()
	o.ReadOnly = o.ReadOnly || n.ReadOnly
	if n.Serializable {
		level := storage.Serializable
		o.Isolation = &level
	}
	c.tx, c.bySQL = c.connector.manager.Begin(o), true
	return nil
}

// reset gives an option, or all, the value that the connector was opened with.
func (c *Conn) reset(name string) error {
	if name == "" || strings.EqualFold(name, "all") {
		c.config = c.connector.config
		return nil
	}
	o, err := findOption(name)
	if err != nil {
		return err
	}
	o.copy(&c.config, &c.connector.config)
	return nil
}

// Ping implements driver.Pinger.
func (c *Conn) Ping(ctx context.Context) error {
	if c.closed {
		return driver.ErrBadConn
	}
	return ctx.Err()
}

// ResetSession implements driver.SessionResetter.
func (c *Conn) ResetSession(context.Context) error {
	if c.closed || c.tx != nil {
		return driver.ErrBadConn
	}
	c.config = c.connector.config
	return nil
}

// IsValid implements driver.Validator. A connection on which BEGIN left a
// transaction open must not go back to the pool.
func (c *Conn) IsValid() bool { return !c.closed && c.tx == nil }

// Close implements driver.Conn. It rolls an open transaction back.
func (c *Conn) Close() error {
	if c.closed {
		return nil
	}
	c.closed = true
	if c.tx == nil {
		return nil
	}
	c.connector.logger.Warn("tarn: connection closed with an open transaction, which is rolled back")
	tx := c.tx
	c.tx = nil
	return wrapError(tx.Rollback(context.Background()))
}
