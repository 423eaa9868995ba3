package delta

import (
	"fmt"
	"math/rand"
	"os"
	"sort"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/object"
)

// seed is the one of SEED or a new one, which a failure prints.
func seed(t *testing.T) int64 {
	n, err := strconv.ParseInt(os.Getenv("SEED"), 10, 64)
	if err != nil {
		n = time.Now().UnixNano()
	}
	t.Logf("SEED=%d", n)
	return n
}

// TestRandomHistories makes random changes and reads every state in several
// ways: brought up to date, loaded afresh from commits or a checkpoint, applied
// before the commit, and later by time travel.
func TestRandomHistories(t *testing.T) {
	rng := rand.New(rand.NewSource(seed(t)))
	for run := range 6 {
		table := newSimple(t, object.NewMemory(""), map[string]string{"delta.checkpointInterval": fmt.Sprint(1 + rng.Intn(5)),
			"delta.enableDeletionVectors": fmt.Sprint(run%2 == 0)})
		model := map[int]string{}
		states := []string{""}
		for range 25 {
			base := latest(t, table)
			d := randomChange(t, rng, table, base, model)
			view, err := base.Apply(d)
			require.NoError(t, err)
			require.NoError(t, commit(table, base, d))
			want := modelRows(model)
			states = append(states, want)
			require.Equal(t, want, rowsOf(t, view))
			require.Equal(t, want, rowsOf(t, latest(t, table)))
			require.Equal(t, want, rowsOf(t, latest(t, reopen(table))))
			past := rng.Intn(len(states))
			s, err := reopen(table).LoadAt(ctx, storage.Version(past))
			require.NoError(t, err)
			require.Equal(t, states[past], rowsOf(t, s), "version %d", past)
		}
	}
}

// randomChange stages a change, and makes it to the model too.
func randomChange(t *testing.T, rng *rand.Rand, table *Table, base *Snapshot, model map[int]string) storage.RowDelta {
	if len(model) > 0 && rng.Intn(3) == 0 {
		limit := rng.Intn(100)
		for id := range model {
			if id < limit {
				delete(model, id)
			}
		}
		d := remove(t, table, base, where(t, base, "id", "<", int64(limit)))
		if !d.IsEmpty() {
			return d
		}
	}
	var rows [][]any
	for range 1 + rng.Intn(5) {
		id, part := rng.Intn(100), fmt.Sprintf("p%d", rng.Intn(3))
		if _, ok := model[id]; ok {
			continue
		}
		model[id] = part
		rows = append(rows, row3(id, part, nil))
	}
	d, err := stage(table, base, rows...)
	require.NoError(t, err)
	return d
}

func modelRows(model map[int]string) string {
	lines := []string{}
	for id, part := range model {
		lines = append(lines, fmt.Sprintf("%d '%s' NULL", id, part))
	}
	sort.Strings(lines)
	return strings.Join(lines, "; ")
}

// TestBank moves money between accounts from many goroutines. Each transfer
// reads two accounts and writes them anew; whatever was refused as a conflict is
// tried again. The total is the same at every version.
func TestBank(t *testing.T) {
	const accounts, workers, transfers = 6, 4, 8
	table := newSimple(t, object.NewMemory(""), map[string]string{"delta.checkpointInterval": "5"})
	for i := range accounts {
		require.NoError(t, insert(table, row3(i, fmt.Sprint(i%2), 100.0)))
	}
	opened := latest(t, table).Version()
	n := seed(t)
	var wait sync.WaitGroup
	for w := range workers {
		rng := rand.New(rand.NewSource(n + int64(w)))
		wait.Go(func() {
			for range transfers {
				from := rng.Intn(accounts)
				to := (from + 1 + rng.Intn(accounts-1)) % accounts
				for transfer(t, table, from, to) != nil {
				}
			}
		})
	}
	wait.Wait()
	last := latest(t, table).Version()
	require.EqualValues(t, opened+workers*transfers, last)
	for v := opened; v <= last; v++ {
		require.InDelta(t, 100*accounts, total(t, table, v), 1e-9, "version %d", v)
	}
}

