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
// A time.Time as an argument is both an instant and what its clock shows, and the
// place where it is used takes one of them: a DATE, a TIMESTAMP_NTZ and a
// TIMESTAMP_NTZ(9) the clock in the time's own location, a TIMESTAMP and a
// TIMESTAMP(9) the instant, each as many digits of a second as it has. The place
// is what the time is stored in or compared with, also from within lists, maps
// and structs, and through subqueries, VALUES and functions that pass it on;
// beside a DATE a time that is not midnight is a TIMESTAMP_NTZ. Where nothing
// asks for a clock it is a TIMESTAMP. One that is asked for both, as by
// SELECT v, v FROM (SELECT ? v) into a DATE and a TIMESTAMP, is an error unless
// the clock is the session's; CAST(? AS DATE) says what is meant. CopyFrom and
// arguments follow the same rule.
//
// A Connector opens the warehouse once and owns what its connections share: the
// store, the tables' snapshots, the cached file footers. A Conn is a session:
// its options and its transaction. A statement outside a transaction is one of
// its own. Every error that leaves the package, but for the context's own, is
// an *Error with an SQLSTATE.
package driver
