package memtable

import (
	"context"
	"fmt"
	"io"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/internal/scanning"
)

// Source is rows with the name of a table. It never changes.
type Source struct {
	name   types.TableName
	schema types.Schema
	rows   *vector.Batch
}

// New gives a source; the batch, without a selection, has the schema's columns.
func New(name types.TableName, schema types.Schema, rows *vector.Batch) *Source {
	return &Source{name: name, schema: schema, rows: rows}
}

// Name is the name of the table.
func (s *Source) Name() types.TableName { return s.name }

// Schema lists the columns.
func (s *Source) Schema() types.Schema { return s.schema }

// PartitionColumns gives none.
func (s *Source) PartitionColumns() []string { return nil }

// EstimatedRows is the number of rows.
func (s *Source) EstimatedRows() int64 { return int64(s.rows.Len) }

// NewScan implements storage.Scannable. The scan makes no use of filters.
func (s *Source) NewScan() storage.ScanBuilder {
	return scanning.NewBuilder(func(expr.Expr) storage.FilterSupport { return storage.Unsupported }, s.build)
}

func (s *Source) build(_ context.Context, r *scanning.Request) (storage.Scan, error) {
	columns := r.Columns
	if columns == nil {
		columns = s.schema.Names()
	}
	out := &scan{rows: vector.NewBatch(s.rows.Len)}
	for _, name := range columns {
		i := s.schema.Index(name)
		if i < 0 {
			return nil, fmt.Errorf("%w: table %s has no column %s", storage.ErrSchemaMismatch, s.name, types.QuoteIdent(name))
		}
		out.schema.Fields = append(out.schema.Fields, s.schema.Fields[i])
		out.rows.Columns = append(out.rows.Columns, s.rows.Columns[i])
	}
	return out, nil
}

// scan gives the rows in one task.
type scan struct {
	schema types.Schema
	rows   *vector.Batch
}

func (s *scan) Schema() types.Schema                        { return s.schema }
func (s *scan) Narrow([]storage.RuntimeFilter) storage.Scan { return s }
func (s *scan) Summary() storage.ScanSummary                { return storage.ScanSummary{} }
func (s *scan) ColumnStatistics(storage.ScanTask, int) (storage.ColumnStats, bool) {
	return storage.ColumnStats{}, false
}

func (s *scan) Tasks() []storage.ScanTask {
	n := int64(s.rows.Len)
	return []storage.ScanTask{{File: storage.DataFile{Records: n}}}
}

func (s *scan) Open(context.Context, storage.ScanTask) (storage.BatchReader, error) {
	return &reader{rows: s.rows}, nil
}

// reader gives slices of the rows.
type reader struct {
	rows *vector.Batch
	at   int
}

func (r *reader) Next(ctx context.Context) (*vector.Batch, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if r.at == r.rows.Len {
		return nil, io.EOF
	}
	from := r.at
	r.at = min(r.at+vector.BatchRows, r.rows.Len)
	return r.rows.Slice(from, r.at), nil
}

func (r *reader) Close() error                 { return nil }
func (r *reader) Metrics() storage.ReadMetrics { return storage.ReadMetrics{} }
