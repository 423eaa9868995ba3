package delta

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/object"
)

// logOf lists the names in a table's log.
func logOf(t *testing.T, table *Table) []string {
	var names []string
	for info, err := range table.store.ListFrom(ctx, table.storePath(LogDir), "") {
		require.NoError(t, err)
		names = append(names, strings.TrimPrefix(info.Path, table.storePath(LogDir)+"/"))
	}
	return names
}

// TestCheckpointReadsBack writes a checkpoint and reads the table from it with
// the commits before it gone.
func TestCheckpointReadsBack(t *testing.T) {
	store := object.NewMemory("")
	table := newSimple(t, store, map[string]string{"delta.checkpointInterval": "4", "custom": "x\"y"})
	require.NoError(t, insert(table, row3(1, "a", 1.5), row3(2, "b'%", nil), row3(3, nil, 3.0)))
	base := latest(t, table)
	require.NoError(t, commit(table, base, remove(t, table, base, where(t, base, "id", "=", int64(1)))))
	require.NoError(t, store.Put(ctx, table.commitPath(3), []byte(`{"txn":{"appId":"app","version":7,"lastUpdated":1}}
{"domainMetadata":{"domain":"d","configuration":"{}","removed":false}}
`)))
	require.NoError(t, insert(table, row3(5, "a", nil))) // version 4
	require.NoError(t, insert(table, row3(6, "a", nil)))
	before := latest(t, table)
	require.Contains(t, logOf(t, table), "00000000000000000004.checkpoint.parquet")
	hint, ok := table.readLastCheckpoint(ctx)
	require.True(t, ok)
	require.EqualValues(t, 4, hint)
	for v := range storage.Version(5) {
		require.NoError(t, store.Delete(ctx, table.commitPath(v)))
	}
	after := latest(t, reopen(table))
	require.Equal(t, rowsOf(t, before), rowsOf(t, after))
	require.Equal(t, before.Properties(), after.Properties())
	require.Equal(t, before.metadata.action.ID, after.metadata.action.ID)
	require.Equal(t, before.protocol, after.protocol)
	require.True(t, before.Schema().Equal(after.Schema()))
	version, ok := after.transactionVersion("app")
	require.True(t, ok)
	require.EqualValues(t, 7, version)
	configuration, ok := after.domain("d")
	require.True(t, ok)
	require.Equal(t, "{}", configuration)
	scan, err := after.NewScan().WithDataFilter(where(t, after, "id", "=", int64(3))).Build(ctx)
	require.NoError(t, err)
	require.Len(t, scan.Tasks(), 1, "statistics are in the checkpoint")

	segment, err := table.loadSegment(ctx, 4)
	require.NoError(t, err)
	r := table.newReplay()
	r.keepTombstones = true
	require.NoError(t, r.run(ctx, segment))
	require.Len(t, r.tombstones, 1)
	require.NotEmpty(t, r.tombstones[0].PartitionValues)
	_, err = reopen(table).LoadAt(ctx, 3)
	require.ErrorIs(t, err, storage.ErrVersionNotFound)
}

func TestExpiredTombstonesAreDropped(t *testing.T) {
	table := newSimple(t, object.NewMemory(""), map[string]string{"delta.checkpointInterval": "2", "delta.deletedFileRetentionDuration": "interval 0 seconds"})
	require.NoError(t, insert(table, row3(1, "a", nil)))
	base := latest(t, table)
	d := remove(t, table, base, where(t, base, "id", "=", int64(1)))
	require.NoError(t, commit(table, base, d))
	segment, err := table.loadSegment(ctx, 2)
	require.NoError(t, err)
	require.NotNil(t, segment.checkpoint)
	require.Empty(t, segment.commits)
	r := table.newReplay()
	r.keepTombstones = true
	require.NoError(t, r.run(ctx, segment))
	require.LessOrEqual(t, len(r.tombstones), 1, "one of the same millisecond may be left")
	require.Empty(t, r.files)
}

func TestRetention(t *testing.T) {
	day := 24 * time.Hour
	require.Equal(t, 7*day, retention(""))
	require.Equal(t, 14*day, retention("interval 2 weeks"))
	require.Equal(t, 26*time.Hour, retention("INTERVAL 1 day 2 hours"))
	require.Greater(t, retention("interval of some sort"), 365*day)
	require.Greater(t, retention("7"), 365*day)
}

// TestLastCheckpointIsAHint damages the hint in every way.
func TestLastCheckpointIsAHint(t *testing.T) {
	store := object.NewMemory("")
	table := newSimple(t, store, map[string]string{"delta.checkpointInterval": "3"})
	for i := range 8 {
		require.NoError(t, insert(table, row3(i, "a", nil)))
	}
	want := rowsOf(t, latest(t, table))
	for _, hint := range []string{"", "{", `{"version":3}`, `{"version":6}`, `{"version":7}`, `{"version":99}`, `{"version":-1}`, `{"version":"x"}`, `[]`} {
		require.NoError(t, store.Put(ctx, table.logPath(lastCheckpointName), []byte(hint)))
		require.Equal(t, want, rowsOf(t, latest(t, reopen(table))), hint)
		s, err := reopen(table).LoadAt(ctx, 4)
		require.NoError(t, err, hint)
		require.Equal(t, 4, s.(*Snapshot).files.Len(), hint)
	}
}

