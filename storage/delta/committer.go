package delta

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/delta/internal/action"
	"github.com/tarndb/tarn/storage/object"
)

// committer publishes changes. Every attempt carries the committer's id, a
// fingerprint of its change and a number of its own in the commit's txnId, so
// that a commit whose answer was lost is recognized later, whichever attempt
// it was: a delayed request may win after a look-up did not find it.
type committer struct {
	table *Table
	id    string

	mu     sync.Mutex
	tries  int                        // guarded by mu
	landed map[string]storage.Version // own commits met in the log, by fingerprint; guarded by mu
}

var _ storage.Committer = (*committer)(nil)

// Committer implements storage.Table.
func (t *Table) Committer() storage.Committer {
	return &committer{table: t, id: uuid.NewString(), landed: map[string]storage.Version{}}
}

// attempt is a commit file that was not written yet.
type attempt struct {
	version     storage.Version
	body        []byte
	txnID       string
	fingerprint string
	landed      bool  // the log has the commit already
	interval    int64 // of checkpoints, in versions
}

// Version implements storage.Attempt.
func (a *attempt) Version() storage.Version { return a.version }

// fingerprint tells the changes of a committer apart.
func fingerprint(d *storage.RowDelta) string {
	h := fnv.New64a()
	for sign, files := range [][]storage.DataFile{d.Added, d.Removed} {
		for _, f := range files {
			fmt.Fprintf(h, "%d %s", sign, f.Path)
			if file, ok := f.Entry.(*activeFile); ok {
				fmt.Fprintf(h, " %s", file.dv)
			}
			fmt.Fprintln(h)
		}
	}
	fmt.Fprintf(h, "%s %t", d.Operation, d.Definition != nil)
	return strconv.FormatUint(h.Sum64(), 16)
}

// isOwn tells whether a commit was made by this committer of the same change.
func (c *committer) isOwn(info *action.CommitInfo, fingerprint string) bool {
	return info != nil && strings.HasPrefix(info.TxnID, c.id+"-"+fingerprint+"-")
}

// Prepare implements storage.Committer. It writes nothing: a Delta commit is
// one file, which Publish writes.
func (c *committer) Prepare(ctx context.Context, head storage.Snapshot, delta storage.RowDelta) (storage.Attempt, error) {
	s, ok := head.(*Snapshot)
	if !ok {
		return nil, fmt.Errorf("commit to table %s: its state is of another format", c.table.name)
	}
	a := &attempt{version: s.version + 1, fingerprint: fingerprint(&delta), interval: s.metadata.checkpointInterval()}
	c.mu.Lock()
	c.tries++
	a.txnID = fmt.Sprintf("%s-%s-%d", c.id, a.fingerprint, c.tries)
	landed, isLanded := c.landed[a.fingerprint]
	c.mu.Unlock()
	if isLanded {
		a.version, a.landed = landed, true
		return a, nil
	}
	commit, err := c.actions(s, &delta)
	if err != nil {
		return nil, err
	}
	info, err := c.provenance(ctx, s, &delta, a.txnID)
	if err != nil {
		return nil, err
	}
	if a.body, err = action.FormatCommit(info, commit); err != nil {
		return nil, fmt.Errorf("commit to table %s: %w", c.table.name, err)
	}
	return a, nil
}

// actions are those of the change.
func (c *committer) actions(head *Snapshot, delta *storage.RowDelta) (*action.Commit, error) {
	commit := &action.Commit{}
	switch {
	case delta.Definition != nil && head.version != storage.NoVersion:
		return nil, c.table.alreadyMade(head.version)
	case delta.Definition != nil:
		d, err := c.table.define(delta.Definition)
		if err != nil {
			return nil, err
		}
		commit.Protocol, commit.Metadata = d.protocol.Protocol, d.metadata.action
	case head.version == storage.NoVersion:
		return nil, fmt.Errorf("%w: %s does not exist yet and the change does not create it", storage.ErrTableNotFound, c.table.name)
	default:
		if err := head.CheckWrite(); err != nil {
			return nil, err
		}
	}
	now := time.Now().UnixMilli()
	for _, f := range delta.Removed {
		file, err := entryOf(f)
		if err != nil {
			return nil, err
		}
		commit.Files = append(commit.Files, action.FileAction{Remove: &action.Remove{Path: file.add.Path, DeletionTimestamp: now, DataChange: true,
			ExtendedFileMetadata: true, PartitionValues: file.add.PartitionValues, Size: file.add.Size, DeletionVector: file.add.DeletionVector}})
	}
	for _, f := range delta.Added {
		file, err := entryOf(f)
		if err != nil {
			return nil, err
		}
		commit.Files = append(commit.Files, action.FileAction{Add: file.add})
	}
	return commit, nil
}

func (t *Table) alreadyMade(head storage.Version) error {
	return &storage.CommitConflict{Table: t.name.String(), Base: storage.NoVersion, Version: head, Operation: "CREATE TABLE",
		Reason: "the table was created meanwhile"}
}

// provenance is what the commit says of itself.
func (c *committer) provenance(ctx context.Context, head *Snapshot, delta *storage.RowDelta, txnID string) (*action.Provenance, error) {
	info := &action.Provenance{Timestamp: time.Now().UnixMilli(), Operation: delta.Operation, OperationParameters: map[string]string{},
		IsolationLevel: isolationName(head.isolation(delta.Isolation)), IsBlindAppend: delta.IsBlindAppend(), OperationMetrics: metrics(delta),
		EngineInfo: c.table.options.EngineInfo, TxnID: txnID}
	if info.Operation == "" {
		info.Operation = "WRITE"
	}
	maps.Copy(info.OperationParameters, delta.Parameters)
	if _, ok := info.OperationParameters["mode"]; !ok && info.Operation == "WRITE" {
		info.OperationParameters["mode"] = "Append"
	}
	hasTimestamps := head.metadata.isTrue("delta.enableInCommitTimestamps") && head.version != storage.NoVersion
	if delta.Definition != nil {
		hasTimestamps = c.table.definedTimestamps(delta.Definition)
	}
	if !hasTimestamps {
		return info, nil
	}
	before, err := head.lastInCommitTimestamp(ctx)
	if err != nil {
		return nil, err
	}
	// The later of the clock and the commit before (protocol, "Writer
	// Requirements for In-Commit Timestamps").
	info.Timestamp = max(info.Timestamp, before+1)
	info.InCommitTimestamp = &info.Timestamp
	return info, nil
}

