// Package compress holds the compression codecs of Parquet pages, behind two
// functions.
//
//	page, err := compress.Decompress(format.Snappy, buffer, body, size)
//	body, err := compress.Compress(format.Zstd, buffer, page)
//
// It promises that a page gives exactly the bytes that its header says, and
// that a body that unpacks to more costs no memory for the rest. Both functions
// are safe for concurrent use and, once their buffers have grown, take next to
// no memory.
//
// The codecs are those of parquet-go where they can promise that. Its Zstandard
// decoder allocates what a frame asks for, its LZ4 decoder doubles its buffer
// for as long as a damaged block fails, and its Snappy encoder searches about
// twice as long as the one used here for pages hardly smaller; these three are
// called directly. Its pool of stream readers serves GZIP and Brotli behind a
// reader that knows the page's size.
//
// Caps on the sizes that headers may say are left to the caller.
package compress
