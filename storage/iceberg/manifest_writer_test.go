package iceberg

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/types"
)

// manifestTables are the newest metadata of the tables whose metadata files can
// be read here, by the directory of the files.
func manifestTables(t *testing.T, files []string) map[string]*TableMetadata {
	newest := map[string]*TableMetadata{}
	for _, file := range files {
		body, err := os.ReadFile(file)
		require.NoError(t, err)
		m, err := ParseTableMetadata(body)
		require.NoError(t, err)
		dir := filepath.Dir(file)
		if old := newest[dir]; old == nil || old.LastUpdatedMillis <= m.LastUpdatedMillis {
			newest[dir] = m
		}
	}
	return newest
}

// TestManifestRoundTrip writes the manifest lists and the manifests of all tables
// of other engines as they were read, and reads them again.
func TestManifestRoundTrip(t *testing.T) {
	forTables(t, ".metadata.json", requireManifestRoundTrips)
}

func requireManifestRoundTrips(t *testing.T, files []string) {
	lists, manifests := 0, 0
	for dir, m := range manifestTables(t, files) {
		for _, record := range m.Snapshots {
			body, err := os.ReadFile(filepath.Join(dir, filepath.Base(record.ManifestList)))
			if err != nil {
				continue // an expired one
			}
			list, err := parseManifestList(body)
			require.NoError(t, err)
			assigned := list
			if m.FormatVersion > 2 {
				assigned, _ = assignFirstRowIDs(list, 1000)
			}
			out, err := encodeManifestList(m, record, assigned)
			require.NoError(t, err, record.ManifestList)
			again, err := parseManifestList(out)
			require.NoError(t, err)
			require.Equal(t, assigned, again, record.ManifestList)
			lists++
			for _, f := range list {
				if requireManifestRoundTrip(t, m, dir, f) {
					manifests++
				}
			}
		}
	}
	require.Greater(t, min(lists, manifests), len(files)/10)
}

// requireManifestRoundTrip reports whether the manifest is there.
func requireManifestRoundTrip(t *testing.T, m *TableMetadata, dir string, f *ManifestFile) bool {
	body, err := os.ReadFile(filepath.Join(dir, filepath.Base(f.Path)))
	if err != nil {
		return false
	}
	files, err := parseManifest(body, f, m)
	require.NoError(t, err)
	schema, spec := m.schema(m.CurrentSchemaID), m.spec(f.SpecID)
	version := &TableMetadata{FormatVersion: m.FormatVersion, Schemas: m.Schemas, CurrentSchemaID: m.CurrentSchemaID, Specs: m.Specs}
	if f.SequenceNumber == 0 { // of v1, perhaps in a table of a later version
		version.FormatVersion = 1
	}
	out, err := encodeManifest(version, schema, spec, f.content, f.AddedSnapshotID, files)
	require.NoError(t, err, f.Path)
	again, err := parseManifest(out, f, m)
	require.NoError(t, err)
	described := newManifestFile(m, f.Path, f.Length, spec, f.content, f.AddedSnapshotID, f.SequenceNumber, files)
	for i, file := range files {
		if file.status == entryAdded && file.SequenceNumber != f.SequenceNumber { // of a rewrite, which keeps the numbers of deletes
			described.MinSequenceNumber = min(described.MinSequenceNumber, file.SequenceNumber)
			again[i].SequenceNumber = file.SequenceNumber
		}
	}
	require.Equal(t, files, again, f.Path)
	want := *f
	want.FirstRowID = nil
	for i, p := range want.Partitions { // which old writers leave out, and zeros that are not widened
		if p.ContainsNaN == nil {
			described.Partitions[i].ContainsNaN = nil
		}
	}
	require.Equal(t, &want, described, f.Path)
	return true
}

