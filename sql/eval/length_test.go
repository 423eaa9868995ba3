package eval

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func TestRuneCount(t *testing.T) {
	for _, part := range []string{"", "a", "ä", "€", "🙂", "a€", "\x80", "\xff", "ab\xc3", "\xe2\x82", "\xed\xa0\x80", "\xc0\x80"} {
		for n := range 20 {
			for _, b := range []string{strings.Repeat(part, n), strings.Repeat(part, n) + "z", strings.Repeat("z", n) + part} {
				require.Equal(t, utf8.RuneCountInString(b), runeCount([]byte(b)), "%q", b)
			}
		}
	}
}

func FuzzRuneCount(f *testing.F) {
	f.Add([]byte("some text, äöü € 🙂 \xff\x80"))
	f.Fuzz(func(t *testing.T, b []byte) {
		require.Equal(t, utf8.RuneCount(b), runeCount(b))
	})
}

func BenchmarkRuneCount(b *testing.B) {
	for name, s := range map[string][]byte{"ascii": []byte("carefully final deposits q"), "mixed": []byte("größere Mengen für später"), "long": bytes.Repeat([]byte("Zürich "), 100)} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				runeCount(s)
			}
		})
		b.Run(name+"/utf8", func(b *testing.B) {
			for b.Loop() {
				utf8.RuneCount(s)
			}
		})
	}
}
