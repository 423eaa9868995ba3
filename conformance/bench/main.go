package main

import (
	"bufio"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"runtime/pprof"
	"strings"
	"time"

	"github.com/tarndb/tarn/driver"
)

// request is one query to run.
type request struct {
	Format string `json:"format"`
	Query  string `json:"query"`
	Warmup int    `json:"warmup"`
	Runs   int    `json:"runs"`
	Run    int    `json:"run"` // number of the first run

	sqlFile string
}

// answer is one line of output.
type answer struct {
	Engine      string  `json:"engine"`
	Version     string  `json:"version,omitempty"`
	Format      string  `json:"format"`
	Query       string  `json:"query"`
	Run         int     `json:"run"`
	Seconds     float64 `json:"seconds,omitempty"`
	CPU         float64 `json:"cpu,omitempty"`
	Rows        int     `json:"rows"`
	Checksum    string  `json:"checksum,omitempty"`
	Target      string  `json:"target,omitempty"` // the table that was written
	Ops         int     `json:"ops,omitempty"`    // its commits
	Error       string  `json:"error,omitempty"`
	Unsupported bool    `json:"unsupported,omitempty"`
}

// bench is the data set and what is open of it.
type bench struct {
	dir     string
	queries string
	threads int
	memory  string // the option memory_limit; empty for its default
	out     *json.Encoder
	dbs     map[string]*sql.DB // by warehouse directory
	written int                // tables so far
}

func main() {
	var b bench
	var r request
	serve := flag.Bool("serve", false, "read requests from standard input")
	flag.StringVar(&b.dir, "dir", "", "data directory with layout.json")
	flag.StringVar(&b.queries, "queries", "", "directory of NAME.sql, for -serve")
	flag.IntVar(&b.threads, "threads", 2, "worker threads")
	flag.StringVar(&b.memory, "memory-limit", "", "memory_limit, such as 1GiB; the process's soft limit becomes an eighth more")
	flag.StringVar(&r.Format, "format", "delta", "table format")
	flag.StringVar(&r.Query, "query", "", "name of the query")
	flag.StringVar(&r.sqlFile, "sql-file", "", "file with the query's text")
	flag.IntVar(&r.Warmup, "warmup", 1, "runs that are not counted")
	flag.IntVar(&r.Runs, "runs", 1, "counted runs")
	matrix := flag.Bool("matrix", false, "run the side-by-side benchmark; what follows the flags is passed to it")
	profile := flag.String("cpuprofile", "", "write a CPU profile to this file")
	_ = flag.CommandLine.Parse(arguments(os.Args[1:])) // exits on an error
	if *matrix {
		if err := runMatrix(b.dir, b.threads, flag.Args()); err != nil {
			log.Fatal(err)
		}
		return
	}
	b.out = json.NewEncoder(os.Stdout)
	b.dbs = map[string]*sql.DB{}
	if *profile != "" {
		f, err := os.Create(*profile)
		if err == nil {
			err = pprof.StartCPUProfile(f)
		}
		if err != nil {
			log.Fatal(err)
		}
		defer pprof.StopCPUProfile()
	}
	var err error
	if *serve {
		err = b.serve(os.Stdin)
	} else {
		b.run(r)
	}
	for _, db := range b.dbs {
		err = errors.Join(err, db.Close())
	}
	if err != nil {
		log.Print(err)
	}
}

// arguments gives -sql-file an empty value where it is last and has none: the
// workloads without a query have no such file.
func arguments(args []string) []string {
	if n := len(args); n > 0 && strings.TrimLeft(args[n-1], "-") == "sql-file" {
		return append(args, "")
	}
	return args
}

// serve answers requests, a line each, until the input ends.
func (b *bench) serve(in io.Reader) error {
	if err := b.out.Encode(map[string]any{"ready": true, "engine": engine}); err != nil {
		return err
	}
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		r := request{Warmup: 1, Runs: 1}
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			return err
		}
		r.sqlFile = filepath.Join(b.queries, r.Query+".sql")
		b.run(r)
		if err := b.out.Encode(map[string]bool{"done": true}); err != nil {
			return err
		}
	}
	return lines.Err()
}

const engine = "tarn"

// workload makes one run and fills in what it took and gave.
type workload func(b *bench, r request, a *answer) error

// run runs a workload and prints an answer per counted run.
func (b *bench) run(r request) {
	work, isWrite := writes[r.Query]
	switch {
	case isWrite:
		r.Warmup = 0
	case snapshots[r.Query] != "":
		work = loadSnapshot
	default:
		work = runQuery
	}
	for i := -r.Warmup; i < r.Runs; i++ {
		a := answer{Engine: engine, Version: "0.1", Format: r.Format, Query: r.Query, Run: r.Run + i}
		err := work(b, r, &a)
		if err != nil {
			a = answer{Engine: engine, Format: r.Format, Query: r.Query, Run: r.Run, Error: err.Error(),
				Unsupported: errors.Is(err, driver.ErrUnsupportedSQL) || errors.Is(err, driver.ErrUnsupportedFeature)}
		}
		if i >= 0 || err != nil {
			_ = b.out.Encode(a)
		}
		if err != nil {
			return
		}
	}
}

