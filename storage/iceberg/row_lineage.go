package iceberg

import (
	"context"
	"slices"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/parquet"
)

// lineageColumns are the columns in which files keep the identity of rows that
// were written before (spec, "Row Lineage", "Reserved Field IDs").
var lineageColumns = []types.Field{
	{ID: 2147483540, Name: "_row_id", Type: types.Of(types.BigInt), Nullable: true},
	{ID: 2147483539, Name: "_last_updated_sequence_number", Type: types.Of(types.BigInt), Nullable: true},
}

// hasRowLineage tells whether rows have ids (spec, "Row Lineage": from v3 on).
func (m *TableMetadata) hasRowLineage() bool { return m.FormatVersion >= 3 }

// MetadataColumn gives the type of the metadata column. Its row_id is the
// row's _row_id, row_commit_version its _last_updated_sequence_number.
func (s *Snapshot) MetadataColumn() types.Type {
	return storage.FileMetadataType(s.metadata.hasRowLineage())
}

// addMetadata has the reader give the metadata column, or the row ids in it, and
// reads what that needs (spec, "Row Lineage", "Row lineage assignment").
func (r *taskReader) addMetadata(ctx context.Context, task storage.ScanTask, o *parquet.ReadOptions) error {
	f := task.File.Entry.(*scanFile).file
	s := r.scan.snapshot
	m := &storage.RowMetadata{Path: f.Path, SizeBytes: f.SizeBytes, Offset: task.Offset, Length: task.Length,
		RowIDs: s.metadata.hasRowLineage(), Stored: len(o.Columns), First: f.FirstRowID, Version: f.SequenceNumber, IsStaged: f.written != nil}
	r.output.Metadata = m
	if m.RowIDs {
		o.Columns = append(slices.Clip(o.Columns), lineageColumns...)
		o.Positions = true
	}
	if !r.scan.Layout.Metadata {
		return nil
	}
	store, path, err := s.table.resolve(s.metadata, f.Path)
	if err != nil {
		return err
	}
	info, err := store.Stat(ctx, path)
	if err != nil {
		return dataFileError(path, err)
	}
	m.ModTime = info.ModTime
	return nil
}
