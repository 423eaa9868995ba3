package delta

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/delta/internal/action"
	"github.com/tarndb/tarn/storage/object"
)

// newTable makes a table of columns c0, c1, … in memory.
func newTable(t *testing.T, properties map[string]string, columns ...types.Type) *Table {
	d := &storage.TableDefinition{Properties: properties}
	for i, c := range columns {
		d.Schema.Fields = append(d.Schema.Fields, types.Field{Name: fmt.Sprintf("c%d", i), Type: c, Nullable: true})
	}
	table := NewTable(object.NewMemory(""), "t", simpleName, Options{})
	require.NoError(t, commit(table, latest(t, table), storage.RowDelta{Definition: d, Operation: "CREATE TABLE"}))
	return table
}

// statsOf gives the statistics of the only file that rows make.
func statsOf(t *testing.T, table *Table, rows ...[]any) string {
	d, err := stage(table, latest(t, table), rows...)
	require.NoError(t, err)
	require.Len(t, d.Added, 1)
	stats := d.Added[0].Entry.(*activeFile).add.Stats
	require.True(t, json.Valid([]byte(stats)), stats)
	return stats
}

func TestStatistics(t *testing.T) {
	table := newTable(t, nil, types.Of(types.Int), types.Of(types.String), types.Of(types.Double), types.DecimalOf(20, 3), types.Of(types.Date),
		types.Of(types.Timestamp), types.Of(types.TimestampNTZ), types.Of(types.Boolean), types.Of(types.Binary),
		types.StructOf(types.Field{Name: "x", Type: types.Of(types.Float), Nullable: true}, types.Field{Name: "l", Type: types.ArrayOf(types.Of(types.Int), true), Nullable: true}))
	decimal := func(n int64) types.Decimal128 { return types.Decimal128FromInt64(n) }
	got := statsOf(t, table,
		[]any{int64(-5), "b\"<>", 1.5, decimal(-1), int64(0), int64(-1), int64(1999), true, []byte{1}, []any{0.1, []any{int64(1)}}},
		[]any{int64(7), "a", math.Inf(1), decimal(123456), int64(1), int64(1_234_567), int64(1999), false, nil, nil},
		[]any{nil, nil, nil, nil, nil, nil, nil, nil, nil, []any{nil, nil}})
	require.Equal(t, `{"numRecords":3,`+
		`"minValues":{"c0":-5,"c1":"a","c2":1.5,"c3":-0.001,"c4":"1970-01-01","c5":"1969-12-31T23:59:59.999Z","c6":"1970-01-01T00:00:00.001","c9":{"x":0.1}},`+
		`"maxValues":{"c0":7,"c1":"b\"<>","c2":"Infinity","c3":123.456,"c4":"1970-01-02","c5":"1970-01-01T00:00:01.234Z","c6":"1970-01-01T00:00:00.001","c9":{"x":0.1}},`+
		`"nullCount":{"c0":1,"c1":1,"c2":1,"c3":1,"c4":1,"c5":1,"c6":1,"c7":1,"c8":2,"c9":{"x":2}}}`, got)
}

