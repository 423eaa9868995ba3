package encoding

import (
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/vector"
)

// codes makes values of a width with runs of all lengths.
func codes(r *rand.Rand, n int, width uint) []int32 {
	out := make([]int32, 0, n)
	for len(out) < n {
		v := int32(r.Uint64() & (1<<width - 1))
		for range min(1+r.IntN(1+r.IntN(40)), n-len(out)) {
			out = append(out, v)
		}
	}
	return out
}

func TestHybrid(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for width := uint(0); width <= 32; width++ {
		for range 30 {
			want := codes(r, 1+r.IntN(500), width)
			page := AppendHybrid(nil, want, width)
			if r.IntN(2) == 0 {
				page = append(page, make([]byte, slack)...)[:len(page)]
			} else {
				page = page[:len(page):len(page)] // no slack: the slower way
			}
			var h Hybrid
			h.Reset(page, width)
			for at := 0; at < len(want); {
				n := 1 + r.IntN(len(want)-at)
				if r.IntN(3) == 0 {
					require.NoError(t, h.Skip(n))
				} else {
					got := make([]int32, n)
					require.NoError(t, h.Codes(got))
					require.Equal(t, want[at:at+n], got, "width %d", width)
				}
				at += n
			}
		}
	}
}

func TestHybridBits(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		want := codes(r, 1+r.IntN(700), 1)
		var h Hybrid
		h.Reset(AppendHybrid(nil, want, 1), 1)
		got := vector.NewBitmap(len(want) + 100)
		shift := r.IntN(100)
		ones := 0
		for at := 0; at < len(want); {
			n := 1 + r.IntN(len(want)-at)
			k, err := h.Bits(got, shift+at, n)
			require.NoError(t, err)
			ones += k
			at += n
		}
		sum := 0
		for i, v := range want {
			require.Equal(t, v == 1, got.Valid(shift+i))
			sum += int(v)
		}
		require.Equal(t, sum, ones)
	}
}

func TestHybridDamage(t *testing.T) {
	for _, page := range [][]byte{
		{}, {0x80}, {4}, // nothing, half a length, a run without its value
		{4, 8},    // a repeated value of more bits than there are
		{0, 0, 0}, // runs of nothing
		{3},       // a group of eight without bytes
	} {
		var h Hybrid
		h.Reset(page, 3)
		require.Error(t, h.Codes(make([]int32, 2)), page)
	}
}

func TestBitPacked(t *testing.T) {
	got := make([]uint8, 8)
	require.NoError(t, BitPacked(got, []byte{0b00000101, 0b00111001, 0b01110111}, 3)) // the specification's example
	require.Equal(t, []uint8{0, 1, 2, 3, 4, 5, 6, 7}, got)
	require.ErrorIs(t, BitPacked(got, []byte{1, 2}, 3), ErrTruncated)
}

// appendDelta encodes as DELTA_BINARY_PACKED does, in blocks of 128 and four
// miniblocks.
func appendDelta(values []int64) []byte {
	out := binary.AppendUvarint(nil, 128)
	out = binary.AppendUvarint(out, 4)
	out = binary.AppendUvarint(out, uint64(len(values)))
	first := int64(0)
	if len(values) > 0 {
		first = values[0]
	}
	out = binary.AppendVarint(out, first)
	for at := 1; at < len(values); at += 128 {
		block := values[at:min(at+128, len(values))]
		least := int64(1)<<62 + 1<<61
		for i := range block {
			least = min(least, values[at+i]-values[at+i-1])
		}
		out = binary.AppendVarint(out, least)
		out = append(out, make([]byte, 4)...)
		widths := len(out) - 4
		for m := 0; m < 4 && m*32 < len(block); m++ {
			var width uint
			deltas := make([]uint64, 32)
			for i := range min(32, len(block)-m*32) {
				k := at + m*32 + i
				deltas[i] = uint64(values[k]-values[k-1]) - uint64(least)
				for deltas[i]>>width != 0 && width < 64 {
					width++
				}
			}
			out[widths+m] = byte(width)
			bits := make([]byte, 32*width/8)
			for i, d := range deltas {
				for k := uint(0); k < width; k++ {
					bit := uint(i)*width + k
					bits[bit/8] |= byte(d>>k&1) << (bit % 8)
				}
			}
			out = append(out, bits...)
		}
	}
	return out
}

