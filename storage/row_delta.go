package storage

import (
	"context"
	"slices"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// DataFile is a file of rows of a table.
type DataFile struct {
	// Path is relative to the table, or absolute: a local file's or a URI of
	// another store. It is as the store takes it: what the table's metadata
	// encodes is decoded.
	Path      string
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
	// RowGroups are the offsets at which the file's row groups begin; nil if unknown.
	RowGroups []int64
}

// ColumnStats are the statistics of one leaf column.
type ColumnStats struct {
	Path      []string // from the top-level column down to the leaf
	ID        types.FieldID
	Type      types.Type
	Min, Max  any   // bounds of the values but NULL and those in NaNCount, as vector.Vector.Value gives them; nil if unknown
	NullCount int64 // -1 if unknown
	NaNCount  int64 // values that Min and Max leave out, where SQL orders NaN above all numbers
	SizeBytes int64 // in the file, compressed
}

// DeleteFile is a file, or a blob of one, that takes rows away from data files.
type DeleteFile struct {
	Path    string
	Offset  int64 // of a blob in its file; 0 for a whole file
	Records int64 // positions or keys in it
	Entry   any   // the format's own record of the file
}

// Is tells whether two delete files are the same one.
func (f DeleteFile) Is(other DeleteFile) bool {
	return f.Path == other.Path && f.Offset == other.Offset
}

// Isolation says what a commit is checked against.
type Isolation uint8

const (
	// WriteSerializable checks that what a change has read (RowDelta.ReadFilter)
	// was not changed meanwhile. Rows of blind appends may come in between.
	WriteSerializable Isolation = iota
	// Serializable checks what the whole transaction has read
	// (RowDelta.TxReadFilter too), against blind appends as well.
	Serializable
	// SnapshotIsolation checks only that the files that the change removes are
	// still there, and the rows that it has new forms of.
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
	// ReadFilter is true for every row of the table that the statements which
	// made the change have read, or would have; nil means that they read nothing,
	// expr.True the whole table. Column indexes are positions in Snapshot.Schema.
	ReadFilter expr.Expr
	// TxReadFilter is the same of all statements of the transaction, its queries
	// among them; see IsBlindAppend.
	TxReadFilter expr.Expr
	// Isolation is what the transaction asks for; the table may ask for more.
	Isolation Isolation
	// Operation is what the history shows: WRITE, DELETE, UPDATE, MERGE,
	// CREATE TABLE, CREATE TABLE AS SELECT; Parameters describe it.
	Operation  string
	Parameters map[string]string
}

// maxReads is how many filters UnionReads joins before it takes the whole table
// to have been read.
const maxReads = 1000

// UnionReads gives the filter of all that two reads have read; nil is a read of
// nothing.
func UnionReads(a, b expr.Expr) expr.Expr {
	switch {
	case a == nil || b == expr.True:
		return b
	case b == nil || a == expr.True || expr.Equal(a, b):
		return a
	}
	union := expr.Or(a, b)
	if call, ok := union.(*expr.Call); ok && len(call.Args) > maxReads {
		return expr.True
	}
	return union
}

// Reads is what counts of the transaction's reads at a level, as far as columns of
// the table, of which there are so many, tell it: conjuncts that read anything else
// are left out, so that more is taken to have been read. nil if nothing counts.
func (d *RowDelta) Reads(level Isolation, columns int) expr.Expr {
	var read expr.Expr
	switch level {
	case SnapshotIsolation:
		return nil
	case WriteSerializable:
		read = d.ReadFilter
	case Serializable:
		read = UnionReads(d.ReadFilter, d.TxReadFilter)
	}
	if read == nil {
		return nil
	}
	known := slices.DeleteFunc(slices.Clone(expr.SplitConjuncts(read)), func(conjunct expr.Expr) bool {
		return slices.ContainsFunc(expr.Columns(conjunct), func(c *expr.Column) bool { return c.Index < 0 || c.Index >= columns || c.MetaColumn })
	})
	if len(known) == 0 {
		return expr.True
	}
	return expr.And(known...)
}

// IsEmpty reports whether committing the delta would change nothing.
func (d *RowDelta) IsEmpty() bool {
	return d.Definition == nil && len(d.Added)+len(d.Removed)+len(d.AddedDeletes)+len(d.RemovedDeletes) == 0
}

// IsBlindAppend tells a change of a transaction that has read nothing of the table
// and only adds rows: it may come before or after any other.
func (d *RowDelta) IsBlindAppend() bool {
	return d.ReadFilter == nil && d.TxReadFilter == nil && len(d.Removed)+len(d.AddedDeletes)+len(d.RemovedDeletes) == 0
}

// WriteOptions configure a DeltaWriter.
type WriteOptions struct {
	TargetFileSizeBytes int64 // files roll at this size; 0 for the table's or the default of 128 MiB
	// Operation is the statement's, as in RowDelta: a table may choose by it
	// whether files are written anew or get delete files.
	Operation string
	// Keys are the columns by which rows are told apart. A writer with keys takes
	// older rows away by key: DeleteKeys and Upsert may be called, and Write takes
	// away the row of the same key that the writer itself has written before.
	// NULL equals NULL. FLOAT and DOUBLE can't be keys.
	Keys []string
	// KeyBytes bounds the memory for keys that the writer has met; 0 for a default.
	// Beyond it the writer reads again what it has written.
	KeyBytes int64
	// Threads is how many threads may encode the columns of a file at the same time;
	// 0 for one.
	Threads int
	// WholeRows promises that rows come to DeleteKeys as they are in the table, as
	// in a changelog. Otherwise only their keys count.
	WholeRows bool
	// RowIDs tells that the batches of Write have one more column, behind those of
	// the schema: the RowIDColumn of the row that a row takes the place of, NULL for
	// a new one. It is for tables whose metadata column has row ids; the row keeps its.
	RowIDs bool
}

// TaskWriter writes rows into new files of a table. It is used by one
// goroutine. After an error only Abort may be called.
type TaskWriter interface {
	// Write appends the batch's selected rows. The columns are those of the
	// snapshot's schema, in order, and what WriteOptions.RowIDs says. The batch may
	// be reused afterwards.
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
	// DeleteKeys takes away the rows, in the snapshot and written before, that have
	// the keys of the batch's selected rows. The columns are those of Write; only
	// keys are looked at, unless WriteOptions.WholeRows is set. A key without rows
	// is no error.
	DeleteKeys(ctx context.Context, batch *vector.Batch) error
	// Upsert is DeleteKeys and then Write, row by row: of rows with equal keys the
	// last stays.
	Upsert(ctx context.Context, batch *vector.Batch) error
}

// WriteResult is what a writer produced, and what of it replaces other files.
type WriteResult struct {
	DataFiles      []DataFile
	DeleteFiles    []DeleteFile
	RemovedFiles   []DataFile
	RemovedDeletes []DeleteFile
	// Read is true for every row that was, or would have been, looked at to find
	// keys, as RowDelta.ReadFilter; nil if nothing was.
	Read expr.Expr
}