// TestForeignStatistics reads a file of another writer, which leaves something
// out of the statistics.
func TestForeignStatistics(t *testing.T) {
	table := newSimple(t, object.NewMemory(""), nil)
	require.NoError(t, insert(table, row3(1, "a", 1.0), row3(2, "a", math.NaN()), row3(3, "a", nil)))
	body, err := table.store.Get(ctx, table.commitPath(1))
	require.NoError(t, err)
	maximum := func(s *Snapshot) expr.Expr { return where(t, s, "v", ">", 1.0) }
	isNull := func(s *Snapshot) expr.Expr { return expr.IsNull(maximum(s).Children()[0]) }
	for _, c := range []struct {
		name, written, foreign string
		filter                 func(*Snapshot) expr.Expr
		want                   string
	}{
		{"NaN is in no bound", `\"maxValues\":{\"id\":3}`, `\"maxValues\":{\"id\":3,\"v\":1.0}`, maximum, "2 'a' NaN"},
		{"NULLs are not counted", `\"nullCount\":{\"id\":0,\"v\":1}`, `\"nullCount\":{\"id\":0}`, isNull, "3 'a' NULL"},
		{"nothing but the bounds", `\"numRecords\":3,`, ``, isNull, "3 'a' NULL"},
		{"no bounds", `\"minValues\":{\"id\":1,\"v\":1}`, `\"minValues\":{}`, maximum, "2 'a' NaN"},
	} {
		require.Contains(t, string(body), c.written, c.name)
		foreign := strings.NewReplacer(`"engineInfo":"tarn/test"`, `"engineInfo":"other"`, c.written, c.foreign).Replace(string(body))
		require.NoError(t, table.store.Put(ctx, table.commitPath(1), []byte(foreign)))
		s := latest(t, reopen(table))
		lines, err := readRows(s.NewScan().WithDataFilter(c.filter(s)))
		require.NoError(t, err)
		require.Equal(t, []string{c.want}, lines, c.name)
	}
}

// TestStatisticsHold reads the statistics that were written back and checks
// that they bound what they are made from.
func TestStatisticsHold(t *testing.T) {
	long := strings.Repeat("é", 40)
	for _, c := range []struct {
		t      types.Type
		values []any
	}{
		{types.Of(types.String), []any{long, long + "x", "é"}},
		{types.Of(types.String), []any{strings.Repeat("\U0010FFFF", 40)}},
		{types.Of(types.String), []any{strings.Repeat("z", 32), strings.Repeat("z", 33)}},
		{types.Of(types.String), []any{"ok", "\xff\xfe"}},
		{types.Of(types.Timestamp), []any{int64(-1), int64(999), int64(1001), int64(math.MaxInt64)}},
		{types.Of(types.TimestampNTZ), []any{int64(math.MinInt64), int64(12345)}},
		{types.Of(types.Date), []any{int64(-900_000), int64(3_000_000)}},
		{types.Of(types.Double), []any{math.NaN(), 1.0}},
		{types.Of(types.Double), []any{math.NaN()}},
		{types.Of(types.Float), []any{float64(float32(0.1)), math.Copysign(0, -1)}},
		{types.DecimalOf(38, 10), []any{types.Pow10(37), types.Decimal128FromInt64(-7)}},
		{types.Of(types.BigInt), []any{int64(math.MinInt64), int64(math.MaxInt64)}},
	} {
		t.Run(fmt.Sprintf("%s %.20q", c.t, c.values), func(t *testing.T) {
			table := newTable(t, nil, c.t)
			rows := [][]any{{nil}}
			for _, v := range c.values {
				rows = append(rows, []any{v})
			}
			require.NoError(t, insert(table, rows...))
			s := latest(t, reopen(table))
			for _, v := range c.values {
				got, err := readRows(s.NewScan().WithDataFilter(where(t, s, "c0", "=", v)))
				require.NoError(t, err)
				require.NotEmpty(t, got, "%v", v)
				got, err = readRows(s.NewScan().WithDataFilter(where(t, s, "c0", ">=", v)))
				require.NoError(t, err)
				require.NotEmpty(t, got, "%v", v)
			}
			got, err := readRows(s.NewScan().WithDataFilter(expr.IsNull(where(t, s, "c0", "=", c.values[0]).Children()[0])))
			require.NoError(t, err)
			require.Len(t, got, 1)
		})
	}
}

