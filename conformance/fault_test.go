package conformance

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/driver"
	_ "github.com/tarndb/tarn/storage/catalog/sqlite"
	"github.com/tarndb/tarn/storage/object"
)

// faultStores are the stores behind fault://NAME.
var faultStores sync.Map

func init() {
	object.Register("fault", func(url string) (object.Store, error) {
		store, ok := faultStores.Load(strings.TrimPrefix(url, "fault://"))
		if !ok {
			return nil, object.ErrNotFound
		}
		return store.(object.Store), nil
	})
}

// quiet drops the log of a test whose failures are wanted.
func quiet(t *testing.T) {
	old := slog.Default()
	slog.SetDefault(slog.New(slog.DiscardHandler))
	t.Cleanup(func() { slog.SetDefault(old) })
}

// faultStore gives a name under which a store that fails as a script says is opened.
func faultStore(t *testing.T, store object.Store) (name string, fault *object.Fault) {
	fault = object.NewFault(store)
	fault.Script() // no rule: nothing fails
	name = fmt.Sprint(t.Name(), faultCount.Add(1))
	faultStores.Store(name, fault)
	t.Cleanup(func() { faultStores.Delete(name) })
	return name, fault
}

// faultCount makes the names of stores.
var faultCount atomic.Int64

// commitFormats are the options of a DSN for each format and catalog whose commits
// are tried, of slow ones fewer.
var commitFormats = []struct {
	name    string
	options func(t *testing.T) string
	share   int // one in so many
}{
	{"delta", func(*testing.T) string { return "" }, 1},
	{"iceberg", func(*testing.T) string { return "?format=iceberg" }, 3},
	{"catalog", func(t *testing.T) string { return "?catalog=sqlite:" + filepath.Join(t.TempDir(), "catalog.db") }, 3},
}

// openFault opens a database on one of the stores.
func openFault(t *testing.T, name, options string) *sql.DB {
	db, err := sql.Open("tarn", "fault://"+name+options)
	require.NoError(t, err)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// TestFaultAtEveryStoreCall makes every store call of a transaction fail in
// turn, in every way. Afterwards the table is exactly the old or exactly the
// new one, and an error means that it is the old one.
func TestFaultAtEveryStoreCall(t *testing.T) {
	quiet(t)
	statements := map[string]string{
		"insert": "INSERT INTO t VALUES (100, 'x'), (101, NULL)",
		"delete": "DELETE FROM t WHERE id = 3",
		"update": "UPDATE t SET v = 'new' WHERE id <= 2",
		"upsert": "UPSERT INTO t KEYS (id) VALUES (1, 'm'), (77, 'n'), (77, 'o')",
		"merge":  "MERGE INTO t USING (VALUES (1, 'm'), (77, 'n')) s(id, v) ON t.id = s.id WHEN MATCHED THEN UPDATE SET v = s.v WHEN NOT MATCHED THEN INSERT *",
	}
	effects := map[string]object.Effect{"before": object.FailBefore, "after": object.FailAfter, "lost": object.LoseAnswer}
	for _, format := range commitFormats {
		for what, statement := range statements {
			for how, effect := range effects {
				t.Run(format.name+"/"+what+"/"+how, func(t *testing.T) {
					for n := 1; ; n++ {
						if !runWithFault(t, fmt.Sprintf("%s call %d", what, n), format.options(t), statement, object.Rule{Index: n, Effect: effect}) {
							require.Greater(t, n, 5)
							return
						}
					}
				})
			}
		}
	}
}

// runWithFault runs a statement in a transaction under a rule and checks the
// outcome; it reports whether the rule fired.
func runWithFault(t *testing.T, what, options, statement string, rule object.Rule) bool {
	store := object.NewMemory(t.Name())
	name, fault := faultStore(t, store)
	db := openFault(t, name, options)
	setUpFaultTable(t, db)
	const all = "SELECT * FROM t"
	old, want := mustQuery(t, db, all), afterStatement(t, statement)

	fault.Script(rule)
	err := transact(context.Background(), db, statement)
	fired := fault.Fired() > 0
	fault.Script()

	// Another process reads what is there.
	other, _ := faultStore(t, store)
	got := mustQuery(t, openFault(t, other, options), all)
	switch {
	case err == nil:
		require.Equal(t, want, got, "%s: committed", what)
	case errors.Is(err, driver.ErrCommitUnknown):
		t.Errorf("%s: one failed call makes the outcome unknown: %v", what, err)
	default:
		require.Equal(t, old, got, "%s: %v", what, err)
	}
	require.Equal(t, got, mustQuery(t, db, all), "%s: the same connection sees the same", what)
	return fired
}

// afterStatement gives the rows that the table has when nothing fails.
func afterStatement(t *testing.T, statement string) []string {
	db, err := sql.Open("tarn", "memory://")
	require.NoError(t, err)
	defer db.Close()
	setUpFaultTable(t, db)
	_, err = db.Exec(statement)
	require.NoError(t, err)
	return mustQuery(t, db, "SELECT * FROM t")
}

// setUpFaultTable makes a table whose next commit is one with a checkpoint.
func setUpFaultTable(t *testing.T, db *sql.DB) {
	_, err := db.Exec("CREATE TABLE t (id INT, v STRING)")
	require.NoError(t, err)
	for i := range 9 {
		_, err := db.Exec("INSERT INTO t VALUES (?, ?)", i, fmt.Sprint("v", i))
		require.NoError(t, err)
	}
}

func transact(ctx context.Context, db *sql.DB, statement string) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, statement); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

func mustQuery(t *testing.T, db *sql.DB, query string) []string {
	t.Helper()
	answer, err := Query(context.Background(), db, query)
	require.NoError(t, err, query)
	return answer.Lines()
}

// TestUnknownOutcome loses the answer of the commit and the read-back: only
// then may the outcome be unknown.
func TestUnknownOutcome(t *testing.T) {
	quiet(t)
	for _, format := range commitFormats[:2] { // a catalog's commit is no call of the store
		t.Run(format.name, func(t *testing.T) {
			name, fault := faultStore(t, object.NewMemory(t.Name()))
			db := openFault(t, name, format.options(t))
			setUpFaultTable(t, db)
			fault.OnCall = func(op object.Op, _ string) {
				if op == object.OpPutIfAbsent {
					fault.Script(object.Rule{Op: op, Effect: object.LoseAnswer}, object.Rule{Op: object.OpGet})
				}
			}
			_, err := db.Exec("INSERT INTO t VALUES (100, 'x')")
			require.ErrorIs(t, err, driver.ErrCommitUnknown)
			var e *driver.Error
			require.ErrorAs(t, err, &e)
			require.Equal(t, "08007", e.SQLState())
			fault.OnCall = nil
			fault.Script()
			require.Len(t, mustQuery(t, db, "SELECT * FROM t"), 10) // it had been committed, and its files are there
		})
	}
}
