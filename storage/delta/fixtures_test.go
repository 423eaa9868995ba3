package delta

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/internal/scanning"
	"github.com/tarndb/tarn/storage/object"
)

// fixture opens a table of testdata, which make_fixtures.sql made.
func fixture(t *testing.T, name string) *Table {
	store, err := object.NewFileStore("testdata")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	return OpenTable(store, name, types.TableName{Name: name}, Options{})
}

func at(t *testing.T, table *Table, v storage.Version) *Snapshot {
	s, err := table.LoadAt(ctx, v)
	require.NoError(t, err)
	return s.(*Snapshot)
}

func TestPartitionedFixture(t *testing.T) {
	table := fixture(t, "partitioned")
	s := latest(t, table)
	require.EqualValues(t, 4, s.Version())
	require.Equal(t, []string{"day", "grp"}, s.PartitionColumns())
	require.Equal(t, []string{"id", "name", "amount", "at", "day", "grp"}, s.Schema().Names())
	require.Equal(t, "1 'one' 1.50 TIMESTAMP '2024-01-01 00:00:00.123456Z' DATE '2024-01-01' 'a/b c'; "+
		"2 NULL NULL NULL DATE '2024-01-01' NULL; "+
		"4 'four' 4.00 TIMESTAMP '2024-01-04 00:00:00Z' NULL 'a/b c'; "+
		"5 'five' 5.00 NULL DATE '2024-01-05' 'z'", rowsOf(t, s))
	require.Contains(t, rowsOf(t, at(t, table, 2)), "DATE '2024-01-03' 'ü%'")
	require.EqualValues(t, 4, s.EstimatedRows())

	day := where(t, s, "day", "=", int64(types.DaysFromCivil(2024, 1, 1)))
	scan, err := s.NewScan().WithPartitionFilter(day).Build(ctx)
	require.NoError(t, err)
	require.Len(t, scan.Tasks(), 2)
	require.Len(t, scan.Summary().SkippedByPartition, 2)

	amount, _ := types.ParseDecimalAs("4.50", 10, 2)
	for _, c := range []struct {
		filter  expr.Expr
		support storage.FilterSupport
		files   int
	}{
		{where(t, s, "id", ">", int64(4)), storage.Exact, 1},
		{where(t, s, "amount", "<", amount), storage.Exact, 2},
		{where(t, s, "name", "=", "five"), storage.Exact, 1},
		// The bound is cut down to milliseconds; the value is above it.
		{where(t, s, "at", "=", int64(1704067200123456)), storage.Exact, 1},
		{where(t, s, "at", ">", int64(1704067200124000)), storage.Exact, 1},
		{expr.IsNull(where(t, s, "name", "=", "x").Children()[0]), storage.Exact, 1},
	} {
		require.Equal(t, c.support, s.NewScan().Support(c.filter), c.filter.String())
		scan, err := s.NewScan().WithDataFilter(c.filter).Build(ctx)
		require.NoError(t, err)
		require.Len(t, scan.Tasks(), c.files, c.filter.String())
	}
}

// TestSessionDependentFilters are only used to prune.
func TestSessionDependentFilters(t *testing.T) {
	s := latest(t, fixture(t, "partitioned"))
	instant := where(t, s, "at", "=", int64(0)).Children()[0]
	hour, err := eval.Resolve("hour", []expr.Expr{instant})
	require.NoError(t, err)
	filter, err := eval.Resolve("=", []expr.Expr{hour, &expr.Literal{T: types.Of(types.Int), Value: int64(3)}})
	require.NoError(t, err)
	require.Equal(t, storage.Inexact, s.NewScan().Support(filter))
	got, err := readRows(s.NewScan().WithColumns([]string{"id"}).WithDataFilter(filter))
	require.NoError(t, err)
	require.Equal(t, []string{"1", "2", "4", "5"}, got, "no row is dropped by a session that isn't known")
	random, err := eval.Resolve("rand", nil)
	require.NoError(t, err)
	volatile, err := eval.Resolve(">", []expr.Expr{random, &expr.Literal{T: types.Of(types.Double), Value: 0.5}})
	require.NoError(t, err)
	require.Equal(t, storage.Unsupported, s.NewScan().Support(volatile))
}

func TestVectorsFixture(t *testing.T) {
	table := fixture(t, "vectors")
	s := latest(t, table)
	lines, err := readRows(s.NewScan().WithColumns([]string{"id"}).WithRowPositions())
	require.NoError(t, err)
	require.Len(t, lines, 81)
	require.NotContains(t, strings.Join(lines, ";"), "13 13")
	for _, line := range lines {
		id, position, _ := strings.Cut(line, " ")
		require.Equal(t, id, position, "positions count deleted rows too")
	}
	for v, rows := range map[storage.Version]int{1: 100, 2: 90, 3: 81} {
		lines, err := readRows(at(t, table, v).NewScan())
		require.NoError(t, err)
		require.Len(t, lines, rows)
	}
	scan, err := s.NewScan().Build(ctx)
	require.NoError(t, err)
	require.EqualValues(t, 81, scan.Tasks()[0].File.LiveRecords())
	require.EqualValues(t, 100, scan.Tasks()[0].File.Records)
}