func TestIndexedColumns(t *testing.T) {
	long := types.Of(types.BigInt)
	st := types.StructOf(types.Field{Name: "x", Type: long, Nullable: true}, types.Field{Name: "y", Type: long, Nullable: true})
	row := []any{int64(1), []any{int64(2), int64(3)}, int64(4)}
	for _, c := range []struct{ property, value, want string }{
		{"delta.dataSkippingNumIndexedCols", "2", `"minValues":{"c0":1,"c1":{"x":2}}`},
		{"delta.dataSkippingNumIndexedCols", "0", `"minValues":{}`},
		{"delta.dataSkippingNumIndexedCols", "-1", `"minValues":{"c0":1,"c1":{"x":2,"y":3},"c2":4}`},
		{"delta.dataSkippingStatsColumns", "c1.`y`, C2", `"minValues":{"c1":{"y":3},"c2":4}`},
		{"delta.dataSkippingStatsColumns", "c1", `"minValues":{"c1":{"x":2,"y":3}}`},
		{"delta.enableDeletionVectors", "true", `"tightBounds":true`},
	} {
		require.Contains(t, statsOf(t, newTable(t, map[string]string{c.property: c.value}, long, st, long), row), c.want, c.value)
	}
	var many []types.Type
	var values []any
	for i := range 40 {
		many, values = append(many, long), append(values, int64(i))
	}
	stats := statsOf(t, newTable(t, nil, many...), values)
	require.Contains(t, stats, `"c31":31`)
	require.NotContains(t, stats, `"c32"`)
}

func TestPartitionsOfEveryType(t *testing.T) {
	decimal, _ := types.ParseDecimalAs("-0.01", 10, 2)
	for _, c := range []struct {
		t      types.Type
		values []any
	}{
		{types.Of(types.String), []any{"a/b", "ü %25", "x=1", " lead", strings.Repeat("long", 100), "..", "a:b"}},
		{types.Of(types.Boolean), []any{true, false}},
		{types.Of(types.TinyInt), []any{int64(-128)}},
		{types.Of(types.BigInt), []any{int64(math.MinInt64)}},
		{types.Of(types.Double), []any{1.5, math.Inf(-1), 1e100}},
		{types.Of(types.Float), []any{float64(float32(0.1))}},
		{types.DecimalOf(10, 2), []any{decimal}},
		{types.Of(types.Date), []any{int64(-1), int64(2932896)}},
		{types.Of(types.Timestamp), []any{int64(-1), int64(1_000_000)}},
		{types.Of(types.TimestampNTZ), []any{int64(-1)}},
	} {
		t.Run(c.t.String(), func(t *testing.T) {
			d := simple(nil)
			d.Schema.Fields[1].Type = c.t
			table := NewTable(object.NewMemory(""), "t", simpleName, Options{})
			require.NoError(t, commit(table, latest(t, table), storage.RowDelta{Definition: d}))
			rows := [][]any{row3(0, nil, nil)}
			for i, v := range c.values {
				rows = append(rows, row3(i+1, v, nil))
			}
			require.NoError(t, insert(table, rows...))
			s := latest(t, reopen(table))
			for i, v := range c.values {
				scan, err := s.NewScan().WithPartitionFilter(where(t, s, "part", "=", v)).Build(ctx)
				require.NoError(t, err)
				require.Len(t, scan.Tasks(), 1)
				require.Equal(t, []any{v}, scan.Tasks()[0].File.Partition)
				got, err := readRows(s.NewScan().WithColumns([]string{"id"}).WithPartitionFilter(where(t, s, "part", "=", v)))
				require.NoError(t, err)
				require.Equal(t, []string{fmt.Sprint(i + 1)}, got)
			}
		})
	}
}

func TestEmptyStringPartitionIsNull(t *testing.T) {
	table := newSimple(t, object.NewMemory(""), nil)
	base := latest(t, table)
	d, err := stage(table, base, row3(1, "", nil))
	require.NoError(t, err)
	view, err := base.Apply(d)
	require.NoError(t, err)
	require.NoError(t, commit(table, base, d))
	require.Equal(t, "1 NULL NULL", rowsOf(t, latest(t, reopen(table))))
	require.Equal(t, "1 NULL NULL", rowsOf(t, view), "the transaction sees what will be read back")
}

