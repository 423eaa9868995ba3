package parquet

import (
	"bytes"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/parquet-go/parquet-go/format"
	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/types"
)

func TestStringBounds(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	alphabet := []rune{'a', 'z', 'é', '\ud7ff', '\uffff', utf8.MaxRune, 0x7f}
	for range 2000 {
		var b strings.Builder
		for range 55 + r.IntN(30) {
			b.WriteRune(alphabet[r.IntN(len(alphabet))])
		}
		text := []byte(b.String())
		for _, isText := range []bool{true, false} {
			lo, exact := lowerBound(text, isText)
			require.LessOrEqual(t, bytes.Compare(lo, text), 0)
			require.Equal(t, exact, bytes.Equal(lo, text))
			hi, exact := upperBound(text, isText)
			require.Equal(t, exact, bytes.Equal(hi, text))
			require.True(t, hi == nil || bytes.Compare(hi, text) >= 0)
			require.LessOrEqual(t, len(hi), maxBoundBytes+utf8.UTFMax)
			if isText {
				require.True(t, utf8.Valid(lo) && utf8.Valid(hi))
			}
		}
	}
	for _, b := range []string{strings.Repeat("\xff", 70), strings.Repeat(string(utf8.MaxRune), 20)} {
		hi, _ := upperBound([]byte(b), b[0] != 0xff)
		require.Nil(t, hi, "nothing is above it")
	}
	// Text that is not UTF-8 still has bounds in the right order.
	bad := []byte(strings.Repeat("a", 63) + "\xff\xff\xff")
	hi, _ := upperBound(bad, true)
	require.True(t, hi == nil || bytes.Compare(hi, bad) > 0)
}

func TestFloatBounds(t *testing.T) {
	l := &leafWriter{width: 8, physical: format.Double}
	b := bounds{t: types.Of(types.Double)}
	b.float(0)
	s := b.statistics(l)
	require.Equal(t, []byte{0, 0, 0, 0, 0, 0, 0, 0x80}, s.MinValue)
	require.Equal(t, make([]byte, 8), s.MaxValue)
	b.float(-1)
	b.float(math.NaN())
	lo, hi := b.values()
	require.Equal(t, -1.0, lo)
	require.Equal(t, 0.0, hi)
	require.EqualValues(t, 1, b.nans)
	s = b.statistics(l)
	require.Nil(t, s.MinValue)
	require.Nil(t, s.MaxValue)
}

func TestDecimalBounds(t *testing.T) {
	l := &leafWriter{width: 9, physical: format.FixedLenByteArray}
	b := bounds{t: types.DecimalOf(20, 0)}
	b.decimal(types.Decimal128FromInt64(5))
	b.decimal(types.Decimal128FromInt64(-3))
	s := b.statistics(l)
	require.Equal(t, []byte{255, 255, 255, 255, 255, 255, 255, 255, 253}, s.MinValue)
	require.Equal(t, []byte{0, 0, 0, 0, 0, 0, 0, 0, 5}, s.MaxValue)
}