func TestMappedFixture(t *testing.T) {
	table := fixture(t, "mapped")
	s := latest(t, table)
	require.Equal(t, []string{"id", "st", "part"}, s.Schema().Names())
	require.Equal(t, "x y", s.Schema().Fields[1].Type.Fields[0].Name)
	require.Equal(t, []string{"part"}, s.PartitionColumns())
	require.Equal(t, "1 struct(10, 'ten') 1; 2 struct(NULL, NULL) 2; 3 struct(30, 'thirty') 1", rowsOf(t, s))
	scan, err := s.NewScan().WithPartitionFilter(where(t, s, "part", "=", int64(2))).Build(ctx)
	require.NoError(t, err)
	require.Len(t, scan.Tasks(), 1)
	_, err = eval.Resolve("struct_field", []expr.Expr{where(t, s, "id", "=", int64(0)).Children()[0], &expr.Literal{T: types.Of(types.Int), Value: int64(0)}})
	require.Error(t, err, "id is no struct")
	column := s.Schema().Fields[1]
	x, err := eval.Resolve("struct_field", []expr.Expr{&expr.Column{Index: 1, Name: "st", T: column.Type, MayBeNull: true}, &expr.Literal{T: types.Of(types.Int), Value: int64(0)}})
	require.NoError(t, err)
	filter, err := eval.Resolve(">", []expr.Expr{x, &expr.Literal{T: types.Of(types.Int), Value: int64(20)}})
	require.NoError(t, err)
	scan, err = s.NewScan().WithDataFilter(filter).Build(ctx)
	require.NoError(t, err)
	require.Len(t, scan.Tasks(), 1, "the statistics of a struct's field, by its physical name")
	require.Equal(t, []string{"id", "st", "p"}, at(t, table, 1).Schema().Names())
}

func TestSidecarsFixture(t *testing.T) {
	table := fixture(t, "sidecars")
	require.Equal(t, "1; 2; 3", rowsOf(t, latest(t, table)))
	require.Equal(t, "1; 2", rowsOf(t, at(t, table, 2)))
	segment, err := table.loadSegment(ctx, storage.NoVersion)
	require.NoError(t, err)
	require.NotEmpty(t, segment.checkpoint)
	require.Equal(t, uuidCheckpoint, segment.checkpoint[0].kind)
}

// TestChangesOfFixtures takes rows away from tables that another engine wrote.
func TestChangesOfFixtures(t *testing.T) {
	for name, want := range map[string]string{"vectors": "0 'n0'", "mapped": "2 struct(NULL, NULL) 2; 3 struct(30, 'thirty') 1", "partitioned": "DATE '2024-01-05' 'z'"} {
		t.Run(name, func(t *testing.T) {
			store := object.NewMemory("")
			copyInto(t, store, fixture(t, name))
			table := OpenTable(store, name, types.TableName{Name: name}, Options{})
			base := latest(t, table)
			before := len(strings.Split(rowsOf(t, base), "; "))
			d := remove(t, table, base, where(t, base, "id", "=", int64(1)))
			require.Len(t, d.Removed, 1)
			require.NoError(t, commit(table, base, d))
			after := rowsOf(t, latest(t, reopen(table)))
			require.Len(t, strings.Split(after, "; "), before-1)
			require.Contains(t, after, want)
			view, err := base.Apply(d)
			require.NoError(t, err)
			require.Equal(t, after, rowsOf(t, view))
		})
	}
}

func copyInto(t *testing.T, to object.Store, from *Table) {
	for info, err := range from.store.List(ctx, from.root) {
		require.NoError(t, err)
		body, err := from.store.Get(ctx, info.Path)
		require.NoError(t, err)
		require.NoError(t, to.Put(ctx, info.Path, body))
	}
}

// TestWrongSizes reads every row once, however large the log says that a file
// is.
func TestWrongSizes(t *testing.T) {
	for _, size := range []int{0, 1, 100, 300 << 20} {
		store := object.NewMemory("")
		table := newSimple(t, store, nil)
		require.NoError(t, insert(table, row3(1, "a", nil), row3(2, "a", nil)))
		body, err := store.Get(ctx, table.commitPath(1))
		require.NoError(t, err)
		changed := regexp.MustCompile(`"size":\d+`).ReplaceAll(body, []byte(fmt.Sprintf(`"size":%d`, size)))
		require.NoError(t, store.Put(ctx, table.commitPath(1), changed))
		s := latest(t, reopen(table))
		scan, err := s.NewScan().Build(ctx)
		require.NoError(t, err)
		require.Len(t, scan.Tasks(), max(1, (size+scanning.SplitBytes-1)/scanning.SplitBytes))
		require.Equal(t, "1 'a' NULL; 2 'a' NULL", rowsOf(t, s), size)
	}
}
