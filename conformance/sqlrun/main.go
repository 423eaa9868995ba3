package main

import (
	"context"
	"database/sql"
	"fmt"
	"os"

	"github.com/tarndb/tarn/conformance"
	"github.com/tarndb/tarn/sql/parser"
	_ "github.com/tarndb/tarn/storage/catalog/sqlite"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: sqlrun WAREHOUSE SQL")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(warehouse, text string) error {
	db, err := sql.Open("tarn", warehouse)
	if err != nil {
		return err
	}
	defer db.Close()
	statements, err := parser.ParseAll(text)
	if err != nil {
		return err
	}
	for _, s := range statements {
		answer, err := conformance.Query(context.Background(), db, text[s.Start:s.End])
		if err != nil {
			return err
		}
		for _, line := range answer.Lines() {
			fmt.Println(line)
		}
	}
	return nil
}
