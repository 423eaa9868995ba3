package conformance

import (
	"context"
	"sort"

	"github.com/tarndb/tarn/pushdown"
	"github.com/tarndb/tarn/sql/bind"
	"github.com/tarndb/tarn/sql/parser"
	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/catalog"
	"github.com/tarndb/tarn/txn"
)

// SelectedFiles plans a filtered scan of the Delta table in a directory and
// gives the files that it would read.
func SelectedFiles(ctx context.Context, dir, predicate string) ([]string, error) {
	c, err := catalog.Open(dir, catalog.Options{})
	if err != nil {
		return nil, err
	}
	defer c.Close()
	query := "SELECT * FROM delta.`" + dir + "` WHERE " + predicate
	stmt, err := parser.Parse(query)
	if err != nil {
		return nil, err
	}
	tx := txn.NewManager(c, txn.Options{}).Begin(txn.TxOptions{ReadOnly: true})
	node, err := bind.Statement(ctx, stmt, bind.Options{Catalog: tx, Text: query})
	if err != nil {
		return nil, err
	}
	return selectedFiles(ctx, pushdown.Rewrite(node))
}

func selectedFiles(ctx context.Context, n plan.Node) ([]string, error) {
	s, ok := n.(*plan.Scan)
	if !ok {
		var files []string
		for _, c := range n.Children() {
			more, err := selectedFiles(ctx, c)
			if err != nil {
				return nil, err
			}
			files = append(files, more...)
		}
		return files, nil
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
	seen := map[string]bool{}
	var files []string
	for _, t := range scan.Tasks() {
		if !seen[t.File.Path] {
			seen[t.File.Path] = true
			files = append(files, t.File.Path)
		}
	}
	sort.Strings(files)
	return files, nil
}
