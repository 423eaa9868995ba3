package storagetest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
)

// NewCatalog gives an empty catalog of the format and store under test.
type NewCatalog func(t *testing.T) storage.Catalog

// Format says in what the table formats differ as far as the contract lets them.
type Format struct {
	Word string // of TableDefinition.Format
	// HasPartitionColumns tells that the columns of a table are all partition
	// columns of each of its files; otherwise Snapshot.PartitionColumns is empty.
	HasPartitionColumns bool
	// CountsVersions tells that versions are the numbers of commits, from 0 on.
	CountsVersions bool
	// Stored gives the type that a column of another has in the table.
	Stored func(types.Type) types.Type
}

// AcceptanceTest runs the suite. Each part makes a catalog of its own.
func AcceptanceTest(t *testing.T, format Format, newCatalog NewCatalog) {
	for _, part := range []struct {
		name string
		run  func(*suite)
	}{
		{"create", (*suite).create},
		{"types", (*suite).allTypes},
		{"filters", (*suite).filters},
		{"narrow", (*suite).narrow},
		{"statistics", (*suite).columnStatistics},
		{"limit hint", (*suite).limitHint},
		{"delete and update", (*suite).deleteAndUpdate},
		{"apply", (*suite).apply},
		{"time travel", (*suite).timeTravel},
		{"conflict", (*suite).conflict},
		{"lost race", (*suite).lostRace},
		{"find", (*suite).find},
		{"abort", (*suite).abort},
		{"by key", (*suite).keyed},
		{"by key, staged", (*suite).keyedStaged},
		{"by key, conflict", (*suite).keyedConflict},
		{"by key, model", (*suite).keyedModel},
	} {
		t.Run(part.name, func(t *testing.T) {
			part.run(&suite{T: t, ctx: context.Background(), format: format, catalog: newCatalog(t)})
		})
	}
}

type suite struct {
	*testing.T
	ctx     context.Context
	format  Format
	catalog storage.Catalog
}

var tableName = types.TableName{Name: "t"}

// simple is the table that most parts use: id, part (the partition), v.
var simple = storage.TableDefinition{
	Schema: types.Schema{Fields: []types.Field{
		{Name: "id", Type: types.Of(types.BigInt), Nullable: true},
		{Name: "part", Type: types.Of(types.String), Nullable: true},
		{Name: "v", Type: types.Of(types.Double), Nullable: true},
	}},
	Partition: []storage.PartitionField{{Column: "part"}},
}

// make commits an empty table.
func (s *suite) make(d storage.TableDefinition) storage.Table {
	d.Format = s.format.Word
	table, err := s.catalog.NewTable(s.ctx, tableName, d)
	require.NoError(s, err)
	base, err := table.LoadLatest(s.ctx)
	require.NoError(s, err)
	require.Equal(s, storage.NoVersion, base.Version())
	s.commit(table, base, storage.RowDelta{Definition: &d, Operation: "CREATE TABLE"})
	loaded, err := s.catalog.LoadTable(s.ctx, tableName)
	require.NoError(s, err)
	return loaded
}

func (s *suite) latest(table storage.Table) storage.Snapshot {
	snapshot, err := table.LoadLatest(s.ctx)
	require.NoError(s, err)
	return snapshot
}

// try runs one round of the commit loop.
func (s *suite) try(table storage.Table, base storage.Snapshot, d storage.RowDelta) error {
	c := table.Committer()
	head := s.latest(table)
	if err := c.Check(s.ctx, base, head, d); err != nil {
		return err
	}
	attempt, err := c.Prepare(s.ctx, head, d)
	if err != nil {
		return err
	}
	if err := c.Publish(s.ctx, attempt); err != nil {
		return errors.Join(err, c.Discard(s.ctx, attempt))
	}
	return c.Committed(s.ctx, attempt)
}

func (s *suite) commit(table storage.Table, base storage.Snapshot, d storage.RowDelta) {
	require.NoError(s, s.try(table, base, d))
}

