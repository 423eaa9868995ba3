package jsonscan

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestScansWhatIsAskedFor(t *testing.T) {
	s := New([]byte(` {"a":"x\"\u00e9\ud83d\ude00\n","skip":[1,{"b":null}],"n":-12,"t":true,"m":{"k":"v","z":null}} `))
	got := map[string]any{}
	err := s.Object(func(name []byte) (err error) {
		switch key := string(name); key {
		case "a":
			got[key], err = s.String()
		case "n":
			got[key], err = s.Int64()
		case "t":
			got[key], err = s.Bool()
		case "m":
			got[key], err = s.StringMap()
		default:
			err = s.Skip()
		}
		return err
	})
	require.NoError(t, err)
	require.NoError(t, s.End())
	require.Equal(t, map[string]any{"a": "x\"é😀\n", "n": int64(-12), "t": true, "m": map[string]string{"k": "v"}}, got)
}

func TestMalformed(t *testing.T) {
	for _, text := range []string{``, `{`, `{"a"}`, `{"a":}`, `{"a":1,}`, `["a`, `"\x"`, `"\u12"`, `nul`, `{"a":1 "b":2}`, "\"\x01\"", `{a:1}`, `-`} {
		s := New([]byte(text))
		err := s.Skip()
		if err == nil {
			err = s.End()
		}
		var syntax *SyntaxError
		require.ErrorAs(t, err, &syntax, text)
	}
}

func TestDepthIsBounded(t *testing.T) {
	deep := make([]byte, 100_000)
	for i := range deep {
		deep[i] = '['
	}
	require.ErrorContains(t, New(deep).Skip(), "deeply")
}

// FuzzSkip takes what encoding/json takes, and reads the same strings.
func FuzzSkip(f *testing.F) {
	for _, seed := range []string{`{"a":[1,2.5e3,null,true,"x\u0041\ud83d\ude00"]}`, `"\\\""`, `[[]]`, `{"":{}}`, `"\ud800"`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		s := New(text)
		err := s.Skip()
		if err == nil {
			err = s.End()
		}
		if json.Valid(text) && len(text) < maxDepth {
			require.NoError(t, err)
			var want string
			if json.Unmarshal(text, &want) == nil && s.buf[0] == '"' {
				got, err := New(text).String()
				require.NoError(t, err)
				require.Equal(t, want, string([]rune(got)))
			}
		}
	})
}
