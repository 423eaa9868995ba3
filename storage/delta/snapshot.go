package delta

import (
	"context"
	"fmt"
	"maps"
	"sync"
	"sync/atomic"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/delta/internal/action"
)

// Snapshot is one state of a table. Invariants:
//
//  1. It never changes. Snapshots of different versions share files.
//  2. files is the tree that readers hold and is never cloned; the trees of
//     later states are clones of master, which nobody reads.
//  3. For NoVersion, protocol is nil and there are neither columns nor files.
type Snapshot struct {
	table    *Table
	version  storage.Version
	protocol Protocol
	metadata *tableMetadata
	txns     map[string]action.Txn
	domains  map[string]action.DomainMetadata
	info     *action.CommitInfo // of the version's commit; nil if it was not read
	// commit is what a listing said of the version's commit file: a later one
	// that says otherwise is of another table at the same place.
	commit logFile
	files  *fileTree

	cloning sync.Mutex // guards master, as a clone writes to it
	master  *fileTree

	indexOnce sync.Once
	fileIndex *fileIndex // for index

	estimated atomic.Int64 // of EstimatedRows, plus one; 0 if not counted yet
	bounds    sync.Map     // of ColumnBounds, by column
}

var (
	_ storage.Snapshot       = (*Snapshot)(nil)
	_ storage.MetadataTables = (*Snapshot)(nil)
)

// MetadataTable implements storage.MetadataTables: there is none.
func (s *Snapshot) MetadataTable(_ context.Context, word string) (storage.MetadataTable, error) {
	return nil, fmt.Errorf("%w: %s.%s: %s is a Delta table, and metadata tables are Iceberg's", storage.ErrTableNotFound, s.table.name, types.QuoteIdent(word), s.table.name)
}

// adopt makes the tree of a new snapshot its own.
func (s *Snapshot) adopt(tree *fileTree) {
	s.master, s.files = tree, tree.Clone()
}

// cloneFiles gives a tree with the snapshot's files to be changed.
func (s *Snapshot) cloneFiles() *fileTree {
	s.cloning.Lock()
	defer s.cloning.Unlock()
	return s.master.Clone()
}

// emptySnapshot is the state of a table that does not exist yet.
func (t *Table) emptySnapshot() *Snapshot {
	s := &Snapshot{table: t, version: storage.NoVersion, metadata: &tableMetadata{action: &action.Metadata{}}}
	s.adopt(newFileTree())
	return s
}

// newSnapshot makes the state that a replay came to.
func (t *Table) newSnapshot(r *logReplay, segment *LogSegment) (*Snapshot, error) {
	s := &Snapshot{table: t, version: segment.version, protocol: Protocol{r.protocol}, txns: r.txns, domains: r.domains, info: r.info, commit: segment.last}
	if err := s.protocol.checkRead(t.name.String()); err != nil {
		return nil, err
	}
	var err error
	if s.metadata, err = t.newTableMetadata(r.metadata, s.protocol); err != nil {
		return nil, err
	}
	tree := newFileTree()
	for _, f := range r.files {
		if f.partition, err = s.metadata.tuple(f.add.PartitionValues); err != nil {
			return nil, t.corruptFile(f, err)
		}
		tree.ReplaceOrInsert(f)
	}
	s.adopt(tree)
	return s, nil
}

func (t *Table) corruptFile(f *activeFile, cause error) error {
	return &storage.CorruptTable{Path: t.storePath(LogDir), Offset: -1, Reason: "add action of " + f.path, Cause: cause}
}

// Name implements storage.Snapshot.
func (s *Snapshot) Name() types.TableName { return s.table.name }

// Version implements storage.Snapshot.
func (s *Snapshot) Version() storage.Version { return s.version }

// Schema implements storage.Snapshot.
func (s *Snapshot) Schema() types.Schema { return s.metadata.schema }

// PartitionColumns implements storage.Snapshot.
func (s *Snapshot) PartitionColumns() []string { return s.metadata.partitionNames() }

// Properties implements storage.Snapshot.
func (s *Snapshot) Properties() map[string]string { return maps.Clone(s.metadata.action.Configuration) }

// WriteRules implements storage.Snapshot.
func (s *Snapshot) WriteRules() []types.WriteRule { return s.metadata.writeRules() }

// unknownFileRows is the guess for a file whose statistics don't count rows.
const unknownFileRows = 100_000

// EstimatedRows tells about how many rows there are, for planning.
func (s *Snapshot) EstimatedRows() int64 {
	if n := s.estimated.Load(); n != 0 {
		return n - 1
	}
	var rows int64
	s.files.Ascend(func(f *activeFile) bool {
		if f.records < 0 {
			rows += unknownFileRows
		} else {
			rows += f.records - f.deleted()
		}
		return true
	})
	s.estimated.Store(rows + 1)
	return rows
}
