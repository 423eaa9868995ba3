package exec_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

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

// memoryTable is a read-only table of a few batches, a task each. It answers
// Inexact to every conjunct and filters nothing, so plans must be right
// without the storage's help.
type memoryTable struct {
	name    string
	schema  types.Schema
	batches []*vector.Batch
	columns []int
	filters []storage.RuntimeFilter
	with    bool
}

func (t *memoryTable) Name() types.TableName      { return types.TableName{Name: t.name} }
func (t *memoryTable) Schema() types.Schema       { return t.schema }
func (t *memoryTable) PartitionColumns() []string { return nil }
func (t *memoryTable) NewScan() storage.ScanBuilder {
	return &memoryScan{memoryTable: *t}
}

type memoryScan struct{ memoryTable }

func (s *memoryScan) Support(expr.Expr) storage.FilterSupport           { return storage.Inexact }
func (s *memoryScan) WithRowPositions() storage.ScanBuilder             { s.with = true; return s }
func (s *memoryScan) WithPartitionFilter(expr.Expr) storage.ScanBuilder { return s }
func (s *memoryScan) WithDataFilter(expr.Expr) storage.ScanBuilder      { return s }
func (s *memoryScan) WithLimitHint(int64) storage.ScanBuilder           { return s }
func (s *memoryPlan) ColumnStatistics(storage.ScanTask, int) (storage.ColumnStats, bool) {
	return storage.ColumnStats{}, false
}
func (s *memoryScan) Build(context.Context) (storage.Scan, error) { return (*memoryPlan)(s), nil }
func (s *memoryScan) WithColumns(names []string) storage.ScanBuilder {
	s.columns = []int{}
	for _, n := range names {
		s.columns = append(s.columns, s.schema.Index(n))
	}
	return s
}

type memoryPlan memoryScan

func (p *memoryPlan) Schema() types.Schema { return p.schema }
func (p *memoryPlan) Summary() storage.ScanSummary {
	return storage.ScanSummary{FilesTotal: len(p.batches), FilesSelected: len(p.batches)}
}
func (p *memoryPlan) Tasks() []storage.ScanTask {
	tasks := make([]storage.ScanTask, len(p.batches))
	for i := range tasks {
		tasks[i].File = storage.DataFile{Path: fmt.Sprint(i), Records: int64(p.batches[i].Len)}
	}
	return tasks
}

func (p *memoryPlan) Open(_ context.Context, t storage.ScanTask) (storage.BatchReader, error) {
	var i int
	fmt.Sscan(t.File.Path, &i)
	b := vector.NewBatch(p.batches[i].Len)
	for _, c := range p.columns {
		b.Columns = append(b.Columns, p.batches[i].Columns[c])
	}
	for _, f := range p.filters {
		if f.Members != nil && b.Len > 0 {
			b.Sel = f.Members.Select(b.Columns[f.Column], b.Sel, b.Len, make(vector.Selection, b.Len))
		}
	}
	return &memoryReader{batch: b}, nil
}

// Narrow applies the sets of filters, and not the bounds.
func (p *memoryPlan) Narrow(filters []storage.RuntimeFilter) storage.Scan {
	narrowed := *p
	narrowed.filters = filters
	return &narrowed
}

type memoryReader struct{ batch *vector.Batch }

func (r *memoryReader) Close() error                 { return nil }
func (r *memoryReader) Metrics() storage.ReadMetrics { return storage.ReadMetrics{} }
func (r *memoryReader) Next(context.Context) (*vector.Batch, error) {
	b := r.batch
	r.batch = nil
	if b == nil || b.Rows() == 0 {
		return nil, io.EOF
	}
	return b, nil
}

// readOnlyTx resolves memory tables and refuses changes.
type readOnlyTx struct {
	tables  map[string]*memoryTable
	limit   int64 // of memory; 0 for none
	tempDir string
}

var errReadOnly = errors.New("read-only")

