package iceberg

import (
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/conformance/sharedtest"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/parquet"
)

// TestMetricsOfOtherEngines writes the rows of the data files of Spark and Flink
// anew and compares the metrics with what those engines have put in their
// manifests.
func TestMetricsOfOtherEngines(t *testing.T) {
	cases, err := filepath.Glob(filepath.Join(sharedtest.Path(t, "golden", "iceberg"), "*", "case.json"))
	require.NoError(t, err)
	compared := 0
	for _, file := range cases {
		dir := filepath.Dir(file)
		if strings.Contains(dir, "pyiceberg") || strings.Contains(dir, "add_files") {
			continue // metrics are by other rules
		}
		var c struct {
			MetadataFile string `json:"metadata_file"`
		}
		readJSON(t, file, &c)
		table := openGolden(t, dir, c.MetadataFile)
		s, err := table.LoadLatest(t.Context())
		if err != nil {
			continue // a case of damage
		}
		scan, err := s.NewScan().Build(t.Context())
		require.NoError(t, err)
		for _, task := range scan.Tasks() {
			f := task.File.Entry.(*scanFile).file
			if f.Format == "parquet" && task.Offset == 0 {
				requireSameMetrics(t, table, s.(*Snapshot), f)
				compared++
			}
		}
	}
	require.Greater(t, compared, 50)
}

func requireSameMetrics(t *testing.T, table *Table, s *Snapshot, f *ContentFile) {
	store, path, err := table.resolve(s.metadata, f.Path)
	require.NoError(t, err)
	file, err := parquet.Open(t.Context(), store, path, -1, parquet.OpenOptions{})
	require.NoError(t, err)
	if !file.HasFieldIDs() {
		return
	}
	rows, err := file.Read(parquet.ReadOptions{Columns: file.Schema().Fields, ByID: true})
	require.NoError(t, err)
	defer rows.Close()
	w, err := parquet.NewWriter(io.Discard, file.Schema(), parquet.WriterOptions{FieldIDs: true})
	if errors.Is(err, storage.ErrUnsupportedFeature) {
		return
	}
	require.NoError(t, err)
	for {
		b, err := rows.Next(t.Context())
		if errors.Is(err, io.EOF) {
			break
		}
		require.NoError(t, err)
		require.NoError(t, w.Write(b))
	}
	stats, records, err := w.Close()
	require.NoError(t, err)
	require.Equal(t, f.Records, records)
	if len(f.SplitOffsets) == 1 { // where the engine did not ask for small row groups
		require.Equal(t, f.SplitOffsets, stats.RowGroups, f.Path)
	}
	got, err := s.metadata.fileMetrics(&Schema{Schema: file.Schema()}, stats, records)
	require.NoError(t, err)
	require.Equal(t, metricsText(f.Metrics), metricsText(got), f.Path)
}

// metricsText lists metrics without sizes.
func metricsText(list []ColumnMetrics) []string {
	var out []string
	for _, m := range list {
		out = append(out, fmt.Sprintf("%d: %d %d %d %x %x %v %v", m.ID, m.Values, m.NullCount, m.NaNCount, m.LowerBound, m.UpperBound, m.LowerBound != nil, m.SizeBytes > 0))
	}
	return out
}