// transfer moves 1 from one account to another; it gives a conflict.
func transfer(t *testing.T, table *Table, from, to int) error {
	base := latest(t, table)
	d := storage.RowDelta{Operation: "UPDATE", Isolation: storage.Serializable}
	for account, amount := range map[int]float64{from: -1, to: 1} {
		filter := where(t, base, "id", "=", int64(account))
		lines, err := readRows(base.NewScan().WithDataFilter(filter))
		require.NoError(t, err)
		require.Len(t, lines, 1)
		fields := strings.Fields(lines[0])
		balance, err := strconv.ParseFloat(fields[2], 64)
		require.NoError(t, err)
		change := remove(t, table, base, filter)
		added, err := stage(table, base, row3(account, strings.Trim(fields[1], "'"), balance+amount))
		require.NoError(t, err)
		d.Added = append(append(d.Added, change.Added...), added.Added...)
		d.Removed = append(d.Removed, change.Removed...)
		if d.ReadFilter == nil {
			d.ReadFilter = filter
		} else {
			d.ReadFilter = expr.Or(d.ReadFilter, filter)
		}
	}
	if len(d.Removed) == 2 && d.Removed[0].Path == d.Removed[1].Path {
		return storage.ErrConflict // both accounts in one file: not what this test is about
	}
	return commit(table, base, d)
}

func total(t *testing.T, table *Table, v storage.Version) float64 {
	s, err := table.LoadAt(ctx, v)
	require.NoError(t, err)
	lines, err := readRows(s.NewScan().WithColumns([]string{"v"}))
	require.NoError(t, err)
	sum := 0.0
	for _, line := range lines {
		x, err := strconv.ParseFloat(line, 64)
		require.NoError(t, err)
		sum += x
	}
	return sum
}

// TestCommitTimes finds versions by the times of their files, also where those
// go back.
func TestCommitTimes(t *testing.T) {
	dir := t.TempDir()
	store, err := object.NewFileStore(dir)
	require.NoError(t, err)
	table := newSimple(t, store, nil)
	for i := range 3 {
		require.NoError(t, insert(table, row3(i, "a", nil)))
	}
	day := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	for v, at := range []time.Time{day, day.Add(2 * time.Hour), day.Add(time.Hour), day.Add(3 * time.Hour)} {
		require.NoError(t, os.Chtimes(dir+"/"+table.commitPath(storage.Version(v)), at, at))
	}
	for _, c := range []struct {
		at     time.Time
		policy storage.TimestampPolicy
		want   storage.Version // NoVersion for out of range
	}{
		{day.Add(-time.Millisecond), storage.StrictTimestamp, storage.NoVersion},
		{day.Add(-time.Millisecond), storage.LatestIfAfter, storage.NoVersion},
		{day, storage.StrictTimestamp, 0},
		{day.Add(90 * time.Minute), storage.StrictTimestamp, 0},
		{day.Add(2 * time.Hour), storage.StrictTimestamp, 1},
		{day.Add(2*time.Hour + time.Millisecond), storage.StrictTimestamp, 2},
		{day.Add(3 * time.Hour), storage.StrictTimestamp, 3},
		{day.Add(3*time.Hour + time.Millisecond), storage.StrictTimestamp, storage.NoVersion},
		{day.Add(4 * time.Hour), storage.LatestIfAfter, 3},
	} {
		got, err := reopen(table).ActiveCommitAtTime(ctx, c.at, c.policy)
		require.Equal(t, c.want, got, c.at)
		if c.want == storage.NoVersion {
			require.ErrorIs(t, err, storage.ErrTimestampOutOfRange)
		} else {
			require.NoError(t, err)
		}
	}
}
