// Package meta reads and writes the metadata of Parquet files: the footer and
// the page headers, in Thrift's compact protocol.
//
// It keeps what a library generated from the schema of the metadata would
// lose: whether an optional count is absent or zero, which decides whether
// statistics may be believed. Sizes in damaged input never cost more memory
// than the input is long.
//
//	footer, err := meta.ParseFileMetaData(b)
//	n, err := meta.ParsePageHeader(b, &header) // n bytes belong to the header
package meta
