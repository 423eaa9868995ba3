package delta

import (
	"context"
	"fmt"

	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/delta/internal/action"
)

// conflictChecker decides whether a change computed on base may follow what
// was committed since. By the winning commit's action and the change's level:
//
//	winning commit               SnapshotIsolation  WriteSerializable  Serializable
//	protocol or metadata         conflict           conflict           conflict
//	removes a file that the
//	  change removes too         conflict           conflict           conflict
//	removes rows that the
//	  change may have read       –                  conflict           conflict
//	adds rows that the change
//	  may have read, after
//	  reading itself             –                  conflict           conflict
//	adds such rows blindly       –                  –                  conflict
//
// What the change has read is what the statements that made it have read; for
// Serializable, it is what any statement of the transaction has read. A change
// that reads nothing and removes nothing, a blind append, conflicts only with
// the first row. Commits that only rearrange rows (dataChange is false) do not
// change what was read.
type conflictChecker struct {
	table     *Table
	base      *Snapshot
	delta     *storage.RowDelta
	isolation storage.Isolation
	removed   map[string]bool // paths that the change removes
	pruner    *filePruner     // of readFilter; nil if nothing counts
}

// Check implements storage.Committer.
func (c *committer) Check(ctx context.Context, base, head storage.Snapshot, delta storage.RowDelta) error {
	b, ok1 := base.(*Snapshot)
	h, ok2 := head.(*Snapshot)
	if !ok1 || !ok2 {
		return fmt.Errorf("commit to table %s: its states are of another format", c.table.name)
	}
	if h.version < b.version {
		return &storage.CommitConflict{Table: c.table.name.String(), Base: b.version, Version: h.version, Operation: "another table",
			Reason: "the table was replaced by one with fewer versions"}
	}
	checker := newConflictChecker(c.table, b, h, &delta)
	mark := fingerprint(&delta)
	for v := b.version + 1; v <= h.version; v++ {
		commit, err := c.table.readCommit(ctx, c.table.commitPath(v))
		if err != nil {
			return fmt.Errorf("check for conflicts with version %d: %w", v, err)
		}
		if c.isOwn(commit.Info, mark) {
			c.mu.Lock()
			c.landed[mark] = v
			c.mu.Unlock()
			return nil
		}
		if b.version == storage.NoVersion {
			return c.table.alreadyMade(h.version)
		}
		if reason, err := checker.check(commit); reason != "" || err != nil {
			return checker.conflict(v, commit, reason, err)
		}
	}
	return nil
}

func newConflictChecker(t *Table, base, head *Snapshot, delta *storage.RowDelta) *conflictChecker {
	c := &conflictChecker{table: t, base: base, delta: delta, isolation: head.isolation(delta.Isolation), removed: map[string]bool{}}
	for _, f := range delta.Removed {
		c.removed[f.Path] = true
	}
	if read := delta.Reads(c.isolation, len(base.metadata.columns)); read != nil {
		c.pruner = newFilePruner(base.metadata, nil, read)
	}
	return c
}

func (c *conflictChecker) conflict(v storage.Version, commit *action.Commit, reason string, cause error) error {
	if cause != nil {
		return fmt.Errorf("check for conflicts with version %d of table %s: %w", v, c.table.name, cause)
	}
	operation := "unknown operation"
	if commit.Info != nil && commit.Info.Operation != "" {
		operation = commit.Info.Operation
	}
	return &storage.CommitConflict{Table: c.table.name.String(), Base: c.base.version, Version: v, Operation: operation, Reason: reason}
}

// check gives the reason why a winning commit conflicts; empty if it doesn't.
func (c *conflictChecker) check(commit *action.Commit) (string, error) {
	switch {
	case commit.Protocol != nil:
		return "it changed the table's protocol", nil
	case commit.Metadata != nil:
		return "it changed the table's metadata", nil
	}
	for _, f := range commit.Files {
		reason, err := "", error(nil)
		if f.Remove != nil {
			reason, err = c.checkRemove(f.Remove)
		} else {
			reason, err = c.checkAdd(f.Add, commit.Info)
		}
		if reason != "" || err != nil {
			return reason, err
		}
	}
	return "", nil
}

func (c *conflictChecker) checkRemove(r *action.Remove) (string, error) {
	path, err := decodePath(r.Path)
	if err != nil {
		return "", err
	}
	if c.removed[path] {
		return "it removed " + path + ", which the change removes too", nil
	}
	if c.pruner == nil || !r.DataChange {
		return "", nil
	}
	file, ok := c.base.files.Get(&activeFile{path: path, dv: r.DeletionVector.UniqueID()})
	if !ok {
		return "", nil // it was added after base, where that was checked
	}
	if c.pruner.mayMatch(file) {
		return "it removed rows of " + path + ", which the change may have read", nil
	}
	return "", nil
}

func (c *conflictChecker) checkAdd(a *action.Add, info *action.CommitInfo) (string, error) {
	isBlind := info != nil && info.IsBlindAppend
	if c.pruner == nil || !a.DataChange || isBlind && c.isolation != storage.Serializable {
		return "", nil
	}
	file, err := newActiveFile(a, isKnownWriter(info))
	if err != nil {
		return "", err
	}
	if file.partition, err = c.base.metadata.tuple(a.PartitionValues); err != nil {
		return "", err
	}
	if c.pruner.mayMatch(file) {
		return "it added rows in " + file.path + " that the change would have read", nil
	}
	return "", nil
}
