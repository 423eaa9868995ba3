package parquet_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	parquetgo "github.com/parquet-go/parquet-go"
	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/conformance/sharedtest"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/variant"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/parquet"
)

// variantCase is an entry of cases.json of apache/parquet-testing.
type variantCase struct {
	Number int      `json:"case_number"`
	Test   string   `json:"test"`
	File   string   `json:"parquet_file"`
	Value  string   `json:"variant_file"`
	Values []string `json:"variant_files"` // empty for NULL
	Error  string   `json:"error_message"`
}

// TestShreddedVariants reads the shredded values of apache/parquet-testing.
func TestShreddedVariants(t *testing.T) {
	dir := sharedtest.Path(t, "golden", "public", "parquet-testing", "shredded_variant")
	body, err := os.ReadFile(filepath.Join(dir, "cases.json"))
	require.NoError(t, err)
	var cases []variantCase
	require.NoError(t, json.Unmarshal(body, &cases))
	read := 0
	for _, c := range cases {
		if c.File == "" {
			continue
		}
		b, err := os.ReadFile(filepath.Join(dir, c.File))
		if errors.Is(err, os.ErrNotExist) {
			continue // not part of the selection
		}
		require.NoError(t, err)
		read++
		f, err := openBytes(t, b)
		require.NoError(t, err)
		var columns []types.Field
		for _, field := range f.Schema().Fields {
			if field.Type.Kind != types.Variant && field.Name == "var" {
				field.Type = types.Of(types.Variant)
			}
			columns = append(columns, field)
		}
		got, err := variants(f, columns)
		if c.Error != "" {
			require.ErrorIs(t, err, storage.ErrCorrupt, "case %d %s: %s", c.Number, c.Test, c.Error)
			continue
		}
		require.NoError(t, err, "case %d %s", c.Number, c.Test)
		want := c.Values
		if want == nil {
			want = []string{c.Value}
		}
		require.Len(t, got, len(want))
		for i, name := range want {
			if name == "" {
				require.Nil(t, got[i])
				continue
			}
			whole, err := os.ReadFile(filepath.Join(dir, name))
			require.NoError(t, err)
			require.Equal(t, binaryVariant(t, whole), *got[i], "case %d %s", c.Number, c.Test)
		}
	}
	require.Greater(t, read, 50)
}

// variants reads the last column; nil is NULL.
func variants(f *parquet.File, columns []types.Field) ([]*variant.Value, error) {
	all, err := tryRows(f, parquet.ReadOptions{Columns: columns})
	if err != nil {
		return nil, err
	}
	var out []*variant.Value
	for _, row := range all {
		b, ok := row[len(row)-1].([]byte)
		if !ok {
			out = append(out, nil)
			continue
		}
		v, err := variant.Decode(b)
		if err != nil {
			return nil, err
		}
		out = append(out, &v)
	}
	return out, nil
}

// binaryVariant decodes metadata and value that lie one after the other.
func binaryVariant(t *testing.T, b []byte) variant.Value {
	width := int(b[0]>>6) + 1
	number := func(at int) int {
		var full [8]byte
		copy(full[:], b[at:at+width])
		return int(binary.LittleEndian.Uint64(full[:]))
	}
	size := number(1)
	offsets := 1 + width
	length := offsets + (size+1)*width + number(offsets+size*width)
	v, err := variant.Decode(append(binary.LittleEndian.AppendUint32(nil, uint32(length)), b...))
	require.NoError(t, err)
	return v
}

// shreddedRow has a VARIANT of which a whole number, or a member n, may be in a
// column.
type shreddedRow struct {
	ID int64          `parquet:"id"`
	V  *shreddedGroup `parquet:"v,optional"`
	O  *objectGroup   `parquet:"o,optional"`
}

type shreddedGroup struct {
	Metadata []byte `parquet:"metadata"`
	Value    []byte `parquet:"value,optional"`
	Typed    *int64 `parquet:"typed_value,optional"`
}

