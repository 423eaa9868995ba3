package main

import (
	"fmt"
	"io"
)

// propertyRow is a table property that tarn heeds.
type propertyRow struct{ name, example, meaning string }

// propertyRows are the properties by format. A test makes a table with each.
var propertyRows = []struct {
	format     string
	properties []propertyRow
}{
	{"delta", []propertyRow{
		{"delta.enableDeletionVectors", "true", "rows are deleted by deletion vectors, instead of files being written anew"},
		{"delta.appendOnly", "true", "nothing but INSERT is allowed"},
		{"delta.isolationLevel", "Serializable", "of commits, where it is stricter than the transaction's: WriteSerializable, Serializable or SnapshotIsolation"},
		{"delta.columnMapping.mode", "name", "name or id: columns have names of their own in files; names may have blanks"},
		{"delta.parquet.compression.codec", "zstd", "snappy (the default), zstd, gzip, lz4_raw or uncompressed"},
		{"delta.targetFileSize", "64mb", "size at which data files roll"},
		{"delta.checkpointInterval", "20", "commits between checkpoints; 10 without it"},
		{"delta.dataSkippingNumIndexedCols", "8", "how many columns have statistics; 32 without it"},
		{"delta.dataSkippingStatsColumns", "id", "which columns have statistics"},
		{"delta.enableInCommitTimestamps", "true", "the time of a commit is in the log, not the file's"},
		{"delta.randomizeFilePrefixes", "true", "data files lie in random directories"},
		{"tarn.delete.mode", "equality", "a DELETE whose condition only says what keys are equal to deletes by key; its RowsAffected is an error"},
	}},
	{"iceberg", []propertyRow{
		{"format-version", "3", "1, 2 (the default) or 3"},
		{"write.delete.mode", "merge-on-read", "copy-on-write (the default): files that lose rows are written anew; merge-on-read: they get position delete files, or deletion vectors from v3 on. write.update.mode and write.merge.mode say the same of UPDATE and MERGE"},
		{"tarn.delete.mode", "equality", "a DELETE whose condition only says what keys are equal to writes them down as equality deletes, without reading; its RowsAffected is an error"},
		{"write.delete.isolation-level", "serializable", "of commits of DELETE, where it is stricter than the transaction's: snapshot or serializable; write.update.isolation-level and write.merge.isolation-level of UPDATE and MERGE"},
		{"write.format.default", "avro", "parquet (the default) or avro; write.delete.format.default of delete files"},
		{"write.parquet.compression-codec", "snappy", "zstd (the default), snappy, gzip, lz4_raw or uncompressed; write.avro.compression-codec of Avro files"},
		{"write.target-file-size-bytes", "67108864", "size at which data files roll; write.delete.target-file-size-bytes of delete files"},
		{"write.parquet.row-group-size-bytes", "67108864", "size of row groups; write.parquet.page-size-bytes of pages"},
		{"write.delete.granularity", "file", "partition (the default) or file: whether a position delete file is for several data files"},
		{"write.metadata.metrics.default", "full", "none, counts, truncate(16) (the default) or full: what is kept of columns' values; write.metadata.metrics.column.NAME of one"},
		{"write.metadata.compression-codec", "gzip", "none (the default) or gzip, of metadata files"},
		{"write.metadata.delete-after-commit.enabled", "true", "old metadata files are removed, but for write.metadata.previous-versions-max (100) of them"},
		{"commit.manifest-merge.enabled", "false", "whether small manifests are merged, from commit.manifest.min-count-to-merge (100) on, up to commit.manifest.target-size-bytes"},
	}},
}

func writeProperties(w io.Writer) {
	fmt.Fprint(w, "\n## Table properties\n\nTBLPROPERTIES of CREATE TABLE takes them; those of tables that others have made count as well. Further ones of the formats are kept, or refused if they ask for something that tarn does not do.\n")
	for _, f := range propertyRows {
		fmt.Fprintf(w, "\n### In %s tables\n\n| property | as in | |\n|---|---|---|\n", map[string]string{"delta": "Delta", "iceberg": "Iceberg"}[f.format])
		for _, p := range f.properties {
			fmt.Fprintf(w, "| %s | %s | %s |\n", code(p.name), code(p.example), cell(p.meaning))
		}
	}
}