// timed measures f.
func (a *answer) timed(f func() error) error {
	start, cpu := time.Now(), cpuSeconds()
	err := f()
	a.Seconds, a.CPU = time.Since(start).Seconds(), cpuSeconds()-cpu
	return err
}

// runQuery runs the query of a file.
func runQuery(b *bench, r request, a *answer) error {
	text, tables, err := readQuery(r.sqlFile)
	if err != nil {
		return err
	}
	layout, err := b.layout()
	if err != nil {
		return err
	}
	db, err := b.open(layout, r.Format, tables)
	if err != nil {
		return err
	}
	text = strings.ReplaceAll(text, "{q11_fraction}", fmt.Sprintf("%.10f", 0.0001/layout.scaleFactor()))
	var result table
	if err := a.timed(func() error { result, err = fetch(db, text); return err }); err != nil {
		return err
	}
	a.Rows, a.Checksum = result.rows, result.checksum()
	return nil
}

var header = regexp.MustCompile(`(?m)^-- (\w+): (.*)$`)

// readQuery gives the text of a query and the tables that its header names.
func readQuery(path string) (text string, tables []string, err error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return "", nil, err
	}
	for _, m := range header.FindAllStringSubmatch(string(data), -1) {
		if m[1] == "tables" {
			for _, t := range strings.Split(m[2], ",") {
				tables = append(tables, strings.TrimSpace(t))
			}
		}
	}
	return string(data), tables, nil
}

// layout is what a data set's layout.json says: by format, the path of each
// table below the directory; and the scale factor.
type layout map[string]json.RawMessage

func (b *bench) layout() (layout, error) {
	data, err := os.ReadFile(filepath.Join(b.dir, "layout.json"))
	if err != nil {
		return nil, err
	}
	l := layout{}
	return l, json.Unmarshal(data, &l)
}

func (l layout) scaleFactor() float64 {
	var sf float64
	if json.Unmarshal(l["sf"], &sf) != nil || sf == 0 {
		return 1
	}
	return sf
}

// tables gives the tables of a format.
func (l layout) tables(format string) (map[string]string, error) {
	paths := map[string]string{}
	if raw, ok := l[format]; ok {
		if err := json.Unmarshal(raw, &paths); err != nil {
			return nil, err
		}
	}
	return paths, nil
}

// tablePath gives the absolute path of a table.
func (b *bench) tablePath(format, table string) (string, error) {
	l, err := b.layout()
	if err != nil {
		return "", err
	}
	paths, err := l.tables(format)
	if err != nil {
		return "", err
	}
	p, ok := paths[table]
	if !ok {
		return "", fmt.Errorf("%w: no %s table %s in this data set", driver.ErrUnsupportedSQL, format, table)
	}
	return filepath.Abs(filepath.Join(b.dir, p))
}

// open opens the warehouse directory that holds the tables of a query.
func (b *bench) open(l layout, format string, tables []string) (*sql.DB, error) {
	paths, err := l.tables(format)
	if err != nil {
		return nil, err
	}
	dir := ""
	for name := range paths {
		if len(tables) == 0 {
			tables = []string{name}
		}
	}
	for _, t := range tables {
		p, ok := paths[t]
		if !ok {
			return nil, fmt.Errorf("%w: no %s table %s in this data set", driver.ErrUnsupportedSQL, format, t)
		}
		if filepath.Base(p) != t || dir != "" && dir != filepath.Dir(p) {
			return nil, fmt.Errorf("tables of one query lie in different directories: %s", p)
		}
		dir = filepath.Dir(p)
	}
	return b.warehouse(filepath.Join(b.dir, dir))
}

// warehouse opens a directory once.
func (b *bench) warehouse(dir string) (*sql.DB, error) {
	if db, ok := b.dbs[dir]; ok {
		return db, nil
	}
	db, err := b.openNew(dir)
	if err == nil {
		b.dbs[dir] = db
	}
	return db, err
}

// openNew opens a directory with nothing cached.
func (b *bench) openNew(dir string) (*sql.DB, error) {
	dsn := fmt.Sprintf("%s?threads=%d", dir, b.threads)
	if b.memory != "" {
		dsn += "&memory_limit=" + b.memory
	}
	config, err := driver.ParseDSN(dsn)
	if err != nil {
		return nil, err
	}
	if limit := config.MemoryLimitBytes; limit > 0 {
		debug.SetMemoryLimit(limit + limit/8)
	}
	return sql.OpenDB(driver.NewConnector(config)), nil
}

// fetch reads the whole result into memory.
func fetch(db *sql.DB, query string) (table, error) {
	rows, err := db.QueryContext(context.Background(), query)
	if err != nil {
		return table{}, err
	}
	defer rows.Close()
	return readTable(rows)
}
