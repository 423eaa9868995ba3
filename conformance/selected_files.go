package conformance

import (
	"context"
	"errors"
	"io"

	"github.com/tarndb/tarn/pushdown"
	"github.com/tarndb/tarn/sql/bind"
	"github.com/tarndb/tarn/sql/parser"
	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/catalog"
	"github.com/tarndb/tarn/txn"
)

// SelectedFiles plans a filtered scan of a table, named as in SQL by its format
// and path, and gives the files that it reads, each with the number of its rows
// for which the predicate is true.
func SelectedFiles(ctx context.Context, table, predicate string) (map[string]int, error) {
	c, err := catalog.Open("memory://", catalog.Options{})
	if err != nil {
		return nil, err
	}
	defer c.Close()
	query := "SELECT * FROM " + table + " WHERE " + predicate
	stmt, err := parser.Parse(query)
	if err != nil {
		return nil, err
	}
	tx := txn.NewManager(c, txn.Options{}).Begin(txn.TxOptions{ReadOnly: true})
	node, err := bind.Statement(ctx, stmt, bind.Options{Catalog: tx, Text: query})
	if err != nil {
		return nil, err
	}
	if node, err = pushdown.Rewrite(node); err != nil {
		return nil, err
	}
	return selectedFiles(ctx, node)
}

func selectedFiles(ctx context.Context, n plan.Node) (map[string]int, error) {
	s, ok := n.(*plan.Scan)
	if !ok {
		for _, c := range n.Children() {
			return selectedFiles(ctx, c) // the query has one scan, below nodes of one input
		}
		return map[string]int{}, nil // the predicate is never true
	}
	b := s.Source.(storage.Scannable).NewScan().WithColumns(s.Spec.Columns)
	if s.Spec.PartitionFilter != nil {
		b = b.WithPartitionFilter(s.Spec.PartitionFilter)
	}
	if s.Spec.DataFilter != nil {
		b = b.WithDataFilter(s.Spec.DataFilter)
	}
	scan, err := b.Build(ctx)
	if err != nil {
		return nil, err
	}
	files := map[string]int{}
	for _, t := range scan.Tasks() {
		rows, err := countRows(ctx, scan, t)
		if err != nil {
			return nil, err
		}
		files[t.File.Path] += rows
	}
	return files, nil
}

func countRows(ctx context.Context, scan storage.Scan, t storage.ScanTask) (rows int, err error) {
	r, err := scan.Open(ctx, t)
	if err != nil {
		return 0, err
	}
	for {
		b, err := r.Next(ctx)
		if err == io.EOF {
			return rows, r.Close()
		}
		if err != nil {
			return 0, errors.Join(err, r.Close())
		}
		rows += b.Rows()
	}
}