func (t readOnlyTx) Resolve(_ context.Context, n types.TableName, _ *plan.AsOf) (plan.Source, error) {
	if table, ok := t.tables[strings.ToLower(n.Name)]; ok {
		return table, nil
	}
	return nil, storage.ErrTableNotFound
}
func (t readOnlyTx) Target(context.Context, types.TableName) (plan.Source, error) {
	return nil, errReadOnly
}
func (t readOnlyTx) NoteRead(plan.Source, expr.Expr) {}
func (t readOnlyTx) Append(context.Context, plan.Source, *vector.Batch, expr.Expr) error {
	return errReadOnly
}
func (t readOnlyTx) NewWriter(context.Context, plan.Source, storage.WriteOptions) (storage.DeltaWriter, error) {
	return nil, errReadOnly
}
func (t readOnlyTx) Stage(context.Context, plan.Source, storage.RowDelta) error { return errReadOnly }
func (t readOnlyTx) CreateTable(context.Context, types.TableName, storage.TableDefinition) (plan.Source, error) {
	return nil, errReadOnly
}
func (t readOnlyTx) DropTable(context.Context, types.TableName) error { return errReadOnly }
func (t readOnlyTx) ListTables(context.Context, string) ([]types.TableName, error) {
	return nil, nil
}

// query runs SQL and prints the rows, a line each.
func (t readOnlyTx) query(sql string, threads int) (out []string, err error) {
	stmt, err := parser.Parse(sql)
	if err != nil {
		return nil, err
	}
	env := &eval.Env{}
	ctx := context.Background()
	node, err := bind.Statement(ctx, stmt, bind.Options{Catalog: t, Text: sql, Env: env})
	if err != nil {
		return nil, err
	}
	if node, err = pushdown.Rewrite(node); err != nil {
		return nil, err
	}
	budget := exec.NewBudget(t.limit)
	if t.limit == forceSpilling {
		budget = exec.NewStingyBudget()
	}
	defer func() {
		if err == nil && budget.Used() != 0 {
			err = fmt.Errorf("%d bytes are still reserved", budget.Used())
		}
	}()
	r, err := exec.Run(ctx, node, exec.Env{Eval: env, Threads: threads, Tx: t, Budget: budget, TempDir: t.tempDir})
	if err != nil {
		return nil, err
	}
	for {
		b, err := r.Next(ctx)
		if err == io.EOF {
			return out, r.Close()
		}
		if err != nil {
			return nil, errors.Join(err, r.Close())
		}
		for k := range b.Rows() {
			var cells []string
			for _, c := range b.Columns {
				cells = append(cells, expr.FormatLiteral(c.Type, c.Value(b.Row(k))))
			}
			out = append(out, strings.Join(cells, " | "))
		}
	}
}

// tableOf makes a memory table of the rows that a query gives, in batches of
// size rows.
func (t readOnlyTx) add(test *testing.T, name, sql string, size int) {
	stmt, err := parser.Parse(sql)
	require.NoError(test, err)
	ctx := context.Background()
	node, err := bind.Statement(ctx, stmt, bind.Options{Catalog: t, Text: sql})
	require.NoError(test, err)
	r, err := exec.Run(ctx, node, exec.Env{Tx: t})
	require.NoError(test, err)
	table := &memoryTable{name: name, schema: r.Schema}
	all := vector.NewCollector(r.Schema.Types())
	for {
		b, err := r.Next(ctx)
		if err == io.EOF {
			break
		}
		require.NoError(test, err)
		require.NoError(test, all.Append(b))
	}
	require.NoError(test, r.Close())
	for from := 0; from < all.Rows(); from += size {
		table.batches = append(table.batches, all.Batch().Slice(from, min(from+size, all.Rows())))
	}
	t.tables[name] = table
}

// forceSpilling stands for a memory limit with which operators keep as little as
// they can.
const forceSpilling = -1