func TestAppendOnly(t *testing.T) {
	table := newSimple(t, object.NewMemory(""), map[string]string{"delta.appendOnly": "true"})
	require.NoError(t, insert(table, row3(1, "a", nil)))
	s := latest(t, table)
	w, err := table.NewDeltaWriter(ctx, s, storage.WriteOptions{})
	require.NoError(t, err)
	scan, err := s.NewScan().Build(ctx)
	require.NoError(t, err)
	require.ErrorIs(t, w.DeleteFile(ctx, scan.Tasks()[0].File), storage.ErrConstraint)
	require.ErrorIs(t, w.DeletePositions(ctx, scan.Tasks()[0].File, []int64{0}), storage.ErrConstraint)
	require.NoError(t, w.Abort(ctx))
}

func TestRewriteOfMissingRow(t *testing.T) {
	table := newSimple(t, object.NewMemory(""), nil)
	require.NoError(t, insert(table, row3(1, "a", nil)))
	s := latest(t, table)
	scan, err := s.NewScan().Build(ctx)
	require.NoError(t, err)
	w, err := table.NewDeltaWriter(ctx, s, storage.WriteOptions{})
	require.NoError(t, err)
	require.Error(t, w.DeletePositions(ctx, scan.Tasks()[0].File, []int64{-1}))
	require.NoError(t, w.DeletePositions(ctx, scan.Tasks()[0].File, []int64{1}))
	_, err = w.Complete(ctx)
	require.ErrorContains(t, err, "row 1 of a file of 1 rows")
	require.NoError(t, w.Abort(ctx))
}

func TestCodecsAndNames(t *testing.T) {
	for codec, extension := range map[string]string{"": ".snappy.parquet", "ZSTD": ".zstd.parquet", "gzip": ".gz.parquet", "none": "-c000.parquet", "lz4_raw": ".lz4raw.parquet"} {
		properties := map[string]string{}
		if codec != "" {
			properties["delta.parquet.compression.codec"] = codec
		}
		table := newSimple(t, object.NewMemory(""), properties)
		d, err := stage(table, latest(t, table), row3(1, "a/b", nil))
		require.NoError(t, err)
		require.True(t, strings.HasSuffix(d.Added[0].Path, extension), d.Added[0].Path)
		require.True(t, strings.HasPrefix(d.Added[0].Path, "part=a%2Fb/part-00000-"), d.Added[0].Path)
		require.True(t, strings.HasPrefix(d.Added[0].Entry.(*activeFile).add.Path, "part=a%252Fb/"))
		require.NoError(t, commit(table, latest(t, table), d))
		require.Equal(t, "1 'a/b' NULL", rowsOf(t, latest(t, table)))
	}
	table := newSimple(t, object.NewMemory(""), map[string]string{"delta.parquet.compression.codec": "lz4"})
	_, err := stage(table, latest(t, table), row3(1, "a", nil))
	require.ErrorIs(t, err, storage.ErrUnsupportedFeature)
	table = newSimple(t, object.NewMemory(""), map[string]string{"delta.randomizeFilePrefixes": "true", "delta.randomPrefixLength": "5"})
	d, err := stage(table, latest(t, table), row3(1, "a", nil))
	require.NoError(t, err)
	require.Regexp(t, `^[0-9A-Za-z]{5}/part-`, d.Added[0].Path)
}