func TestDeltaBinaryPacked(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 3))
	for range 200 {
		want := make([]int64, r.IntN(400))
		shift := r.IntN(64)
		for i := range want {
			want[i] = int64(r.Uint64()) >> shift
		}
		page := append(appendDelta(want), "rest"...)
		got, size, err := DeltaBinaryPacked(nil, page, len(want))
		require.NoError(t, err)
		require.Equal(t, len(page)-4, size)
		require.Equal(t, fmt.Sprint(want), fmt.Sprint(got))
		if len(want) > 1 {
			_, _, err = DeltaBinaryPacked(nil, page, len(want)-1)
			require.ErrorIs(t, err, ErrMalformed)
			_, _, err = DeltaBinaryPacked(nil, page[:size-1], len(want))
			if err == nil { // only padding may be missing
				_, _, err = DeltaBinaryPacked(nil, page[:1], len(want))
			}
			require.Error(t, err)
		}
	}
}

func TestByteArrays(t *testing.T) {
	words := []string{"", "axis", "axle", "axle", "babble", "babyhood"}
	var lengths, prefixes, suffixLengths []int64
	var data, suffixes []byte
	last := ""
	for _, w := range words {
		lengths, data = append(lengths, int64(len(w))), append(data, w...)
		k := 0
		for k < min(len(last), len(w)) && last[k] == w[k] {
			k++
		}
		prefixes, suffixLengths, suffixes = append(prefixes, int64(k)), append(suffixLengths, int64(len(w)-k)), append(suffixes, w[k:]...)
		last = w
	}
	check := func(a *ByteArrays) {
		require.Len(t, a.Views, len(words))
		for i, v := range a.Views {
			require.Equal(t, words[i], string(a.Data[v.Offset:v.Offset+v.Length]))
		}
	}
	var a ByteArrays
	require.NoError(t, a.DeltaLength(append(appendDelta(lengths), data...), 6))
	check(&a)
	page := append(append(appendDelta(prefixes), appendDelta(suffixLengths)...), suffixes...)
	require.NoError(t, a.Delta(page, 6, 100))
	check(&a)
	require.ErrorIs(t, a.Delta(page, 6, 10), ErrMalformed)
	require.Error(t, a.Delta(page[:len(page)-1], 6, 100))
}

func TestByteStreamSplit(t *testing.T) {
	// The specification's example: AA BB CC DD, 00 11 22 33, A3 B4 C5 D6.
	page := []byte{0xaa, 0x00, 0xa3, 0xbb, 0x11, 0xb4, 0xcc, 0x22, 0xc5, 0xdd, 0x33, 0xd6}
	got, err := ByteStreamSplit(nil, page, 4)
	require.NoError(t, err)
	require.Equal(t, []byte{0xaa, 0xbb, 0xcc, 0xdd, 0x00, 0x11, 0x22, 0x33, 0xa3, 0xb4, 0xc5, 0xd6}, got)
	_, err = ByteStreamSplit(nil, page[:3], 4)
	require.ErrorIs(t, err, ErrMalformed)
}

func FuzzDecoders(f *testing.F) {
	f.Add(AppendHybrid(nil, []int32{1, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3}, 2), uint8(2))
	f.Add(appendDelta([]int64{1, 5, 2, 1 << 40}), uint8(9))
	f.Fuzz(func(t *testing.T, b []byte, width uint8) {
		var h Hybrid
		h.Reset(b, uint(width%33))
		for range 50 {
			got := make([]int32, 100)
			if h.Codes(got) != nil {
				break
			}
			for _, c := range got {
				require.Zero(t, uint64(uint32(c))>>(width%33))
			}
		}
		_, _, _ = DeltaBinaryPacked(nil, b, 10000)
		var a ByteArrays
		_ = a.DeltaLength(b, 10000)
		_ = a.Delta(b, 10000, 1<<20)
	})
}
