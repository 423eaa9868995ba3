package iceberg

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/deletes"
	"github.com/tarndb/tarn/storage/iceberg/internal/avrofile"
	"github.com/tarndb/tarn/storage/parquet"
)

// avroRows reads a data or delete file in Avro (spec, Appendix A, "Avro"). It
// has no column chunks: every row is decoded, as far as its columns are wanted.
type avroRows struct {
	path     string
	rows     *avrofile.Reader
	columns  []avroColumn
	values   avroValues
	o        parquet.ReadOptions
	program  *eval.Program // of the filter, nil for none
	cursor   *deletes.Cursor
	position int64
	keep     vector.Selection
	metrics  storage.ReadMetrics
	end      bool
}

// avroColumn is a column of the batches.
type avroColumn struct {
	field    types.Field
	name     string // in the decoded row
	constant any    // the value of a column that the file doesn't have
	inFile   bool
}

// openAvro reads an Avro file of the table.
func (s *Snapshot) openAvro(ctx context.Context, f *ContentFile, o parquet.ReadOptions) (storage.BatchReader, error) {
	store, path, err := s.table.resolve(s.metadata, f.Path)
	if err != nil {
		return nil, err
	}
	body, err := store.Get(ctx, path)
	if err != nil {
		return nil, dataFileError(path, err)
	}
	mapping, err := s.nameMapping()
	if err != nil {
		return nil, err
	}
	return newAvroRows(path, body, o, mapping, avroValues{s.schema.initial}, func(c types.Field) any {
		v, _ := s.valueOfMissing(f, c)
		return v
	})
}

// newAvroRows begins to read a file. missing gives the values of columns that it
// doesn't have; nil is NULL.
func newAvroRows(path string, body []byte, o parquet.ReadOptions, mapping *nameMapping, values avroValues, missing func(types.Field) any) (*avroRows, error) {
	wanted := map[int]bool{}
	for _, c := range o.Columns {
		wantIDs(wanted, c)
	}
	var assign func(path []string, column int) int
	if mapping != nil {
		assign = func(path []string, column int) int { return int(mapping.fieldID(path, column)) }
	}
	rows, err := avrofile.Open(body, func(id int) (string, bool) { return avrofile.Name(id), wanted[id] }, assign)
	if err != nil {
		return nil, &storage.CorruptTable{Path: path, Offset: -1, Reason: "Avro file", Cause: err}
	}
	r := &avroRows{path: path, rows: rows, o: o, values: values, cursor: o.Deletes.Cursor()}
	inFile := rows.Columns()
	for _, c := range o.Columns {
		column := avroColumn{field: c, name: avrofile.Name(int(c.ID)), inFile: inFile[int(c.ID)]}
		if !column.inFile && missing != nil {
			column.constant = missing(c)
		}
		r.columns = append(r.columns, column)
	}
	if o.Filter != nil {
		if r.program, err = eval.Compile(o.Filter, o.Env); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// wantIDs notes the ids of a field and of what is below it.
func wantIDs(wanted map[int]bool, f types.Field) {
	wanted[int(f.ID)] = true
	for _, child := range f.Type.Fields {
		wantIDs(wanted, child)
	}
	for _, child := range []*types.Field{f.Type.Key, f.Type.Elem} {
		if child != nil {
			wantIDs(wanted, *child)
		}
	}
}

// Next implements storage.BatchReader.
func (r *avroRows) Next(ctx context.Context) (*vector.Batch, error) {
	for !r.end {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		b, err := r.read()
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", r.path, err)
		}
		if b, err = r.filter(b); err != nil {
			return nil, err
		}
		if b.Len > 0 {
			r.metrics.RowsRead += int64(b.Len)
			return b, nil
		}
	}
	return nil, io.EOF
}

// read decodes the next rows.
func (r *avroRows) read() (*vector.Batch, error) {
	builders := make([]*vector.Builder, len(r.columns))
	for i, c := range r.columns {
		builders[i] = vector.NewBuilder(c.field.Type, vector.BatchRows)
	}
	n := 0
	for n < vector.BatchRows {
		row := map[string]any{}
		if err := r.rows.Decode(&row); errors.Is(err, io.EOF) {
			r.end = true
			break
		} else if err != nil {
			return nil, &storage.CorruptTable{Path: r.path, Offset: -1, Reason: "Avro file", Cause: err}
		}
		for i, c := range r.columns {
			v := c.constant
			if c.inFile {
				var err error
				if v, err = r.values.value(c.field.Type, row[c.name]); err != nil {
					return nil, fmt.Errorf("%w: column %s: %w", storage.ErrSchemaMismatch, types.QuoteIdent(c.field.Name), err)
				}
			}
			builders[i].AppendValue(v)
		}
		n++
	}
	b := vector.NewBatch(n)
	for _, builder := range builders {
		b.Columns = append(b.Columns, builder.Vector())
	}
	if r.o.Positions {
		positions := vector.New(types.Of(types.BigInt), n)
		for i := range positions.Int64s {
			positions.Int64s[i] = r.position + int64(i)
		}
		b.Columns = append(b.Columns, positions)
	}
	return b, nil
}

// filter drops deleted rows and those that fail the filter.
func (r *avroRows) filter(b *vector.Batch) (*vector.Batch, error) {
	r.keep = r.cursor.Keep(r.position, r.position+int64(b.Len), r.keep)
	r.position += int64(b.Len)
	b.Sel = r.keep
	b = b.Compact()
	if r.program == nil || b.Len == 0 {
		return b, nil
	}
	sel, err := r.program.Filter(b)
	if err != nil {
		return nil, err
	}
	return (&vector.Batch{Columns: b.Columns, Len: b.Len, Sel: sel}).Compact(), nil
}

// Close implements storage.BatchReader.
func (r *avroRows) Close() error { return r.rows.Close() }

// Metrics implements storage.BatchReader.
func (r *avroRows) Metrics() storage.ReadMetrics { return r.metrics }
