package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/tarndb/tarn/conformance"
	"github.com/tarndb/tarn/driver"
	"github.com/tarndb/tarn/exec"
	"github.com/tarndb/tarn/pushdown"
	"github.com/tarndb/tarn/sql/bind"
	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/parser"
	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
)

// memory holds tables as batches of a number of rows each, without statistics,
// so that nothing is pruned. It resolves them and refuses changes.
type memory struct {
	exec.Tx // nil: what is not a query is not called
	tables  map[string]*memoryTable
}

// memoryTable is a table of memory, a task for each batch. The answer to every
// filter is Inexact, and it is not applied.
type memoryTable struct {
	name    string
	schema  types.Schema
	batches []*vector.Batch
}

// Name implements plan.Source.
func (t *memoryTable) Name() types.TableName { return types.TableName{Name: t.name} }

// Schema implements plan.Source.
func (t *memoryTable) Schema() types.Schema { return t.schema }

// PartitionColumns implements plan.Source.
func (t *memoryTable) PartitionColumns() []string { return nil }

// NewScan implements storage.Scannable.
func (t *memoryTable) NewScan() storage.ScanBuilder { return &memoryScan{memoryTable: t} }

// memoryScan is a scan of a table and its own builder.
type memoryScan struct {
	*memoryTable
	columns []int
}

// Support implements storage.ScanBuilder.
func (s *memoryScan) Support(expr.Expr) storage.FilterSupport { return storage.Inexact }

// WithRowPositions implements storage.ScanBuilder.
func (s *memoryScan) WithRowPositions() storage.ScanBuilder { return s }

// WithPartitionFilter implements storage.ScanBuilder.
func (s *memoryScan) WithPartitionFilter(expr.Expr) storage.ScanBuilder { return s }

// WithDataFilter implements storage.ScanBuilder.
func (s *memoryScan) WithDataFilter(expr.Expr) storage.ScanBuilder { return s }

// WithLimitHint implements storage.ScanBuilder.
func (s *memoryScan) WithLimitHint(int64) storage.ScanBuilder { return s }

// WithColumns implements storage.ScanBuilder.
func (s *memoryScan) WithColumns(names []string) storage.ScanBuilder {
	for _, n := range names {
		s.columns = append(s.columns, s.schema.Index(n))
	}
	return s
}

// Build implements storage.ScanBuilder.
func (s *memoryScan) Build(context.Context) (storage.Scan, error) { return s, nil }

// ColumnStatistics implements storage.Scan.
func (s *memoryScan) ColumnStatistics(storage.ScanTask, int) (storage.ColumnStats, bool) {
	return storage.ColumnStats{}, false
}

// Narrow implements storage.Scan.
func (s *memoryScan) Narrow([]storage.RuntimeFilter) storage.Scan { return s }

// Summary implements storage.Scan.
func (s *memoryScan) Summary() storage.ScanSummary {
	return storage.ScanSummary{FilesTotal: len(s.batches), FilesSelected: len(s.batches)}
}

// Tasks implements storage.Scan.
func (s *memoryScan) Tasks() []storage.ScanTask {
	tasks := make([]storage.ScanTask, len(s.batches))
	for i := range tasks {
		tasks[i].File = storage.DataFile{Path: fmt.Sprint(i), Records: int64(s.batches[i].Len)}
	}
	return tasks
}

// Open implements storage.Scan.
func (s *memoryScan) Open(_ context.Context, t storage.ScanTask) (storage.BatchReader, error) {
	var i int
	if _, err := fmt.Sscan(t.File.Path, &i); err != nil {
		return nil, err
	}
	b := vector.NewBatch(s.batches[i].Len)
	for _, c := range s.columns {
		b.Columns = append(b.Columns, s.batches[i].Columns[c])
	}
	return &memoryReader{b}, nil
}

// memoryReader gives one batch.
type memoryReader struct{ batch *vector.Batch }

// Close implements storage.BatchReader.
func (r *memoryReader) Close() error { return nil }

// Metrics implements storage.BatchReader.
func (r *memoryReader) Metrics() storage.ReadMetrics { return storage.ReadMetrics{} }

// Next implements storage.BatchReader.
func (r *memoryReader) Next(context.Context) (*vector.Batch, error) {
	b := r.batch
	r.batch = nil
	if b == nil || b.Len == 0 {
		return nil, io.EOF
	}
	return b, nil
}

// Resolve implements plan.Catalog.
func (m memory) Resolve(_ context.Context, n types.TableName, _ *plan.AsOf) (plan.Source, error) {
	if t, ok := m.tables[strings.ToLower(n.Name)]; ok {
		return t, nil
	}
	return nil, storage.ErrTableNotFound
}

// Target implements plan.Catalog.
func (m memory) Target(context.Context, types.TableName) (plan.Source, error) {
	return nil, plan.ErrReadOnly
}

// NoteRead implements exec.Tx.
func (m memory) NoteRead(plan.Source, expr.Expr) {}

