package driver_test

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/driver"
	"github.com/tarndb/tarn/storage/object"
)

// errorEntry is an exported error, sentinel or struct, and what provokes it.
type errorEntry struct {
	name     string // as it is exported; a struct's begins with a star
	sentinel error  // a struct's is what it unwraps to
	// fields checks a struct; it reports whether err has one that says what it
	// should.
	fields func(err error) bool
	state  string // SQLSTATE
	retry  bool   // SafeToRetry
	// missing names the feature without which nothing gives this error. The
	// cases then have the refusal of that feature, so that whoever adds it is
	// told to provoke the error itself.
	missing string
	refusal error // the sentinel of the cases of a missing feature
	cases   []errorCase
}

// errorCase provokes an error in a warehouse of three tables: t (id INT NOT NULL,
// name STRING) with rows in versions 1 and 2, the empty u (id INT), and c (id
// INT) with a deletion vector and a checkpoint of version 2.
type errorCase struct {
	run string // SQL, run by Query and by Exec
	// dsn is what is opened instead of the directory, which {dir} in it stands
	// for. Without run, opening it and a Ping are what provokes the error.
	dsn     string
	damage  func(t *testing.T, dir string) // changes the files of the warehouse
	faults  []object.Rule                  // of the store, once t is loaded
	provoke func(w *warehouse) error       // instead of run
	says    string                         // is in the message
	mayKeep bool                           // what was written may stay
}

func (c *errorCase) name() string {
	if c.run == "" {
		return c.dsn + c.says
	}
	return c.run
}

// warehouse is a directory in which an error is provoked.
type warehouse struct {
	t      *testing.T
	dir    string
	db     *sql.DB
	before string // the tree of the directory
}

// mark takes what is in the directory now for what must be there afterwards.
func (w *warehouse) mark() { w.before = tree(w.t, w.dir) }

// tree lists all files with a hash of what is in them. Directories without
// files are no part of a warehouse.
func tree(t *testing.T, dir string) string {
	t.Helper()
	var lines strings.Builder
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			return nil
		}
		var body []byte
		if err == nil {
			body, err = os.ReadFile(path)
		}
		if errors.Is(err, fs.ErrPermission) {
			body, err = []byte("can't be read"), nil
		}
		fmt.Fprintf(&lines, "%s %s %x\n", d.Type(), path, sha256.Sum256(body))
		return err
	}))
	return lines.String()
}

// faulty holds the stores that DSNs of the scheme faulty opened, by directory.
var faulty sync.Map // of *object.Fault

var registerFaulty = sync.OnceFunc(func() {
	object.Register("faulty", func(url string) (object.Store, error) {
		dir := strings.TrimPrefix(url, "faulty://")
		store, err := object.NewFileStore(dir)
		if err != nil {
			return nil, err
		}
		fault := object.NewFault(store)
		faulty.Store(dir, fault)
		return fault, nil
	})
})

// seed makes the warehouse that every case has a copy of.
func seed(t *testing.T) string {
	dir := t.TempDir()
	db, err := sql.Open("tarn", dir)
	require.NoError(t, err)
	exec(t, db, `CREATE TABLE t (id INT NOT NULL, name STRING); INSERT INTO t VALUES (1, 'a'); INSERT INTO t VALUES (2, 'b');
		CREATE TABLE u (id INT);
		CREATE TABLE c (id INT) TBLPROPERTIES ('delta.checkpointInterval' = '2', 'delta.enableDeletionVectors' = 'true');
		INSERT INTO c VALUES (1), (2), (3); DELETE FROM c WHERE id = 2`)
	require.NoError(t, db.Close())
	return dir
}

// TestErrors provokes every exported error. Nothing may change in the directory.
func TestErrors(t *testing.T) {
	registerFaulty()
	dir := seed(t)
	for _, entry := range errorTable {
		t.Run(entry.name, func(t *testing.T) {
			if entry.missing != "" {
				t.Logf("%s is not provoked: %s is missing", entry.name, entry.missing)
				e := driver.Error{Err: fmt.Errorf("wrapped: %w", entry.sentinel)}
				require.Equal(t, entry.state, e.SQLState())
				require.Equal(t, entry.retry, e.SafeToRetry())
			}
			require.NotEmpty(t, entry.cases)
			for _, c := range entry.cases {
				t.Run(c.name(), func(t *testing.T) {
					w := &warehouse{t: t, dir: t.TempDir()}
					require.NoError(t, os.CopyFS(w.dir, os.DirFS(dir)))
					runCase(w, &entry, &c)
				})
			}
		})
	}
}

