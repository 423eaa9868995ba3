package conformance

import (
	"bufio"
	"database/sql"
	"fmt"
	"math/rand"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The environment by which a test process is told to be a writer.
const (
	writerDSN   = "TARN_TEST_WRITER_DSN"
	writerFirst = "TARN_TEST_WRITER_FIRST"
	writerCount = "TARN_TEST_WRITER_COUNT"
)

// TestWriterProcess is the writer that the other tests start: it inserts rows,
// a commit each, and prints each id once its commit has returned.
func TestWriterProcess(t *testing.T) {
	dsn := os.Getenv(writerDSN)
	if dsn == "" {
		t.Skip("started by the tests of this file only")
	}
	first, err := strconv.Atoi(os.Getenv(writerFirst))
	require.NoError(t, err)
	count, err := strconv.Atoi(os.Getenv(writerCount))
	require.NoError(t, err)
	db, err := sql.Open("tarn", dsn)
	require.NoError(t, err)
	for id := first; id < first+count; id++ {
		_, err := db.Exec("INSERT INTO t VALUES (?)", id)
		require.NoError(t, err)
		fmt.Printf("acknowledged %d\n", id)
	}
	require.NoError(t, db.Close())
}

func writer(dsn string, first, count int) *exec.Cmd {
	c := exec.Command(os.Args[0], "-test.run=^TestWriterProcess$", "-test.v")
	c.Env = append(os.Environ(), writerDSN+"="+dsn, writerFirst+"="+strconv.Itoa(first), writerCount+"="+strconv.Itoa(count))
	return c
}

func newTable(t *testing.T, options string) (string, *sql.DB) {
	dsn := t.TempDir() + options
	db, err := sql.Open("tarn", dsn)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	_, err = db.Exec("CREATE TABLE t (id BIGINT)")
	require.NoError(t, err)
	return dsn, db
}

func ids(t *testing.T, db *sql.DB) []int {
	rows, err := db.Query("SELECT id FROM t ORDER BY id")
	require.NoError(t, err)
	defer rows.Close()
	var out []int
	for rows.Next() {
		var id int
		require.NoError(t, rows.Scan(&id))
		out = append(out, id)
	}
	require.NoError(t, rows.Err())
	return out
}

// TestManyProcesses lets 8 processes commit up to 50 INSERTs each into one table.
func TestManyProcesses(t *testing.T) {
	for _, format := range commitFormats {
		t.Run(format.name, func(t *testing.T) { manyProcesses(t, format.options(t), 50/format.share) })
	}
}

func manyProcesses(t *testing.T, options string, commits int) {
	dsn, db := newTable(t, options)
	const processes = 8
	var wg sync.WaitGroup
	errs := make([]error, processes)
	for p := range processes {
		wg.Go(func() {
			if out, err := writer(dsn, p*commits, commits).CombinedOutput(); err != nil {
				errs[p] = fmt.Errorf("%w: %s", err, out)
			}
		})
	}
	wg.Wait()
	for _, err := range errs {
		require.NoError(t, err)
	}
	got := ids(t, db)
	require.Len(t, got, processes*commits)
	for i, id := range got {
		require.Equal(t, i, id)
	}
}

// TestKilledWriters kills writers at random points. Every acknowledged commit
// is there exactly once, and of each killed process at most the one commit that
// was not acknowledged.
func TestKilledWriters(t *testing.T) {
	kills := 100
	if testing.Short() {
		kills = 10
	}
	for _, format := range commitFormats {
		t.Run(format.name, func(t *testing.T) { killedWriters(t, format.options(t), kills/format.share) })
	}
}

func killedWriters(t *testing.T, options string, kills int) {
	dsn, db := newTable(t, options)
	seed := time.Now().UnixNano()
	t.Logf("seed %d", seed)
	rng := rand.New(rand.NewSource(seed))
	next := 0
	for range kills {
		acknowledged := killOne(t, dsn, next, time.Duration(rng.Intn(60_000))*time.Microsecond)
		got := ids(t, db)
		require.GreaterOrEqual(t, len(got), next+acknowledged, "seed %d: an acknowledged commit is lost", seed)
		require.LessOrEqual(t, len(got), next+acknowledged+1, "seed %d: more than one commit was not acknowledged", seed)
		for i, id := range got {
			require.Equal(t, i, id, "seed %d", seed)
		}
		next = len(got)
	}
	t.Logf("%d kills, %d commits", kills, next)
}

// killOne starts a writer, waits for its first commit and a little more, kills
// it, and gives how many commits it acknowledged.
func killOne(t *testing.T, dsn string, first int, after time.Duration) int {
	c := writer(dsn, first, 1_000_000)
	out, err := c.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, c.Start())
	acknowledged := 0
	lines := bufio.NewScanner(out)
	started := false
	for lines.Scan() {
		if !strings.HasPrefix(lines.Text(), "acknowledged ") {
			continue
		}
		acknowledged++
		if !started {
			started = true
			time.AfterFunc(after, func() { _ = c.Process.Kill() })
		}
	}
	_ = c.Wait() // it was killed: that is the error
	return acknowledged
}
