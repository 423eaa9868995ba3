package delta

import (
	"path"
	"slices"
	"strings"
	"time"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/parquet"
)

// The columns in which files keep the identity of rows that were written before
// have these names (protocol, "Row Tracking").
const (
	keyMaterializedRowID         = "delta.rowTracking.materializedRowIdColumnName"
	keyMaterializedCommitVersion = "delta.rowTracking.materializedRowCommitVersionColumnName"
)

// hasRowTracking tells whether all rows have ids (protocol, "Row Tracking": it is
// enabled where the feature is supported and the property is true).
func (s *Snapshot) hasRowTracking() bool {
	return s.protocol.supports(featureRowTracking) && s.metadata.isTrue("delta.enableRowTracking")
}

// MetadataColumn gives the type of the metadata column.
func (s *Snapshot) MetadataColumn() types.Type {
	return storage.FileMetadataType(s.hasRowTracking())
}

// rowMetadata gives the metadata column of a file's rows, and has its reader
// read what that needs (protocol, "Reader Requirements for Row Tracking").
func (s *Snapshot) rowMetadata(f *activeFile, task storage.ScanTask, o *parquet.ReadOptions) *storage.RowMetadata {
	m := &storage.RowMetadata{Path: s.table.location(f.path), SizeBytes: f.add.Size, Offset: task.Offset, Length: task.Length, ModTime: time.UnixMilli(f.add.ModificationTime),
		RowIDs: s.hasRowTracking(), Stored: len(o.Columns), First: f.add.BaseRowID}
	if !m.RowIDs {
		return m
	}
	if f.add.DefaultRowCommitVersion != nil {
		m.Version = *f.add.DefaultRowCommitVersion
	}
	o.Columns = slices.Clip(o.Columns)
	for _, key := range []string{keyMaterializedRowID, keyMaterializedCommitVersion} {
		o.Columns = append(o.Columns, types.Field{Name: s.metadata.property(key), Type: types.Of(types.BigInt), Nullable: true})
	}
	o.Positions, m.Positions = true, len(o.Columns)
	return m
}

// location names a data file for everyone: by its store and path.
func (t *Table) location(decoded string) string {
	if schemeOf(decoded) != "" || strings.HasPrefix(decoded, "/") {
		return decoded
	}
	return t.store.String() + "/" + t.storePath(path.Clean(decoded))
}
