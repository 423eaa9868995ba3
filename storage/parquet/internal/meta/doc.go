// Package meta reads and writes the metadata of Parquet files: the footer, the
// page headers and the page indexes, in Thrift's compact protocol.
//
// Its words are those of parquet-go's package format: types, encodings, codecs,
// page locations, column indexes. Writing goes through parquet-go's
// encoding/thrift, with format's structs except on the way from the footer down
// to the statistics, where those can't say that bounds are exact.
//
// Reading is its own, for what those packages lose or risk:
//
//   - An absent null count reads as zero in format.Statistics, which would let
//     statistics be believed that say nothing; so do absent levels and offsets.
//   - Exactness of bounds and unknown column orders are not there.
//   - A damaged list length is allocated before its elements are read. Here
//     sizes in damaged input never cost more memory than the input is long.
//   - A page header is read without allocating; page statistics, which nobody
//     needs, are skipped.
//
// An example:
//
//	footer, err := meta.ParseFileMetaData(b)
//	n, err := meta.ParsePageHeader(b, &header) // n bytes belong to the header
//	b, err = meta.Append(b, &format.PageHeader{Type: format.DataPage})
package meta
