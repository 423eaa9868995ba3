// Package pushdown moves work towards the storage. Rewrite takes a plan from
// the binder and gives an equivalent one in which
//
//   - subqueries are joins (Decorrelate);
//   - filters stand as close to the scans as joins, aggregates and windows allow, and
//     equalities between the two sides of a join are its keys (SplitFilters);
//   - each Scan's ScanSpec says which filter selects partitions, which one the
//     storage applies to rows, and what is left over as the residual: a conjunct
//     that reads partition columns only and is applied Exactly is a partition
//     filter; one that is applied Exactly or Inexactly is a data filter; one that
//     is Inexact or Unsupported stays in the residual;
//   - what is known to give no rows is left out (RemoveEmpty);
//   - inner joins stand in the order that the tables' row counts and bounds let
//     appear the cheapest (OrderJoins);
//   - scans read only the columns that something above them needs (PruneColumns);
//   - joins that drop left rows without a match tell the scans on their left, while
//     the statement runs, which keys they have met on their right (DynamicFilters);
//   - a scan under a Limit knows how many rows are enough (LimitHint). The Limit
//     itself always stays.
//
// It knows no table format: it asks storage.Scannable.
package pushdown
