// Package memtable gives rows in memory the form of a table that can be scanned:
// what formats show of their own metadata.
//
//	source := memtable.New(name, schema, batch)
//	scan, err := source.NewScan().WithColumns([]string{"snapshot_id"}).Build(ctx)
package memtable
