package delta

import (
	"context"
	"errors"
	"fmt"

	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/delta/internal/action"
	"github.com/tarndb/tarn/storage/internal/workers"
	"github.com/tarndb/tarn/storage/object"
)

// readAhead is how many commits are read and parsed at the same time.
const readAhead = 8

// logReplay reconciles the actions of a log, newest first, so that the first
// reference to anything is the one that counts (protocol, "Action
// Reconciliation").
type logReplay struct {
	table *Table
	// keepTombstones also collects the remove actions that still stand, which
	// only checkpoints need.
	keepTombstones bool

	seen       map[fileKey]struct{} // by commits; a checkpoint, which is reconciled, adds nothing
	reconciled bool                 // actions of a checkpoint follow
	files      []*activeFile
	tombstones []*action.Remove
	protocol   *action.Protocol
	metadata   *action.Metadata
	txns       map[string]action.Txn
	domains    map[string]action.DomainMetadata
	info       *action.CommitInfo // of the newest commit; nil if only a checkpoint has its state
}

func (t *Table) newReplay() *logReplay {
	return &logReplay{table: t, seen: map[fileKey]struct{}{}, txns: map[string]action.Txn{}, domains: map[string]action.DomainMetadata{}}
}

// run replays a segment.
func (r *logReplay) run(ctx context.Context, s *LogSegment) error {
	for i := len(s.commits); i > 0; i = max(i-readAhead, 0) {
		window := s.commits[max(i-readAhead, 0):i]
		commits, err := r.table.readCommits(ctx, window)
		if err != nil {
			return err
		}
		for k := len(commits) - 1; k >= 0; k-- {
			if window[k].version == s.version {
				r.info = commits[k].Info
			}
			if err := r.commit(commits[k], window[k].info.Path); err != nil {
				return err
			}
		}
	}
	if err := r.readCheckpoint(ctx, s.checkpoint); err != nil {
		return err
	}
	if r.protocol == nil || r.metadata == nil {
		return &storage.CorruptTable{Path: r.table.storePath(LogDir), Offset: -1,
			Reason: fmt.Sprintf("version %d of table %s has no protocol or no metadata", s.version, r.table.name)}
	}
	return nil
}

// readCommits reads commits at the same time and gives them in order.
func (t *Table) readCommits(ctx context.Context, files []logFile) ([]*action.Commit, error) {
	commits, errs := make([]*action.Commit, len(files)), make([]error, len(files))
	var wait workers.Group
	for i, f := range files {
		wait.Start(func() { commits[i], errs[i] = t.readLogFile(ctx, f) })
	}
	wait.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return commits, nil
}

// readLogFile reads a commit that a listing has shown.
func (t *Table) readLogFile(ctx context.Context, f logFile) (*action.Commit, error) {
	if f.info.IsDir {
		return nil, &storage.CorruptTable{Path: f.info.Path, Offset: -1, Reason: "a directory is in its place; restore the file"}
	}
	return t.readCommit(ctx, f.info.Path)
}

func (t *Table) readCommit(ctx context.Context, path string) (*action.Commit, error) {
	body, err := t.store.Get(ctx, path)
	if errors.Is(err, object.ErrNotFound) {
		return nil, &storage.CorruptTable{Path: path, Offset: -1, Reason: "commit vanished while the log was read", Cause: err}
	}
	if err != nil {
		return nil, fmt.Errorf("read commit of table %s: %w", t.name, err)
	}
	return parseCommit(path, body)
}

func parseCommit(path string, body []byte) (*action.Commit, error) {
	c, err := action.ParseCommit(body)
	if err != nil {
		line := int64(-1)
		var lineErr *action.LineError
		if errors.As(err, &lineErr) {
			line = int64(lineErr.Line)
		}
		return nil, &storage.CorruptTable{Path: path, Offset: line, Reason: "commit can't be read", Cause: err}
	}
	return c, nil
}

// commit reconciles one commit with those after it. Within a commit the last
// line about a file counts.
func (r *logReplay) commit(c *action.Commit, path string) error {
	known := isKnownWriter(c.Info)
	for i := len(c.Files) - 1; i >= 0; i-- {
		if err := r.file(c.Files[i], known); err != nil {
			return &storage.CorruptTable{Path: path, Offset: -1, Reason: "file action can't be understood", Cause: err}
		}
	}
	r.rest(c)
	return nil
}

func (r *logReplay) file(f action.FileAction, knownWriter bool) error {
	if f.Add != nil {
		file, err := newActiveFile(f.Add, knownWriter)
		if err != nil {
			return err
		}
		if r.first(file.key()) {
			r.files = append(r.files, file)
		}
		return nil
	}
	path, err := decodePath(f.Remove.Path)
	if err != nil {
		return err
	}
	if r.first(fileKey{path, f.Remove.DeletionVector.UniqueID()}) && r.keepTombstones {
		r.tombstones = append(r.tombstones, f.Remove)
	}
	return nil
}

// first tells whether a logical file is met for the first time. A checkpoint has
// each but once (protocol, "Checkpoints").
func (r *logReplay) first(k fileKey) bool {
	if _, ok := r.seen[k]; ok {
		return false
	}
	if !r.reconciled {
		r.seen[k] = struct{}{}
	}
	return true
}

// rest reconciles the actions that are not about files.
func (r *logReplay) rest(c *action.Commit) {
	if r.protocol == nil {
		r.protocol = c.Protocol
	}
	if r.metadata == nil {
		r.metadata = c.Metadata
	}
	for i := len(c.Txns) - 1; i >= 0; i-- {
		if _, ok := r.txns[c.Txns[i].AppID]; !ok {
			r.txns[c.Txns[i].AppID] = c.Txns[i]
		}
	}
	for i := len(c.Domains) - 1; i >= 0; i-- {
		if _, ok := r.domains[c.Domains[i].Domain]; !ok {
			r.domains[c.Domains[i].Domain] = c.Domains[i]
		}
	}
}
