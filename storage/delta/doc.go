// Package delta reads and writes Delta Lake tables by the Delta Transaction Log
// Protocol, whose section names the comments cite.
//
// A Table finds the states of one table: a LogSegment is the part of the log
// that a version is made of, its replay gives an immutable Snapshot, and a
// newer version costs no more than its new commits, as snapshots share their
// files in a copy-on-write tree. A Snapshot answers scans, which skip files by
// partition values exactly and by statistics as far as those are certain, and
// leave out the rows of deletion vectors. A DeltaWriter writes data files; files
// that lose rows get a deletion vector where the table has those enabled and are
// written anew, copy-on-write, elsewhere. The Committer checks a change against
// what was committed meanwhile and publishes it as the next commit file,
// put-if-absent.
//
// Supported to read: reader versions 1 to 3 with columnMapping,
// deletionVectors, timestampNtz, typeWidening, v2Checkpoint,
// vacuumProtocolCheck, variantType and variantShredding; any other reader feature
// is refused by name. Features that only writers must know never stop a read; those that a write would have to serve and that this
// package does not are refused by name before anything is written.
//
// A timestamp partition value without a zone means UTC, as nothing says which
// zone its writer was in.
//
//	table := delta.OpenTable(store, "sales/orders", name, delta.Options{})
//	snapshot, err := table.LoadLatest(ctx)
//	scan, err := snapshot.NewScan().WithColumns([]string{"id"}).Build(ctx)
package delta
