package iceberg

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/conformance/sharedtest"
)

// forTables runs a test with the package's own tables and with the golden ones,
// by the files whose names end in a suffix.
func forTables(t *testing.T, suffix string, test func(t *testing.T, files []string)) {
	run := func(t *testing.T, root string) {
		var files []string
		require.NoError(t, filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
			if err == nil && strings.HasSuffix(path, suffix) {
				files = append(files, path)
			}
			return err
		}))
		require.NotEmpty(t, files)
		test(t, files)
	}
	t.Run("own", func(t *testing.T) { run(t, "testdata") })
	t.Run("golden", func(t *testing.T) { run(t, sharedtest.Path(t, "golden", "iceberg")) })
}

// TestMetadataRoundTrip writes what was read of all metadata files: what the
// file says is there again, and what is read of that is equal.
func TestMetadataRoundTrip(t *testing.T) {
	forTables(t, ".metadata.json", requireMetadataRoundTrips)
}

func requireMetadataRoundTrips(t *testing.T, files []string) {
	for _, file := range files {
		body, err := os.ReadFile(file)
		require.NoError(t, err)
		if bytes.HasPrefix(body, []byte{0x1f, 0x8b}) {
			z, err := gzip.NewReader(bytes.NewReader(body))
			require.NoError(t, err)
			body, err = io.ReadAll(z)
			require.NoError(t, err)
		}
		m, err := ParseTableMetadata(body)
		require.NoError(t, err, file)
		out, err := m.encode()
		require.NoError(t, err, file)
		require.Equal(t, metadataDocument(t, body), metadataDocument(t, out), file)
		again, err := ParseTableMetadata(out)
		require.NoError(t, err, file)
		twice, err := again.encode()
		require.NoError(t, err)
		require.Equal(t, string(out), string(twice), file)
	}
}

// metadataDocument gives a metadata file without what is empty.
func metadataDocument(t *testing.T, body []byte) map[string]any {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	var doc map[string]any
	require.NoError(t, d.Decode(&doc))
	if id, ok := doc["current-snapshot-id"].(json.Number); ok && id == "-1" {
		doc["current-snapshot-id"] = nil
	}
	return withoutEmpty(doc).(map[string]any)
}

func withoutEmpty(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key, member := range v {
			member = withoutEmpty(member)
			list, isList := member.([]any)
			object, isObject := member.(map[string]any)
			if member == nil || isList && len(list) == 0 || isObject && len(object) == 0 {
				delete(v, key)
			}
		}
	case []any:
		for _, e := range v {
			withoutEmpty(e)
		}
	}
	return v
}

// TestMetadataKeepsTheUnknown keeps what a later version of the spec, or another
// engine, has put in.
func TestMetadataKeepsTheUnknown(t *testing.T) {
	text := `{"format-version":3,"location":"/t","last-sequence-number":0,"last-updated-ms":1,"last-column-id":9,"current-schema-id":0,
		"schemas":[{"type":"struct","schema-id":0,"identifier-field-ids":[1],"fields":[{"id":1,"name":"a <b>","required":true,"type":"long","doc":"d & e"},
		{"id":2,"name":"s","required":false,"type":{"type":"struct","fields":[
			{"id":3,"name":"d","required":false,"type":"decimal(9, 2)","initial-default":"1.50","write-default":"-2.00"}]}},
		{"id":4,"name":"l","required":false,"type":{"type":"list","element-id":5,"element":"date","element-required":true},"initial-default":["2024-02-29"]},
		{"id":6,"name":"m","required":false,"type":{"type":"map","key-id":7,"key":"string","value-id":8,"value":"float","value-required":false},
			"write-default":{"keys":["k"],"values":[1.25]}}]}],
		"default-spec-id":1,"last-partition-id":1001,"partition-specs":[{"spec-id":1,"fields":[
			{"source-id":1,"field-id":1000,"name":"p","transform":"Future[3]"},{"source-ids":[1,2],"field-id":1001,"name":"q","transform":"bucket[4]"}]}],
		"default-sort-order-id":5,"sort-orders":[{"order-id":5,"fields":[{"transform":"identity","source-id":1,"direction":"asc","null-order":"nulls-first"}]}],
		"properties":{"a":"<>&"},"next-row-id":7,"encryption-keys":[{"key-id":"k","encrypted-key-metadata":"AAA="}],
		"statistics":[{"snapshot-id":1,"statistics-path":"/s","blob-metadata":[{"type":"x"}]}],"partition-statistics":[{"snapshot-id":1}]}`
	m, err := ParseTableMetadata([]byte(text))
	require.NoError(t, err)
	out, err := m.encode()
	require.NoError(t, err)
	require.Equal(t, metadataDocument(t, []byte(text)), metadataDocument(t, out))
	require.Contains(t, string(out), "a <b>")
}

// TestCompressedMetadata reads what is written with gzip.
func TestCompressedMetadata(t *testing.T) {
	body, err := os.ReadFile("testdata/events/metadata/v1.metadata.json")
	require.NoError(t, err)
	want, err := ParseTableMetadata(body)
	require.NoError(t, err)
	packed, err := compressed(body)
	require.NoError(t, err)
	got, err := ParseTableMetadata(packed)
	require.NoError(t, err)
	require.Equal(t, want, got)
}

// TestJSONValues writes what was read of a value of every type.
func TestJSONValues(t *testing.T) {
	for name, text := range map[string]string{
		"boolean": "true", "int": "-3", "long": "9007199254740993", "float": "0.1", "double": "1e+300", "decimal(38, 5)": `"-12345678901234567890.00001"`,
		"date": `"0001-01-01"`, "time": `"23:59:59.999999"`, "timestamp": `"1969-12-31T23:59:59.999999"`, "timestamptz": `"2024-02-29T00:00:00+00:00"`,
		"timestamp_ns": `"2024-02-29T01:02:03.123456789"`, "timestamptz_ns": `"2024-02-29T01:02:03.000000001+00:00"`, "string": `"\"<é>"`,
		"uuid": `"f79c3e09-677c-4bbd-a479-3f349cb785e7"`, "fixed[2]": `"00ff"`, "binary": `""`,
	} {
		kind, err := parsePrimitive(name)
		require.NoError(t, err)
		v, err := (&Schema{}).parseJSONValue(kind, []byte(text))
		require.NoError(t, err, name)
		out, err := jsonValue(kind, v)
		require.NoError(t, err, name)
		require.Equal(t, text, string(out), name)
		own, err := primitiveName(kind)
		require.NoError(t, err)
		require.Equal(t, name, own)
	}
}
