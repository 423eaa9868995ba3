package storage

import (
	"context"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// Scannable is what can be scanned: a Snapshot, be it a version of the table or
// one with a transaction's own changes applied.
type Scannable interface {
	NewScan() ScanBuilder
}

// Snapshot is one state of a table. It never changes and is shared between
// connections.
type Snapshot interface {
	Scannable
	// Name is the table's name.
	Name() types.TableName
	// Version is NoVersion for a table that does not exist yet.
	Version() Version
	// Schema lists all columns, partition columns among them, in the table's
	// order. The format's internal metadata is stripped.
	Schema() types.Schema
	// PartitionColumns are names of columns of Schema, in partition order.
	PartitionColumns() []string
	// Properties are the table's properties.
	Properties() map[string]string
	// WriteRules are the constraints, defaults and generated columns that
	// written rows obey, as text that sql/bind parses.
	WriteRules() []types.WriteRule
	// CheckWrite refuses a table that needs something of its writers that is
	// not served (*UnsupportedFeature). It does no I/O.
	CheckWrite() error
	// Apply gives the state that the table would have after delta was
	// committed on this one; Version stays. It does no I/O.
	Apply(delta RowDelta) (Snapshot, error)
}

// Partitioned is a Snapshot that tells by what new rows are partitioned, where that
// is not by its PartitionColumns.
type Partitioned interface{ PartitionFields() []PartitionField }

// MetadataTables is a Snapshot that shows its metadata as tables, which are named
// behind the table's name, as in t.snapshots.
type MetadataTables interface {
	// MetadataTable gives one of them; ErrTableNotFound if there is none of that
	// name.
	MetadataTable(ctx context.Context, name string) (MetadataTable, error)
}

// MetadataTable is rows of a table's metadata, which can be scanned as a Snapshot
// can.
type MetadataTable interface {
	Scannable
	Name() types.TableName
	Schema() types.Schema
	PartitionColumns() []string
}

// FilterSupport says how far a scan applies a conjunct pushed into it.
type FilterSupport uint8

const (
	// Unsupported: the scan makes no use of the conjunct.
	Unsupported FilterSupport = iota
	// Inexact: the scan skips files or rows by it, but may give rows for which
	// it is not true, so the conjunct stays as a residual.
	Inexact
	// Exact: the scan gives only rows for which the conjunct is true.
	Exact
)

// String is the word that EXPLAIN prints.
func (s FilterSupport) String() string { return [...]string{"Unsupported", "Inexact", "Exact"}[s] }

// ScanBuilder is refined step by step; each With method changes and returns
// the builder. Column indexes in filters are positions in Snapshot.Schema.
type ScanBuilder interface {
	// Support tells how a conjunct would be used.
	Support(conjunct expr.Expr) FilterSupport
	// WithColumns chooses the columns that batches have, by name and in
	// order. Without a call, all columns of the schema.
	WithColumns(names []string) ScanBuilder
	// WithRowPositions appends a BIGINT column, each row's position in its
	// file, as DeltaWriter.DeletePositions takes it.
	WithRowPositions() ScanBuilder
	// WithPartitionFilter keeps only files whose partition values satisfy f,
	// which reads partition columns only.
	WithPartitionFilter(f expr.Expr) ScanBuilder
	// WithDataFilter lets the scan skip files, row groups, pages and rows for
	// which f is not true.
	WithDataFilter(f expr.Expr) ScanBuilder
	// WithLimitHint lets the scan choose fewer files when those have that many
	// rows for certain.
	WithLimitHint(rows int64) ScanBuilder
	// Build plans the scan.
	Build(ctx context.Context) (Scan, error)
}

// Scan is a planned scan. It is safe for concurrent use.
type Scan interface {
	// Schema describes the batches.
	Schema() types.Schema
	// Tasks are the files to read.
	Tasks() []ScanTask
	// Summary tells what was selected and why the rest was not.
	Summary() ScanSummary
	// Open starts reading a task. The caller closes the reader.
	Open(ctx context.Context, task ScanTask) (BatchReader, error)
	// ColumnStatistics gives the statistics of the live rows of a task's file for
	// a column of Schema, if the metadata has them for certain: Min and Max are
	// values of rows, and NullCount is right.
	ColumnStatistics(task ScanTask, column int) (ColumnStats, bool)
	// Narrow gives the scan without files, row groups, pages and rows that fail
	// conditions which became known after it was planned.
	Narrow(filters []RuntimeFilter) Scan
}

// RuntimeFilter is a condition on a column. A scan may keep rows that fail it.
type RuntimeFilter struct {
	Column  int       // position in Scan.Schema
	Bounds  expr.Expr // over the same positions: true for every row that passes
	Members Members   // nil if there are only bounds
}

// Members is a set of values. It is safe for concurrent use.
type Members interface {
	// Select writes the rows of sel (nil: rows 0 to n-1) whose value in v may be
	// in the set to out, which has room for all, and gives them. NULL is not in
	// the set.
	Select(v *vector.Vector, sel vector.Selection, n int, out vector.Selection) vector.Selection
}

// ScanTask is one file, or the part of it that begins in a byte range.
type ScanTask struct {
	File   DataFile
	Offset int64 // of the byte range; row groups whose middle lies in the range belong to the task
	Length int64
	// Parts, if it is not 0, is the number of tasks that share the rows of these row
	// groups; this one has the share Part, from 0 on. Only a Divider's tasks are shared.
	Part, Parts int
}

// Divider is a Scan whose tasks may be given Part and Parts: then several workers
// read a row group.
type Divider interface {
	// Divides tells whether a task is worth that many parts.
	Divides(task ScanTask, parts int) bool
}

// ScanSummary counts the files of a snapshot by what became of them. File
// names are relative to the table. SkippedManifests are lists of files that were
// not read because no file in them can have a row that is wanted; as far as they
// are counted, their files are among FilesTotal.
type ScanSummary struct {
	FilesTotal, FilesSelected int
	BytesTotal, BytesSelected int64
	SkippedManifests          []string
	SkippedByPartition        []string
	SkippedByStatistics       []string
	SkippedByLimit            []string
	SkippedAtRunTime          []string // by Scan.Narrow
}

// BatchReader reads a task. It is used by one goroutine.
type BatchReader interface {
	// Next gives the next batch, at most vector.BatchRows rows and never
	// empty, or io.EOF. Columns are those of Scan.Schema. The batch is valid
	// until the next call.
	Next(ctx context.Context) (*vector.Batch, error)
	// Close stops reading and frees what the reader holds.
	Close() error
	// Metrics tells what was read so far.
	Metrics() ReadMetrics
}

// ReadMetrics counts what a reader did.
type ReadMetrics struct {
	BytesRead       int64
	RowsRead        int64 // rows that the batches had
	RowGroupsRead   int
	RowGroupsPruned int
}

// Add adds other to m.
func (m *ReadMetrics) Add(other ReadMetrics) {
	m.BytesRead += other.BytesRead
	m.RowsRead += other.RowsRead
	m.RowGroupsRead += other.RowGroupsRead
	m.RowGroupsPruned += other.RowGroupsPruned
}
