package main

import (
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
)

// writes are the workloads that change a fresh table.
var writes = map[string]workload{
	"append_1x200": writing("", appendRows),
	"insert_1m":    writing("", insertFrom("stage_1m", "INSERT INTO %s SELECT * FROM %s")),
	"delete_1pct":  writing("base_1m", statement("DELETE FROM %s WHERE id %% 100 = 7")),
	"merge_10k": writing("base_1m", insertFrom("merge_src",
		"MERGE INTO %s AS t USING %s AS s ON t.id = s.id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *")),
	"optimize_200": writing("small_200", statement("OPTIMIZE %s")),
}

// change writes to the table name, in the warehouse that db is.
type change func(b *bench, r request, a *answer, db *sql.DB, name string) error

// writing makes a workload of a change: the table is a copy of the template, or
// empty without one. That is not timed.
func writing(template string, do change) workload {
	return func(b *bench, r request, a *answer) error {
		dir := filepath.Join(b.dir, "tmp")
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
		db, err := b.warehouse(dir)
		if err != nil {
			return err
		}
		b.written++
		name := fmt.Sprintf("tarn_%d_%s_%d", os.Getpid(), r.Query, b.written)
		target := filepath.Join(dir, name)
		if template == "" {
			_, err = db.Exec(fmt.Sprintf("CREATE TABLE %s (id BIGINT, k2 BIGINT, v DOUBLE, s STRING, d DATE)", name))
		} else {
			var from string
			if from, err = b.tablePath(r.Format, template); err == nil {
				err = os.CopyFS(target, os.DirFS(from))
			}
		}
		if err == nil {
			err = do(b, r, a, db, name)
		}
		if err != nil {
			_ = os.RemoveAll(target)
			return err
		}
		a.Target, err = filepath.Abs(target)
		return err
	}
}

// statement is a change by one statement about the table.
func statement(format string) change {
	return func(_ *bench, _ request, a *answer, db *sql.DB, name string) error {
		return a.timed(func() error { _, err := db.Exec(fmt.Sprintf(format, name)); return err })
	}
}

// insertFrom is a change by one statement about the table and another one.
func insertFrom(source, format string) change {
	return func(b *bench, r request, a *answer, db *sql.DB, name string) error {
		from, err := b.tablePath(r.Format, source)
		if err != nil {
			return err
		}
		return a.timed(func() error { _, err := db.Exec(fmt.Sprintf(format, name, "delta.`"+from+"`")); return err })
	}
}

// appendRows commits rows one by one.
func appendRows(_ *bench, _ request, a *answer, db *sql.DB, name string) error {
	a.Ops = 200
	insert := fmt.Sprintf("INSERT INTO %s VALUES (?, ?, 0.5, ?, DATE '2024-01-01')", name)
	return a.timed(func() error {
		for i := range a.Ops {
			if _, err := db.Exec(insert, i, i, fmt.Sprint("row-", i)); err != nil {
				return err
			}
		}
		return nil
	})
}
