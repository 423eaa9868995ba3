// Package plan holds logical plans: what a statement means after its names,
// types and parameters were decided, before any row is read. The states of the
// tables are known by then: a Source is one.
//
// A plan is a tree of Nodes. Relational nodes (Scan, Values, Filter, Project,
// Aggregate, Expand, Generate, Window, Join, Sort, Limit, Union, Recursion, Shared) give rows of
// their Schema; expressions in them refer to columns of their input by position.
// A subquery is an Apply until package pushdown makes a Join of it. Command nodes
// (Insert, Delete, Update, Merge, CreateTable, …) change things. Nodes are not
// changed once made: package pushdown builds new ones, and fills the ScanSpec of each
// Scan with the columns, filters and limit hint that the storage is asked for.
//
// Format prints a plan as EXPLAIN shows it.
package plan