// TestManifestPartitions writes partition values of every type, under names that
// Avro does not allow.
func TestManifestPartitions(t *testing.T) {
	decimal, wide := types.DecimalOf(9, 2), types.DecimalOf(38, 10)
	columns := []struct {
		t types.Type
		v any
	}{
		{types.Of(types.Boolean), true}, {types.Of(types.Int), int64(-7)}, {types.Of(types.BigInt), int64(1) << 60}, {types.Of(types.Float), 1.5},
		{types.Of(types.Double), -0.25}, {decimal, types.Decimal128FromInt64(-150)}, {decimal, types.Decimal128FromInt64(99999999)},
		{wide, types.Decimal128{Hi: -5, Lo: 3}}, {types.Of(types.Date), int64(-1)}, {types.Of(types.Time), int64(86399999999)},
		{types.Of(types.Timestamp), int64(-1)}, {types.Of(types.TimestampNTZ), int64(1)}, {types.Of(types.TimestampNS), int64(-5)},
		{types.Of(types.TimestampNTZNS), int64(6)}, {types.Of(types.String), "é"}, {types.Of(types.UUID), []byte("0123456789abcdef")},
		{types.Type{Kind: types.Fixed, Length: 3}, []byte("abc")}, {types.Type{Kind: types.Fixed, Length: 3}, []byte("xyz")}, {types.Of(types.Binary), []byte{}},
	}
	schema, spec := &Schema{}, &PartitionSpec{ID: 3}
	file := &ContentFile{Path: "/t/f.parquet", Format: "parquet", Spec: spec, Records: 5, SizeBytes: 6, status: entryAdded}
	empty := &ContentFile{Path: "/t/g.parquet", Format: "parquet", Spec: spec, status: entryAdded, Partition: make([]any, len(columns))}
	for i, c := range columns {
		id := types.FieldID(i + 1)
		name := string(rune('a' + i))
		schema.Fields = append(schema.Fields, types.Field{ID: id, Name: name, Type: c.t, Nullable: true})
		spec.Fields = append(spec.Fields, PartitionField{SourceIDs: []types.FieldID{id}, ID: firstPartitionFieldID + i, Name: "1é-" + name})
		file.Partition = append(file.Partition, c.v)
	}
	for version := 1; version <= maxFormatVersion; version++ {
		m := &TableMetadata{FormatVersion: version, Schemas: []*Schema{schema}, Specs: []*PartitionSpec{spec}, Properties: map[string]string{manifestCompressionProperty: "zstd"}}
		body, err := encodeManifest(m, schema, spec, dataManifest, 77, []*ContentFile{file, empty})
		require.NoError(t, err)
		described := newManifestFile(m, "/t/m.avro", int64(len(body)), spec, dataManifest, 77, 4, []*ContentFile{file, empty})
		files, err := parseManifest(body, described, m)
		require.NoError(t, err)
		require.Equal(t, file.Partition, files[0].Partition)
		require.Equal(t, empty.Partition, files[1].Partition)
		require.EqualValues(t, 77, files[0].SnapshotID)
		require.True(t, described.Partitions[0].ContainsNull)
		require.Equal(t, appendSingleValue(nil, decimal, columns[5].v), described.Partitions[5].LowerBound)
	}
}

// TestInheritance leaves to a file what it gets from the manifest list, and only
// to one that is added.
func TestInheritance(t *testing.T) {
	spec, first, key := &PartitionSpec{}, int64(40), int64(11)
	file := func(status entryStatus) *ContentFile {
		return &ContentFile{Path: "/t/f.parquet", Format: "parquet", Spec: spec, Records: 10, status: status, SnapshotID: 5, SequenceNumber: 2, FileSequenceNumber: 3, FirstRowID: &first}
	}
	schema := &Schema{}
	m := &TableMetadata{FormatVersion: 3, Schemas: []*Schema{schema}, Specs: []*PartitionSpec{spec}}
	files := []*ContentFile{file(entryAdded), file(entryExisting), file(entryDeleted), file(entryAdded)}
	body, err := encodeManifest(m, schema, spec, dataManifest, 9, files)
	require.NoError(t, err)
	described := newManifestFile(m, "/m", 1, spec, dataManifest, 9, 7, files)
	require.EqualValues(t, 2, described.MinSequenceNumber)
	list, after := assignFirstRowIDs([]*ManifestFile{described}, key)
	require.EqualValues(t, key+30, after)
	require.Nil(t, described.FirstRowID)
	got, err := parseManifest(body, list[0], m)
	require.NoError(t, err)
	var text []any
	for _, f := range got {
		text = append(text, []int64{f.SnapshotID, f.SequenceNumber, f.FileSequenceNumber, value(f.FirstRowID, -1)})
	}
	require.Equal(t, []any{[]int64{9, 7, 7, 11}, []int64{5, 2, 3, 40}, []int64{9, 2, 3, 40}, []int64{9, 7, 7, 21}}, text)
}

