package delta

import (
	"context"
	"fmt"
	"sort"
	"strconv"
	"time"

	"github.com/tarndb/tarn/storage"
)

// ActiveCommitAtTime implements storage.SnapshotManager. The time of a commit
// is its in-commit timestamp where the table has those (protocol,
// "Recommendations for Readers of Tables with In-Commit Timestamps"), else the
// modification time of its file; that goes back where clocks or copies have it
// so, and then counts as one millisecond after the commit before.
func (t *Table) ActiveCommitAtTime(ctx context.Context, at time.Time, policy storage.TimestampPolicy) (storage.Version, error) {
	head, err := t.loadLatest(ctx)
	if err != nil {
		return storage.NoVersion, err
	}
	if head.version == storage.NoVersion {
		return storage.NoVersion, fmt.Errorf("%w: %s does not exist yet", storage.ErrTableNotFound, t.name)
	}
	listing, err := t.listLog(ctx, 0)
	if err != nil {
		return storage.NoVersion, err
	}
	h := &history{table: t, at: at, commits: listing.commits}
	for len(h.commits) > 0 && h.commits[len(h.commits)-1].version > head.version {
		h.commits = h.commits[:len(h.commits)-1]
	}
	version, isLast, err := h.find(ctx, head.metadata)
	if err != nil {
		return storage.NoVersion, err
	}
	if isLast && policy == storage.StrictTimestamp {
		newest := time.UnixMilli(h.millis).UTC().Format(time.RFC3339Nano)
		return storage.NoVersion, h.outOfRange(fmt.Sprintf("is after the newest version, %d of %s", version, newest))
	}
	if _, err := t.segment(listing, version); err != nil {
		return storage.NoVersion, h.outOfRange(fmt.Sprintf("is of version %d, which can't be read any more", version))
	}
	return version, nil
}

// history finds a commit by time.
type history struct {
	table   *Table
	at      time.Time
	commits []logFile // ascending
	millis  int64     // the time of the commit that was found, if it is the newest
}

func (h *history) outOfRange(why string) error {
	return fmt.Errorf("%w: table %s: %s %s", storage.ErrTimestampOutOfRange, h.table.name, h.at.UTC().Format(time.RFC3339Nano), why)
}

// find gives the newest version committed at or before the instant. isLast
// tells that the instant is after that commit and there is none later.
func (h *history) find(ctx context.Context, m *tableMetadata) (version storage.Version, isLast bool, err error) {
	if !m.isTrue("delta.enableInCommitTimestamps") {
		return h.byFileTime(h.commits, true)
	}
	// Without the properties, the table has had in-commit timestamps always.
	since, _ := strconv.ParseInt(m.property("delta.inCommitTimestampEnablementVersion"), 10, 64)
	sinceMillis, _ := strconv.ParseInt(m.property("delta.inCommitTimestampEnablementTimestamp"), 10, 64)
	first := sort.Search(len(h.commits), func(i int) bool { return h.commits[i].version >= storage.Version(since) })
	if h.at.UnixMilli() < sinceMillis {
		return h.byFileTime(h.commits[:first], false)
	}
	return h.byInCommitTime(ctx, h.commits[first:])
}

// byFileTime looks through file times. hasEnd tells that the last commit given
// is the newest of the table.
func (h *history) byFileTime(commits []logFile, hasEnd bool) (storage.Version, bool, error) {
	found, before := storage.NoVersion, int64(0)
	for i, c := range commits {
		millis := c.info.ModTime.UnixMilli()
		if i > 0 && millis <= before {
			millis = before + 1
		}
		before, h.millis = millis, millis
		if millis > h.at.UnixMilli() {
			break
		}
		found = c.version
	}
	if found == storage.NoVersion {
		return found, false, h.outOfRange("is before the oldest version")
	}
	isLast := hasEnd && found == commits[len(commits)-1].version && h.at.After(time.UnixMilli(h.millis))
	return found, isLast, nil
}

// byInCommitTime searches the commits, whose timestamps ascend.
func (h *history) byInCommitTime(ctx context.Context, commits []logFile) (storage.Version, bool, error) {
	var failure error
	after := sort.Search(len(commits), func(i int) bool {
		millis, err := h.table.inCommitTimestamp(ctx, commits[i])
		if err != nil {
			failure = err
			return true
		}
		if millis <= h.at.UnixMilli() {
			h.millis = max(h.millis, millis)
			return false
		}
		return true
	})
	if failure != nil {
		return storage.NoVersion, false, failure
	}
	if after == 0 {
		return storage.NoVersion, false, h.outOfRange("is before the oldest version")
	}
	return commits[after-1].version, after == len(commits) && h.at.After(time.UnixMilli(h.millis)), nil
}

// inCommitTimestamp reads a commit's own timestamp in milliseconds.
func (t *Table) inCommitTimestamp(ctx context.Context, f logFile) (int64, error) {
	c, err := t.readLogFile(ctx, f)
	if err != nil {
		return 0, err
	}
	if c.Info == nil || c.Info.InCommitTimestamp == nil {
		return 0, &storage.CorruptTable{Path: f.info.Path, Offset: -1, Reason: "commit has no in-commit timestamp"}
	}
	return *c.Info.InCommitTimestamp, nil
}
