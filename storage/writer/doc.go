// Package writer turns batches of rows into data files, whatever the table's
// format. A RollingFileWriter writes one file after the other, each up to the
// target size. A FanoutWriter routes rows to one RollingFileWriter per partition
// tuple, kept in a google/btree map by the tuple's key, so that files come out
// in the order of their partitions.
//
// An EqualityDeltaWriter also takes rows away by key: those that it has written
// itself by their positions, which a google/btree map from key to PathOffset
// knows, older ones by equality delete files, which another FanoutWriter writes,
// or by reading the keys of the table (Keys.Find), as the format wants it. It
// leaves it to the format to make delete files of positions.
//
// Where a file goes, and what its columns are called in it, is the format's
// affair: it hands over a schema and a function that names files. Nothing that
// is written here is visible to readers until the format commits it.
package writer
