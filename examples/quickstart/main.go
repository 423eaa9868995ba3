package main

import (
	"context"
	"database/sql"
	"embed"
	"fmt"
	"io"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"strings"

	_ "github.com/tarndb/tarn/driver"
)

// A Delta table that Spark wrote, a directory per day; testdata/make.sql is how.
//
//go:embed all:testdata/trips
var sparkTable embed.FS

func main() {
	dir, err := os.MkdirTemp("", "tarn-quickstart-")
	if err == nil {
		err = run(context.Background(), os.Stdout, dir)
		_ = os.RemoveAll(dir)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// run plays the tour in dir and prints it to out.
func run(ctx context.Context, out io.Writer, dir string) error {
	trips, err := fs.Sub(sparkTable, "testdata/trips")
	if err != nil {
		return err
	}
	if err := os.CopyFS(filepath.Join(dir, "trips"), trips); err != nil {
		return err
	}
	db, err := sql.Open("tarn", dir) // a directory of tables is a database
	if err != nil {
		return err
	}
	defer db.Close()
	t := &tour{ctx: ctx, out: out}

	t.say("tarn reads and changes lakehouse tables from Go through database/sql. Everything below is in " + dir + ".")
	t.title("1. trips is a Delta table that Spark wrote, a directory per day. Files that can't match are never opened:")
	t.show(db, "EXPLAIN ANALYZE SELECT city, fare FROM trips WHERE day = DATE '2024-01-02' AND distance_km > 16")
	t.show(db, "SELECT city, count(*) AS trips, sum(fare) AS total FROM trips GROUP BY city ORDER BY total DESC")

	t.title("2. stock is a table of our own. Each statement outside a transaction is a commit; one transaction is one commit:")
	t.exec(db, "CREATE TABLE stock (item STRING, qty INT)")
	t.exec(db, "INSERT INTO stock VALUES ('apple', 5), ('pear', 3)")
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback() // does nothing after Commit
	t.say("> BEGIN")
	t.exec(tx, "INSERT INTO stock VALUES ('plum', 7)")
	t.exec(tx, "MERGE INTO stock s USING (VALUES ('apple', 10), ('fig', 1)) n(item, qty) ON s.item = n.item\n"+
		"    WHEN MATCHED THEN UPDATE SET qty = s.qty + n.qty\n    WHEN NOT MATCHED THEN INSERT *")
	t.exec(tx, "DELETE FROM stock WHERE item = ?", "pear")
	const all = "SELECT item, qty FROM stock ORDER BY item"
	t.say("> " + all)
	t.say("  inside the transaction:         " + t.line(tx, all))
	t.say("  another connection, meanwhile:  " + t.line(db, all))
	if err := tx.Commit(); err != nil {
		return err
	}
	t.say("> COMMIT")
	t.say("  another connection, afterwards: " + t.line(db, all))

	t.title("3. Every commit made a version, and each can still be read:")
	for version, made := range []string{"CREATE TABLE", "the first INSERT", "the transaction"} {
		q := fmt.Sprintf("SELECT item, qty FROM stock VERSION AS OF %d ORDER BY item", version)
		rows := t.line(db, q)
		if rows == "" {
			rows = "(no rows)"
		}
		t.say(fmt.Sprintf("> %s   -- made by %s\n  %s", q, made, rows))
	}
	t.say("\nTo go back is one more version, made of an old one:")
	t.exec(db, "INSERT OVERWRITE stock SELECT * FROM stock VERSION AS OF 1")
	t.say("> " + all + "\n  " + t.line(db, all))
	t.say("\nstock is a Delta table in the directory stock: Spark, DuckDB and delta-rs read it as it is. The tour removes its directory.")
	return t.err
}

// tour prints statements with their answers. After an error it does nothing.
type tour struct {
	ctx context.Context
	out io.Writer
	err error
}

// querier is what *sql.DB and *sql.Tx have in common.
type querier interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

func (t *tour) title(s string) { t.say("\n" + s) }

func (t *tour) say(s string) {
	if t.err == nil {
		_, t.err = fmt.Fprintln(t.out, s)
	}
}

// exec runs a statement and prints how many rows it changed.
func (t *tour) exec(q querier, query string, args ...any) {
	if t.err != nil {
		return
	}
	r, err := q.ExecContext(t.ctx, query, args...)
	if err != nil {
		t.err = fmt.Errorf("%s: %w", query, err)
		return
	}
	n, err := r.RowsAffected()
	if err != nil {
		t.err = err
		return
	}
	text := strings.ReplaceAll(query, "?", fmt.Sprintf("'%v'", append(args, "")[0]))
	t.say(fmt.Sprintf("> %s\n  -> rows changed: %d", text, n))
}

// show prints a query and its rows.
func (t *tour) show(q querier, query string) {
	t.say("> " + query)
	for _, row := range t.rows(q, query) {
		t.say("  " + strings.Join(row, "  "))
	}
}

// line gives the rows of a query on one line.
func (t *tour) line(q querier, query string) string {
	var parts []string
	for _, row := range t.rows(q, query) {
		parts = append(parts, strings.Join(row, " "))
	}
	return strings.Join(parts, ", ")
}

// rows reads a query's rows as text.
func (t *tour) rows(q querier, query string) [][]string {
	if t.err != nil {
		return nil
	}
	out, err := readRows(t.ctx, q, query)
	if err != nil {
		t.err = fmt.Errorf("%s: %w", query, err)
	}
	return out
}

func readRows(ctx context.Context, q querier, query string) ([][]string, error) {
	rows, err := q.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	var out [][]string
	for rows.Next() {
		row := make([]string, len(columns))
		into := make([]any, len(columns))
		for i := range row {
			into[i] = &row[i]
		}
		if err := rows.Scan(into...); err != nil {
			return nil, err
		}
		out = append(out, row)
	}
	return out, rows.Err()
}
