package compress

import (
	"encoding/binary"
	"errors"
	"fmt"
	"sync"

	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/compress"
	"github.com/parquet-go/parquet-go/compress/gzip"
	lz4raw "github.com/parquet-go/parquet-go/compress/lz4"
	"github.com/parquet-go/parquet-go/compress/snappy"
	"github.com/parquet-go/parquet-go/compress/uncompressed"
	pagezstd "github.com/parquet-go/parquet-go/compress/zstd"
	"github.com/parquet-go/parquet-go/format"
	"github.com/pierrec/lz4/v4"
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
func Decompress(codec format.CompressionCodec, dst, src []byte, size int) ([]byte, error) {
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

func decompressInto(codec format.CompressionCodec, dst, src []byte) (int, error) {
	switch codec {
	case format.Uncompressed:
		if len(src) != len(dst) {
			return 0, errSize
		}
		return copy(dst, src), nil
	case format.Snappy:
		return decompressSnappy(dst, src)
	case format.Zstd:
		return decompressZstd(dst, src)
	case format.Gzip:
		return gzipPages.decompress(dst, src)
	case format.Brotli:
		return brotliPages.decompress(dst, src)
	case format.Lz4Raw:
		return lz4.UncompressBlock(src, dst)
	case format.Lz4:
		return decompressHadoop(dst, src)
	}
	return 0, fmt.Errorf("%w %v", ErrUnsupported, codec)
}

var snappyPages snappy.Codec

// decompressSnappy looks at the length in front of the block (Snappy format
// description, 1), by which the decoder would allocate.
func decompressSnappy(dst, src []byte) (int, error) {
	if n, _ := binary.Uvarint(src); n != uint64(len(dst)) {
		return 0, errSize
	}
	out, err := snappyPages.Decode(dst, src)
	return len(out), err
}

// zstdDecoder is shared: DecodeAll is safe for concurrent use. It keeps to the
// capacity that it is given, whatever size a frame claims.
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

// encoders are the codecs that pages are written with, but for Snappy.
var encoders = map[format.CompressionCodec]compress.Codec{
	format.Uncompressed: new(uncompressed.Codec),
	format.Zstd:         new(pagezstd.Codec),
	format.Gzip:         &gzip.Codec{Level: gzip.DefaultCompression},
	format.Lz4Raw:       &lz4raw.Codec{Level: lz4raw.Fastest},
}

// Compress packs src into the memory of dst or, if that is too little, into
// new memory.
func Compress(codec format.CompressionCodec, dst, src []byte) ([]byte, error) {
	if codec == format.Snappy {
		return s2.EncodeSnappy(dst[:cap(dst)], src), nil
	}
	encoder, ok := encoders[codec]
	if !ok {
		return nil, fmt.Errorf("%w %v", ErrUnsupported, codec)
	}
	return encoder.Encode(dst[:0], src)
}
