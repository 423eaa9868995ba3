// Package txn holds transactions over tables of package storage.
//
// A Tx takes a Snapshot of each table at first touch, which reads the table's
// log. What it writes is staged: data files that exist but that no table state
// names. Reading a table gives its snapshot with the staged change applied.
// Commit publishes the change of the one table written to by the commit loop,
// which drives a storage.Committer:
//
//	refresh to the head -> Check -> Prepare -> Publish
//
// A lost race goes round again; an answer that was lost is looked up; any error
// but storage.ErrCommitUnknown means that nothing was committed, and then the
// staged files are removed, as they are by Rollback. DROP TABLE removes files
// at Commit and can stop half-way.
//
// A Tx implements plan.Catalog for the binder and exec.Tx for the executor. It
// is used by one goroutine at a time. The Manager, which the connections of a
// Connector share, may be used by many.
package txn