// TestColumnMapping creates tables with mapped columns at every level.
func TestColumnMapping(t *testing.T) {
	for _, mode := range []string{"name", "id"} {
		st := types.StructOf(types.Field{Name: "x y", Type: types.MapOf(types.Of(types.String),
			types.StructOf(types.Field{Name: "deep;", Type: types.Of(types.Int), Nullable: true}), true), Nullable: true})
		d := &storage.TableDefinition{Partition: []storage.PartitionField{{Column: "p p"}}, Properties: map[string]string{"delta.columnMapping.mode": mode},
			Schema: types.Schema{Fields: []types.Field{{Name: "a,b", Type: types.Of(types.Int), Nullable: true},
				{Name: "p p", Type: types.Of(types.Date), Nullable: true}, {Name: "st", Type: st, Nullable: true}}}}
		table := NewTable(object.NewMemory(""), "t", simpleName, Options{})
		base := latest(t, table)
		view, err := base.Apply(storage.RowDelta{Definition: d})
		require.NoError(t, err)
		delta, err := stage(table, view.(*Snapshot), []any{int64(1), int64(0), []any{[]vector.MapEntry{{Key: "k", Value: []any{int64(5)}}}}}, []any{nil, nil, nil})
		require.NoError(t, err)
		delta.Definition, delta.Operation = d, "CREATE TABLE AS SELECT"
		require.NoError(t, commit(table, base, delta))
		s := latest(t, reopen(table))
		require.True(t, s.Schema().Equal(d.Schema))
		require.Equal(t, []string{"p p"}, s.PartitionColumns())
		require.Equal(t, "5", s.metadata.property("delta.columnMapping.maxColumnId"))
		require.Equal(t, []string{"columnMapping"}, s.protocol.ReaderFeatures)
		got := rowsOf(t, s)
		require.Equal(t, "1 DATE '1970-01-01' struct([{k [5]}]); NULL NULL NULL", got)
		got2, err := readRows(s.NewScan().WithColumns([]string{"a,b"}).WithPartitionFilter(where(t, s, "p p", "=", int64(0))))
		require.NoError(t, err)
		require.Equal(t, []string{"1"}, got2)
	}
}

func TestInCommitTimestamps(t *testing.T) {
	table := newSimple(t, object.NewMemory(""), map[string]string{"delta.enableInCommitTimestamps": "true"})
	for i := range 5 {
		require.NoError(t, insert(table, row3(i, "a", nil)))
	}
	last := int64(0)
	for v := range storage.Version(6) {
		c, err := table.readCommit(ctx, table.commitPath(v))
		require.NoError(t, err)
		require.NotNil(t, c.Info.InCommitTimestamp)
		require.Greater(t, *c.Info.InCommitTimestamp, last)
		last = *c.Info.InCommitTimestamp
	}
	at := time.UnixMilli(*latest(t, reopen(table)).info.InCommitTimestamp)
	v, err := reopen(table).ActiveCommitAtTime(ctx, at, storage.StrictTimestamp)
	require.NoError(t, err)
	require.EqualValues(t, 5, v)
}

