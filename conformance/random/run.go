package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"sort"
	"strings"
	"time"

	"github.com/tarndb/tarn/conformance"
	"github.com/tarndb/tarn/driver"
)

// outcome is a line of output: a query and what it gave.
type outcome struct {
	Seed  int64             `json:"seed"`
	Query int               `json:"query"`
	SQL   string            `json:"sql"`
	Duck  string            `json:"duck,omitempty"` // empty if DuckDB has no counterpart
	Types []string          `json:"types,omitempty"`
	Rows  []json.RawMessage `json:"rows"`
	Order []sortKey         `json:"order,omitempty"`
	Error string            `json:"error,omitempty"`
	State string            `json:"sqlstate,omitempty"`
	// Limited says that there was too little memory for the variant with little.
	Limited bool `json:"limited,omitempty"`
	// Evaded says that the query fails or not as the statistics of the files
	// have it, because of an overflow in values that its answer does not need.
	Evaded bool `json:"evaded,omitempty"`
	// Large says that the rows are too many, or too much, to be compared.
	Large bool `json:"large,omitempty"`
	// Seconds is what all runs took.
	Seconds float64 `json:"seconds"`
	// Differs names the variants of the query that gave something else.
	Differs []difference `json:"differs,omitempty"`
}

// difference is a variant of a query that gave something else.
type difference struct {
	Variant string `json:"variant"`
	SQL     string `json:"sql,omitempty"`
	Got     string `json:"got"`
}

// variant is a way to run a query.
type variant struct {
	name string
	// Of every so many queries only the one at a place is run in this way; 0 is
	// all.
	every, at int
	// stores says that the rows are written into a table, of whose columns not
	// every type can be, and come back in any order.
	stores bool
	// blind says that no statistics of files tell which rows there are, so that
	// more may be computed, and overflow.
	blind bool
	run   func(ctx context.Context, ours, opaque string) (conformance.Answer, error)
}

// variants are the ways to run a query; the first is the one the others are
// compared with.
func variants(ctx context.Context, dbs map[int]*sql.DB, tables []table) ([]variant, memory, error) {
	var out []variant
	for i, threads := range []int{2, 1, 8} {
		every := min(4*i, 4) // the first is what others are compared with
		out = append(out, variant{name: fmt.Sprintf("%d threads", threads), every: every, at: 2 * i % 4, run: func(ctx context.Context, ours, _ string) (conformance.Answer, error) {
			return conformance.Query(ctx, dbs[threads], ours)
		}})
	}
	out = append(out, variant{name: "written and read", every: 10, stores: true, run: func(ctx context.Context, ours, _ string) (conformance.Answer, error) {
		return written(ctx, dbs[2], ours)
	}})
	out = append(out, variant{name: opaque, every: 2, at: 1, blind: true, run: func(ctx context.Context, _, opaque string) (conformance.Answer, error) {
		return conformance.Query(ctx, dbs[2], opaque)
	}})
	var last memory
	out = append(out, variant{name: spilling, every: 2, run: func(ctx context.Context, ours, _ string) (conformance.Answer, error) {
		return conformance.Query(ctx, dbs[memoryLimited], ours)
	}})
	for i, size := range []int{1, 7, 2048} {
		m, err := load(ctx, dbs[1], tables, size)
		if err != nil {
			return nil, m, err
		}
		last = m
		out = append(out, variant{name: fmt.Sprintf("batches of %d", size), every: 6, at: 2*i + 1, blind: true, run: func(ctx context.Context, ours, _ string) (conformance.Answer, error) {
			return m.query(ctx, ours, 2)
		}})
	}
	return out, last, nil
}

// written makes a table of the rows of a query and reads it.
func written(ctx context.Context, db *sql.DB, query string) (out conformance.Answer, err error) {
	if _, err := db.ExecContext(ctx, "CREATE TABLE written AS "+query); err != nil {
		return out, err
	}
	defer func() {
		_, dropErr := db.ExecContext(ctx, "DROP TABLE written")
		err = errors.Join(err, dropErr)
	}()
	return conformance.Query(ctx, db, "SELECT * FROM written")
}

// opaque is the variant whose conditions are hidden from statistics.
const opaque = "opaque to statistics"

// overflows reports whether a query fails because a sum is out of the range of
// its type.
func overflows(err error) bool { return err != nil && strings.Contains(err.Error(), " overflows ") }

// spilling is the variant with little memory, of which there may be too little.
// memoryLimited is its key among the databases.
const (
	spilling      = "little memory"
	memoryLimited = 0
)

// mostAnswer is how many rows are compared at most.
const mostAnswer = 200_000

