// Package iceberg reads and writes Apache Iceberg tables by the table specification,
// whose section the comments cite.
//
// A Table finds its current metadata file through a Pointer: the numbered files
// of a directory, or what a catalog says. TableMetadata lists the snapshots, each
// with a manifest list, whose ManifestFiles list the ContentFiles: data files and
// delete files. A Snapshot answers scans. Planning drops manifests by their
// partition summaries and files by their partition values and metrics, all of
// which bound the values of columns, so that package prune decides about each in
// the same way. The deleteFileIndex then gives every data file its deletes by
// sequence number and partition: a deletion vector, or position delete files, and
// equality delete files. Columns are found in files by field id.
//
// ContentFile is the spec's data_file, a row of a manifest; ManifestFile its
// manifest_file, a row of a manifest list; SnapshotRecord a snapshot as the metadata
// file has it.
//
// The way of a scan: Snapshot.buildScan (plan, filePruner, deleteFileIndex) gives
// a scan; scan.Open gives a taskReader over package parquet, or avroRows, with
// the deleted positions and, for equality deletes, a keySet.
//
// The way of a change: a deltaWriter writes data files. Files that lose rows are
// written anew (copy-on-write), or get position delete files or deletion vectors
// by a deleteWriter (merge-on-read), as the table's properties say; a keyWriter
// takes rows away by equality deletes. Rows of v3 that are changed or moved go to
// files that say which ids they have. Snapshot.Apply lays what a transaction has
// staged over a snapshot. The committer asks a conflictValidator whether the change
// may follow what was committed meanwhile, has a snapshotProducer write manifests
// and a manifest list, and publishes the metadata file that names them through
// the Pointer: put-if-absent in a directory, compare-and-swap in a catalog.
//
// Supported: format versions 1 to 3, data files in Parquet and Avro, all
// transforms, position deletes, equality deletes, deletion vectors, name mapping
// and defaults, branches and tags. Refused by name: ORC, encryption, GEOMETRY and
// GEOGRAPHY; to write: VARIANT, defaults of new columns.
//
//	table := iceberg.OpenTable(store, "sales/orders", name, iceberg.Options{})
//	snapshot, err := table.LoadLatest(ctx)
//	scan, err := snapshot.NewScan().WithColumns([]string{"id"}).Build(ctx)
package iceberg
