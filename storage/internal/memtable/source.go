package memtable

import (
	"context"
	"fmt"
	"io"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
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

// NewScan implements storage.Scannable.
func (s *Source) NewScan() storage.ScanBuilder { return &builder{source: s, columns: s.schema.Names()} }

// builder refines a scan, which makes no use of filters.
type builder struct {
	source  *Source
	columns []string
}

func (b *builder) Support(expr.Expr) storage.FilterSupport           { return storage.Unsupported }
func (b *builder) WithColumns(names []string) storage.ScanBuilder    { b.columns = names; return b }
func (b *builder) WithRowPositions() storage.ScanBuilder             { return b }
func (b *builder) WithPartitionFilter(expr.Expr) storage.ScanBuilder { return b }
func (b *builder) WithDataFilter(expr.Expr) storage.ScanBuilder      { return b }
func (b *builder) WithLimitHint(int64) storage.ScanBuilder           { return b }

func (b *builder) Build(context.Context) (storage.Scan, error) {
	out := &scan{rows: vector.NewBatch(b.source.rows.Len)}
	for _, name := range b.columns {
		i := b.source.schema.Index(name)
		if i < 0 {
			return nil, fmt.Errorf("%w: table %s has no column %s", storage.ErrSchemaMismatch, b.source.name, types.QuoteIdent(name))
		}
		out.schema.Fields = append(out.schema.Fields, b.source.schema.Fields[i])
		out.rows.Columns = append(out.rows.Columns, b.source.rows.Columns[i])
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
