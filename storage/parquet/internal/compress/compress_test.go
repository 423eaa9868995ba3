package compress

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/parquet-go/parquet-go/format"
	"github.com/stretchr/testify/require"
)

var codecs = []format.CompressionCodec{format.Uncompressed, format.Snappy, format.Gzip, format.Zstd, format.Lz4Raw}

func inputs() [][]byte {
	r := rand.New(rand.NewPCG(1, 1))
	noise := make([]byte, 100_000)
	for i := range noise {
		noise[i] = byte(r.IntN(256))
	}
	return [][]byte{{}, []byte("a"), bytes.Repeat([]byte("abc"), 10_000), noise}
}

func TestRoundTrip(t *testing.T) {
	for _, codec := range codecs {
		var buf, packedBuf []byte
		for _, want := range inputs() {
			packed, err := Compress(codec, packedBuf, want)
			require.NoError(t, err)
			got, err := Decompress(codec, buf, packed, len(want))
			require.NoError(t, err)
			require.Equal(t, want, got)
			require.GreaterOrEqual(t, cap(got), len(got)+Slack)
			buf, packedBuf = got, packed
			_, err = Decompress(codec, nil, packed, len(want)+1)
			require.Error(t, err, "codec %d: too long", codec)
			if len(want) > 1 {
				_, err = Decompress(codec, nil, packed, len(want)-1)
				require.Error(t, err, "codec %d: too short", codec)
			}
		}
	}
}

func TestBrotli(t *testing.T) {
	var b bytes.Buffer
	w := brotli.NewWriter(&b)
	_, err := w.Write([]byte("some text"))
	require.NoError(t, err)
	require.NoError(t, w.Close())
	got, err := Decompress(format.Brotli, nil, b.Bytes(), 9)
	require.NoError(t, err)
	require.Equal(t, "some text", string(got))
	for _, size := range []int{8, 10} {
		_, err = Decompress(format.Brotli, nil, b.Bytes(), size)
		require.Error(t, err)
	}
	_, err = Decompress(format.Brotli, nil, b.Bytes()[:5], 9)
	require.Error(t, err)
}

// TestHadoopLZ4 reads the deprecated codec with its framing and without.
func TestHadoopLZ4(t *testing.T) {
	text := bytes.Repeat([]byte("text "), 100)
	block, err := Compress(format.Lz4Raw, nil, text)
	require.NoError(t, err)
	framed := binary.BigEndian.AppendUint32(nil, uint32(len(text)))
	framed = binary.BigEndian.AppendUint32(framed, uint32(len(block)))
	framed = append(framed, block...)
	for _, body := range [][]byte{block, framed} {
		got, err := Decompress(format.Lz4, nil, body, len(text))
		require.NoError(t, err)
		require.Equal(t, text, got)
	}
	got, err := Decompress(format.Lz4, nil, append(framed, framed...), 2*len(text))
	require.NoError(t, err)
	require.Equal(t, append(append([]byte{}, text...), text...), got)
}

// TestBombs gives pages that unpack to far more than they should.
func TestBombs(t *testing.T) {
	zeros := make([]byte, 64<<20)
	for _, codec := range codecs[1:] {
		packed, err := Compress(codec, nil, zeros)
		require.NoError(t, err)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err = Decompress(codec, nil, packed, 1000)
		runtime.ReadMemStats(&after)
		require.Error(t, err, "%v", codec)
		require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(len(zeros)/2), "%v", codec)
	}
}

func TestUnsupported(t *testing.T) {
	_, err := Decompress(format.LZO, nil, []byte{1}, 1)
	require.ErrorIs(t, err, ErrUnsupported)
	_, err = Compress(format.LZO, nil, []byte{1})
	require.ErrorIs(t, err, ErrUnsupported)
}

func FuzzDecompress(f *testing.F) {
	for _, codec := range codecs {
		packed, err := Compress(codec, nil, []byte("some text, some text"))
		require.NoError(f, err)
		f.Add(packed, int32(codec), 20)
	}
	f.Fuzz(func(t *testing.T, b []byte, codec int32, size int) {
		if size < 0 || size > 1<<20 {
			return
		}
		got, err := Decompress(format.CompressionCodec(codec), nil, b, size)
		if err == nil {
			require.Len(t, got, size)
		}
	})
}

func BenchmarkCodecs(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	var page []byte
	for len(page) < 1<<20 {
		page = binary.LittleEndian.AppendUint64(page, uint64(r.IntN(100_000)))
	}
	for _, codec := range codecs[1:] {
		packed, err := Compress(codec, nil, page)
		require.NoError(b, err)
		b.Run("pack/"+codec.String(), func(b *testing.B) {
			b.SetBytes(int64(len(page)))
			b.ReportAllocs()
			var out []byte
			for b.Loop() {
				out, _ = Compress(codec, out[:0], page)
			}
		})
		b.Run("unpack/"+codec.String(), func(b *testing.B) {
			b.SetBytes(int64(len(page)))
			b.ReportAllocs()
			var out []byte
			for b.Loop() {
				out, _ = Decompress(codec, out[:0], packed, len(page))
			}
		})
	}
}
