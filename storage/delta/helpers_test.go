package delta

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/object"
)

func isError(err, kind error) bool { return errors.Is(err, kind) }

var ctx = context.Background()

// errCommitted marks errors after a commit.
var errCommitted = errors.New("committed, and then")

var simpleName = types.TableName{Name: "t"}

// simple is the definition of most tables of the tests: id, part (the
// partition) and v.
func simple(properties map[string]string) *storage.TableDefinition {
	return &storage.TableDefinition{Partition: []storage.PartitionField{{Column: "part"}}, Properties: properties, Schema: types.Schema{Fields: []types.Field{
		{Name: "id", Type: types.Of(types.BigInt), Nullable: true},
		{Name: "part", Type: types.Of(types.String), Nullable: true},
		{Name: "v", Type: types.Of(types.Double), Nullable: true}}}}
}

// newSimple makes a table in a store.
func newSimple(t testing.TB, store object.Store, properties map[string]string) *Table {
	table := NewTable(store, "t", types.TableName{Name: "t"}, Options{EngineInfo: "tarn/test"})
	require.NoError(t, commit(table, latest(t, table), storage.RowDelta{Definition: simple(properties), Operation: "CREATE TABLE"}))
	return table
}

// reopen gives a handle that has seen nothing yet.
func reopen(table *Table) *Table {
	return OpenTable(table.store, table.root, table.name, table.options)
}

func latest(t testing.TB, table *Table) *Snapshot {
	s, err := table.loadLatest(ctx)
	require.NoError(t, err)
	return s
}

// commit runs the commit loop.
func commit(table *Table, base storage.Snapshot, d storage.RowDelta) error {
	c := table.Committer()
	for {
		head, err := table.LoadLatest(ctx)
		if err != nil {
			return err
		}
		if err := c.Check(ctx, base, head, d); err != nil {
			return err
		}
		a, err := c.Prepare(ctx, head, d)
		if err != nil {
			return err
		}
		err = c.Publish(ctx, a)
		var ambiguous *storage.AmbiguousError
		if errors.As(err, &ambiguous) {
			found, findErr := c.Find(ctx, a)
			if findErr != nil {
				return &storage.CommitUnknown{Publish: err, Find: findErr}
			}
			if err = storage.ErrLostRace; found {
				err = nil
			}
		}
		if err == nil {
			if err := c.Committed(ctx, a); err != nil {
				return fmt.Errorf("%w: %w", errCommitted, err)
			}
			return nil
		}
		if !errors.Is(err, storage.ErrLostRace) {
			return err
		}
	}
}

func batchOf(schema types.Schema, rows ...[]any) *vector.Batch {
	b := vector.NewBatch(len(rows))
	for c, f := range schema.Fields {
		builder := vector.NewBuilder(f.Type, len(rows))
		for _, r := range rows {
			builder.AppendValue(r[c])
		}
		b.Columns = append(b.Columns, builder.Vector())
	}
	return b
}

// stage writes rows.
func stage(table *Table, base *Snapshot, rows ...[]any) (storage.RowDelta, error) {
	w, err := table.NewDeltaWriter(ctx, base, storage.WriteOptions{})
	if err != nil {
		return storage.RowDelta{}, err
	}
	if err := w.Write(ctx, batchOf(base.Schema(), rows...)); err != nil {
		return storage.RowDelta{}, errors.Join(err, w.Abort(ctx))
	}
	result, err := w.Complete(ctx)
	if err != nil {
		return storage.RowDelta{}, errors.Join(err, w.Abort(ctx))
	}
	return storage.RowDelta{Added: result.DataFiles, Operation: "WRITE"}, nil
}

func insert(table *Table, rows ...[]any) error {
	base, err := table.loadLatest(ctx)
	if err != nil {
		return err
	}
	d, err := stage(table, base, rows...)
	if err != nil {
		return err
	}
	return commit(table, base, d)
}

// where resolves column op value.
func where(t testing.TB, s storage.Snapshot, column, op string, value any) expr.Expr {
	i := s.Schema().Index(column)
	f := s.Schema().Fields[i]
	e, err := eval.Resolve(op, []expr.Expr{&expr.Column{Index: i, Name: f.Name, T: f.Type, MayBeNull: true}, &expr.Literal{T: f.Type, Value: value}})
	require.NoError(t, err)
	return e
}

// remove stages the removal of the rows for which a filter is true.
func remove(t testing.TB, table *Table, base *Snapshot, filter expr.Expr) storage.RowDelta {
	scan, err := base.NewScan().WithColumns([]string{}).WithDataFilter(filter).WithRowPositions().Build(ctx)
	require.NoError(t, err)
	w, err := table.NewDeltaWriter(ctx, base, storage.WriteOptions{})
	require.NoError(t, err)
	for _, task := range scan.Tasks() {
		r, err := scan.Open(ctx, task)
		require.NoError(t, err)
		for {
			b, err := r.Next(ctx)
			if err == io.EOF {
				break
			}
			require.NoError(t, err)
			for k := range b.Rows() {
				require.NoError(t, w.DeletePositions(ctx, task.File, []int64{b.Columns[0].Value(b.Row(k)).(int64)}))
			}
		}
		require.NoError(t, r.Close())
	}
	result, err := w.Complete(ctx)
	require.NoError(t, err)
	return storage.RowDelta{Added: result.DataFiles, Removed: result.RemovedFiles, ReadFilter: filter, Operation: "DELETE"}
}

// readRows gives the rows of a scan as sorted lines.
func readRows(b storage.ScanBuilder) ([]string, error) {
	scan, err := b.Build(ctx)
	if err != nil {
		return nil, err
	}
	lines := []string{}
	for _, task := range scan.Tasks() {
		r, err := scan.Open(ctx, task)
		if err != nil {
			return nil, err
		}
		for {
			batch, err := r.Next(ctx)
			if err == io.EOF {
				break
			}
			if err != nil {
				return nil, errors.Join(err, r.Close())
			}
			for k := range batch.Rows() {
				cells := []string{}
				for i, c := range batch.Columns {
					cells = append(cells, expr.FormatLiteral(scan.Schema().Fields[i].Type, c.Value(batch.Row(k))))
				}
				lines = append(lines, strings.Join(cells, " "))
			}
		}
		if err := r.Close(); err != nil {
			return nil, err
		}
	}
	sort.Strings(lines)
	return lines, nil
}

func rowsOf(t testing.TB, s storage.Snapshot) string {
	lines, err := readRows(s.NewScan())
	require.NoError(t, err)
	return strings.Join(lines, "; ")
}

func row3(id int, part any, v any) []any { return []any{int64(id), part, v} }

// transactionVersion is how far an application has come that writes its
// versions into the table's commits (protocol, "Transaction Identifiers").
func (s *Snapshot) transactionVersion(appID string) (version int64, ok bool) {
	txn, ok := s.txns[appID]
	return txn.Version, ok
}

// domain is the configuration of a metadata domain (protocol, "Domain
// Metadata").
func (s *Snapshot) domain(name string) (configuration string, ok bool) {
	d, ok := s.domains[name]
	if !ok || d.Removed {
		return "", false
	}
	return d.Configuration, true
}