// TestSegments lists which logs give which segments.
func TestSegments(t *testing.T) {
	part := func(v, i, n int) string { return fmt.Sprintf("%020d.checkpoint.%010d.%010d.parquet", v, i, n) }
	json := func(v int) string { return fmt.Sprintf("%020d.json", v) }
	classic := func(v int) string { return fmt.Sprintf("%020d.checkpoint.parquet", v) }
	for _, c := range []struct {
		name       string
		files      []string
		target     storage.Version
		checkpoint storage.Version // NoVersion for none
		commits    int
		err        error
	}{
		{"commits only", []string{json(0), json(1), json(2)}, storage.NoVersion, storage.NoVersion, 3, nil},
		{"an older version", []string{json(0), json(1), json(2)}, 1, storage.NoVersion, 2, nil},
		{"checkpoint alone", []string{classic(4)}, storage.NoVersion, 4, 0, nil},
		{"checkpoint and commits", []string{json(4), classic(4), json(5), json(6)}, storage.NoVersion, 4, 2, nil},
		{"before the checkpoint", []string{json(0), json(1), classic(1), json(2)}, 0, storage.NoVersion, 1, nil},
		{"all parts", []string{json(0), part(0, 1, 2), part(0, 2, 2), json(1)}, storage.NoVersion, 0, 1, nil},
		{"a part is missing", []string{json(0), json(1), part(1, 1, 2), json(2)}, storage.NoVersion, storage.NoVersion, 3, nil},
		{"parts of two checkpoints", []string{json(0), part(0, 1, 3), part(0, 1, 1), json(1)}, storage.NoVersion, 0, 1, nil},
		{"a gap", []string{json(0), json(2)}, storage.NoVersion, 0, 0, storage.ErrCorrupt},
		{"before the gap", []string{json(0), json(2)}, 0, storage.NoVersion, 1, nil},
		{"a gap behind a checkpoint", []string{json(0), classic(2), json(3)}, storage.NoVersion, 2, 1, nil},
		{"within the gap", []string{json(0), classic(2), json(3)}, 1, 0, 0, storage.ErrCorrupt},
		{"cleaned up", []string{classic(4), json(4), json(5)}, 3, 0, 0, storage.ErrVersionNotFound},
		{"no beginning", []string{json(1), json(2)}, storage.NoVersion, 0, 0, storage.ErrCorrupt},
		{"too new", []string{json(0)}, 1, 0, 0, storage.ErrVersionNotFound},
		{"nothing", []string{"_last_checkpoint", "x.json", "00000000000000000000.crc", "00000000000000000000.00000000000000000001.compacted.json"},
			storage.NoVersion, 0, 0, storage.ErrTableNotFound},
	} {
		t.Run(c.name, func(t *testing.T) {
			store := object.NewMemory("")
			table := OpenTable(store, "t", simpleName, Options{})
			for _, f := range c.files {
				require.NoError(t, store.Put(ctx, table.logPath(f), nil))
			}
			s, err := table.loadSegment(ctx, c.target)
			if c.err != nil {
				require.ErrorIs(t, err, c.err)
				return
			}
			require.NoError(t, err)
			require.Equal(t, c.checkpoint, s.checkpointVersion)
			require.Len(t, s.commits, c.commits)
		})
	}
}

func TestMissingCommitIsNamed(t *testing.T) {
	table := newSimple(t, object.NewMemory(""), nil)
	for i := range 3 {
		require.NoError(t, insert(table, row3(i, "a", nil)))
	}
	require.NoError(t, table.store.Delete(ctx, table.commitPath(2)))
	var corrupt *storage.CorruptTable
	_, err := reopen(table).LoadLatest(ctx)
	require.ErrorAs(t, err, &corrupt)
	require.Equal(t, table.commitPath(2), corrupt.Path)
	_, err = reopen(table).LoadAt(ctx, 1)
	require.ErrorIs(t, err, storage.ErrCorrupt, "a log with a gap is not trusted for its past")
}

// TestDamagedCheckpoint is done without while the commits before it are there.
func TestDamagedCheckpoint(t *testing.T) {
	store := object.NewMemory("")
	table := newSimple(t, store, map[string]string{"delta.checkpointInterval": "2"})
	for i := range 5 {
		require.NoError(t, insert(table, row3(i, "a", nil)))
	}
	want := rowsOf(t, latest(t, table))
	newest := table.logPath(versionName(4) + ".checkpoint.parquet")
	body, err := store.Get(ctx, newest)
	require.NoError(t, err)
	for _, damaged := range [][]byte{nil, []byte("PAR1"), body[:len(body)/2], append(append([]byte{}, body[:len(body)-20]...), make([]byte, 20)...)} {
		require.NoError(t, store.Put(ctx, newest, damaged))
		require.Equal(t, want, rowsOf(t, latest(t, reopen(table))))
	}
	for _, v := range []storage.Version{0, 3} {
		require.NoError(t, store.Delete(ctx, table.commitPath(v)))
	}
	_, err = reopen(table).LoadLatest(ctx)
	require.ErrorIs(t, err, storage.ErrCorrupt)
	require.ErrorContains(t, err, "checkpoint")
}
