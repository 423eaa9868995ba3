package storage

import (
	"context"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// DataFile is a file of rows of a table.
type DataFile struct {
	Path      string // as the table's metadata has it, decoded; relative to the table or absolute
	SizeBytes int64
	Records   int64 // rows in the file, deleted ones included; -1 if unknown
	Deleted   int64 // rows that the file's deletes take away; -1 if unknown
	Partition []any // values of the partition columns, in their order, as vector.Vector.Value gives them
	Stats     FileStats
	Entry     any // the format's own record of the file
}

// LiveRecords is the number of rows that a scan gives; -1 if unknown.
func (f DataFile) LiveRecords() int64 {
	if f.Records < 0 || f.Deleted < 0 {
		return -1
	}
	return f.Records - f.Deleted
}

// FileStats describes the values of a file's columns.
type FileStats struct {
	Columns []ColumnStats
	// TightBounds tells that Min and Max are values of live rows; otherwise
	// they only bound them.
	TightBounds bool
}

// ColumnStats are the statistics of one leaf column.
type ColumnStats struct {
	Path      []string // from the top-level column down to the leaf
	ID        types.FieldID
	Type      types.Type
	Min, Max  any   // bounds of the non-null values, as vector.Vector.Value gives them; nil if unknown
	NullCount int64 // -1 if unknown
	SizeBytes int64 // in the file, compressed
}

// DeleteFile is a file that takes rows away from data files.
type DeleteFile struct {
	Path    string
	Records int64
	Entry   any // the format's own record of the file
}

// Isolation says what a commit is checked against.
type Isolation uint8

const (
	// WriteSerializable checks that what a change overwrites was not changed
	// meanwhile. Files added meanwhile are only checked for when the change
	// removes files by a condition and is no blind append.
	WriteSerializable Isolation = iota
	// Serializable checks, besides, that nothing was added that the change
	// would have read.
	Serializable
	// SnapshotIsolation checks only that the files that the change removes are
	// still there.
	SnapshotIsolation
)

// RowDelta is a change of a table, computed on one of its snapshots.
type RowDelta struct {
	Added          []DataFile
	Removed        []DataFile
	AddedDeletes   []DeleteFile
	RemovedDeletes []DeleteFile
	// Definition is set by a statement that creates or replaces the table.
	Definition *TableDefinition
	// ReadFilter is true for every row that the change could depend on; nil
	// means that it read nothing (a blind append), expr.True that it read the
	// whole table. Column indexes are positions in Snapshot.Schema.
	ReadFilter expr.Expr
	Isolation  Isolation
	// Operation is what the history shows: WRITE, DELETE, UPDATE, MERGE,
	// CREATE TABLE, CREATE TABLE AS SELECT; Parameters and Metrics describe it.
	Operation  string
	Parameters map[string]string
	Metrics    map[string]int64
}

// IsEmpty reports whether committing the delta would change nothing.
func (d *RowDelta) IsEmpty() bool {
	return d.Definition == nil && len(d.Added)+len(d.Removed)+len(d.AddedDeletes)+len(d.RemovedDeletes) == 0
}

// WriteOptions configure a DeltaWriter.
type WriteOptions struct {
	TargetFileSizeBytes int64 // files roll at this size; 0 for the table's or the default of 128 MiB
	Threads             int   // files encoded at the same time; 0 for 1
}

// TaskWriter writes rows into new files of a table. It is used by one
// goroutine. After an error only Abort may be called.
type TaskWriter interface {
	// Write appends the batch's selected rows. The columns are those of the
	// snapshot's schema, in order. The batch may be reused afterwards.
	Write(ctx context.Context, batch *vector.Batch) error
	// Complete makes the files durable, still invisible, and tells what they are.
	Complete(ctx context.Context) (WriteResult, error)
	// Abort removes what was written.
	Abort(ctx context.Context) error
}

// DeltaWriter writes rows and takes rows of existing files away. Whether a
// file that loses rows is written anew or gets a delete file is the table's
// affair.
type DeltaWriter interface {
	TaskWriter
	// DeletePositions takes rows away from a file of the snapshot by their
	// positions. A file may be named several times, a row too.
	DeletePositions(ctx context.Context, file DataFile, rows []int64) error
	// DeleteFile takes a whole file away.
	DeleteFile(ctx context.Context, file DataFile) error
}

// WriteResult is what a writer produced, and what of it replaces other files.
type WriteResult struct {
	DataFiles    []DataFile
	DeleteFiles  []DeleteFile
	RemovedFiles []DataFile
}
