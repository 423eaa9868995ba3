package iceberg

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/iceberg/internal/avrofile"
)

// manifestCompressionProperty names the codec of manifests and manifest lists.
const manifestCompressionProperty = "write.manifest.compression-codec"

// blockSizeOfV1 is what manifests of v1 have for a field that means nothing.
const blockSizeOfV1 = 64 << 20

// requiredField is a column of a file of metadata that is not null.
func requiredField(id types.FieldID, name string, t types.Type) types.Field {
	return types.Field{ID: id, Name: name, Type: t}
}

// optionalField is one that can be null.
func optionalField(id types.FieldID, name string, t types.Type) types.Field {
	return types.Field{ID: id, Name: name, Type: t, Nullable: true}
}

// mapByID is the type of values by the ids of columns.
func mapByID(key, value types.FieldID, t types.Kind) types.Type {
	k, v := requiredField(key, "key", types.Of(types.Int)), requiredField(value, "value", types.Of(t))
	return types.Type{Kind: types.Map, Key: &k, Elem: &v}
}

func listOf(id types.FieldID, t types.Type) types.Type {
	elem := requiredField(id, "element", t)
	return types.Type{Kind: types.Array, Elem: &elem}
}

// manifestEntryFields are the columns of a manifest (spec, "Manifest Entry Fields",
// "Data File Fields").
func manifestEntryFields(version int, partition types.Type) []types.Field {
	integer, long, text := types.Of(types.Int), types.Of(types.BigInt), types.Of(types.String)
	file := []types.Field{requiredField(100, "file_path", text), requiredField(101, "file_format", text), requiredField(102, "partition", partition),
		requiredField(103, "record_count", long), requiredField(104, "file_size_in_bytes", long)}
	if version == 1 {
		file = append(file, requiredField(105, "block_size_in_bytes", long))
	} else {
		file = append([]types.Field{requiredField(134, "content", integer)}, file...)
	}
	file = append(file, optionalField(108, "column_sizes", mapByID(117, 118, types.BigInt)), optionalField(109, "value_counts", mapByID(119, 120, types.BigInt)),
		optionalField(110, "null_value_counts", mapByID(121, 122, types.BigInt)), optionalField(137, "nan_value_counts", mapByID(138, 139, types.BigInt)),
		optionalField(125, "lower_bounds", mapByID(126, 127, types.Binary)), optionalField(128, "upper_bounds", mapByID(129, 130, types.Binary)),
		optionalField(131, "key_metadata", types.Of(types.Binary)), optionalField(132, "split_offsets", listOf(133, long)))
	if version > 1 {
		file = append(file, optionalField(135, "equality_ids", listOf(136, integer)))
	}
	file = append(file, optionalField(140, "sort_order_id", integer))
	if version > 2 {
		file = append(file, optionalField(142, "first_row_id", long))
	}
	if version > 1 {
		file = append(file, optionalField(143, "referenced_data_file", text))
	}
	if version > 2 {
		file = append(file, optionalField(144, "content_offset", long), optionalField(145, "content_size_in_bytes", long))
	}
	entry := []types.Field{requiredField(0, "status", integer), optionalField(1, "snapshot_id", long)}
	if version > 1 {
		entry = append(entry, optionalField(3, "sequence_number", long), optionalField(4, "file_sequence_number", long))
	}
	return append(entry, requiredField(2, "data_file", types.StructOf(file...)))
}

// manifestWriter encodes the entries of a manifest.
type manifestWriter struct {
	version    int
	spec       *PartitionSpec
	content    manifestContent
	snapshotID int64
	types      []types.Type // of the partition tuple
	names      []string     // of the partition fields, as the file has them
}

// encodeManifest gives a manifest of the files, each by its status (spec,
// "Manifests").
func encodeManifest(m *TableMetadata, schema *Schema, spec *PartitionSpec, content manifestContent, snapshotID int64, files []*ContentFile) ([]byte, error) {
	w := &manifestWriter{version: m.FormatVersion, spec: spec, content: content, snapshotID: snapshotID, types: m.partitionTypes(spec)}
	partition := types.Type{Kind: types.Struct}
	for i, f := range spec.Fields {
		if f.Transform.kind == unknownTransform {
			return nil, &storage.UnsupportedFeature{Feature: "partition transform " + f.Transform.text, Writing: true}
		}
		partition.Fields = append(partition.Fields, optionalField(types.FieldID(f.ID), f.Name, w.types[i]))
		w.names = append(w.names, avroName(f.Name))
	}
	record, err := avroRecord("manifest_entry", manifestEntryFields(m.FormatVersion, partition))
	if err != nil {
		return nil, err
	}
	header, err := w.header(schema)
	if err != nil {
		return nil, err
	}
	rows := make([]any, len(files))
	for i, f := range files {
		if rows[i], err = w.entry(f); err != nil {
			return nil, fmt.Errorf("manifest entry of %s: %w", f.Path, err)
		}
	}
	return m.encodeAvro(record, header, rows)
}

