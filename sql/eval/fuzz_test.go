package eval

import (
	"errors"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

// FuzzLike compares LIKE with the regular expression that says the same.
func FuzzLike(f *testing.F) {
	for _, seed := range [][2]string{{"abc", "a%"}, {"special requests", "%sp_cial%req%"}, {"ää", "_ä"}, {"a%b", `a\%b`}, {"aab", "%a%ab"}, {"", "%_"}} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, s, pattern string) {
		if !utf8.ValidString(s) || !utf8.ValidString(pattern) {
			return
		}
		m, err := compileLikePattern(pattern, `\`)
		if err != nil {
			require.ErrorIs(t, err, ErrInvalidPattern)
			return
		}
		re := "(?s)^"
		escaped := false
		for _, r := range pattern {
			switch {
			case escaped:
				re += regexp.QuoteMeta(string(r))
				escaped = false
			case r == '\\':
				escaped = true
			case r == '%':
				re += ".*"
			case r == '_':
				re += "."
			default:
				re += regexp.QuoteMeta(string(r))
			}
		}
		require.Equal(t, regexp.MustCompile(re+"$").MatchString(s), m.match([]byte(s)), "%q LIKE %q", s, pattern)
	})
}

// FuzzDatePattern reads and prints by arbitrary patterns and asks for no panic,
// and that a text printed by a full pattern reads back as the same time.
func FuzzDatePattern(f *testing.F) {
	f.Add("yyyy-MM-dd HH:mm:ss", "2024-01-02 03:04:05", int64(0))
	f.Add("d MMM yyyy h:mm a XXX", "1 Feb 2024 3:04 PM +01:00", int64(1e15))
	f.Fuzz(func(t *testing.T, pattern, text string, micros int64) {
		p, err := parseDatePattern(pattern, true)
		if err != nil {
			require.True(t, errors.Is(err, ErrInvalidValue) || errors.Is(err, ErrTypeMismatch), err)
			return
		}
		p.parse(text)
		p.append(nil, micros, utc)
		full, err := parseDatePattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS", true)
		require.NoError(t, err)
		if micros < 0 || micros > 250_000_000_000_000_000 {
			return // years of four digits
		}
		printed := string(full.append(nil, micros, utc))
		back, ok := full.parse(printed)
		require.True(t, ok, printed)
		require.Equal(t, micros, back.wall(), printed)
	})
}

// FuzzCastString asks that no text makes a cast panic.
func FuzzCastString(f *testing.F) {
	for _, seed := range []string{"1", "-1.5e3", "2024-02-29 12:00:00.123 Europe/Berlin", "NaN", "true", "", " 0x1p-2 ", "550e8400-e29b-41d4-a716-446655440000"} {
		f.Add(seed)
	}
	targets := metamorphicTargets()
	f.Fuzz(func(t *testing.T, s string) {
		for _, to := range targets {
			if _, err := EvalConstant(must(NewCast(arg(s), to, false)), testEnv); err != nil {
				require.ErrorIs(t, err, ErrInvalidValue)
				require.False(t, strings.Contains(err.Error(), "panic"))
			}
			_, err := EvalConstant(must(NewCast(arg(s), to, true)), testEnv)
			require.NoError(t, err)
		}
	})
}
