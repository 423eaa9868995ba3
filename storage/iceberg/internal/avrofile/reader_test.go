package avrofile_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/twmb/avro"
	"github.com/twmb/avro/ocf"

	"github.com/tarndb/tarn/storage/iceberg/internal/avrofile"
)

const schema = `{"type": "record", "name": "r", "fields": [
	{"name": "a b", "type": "int", "field-id": 1},
	{"name": "date", "type": {"type": "int", "logicalType": "date"}, "field-id": 2},
	{"name": "m", "type": {"type": "array", "logicalType": "map", "items": {"type": "record", "name": "kv", "fields": [
		{"name": "k", "type": "int", "field-id": 4}, {"name": "v", "type": ["null", "string"], "field-id": 5}]}}, "field-id": 3},
	{"name": "other", "type": "string"}]}`

func write(t *testing.T, schema string, codec ocf.Codec, rows ...any) []byte {
	s, err := avro.Parse(schema, avro.WithLaxNames(nil))
	require.NoError(t, err)
	var b bytes.Buffer
	w, err := ocf.NewWriter(&b, s, ocf.WithCodec(codec))
	require.NoError(t, err)
	for _, row := range rows {
		require.NoError(t, w.Encode(row))
	}
	require.NoError(t, w.Close())
	return b.Bytes()
}

var row = map[string]any{"a b": 7, "date": 3, "m": []any{map[string]any{"k": 1, "v": "x"}, map[string]any{"k": 2, "v": nil}}, "other": "?"}

// TestRows reads rows by field ids, of every codec.
func TestRows(t *testing.T) {
	for _, codec := range []ocf.Codec{nil, ocf.DeflateCodec(1), ocf.SnappyCodec(), ocf.MustZstdCodec(nil, nil)} {
		r, err := avrofile.Open(write(t, schema, codec, row, row), func(id int) (string, bool) { return avrofile.Name(id), id != 1 }, nil)
		require.NoError(t, err)
		require.Equal(t, map[int]bool{1: true, 2: true, 3: true}, r.Columns())
		for range 2 {
			var got map[string]any
			require.NoError(t, r.Decode(&got))
			entry := func(key int32, value any) any { return map[string]any{"key": key, "value": value} }
			require.Equal(t, map[string]any{"f2": int32(3), "f3": []any{entry(1, "x"), entry(2, nil)}}, got)
		}
		require.ErrorIs(t, r.Decode(new(any)), io.EOF)
		require.NoError(t, r.Close())
	}
}

// TestAssignedIDs gives ids to a file that has none.
func TestAssignedIDs(t *testing.T) {
	without := slices.Concat([]byte(schema)[:0:0], bytes.ReplaceAll([]byte(schema), []byte(`"field-id"`), []byte(`"id"`)))
	ids := map[string]int{"a b/0": 11, "m/2": 12, "m/element/k/2": 13}
	r, err := avrofile.Open(write(t, string(without), nil, row), func(id int) (string, bool) { return avrofile.Name(id), true }, func(path []string, column int) int {
		return ids[string(bytes.Join(toBytes(path), []byte("/")))+"/"+strconv.Itoa(column)]
	})
	require.NoError(t, err)
	require.Equal(t, map[int]bool{11: true, 12: true}, r.Columns())
	var got map[string]any
	require.NoError(t, r.Decode(&got))
	require.Equal(t, int32(7), got["f11"])
}

func toBytes(list []string) [][]byte {
	var out [][]byte
	for _, s := range list {
		out = append(out, []byte(s))
	}
	return out
}

// TestDamage cuts a file everywhere and claims rows that a block can't have.
func TestDamage(t *testing.T) {
	keep := func(id int) (string, bool) { return avrofile.Name(id), true }
	whole := write(t, schema, nil, row)
	for n := range whole {
		r, err := avrofile.Open(whole[:n], keep, nil)
		if err == nil {
			err = r.Decode(new(any))
		}
		require.True(t, errors.Is(err, avrofile.ErrFormat) || errors.Is(err, io.EOF), n)
	}
	empty := write(t, `{"type": "record", "name": "r", "fields": [{"name": "n", "type": "null", "field-id": 1}]}`, nil, map[string]any{"n": nil})
	sync := empty[len(empty)-16:]
	head := bytes.Index(empty, sync) + 16
	many := append(slices.Clone(empty[:head]), binary.AppendVarint(nil, 1<<50)...)
	many = append(append(many, 0), sync...)
	r, err := avrofile.Open(many, keep, nil)
	require.NoError(t, err)
	require.ErrorIs(t, r.Decode(new(any)), avrofile.ErrFormat)
}

// TestKind reads files of several schemas as one kind, several at a time.
func TestKind(t *testing.T) {
	kind := avrofile.NewKind(func(id int) (string, bool) { return avrofile.Name(id), id == 2 })
	var files [][]byte
	for _, s := range []string{schema, strings.Replace(schema, `"other"`, `"another"`, 1), strings.Replace(schema, `{"type": "int", "logicalType": "date"}`, `"long"`, 1)} {
		other := maps.Clone(row)
		other["another"] = "!"
		files = append(files, write(t, s, nil, other))
	}
	var wg sync.WaitGroup
	for i := range 30 {
		wg.Go(func() {
			r, err := kind.Open(files[i%len(files)])
			if !assert.NoError(t, err) {
				return
			}
			var got map[string]any
			assert.NoError(t, r.Decode(&got))
			assert.EqualValues(t, 3, got["f2"])
			assert.Len(t, got, 1)
			assert.Equal(t, i%len(files) == 2, reflect.TypeOf(got["f2"]).Kind() == reflect.Int64)
		})
	}
	wg.Wait()
	_, err := kind.Open([]byte("Obj\x01"))
	require.ErrorIs(t, err, avrofile.ErrFormat)
}