// encodeAvro writes a file of metadata.
func (m *TableMetadata) encodeAvro(schema any, header map[string]string, rows []any) ([]byte, error) {
	codec, ok := m.Properties[manifestCompressionProperty]
	if !ok {
		codec = "gzip"
	}
	var out bytes.Buffer
	w, err := avrofile.NewWriter(&out, schema, header, strings.ToLower(codec))
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		if err := w.Encode(row); err != nil {
			return nil, err
		}
	}
	err = w.Close()
	return out.Bytes(), err
}

// header gives the metadata of the file (spec, "Manifests").
func (w *manifestWriter) header(schema *Schema) (map[string]string, error) {
	schemaJSON, err := marshal(schema)
	if err != nil {
		return nil, err
	}
	fields, err := marshal(listed(w.spec.Fields))
	if err != nil {
		return nil, err
	}
	header := map[string]string{"schema": string(schemaJSON), "schema-id": strconv.Itoa(schema.ID), "partition-spec": string(fields),
		"partition-spec-id": strconv.Itoa(w.spec.ID), "format-version": strconv.Itoa(w.version)}
	if w.version > 1 {
		header["content"] = [...]string{dataManifest: "data", deletesManifest: "deletes"}[w.content]
	}
	return header, nil
}

// entry gives the row of a file. What an added file inherits is left out (spec,
// "Sequence Number Inheritance", "First Row ID Inheritance").
func (w *manifestWriter) entry(f *ContentFile) (*manifestEntryAvro, error) {
	if (f.Content == Data) != (w.content == dataManifest) || f.Content != Data && w.version == 1 || f.ContentOffset != nil && w.version < 3 {
		return nil, fmt.Errorf("a file of content %d in a manifest of content %d of version %d", f.Content, w.content, w.version)
	}
	if f.Spec.ID != w.spec.ID {
		return nil, fmt.Errorf("partition spec %d in a manifest of %d", f.Spec.ID, w.spec.ID)
	}
	content := int32(f.Content)
	row := &manifestEntryAvro{Status: int32(f.status), SnapshotID: &w.snapshotID, DataFile: dataFileAvro{
		Content: &content, Path: f.Path, Format: strings.ToUpper(f.Format), Records: f.Records, SizeBytes: f.SizeBytes, BlockSize: blockSizeOfV1,
		SplitOffsets: f.SplitOffsets, SortOrderID: f.SortOrderID, ContentOffset: f.ContentOffset, ContentSize: f.ContentSize}}
	if f.status == entryExisting {
		row.SnapshotID = &f.SnapshotID
	}
	if f.status != entryAdded {
		row.SequenceNumber, row.FileSequenceNumber, row.DataFile.FirstRowID = &f.SequenceNumber, &f.FileSequenceNumber, f.FirstRowID
	}
	if f.ReferencedDataFile != "" {
		row.DataFile.ReferencedDataFile = &f.ReferencedDataFile
	}
	for _, id := range f.EqualityIDs {
		row.DataFile.EqualityIDs = append(row.DataFile.EqualityIDs, int32(id))
	}
	row.DataFile.setMetrics(f)
	var err error
	row.DataFile.Partition, err = w.tuple(f)
	return row, err
}

// tuple gives the partition values by the names that they have in the file.
func (w *manifestWriter) tuple(f *ContentFile) (map[string]any, error) {
	out := make(map[string]any, len(w.names))
	for i, name := range w.names {
		v := f.Partition[i]
		if d, ok := v.(types.Decimal128); ok {
			var err error
			if v, err = fixedDecimal(w.types[i], d); err != nil {
				return nil, fmt.Errorf("partition value %s: %w", name, err)
			}
		}
		out[name] = v
	}
	return out, nil
}

// setMetrics takes what a file has by column apart by kind.
func (d *dataFileAvro) setMetrics(f *ContentFile) {
	counts := [4]*[]idCount{&d.ColumnSizes, &d.ValueCounts, &d.NullValueCounts, &d.NaNValueCounts}
	bounds := [2]*[]idBound{&d.LowerBounds, &d.UpperBounds}
	for i, list := range counts {
		if f.hasMetrics[i] {
			*list = []idCount{}
		}
	}
	for i, list := range bounds {
		if f.hasMetrics[len(counts)+i] {
			*list = []idBound{}
		}
	}
	for _, c := range f.Metrics {
		for i, n := range [4]int64{c.SizeBytes, c.Values, c.NullCount, c.NaNCount} {
			if n >= 0 {
				*counts[i] = append(*counts[i], idCount{int32(c.ID), n})
			}
		}
		for i, b := range [2][]byte{c.LowerBound, c.UpperBound} {
			if b != nil {
				*bounds[i] = append(*bounds[i], idBound{int32(c.ID), b})
			}
		}
	}
}
