// Package compress holds the compression codecs of Parquet pages, behind two
// functions that check sizes before they write.
//
//	page, err := compress.Decompress(meta.Snappy, buffer, body, size)
package compress

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"

	"github.com/tarndb/tarn/storage/parquet/internal/meta"
)

// ErrUnsupported is a codec that this package doesn't have.
var ErrUnsupported = errors.New("unsupported codec")

var errSize = errors.New("page has another size than its header says")

// Slack is how many bytes may be read, not used, after a decompressed page:
// kernels work on whole words.
const Slack = 64

// Decompress unpacks src, which must give exactly size bytes, into dst[:0] or,
// if its capacity is short of size+Slack, into new memory. The result has
// Slack bytes of capacity left.
func Decompress(codec meta.Codec, dst, src []byte, size int) ([]byte, error) {
	if cap(dst) < size+Slack {
		dst = make([]byte, size+size/8+Slack)
	}
	dst = dst[:size]
	if size == 0 { // some writers compress nothing to nothing
		return dst, nil
	}
	n, err := decompressInto(codec, dst, src)
	if err == nil && n != size {
		err = errSize
	}
	return dst, err
}

func decompressInto(codec meta.Codec, dst, src []byte) (int, error) {
	switch codec {
	case meta.Uncompressed:
		if len(src) != len(dst) {
			return 0, errSize
		}
		return copy(dst, src), nil
	case meta.Snappy:
		return decompressSnappy(dst, src)
	case meta.Zstd:
		return decompressZstd(dst, src)
	case meta.Gzip:
		return decompressGzip(dst, src)
	case meta.LZ4Raw:
		return lz4.UncompressBlock(src, dst)
	case meta.LZ4:
		return decompressHadoop(dst, src)
	case meta.Brotli:
		return readFull(brotli.NewReader(bytes.NewReader(src)), dst)
	}
	return 0, fmt.Errorf("%w %d", ErrUnsupported, codec)
}

func decompressSnappy(dst, src []byte) (int, error) {
	n, err := snappy.DecodedLen(src)
	if err != nil {
		return 0, err
	}
	if n != len(dst) {
		return 0, errSize
	}
	_, err = snappy.Decode(dst, src)
	return n, err
}

// zstdDecoder is shared: DecodeAll is safe for concurrent use.
var zstdDecoder = sync.OnceValues(func() (*zstd.Decoder, error) {
	return zstd.NewReader(nil, zstd.WithDecoderConcurrency(0), zstd.WithDecoderMaxMemory(1<<32), zstd.WithDecodeAllCapLimit(true))
})

func decompressZstd(dst, src []byte) (int, error) {
	dec, err := zstdDecoder()
	if err != nil {
		return 0, err
	}
	out, err := dec.DecodeAll(src, dst[:0:len(dst)])
	return len(out), err
}

var gzipReaders = sync.Pool{New: func() any { return new(gzip.Reader) }}

func decompressGzip(dst, src []byte) (int, error) {
	r := gzipReaders.Get().(*gzip.Reader)
	defer gzipReaders.Put(r)
	if err := r.Reset(bytes.NewReader(src)); err != nil {
		return 0, err
	}
	return readFull(r, dst)
}

// readFull fills dst and checks that nothing more comes.
func readFull(r io.Reader, dst []byte) (int, error) {
	n, err := io.ReadFull(r, dst)
	if err != nil {
		return n, err
	}
	var more [1]byte
	if k, err := io.ReadFull(r, more[:]); k != 0 || err != io.EOF {
		if err == nil || k != 0 {
			err = errSize
		}
		return n, err
	}
	return n, nil
}

// decompressHadoop reads the deprecated LZ4 codec: a sequence of blocks, each
// after its size unpacked and its size packed, both big-endian. Some writers
// left that framing out, so a body that doesn't fit it is taken as one block.
func decompressHadoop(dst, src []byte) (int, error) {
	total, rest := 0, src
	for len(rest) > 0 {
		if len(rest) < 8 {
			return lz4.UncompressBlock(src, dst)
		}
		unpacked, packed := int64(binary.BigEndian.Uint32(rest)), int64(binary.BigEndian.Uint32(rest[4:]))
		if packed > int64(len(rest)-8) || unpacked > int64(len(dst)-total) {
			return lz4.UncompressBlock(src, dst)
		}
		n, err := lz4.UncompressBlock(rest[8:8+packed], dst[total:total+int(unpacked)])
		if err != nil || int64(n) != unpacked {
			return lz4.UncompressBlock(src, dst)
		}
		total += n
		rest = rest[8+packed:]
	}
	return total, nil
}

var zstdEncoder = sync.OnceValues(func() (*zstd.Encoder, error) {
	return zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1))
})

var gzipWriters = sync.Pool{New: func() any { return gzip.NewWriter(io.Discard) }}

// Compress appends src, packed, to dst.
func Compress(codec meta.Codec, dst, src []byte) ([]byte, error) {
	switch codec {
	case meta.Uncompressed:
		return append(dst, src...), nil
	case meta.Snappy:
		// s2's Snappy encoder is about twice as fast as package snappy's, which
		// looks for better matches.
		return appendBlock(dst, snappy.MaxEncodedLen(len(src)), func(room []byte) (int, error) {
			return len(s2.EncodeSnappy(room, src)), nil
		})
	case meta.Zstd:
		enc, err := zstdEncoder()
		if err != nil {
			return dst, err
		}
		return enc.EncodeAll(src, dst), nil
	case meta.LZ4Raw:
		return appendBlock(dst, lz4.CompressBlockBound(len(src)), func(room []byte) (int, error) {
			var c lz4.Compressor
			return c.CompressBlock(src, room)
		})
	case meta.Gzip:
		w := gzipWriters.Get().(*gzip.Writer)
		defer gzipWriters.Put(w)
		out := bytes.NewBuffer(dst)
		w.Reset(out)
		if _, err := w.Write(src); err != nil {
			return dst, err
		}
		err := w.Close()
		return out.Bytes(), err
	}
	return dst, fmt.Errorf("%w %d", ErrUnsupported, codec)
}

// appendBlock lets pack write up to bound bytes after dst.
func appendBlock(dst []byte, bound int, pack func(room []byte) (int, error)) ([]byte, error) {
	if cap(dst)-len(dst) < bound {
		grown := make([]byte, len(dst), 2*cap(dst)+bound)
		copy(grown, dst)
		dst = grown
	}
	n, err := pack(dst[len(dst) : len(dst)+bound])
	return dst[:len(dst)+n], err
}
