// Package exec runs plans: vectorised operators over column batches.
//
// Run builds operators for a plan and gives a Result. A node that can run in
// parallel becomes several operators, one per worker, that share its input: the
// operators of a Scan take tasks from one queue. A node that must see all rows
// (Aggregate, Sort, Window, the build side of a Join) drains its input's operators in a
// goroutine each and gives one operator, or several that share what is left to do:
// those of an Aggregate take partitions of its groups in turn. What reaches the
// client is gathered into one stream.
//
// Run builds the storage's scans, which is where files are chosen by partition
// values and statistics, and runs commands to their end. A query does not read a
// row until Result.Next, which starts the workers: those that gather rows from
// several operators, and those that drain an input before the first row can be
// given. A join drains its right input before its left one, so that the scans on
// the left begin with the filters that it gives them (dynamicFilter).
//
// A batch that an operator gives is valid until its next call. Whoever keeps
// rows longer copies them with a vector.Collector.
//
// What operators keep is accounted for in a Budget, which the statements of a
// connector share. Where it refuses more they use temporary files: a sort merges
// runs, a join and an aggregate go through partitions of their keys, a window
// through a few of its partitions at a time.
//
// exec knows no table format and no transaction: it declares the few methods
// that it needs of one (Tx), and hands changes over as batches, writers of
// package storage, and a storage.RowDelta.
package exec