type objectGroup struct {
	Metadata []byte       `parquet:"metadata"`
	Value    []byte       `parquet:"value,optional"`
	Typed    *objectTyped `parquet:"typed_value,optional"`
}

type objectTyped struct {
	N memberGroup `parquet:"n"`
}

type memberGroup struct {
	Value []byte `parquet:"value,optional"`
	Typed *int64 `parquet:"typed_value,optional"`
}

// parts gives the two parts of a JSON text in the binary form.
func parts(t *testing.T, text string) (metadata, value []byte) {
	v, err := variant.ParseJSON([]byte(text))
	require.NoError(t, err)
	b := v.Append(nil)
	length := binary.LittleEndian.Uint32(b)
	return b[4 : 4+length], b[4+length:]
}

// TestVariants reads groups without an annotation, whose parts are in columns or
// not.
func TestVariants(t *testing.T) {
	seven := int64(7)
	metadata, value := parts(t, `{"a": [1, null]}`)
	rest, restValue := parts(t, `{"m": "x", "n": 1}`)
	text, textValue := parts(t, `"text"`)
	written := []shreddedRow{
		{ID: 1, V: &shreddedGroup{Metadata: metadata, Value: value}, O: &objectGroup{Metadata: rest, Value: restValue, Typed: &objectTyped{N: memberGroup{Typed: &seven}}}},
		{ID: 2, V: &shreddedGroup{Metadata: metadata, Typed: &seven}, O: &objectGroup{Metadata: text, Typed: &objectTyped{N: memberGroup{Value: textValue}}}},
		{ID: 3, V: nil, O: &objectGroup{Metadata: text, Value: textValue}},
		{ID: 4, V: &shreddedGroup{Metadata: metadata}, O: &objectGroup{Metadata: rest, Typed: &objectTyped{}}},
	}
	want := [][]string{{`{"a": [1, null]}`, `{"m": "x", "n": 7}`}, {`7`, `{"n": "text"}`}, {"", `"text"`}, {`null`, `{}`}}
	for i, column := range []string{"v", "o"} {
		got, err := variants(writeShredded(t, written), []types.Field{{Name: column, Type: types.Of(types.Variant), Nullable: true}})
		require.NoError(t, err)
		for r, w := range want {
			if w[i] == "" {
				require.Nil(t, got[r])
				continue
			}
			v, err := variant.ParseJSON([]byte(w[i]))
			require.NoError(t, err)
			require.Equal(t, v.Append(nil), got[r].Append(nil), w[i])
		}
	}
	for name, bad := range map[string]shreddedRow{
		"both":      {V: &shreddedGroup{Metadata: metadata, Value: value, Typed: &seven}},
		"no object": {O: &objectGroup{Metadata: text, Value: textValue, Typed: &objectTyped{N: memberGroup{Typed: &seven}}}},
		"damaged":   {V: &shreddedGroup{Metadata: metadata[:1], Value: value}},
	} {
		column := "v"
		if bad.O != nil {
			column = "o"
		}
		_, err := variants(writeShredded(t, []shreddedRow{bad}), []types.Field{{Name: column, Type: types.Of(types.Variant), Nullable: true}})
		require.ErrorIs(t, err, storage.ErrCorrupt, name)
	}
	_, err := variants(writeShredded(t, written), []types.Field{{Name: "id", Type: types.Of(types.Variant)}})
	require.ErrorIs(t, err, storage.ErrSchemaMismatch)
}

func writeShredded(t *testing.T, rows []shreddedRow) *parquet.File {
	var b bytes.Buffer
	w := parquetgo.NewGenericWriter[shreddedRow](&b)
	_, err := w.Write(rows)
	require.NoError(t, err)
	require.NoError(t, w.Close())
	f, err := openBytes(t, b.Bytes())
	require.NoError(t, err)
	return f
}
