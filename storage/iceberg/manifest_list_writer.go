package iceberg

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/storage"
)

// manifestListFields are the columns of a manifest list (spec, "Manifest
// Lists").
func manifestListFields(version int) []types.Field {
	integer, long, flag, binary := types.Of(types.Int), types.Of(types.BigInt), types.Of(types.Boolean), types.Of(types.Binary)
	fields := []types.Field{requiredField(500, "manifest_path", types.Of(types.String)), requiredField(501, "manifest_length", long), requiredField(502, "partition_spec_id", integer)}
	count := optionalField
	if version > 1 {
		count = requiredField
		fields = append(fields, requiredField(517, "content", integer), requiredField(515, "sequence_number", long), requiredField(516, "min_sequence_number", long))
	}
	summary := types.StructOf(requiredField(509, "contains_null", flag), optionalField(518, "contains_nan", flag), optionalField(510, "lower_bound", binary), optionalField(511, "upper_bound", binary))
	fields = append(fields, requiredField(503, "added_snapshot_id", long),
		count(504, "added_files_count", integer), count(505, "existing_files_count", integer), count(506, "deleted_files_count", integer),
		count(512, "added_rows_count", long), count(513, "existing_rows_count", long), count(514, "deleted_rows_count", long),
		optionalField(507, "partitions", listOf(508, summary)), optionalField(519, "key_metadata", binary))
	if version > 2 {
		fields = append(fields, optionalField(520, "first_row_id", long))
	}
	return fields
}

// newManifestFile describes a manifest of the files, each by its status, which
// the snapshot adds.
func newManifestFile(m *TableMetadata, path string, length int64, spec *PartitionSpec, content manifestContent, snapshotID, sequenceNumber int64, files []*ContentFile) *ManifestFile {
	out := &ManifestFile{Path: path, Length: length, SpecID: spec.ID, content: content, AddedSnapshotID: snapshotID, Partitions: []fieldSummary{}}
	if m.FormatVersion > 1 {
		out.SequenceNumber, out.MinSequenceNumber = sequenceNumber, sequenceNumber
	}
	for _, f := range files {
		switch f.status {
		case entryAdded:
			out.AddedFiles++
			out.AddedRows += f.Records
		case entryExisting:
			out.ExistingFiles++
			out.ExistingRows += f.Records
			out.MinSequenceNumber = min(out.MinSequenceNumber, f.SequenceNumber)
		case entryDeleted:
			out.DeletedFiles++
			out.DeletedRows += f.Records
		}
	}
	for i, t := range m.partitionTypes(spec) {
		out.Partitions = append(out.Partitions, summarize(t, i, files))
	}
	return out
}

// summarize bounds a field of the partition tuples of files (spec, "Manifest
// Lists", field_summary). NaN is no bound.
func summarize(t types.Type, field int, files []*ContentFile) fieldSummary {
	var low, high any
	nan := false
	out := fieldSummary{ContainsNaN: &nan}
	for _, f := range files {
		v := f.Partition[field]
		if v == nil {
			out.ContainsNull = true
			continue
		}
		if x, ok := v.(float64); ok && math.IsNaN(x) {
			nan = true
			continue
		}
		if low == nil {
			low, high = v, v
		}
		if order, _ := types.CompareValues(t, v, low); order < 0 {
			low = v
		}
		if order, _ := types.CompareValues(t, v, high); order > 0 {
			high = v
		}
	}
	if low != nil {
		low, high = signedZeros(low, high)
		out.LowerBound, out.UpperBound = appendSingleValue([]byte{}, t, low), appendSingleValue([]byte{}, t, high)
	}
	return out
}

// signedZeros gives bounds that have -0.0 as well as 0.0 within if they have one
// of them (spec, "Data File Fields", note 2).
func signedZeros(low, high any) (any, any) {
	if low == 0.0 {
		low = math.Copysign(0, -1)
	}
	if high == 0.0 {
		high = 0.0
	}
	return low, high
}

// assignFirstRowIDs gives the data manifests of a v3 snapshot that have no row
// ids yet theirs, from next on (spec, "First Row ID Assignment"). What it changes
// is copied. after is the first id that is still free.
func assignFirstRowIDs(list []*ManifestFile, next int64) (out []*ManifestFile, after int64) {
	out = slices.Clone(list)
	for i, f := range out {
		if f.content != dataManifest || f.FirstRowID != nil {
			continue
		}
		assigned, first := *f, next
		assigned.FirstRowID = &first
		out[i] = &assigned
		next += f.ExistingRows + f.AddedRows
	}
	return out, next
}

// encodeManifestList gives the manifest list of a snapshot. The manifests of v3
// have their row ids.
func encodeManifestList(m *TableMetadata, record *SnapshotRecord, list []*ManifestFile) ([]byte, error) {
	schema, err := avroRecord("manifest_file", manifestListFields(m.FormatVersion))
	if err != nil {
		return nil, err
	}
	header := map[string]string{"snapshot-id": strconv.FormatInt(record.SnapshotID, 10), "parent-snapshot-id": "null", "format-version": strconv.Itoa(m.FormatVersion)}
	if record.ParentSnapshotID != nil {
		header["parent-snapshot-id"] = strconv.FormatInt(*record.ParentSnapshotID, 10)
	}
	if m.FormatVersion > 1 {
		header["sequence-number"] = strconv.FormatInt(record.SequenceNumber, 10)
	}
	if record.FirstRowID != nil {
		header["first-row-id"] = strconv.FormatInt(*record.FirstRowID, 10)
	}
	rows := make([]any, len(list))
	for i, f := range list {
		if rows[i], err = f.row(m.FormatVersion); err != nil {
			return nil, fmt.Errorf("manifest %s: %w", f.Path, err)
		}
	}
	return m.encodeAvro(schema, header, rows)
}

// row gives the row of a manifest list.
func (m *ManifestFile) row(version int) (*manifestFileAvro, error) {
	content := int32(m.content)
	row := &manifestFileAvro{Path: m.Path, Length: m.Length, SpecID: int32(m.SpecID), Content: &content, SequenceNumber: &m.SequenceNumber,
		MinSequenceNumber: &m.MinSequenceNumber, AddedSnapshotID: &m.AddedSnapshotID, AddedFiles: fileCount(m.AddedFiles),
		ExistingFiles: fileCount(m.ExistingFiles), DeletedFiles: fileCount(m.DeletedFiles), AddedRows: rowCount(m.AddedRows),
		ExistingRows: rowCount(m.ExistingRows), DeletedRows: rowCount(m.DeletedRows), Partitions: m.Partitions}
	if m.content == dataManifest {
		row.FirstRowID = m.FirstRowID
	}
	switch {
	case version == 1 && m.content != dataManifest:
		return nil, fmt.Errorf("content %d in a list of version 1", m.content)
	case m.SpecID == specInFile || version > 1 && min(m.AddedFiles, m.ExistingFiles, m.DeletedFiles, m.AddedRows, m.ExistingRows, m.DeletedRows) < 0:
		return nil, &storage.UnsupportedFeature{Feature: "manifest of v1 without counts", Writing: true}
	case version > 2 && m.content == dataManifest && m.FirstRowID == nil:
		return nil, errors.New("a data manifest has no first_row_id")
	}
	return row, nil
}

// fileCount is a count as the list has it, where -1 is unknown.
func fileCount(n int64) *int32 {
	if n < 0 {
		return nil
	}
	count := int32(n)
	return &count
}

func rowCount(n int64) *int64 {
	if n < 0 {
		return nil
	}
	return &n
}