// TestBounds cuts bounds to 3 characters or bytes.
func TestBounds(t *testing.T) {
	text, binary, fixed := types.Of(types.String), types.Of(types.Binary), types.Type{Kind: types.Fixed, Length: 4}
	top := string(rune(0x10ffff))
	for _, c := range []struct {
		t         types.Type
		v         any
		low, high any
	}{
		{text, "", "", ""}, {text, "abc", "abc", "abc"}, {text, "abcd", "abc", "abd"}, {text, "äöüß", "äöü", "äöý"},
		{text, "ab" + top + "x", "ab" + top, "ac"}, {text, strings.Repeat(top, 4), strings.Repeat(top, 3), nil}, {text, "ab\ud7ffz", "ab\ud7ff", "ab\ue000"},
		{text, "a\xffbc", nil, nil},
		{binary, []byte{}, "", ""}, {binary, []byte{1, 2, 3, 4}, "\x01\x02\x03", "\x01\x02\x04"}, {binary, []byte{1, 2, 255, 0}, "\x01\x02\xff", "\x01\x03"},
		{binary, []byte{255, 255, 255, 255}, "\xff\xff\xff", nil}, {fixed, []byte("abcd"), "abcd", "abcd"},
	} {
		low, high := lowerBound(c.t, c.v, 3), upperBound(c.t, c.v, 3)
		for _, b := range []struct {
			want any
			got  []byte
		}{{c.low, low}, {c.high, high}} {
			require.Equal(t, b.want == nil, b.got == nil, "%v", c.v)
			if b.want != nil {
				require.Equal(t, b.want, string(b.got), "%v", c.v)
			}
		}
	}
}

// TestMetricsModes gives columns what the properties ask for.
func TestMetricsModes(t *testing.T) {
	point := types.StructOf(types.Field{ID: 3, Name: "x", Type: types.Of(types.Double), Nullable: true})
	schema := &Schema{}
	schema.Fields = []types.Field{{ID: 1, Name: "s", Type: types.Of(types.String)}, {ID: 2, Name: "p", Type: point, Nullable: true},
		{ID: 4, Name: "l", Type: types.Type{Kind: types.Array, Elem: &types.Field{ID: 5, Name: "element", Type: types.Of(types.Int)}}}}
	stats := storage.FileStats{Columns: []storage.ColumnStats{
		{ID: 1, Type: types.Of(types.String), Min: "aaaa", Max: "zzzz", NullCount: 1, SizeBytes: 10},
		{ID: 3, Type: types.Of(types.Double), Min: math.Copysign(0, -1), Max: 0.0, NullCount: 2, NaNCount: 3, SizeBytes: 20},
		{ID: 5, Type: types.Of(types.Int), Min: int64(1), Max: int64(2), NullCount: 0, SizeBytes: 30}}}
	zeros := "0000000000000080 0000000000000000 true true"
	for _, c := range []struct {
		properties map[string]string
		sorted     string
		want       []string
	}{
		{nil, "", []string{"1: 9 1 -1 61616161 7a7a7a7a true true", "3: 9 2 3 " + zeros, "5: -1 -1 -1   false true"}},
		{map[string]string{defaultMetricsProperty: "None", columnMetricsProperty + "p.x": "counts"}, "", []string{"3: 9 2 3   false true"}},
		{map[string]string{defaultMetricsProperty: "counts", columnMetricsProperty + "p.x": "FULL", columnMetricsProperty + "l.element": "none", columnMetricsProperty + "s": "truncate(2)"}, "",
			[]string{"1: 9 1 -1 6161 7a7b true true", "3: 9 2 3 " + zeros}},
		{map[string]string{maxInferredColumnsProperty: "1"}, "", []string{"1: 9 1 -1 61616161 7a7a7a7a true true"}},
		{map[string]string{defaultMetricsProperty: "none"}, "identity", []string{"3: 9 2 3 " + zeros}},
		{map[string]string{defaultMetricsProperty: "none"}, "bucket[4]", nil},
	} {
		m := &TableMetadata{Properties: c.properties}
		if c.sorted != "" {
			m.DefaultSortOrderID, m.SortOrders = 2, []byte(`[{"order-id":1,"fields":[{"transform":"identity","source-id":1}]},{"order-id":2,"fields":[{"transform":"`+c.sorted+`","source-id":3}]}]`)
		}
		got, err := m.fileMetrics(schema, stats, 9)
		require.NoError(t, err)
		require.Equal(t, c.want, metricsText(got), "%v", c.properties)
	}
	for property, text := range map[string]string{defaultMetricsProperty: "truncate(0)", columnMetricsProperty + "s": "some", maxInferredColumnsProperty: "-1"} {
		_, err := (&TableMetadata{Properties: map[string]string{property: text}}).fileMetrics(schema, stats, 9)
		require.ErrorContains(t, err, property)
	}
}
