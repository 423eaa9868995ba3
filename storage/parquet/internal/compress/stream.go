package compress

import (
	"io"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/parquet-go/parquet-go/compress"
)

// streamReader is a decompressor that can begin again.
type streamReader interface {
	io.Reader
	Reset(io.Reader) error
}

// streamPages unpacks pages of a codec for streams.
type streamPages struct {
	pool compress.Decompressor
	open func() streamReader
}

var (
	gzipPages   = streamPages{open: func() streamReader { return new(gzip.Reader) }}
	brotliPages = streamPages{open: func() streamReader { return new(brotli.Reader) }}
)

func (s *streamPages) decompress(dst, src []byte) (int, error) {
	out, err := s.pool.Decode(dst[:0:len(dst)], src, func(r io.Reader) (compress.Reader, error) {
		return &pageReader{stream: s.open(), src: r}, nil
	})
	return len(out), err
}

// pageReader reads one page: the room of the first Read is the page's size,
// and the stream must end with it. So the pool, which would go on with ever
// larger buffers, ends as well. The stream is opened at the first Read, since
// the pool panics where a Reset fails.
type pageReader struct {
	stream streamReader
	src    io.Reader
}

func (r *pageReader) Reset(src io.Reader) error {
	r.src = src
	return nil
}

func (r *pageReader) Close() error { return nil }

func (r *pageReader) Read(page []byte) (int, error) {
	if err := r.stream.Reset(r.src); err != nil {
		return 0, noEOF(err)
	}
	n, err := io.ReadFull(r.stream, page)
	if err != nil {
		return n, noEOF(err)
	}
	var more [1]byte
	switch k, err := io.ReadFull(r.stream, more[:]); {
	case k != 0:
		return n, errSize
	case err != io.EOF:
		return n, err
	}
	return n, io.EOF
}

// noEOF keeps a stream that ends too soon from looking like a whole page.
func noEOF(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}