func runCase(w *warehouse, entry *errorEntry, c *errorCase) {
	t := w.t
	if c.damage != nil {
		c.damage(t, w.dir)
	}
	w.mark()
	for _, provoke := range c.provocations(w) {
		err := provoke()
		if w.db != nil {
			require.NoError(t, w.db.Close()) // rolls back what is left open
			w.db = nil
		}
		requireError(t, err, entry, c)
		if !c.mayKeep {
			require.Equal(t, w.before, tree(t, w.dir), "the directory has changed")
		}
	}
}

// provocations are the ways to provoke a case's error.
func (c *errorCase) provocations(w *warehouse) []func() error {
	switch {
	case c.provoke != nil:
		return []func() error{func() error {
			if err := c.open(w); err != nil {
				return err
			}
			return c.provoke(w)
		}}
	case c.run == "":
		return []func() error{func() error { return c.open(w) }}
	}
	return []func() error{func() error {
		if err := c.open(w); err != nil {
			return err
		}
		_, err := tryRows(context.Background(), w.db, c.run)
		return err
	}, func() error {
		if err := c.open(w); err != nil {
			return err
		}
		_, err := w.db.Exec(c.run)
		return err
	}}
}

// open opens the case's DSN and, if there are faults, makes the store fail from
// then on.
func (c *errorCase) open(w *warehouse) error {
	dsn := strings.ReplaceAll(c.dsn, "{dir}", w.dir)
	switch {
	case len(c.faults) > 0:
		dsn = "faulty://" + w.dir
	case dsn == "" && (c.run != "" || c.provoke != nil):
		dsn = w.dir
	}
	db, err := sql.Open("tarn", dsn)
	if err != nil {
		return err
	}
	w.db = db
	if len(c.faults) > 0 {
		rows(w.t, db, "SELECT * FROM t")
		fault, _ := faulty.Load(w.dir)
		fault.(*object.Fault).Script(c.faults...)
	}
	return db.Ping()
}

// requireError checks what an error says to a program and to a person.
func requireError(t *testing.T, err error, entry *errorEntry, c *errorCase) {
	t.Helper()
	if entry.missing != "" {
		require.ErrorIs(t, err, entry.refusal, "%s seems to be there: provoke %s", entry.missing, entry.name)
		require.ErrorContains(t, err, c.says)
		return
	}
	require.ErrorIs(t, err, entry.sentinel)
	require.ErrorContains(t, err, c.says)
	if entry.fields != nil {
		require.True(t, entry.fields(err), "%s is not in %v", entry.name, err)
	}
	require.NotContains(t, err.Error(), "goroutine", "a panic that was caught")
	var e *driver.Error
	if !errors.As(err, &e) {
		require.ErrorIs(t, err, driver.ErrConfig, "only sql.Open gives errors that are not wrapped")
		return
	}
	require.Contains(t, err.Error(), "tarn: ") // at the beginning, but for what database/sql puts before it
	require.Equal(t, entry.state, e.SQLState())
	require.Equal(t, entry.retry, e.SafeToRetry())
}

// TestErrorTableIsComplete asks for an entry of each exported sentinel and each
// exported error struct of errors.go.
func TestErrorTableIsComplete(t *testing.T) {
	listed := map[string]bool{}
	for _, e := range errorTable {
		require.False(t, listed[e.name], "%s is listed twice", e.name)
		require.Error(t, e.sentinel, e.name)
		listed[e.name] = true
	}
	files, err := filepath.Glob("*.go")
	require.NoError(t, err)
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		require.NoError(t, err)
		for _, exported := range exportedErrors(file, name == "errors.go") {
			require.True(t, listed[exported], "%s of %s has no entry in errorTable", exported, name)
		}
	}
}

// exportedErrors gives the exported Err… variables of a file and, if it is asked
// for, its type aliases.
func exportedErrors(file *ast.File, aliases bool) []string {
	var names []string
	for _, d := range file.Decls {
		general, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, spec := range general.Specs {
			switch spec := spec.(type) {
			case *ast.ValueSpec:
				for _, name := range spec.Names {
					if strings.HasPrefix(name.Name, "Err") {
						names = append(names, name.Name)
					}
				}
			case *ast.TypeSpec:
				if aliases && spec.Assign.IsValid() && spec.Name.IsExported() {
					names = append(names, "*"+spec.Name.Name)
				}
			}
		}
	}
	return names
}

// TestDamageIsSurvived damages what there is a second copy of.
func TestDamageIsSurvived(t *testing.T) {
	dir := seed(t)
	for name, damage := range survived {
		t.Run(name, func(t *testing.T) {
			w := t.TempDir()
			require.NoError(t, os.CopyFS(w, os.DirFS(dir)))
			damage(t, w)
			db := open(t, w)
			require.Equal(t, "1;3", rows(t, db, "SELECT id FROM c ORDER BY id"))
			exec(t, db, "INSERT INTO c VALUES (4)")
			require.Equal(t, "1;3;4", rows(t, open(t, w), "SELECT id FROM c ORDER BY id"))
		})
	}
}
