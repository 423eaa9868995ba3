package storage

import (
	"path"
	"time"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// MetadataColumn is the name of a column that ScanBuilder.WithColumns takes, as
// the last one, besides those of the snapshot's schema where the snapshot has a
// method MetadataColumn, which gives its type: FileMetadataType.
const MetadataColumn = "_metadata"

// FileMetadataType is the type of the metadata column. Tables whose rows have
// identities that outlive the file that they are in have row_id and
// row_commit_version too.
func FileMetadataType(rowIDs bool) types.Type {
	field := func(name string, k types.Kind) types.Field { return types.Field{Name: name, Type: types.Of(k)} }
	fields := []types.Field{field("file_path", types.String), field("file_name", types.String), field("file_size", types.BigInt),
		field("file_block_start", types.BigInt), field("file_block_length", types.BigInt), field("file_modification_time", types.Timestamp)}
	if rowIDs {
		for _, name := range []string{"row_id", "row_commit_version"} {
			f := field(name, types.BigInt)
			f.Nullable = true
			fields = append(fields, f)
		}
	}
	return types.StructOf(fields...)
}

// RowMetadata gives the metadata column of the rows of a task.
type RowMetadata struct {
	Path           string
	SizeBytes      int64
	Offset, Length int64
	ModTime        time.Time
	// RowIDs tells that rows have ids. Then the batches that are read have three
	// columns for them: from Stored on the id and the commit version of rows that
	// were in other files before, else NULL, and at Positions the row's position.
	RowIDs    bool
	Stored    int
	Positions int
	// First is the id of the file's first row and Version its commit version, both
	// for rows without stored ones; without First, rows have no ids.
	First   *int64
	Version int64
}

// Column gives the metadata column for a dense batch.
func (m *RowMetadata) Column(b *vector.Batch) *vector.Vector {
	t := FileMetadataType(m.RowIDs)
	out := &vector.Vector{Type: t, Len: b.Len}
	for i, v := range []any{m.Path, path.Base(m.Path), m.SizeBytes, m.Offset, m.Length, m.ModTime.UnixMicro()} {
		c := vector.Single(t.Fields[i].Type, v)
		c.Form, c.Len = vector.Constant, b.Len
		out.Children = append(out.Children, c)
	}
	if m.RowIDs {
		ids, versions := m.rows(b)
		out.Children = append(out.Children, ids, versions)
	}
	return out
}

// rows gives the ids and commit versions: an id that is not stored is the
// file's first one plus the position.
func (m *RowMetadata) rows(b *vector.Batch) (ids, versions *vector.Vector) {
	bigint := types.Of(types.BigInt)
	if m.First == nil {
		return vector.NewNull(bigint, b.Len), vector.NewNull(bigint, b.Len)
	}
	id, version := vector.NewBuilder(bigint, b.Len), vector.NewBuilder(bigint, b.Len)
	for i := range b.Len {
		if stored := b.Columns[m.Stored]; stored.IsNull(i) {
			id.AppendInt64(*m.First + b.Columns[m.Positions].Value(i).(int64))
		} else {
			id.AppendFrom(stored.At(i))
		}
		if stored := b.Columns[m.Stored+1]; stored.IsNull(i) {
			version.AppendInt64(m.Version)
		} else {
			version.AppendFrom(stored.At(i))
		}
	}
	return id.Vector(), version.Vector()
}
