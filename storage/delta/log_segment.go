package delta

import (
	"context"
	"errors"
	"fmt"
	"path"
	"slices"

	"github.com/tarndb/tarn/storage"
)

// LogSegment is the part of a log from which one version is made. Invariants:
//
//  1. checkpoint is empty, or all files of one complete checkpoint of
//     checkpointVersion, which is not after version.
//  2. commits ascend without a gap from the version after the checkpoint's (0
//     if there is none) to version. There may be none after a checkpoint.
type LogSegment struct {
	version           storage.Version
	checkpoint        []logFile
	checkpointVersion storage.Version // NoVersion if there is none
	commits           []logFile
	last              logFile // the version's commit file; zero if it was cleaned up
}

// logListing is what a listing of the log from a version on has found.
type logListing struct {
	from        storage.Version
	commits     []logFile   // ascending
	checkpoints [][]logFile // complete ones, ascending
}

// latest is the newest version that the listing knows of; NoVersion if none.
func (l *logListing) latest() storage.Version {
	latest := storage.NoVersion
	if n := len(l.commits); n > 0 {
		latest = l.commits[n-1].version
	}
	if n := len(l.checkpoints); n > 0 {
		latest = max(latest, l.checkpoints[n-1][0].version)
	}
	return latest
}

// listLog lists commits and complete checkpoints from a version on.
func (t *Table) listLog(ctx context.Context, from storage.Version) (*logListing, error) {
	l := &logListing{from: from}
	var parts []logFile
	for info, err := range t.store.ListFrom(ctx, t.storePath(LogDir), versionName(from)) {
		if err != nil {
			return nil, fmt.Errorf("list the log of table %s: %w", t.name, err)
		}
		if name := path.Base(info.Path); name > ":" {
			break // what follows the digits is not of the log's history
		}
		f, ok := parseLogFile(info)
		switch {
		case !ok:
		case f.kind == commitFile:
			l.commits = append(l.commits, f)
		case f.kind == multiPartCheckpoint:
			parts = append(parts, f)
		default:
			l.checkpoints = append(l.checkpoints, []logFile{f})
		}
	}
	l.checkpoints = append(l.checkpoints, completeCheckpoints(parts)...)
	slices.SortStableFunc(l.checkpoints, func(a, b []logFile) int { return int(a[0].version - b[0].version) })
	return l, nil
}

// completeCheckpoints groups parts and drops checkpoints that lack some
// (protocol, "Checkpoints": readers must ignore those).
func completeCheckpoints(parts []logFile) [][]logFile {
	type id struct {
		version storage.Version
		parts   int
	}
	groups := map[id][]logFile{}
	for _, f := range parts {
		key := id{f.version, f.parts}
		groups[key] = append(groups[key], f)
	}
	var complete [][]logFile
	for key, files := range groups {
		if len(files) == key.parts {
			complete = append(complete, files)
		}
	}
	return complete
}

// loadSegment finds the segment of a version, or of the newest one for
// NoVersion. The hint of the last checkpoint only decides where to begin to
// list; when what it promises is not there, the whole log is listed.
func (t *Table) loadSegment(ctx context.Context, target storage.Version) (*LogSegment, error) {
	var from storage.Version
	if hint, ok := t.readLastCheckpoint(ctx); ok && (target == storage.NoVersion || hint <= target) {
		from = hint
	}
	listing, err := t.listLog(ctx, from)
	if err != nil {
		return nil, err
	}
	if from > 0 {
		if s, err := t.segment(listing, target); err == nil && s.checkpoint != nil {
			return s, nil
		}
		if listing, err = t.listLog(ctx, 0); err != nil {
			return nil, err
		}
	}
	s, err := t.segment(listing, target)
	if errors.Is(err, storage.ErrCorrupt) {
		// A listing that ran beside a writer may have missed one of its files.
		if listing, err = t.listLog(ctx, 0); err != nil {
			return nil, err
		}
		return t.segment(listing, target)
	}
	return s, err
}

// segment makes the segment of a version out of a listing.
func (t *Table) segment(l *logListing, target storage.Version) (*LogSegment, error) {
	latest := l.latest()
	if latest == storage.NoVersion {
		return nil, fmt.Errorf("%w: %s has no Delta log", storage.ErrTableNotFound, t.name)
	}
	if target == storage.NoVersion {
		target = latest
	}
	if target > latest || target < 0 {
		return nil, t.versionNotFound(target, fmt.Sprintf("the newest is %d", latest))
	}
	s := &LogSegment{version: target, checkpointVersion: storage.NoVersion}
	for _, c := range l.checkpoints {
		if c[0].version <= target {
			s.checkpoint, s.checkpointVersion = c, c[0].version
		}
	}
	next := s.checkpointVersion + 1
	for _, c := range l.commits {
		if c.version == target {
			s.last = c
		}
		if c.version < next || c.version > target {
			continue
		}
		if c.version > next {
			break
		}
		s.commits = append(s.commits, c)
		next++
	}
	if next <= target {
		return nil, t.missingCommit(l, s, next)
	}
	return s, nil
}

// missingCommit tells a log whose beginning was cleaned up, so that old
// versions are gone (protocol, "Metadata Cleanup"), from one with a gap.
func (t *Table) missingCommit(l *logListing, s *LogSegment, missing storage.Version) error {
	cleaned := s.checkpoint == nil && missing == 0 && len(l.checkpoints) > 0
	if cleaned && s.version < l.checkpoints[0][0].version {
		return t.versionNotFound(s.version, fmt.Sprintf("the oldest that is left is %d", l.checkpoints[0][0].version))
	}
	return &storage.CorruptTable{Path: t.commitPath(missing), Offset: -1,
		Reason: fmt.Sprintf("commit %d is missing from the log of table %s; restore the file", missing, t.name)}
}

func (t *Table) versionNotFound(v storage.Version, why string) error {
	return fmt.Errorf("%w: table %s has no version %d: %s", storage.ErrVersionNotFound, t.name, v, why)
}