func TestRefusedDefinitions(t *testing.T) {
	long := types.Of(types.BigInt)
	field := func(name string, t types.Type) types.Field { return types.Field{Name: name, Type: t, Nullable: true} }
	for name, c := range map[string]struct {
		d    storage.TableDefinition
		want error
	}{
		"no columns":            {storage.TableDefinition{}, storage.ErrSchemaMismatch},
		"only partitions":       {storage.TableDefinition{Schema: types.Schema{Fields: []types.Field{field("a", long)}}, Partition: []storage.PartitionField{{Column: "a"}}}, storage.ErrSchemaMismatch},
		"unknown partition":     {storage.TableDefinition{Schema: types.Schema{Fields: []types.Field{field("a", long)}}, Partition: []storage.PartitionField{{Column: "b"}}}, storage.ErrSchemaMismatch},
		"same name":             {storage.TableDefinition{Schema: types.Schema{Fields: []types.Field{field("a", long), field("A", long)}}}, storage.ErrSchemaMismatch},
		"blank in a name":       {storage.TableDefinition{Schema: types.Schema{Fields: []types.Field{field("a b", long)}}}, storage.ErrSchemaMismatch},
		"type":                  {storage.TableDefinition{Schema: types.Schema{Fields: []types.Field{field("a", types.Of(types.Time))}}}, storage.ErrUnsupportedFeature},
		"variant":               {storage.TableDefinition{Schema: types.Schema{Fields: []types.Field{field("a", types.Of(types.Variant))}}}, storage.ErrUnsupportedFeature},
		"default":               {storage.TableDefinition{Schema: types.Schema{Fields: []types.Field{{Name: "a", Type: long, Default: "1"}}}}, storage.ErrUnsupportedFeature},
		"change data feed":      {storage.TableDefinition{Schema: types.Schema{Fields: []types.Field{field("a", long)}}, Properties: map[string]string{"delta.enableChangeDataFeed": "true"}}, storage.ErrUnsupportedFeature},
		"row tracking":          {storage.TableDefinition{Schema: types.Schema{Fields: []types.Field{field("a", long)}}, Properties: map[string]string{"delta.enableRowTracking": "true"}}, storage.ErrUnsupportedFeature},
		"unknown property":      {storage.TableDefinition{Schema: types.Schema{Fields: []types.Field{field("a", long)}}, Properties: map[string]string{"delta.somethingNew": "1"}}, storage.ErrUnsupportedFeature},
		"constraint":            {storage.TableDefinition{Schema: types.Schema{Fields: []types.Field{field("a", long)}}, Properties: map[string]string{"delta.constraints.c": "a > 1"}}, storage.ErrUnsupportedFeature},
		"feature":               {storage.TableDefinition{Schema: types.Schema{Fields: []types.Field{field("a", long)}}, Properties: map[string]string{"delta.feature.rowTracking": "supported"}}, storage.ErrUnsupportedFeature},
		"mode":                  {storage.TableDefinition{Schema: types.Schema{Fields: []types.Field{field("a", long)}}, Properties: map[string]string{"delta.columnMapping.mode": "odd"}}, storage.ErrUnsupportedFeature},
		"nested partition type": {storage.TableDefinition{Schema: types.Schema{Fields: []types.Field{field("a", long), field("b", types.ArrayOf(long, true))}}, Partition: []storage.PartitionField{{Column: "b"}}}, storage.ErrSchemaMismatch},
	} {
		table := NewTable(object.NewMemory(""), "t", simpleName, Options{})
		_, err := latest(t, table).Apply(storage.RowDelta{Definition: &c.d})
		require.ErrorIs(t, err, c.want, name)
	}
}

func TestProtocolsOfNewTables(t *testing.T) {
	for _, c := range []struct {
		properties map[string]string
		column     types.Type
		want       action.Protocol
	}{
		{nil, types.Of(types.Int), action.Protocol{MinReaderVersion: 1, MinWriterVersion: 2}},
		{nil, types.ArrayOf(types.Of(types.TimestampNTZ), true), action.Protocol{MinReaderVersion: 3, MinWriterVersion: 7,
			ReaderFeatures: []string{"timestampNtz"}, WriterFeatures: []string{"appendOnly", "invariants", "timestampNtz"}}},
		{map[string]string{"delta.enableDeletionVectors": "TRUE", "delta.feature.domainMetadata": "supported"}, types.Of(types.Int),
			action.Protocol{MinReaderVersion: 3, MinWriterVersion: 7, ReaderFeatures: []string{"deletionVectors"},
				WriterFeatures: []string{"appendOnly", "deletionVectors", "domainMetadata", "invariants"}}},
		{map[string]string{"delta.enableInCommitTimestamps": "true"}, types.Of(types.Int), action.Protocol{MinReaderVersion: 1, MinWriterVersion: 7,
			WriterFeatures: []string{"appendOnly", "inCommitTimestamp", "invariants"}}},
	} {
		s := latest(t, reopen(newTable(t, c.properties, c.column)))
		require.Equal(t, c.want, *s.protocol.Protocol)
		require.NotContains(t, s.Properties(), "delta.feature.domainMetadata")
	}
}