// timeout is how long a query may take.
const timeout = 30 * time.Second

// check runs a query in all ways.
func check(ctx context.Context, number int, q query, ways []variant) (o outcome) {
	o = outcome{SQL: q.ours, Order: q.order}
	defer func(begun time.Time) { o.Seconds = time.Since(begun).Seconds() }(time.Now())
	if !q.alone {
		o.Duck = q.duck
	}
	run := func(v variant) (conformance.Answer, error) {
		ctx, cancel := context.WithTimeout(ctx, timeout)
		defer cancel()
		return v.run(ctx, q.ours, q.opaque)
	}
	want, err := run(ways[0])
	if err != nil {
		o.Error = err.Error()
		var e *driver.Error
		if errors.As(err, &e) {
			o.State = e.SQLState()
		}
	}
	if o.Large = want.IsCut || len(want.Rows) > mostAnswer; o.Large {
		o.Duck = ""
		return o
	}
	lines := want.JSON()
	for _, f := range want.Fields {
		o.Types = append(o.Types, f.Type.String())
	}
	o.Rows = make([]json.RawMessage, len(lines))
	for i, l := range lines {
		o.Rows[i] = json.RawMessage(l)
	}
	for _, v := range ways[1:] {
		if v.every > 0 && number%v.every != v.at || v.stores && slices.ContainsFunc(q.columns, func(c column) bool { return !slices.Contains(stored, c.kind) }) {
			continue
		}
		got, gotErr := run(v)
		if errors.Is(gotErr, driver.ErrMemoryLimit) && v.name == spilling {
			o.Limited = true
			continue
		}
		if v.blind && overflows(err) != overflows(gotErr) {
			o.Evaded = true
			continue
		}
		order := q.order
		if v.stores {
			order = nil
		}
		why := compare(want, got, err, gotErr, order)
		if why == "" {
			continue
		}
		d := difference{Variant: v.name, Got: why}
		if v.name == opaque {
			d.SQL = q.opaque
		}
		o.Differs = append(o.Differs, d)
	}
	return o
}

// compare says how answers differ, or nothing. Both may fail, in words of their
// own.
func compare(want, got conformance.Answer, wantErr, gotErr error, order []sortKey) string {
	if wantErr != nil || gotErr != nil {
		switch {
		case wantErr == nil:
			return "fails: " + gotErr.Error()
		case gotErr == nil:
			return fmt.Sprintf("gives %d rows", len(got.Rows))
		}
		return ""
	}
	if len(want.Rows) != len(got.Rows) {
		return fmt.Sprintf("%d rows", len(got.Rows))
	}
	a, b := want.JSON(), got.JSON()
	if slices.Equal(a, b) {
		return ""
	}
	for i := range a {
		for _, k := range order {
			if why := unequal(want.Rows[i][k.Column], got.Rows[i][k.Column]); why != "" {
				return fmt.Sprintf("row %d of the order: %s", i, why)
			}
		}
	}
	x, y := sortedRows(want), sortedRows(got)
	for i := range x {
		for c := range x[i] {
			if why := unequal(x[i][c], y[i][c]); why != "" {
				return fmt.Sprintf("column %d: %s", c+1, why)
			}
		}
	}
	return ""
}

// unequal says how values differ, or nothing if they are equal to within
// rounding.
func unequal(a, b any) string {
	x, xIsFloat := a.(float64)
	y, yIsFloat := b.(float64)
	if xIsFloat && yIsFloat && (math.IsNaN(x) && math.IsNaN(y) || x == y || math.Abs(x-y) <= 1e-9*max(math.Abs(x), math.Abs(y))) {
		return ""
	}
	if fmt.Sprint(a) == fmt.Sprint(b) {
		return ""
	}
	return fmt.Sprintf("%v instead of %v", b, a)
}

// sortedRows sorts rows by their text with fewer digits.
func sortedRows(a conformance.Answer) [][]any {
	type keyed struct {
		key string
		row []any
	}
	list := make([]keyed, len(a.Rows))
	for i, row := range a.Rows {
		list[i] = keyed{rounded(row), row}
	}
	sort.Slice(list, func(i, j int) bool { return list[i].key < list[j].key })
	out := make([][]any, len(list))
	for i, k := range list {
		out[i] = k.row
	}
	return out
}

func rounded(row []any) string {
	var b strings.Builder
	for _, v := range row {
		if f, ok := v.(float64); ok {
			fmt.Fprintf(&b, "%.11e|", f+0)
			continue
		}
		fmt.Fprintf(&b, "%v|", v)
	}
	return b.String()
}
