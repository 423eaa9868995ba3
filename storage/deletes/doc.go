// Package deletes says which rows of a data file are deleted: PositionSet, a
// compressed set of row positions, and the deletion-vector blob in which Delta
// Lake and Iceberg v3 keep one.
//
// A PositionSet that no longer changes may be read by several goroutines. A
// Cursor walks one in step with a reader and drops the deleted rows from a
// batch in time linear in the batch.
//
// The layout of a blob, which both formats share:
//
//	vector:  magic 1681511377 (4 bytes, little-endian)
//	         64-bit Roaring bitmap in the portable format:
//	           number of buckets (8 bytes, little-endian)
//	           per bucket, ascending: key, the high 32 bits (4 bytes,
//	           little-endian), then a 32-bit Roaring bitmap
//	framed:  size of the vector (4 bytes, big-endian), vector,
//	         CRC-32 of the vector (4 bytes, big-endian)
//
// An inline vector of a Delta log is the bare vector; a Delta deletion-vector
// file holds a version byte and then framed vectors; an Iceberg Puffin blob of
// type deletion-vector-v1 is one framed vector. Damaged bytes give an error
// that wraps storage.ErrCorrupt. Finding the blob is left to the formats.
//
//	rows, err := deletes.ParseFramed(blob)
//	cursor := rows.Cursor()
//	keep := cursor.Keep(0, 2048, nil) // the rows of the first batch that stay
package deletes
