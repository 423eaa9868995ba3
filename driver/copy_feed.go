package driver

import (
	"context"
	"fmt"
	"io"
	"time"
	"unicode/utf8"

	"github.com/tarndb/tarn/sql/bind"
	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// copyBatchBytes ends a batch of CopyFrom before it has vector.BatchRows rows.
const copyBatchBytes = 1 << 20

// copyFeed makes batches of the rows of a CopyFromSource.
type copyFeed struct {
	source   CopyFromSource
	fields   []types.Field
	env      *eval.Env
	wide     []int // the columns whose values have no fixed size
	builders []*vector.Builder
	rows     int64 // given out or in builders
	done     bool
}

func newCopyFeed(source CopyFromSource, fields []types.Field, env *eval.Env) *copyFeed {
	f := &copyFeed{source: source, fields: fields, env: env}
	for i, field := range fields {
		if field.Type.IsNested() || field.Type.Physical() == types.PhysBytes {
			f.wide = append(f.wide, i)
		}
	}
	return f
}

// next gives the next batch, or io.EOF. Its vectors are not used again.
func (f *copyFeed) next(context.Context) (*vector.Batch, error) {
	f.builders = make([]*vector.Builder, len(f.fields))
	for i, field := range f.fields {
		f.builders[i] = vector.NewBuilder(field.Type, vector.BatchRows)
	}
	n := 0
	for n < vector.BatchRows && !f.full() {
		if f.done = f.done || !f.source.Next(); f.done {
			break
		}
		f.rows++
		if err := f.row(); err != nil {
			return nil, fmt.Errorf("row %d: %w", f.rows, err)
		}
		n++
	}
	if f.done {
		if err := f.source.Err(); err != nil {
			return nil, fmt.Errorf("after row %d: %w", f.rows, err)
		}
		if n == 0 {
			return nil, io.EOF
		}
	}
	b := vector.NewBatch(n)
	for _, builder := range f.builders {
		b.Columns = append(b.Columns, builder.Vector())
	}
	return b, nil
}

// full reports whether the batch has enough bytes.
func (f *copyFeed) full() bool {
	var size int64
	for _, i := range f.wide {
		size += f.builders[i].Vector().SizeBytes()
	}
	return size > copyBatchBytes
}

func (f *copyFeed) row() error {
	values, err := f.source.Values()
	if err != nil {
		return err
	}
	if len(values) != len(f.fields) {
		return fmt.Errorf("%w: %d values for %d columns", ErrInvalidSQL, len(values), len(f.fields))
	}
	for i, v := range values {
		if err := f.value(f.builders[i], f.fields[i], v); err != nil {
			return err
		}
	}
	return nil
}

// value appends a Go value. Most pairs of a Go type and a column's type need
// no more than a range check; the others are converted as INSERT does it.
func (f *copyFeed) value(b *vector.Builder, field types.Field, v any) error {
	if v == nil {
		b.AppendNull()
		return nil
	}
	if n, ok := wholeNumber(v); ok && field.Type.IsInteger() {
		if least, most := field.Type.IntegerRange(); n < least || n > most {
			return fmt.Errorf("column %s: %w: %d is out of range for %s", types.QuoteIdent(field.Name), ErrInvalidValue, n, field.Type)
		}
		b.AppendInt64(n)
		return nil
	}
	if f.direct(b, field.Type, v) {
		return nil
	}
	plain, err := plainValue(v)
	if err != nil {
		return fmt.Errorf("column %s: %w", types.QuoteIdent(field.Name), err)
	}
	return f.converted(b, field, plain)
}

// direct appends a value whose Go type is that of the column.
func (f *copyFeed) direct(b *vector.Builder, t types.Type, v any) bool {
	switch x := v.(type) {
	case string:
		switch t.Kind {
		case types.String:
			if utf8.ValidString(x) {
				b.AppendValue(v)
				return true
			}
		case types.Decimal:
			d, ok := types.ParseDecimalAs(x, int(t.Precision), int(t.Scale))
			if ok {
				b.AppendValue(d)
			}
			return ok // an error is made with more words elsewhere
		}
	case float64:
		if t.Kind == types.Double {
			b.AppendValue(v)
			return true
		}
	case bool:
		if t.Kind == types.Boolean {
			b.AppendValue(v)
			return true
		}
	case []byte:
		if t.Kind == types.Binary && x != nil {
			b.AppendBytes(x)
			return true
		}
	case time.Time:
		if t.Kind == types.Date || t.IsTimestamp() {
			moment, ok := types.MomentAs(x, t.Kind)
			if ok {
				b.AppendValue(moment)
			}
			return ok
		}
	}
	return false
}

// converted appends a value by the rules of INSERT.
func (f *copyFeed) converted(b *vector.Builder, field types.Field, v any) error {
	l, err := literalOf(v)
	if err != nil {
		return fmt.Errorf("column %s: %w", types.QuoteIdent(field.Name), err)
	}
	if l, err = bind.MatchFields(l, field.Type); err != nil {
		return fmt.Errorf("column %s: %w", types.QuoteIdent(field.Name), err)
	}
	e, err := bind.Assign(l, field)
	if err != nil {
		return err
	}
	value, err := eval.EvalConstant(e, f.env)
	if err != nil {
		return fmt.Errorf("column %s: %w", types.QuoteIdent(field.Name), err)
	}
	b.AppendValue(value)
	return nil
}

// wholeNumber gives the value of Go's integer types.
func wholeNumber(v any) (int64, bool) {
	switch x := v.(type) {
	case int64:
		return x, true
	case int:
		return int64(x), true
	case int32:
		return int64(x), true
	case int16:
		return int64(x), true
	case int8:
		return int64(x), true
	case uint8:
		return int64(x), true
	case uint16:
		return int64(x), true
	case uint32:
		return int64(x), true
	}
	return 0, false
}