// load reads the tables of a warehouse into batches of size rows.
func load(ctx context.Context, db *sql.DB, tables []table, size int) (memory, error) {
	m := memory{tables: map[string]*memoryTable{}}
	for _, t := range tables {
		answer, err := conformance.Query(ctx, db, "SELECT * FROM "+t.name+" ORDER BY id")
		if err != nil {
			return m, err
		}
		of := &memoryTable{name: t.name, schema: types.Schema{Fields: answer.Fields}}
		for from := 0; from < len(answer.Rows); from += size {
			to := min(from+size, len(answer.Rows))
			b := vector.NewBatch(to - from)
			for c, f := range answer.Fields {
				builder := vector.NewBuilder(f.Type, to-from)
				for _, row := range answer.Rows[from:to] {
					builder.AppendValue(internal(f.Type, row[c]))
				}
				b.Columns = append(b.Columns, builder.Vector())
			}
			of.batches = append(of.batches, b)
		}
		m.tables[t.name] = of
	}
	return m, nil
}

// bound parses and binds a query.
func (m memory) bound(ctx context.Context, text string, env *eval.Env) (n plan.Node, err error) {
	defer storage.Guard(&err)
	stmt, err := parser.Parse(text)
	if err != nil {
		return nil, err
	}
	return bind.Statement(ctx, stmt, bind.Options{Catalog: m, Text: text, Env: env})
}

// query runs a query on the tables.
func (m memory) query(ctx context.Context, text string, threads int) (out conformance.Answer, err error) {
	defer storage.Guard(&err)
	env := &eval.Env{Zone: time.UTC, Now: time.Now()}
	node, err := m.bound(ctx, text, env)
	if err == nil {
		node, err = pushdown.Rewrite(node)
	}
	if err != nil {
		return out, err
	}
	result, err := exec.Run(ctx, node, exec.Env{Eval: env, Threads: threads, Tx: m})
	if err != nil {
		return out, err
	}
	out.Fields = result.Schema.Fields
	for {
		b, err := result.Next(ctx)
		if err == io.EOF {
			return out, result.Close()
		}
		if err != nil {
			return out, errors.Join(err, result.Close())
		}
		for k := range b.Rows() {
			row := make([]any, len(b.Columns))
			for c, v := range b.Columns {
				row[c] = external(v.Type, v.Value(b.Row(k)))
			}
			out.Rows = append(out.Rows, row)
		}
	}
}

// internal gives a value that the driver gave in the form of
// vector.Vector.Value.
func internal(t types.Type, v any) any {
	switch x := v.(type) {
	case string:
		if t.Kind == types.Decimal {
			d, _ := types.ParseDecimalAs(x, int(t.Precision), int(t.Scale))
			return d
		}
	case time.Time:
		if t.Kind == types.Date {
			return x.Unix() / 86400
		}
		return x.UnixMicro()
	case driver.List:
		out := make([]any, len(x))
		for i, e := range x {
			out[i] = internal(t.Elem.Type, e)
		}
		return out
	case driver.Struct:
		out := make([]any, len(x))
		for i, f := range x {
			out[i] = internal(t.Fields[i].Type, f.Value)
		}
		return out
	case driver.Map:
		out := make([]vector.MapEntry, len(x))
		for i, e := range x {
			out[i] = vector.MapEntry{Key: internal(t.Key.Type, e.Key), Value: internal(t.Elem.Type, e.Value)}
		}
		return out
	}
	return v
}

// external is the inverse of internal.
func external(t types.Type, v any) any {
	switch x := v.(type) {
	case types.Decimal128:
		return x.Format(int(t.Scale))
	case types.Interval:
		return types.FormatInterval(t, x)
	case []byte:
		switch t.Kind {
		case types.UUID:
			return uuid.UUID(x).String()
		case types.Variant:
			json, err := eval.AppendVariantJSON(nil, x, time.UTC)
			if err != nil {
				return err
			}
			return driver.Variant(json)
		}
	case int64:
		switch t.Kind {
		case types.Date:
			return time.Unix(x*86400, 0).UTC()
		case types.Timestamp, types.TimestampNTZ:
			return time.UnixMicro(x).UTC()
		case types.TimestampNS, types.TimestampNTZNS:
			return time.Unix(0, x).UTC()
		case types.Time:
			return time.UnixMicro(x).UTC().Format("15:04:05.000000")
		}
	case []any:
		if t.Kind == types.Struct {
			out := make(driver.Struct, len(x))
			for i, f := range t.Fields {
				out[i] = driver.Field{Name: f.Name, Value: external(f.Type, x[i])}
			}
			return out
		}
		out := make(driver.List, len(x))
		for i, e := range x {
			out[i] = external(t.Elem.Type, e)
		}
		return out
	case []vector.MapEntry:
		out := make(driver.Map, len(x))
		for i, e := range x {
			out[i] = driver.Entry{Key: external(t.Key.Type, e.Key), Value: external(t.Elem.Type, e.Value)}
		}
		return out
	}
	return v
}
