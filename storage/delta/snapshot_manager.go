package delta

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/delta/internal/action"
)

// LoadLatest implements storage.SnapshotManager. The first call reads the log;
// a later one lists what is new and reads just that.
func (t *Table) LoadLatest(ctx context.Context) (storage.Snapshot, error) {
	s, err := t.loadLatest(ctx)
	if err != nil {
		return nil, err
	}
	return s, nil
}

func (t *Table) loadLatest(ctx context.Context) (*Snapshot, error) {
	if base := t.known(); base != nil {
		if s, err := t.refresh(ctx, base); s != nil || err != nil {
			return s, err
		}
	}
	select {
	case t.loading <- struct{}{}:
		defer func() { <-t.loading }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	segment, err := t.loadSegment(ctx, storage.NoVersion)
	if errors.Is(err, storage.ErrTableNotFound) && t.mayBeMade() {
		return t.emptySnapshot(), nil
	}
	if err != nil {
		return nil, err
	}
	if base := t.known(); base != nil && base.version == segment.version && base.sameCommit(segment.last) {
		return base, nil // another goroutine has loaded it
	}
	s, err := t.load(ctx, segment)
	if err != nil {
		return nil, err
	}
	t.replace(s)
	return s, nil
}

func (t *Table) known() *Snapshot {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.latest
}

func (t *Table) mayBeMade() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.mayMake
}

// replace notes what was loaded as the newest state.
func (t *Table) replace(s *Snapshot) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.latest, t.mayMake = s, false
}

// load replays a segment. A checkpoint that is damaged is done without where
// the log before it is still there.
func (t *Table) load(ctx context.Context, segment *LogSegment) (*Snapshot, error) {
	r := t.newReplay()
	err := r.run(ctx, segment)
	var damaged *damagedCheckpoint
	if errors.As(err, &damaged) {
		if without, err := t.segmentWithout(ctx, segment); err == nil {
			return t.load(ctx, without)
		}
	}
	if err != nil {
		return nil, err
	}
	return t.newSnapshot(r, segment)
}

// segmentWithout gives the segment of the same version that begins before the
// checkpoint of another.
func (t *Table) segmentWithout(ctx context.Context, other *LogSegment) (*LogSegment, error) {
	listing, err := t.listLog(ctx, 0)
	if err != nil {
		return nil, err
	}
	listing.checkpoints = slices.DeleteFunc(listing.checkpoints, func(c []logFile) bool { return c[0].version >= other.checkpointVersion })
	return t.segment(listing, other.version)
}

// sameCommit tells whether a commit file is the snapshot's own.
func (s *Snapshot) sameCommit(f logFile) bool {
	return s.commit.info.Path != "" && f.version == s.version && f.info.Size == s.commit.info.Size && f.info.ModTime.Equal(s.commit.info.ModTime)
}

// refresh brings a snapshot up to date at the cost of its new commits. It gives
// nil where that can't be done, so that the log has to be read from the start:
// the snapshot's own commit is gone or is another one, or commits after it
// are missing.
func (t *Table) refresh(ctx context.Context, base *Snapshot) (*Snapshot, error) {
	listing, err := t.listLog(ctx, base.version)
	if err != nil {
		return nil, err
	}
	commits := listing.commits
	if len(commits) == 0 || !base.sameCommit(commits[0]) || listing.latest() != commits[len(commits)-1].version {
		return nil, nil
	}
	for i, c := range commits {
		if c.version != base.version+storage.Version(i) {
			return nil, nil
		}
	}
	if len(commits) == 1 {
		return base, nil
	}
	s, err := t.advance(ctx, base, commits[1:])
	if err != nil {
		return nil, err
	}
	t.offer(s)
	return s, nil
}

// offer notes a state unless a newer one is known by now.
func (t *Table) offer(s *Snapshot) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.latest == nil || t.latest.version < s.version {
		t.latest = s
	}
}

// advance applies commits to a snapshot, oldest first.
func (t *Table) advance(ctx context.Context, base *Snapshot, files []logFile) (*Snapshot, error) {
	u := &snapshotUpdate{table: t, tree: base.cloneFiles(), next: &Snapshot{table: t, protocol: base.protocol, metadata: base.metadata,
		txns: maps.Clone(base.txns), domains: maps.Clone(base.domains)}}
	for i := 0; i < len(files); i += readAhead {
		window := files[i:min(i+readAhead, len(files))]
		commits, err := t.readCommits(ctx, window)
		if err != nil {
			return nil, err
		}
		for k, c := range commits {
			if err := u.apply(c, window[k]); err != nil {
				return nil, err
			}
		}
	}
	return u.finish(base)
}