// TestRefusedManifests lists what a version of the format can't have.
func TestRefusedManifests(t *testing.T) {
	spec, offset := &PartitionSpec{}, int64(4)
	deletes := &ContentFile{Content: PositionDeletes, Path: "/d", Format: "parquet", Spec: spec, status: entryAdded}
	vector := &ContentFile{Content: PositionDeletes, Path: "/v", Format: "puffin", Spec: spec, status: entryAdded, ContentOffset: &offset}
	data := &ContentFile{Path: "/f", Format: "parquet", Spec: spec, status: entryAdded}
	unknown := &PartitionSpec{Fields: []PartitionField{{SourceIDs: []types.FieldID{1}, ID: 1000, Name: "p", Transform: parseTransform("later")}}}
	for _, c := range []struct {
		version int
		content manifestContent
		spec    *PartitionSpec
		file    *ContentFile
	}{{1, deletesManifest, spec, deletes}, {2, dataManifest, spec, deletes}, {2, deletesManifest, spec, data}, {2, deletesManifest, spec, vector}, {2, dataManifest, unknown, data}} {
		m := &TableMetadata{FormatVersion: c.version, Schemas: []*Schema{{}}, Specs: []*PartitionSpec{c.spec}}
		_, err := encodeManifest(m, m.Schemas[0], c.spec, c.content, 1, []*ContentFile{c.file})
		require.Error(t, err)
	}
	vector.ContentSize = &offset
	for reason, f := range map[string]*ContentFile{"without equality_ids": {Content: EqualityDeletes, Path: "/e", Format: "parquet", Spec: spec, status: entryAdded},
		"without referenced_data_file": vector} {
		m := &TableMetadata{FormatVersion: 3, Schemas: []*Schema{{}}, Specs: []*PartitionSpec{spec}}
		body, err := encodeManifest(m, m.Schemas[0], spec, deletesManifest, 1, []*ContentFile{f})
		require.NoError(t, err)
		_, err = parseManifest(body, &ManifestFile{content: deletesManifest}, m)
		require.ErrorContains(t, err, reason)
	}
	decimal := &PartitionSpec{Fields: []PartitionField{{SourceIDs: []types.FieldID{1}, ID: 1000, Name: "p", Transform: Transform{kind: truncateTransform, param: 1000}}}}
	schema := &Schema{}
	schema.Fields = []types.Field{{ID: 1, Name: "d", Type: types.DecimalOf(2, 1)}}
	long := &ContentFile{Path: "/f", Format: "parquet", Spec: decimal, status: entryAdded, Partition: []any{types.Decimal128FromInt64(-1000)}}
	_, err := encodeManifest(&TableMetadata{FormatVersion: 2, Schemas: []*Schema{schema}, Specs: []*PartitionSpec{decimal}}, schema, decimal, dataManifest, 1, []*ContentFile{long})
	require.ErrorContains(t, err, "-100.0 does not fit DECIMAL(2,1)")
	uncounted := &ManifestFile{Path: "/m", AddedFiles: -1}
	for version, ok := range []bool{1: true, 2: false, 3: false} {
		if version > 0 {
			_, err := encodeManifestList(&TableMetadata{FormatVersion: version}, &SnapshotRecord{}, []*ManifestFile{uncounted})
			require.Equal(t, ok, err == nil)
		}
	}
	_, err = encodeManifestList(&TableMetadata{FormatVersion: 1, Properties: map[string]string{manifestCompressionProperty: "brotli"}}, &SnapshotRecord{}, nil)
	require.ErrorContains(t, err, "brotli")
}

// TestAvroNames gives names as Avro asks for them.
func TestAvroNames(t *testing.T) {
	for name, want := range map[string]string{"a_B9": "a_B9", "9a": "_9a", "a b-c": "a_x20b_x2Dc", "é": "_xE9", "😀": "_xD83D_xDE00"} {
		require.Equal(t, want, avroName(name))
	}
	require.True(t, slices.IsSorted([]string{avroName("a"), avroName("b")}) && !strings.Contains(avroName("."), "."))
}

// TestNaNPartition tells of NaN in a partition summary and bounds the numbers.
func TestNaNPartition(t *testing.T) {
	schema, spec := &Schema{}, &PartitionSpec{Fields: []PartitionField{{SourceIDs: []types.FieldID{1}, ID: 1000, Name: "p"}}}
	schema.Fields = []types.Field{{ID: 1, Name: "x", Type: types.Of(types.Double), Nullable: true}}
	m := &TableMetadata{FormatVersion: 2, Schemas: []*Schema{schema}, Specs: []*PartitionSpec{spec}}
	summary := func(values ...any) fieldSummary {
		var files []*ContentFile
		for _, v := range values {
			files = append(files, &ContentFile{Spec: spec, Partition: []any{v}})
		}
		return newManifestFile(m, "/m", 1, spec, dataManifest, 1, 1, files).Partitions[0]
	}
	double := func(x float64) []byte { return appendSingleValue(nil, types.Of(types.Double), x) }
	yes, no := true, false
	require.Equal(t, fieldSummary{ContainsNaN: &yes, LowerBound: double(-2), UpperBound: double(0)}, summary(math.NaN(), math.Copysign(0, -1), -2.0))
	require.Equal(t, fieldSummary{ContainsNaN: &no, ContainsNull: true, LowerBound: double(math.Copysign(0, -1)), UpperBound: double(3)}, summary(nil, 0.0, 3.0))
	require.Equal(t, fieldSummary{ContainsNaN: &yes}, summary(math.NaN()))
}
