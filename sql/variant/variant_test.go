package variant

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/types"
)

// scalars has a value of each type, as the encoder takes it apart.
func scalars() []Value {
	wide, _, _ := types.ParseDecimal("-1234567890123456789012.345")
	return []Value{
		{}, {Type: types.Of(types.Boolean), Scalar: true}, {Type: types.Of(types.Boolean), Scalar: false},
		{Type: types.Of(types.BigInt), Scalar: int64(-128)}, {Type: types.Of(types.BigInt), Scalar: int64(128)},
		{Type: types.Of(types.BigInt), Scalar: int64(1 << 31)}, {Type: types.Of(types.BigInt), Scalar: int64(-1 << 63)},
		{Type: types.Of(types.Double), Scalar: 1.5}, {Type: types.Of(types.Float), Scalar: 0.25},
		DecimalOf(types.Decimal128FromInt64(-15), 1), DecimalOf(types.Decimal128FromInt64(123456789012345), 3), DecimalOf(wide, 3),
		{Type: types.Of(types.String), Scalar: "ä"}, {Type: types.Of(types.String), Scalar: strings.Repeat("long", 20)},
		{Type: types.Of(types.Binary), Scalar: []byte{0, 255}}, {Type: types.Of(types.UUID), Scalar: []byte("0123456789abcdef")},
		{Type: types.Of(types.Date), Scalar: int64(-1)}, {Type: types.Of(types.Time), Scalar: int64(1)},
		{Type: types.Of(types.Timestamp), Scalar: int64(2)}, {Type: types.Of(types.TimestampNTZ), Scalar: int64(3)},
		{Type: types.Of(types.TimestampNS), Scalar: int64(4)}, {Type: types.Of(types.TimestampNTZNS), Scalar: int64(5)},
	}
}

func TestEncodingKeepsValues(t *testing.T) {
	all := scalars()
	object, ok := ObjectOf([]string{"b", "a"}, []Value{ArrayOf(all), {}})
	require.True(t, ok)
	for _, v := range append(all, ArrayOf([]Value{}), object) {
		got, err := Decode(v.Append(nil))
		require.NoError(t, err)
		require.Equal(t, v, got)
	}
}

// TestEncodingOfSpecification has bytes that VariantEncoding.md prescribes: the
// metadata of names, and an object of a number of one byte.
func TestEncodingOfSpecification(t *testing.T) {
	v, err := ParseJSON([]byte(`{"a": 1}`))
	require.NoError(t, err)
	metadata := []byte{0x11, 1, 0, 1, 'a'}
	object := []byte{0x02, 1, 0, 0, 2, 0x0C, 1}
	require.Equal(t, append(append([]byte{5, 0, 0, 0}, metadata...), object...), v.Append(nil))
}

func TestNumbersOfJSON(t *testing.T) {
	for text, want := range map[string]string{
		"-0": "BIGINT", "9223372036854775807": "BIGINT", "9223372036854775808": "DECIMAL(19,0)", "1.10": "DECIMAL(2,1)", "1.0": "DECIMAL(1,0)", "0.001": "DECIMAL(3,3)",
		"1e2": "DOUBLE", "123456789012345678901234567890123456789": "DOUBLE", "[1, 2.5]": "ARRAY<DECIMAL(21,1)>", "[1, 1e1]": "ARRAY<DOUBLE>", `[1, "x"]`: "ARRAY<VARIANT>",
		"[[1], []]": "ARRAY<ARRAY<BIGINT>>", `[{"a": 1}, {"a": null, "b": true}]`: "ARRAY<OBJECT<a: BIGINT, b: BOOLEAN>>",
	} {
		v, err := ParseJSON([]byte(text))
		require.NoError(t, err, text)
		require.Equal(t, want, v.Schema(), text)
	}
	for _, text := range []string{"", " ", "{", "[1,]", "01", "nul", "NaN", `{"a": 1, "a": 2}`, "'a'", "1x", "]", strings.Repeat("[", 2000)} {
		_, err := ParseJSON([]byte(text))
		require.Error(t, err, text)
	}
}

func TestPaths(t *testing.T) {
	v, err := ParseJSON([]byte(`{"a": [10, {"b c": "x"}], "": 3}`))
	require.NoError(t, err)
	for text, want := range map[string]any{"$.a[0]": int64(10), `$.a[1]["b c"]`: "x", "$['a'][1]['b c']": "x", "$.a[1].b c": "x", `$[""]`: int64(3)} {
		path, ok := ParsePath(text)
		require.True(t, ok, text)
		found, ok := path.Lookup(v)
		require.True(t, ok, text)
		require.Equal(t, want, found.Scalar, text)
	}
	for _, text := range []string{"", "a", "$.", "$..a", "$[", "$[0", "$[-1]", "$[x]", "$['a", "$[99999999999]", "$a"} {
		_, ok := ParsePath(text)
		require.False(t, ok, text)
	}
	for _, text := range []string{"$.b", "$[0]", "$.a[2]", "$.a.b", "$.a[0].b"} {
		path, ok := ParsePath(text)
		require.True(t, ok, text)
		_, ok = path.Lookup(v)
		require.False(t, ok, text)
	}
}

func FuzzDecode(f *testing.F) {
	for _, v := range scalars() {
		f.Add(v.Append(nil))
	}
	for _, text := range []string{`{"b": [1, null], "a": {"c": "x"}}`, "[]"} {
		v, err := ParseJSON([]byte(text))
		require.NoError(f, err)
		f.Add(v.Append(nil))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		v, err := Decode(b)
		if err != nil {
			require.ErrorIs(t, err, ErrMalformed)
			return
		}
		again, err := Decode(v.Append(nil))
		require.NoError(t, err)
		require.Equal(t, v.Schema(), again.Schema())
	})
}

func FuzzParseJSON(f *testing.F) {
	for _, text := range []string{`{"b": [1, null, 2.50], "a": {"c": "x"}}`, "1e5", "-0.000", `"\ud800"`, "[[[]]]"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, err := ParseJSON([]byte(text))
		if err != nil {
			return
		}
		again, err := Decode(v.Append(nil))
		require.NoError(t, err)
		require.Equal(t, v.Schema(), again.Schema())
	})
}
