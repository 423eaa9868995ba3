// Package driver is the database/sql driver "tarn". Importing it registers the
// driver; what a program needs beyond database/sql (Config, errors, value
// types, CopyFrom) is exported here.
//
//	import (
//		"database/sql"
//		_ "github.com/tarndb/tarn/driver"
//	)
//
//	db, err := sql.Open("tarn", "./warehouse?threads=4")
//	rows, err := db.QueryContext(ctx, "SELECT city, sum(x) FROM t WHERE day = ? GROUP BY city", day)
//
// CopyFrom writes many rows without SQL. Into scans arrays, maps, structs and
// decimals into Go's types; List, Map, Struct and Time are such values as
// arguments.
//
// A Connector opens the warehouse once and owns what its connections share: the
// store, the tables' snapshots, the cached file footers. A Conn is a session:
// its options and its transaction. A statement outside a transaction is one of
// its own. Every error that leaves the package, but for the context's own, is
// an *Error with an SQLSTATE.
package driver
