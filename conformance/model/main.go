package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	_ "github.com/tarndb/tarn/storage/catalog/sqlite"
)

// options are the flags.
type options struct {
	seed  uint64
	steps int
	each  int // steps of one table
	kind  string
	dir   string
}

// dumped says after how many steps the rows are written down.
const dumped = 200

func main() {
	var o options
	flag.Uint64Var(&o.seed, "seed", 1, "seed of the first table; each following has the next one")
	flag.IntVar(&o.steps, "steps", 20_000, "number of steps")
	flag.IntVar(&o.each, "each", 2*dumped, "steps of one table")
	flag.StringVar(&o.kind, "kind", "", "only kinds of tables in whose description this is, such as iceberg or catalog")
	flag.StringVar(&o.dir, "dir", "", "directory for the tables and the dumps, empty or new")
	flag.Parse()
	if o.dir == "" || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	kinds := slices.DeleteFunc(configs(), func(c config) bool { return !strings.Contains(c.String(), o.kind) })
	if len(kinds) == 0 {
		fmt.Fprintf(os.Stderr, "no kind of table is %q\n", o.kind)
		os.Exit(2)
	}
	if err := run(context.Background(), o, kinds, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run makes all steps, on one table after the other.
func run(ctx context.Context, o options, kinds []config, report io.Writer) (err error) {
	if err := os.MkdirAll(o.dir, 0o755); err != nil {
		return err
	}
	dumps, err := os.Create(filepath.Join(o.dir, "dumps.jsonl"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, dumps.Close()) }()
	for i, done := 0, 0; done < o.steps; i, done = i+1, done+o.each {
		seed, kind := o.seed+uint64(i), kinds[i%len(kinds)]
		steps := min(o.each, o.steps-done)
		states, err := runTable(ctx, kind, seed, steps, filepath.Join(o.dir, fmt.Sprint(i)), dumps)
		if err != nil {
			return fmt.Errorf("seed %d, %s: %w", seed, kind, err)
		}
		fmt.Fprintf(report, "seed %d: %d steps, %d states of %s\n", seed, steps, states, kind)
	}
	return nil
}

// runTable makes the steps of one table and gives the number of states that were
// committed.
func runTable(ctx context.Context, c config, seed uint64, steps int, dir string, dumps io.Writer) (states int, err error) {
	m, err := newMachine(ctx, c, seed, dir)
	if err != nil {
		return 0, err
	}
	defer func() { err = errors.Join(err, m.close(ctx)) }()
	for n := 1; n <= steps; n++ {
		if err := m.step(ctx); err != nil {
			return 0, fmt.Errorf("step %d: %w; the statements were\n%s", n, err, strings.Join(m.log, ";\n"))
		}
		if n%dumped == 0 || n == steps {
			if err := m.dump(ctx, dumps); err != nil {
				return 0, err
			}
		}
	}
	return len(m.states), nil
}

// dump is a line of dumps.jsonl.
type dump struct {
	Kind, Format string
	Place        string // a directory or a metadata file
	Version      int64
	Rows         []string // columns apart by bars
}

// dump writes down the newest state, if there is one.
func (m *machine) dump(ctx context.Context, to io.Writer) error {
	if len(m.states) == 0 {
		return nil
	}
	s := m.states[len(m.states)-1]
	d := dump{Kind: m.config.String(), Format: m.config.format, Place: filepath.Join(m.dir, "t"), Version: s.version, Rows: s.lines}
	if m.config.inCatalog {
		if err := m.db.QueryRowContext(ctx, "SELECT file FROM t.metadata_log_entries ORDER BY timestamp DESC, file DESC LIMIT 1").Scan(&d.Place); err != nil {
			return err
		}
	}
	return json.NewEncoder(to).Encode(d)
}
