// Command upsert keeps an Iceberg table as a queue of changes says: batch by batch,
// each one commit, by APPLY CHANGES. The table has a primary key, so that rows are
// replaced and deleted by their keys, without being read, as Flink's sink does it.
package main
