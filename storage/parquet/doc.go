// Package parquet reads and writes Parquet files as column batches.
//
// # Reading
//
// Open reads the footer; a File is immutable and may be cached and shared. Read
// gives a Reader, which prunes row groups by their statistics and pages by the
// page indexes, reads the columns of the filter first and the others only where
// a row is left, drops deleted rows, and gives dense batches. Columns of dictionary codes come as
// dictionary vectors, one dictionary per column chunk, so that whatever is
// computed of a value is computed once.
//
//	f, err := parquet.Open(ctx, store, "t/part-0.parquet", -1, parquet.OpenOptions{})
//	r, err := f.Read(parquet.ReadOptions{Columns: f.Schema().Fields})
//	for {
//		batch, err := r.Next(ctx) // io.EOF at the end
//	}
//
// The way of a row: Reader.Next begins a row group with nextGroup, which prunes
// it (prune.go, page_index.go) and has fetch get the chunks of the filter's
// columns, or those of their pages that are left. readRows goes batch by batch:
// each column's read takes values of its pages, where advance finds the page
// that has the next rows and open unpacks it, levels first, then openValues by
// their encoding. The other columns are fetched and read once a row is left.
//
// It promises:
//
//  1. Rows are exact: the filter is applied to every row, and a value that the
//     wanted type can't hold is an error.
//  2. Damaged files give a *storage.CorruptTable with path and offset, what is
//     not implemented a *storage.UnsupportedFeature, a missing object
//     storage.ErrDataFileMissing. Sizes are checked before memory is taken and
//     page checksums where they are there.
//  3. A Reader of top-level primitive columns takes no memory per batch once
//     its buffers have grown.
//
// # Schema evolution
//
// A column is read as the table's type where no value can be lost: whole
// numbers as wider ones, as DOUBLE (up to 32 bits) or as DECIMAL; FLOAT as
// DOUBLE; DECIMAL with more digits on either side of the point; DATE as
// TIMESTAMP_NTZ; times and timestamps of any unit, rounded down to the unit of
// the table; INT96 and either kind of UTC adjustment as any timestamp; strings
// and binary as each other; fixed-length bytes as BINARY. An unannotated 32-bit
// column is also read as TINYINT or SMALLINT, and unsigned ones as a type as
// wide as they are, with a check of every value. Columns and fields of structs
// that the file doesn't have are NULL. Anything else is
// storage.ErrSchemaMismatch.
//
// A VARIANT is read from its group, shredded or not, annotated or not.
//
// # Writing
//
// Writer writes what Spark, DuckDB, Arrow and others read: version 1 data
// pages with checksums, dictionaries where they pay, three-level lists and
// maps, statistics with the right order, page indexes, field ids if asked.
//
//	w, err := parquet.NewWriter(out, schema, parquet.WriterOptions{})
//	err = w.Write(batch)
//	stats, rows, err := w.Close()
//
// # Parquet-go
//
// The package is the one door to github.com/parquet-go/parquet-go: its format
// package gives the words of the metadata, its encoding/thrift writes them, its
// codecs pack and unpack pages (internal/meta and internal/compress say where
// they don't and why), and its reader and writer are what tests compare with.
// The page loop and the decoding into vectors are the package's own, and cover
// all encodings that the library has.
//
// The package leaves to others where files are, what they mean for a table and
// how tasks are shared among workers. Encryption and the codec LZO are refused,
// and writing VARIANT.
package parquet
