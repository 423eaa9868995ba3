package driver

import (
	"context"
	"database/sql/driver"
	"io"
	"math"
	"reflect"
	"time"

	"github.com/tarndb/tarn/sql/bind"
	"github.com/tarndb/tarn/sql/parser"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// Rows reads the results of a query. Each statement of the text that gives
// rows is one result set; the others run where they stand in the order.
type Rows struct {
	ctx        context.Context
	conn       *Conn
	text       string
	statements []parser.Parsed // that have not run yet
	args       [][]bind.Arg

	current *running
	fields  []types.Field
	values  *rowValues
	batch   *vector.Batch
	row     int // of the selected rows of batch, the next to be loaded into values
}

var (
	_ driver.Rows                           = (*Rows)(nil)
	_ driver.RowsNextResultSet              = (*Rows)(nil)
	_ driver.RowsColumnTypeDatabaseTypeName = (*Rows)(nil)
	_ driver.RowsColumnTypeLength           = (*Rows)(nil)
	_ driver.RowsColumnTypeNullable         = (*Rows)(nil)
	_ driver.RowsColumnTypePrecisionScale   = (*Rows)(nil)
	_ driver.RowsColumnTypeScanType         = (*Rows)(nil)
)

// advance runs statements up to the next that gives rows. If none does, the
// result set is the last statement's, without columns.
func (r *Rows) advance() error {
	for len(r.statements) > 0 {
		s, args := r.statements[0], r.args[0]
		r.statements, r.args = r.statements[1:], r.args[1:]
		run, err := r.conn.run(r.ctx, r.text, s, args)
		if err != nil {
			return r.failed(err)
		}
		r.open(run)
		if len(r.fields) > 0 {
			return nil
		}
	}
	return nil
}

func (r *Rows) open(run *running) {
	r.current, r.batch, r.row = run, nil, 0
	r.fields = run.result.Schema.Fields
	r.values = newRowValues(r.fields, r.conn.config.Timezone)
}

// finish ends the current result set.
func (r *Rows) finish() error {
	if r.current == nil {
		return nil
	}
	run := r.current
	r.current, r.batch, r.values = nil, nil, nil
	if err := run.finish(r.ctx); err != nil {
		return r.failed(err)
	}
	return nil
}

// failed ends the text: what follows a failed statement does not run.
func (r *Rows) failed(err error) error {
	r.statements = nil
	return err
}

// Schema describes the columns of the current result set, nested types in
// full. A program reaches it through sql.Conn.Raw.
func (r *Rows) Schema() types.Schema { return types.Schema{Fields: r.fields} }

// Columns implements driver.Rows.
func (r *Rows) Columns() []string {
	names := make([]string, len(r.fields))
	for i, f := range r.fields {
		names[i] = f.Name
	}
	return names
}

// Next implements driver.Rows.
func (r *Rows) Next(dest []driver.Value) error {
	if r.values != nil && r.values.next(dest) {
		return nil
	}
	for r.batch == nil || r.row >= r.batch.Rows() {
		if r.current == nil {
			return io.EOF
		}
		b, err := r.current.next(r.ctx)
		if err == io.EOF {
			return io.EOF
		}
		if err != nil {
			return wrapError(r.failed(err))
		}
		r.batch, r.row = b, 0
	}
	r.row += r.values.load(r.batch, r.row)
	r.values.next(dest)
	return nil
}

// HasNextResultSet implements driver.RowsNextResultSet.
func (r *Rows) HasNextResultSet() bool { return len(r.statements) > 0 }

// NextResultSet implements driver.RowsNextResultSet.
func (r *Rows) NextResultSet() error {
	if err := r.finish(); err != nil {
		return wrapError(err)
	}
	if len(r.statements) == 0 {
		return io.EOF
	}
	r.fields = nil
	if err := r.advance(); err != nil {
		return wrapError(err)
	}
	return nil
}

// Close implements driver.Rows. Statements that were not reached yet are run,
// as Exec would, unless one failed or the context has ended.
func (r *Rows) Close() error {
	err := r.finish()
	for err == nil && len(r.statements) > 0 {
		if err = r.advance(); err == nil && r.current != nil {
			err = r.current.drain(r.ctx)
			r.current = nil
		}
	}
	return wrapError(err)
}

// ColumnTypeDatabaseTypeName implements driver.RowsColumnTypeDatabaseTypeName:
// the SQL type without its parameters.
func (r *Rows) ColumnTypeDatabaseTypeName(i int) string {
	t := r.fields[i].Type
	switch {
	case t.IsNested():
		return t.String()
	case t.Char == types.VarChar:
		return "VARCHAR"
	case t.Char == types.Char:
		return "CHAR"
	}
	return t.Kind.String()
}

// ColumnTypeLength implements driver.RowsColumnTypeLength: characters of text,
// bytes of binary.
func (r *Rows) ColumnTypeLength(i int) (int64, bool) {
	t := r.fields[i].Type
	switch {
	case t.Kind == types.String && t.Char != types.NoChar, t.Kind == types.Fixed:
		return int64(t.Length), true
	case t.Kind == types.String, t.Kind == types.Binary:
		return math.MaxInt64, true
	}
	return 0, false
}

// ColumnTypeNullable implements driver.RowsColumnTypeNullable.
func (r *Rows) ColumnTypeNullable(i int) (nullable, ok bool) { return r.fields[i].Nullable, true }

// ColumnTypePrecisionScale implements driver.RowsColumnTypePrecisionScale.
func (r *Rows) ColumnTypePrecisionScale(i int) (precision, scale int64, ok bool) {
	t := r.fields[i].Type
	if t.Kind != types.Decimal {
		return 0, 0, false
	}
	return int64(t.Precision), int64(t.Scale), true
}

// scanTypes are the Go types that values arrive as.
var scanTypes = map[types.Kind]reflect.Type{
	types.Boolean: reflect.TypeFor[bool](), types.TinyInt: reflect.TypeFor[int64](), types.SmallInt: reflect.TypeFor[int64](),
	types.Int: reflect.TypeFor[int64](), types.BigInt: reflect.TypeFor[int64](), types.Float: reflect.TypeFor[float64](),
	types.Double: reflect.TypeFor[float64](), types.Decimal: reflect.TypeFor[string](), types.String: reflect.TypeFor[string](),
	types.Binary: reflect.TypeFor[[]byte](), types.Fixed: reflect.TypeFor[[]byte](), types.UUID: reflect.TypeFor[string](),
	types.Date: reflect.TypeFor[time.Time](), types.Time: reflect.TypeFor[string](), types.Timestamp: reflect.TypeFor[time.Time](),
	types.TimestampNTZ: reflect.TypeFor[time.Time](), types.TimestampNS: reflect.TypeFor[time.Time](), types.TimestampNTZNS: reflect.TypeFor[time.Time](),
	types.IntervalKind: reflect.TypeFor[string](), types.Array: reflect.TypeFor[List](), types.Map: reflect.TypeFor[Map](), types.Struct: reflect.TypeFor[Struct](),
	types.Variant: reflect.TypeFor[Variant](),
}

// ColumnTypeScanType implements driver.RowsColumnTypeScanType: the type of the
// value that Scan into *any gives.
func (r *Rows) ColumnTypeScanType(i int) reflect.Type {
	if t, ok := scanTypes[r.fields[i].Type.Kind]; ok {
		return t
	}
	return reflect.TypeFor[any]()
}
