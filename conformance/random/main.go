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
	"math/rand"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/tarndb/tarn/conformance"
	_ "github.com/tarndb/tarn/driver"
	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/plan"
)

// options are the flags.
type options struct {
	seed  int64
	count int
	only  int
	dir   string
	// complete says that what no query has reached is a failure.
	complete bool
}

// planned says that one in so many queries is explained, to see what its plan
// is made of.
const planned = 4

// batch is how many queries run on one set of tables.
const batch = 500

func main() {
	var o options
	flag.Int64Var(&o.seed, "seed", 1, "seed of the tables and queries")
	flag.IntVar(&o.count, "count", 500, "number of queries")
	flag.IntVar(&o.only, "only", -1, "run only the query of this number")
	flag.StringVar(&o.dir, "dir", "", "directory for the tables and the answers, empty or new")
	flag.BoolVar(&o.complete, "complete", false, "fail if no query has reached one of the operators, functions, types and clauses; needs some thousand queries")
	flag.Parse()
	if o.dir == "" || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	failures, err := run(context.Background(), o, os.Stderr)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	if failures > 0 {
		os.Exit(1)
	}
}

// run runs all queries, a set of tables for every so many, and counts what is
// wrong.
func run(ctx context.Context, o options, report io.Writer) (failures int, err error) {
	covered, totals := newCoverage(), map[string]int{}
	before := runtime.NumGoroutine()
	for done, seed := 0, o.seed; done < o.count; done, seed = done+batch, seed+1 {
		dir := filepath.Join(o.dir, fmt.Sprint(seed))
		n, err := runSeed(ctx, seed, min(batch, o.count-done), o.only, dir, covered, totals, report)
		failures += n
		if err != nil {
			return failures, fmt.Errorf("seed %d: %w", seed, err)
		}
	}
	for range 100 {
		if runtime.NumGoroutine() <= before {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	leaked := runtime.NumGoroutine() - before
	fmt.Fprintf(report, "%d queries: %d gave rows, %d none, %d failed, %d are refused; %d have a counterpart in DuckDB; %d need more memory than little; %d may overflow in values that are not needed; %d give too much to be compared; %d differ among variants, %d panicked; %d goroutines leaked\n",
		o.count, totals["rows"], totals["empty"], totals["failed"], totals["refused"], totals["duck"], totals["limited"], totals["evaded"], totals["large"], totals["differ"], totals["panicked"], leaked)
	if missed := covered.report(report); o.complete {
		failures += missed
	}
	return failures + max(0, leaked), nil
}

// runSeed makes the tables of a seed and runs queries on them.
func runSeed(ctx context.Context, seed int64, count, only int, dir string, covered *coverage, totals map[string]int, report io.Writer) (failures int, err error) {
	warehouse := filepath.Join(dir, "warehouse")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return 0, err
	}
	dbs := map[int]*sql.DB{}
	for threads, dsn := range map[int]string{1: "?threads=1", 2: "?threads=2", 8: "?threads=8", memoryLimited: "?threads=2&memory_limit=32KiB"} {
		if dbs[threads], err = sql.Open("tarn", warehouse+dsn); err != nil {
			return 0, err
		}
		defer func() { err = errors.Join(err, dbs[threads].Close()) }()
	}
	rng := rand.New(rand.NewSource(seed))
	tables := makeTables(rng)
	for _, t := range tables {
		if err := t.create(ctx, dbs[2], rng); err != nil {
			return 0, err
		}
	}
	ways, memory, err := variants(ctx, dbs, tables)
	if err != nil {
		return 0, err
	}
	file, err := os.Create(filepath.Join(dir, "queries.jsonl"))
	if err != nil {
		return 0, err
	}
	out := bufio.NewWriter(file)
	defer func() { err = errors.Join(err, out.Flush(), file.Close()) }()
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	for i := range count {
		if only >= 0 && i != only {
			continue
		}
		g := &gen{Rand: rand.New(rand.NewSource(seed*1000003 + int64(i))), tables: tables, subqueries: 3}
		q := g.statement()
		if node, err := memory.bound(ctx, q.ours, &eval.Env{Zone: time.UTC, Now: time.Now()}); err == nil {
			covered.add(node, q.ours)
			covered.addPlan(plan.Format(node, nil))
		}
		o := check(ctx, i, q, ways)
		o.Seed, o.Query = seed, i
		if tally(o, totals) {
			failures++
			printFailure(report, o)
		}
		if err := encoder.Encode(o); err != nil {
			return failures, err
		}
		if i%planned != 0 {
			continue
		}
		if explained, err := conformance.Query(ctx, dbs[2], "EXPLAIN "+q.ours); err == nil {
			for _, row := range explained.Rows {
				covered.addPlan(fmt.Sprint(row[0]))
			}
		}
	}
	return failures, nil
}

// tally counts an outcome and reports whether it is wrong.
func tally(o outcome, totals map[string]int) bool {
	panicked := strings.Contains(o.Error, "internal error")
	for _, d := range o.Differs {
		panicked = panicked || strings.Contains(d.Got, "internal error")
	}
	for name, is := range map[string]bool{"rows": len(o.Rows) > 0, "empty": o.Error == "" && len(o.Rows) == 0, "failed": o.Error != "" && o.State != "0A000",
		"refused": o.State == "0A000", "duck": o.Duck != "", "limited": o.Limited, "evaded": o.Evaded, "large": o.Large, "differ": len(o.Differs) > 0, "panicked": panicked} {
		if is {
			totals[name]++
		}
	}
	return len(o.Differs) > 0 || panicked
}

func printFailure(w io.Writer, o outcome) {
	fmt.Fprintf(w, "seed %d query %d: %s\n", o.Seed, o.Query, o.SQL)
	if o.Error != "" {
		fmt.Fprintf(w, "\tfails: %.2000s\n", o.Error)
	}
	for _, d := range o.Differs {
		fmt.Fprintf(w, "\t%s: %.2000s %s\n", d.Variant, d.Got, d.SQL)
	}
}
