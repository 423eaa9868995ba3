package partition

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/sql/types"
)

func TestParse(t *testing.T) {
	dec, _ := types.ParseDecimalAs("12.50", 10, 2)
	for _, c := range []struct {
		t    types.Type
		text string
		want any
	}{
		{types.Of(types.String), "a b", "a b"},
		{types.Of(types.String), "", ""},
		{types.Of(types.Int), "", nil},
		{types.Of(types.Boolean), "true", true},
		{types.Of(types.TinyInt), "-128", int64(-128)},
		{types.Of(types.BigInt), "9223372036854775807", int64(math.MaxInt64)},
		{types.Of(types.Float), "1.5", 1.5},
		{types.Of(types.Double), "-Infinity", math.Inf(-1)},
		{types.DecimalOf(10, 2), "12.5", dec},
		{types.Of(types.Date), "1970-01-02", int64(1)},
		{types.Of(types.Timestamp), "1970-01-01 00:00:01", int64(1_000_000)},
		{types.Of(types.Timestamp), "1970-01-01T00:00:00.123456Z", int64(123456)},
		{types.Of(types.Timestamp), "1970-01-01T01:00:00.5+01:00", int64(500_000)},
		{types.Of(types.TimestampNTZ), "1970-01-01 00:00:00.5", int64(500_000)},
		{types.Of(types.Binary), `\u0001\u0002a`, []byte{1, 2, 'a'}},
		{types.Of(types.Binary), "é", []byte("é")},
	} {
		got, err := Parse(c.t, c.text)
		require.NoError(t, err, c.text)
		require.Equal(t, c.want, got, c.text)
	}
	for _, c := range []struct {
		t    types.Type
		text string
	}{
		{types.Of(types.Int), "x"}, {types.Of(types.TinyInt), "128"}, {types.Of(types.Date), "yesterday"},
		{types.DecimalOf(3, 0), "1000"}, {types.Of(types.Boolean), "2"}, {types.ArrayOf(types.Of(types.Int), true), "[]"},
		{types.Of(types.TimestampNTZ), "2024-01-01 00:00:00+01:00"},
	} {
		_, err := Parse(c.t, c.text)
		require.Error(t, err, c.text)
	}
}

func TestFormatReadsBack(t *testing.T) {
	dec, _ := types.ParseDecimalAs("-0.01", 10, 2)
	for _, c := range []struct {
		t     types.Type
		value any
		text  string
	}{
		{types.Of(types.String), "ü/", "ü/"},
		{types.Of(types.Boolean), false, "false"},
		{types.Of(types.Int), int64(-7), "-7"},
		{types.Of(types.Double), 3.0, "3.0"},
		{types.Of(types.Float), float64(float32(0.1)), "0.1"},
		{types.Of(types.Double), math.Inf(1), "Infinity"},
		{types.Of(types.Double), math.Inf(-1), "-Infinity"},
		{types.DecimalOf(10, 2), dec, "-0.01"},
		{types.Of(types.Date), int64(-1), "1969-12-31"},
		{types.Of(types.Timestamp), int64(-1), "1969-12-31T23:59:59.999999Z"},
		{types.Of(types.Timestamp), int64(0), "1970-01-01T00:00:00.000000Z"},
		{types.Of(types.TimestampNTZ), int64(1_500_000), "1970-01-01 00:00:01.5"},
	} {
		text, ok := Format(c.t, c.value)
		require.True(t, ok)
		require.Equal(t, c.text, text)
		back, err := Parse(c.t, text)
		require.NoError(t, err)
		require.Equal(t, c.value, back, text)
	}
	for _, null := range []any{nil, "", []byte{}} {
		_, ok := Format(types.Of(types.String), null)
		require.False(t, ok)
	}
}

func TestDirectory(t *testing.T) {
	require.Equal(t, "p=__HIVE_DEFAULT_PARTITION__", Directory("p", "", true))
	require.Equal(t, "p=a%2Fb", Directory("p", "a/b", false))
	require.Equal(t, "p=100%25", Directory("p", "100%", false))
	require.Equal(t, "p=tab%09x", Directory("p", "tab\tx", false))
	require.Equal(t, "p=with space", Directory("p", "with space", false))
	require.Equal(t, "p=%5Bb%5D%7Bc}", Directory("p", "[b]{c}", false))
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"", "1", "-0.5", "2024-01-02", "2024-01-02T03:04:05.678Z", "true", `\u00ff`, "NaN"} {
		f.Add(seed)
	}
	kinds := []types.Type{types.Of(types.Boolean), types.Of(types.TinyInt), types.Of(types.BigInt), types.Of(types.Float), types.Of(types.Double),
		types.DecimalOf(38, 10), types.Of(types.Date), types.Of(types.Timestamp), types.Of(types.TimestampNTZ), types.Of(types.String)}
	f.Fuzz(func(t *testing.T, text string) {
		for _, k := range kinds {
			v, err := Parse(k, text)
			if err != nil || v == nil || v == "" {
				continue
			}
			again, ok := Format(k, v)
			require.True(t, ok)
			back, err := Parse(k, again)
			require.NoError(t, err, "%s: %q", k, again)
			if f, isFloat := v.(float64); !isFloat || !math.IsNaN(f) {
				require.Equal(t, v, back, "%s: %q", k, again)
			}
		}
	})
}
