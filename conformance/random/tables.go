package main

import (
	"context"
	"database/sql"
	"fmt"
	"math/rand"
	"slices"
	"strings"
)

// table is a table of the warehouse.
type table struct {
	name    string
	columns []column
	rows    int
	files   int
	parts   string // the column by which it is partitioned, if it is
}

// column is a column of a table or of a query; text is how it is read.
type column struct {
	name string
	value
}

// makeTables draws the tables: a large one in many files, clustered by id, a
// partitioned one, a small one and an empty one. All have a unique id and a key
// to join by, both whole numbers, and some columns of most types.
func makeTables(rng *rand.Rand) []table {
	tables := []table{{name: "big", rows: 400, files: 6}, {name: "part", rows: 90, files: 3}, {name: "small", rows: 15, files: 2}, {name: "none", files: 0}}
	for i := range tables {
		t := &tables[i]
		t.columns = []column{{"id", value{kind: i64, bound: 1000}}, {"k", value{kind: i32, bound: 100}}}
		for _, k := range stored {
			for n := range 2 {
				if rng.Intn(3) > n || t.name == "big" && n == 0 {
					t.columns = append(t.columns, column{fmt.Sprintf("%s_%d", strings.Replace(string(k), "map", "m", 1), n), value{kind: k, bound: k.most()}})
				}
			}
		}
		if t.name == "part" {
			t.columns = append(t.columns, column{"p", value{kind: []kind{str, date, i32, boolean, dec5}[rng.Intn(5)], bound: i32.most()}})
			t.parts = "p"
		}
	}
	return tables
}

// create makes the table with its rows, a file for each INSERT.
func (t table) create(ctx context.Context, db *sql.DB, rng *rand.Rand) error {
	var columns []string
	for _, c := range t.columns {
		columns = append(columns, c.name+" "+typeNames[c.kind].ours)
	}
	text := "CREATE TABLE " + t.name + " (" + strings.Join(columns, ", ") + ")"
	if t.parts != "" {
		text += " PARTITIONED BY (" + t.parts + ")"
	}
	if _, err := db.ExecContext(ctx, text); err != nil {
		return fmt.Errorf("%s: %w", text, err)
	}
	g := &gen{Rand: rng}
	for f := range t.files {
		var rows []string
		nulls := rng.Intn(4) // some files have no NULLs, some many
		for id := f * t.rows / t.files; id < (f+1)*t.rows/t.files; id++ {
			rows = append(rows, "("+strings.Join(t.row(g, id, nulls), ", ")+")")
		}
		text := "INSERT INTO " + t.name + " VALUES " + strings.Join(rows, ", ")
		if _, err := db.ExecContext(ctx, text); err != nil {
			return fmt.Errorf("%s: %w", text, err)
		}
	}
	return nil
}

// row draws the values of a row. A partition has no negative fraction, which
// delta-rs does not read. Some columns follow the id, so that the files
// have ranges of their own.
func (t table) row(g *gen, id, nulls int) []string {
	out := []string{fmt.Sprint(id), fmt.Sprint(g.Intn(20))}
	if g.Intn(12) < nulls {
		out[1] = "NULL"
	}
	for _, c := range t.columns[2:] {
		v := g.literal(c.kind, g.Intn(8) == 0)
		follows := strings.HasSuffix(c.name, "_0") && g.Intn(30) > 0
		switch {
		case c.name == t.parts:
			v.ours = pick(g, map[kind][]string{str: {"'a'", "'b c'", "''", "'ä/%'", "NULL"}, date: {"DATE '2024-01-01'", "DATE '0001-01-01'", "NULL"}, i32: {"1", "-2147483648", "7", "NULL"}, boolean: {"TRUE", "FALSE", "NULL"}, dec5: {"1.50", "999.99", "0", "NULL"}}[c.kind])
		case g.Intn(9) < nulls:
			v.ours = "NULL"
		case follows && slices.Contains([]kind{i16, i32, i64, f64, dec18}, c.kind):
			v.ours = fmt.Sprint(id*3 - 100)
		case follows && c.kind == date:
			v.ours = fmt.Sprintf("date_add(DATE '2024-01-01', %d)", id)
		case follows && (c.kind == ts || c.kind == ntz):
			v.ours = fmt.Sprintf("timestamp_seconds(%d)", 1700000000+id*50000)
		case follows && c.kind == str:
			v.ours = fmt.Sprintf("'%c%d'", 'a'+id%400/16, id)
		}
		out = append(out, v.ours)
	}
	return out
}
