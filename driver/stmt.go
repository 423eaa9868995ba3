package driver

import (
	"context"
	"database/sql/driver"
	"fmt"

	"github.com/tarndb/tarn/sql/parser"
)

// Stmt is a prepared text of one or more statements.
type Stmt struct {
	conn       *Conn
	text       string
	statements []parser.Parsed
}

var (
	_ driver.Stmt              = (*Stmt)(nil)
	_ driver.StmtExecContext   = (*Stmt)(nil)
	_ driver.StmtQueryContext  = (*Stmt)(nil)
	_ driver.NamedValueChecker = (*Stmt)(nil)
)

// NumInput implements driver.Stmt.
func (s *Stmt) NumInput() int { return countArgs(s.statements) }

// ExecContext implements driver.StmtExecContext.
func (s *Stmt) ExecContext(ctx context.Context, args []driver.NamedValue) (driver.Result, error) {
	return s.conn.exec(ctx, s.text, s.statements, args)
}

// QueryContext implements driver.StmtQueryContext.
func (s *Stmt) QueryContext(ctx context.Context, args []driver.NamedValue) (driver.Rows, error) {
	return s.conn.query(ctx, s.text, s.statements, args)
}

// Exec implements driver.Stmt.
func (s *Stmt) Exec(args []driver.Value) (driver.Result, error) {
	return s.ExecContext(context.Background(), ordinals(args))
}

// Query implements driver.Stmt.
func (s *Stmt) Query(args []driver.Value) (driver.Rows, error) {
	return s.QueryContext(context.Background(), ordinals(args))
}

func ordinals(args []driver.Value) []driver.NamedValue {
	out := make([]driver.NamedValue, len(args))
	for i, v := range args {
		out[i] = driver.NamedValue{Ordinal: i + 1, Value: v}
	}
	return out
}

// CheckNamedValue implements driver.NamedValueChecker.
func (s *Stmt) CheckNamedValue(v *driver.NamedValue) error { return checkValue(v) }

// CheckNamedValue implements driver.NamedValueChecker.
func (c *Conn) CheckNamedValue(v *driver.NamedValue) error { return checkValue(v) }

// Close implements driver.Stmt.
func (s *Stmt) Close() error { return nil }

// result is the answer of Exec.
type result struct {
	affected  int64
	uncounted bool // a statement has deleted rows by key
}

// LastInsertId implements driver.Result: tables have no such thing.
func (result) LastInsertId() (int64, error) {
	return 0, wrapError(fmt.Errorf("%w: LastInsertId: tables have no generated row ids", ErrUnsupportedSQL))
}

// RowsAffected implements driver.Result.
func (r result) RowsAffected() (int64, error) {
	if r.uncounted {
		return 0, wrapError(fmt.Errorf("%w: RowsAffected: a DELETE by key, as the table's property tarn.delete.mode asks for, does not read the rows that it deletes", ErrUnsupportedSQL))
	}
	return r.affected, nil
}
