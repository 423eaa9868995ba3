package driver

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/tarndb/tarn/sql/bind"
	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/sql/types"
)

// CopyFromSource gives the rows of CopyFrom, one by one.
type CopyFromSource interface {
	// Next goes to the next row; false at the end, and after an error.
	Next() bool
	// Values gives the current row, a value per column. CopyFrom is done with
	// the slice when it calls Next again.
	Values() ([]any, error)
	// Err gives the error that ended the rows early.
	Err() error
}

// CopyFrom is the fast way of writing many rows: it inserts what rows gives
// into columns of a table (all of them, if columns is nil) and tells how many
// rows those were. table is a name as SQL writes it. Values are converted and
// checked as arguments of an INSERT are, but each goes straight into a column:
// no SQL is parsed, and no more than some megabytes of rows are in memory.
//
// The rows are part of the transaction that is open on the connection;
// otherwise they are a transaction of their own. After an error none of them
// is in the table.
func CopyFrom(ctx context.Context, conn *sql.Conn, table string, columns []string, rows CopyFromSource) (int64, error) {
	var copied int64
	err := conn.Raw(func(driverConn any) error {
		c, ok := driverConn.(*Conn)
		if !ok {
			return wrapError(fmt.Errorf("%w: CopyFrom needs a connection of the driver tarn, not a %T", ErrConfig, driverConn))
		}
		var err error
		copied, err = c.copyFrom(ctx, table, columns, rows)
		return wrapError(err)
	})
	return copied, err
}

func (c *Conn) copyFrom(ctx context.Context, table string, columns []string, rows CopyFromSource) (int64, error) {
	run, err := c.start(ctx, func(o bind.Options) (plan.Node, error) {
		return bind.InsertFrom(ctx, table, columns, func(fields []types.Field) plan.Node {
			f := newCopyFeed(rows, fields, o.Env)
			return &plan.Feed{Fields: fields, Next: f.next}
		}, o)
	})
	if err != nil {
		return 0, err
	}
	return run.result.RowsAffected, run.finish(ctx)
}

// CopyFromRows makes a source of rows that are in memory.
func CopyFromRows(rows [][]any) CopyFromSource {
	return &copyFromFunc{next: func() ([]any, error) {
		if len(rows) == 0 {
			return nil, nil
		}
		row := rows[0]
		rows = rows[1:]
		if row == nil {
			row = []any{}
		}
		return row, nil
	}}
}

// CopyFromFunc makes a source of a function that gives the next row, or nil
// when there is none.
func CopyFromFunc(next func() (row []any, err error)) CopyFromSource {
	return &copyFromFunc{next: next}
}

type copyFromFunc struct {
	next func() ([]any, error)
	row  []any
	err  error
}

func (f *copyFromFunc) Next() bool {
	f.row, f.err = f.next()
	return f.err == nil && f.row != nil
}

func (f *copyFromFunc) Values() ([]any, error) { return f.row, nil }

func (f *copyFromFunc) Err() error { return f.err }
