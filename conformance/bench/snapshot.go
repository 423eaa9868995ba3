package main

import (
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
)

// snapshots are the workloads that open a table, by its name.
var snapshots = map[string]string{"snap_load_json": "wide_json", "snap_load_cp": "wide_cp"}

// loadSnapshot opens the newest state of a table with nothing cached; its answer
// is a row with the number of files.
func loadSnapshot(b *bench, r request, a *answer) error {
	path, err := b.tablePath(r.Format, snapshots[r.Query])
	if err != nil {
		return err
	}
	var files int
	err = a.timed(func() error {
		db, err := b.openNew(filepath.Dir(path))
		if err != nil {
			return err
		}
		files, err = countFiles(db, filepath.Base(path))
		return errors.Join(err, db.Close())
	})
	a.Rows, a.Checksum = 1, fmt.Sprintf("n1:%d", files)
	return err
}

// countFiles takes the number of a table's files from EXPLAIN.
func countFiles(db *sql.DB, table string) (int, error) {
	rows, err := db.Query("EXPLAIN SELECT * FROM " + table)
	if err != nil {
		return 0, err
	}
	defer rows.Close()
	files := -1
	for rows.Next() {
		var line string
		if err := rows.Scan(&line); err != nil {
			return 0, err
		}
		var selected, all int
		if n, _ := fmt.Sscanf(line, " files: %d of %d selected", &selected, &all); n == 2 {
			files = selected
		}
	}
	if files < 0 {
		err = errors.New("EXPLAIN tells no number of files")
	}
	return files, errors.Join(err, rows.Err())
}
