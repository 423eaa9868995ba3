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

// RowIDColumn is the name of a column that ScanBuilder.WithColumns takes in place
// of MetadataColumn where that has a field row_id: the field alone.
const RowIDColumn = MetadataColumn + ".row_id"

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

// HasRowIDs tells of the type of a metadata column whether rows have identities.
func HasRowIDs(metadata types.Type) bool {
	return types.Schema{Fields: metadata.Fields}.Index("row_id") >= 0
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
	// IsStaged tells that the file is of a transaction that has not committed yet:
	// it has no First, but its rows have what is stored.
	IsStaged bool
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
		out.Children = append(out.Children, m.IDs(b), m.versions(b))
	}
	return out
}

// IDs gives the ids of the rows of a dense batch: one that is not stored is the
// file's first one plus the position.
func (m *RowMetadata) IDs(b *vector.Batch) *vector.Vector {
	positions := b.Columns[m.Positions]
	return m.rows(b.Columns[m.Stored], b.Len, func(row int) int64 {
		v, i := positions.At(row)
		return *m.First + v.Int64s[i]
	})
}

func (m *RowMetadata) versions(b *vector.Batch) *vector.Vector {
	return m.rows(b.Columns[m.Stored+1], b.Len, func(int) int64 { return m.Version })
}

// rows gives what is stored for rows, or else what they inherit from the file.
func (m *RowMetadata) rows(stored *vector.Vector, n int, inherited func(row int) int64) *vector.Vector {
	bigint := types.Of(types.BigInt)
	if m.First == nil && !m.IsStaged {
		return vector.NewNull(bigint, n)
	}
	out := vector.NewBuilder(bigint, n)
	for row := range n {
		switch {
		case !stored.IsNull(row):
			out.AppendFrom(stored.At(row))
		case m.First == nil:
			out.AppendNull()
		default:
			out.AppendInt64(inherited(row))
		}
	}
	return out.Vector()
}
