package driver_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log"
	"time"

	"github.com/tarndb/tarn/driver"
)

// must ends an example whose call failed.
func must[T any](v T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return v
}

func Example() {
	db := must(sql.Open("tarn", "memory://")) // or a directory: ./warehouse
	defer db.Close()
	must(db.Exec(`CREATE TABLE trips (city STRING, fare DECIMAL(8,2));
		INSERT INTO trips VALUES ('Graz', 9.80), ('Wien', 12.50), ('Graz', 7)`))
	rows := must(db.Query("SELECT city, sum(fare) FROM trips WHERE fare > ? GROUP BY city ORDER BY city", 5))
	defer rows.Close()
	for rows.Next() {
		var city, fares string // decimals arrive as exact text
		if err := rows.Scan(&city, &fares); err != nil {
			log.Fatal(err)
		}
		fmt.Println(city, fares)
	}
	if err := rows.Err(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// Graz 16.80
	// Wien 12.50
}

func ExampleNewConnector() {
	db := sql.OpenDB(driver.NewConnector(driver.Config{Warehouse: "memory://", Timezone: time.FixedZone("CET", 3600)}))
	defer db.Close()
	var at time.Time
	if err := db.QueryRow("SELECT TIMESTAMP '2024-01-02 12:00:00Z'").Scan(&at); err != nil {
		log.Fatal(err)
	}
	fmt.Println(at)
	// Output: 2024-01-02 13:00:00 +0100 CET
}

func ExampleParseDSN() {
	config := must(driver.ParseDSN("./warehouse?threads=4&timezone=Europe/Vienna"))
	config.ReadOnly = true
	fmt.Println(config.FormatDSN())
	_, err := driver.ParseDSN("./warehouse?thread=4")
	fmt.Println(errors.Is(err, driver.ErrConfig))
	// Output:
	// ./warehouse?read_only=true&threads=4&timezone=Europe%2FVienna
	// true
}

func Example_errors() {
	db := must(sql.Open("tarn", "memory://"))
	defer db.Close()
	_, err := db.Exec("CREATE TABLE t (id INT); INSERT INTO t\nSELECT idd FROM t")
	fmt.Println(err)
	if e, ok := errors.AsType[*driver.Error](err); ok {
		fmt.Println(e.SQLState(), e.SafeToRetry())
	}
	if errors.Is(err, driver.ErrColumnNotFound) {
		e, _ := errors.AsType[*driver.BindError](err)
		fmt.Println("at line", e.Line, "column", e.Column)
	}
	// Output:
	// tarn: line 2:8: column not found: idd; did you mean id?
	// 42703 false
	// at line 2 column 8
}

func Example_transaction() {
	db := must(sql.Open("tarn", "memory://"))
	defer db.Close()
	must(db.Exec("CREATE TABLE accounts (id INT, balance INT); INSERT INTO accounts VALUES (1, 100), (2, 0)"))
	tx := must(db.Begin())
	defer tx.Rollback()
	must(tx.Exec("UPDATE accounts SET balance = balance - ? WHERE id = ?", 30, 1))
	must(tx.Exec("UPDATE accounts SET balance = balance + ? WHERE id = ?", 30, 2))
	switch err := tx.Commit(); {
	case errors.Is(err, driver.ErrConflict):
		fmt.Println("another transaction changed the same rows: run it again")
	case err != nil:
		log.Fatal(err)
	}
	var balance int
	if err := db.QueryRow("SELECT balance FROM accounts WHERE id = 2").Scan(&balance); err != nil {
		log.Fatal(err)
	}
	fmt.Println(balance)
	// Output: 30
}

func Example_timeTravel() {
	db := must(sql.Open("tarn", "memory://"))
	defer db.Close()
	must(db.Exec("CREATE TABLE t (id INT); INSERT INTO t VALUES (1); INSERT INTO t VALUES (2)"))
	var then, now int
	if err := db.QueryRow("SELECT count(*) FROM t VERSION AS OF 1").Scan(&then); err != nil {
		log.Fatal(err)
	}
	if err := db.QueryRow("SELECT count(*) FROM t").Scan(&now); err != nil {
		log.Fatal(err)
	}
	fmt.Println(then, now)
	// Output: 1 2
}

func ExampleCopyFrom() {
	ctx := context.Background()
	db := must(sql.Open("tarn", "memory://"))
	defer db.Close()
	must(db.Exec("CREATE TABLE events (id BIGINT, at TIMESTAMP, tags ARRAY<STRING>)"))
	conn := must(db.Conn(ctx))
	defer conn.Close()
	id := 0
	rows := driver.CopyFromFunc(func() ([]any, error) {
		if id == 10_000 {
			return nil, nil
		}
		id++
		return []any{id, time.Unix(int64(id), 0), driver.List{"go"}}, nil
	})
	fmt.Println(driver.CopyFrom(ctx, conn, "events", []string{"id", "at", "tags"}, rows))
	// Output: 10000 <nil>
}

func ExampleInto() {
	db := must(sql.Open("tarn", "memory://"))
	defer db.Close()
	var tags []string
	var prices map[string]float64
	var place struct {
		City string
		Zip  int `tarn:"postal_code"`
	}
	err := db.QueryRow("SELECT array('a', 'b'), map('small', 1.5), named_struct('city', 'Graz', 'postal_code', 8010)").
		Scan(driver.Into(&tags), driver.Into(&prices), driver.Into(&place))
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(tags, prices, place.City, place.Zip)
	// Output: [a b] map[small:1.5] Graz 8010
}