func (t *Table) definedTimestamps(d *storage.TableDefinition) bool {
	made, err := t.define(d)
	return err == nil && made.metadata.isTrue("delta.enableInCommitTimestamps")
}

// lastInCommitTimestamp is that of the snapshot's commit; -1 before the first.
func (s *Snapshot) lastInCommitTimestamp(ctx context.Context) (int64, error) {
	switch {
	case s.version == storage.NoVersion:
		return -1, nil
	case s.info != nil && s.info.InCommitTimestamp != nil:
		return *s.info.InCommitTimestamp, nil
	}
	f := logFile{version: s.version, info: object.Info{Path: s.table.commitPath(s.version)}}
	return s.table.inCommitTimestamp(ctx, f)
}

// metrics are what follows from the files of the change.
func metrics(d *storage.RowDelta) map[string]string {
	var rows, bytes, removedBytes int64
	for _, f := range d.Added {
		rows += max(f.Records, 0)
		bytes += f.SizeBytes
	}
	for _, f := range d.Removed {
		removedBytes += f.SizeBytes
	}
	out := map[string]string{}
	set := func(name string, n int64) { out[name] = strconv.FormatInt(n, 10) }
	if d.Operation == "WRITE" || d.Operation == "" {
		set("numFiles", int64(len(d.Added)))
		set("numOutputRows", rows)
		set("numOutputBytes", bytes)
	} else {
		set("numAddedFiles", int64(len(d.Added)))
		set("numAddedBytes", bytes)
	}
	set("numRemovedFiles", int64(len(d.Removed)))
	set("numRemovedBytes", removedBytes)
	return out
}

// Publish implements storage.Committer.
func (c *committer) Publish(ctx context.Context, a storage.Attempt) error {
	own, ok := a.(*attempt)
	if !ok {
		return fmt.Errorf("commit to table %s: the attempt is of another format", c.table.name)
	}
	if own.landed {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	err := c.table.store.PutIfAbsent(ctx, c.table.commitPath(own.version), own.body)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, object.ErrInvalidPath):
		return fmt.Errorf("commit to table %s: %w", c.table.name, err)
	case !errors.Is(err, object.ErrExists):
		return &storage.AmbiguousError{Cause: fmt.Errorf("commit version %d of table %s: %w", own.version, c.table.name, err)}
	}
	// The file that is there may be an earlier try of this very request.
	found, findErr := c.Find(ctx, a)
	switch {
	case findErr != nil:
		return &storage.AmbiguousError{Cause: errors.Join(err, findErr)}
	case found:
		return nil
	}
	return storage.ErrLostRace
}

// Find implements storage.Committer.
func (c *committer) Find(ctx context.Context, a storage.Attempt) (bool, error) {
	own, ok := a.(*attempt)
	if !ok {
		return false, fmt.Errorf("commit to table %s: the attempt is of another format", c.table.name)
	}
	body, err := c.table.store.Get(ctx, c.table.commitPath(own.version))
	if errors.Is(err, object.ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("look up version %d of table %s: %w", own.version, c.table.name, err)
	}
	commit, err := parseCommit(c.table.commitPath(own.version), body)
	if err != nil {
		return false, err
	}
	return c.isOwn(commit.Info, own.fingerprint), nil
}

// Discard implements storage.Committer. There is nothing to remove, as Prepare
// writes nothing.
func (c *committer) Discard(context.Context, storage.Attempt) error { return nil }

// defaultCheckpointInterval is after how many versions a checkpoint is due
// unless the table says otherwise.
const defaultCheckpointInterval = 10

// checkpointInterval is after how many versions a checkpoint is due.
func (m *tableMetadata) checkpointInterval() int64 {
	n, err := strconv.ParseInt(m.property("delta.checkpointInterval"), 10, 64)
	if err != nil || n < 1 {
		return defaultCheckpointInterval
	}
	return n
}

// Committed implements storage.Committer: it writes a checkpoint where one is
// due.
func (c *committer) Committed(ctx context.Context, a storage.Attempt) error {
	own, ok := a.(*attempt)
	if !ok || own.version == 0 || int64(own.version)%own.interval != 0 {
		return nil
	}
	return c.table.writeCheckpoint(ctx, own.version)
}

// isolation is the stricter of what the transaction and the table ask for.
func (s *Snapshot) isolation(asked storage.Isolation) storage.Isolation {
	strictness := []storage.Isolation{storage.SnapshotIsolation, storage.WriteSerializable, storage.Serializable}
	table := storage.SnapshotIsolation
	for _, level := range strictness {
		if strings.EqualFold(s.metadata.property("delta.isolationLevel"), isolationName(level)) {
			table = level
		}
	}
	if slices.Index(strictness, table) > slices.Index(strictness, asked) {
		return table
	}
	return asked
}

func isolationName(i storage.Isolation) string {
	switch i {
	case storage.Serializable:
		return "Serializable"
	case storage.SnapshotIsolation:
		return "SnapshotIsolation"
	}
	return "WriteSerializable"
}
