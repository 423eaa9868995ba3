package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"log"
	"os"

	"github.com/tarndb/tarn/driver"
)

func main() {
	dir, err := os.MkdirTemp("", "tarn-upsert-")
	if err == nil {
		err = run(context.Background(), os.Stdout, dir)
		_ = os.RemoveAll(dir)
	}
	if err != nil {
		log.Fatal(err)
	}
}

// change is what a queue hands over when an account changes: op is I, U or D, and
// offset the change's place in the queue.
type change struct {
	offset  int64
	op      string
	id      int64
	owner   string
	balance string
}

// queue is three batches of changes, each up to a checkpoint.
var queue = [][]change{
	{{1, "I", 1, "ada", "10.00"}, {2, "I", 2, "bob", "5.50"}, {3, "U", 1, "ada", "12.00"}},
	{{4, "D", 2, "", "0"}, {6, "U", 3, "cleo", "9.00"}, {5, "I", 3, "cleo", "7.25"}, {7, "U", 1, "ada", "12.50"}}, // 5 comes late
	{{8, "I", 2, "bob", "1.00"}, {9, "U", 1, "ada", "0.10"}},
}

// run keeps a table as the queue says, in dir, and prints to out what comes of it.
func run(ctx context.Context, out io.Writer, dir string) error {
	db, err := sql.Open("tarn", dir)
	if err != nil {
		return err
	}
	defer db.Close()
	if _, err := db.ExecContext(ctx, `CREATE TABLE accounts (id BIGINT NOT NULL, owner STRING, balance DECIMAL(10, 2), PRIMARY KEY (id)) USING iceberg`); err != nil {
		return err
	}
	for _, batch := range queue {
		if err := apply(ctx, db, batch); err != nil {
			return err
		}
		fmt.Fprintf(out, "After changes %d to %d", batch[0].offset, batch[len(batch)-1].offset)
		if err := show(ctx, db, out); err != nil {
			return err
		}
	}
	return nil
}

// apply commits a batch of changes, again if another writer came between. What is
// applied twice, because an answer was lost, changes nothing the second time.
func apply(ctx context.Context, db *sql.DB, batch []change) error {
	var rows driver.List
	for _, c := range batch {
		rows = append(rows, driver.Struct{{Name: "seq", Value: c.offset}, {Name: "op", Value: c.op}, {Name: "id", Value: c.id},
			{Name: "owner", Value: c.owner}, {Name: "balance", Value: c.balance}})
	}
	for {
		_, err := db.ExecContext(ctx, `APPLY CHANGES INTO accounts FROM (SELECT * FROM inline(?)) KEYS (id) DELETE WHEN op = 'D' SEQUENCE BY seq`, rows)
		var e *driver.Error
		if errors.As(err, &e) && e.SafeToRetry() {
			continue
		}
		return err
	}
}

// show prints what the table's last snapshot added, and the accounts.
func show(ctx context.Context, db *sql.DB, out io.Writer) error {
	var added, deleted string
	err := db.QueryRowContext(ctx, `SELECT summary['added-records'], summary['added-equality-deletes'] FROM accounts.snapshots
		ORDER BY committed_at DESC LIMIT 1`).Scan(&added, &deleted)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, ", which added rows: %s, keys to delete: %s\n", added, deleted)
	rows, err := db.QueryContext(ctx, `SELECT id, owner, balance FROM accounts ORDER BY id`)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var id int64
		var owner, balance string
		if err := rows.Scan(&id, &owner, &balance); err != nil {
			return err
		}
		fmt.Fprintf(out, "  %d %-5s %6s\n", id, owner, balance)
	}
	return rows.Err()
}
