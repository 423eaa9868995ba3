package iceberg

import (
	"errors"
	"fmt"
	"io"

	"github.com/tarndb/tarn/storage"
)

// manifestContent says what the files of a manifest are.
type manifestContent int32

const (
	dataManifest    manifestContent = 0
	deletesManifest manifestContent = 1
)

// ManifestFile is a manifest as a manifest list describes it (spec, "Manifest
// Lists"). A count is -1 where the list does not have it.
type ManifestFile struct {
	Path              string
	Length            int64
	SpecID            int
	content           manifestContent
	SequenceNumber    int64
	MinSequenceNumber int64
	AddedSnapshotID   int64
	AddedFiles        int64
	ExistingFiles     int64
	DeletedFiles      int64
	AddedRows         int64
	ExistingRows      int64
	DeletedRows       int64
	Partitions        []fieldSummary
	FirstRowID        *int64
}

// fieldSummary bounds a field of the partition tuples of a manifest's files.
type fieldSummary struct {
	ContainsNull bool   `avro:"contains_null"`
	ContainsNaN  *bool  `avro:"contains_nan"`
	LowerBound   []byte `avro:"lower_bound"`
	UpperBound   []byte `avro:"upper_bound"`
}

// manifestFileAvro is a row of a manifest list.
type manifestFileAvro struct {
	Path              string         `avro:"manifest_path"`
	Length            int64          `avro:"manifest_length"`
	SpecID            int32          `avro:"partition_spec_id"`
	Content           *int32         `avro:"content"`
	SequenceNumber    *int64         `avro:"sequence_number"`
	MinSequenceNumber *int64         `avro:"min_sequence_number"`
	AddedSnapshotID   *int64         `avro:"added_snapshot_id"`
	AddedFiles        *int32         `avro:"added_files_count"`
	ExistingFiles     *int32         `avro:"existing_files_count"`
	DeletedFiles      *int32         `avro:"deleted_files_count"`
	AddedRows         *int64         `avro:"added_rows_count"`
	ExistingRows      *int64         `avro:"existing_rows_count"`
	DeletedRows       *int64         `avro:"deleted_rows_count"`
	Partitions        []fieldSummary `avro:"partitions"`
	KeyMetadata       []byte         `avro:"key_metadata"`
	FirstRowID        *int64         `avro:"first_row_id"`
}

// manifestListNames are the fields of a manifest list by their ids.
var manifestListNames = map[int]string{
	500: "manifest_path", 501: "manifest_length", 502: "partition_spec_id", 517: "content", 515: "sequence_number", 516: "min_sequence_number",
	503: "added_snapshot_id", 504: "added_files_count", 505: "existing_files_count", 506: "deleted_files_count", 512: "added_rows_count",
	513: "existing_rows_count", 514: "deleted_rows_count", 507: "partitions", 519: "key_metadata", 520: "first_row_id",
	509: "contains_null", 518: "contains_nan", 510: "lower_bound", 511: "upper_bound",
}

// parseManifestList reads the manifests of a snapshot.
func parseManifestList(body []byte) ([]*ManifestFile, error) {
	r, err := manifestLists.Open(body)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	var out []*ManifestFile
	for {
		var row manifestFileAvro
		if err := r.Decode(&row); errors.Is(err, io.EOF) {
			return out, nil
		} else if err != nil {
			return nil, err
		}
		if len(row.KeyMetadata) > 0 {
			return nil, &storage.UnsupportedFeature{Feature: "encryption"}
		}
		m := &ManifestFile{Path: row.Path, Length: row.Length, SpecID: int(row.SpecID), content: manifestContent(value(row.Content, 0)),
			SequenceNumber: value(row.SequenceNumber, 0), MinSequenceNumber: value(row.MinSequenceNumber, 0), AddedSnapshotID: value(row.AddedSnapshotID, 0),
			AddedFiles: int64(value(row.AddedFiles, -1)), ExistingFiles: int64(value(row.ExistingFiles, -1)), DeletedFiles: int64(value(row.DeletedFiles, -1)),
			AddedRows: value(row.AddedRows, -1), ExistingRows: value(row.ExistingRows, -1), DeletedRows: value(row.DeletedRows, -1),
			Partitions: row.Partitions, FirstRowID: row.FirstRowID}
		if m.content != dataManifest && m.content != deletesManifest {
			return nil, fmt.Errorf("content %d of manifest %s is unknown", m.content, m.Path)
		}
		out = append(out, m)
	}
}

// value is what p points to, or a default.
func value[T any](p *T, otherwise T) T {
	if p == nil {
		return otherwise
	}
	return *p
}

// liveFiles is the number of files that are in the table; -1 if unknown.
func (m *ManifestFile) liveFiles() int64 {
	if m.AddedFiles < 0 || m.ExistingFiles < 0 {
		return -1
	}
	return m.AddedFiles + m.ExistingFiles
}
