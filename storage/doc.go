// Package storage is the contract between tarn's engine and the table formats.
//
// A Catalog finds tables. A Table gives immutable Snapshots, writers for new
// data and the Committer that publishes a change. A Snapshot answers scans: a
// ScanBuilder is refined with columns, filters and a limit hint and then built
// into a Scan, whose ScanTasks are files, or parts of files, that workers open
// and read as batches. A change is a RowDelta: files added and removed, and
// what was read to decide on it. A delta is a change in all names of this package
// and of those below it, such as DeltaWriter, whatever the table's format is.
//
// Everything above this package (pushdown, exec, txn) uses only these types
// and never names a format; everything that is particular to a format lives in
// storage/delta and its like. Reading one table goes like this:
//
//	snapshot, err := table.LoadLatest(ctx)
//	scan, err := snapshot.NewScan().WithColumns([]string{"city"}).Build(ctx)
//	for _, task := range scan.Tasks() {
//		reader, err := scan.Open(ctx, task)
//		for {
//			batch, err := reader.Next(ctx) // io.EOF at the end
//		}
//	}
package storage