// snapshotUpdate is a snapshot on its way from one version to a later one.
type snapshotUpdate struct {
	table     *Table
	tree      *fileTree
	next      *Snapshot
	redefined bool // protocol or metadata changed
	metadata  *action.Metadata
	added     map[fileKey]*activeFile
}

// apply applies one commit.
func (u *snapshotUpdate) apply(c *action.Commit, f logFile) error {
	if c.Protocol != nil {
		u.next.protocol, u.redefined = Protocol{c.Protocol}, true
	}
	if c.Metadata != nil {
		u.metadata, u.redefined = c.Metadata, true
	}
	for _, txn := range c.Txns {
		u.next.txns[txn.AppID] = txn
	}
	for _, d := range c.Domains {
		u.next.domains[d.Domain] = d
	}
	known := isKnownWriter(c.Info)
	for _, a := range c.Files {
		if err := u.file(a, known); err != nil {
			return &storage.CorruptTable{Path: f.info.Path, Offset: -1, Reason: "file action can't be understood", Cause: err}
		}
	}
	u.next.version, u.next.commit, u.next.info = f.version, f, c.Info
	return nil
}

func (u *snapshotUpdate) file(a action.FileAction, knownWriter bool) error {
	if u.added == nil {
		u.added = map[fileKey]*activeFile{}
	}
	if a.Add != nil {
		file, err := newActiveFile(a.Add, knownWriter)
		if err != nil {
			return err
		}
		u.tree.ReplaceOrInsert(file)
		u.added[file.key()] = file
		return nil
	}
	path, err := decodePath(a.Remove.Path)
	if err != nil {
		return err
	}
	key := fileKey{path, a.Remove.DeletionVector.UniqueID()}
	u.tree.Delete(&activeFile{path: key.path, dv: key.dv})
	delete(u.added, key)
	return nil
}

// finish binds the new files to the table's metadata, and all of them if that
// changed.
func (u *snapshotUpdate) finish(base *Snapshot) (*Snapshot, error) {
	s := u.next
	if u.redefined {
		if err := s.protocol.checkRead(u.table.name.String()); err != nil {
			return nil, err
		}
		if u.metadata == nil {
			u.metadata = base.metadata.action
		}
		var err error
		if s.metadata, err = u.table.newTableMetadata(u.metadata, s.protocol); err != nil {
			return nil, err
		}
		if u.tree, err = u.rebind(); err != nil {
			return nil, err
		}
	} else {
		for _, f := range u.added {
			var err error
			if f.partition, err = s.metadata.tuple(f.add.PartitionValues); err != nil {
				return nil, u.table.corruptFile(f, err)
			}
		}
	}
	s.adopt(u.tree)
	return s, nil
}

// rebind gives copies of all files with their partition values understood
// under the new metadata.
func (u *snapshotUpdate) rebind() (*fileTree, error) {
	tree := newFileTree()
	var failure error
	u.tree.Ascend(func(f *activeFile) bool {
		bound := *f
		if bound.partition, failure = u.next.metadata.tuple(f.add.PartitionValues); failure != nil {
			failure = u.table.corruptFile(f, failure)
			return false
		}
		tree.ReplaceOrInsert(&bound)
		return true
	})
	return tree, failure
}

// LoadAt implements storage.SnapshotManager. The newest state must be readable
// too, as the reference implementation has it: a log that is damaged anywhere,
// or that asks for more than is served, is not trusted for its past either.
func (t *Table) LoadAt(ctx context.Context, version storage.Version) (storage.Snapshot, error) {
	if version < 0 {
		return nil, t.versionNotFound(version, "versions begin with 0")
	}
	if head, err := t.loadLatest(ctx); err != nil {
		return nil, err
	} else if head.version == version {
		return head, nil
	}
	segment, err := t.loadSegment(ctx, version)
	if err != nil {
		return nil, err
	}
	s, err := t.load(ctx, segment)
	if err != nil {
		return nil, fmt.Errorf("version %d: %w", version, err)
	}
	return s, nil
}

// CheckVersionExists implements storage.SnapshotManager.
func (t *Table) CheckVersionExists(ctx context.Context, version storage.Version) error {
	if version < 0 {
		return t.versionNotFound(version, "versions begin with 0")
	}
	_, err := t.loadSegment(ctx, version)
	return err
}