// batch makes a batch of rows for a schema.
func batch(schema types.Schema, rows ...[]any) *vector.Batch {
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

// write stages rows.
func (s *suite) write(table storage.Table, base storage.Snapshot, rows ...[]any) storage.RowDelta {
	w, err := table.NewDeltaWriter(s.ctx, base, storage.WriteOptions{})
	require.NoError(s, err)
	require.NoError(s, w.Write(s.ctx, batch(base.Schema(), rows...)))
	result, err := w.Complete(s.ctx)
	require.NoError(s, err)
	return storage.RowDelta{Added: result.DataFiles, Removed: result.RemovedFiles, AddedDeletes: result.DeleteFiles, RemovedDeletes: result.RemovedDeletes, Operation: "WRITE"}
}

func (s *suite) insert(table storage.Table, rows ...[]any) {
	base := s.latest(table)
	s.commit(table, base, s.write(table, base, rows...))
}

// read gives the rows of a scan as sorted text.
func (s *suite) read(b storage.ScanBuilder) []string {
	scan, err := b.Build(s.ctx)
	require.NoError(s, err)
	lines := []string{}
	for _, task := range scan.Tasks() {
		lines = append(lines, s.readTask(scan, task)...)
	}
	sort.Strings(lines)
	return lines
}

func (s *suite) readTask(scan storage.Scan, task storage.ScanTask) []string {
	r, err := scan.Open(s.ctx, task)
	require.NoError(s, err)
	defer func() { require.NoError(s, r.Close()) }()
	var lines []string
	for {
		b, err := r.Next(s.ctx)
		if err == io.EOF {
			return lines
		}
		require.NoError(s, err)
		require.NotZero(s, b.Rows())
		require.Len(s, b.Columns, len(scan.Schema().Fields))
		for k := range b.Rows() {
			lines = append(lines, line(b, b.Row(k)))
		}
	}
}

// line prints a row.
func line(b *vector.Batch, row int) string {
	cells := make([]string, len(b.Columns))
	for i, c := range b.Columns {
		cells[i] = expr.FormatLiteral(c.Type, c.Value(row))
	}
	return strings.Join(cells, " ")
}

func (s *suite) rows(snapshot storage.Snapshot) string {
	return strings.Join(s.read(snapshot.NewScan()), "; ")
}

func (s *suite) create() {
	_, err := s.catalog.LoadTable(s.ctx, tableName)
	require.ErrorIs(s, err, storage.ErrTableNotFound)
	table := s.make(simple)
	snapshot := s.latest(table)
	require.NotEqual(s, storage.NoVersion, snapshot.Version())
	require.True(s, snapshot.Schema().Equal(simple.Schema))
	if s.format.CountsVersions {
		require.Equal(s, storage.Version(0), snapshot.Version())
	}
	if s.format.HasPartitionColumns {
		require.Equal(s, []string{"part"}, snapshot.PartitionColumns())
	} else {
		require.Empty(s, snapshot.PartitionColumns())
	}
	require.Empty(s, s.rows(snapshot))
	again := simple
	again.Format = s.format.Word
	_, err = s.catalog.NewTable(s.ctx, tableName, again)
	require.ErrorIs(s, err, storage.ErrTableExists)
	tables, err := s.catalog.ListTables(s.ctx, "")
	require.NoError(s, err)
	require.Len(s, tables, 1)
	require.NoError(s, s.catalog.DropTable(s.ctx, tableName))
	_, err = s.catalog.LoadTable(s.ctx, tableName)
	require.ErrorIs(s, err, storage.ErrTableNotFound)
}

// allTypes writes and reads a value, an extreme and a NULL of every type.
func (s *suite) allTypes() {
	str := types.Of(types.String)
	long := strings.Repeat("é", 100)
	columns := []struct {
		t      types.Type
		values [2]any
	}{
		{types.Of(types.Boolean), [2]any{true, false}},
		{types.Of(types.TinyInt), [2]any{int64(-128), int64(127)}},
		{types.Of(types.SmallInt), [2]any{int64(-32768), int64(7)}},
		{types.Of(types.Int), [2]any{int64(-1 << 31), int64(7)}},
		{types.Of(types.BigInt), [2]any{int64(-1 << 63), int64(7)}},
		{types.Of(types.Float), [2]any{1.5, -0.25}},
		{types.Of(types.Double), [2]any{0.1, -1e300}},
		{types.DecimalOf(7, 2), [2]any{types.Decimal128FromInt64(-9999999), types.Decimal128FromInt64(1)}},
		{types.DecimalOf(18, 4), [2]any{types.Decimal128FromInt64(-999999999999999999), types.Decimal128FromInt64(1)}},
		{types.DecimalOf(38, 10), [2]any{types.Pow10(37), types.Decimal128FromInt64(-1)}},
		{str, [2]any{"", long}},
		{types.Of(types.Binary), [2]any{[]byte{}, []byte{0, 255}}},
		{types.Of(types.Date), [2]any{int64(-719162), int64(2932896)}},
		{types.Of(types.Timestamp), [2]any{int64(-62135596800000000), int64(1)}},
		{types.Of(types.TimestampNTZ), [2]any{int64(253402300799999999), int64(-1)}},
		{types.ArrayOf(str, true), [2]any{[]any{"x", nil}, []any{}}},
		{types.MapOf(str, types.Of(types.Int), true), [2]any{[]vector.MapEntry{{Key: "k", Value: int64(1)}, {Key: "l", Value: nil}}, []vector.MapEntry{}}},
		{types.StructOf(types.Field{Name: "a", Type: types.Of(types.Int), Nullable: true}, types.Field{Name: "b", Type: types.ArrayOf(str, true), Nullable: true}),
			[2]any{[]any{int64(1), []any{"y"}}, []any{nil, nil}}},
	}
	d := storage.TableDefinition{}
	rows := make([][]any, 3)
	for i, c := range columns {
		d.Schema.Fields = append(d.Schema.Fields, types.Field{Name: fmt.Sprintf("c%d", i), Type: c.t, Nullable: true})
		rows[0], rows[1], rows[2] = append(rows[0], c.values[0]), append(rows[1], c.values[1]), append(rows[2], nil)
	}
	table := s.make(d)
	s.insert(table, rows...)
	want := []string{}
	for _, r := range rows {
		cells := make([]string, len(r))
		for i, v := range r {
			cells[i] = expr.FormatLiteral(columns[i].t, v)
		}
		want = append(want, strings.Join(cells, " "))
	}
	sort.Strings(want)
	snapshot := s.latest(table)
	for i := range d.Schema.Fields {
		d.Schema.Fields[i].Type = s.format.Stored(d.Schema.Fields[i].Type)
	}
	require.True(s, snapshot.Schema().Equal(d.Schema))
	require.Equal(s, want, s.read(snapshot.NewScan()))
	require.Len(s, s.read(snapshot.NewScan().WithColumns([]string{"c17", "c3"})), 3)
	require.Len(s, s.read(snapshot.NewScan().WithColumns(nil)), 3)
}

func (s *suite) filled() storage.Table {
	table := s.make(simple)
	s.insert(table, []any{int64(1), "a", 1.5}, []any{int64(2), "a", nil}, []any{int64(3), "b", 2.5})
	s.insert(table, []any{int64(10), "a", 3.5}, []any{int64(11), nil, 0.5})
	return table
}

func (s *suite) condition(op string, snapshot storage.Snapshot, column string, value any) expr.Expr {
	i := snapshot.Schema().Index(column)
	f := snapshot.Schema().Fields[i]
	e, err := eval.Resolve(op, []expr.Expr{&expr.Column{Index: i, Name: f.Name, T: f.Type, MayBeNull: true}, &expr.Literal{T: f.Type, Value: value}})
	require.NoError(s, err)
	return e
}

// ofPartition keeps the files of a partition: by the filter of partition columns,
// if the format has them.
func (s *suite) ofPartition(b storage.ScanBuilder, filter expr.Expr) storage.ScanBuilder {
	if s.format.HasPartitionColumns {
		require.Equal(s, storage.Exact, b.Support(filter))
		return b.WithPartitionFilter(filter)
	}
	return b.WithDataFilter(filter)
}

// matches compares the rows of a scan with those that satisfy its filter, which
// are all if the filter's support is Exact.
func (s *suite) matches(support storage.FilterSupport, want, got []string) {
	if support == storage.Exact {
		require.Equal(s, want, got)
	} else {
		require.Subset(s, got, want)
	}
}

// filters checks that a filter answered Exact is applied to rows, that one
// answered Inexact keeps all rows that satisfy it, and what the summary tells.
func (s *suite) filters() {
	snapshot := s.latest(s.filled())
	partition := s.condition("=", snapshot, "part", "a")
	support := snapshot.NewScan().Support(partition)
	s.matches(support, []string{"1", "10", "2"}, s.read(s.ofPartition(snapshot.NewScan().WithColumns([]string{"id"}), partition)))
	scan, err := s.ofPartition(snapshot.NewScan(), partition).Build(s.ctx)
	require.NoError(s, err)
	sum := scan.Summary()
	require.Equal(s, []int{4, 2, 2}, []int{sum.FilesTotal, sum.FilesSelected, len(sum.SkippedByPartition) + len(sum.SkippedByStatistics)})
	if s.format.HasPartitionColumns {
		require.Len(s, sum.SkippedByPartition, 2)
	}

	data := s.condition(">", snapshot, "id", int64(2))
	got := s.read(snapshot.NewScan().WithColumns([]string{"part", "id"}).WithDataFilter(data))
	s.matches(snapshot.NewScan().Support(data), []string{"'a' 10", "'b' 3", "NULL 11"}, got)
	scan, err = snapshot.NewScan().WithDataFilter(data).Build(s.ctx)
	require.NoError(s, err)
	require.Len(s, scan.Summary().SkippedByStatistics, 1)
	none := s.condition("=", snapshot, "id", int64(99))
	require.Empty(s, s.read(s.ofPartition(snapshot.NewScan().WithColumns([]string{"v"}).WithDataFilter(none), partition)))
	isNull := expr.IsNull(partition.Children()[0])
	s.matches(snapshot.NewScan().Support(isNull), []string{"11"}, s.read(s.ofPartition(snapshot.NewScan().WithColumns([]string{"id"}), isNull)))
}

// evenNumbers is a set.
type evenNumbers struct{}

func (evenNumbers) Select(v *vector.Vector, sel vector.Selection, n int, out vector.Selection) vector.Selection {
	b := vector.Batch{Len: n, Sel: sel}
	out = out[:0]
	for k := range b.Rows() {
		if id, ok := v.Value(b.Row(k)).(int64); ok && id%2 == 0 {
			out = append(out, int32(b.Row(k)))
		}
	}
	return out
}

// narrow checks that a narrowed scan gives no row that is not in the whole one
// and every row that passes, leaves files out by bounds, and that the whole
// scan stays as it was.
func (s *suite) narrow() {
	snapshot := s.latest(s.filled())
	whole, err := snapshot.NewScan().WithColumns([]string{"part", "id"}).Build(s.ctx)
	require.NoError(s, err)
	id := &expr.Column{Index: 1, Name: "id", T: types.Of(types.BigInt), MayBeNull: true}
	bounds := func(low int64) expr.Expr { return expr.Compare(expr.OpGreaterEqual, id, expr.Int(low)) }
	read := func(scan storage.Scan) []string {
		lines := []string{}
		for _, task := range scan.Tasks() {
			lines = append(lines, s.readTask(scan, task)...)
		}
		sort.Strings(lines)
		return lines
	}
	all := read(whole)
	require.Len(s, all, 5)
	narrowed := whole.Narrow([]storage.RuntimeFilter{{Column: 1, Bounds: bounds(3)}})
	require.Subset(s, all, read(narrowed))
	require.Subset(s, read(narrowed), []string{"'a' 10", "'b' 3", "NULL 11"})
	require.Len(s, narrowed.Summary().SkippedAtRunTime, 1)
	narrowed = narrowed.Narrow([]storage.RuntimeFilter{{Column: 1, Bounds: bounds(2), Members: evenNumbers{}}})
	require.Subset(s, all, read(narrowed))
	require.Contains(s, read(narrowed), "'a' 10")
	require.Empty(s, read(whole.Narrow([]storage.RuntimeFilter{{Column: 1, Bounds: expr.False}})))
	require.Equal(s, all, read(whole))
	require.Empty(s, whole.Summary().SkippedAtRunTime)
}

// columnStatistics checks that what a scan says of a file's column for certain
// is what the file's rows say.
func (s *suite) columnStatistics() {
	scan, err := s.latest(s.filled()).NewScan().WithColumns([]string{"id", "part"}).Build(s.ctx)
	require.NoError(s, err)
	for _, task := range scan.Tasks() {
		rows := s.readTask(scan, task)
		require.Len(s, rows, int(task.File.LiveRecords()))
		for column := range scan.Schema().Fields {
			stats, ok := scan.ColumnStatistics(task, column)
			if !ok {
				continue
			}
			var values []string
			for _, r := range rows {
				if v := strings.Fields(r)[column]; v != "NULL" {
					values = append(values, v)
				}
			}
			require.Len(s, rows, len(values)+int(stats.NullCount))
			if len(values) > 0 {
				require.Contains(s, values, expr.FormatLiteral(stats.Type, stats.Min))
				require.Contains(s, values, expr.FormatLiteral(stats.Type, stats.Max))
			}
		}
	}
}

// limitHint checks that a hint never gives fewer rows than it asks for, and
// that it is no limit when a filter stands between.
func (s *suite) limitHint() {
	snapshot := s.latest(s.filled())
	got := s.read(snapshot.NewScan().WithLimitHint(2))
	require.GreaterOrEqual(s, len(got), 2)
	require.Less(s, len(got), 5)
	data := s.condition(">", snapshot, "id", int64(2))
	require.Len(s, s.read(snapshot.NewScan().WithColumns([]string{"id"}).WithDataFilter(data).WithLimitHint(3)), 3)
	most := s.condition("<>", snapshot, "id", int64(1)) // four rows of five, of which one file with another has two
	require.GreaterOrEqual(s, len(s.read(snapshot.NewScan().WithDataFilter(most).WithLimitHint(4))), 4)
}

// change takes rows away by their positions and writes others.
func (s *suite) change(table storage.Table, base storage.Snapshot, filter expr.Expr, rows ...[]any) storage.RowDelta {
	scan, err := base.NewScan().WithColumns([]string{}).WithDataFilter(filter).WithRowPositions().Build(s.ctx)
	require.NoError(s, err)
	w, err := table.NewDeltaWriter(s.ctx, base, storage.WriteOptions{})
	require.NoError(s, err)
	for _, task := range scan.Tasks() {
		r, err := scan.Open(s.ctx, task)
		require.NoError(s, err)
		for {
			b, err := r.Next(s.ctx)
			if err == io.EOF {
				break
			}
			require.NoError(s, err)
			var positions []int64
			for k := range b.Rows() {
				positions = append(positions, b.Columns[0].Value(b.Row(k)).(int64))
			}
			require.NoError(s, w.DeletePositions(s.ctx, task.File, positions))
		}
		require.NoError(s, r.Close())
	}
	if len(rows) > 0 {
		require.NoError(s, w.Write(s.ctx, batch(base.Schema(), rows...)))
	}
	result, err := w.Complete(s.ctx)
	require.NoError(s, err)
	return storage.RowDelta{Added: result.DataFiles, Removed: result.RemovedFiles, AddedDeletes: result.DeleteFiles, RemovedDeletes: result.RemovedDeletes, ReadFilter: filter, Operation: "UPDATE"}
}

func (s *suite) deleteAndUpdate() {
	table := s.filled()
	base := s.latest(table)
	s.commit(table, base, s.change(table, base, s.condition("=", base, "id", int64(2))))
	base = s.latest(table)
	require.Equal(s, "1 'a' 1.5; 10 'a' 3.5; 11 NULL 0.5; 3 'b' 2.5", s.rows(base))
	s.commit(table, base, s.change(table, base, s.condition("<", base, "id", int64(4)), []any{int64(30), "b", 9.0}))
	base = s.latest(table)
	require.Equal(s, "10 'a' 3.5; 11 NULL 0.5; 30 'b' 9", s.rows(base))

	w, err := table.NewDeltaWriter(s.ctx, base, storage.WriteOptions{})
	require.NoError(s, err)
	scan, err := s.ofPartition(base.NewScan(), s.condition("=", base, "part", "a")).Build(s.ctx)
	require.NoError(s, err)
	for _, task := range scan.Tasks() {
		require.EqualValues(s, 1, task.File.LiveRecords())
		require.NoError(s, w.DeleteFile(s.ctx, task.File))
	}
	result, err := w.Complete(s.ctx)
	require.NoError(s, err)
	require.Empty(s, result.DataFiles)
	s.commit(table, base, storage.RowDelta{Removed: result.RemovedFiles, ReadFilter: expr.True, Operation: "DELETE"})
	require.Equal(s, "11 NULL 0.5; 30 'b' 9", s.rows(s.latest(table)))
}

// apply checks that a snapshot with a change applied reads as the table does
// after the commit, and that the snapshot itself stays.
func (s *suite) apply() {
	table := s.filled()
	base := s.latest(table)
	before := s.rows(base)
	delta := s.change(table, base, s.condition("=", base, "id", int64(10)), []any{int64(12), "c", 1.0})
	view, err := base.Apply(delta)
	require.NoError(s, err)
	viewed := s.rows(view)
	require.Equal(s, base.Version(), view.Version())
	again := s.write(table, view, []any{int64(13), "c", nil})
	second, err := view.Apply(again)
	require.NoError(s, err)
	require.Equal(s, before, s.rows(base))
	require.Equal(s, viewed, s.rows(view))
	require.Contains(s, s.rows(second), "13 'c' NULL")
	s.commit(table, base, delta)
	require.Equal(s, viewed, s.rows(s.latest(table)))
	require.Equal(s, before, s.rows(base))
}

func (s *suite) timeTravel() {
	table := s.make(simple)
	var versions []storage.Version
	if s.format.CountsVersions {
		versions = append(versions, 0)
	}
	first := 1 - len(versions) // rows of the first version
	for i := range 13 {        // past a checkpoint
		s.insert(table, []any{int64(i), "a", nil})
		versions = append(versions, s.latest(table).Version())
	}
	for i, v := range versions {
		snapshot, err := table.LoadAt(s.ctx, v)
		require.NoError(s, err)
		require.Equal(s, v, snapshot.Version())
		require.Len(s, s.read(snapshot.NewScan()), first+i)
		require.NoError(s, table.CheckVersionExists(s.ctx, v))
		if s.format.CountsVersions {
			require.EqualValues(s, i, v)
		}
	}
	latest := versions[len(versions)-1]
	_, err := table.LoadAt(s.ctx, latest+1)
	require.ErrorIs(s, err, storage.ErrVersionNotFound)
	require.ErrorIs(s, table.CheckVersionExists(s.ctx, latest+1), storage.ErrVersionNotFound)
	_, err = table.ActiveCommitAtTime(s.ctx, time.Unix(0, 0), storage.StrictTimestamp)
	require.ErrorIs(s, err, storage.ErrTimestampOutOfRange)
	v, err := table.ActiveCommitAtTime(s.ctx, time.Now().Add(time.Hour), storage.LatestIfAfter)
	require.NoError(s, err)
	require.Equal(s, latest, v)
}

func (s *suite) conflict() {
	table := s.filled()
	base := s.latest(table)
	one := s.change(table, base, s.condition("=", base, "id", int64(1)))
	same := s.change(table, base, s.condition("=", base, "id", int64(2))) // in the same file
	other := s.change(table, base, s.condition("=", base, "id", int64(3)))
	blind := s.write(table, base, []any{int64(50), "z", nil})
	s.commit(table, base, one)
	err := s.try(table, base, same)
	require.ErrorIs(s, err, storage.ErrConflict)
	var c *storage.CommitConflict
	require.ErrorAs(s, err, &c)
	require.Equal(s, base.Version(), c.Base)
	s.commit(table, base, other)
	s.commit(table, base, blind)
	require.Equal(s, "10 'a' 3.5; 11 NULL 0.5; 2 'a' NULL; 50 'z' NULL", s.rows(s.latest(table)))
}

// lostRace publishes two attempts for the same version.
func (s *suite) lostRace() {
	table := s.filled()
	base := s.latest(table)
	c := table.Committer()
	var attempts []storage.Attempt
	for i := range 2 {
		attempt, err := c.Prepare(s.ctx, base, s.write(table, base, []any{int64(100 + i), "z", nil}))
		require.NoError(s, err)
		if s.format.CountsVersions {
			require.Equal(s, base.Version()+1, attempt.Version())
		}
		attempts = append(attempts, attempt)
	}
	require.NoError(s, c.Publish(s.ctx, attempts[0]))
	require.ErrorIs(s, c.Publish(s.ctx, attempts[1]), storage.ErrLostRace)
	require.NoError(s, c.Discard(s.ctx, attempts[1]))
	require.Equal(s, attempts[0].Version(), s.latest(table).Version())
	require.Len(s, s.read(s.latest(table).NewScan()), 6)
}

// find looks commits up, as after a lost answer.
func (s *suite) find() {
	table := s.filled()
	base := s.latest(table)
	c := table.Committer()
	mine, err := c.Prepare(s.ctx, base, s.write(table, base, []any{int64(100), "z", nil}))
	require.NoError(s, err)
	other, err := c.Prepare(s.ctx, base, s.write(table, base, []any{int64(101), "z", nil}))
	require.NoError(s, err)
	found, err := c.Find(s.ctx, mine)
	require.NoError(s, err)
	require.False(s, found)
	require.NoError(s, c.Publish(s.ctx, mine))
	found, err = c.Find(s.ctx, mine)
	require.NoError(s, err)
	require.True(s, found)
	found, err = c.Find(s.ctx, other)
	require.NoError(s, err)
	require.False(s, found)
}

func (s *suite) abort() {
	table := s.filled()
	base := s.latest(table)
	w, err := table.NewDeltaWriter(s.ctx, base, storage.WriteOptions{})
	require.NoError(s, err)
	require.NoError(s, w.Write(s.ctx, batch(base.Schema(), []any{int64(7), "q", nil})))
	require.NoError(s, w.Abort(s.ctx))
	delta := s.write(table, base, []any{int64(8), "q", nil})
	require.NoError(s, table.RemoveFiles(s.ctx, delta.Added, delta.AddedDeletes))
	require.NoError(s, table.RemoveFiles(s.ctx, delta.Added, delta.AddedDeletes)) // twice is no error
	require.Equal(s, s.rows(base), s.rows(s.latest(table)))
}
