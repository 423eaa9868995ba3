package main

import (
	"fmt"
	"path/filepath"
	"strings"
)

// config is a kind of table.
type config struct {
	format     string
	properties string // of TBLPROPERTIES
	partition  string // of PARTITIONED BY; empty for none
	// hasKey tells that the table has a primary key, so that no part of it is NULL.
	hasKey    bool
	inCatalog bool // of SQLite
	fileSize  string
}

// String tells the kind.
func (c config) String() string {
	parts := []string{c.format, c.properties}
	for _, p := range []struct {
		is   bool
		text string
	}{{c.partition != "", "partitioned by " + c.partition}, {c.hasKey, "primary key"}, {c.inCatalog, "in a catalog"}} {
		if p.is {
			parts = append(parts, p.text)
		}
	}
	return strings.Join(parts, ", ")
}

// create is the statement that makes the table.
func (c config) create() string {
	notNull, primary := "", ""
	if c.hasKey {
		notNull, primary = " NOT NULL", ", PRIMARY KEY (a, b)"
	}
	text := fmt.Sprintf("CREATE TABLE t (a INT%s, b STRING%s, v BIGINT, s STRING, day DATE%s) USING %s", notNull, notNull, primary, c.format)
	if c.partition != "" {
		text += " PARTITIONED BY (" + c.partition + ")"
	}
	return text + " TBLPROPERTIES (" + c.properties + ")"
}

// dsn opens the warehouse in a directory.
func (c config) dsn(dir string) string {
	dsn := dir + "?target_file_size=" + c.fileSize
	if c.inCatalog {
		dsn += "&catalog=sqlite:" + filepath.Join(dir, "catalog.db")
	}
	return dsn
}

// keyTexts are the second parts of keys.
func (c config) keyTexts() []string {
	out := []string{"'x'", "'y'", "'ü ?%/''q'", "'zz'"}
	if !c.hasKey {
		out = append(out, null)
	}
	return out
}

// configs are all kinds, so ordered that a few of them already differ in much.
func configs() []config {
	var delta, iceberg []config
	for i, partition := range []string{"", "b", "day"} {
		for _, vectors := range []string{"false", "true"} {
			delta = append(delta, config{format: "delta", properties: "'delta.enableDeletionVectors' = '" + vectors + "'", partition: partition, fileSize: sizes[i%len(sizes)]})
		}
	}
	modes := []string{"", ", 'write.delete.mode' = 'merge-on-read', 'write.update.mode' = 'merge-on-read', 'write.merge.mode' = 'merge-on-read'", ", 'tarn.delete.mode' = 'equality'"}
	n := 0
	for _, partition := range []string{"", "bucket(3, a), b", "month(day)", "b, truncate(10, a)"} {
		for m, mode := range modes {
			for version := 1; version <= 3; version++ {
				if version == 1 && m > 0 {
					continue // version 1 has no delete files
				}
				n++
				iceberg = append(iceberg, config{format: "iceberg", properties: fmt.Sprintf("'format-version' = '%d'%s", version, mode), partition: partition,
					hasKey: m == 2, inCatalog: n%3 == 0, fileSize: sizes[n%len(sizes)]})
			}
		}
	}
	return interleave(delta, iceberg)
}

// sizes are those at which data files roll.
var sizes = []string{"128MiB", "1KiB"}

// interleave gives the shorter list's elements among the longer's.
func interleave(short, long []config) []config {
	var out []config
	for i, c := range long {
		if out = append(out, c); i%3 == 0 && i/3 < len(short) {
			out = append(out, short[i/3])
		}
	}
	return out
}
