package compress

import (
	"bytes"
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/andybalholm/brotli"
	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/storage/parquet/internal/meta"
)

var codecs = []meta.Codec{meta.Uncompressed, meta.Snappy, meta.Gzip, meta.Zstd, meta.LZ4Raw}

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
		var buf []byte
		for _, want := range inputs() {
			packed, err := Compress(codec, []byte("before"), want)
			require.NoError(t, err)
			require.Equal(t, "before", string(packed[:6]))
			got, err := Decompress(codec, buf, packed[6:], len(want))
			require.NoError(t, err)
			require.Equal(t, want, got)
			require.GreaterOrEqual(t, cap(got), len(got)+Slack)
			buf = got
			_, err = Decompress(codec, nil, packed[6:], len(want)+1)
			require.Error(t, err, "codec %d: too long", codec)
			if len(want) > 1 {
				_, err = Decompress(codec, nil, packed[6:], len(want)-1)
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
	got, err := Decompress(meta.Brotli, nil, b.Bytes(), 9)
	require.NoError(t, err)
	require.Equal(t, "some text", string(got))
	_, err = Decompress(meta.Brotli, nil, b.Bytes(), 8)
	require.Error(t, err)
}

// TestHadoopLZ4 reads the deprecated codec with its framing and without.
func TestHadoopLZ4(t *testing.T) {
	text := bytes.Repeat([]byte("text "), 100)
	block, err := Compress(meta.LZ4Raw, nil, text)
	require.NoError(t, err)
	framed := binary.BigEndian.AppendUint32(nil, uint32(len(text)))
	framed = binary.BigEndian.AppendUint32(framed, uint32(len(block)))
	framed = append(framed, block...)
	for _, body := range [][]byte{block, framed} {
		got, err := Decompress(meta.LZ4, nil, body, len(text))
		require.NoError(t, err)
		require.Equal(t, text, got)
	}
	got, err := Decompress(meta.LZ4, nil, append(framed, framed...), 2*len(text))
	require.NoError(t, err)
	require.Equal(t, append(append([]byte{}, text...), text...), got)
}

func TestUnsupported(t *testing.T) {
	_, err := Decompress(meta.LZO, nil, []byte{1}, 1)
	require.ErrorIs(t, err, ErrUnsupported)
	_, err = Compress(meta.LZO, nil, []byte{1})
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
		got, err := Decompress(meta.Codec(codec), nil, b, size)
		if err == nil {
			require.Len(t, got, size)
		}
	})
}
