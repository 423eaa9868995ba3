package z85

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
)

func TestExamples(t *testing.T) {
	b, err := Decode("HelloWorld") // the RFC's test case
	require.NoError(t, err)
	require.Equal(t, []byte{0x86, 0x4F, 0xD2, 0x6F, 0xB5, 0x59, 0xF7, 0x5B}, b)
	b, err = Decode("^-aqEH.-t@S}K{vb[*k^") // the protocol's example of a path
	require.NoError(t, err)
	require.Equal(t, "d2c639aa-8816-431a-aaf6-d3fe2512ff61", uuid.UUID(b).String())
	text, err := Encode(b)
	require.NoError(t, err)
	require.Equal(t, "^-aqEH.-t@S}K{vb[*k^", text)
}

func TestMalformed(t *testing.T) {
	for _, text := range []string{"a", "abcd", "ab\"de", "#####", "abcd~"} {
		_, err := Decode(text)
		require.Error(t, err, text)
	}
	_, err := Encode([]byte{1})
	require.Error(t, err)
}

// FuzzDecode round-trips whatever can be decoded.
func FuzzDecode(f *testing.F) {
	f.Add("HelloWorld")
	f.Add("wi5b=000010000siXQKl0rr91000f55c8Xg0@@D72lkbi5=-{L")
	f.Fuzz(func(t *testing.T, text string) {
		if b, err := Decode(text); err == nil {
			again, err := Encode(b)
			require.NoError(t, err)
			require.Equal(t, text, again)
		}
	})
}
