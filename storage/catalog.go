package storage

import (
	"context"
	"time"

	"github.com/tarndb/tarn/sql/types"
)

// Version names a state of a table, as VERSION AS OF does: the number of a commit
// or the id of a snapshot. Only formats know an order of versions.
type Version int64

// NoVersion is the version of a table that does not exist yet.
const NoVersion Version = -1

// Catalog finds, makes and drops tables by name. It is safe for concurrent
// use.
type Catalog interface {
	// LoadTable finds a table; ErrTableNotFound if there is none.
	LoadTable(ctx context.Context, name types.TableName) (Table, error)
	// NewTable gives a handle for a table that does not exist yet: LoadLatest
	// gives a snapshot with NoVersion and without columns, until somebody
	// commits; a RowDelta with a Definition makes the table. ErrTableExists if
	// there is one.
	NewTable(ctx context.Context, name types.TableName, definition TableDefinition) (Table, error)
	// DropTable removes a table; ErrTableNotFound if there is none. Whether its files
	// go too is the catalog's affair.
	DropTable(ctx context.Context, name types.TableName) error
	// ListTables lists the tables of a schema in order of their names. A schema of
	// several levels has dots between them.
	ListTables(ctx context.Context, schema string) ([]types.TableName, error)
}

// TableDefinition is what CREATE TABLE says.
type TableDefinition struct {
	Format     string // as USING says it; empty for the catalog's default
	Location   string // by-path and external tables; empty for the catalog's choice
	Schema     types.Schema
	Partition  []PartitionField
	KeyColumns []string // that tell rows apart; empty if the statement names none
	Properties map[string]string
	Comment    string
}

// PartitionField is a value that rows are partitioned by.
type PartitionField struct {
	// Transform makes the value of the column's: empty or identity for the value
	// itself, or bucket, truncate, year, month, day, hour or void, as the Iceberg
	// spec calls them, in lower case.
	Transform string
	Argument  int64 // the number of buckets or the width of truncate
	Column    string
	Name      string // empty for the format's choice
}

// PartitionColumns are the columns of a definition without transforms; ok is
// false if there is a transform.
func (d *TableDefinition) PartitionColumns() (columns []string, ok bool) {
	for _, f := range d.Partition {
		if f.Transform != "" && f.Transform != "identity" || f.Name != "" {
			return nil, false
		}
		columns = append(columns, f.Column)
	}
	return columns, true
}

// SnapshotManager finds the states of a table.
type SnapshotManager interface {
	// LoadLatest gives the newest state. It looks at the store each time and
	// shares structure with the states loaded before.
	LoadLatest(ctx context.Context) (Snapshot, error)
	// LoadAt gives the state at a version; ErrVersionNotFound if it is not, or
	// no longer, there.
	LoadAt(ctx context.Context, version Version) (Snapshot, error)
	// ActiveCommitAtTime gives the newest version committed at or before an
	// instant; ErrTimestampOutOfRange where the policy allows no answer.
	ActiveCommitAtTime(ctx context.Context, at time.Time, policy TimestampPolicy) (Version, error)
	// CheckVersionExists answers nil or ErrVersionNotFound without loading
	// the state.
	CheckVersionExists(ctx context.Context, version Version) error
}

// RefManager is a Table that can have branches and tags.
type RefManager interface {
	// LoadRef gives the state that a branch or a tag names; ErrVersionNotFound if
	// there is none.
	LoadRef(ctx context.Context, name string) (Snapshot, error)
}

// TimestampPolicy says what a timestamp outside the known history gives.
type TimestampPolicy uint8

const (
	// StrictTimestamp refuses instants before the first commit, and after the last
	// one where the format does not take that for the state until now, as TIMESTAMP
	// AS OF does.
	StrictTimestamp TimestampPolicy = iota
	// LatestIfAfter gives the latest version for instants after the last commit.
	LatestIfAfter
)

// Table is a handle on one table. It is safe for concurrent use and may be
// shared by the connections of a Connector.
type Table interface {
	SnapshotManager
	// Name is the name that the table was loaded by.
	Name() types.TableName
	// NewDeltaWriter gives a writer for rows of the snapshot's schema. It
	// refuses a table whose writer features are not served before any byte is
	// written (*UnsupportedFeature).
	NewDeltaWriter(ctx context.Context, base Snapshot, options WriteOptions) (DeltaWriter, error)
	// RemoveFiles removes files that were written but never committed.
	RemoveFiles(ctx context.Context, files []DataFile, deletes []DeleteFile) error
	// Committer publishes changes of this table.
	Committer() Committer
}
