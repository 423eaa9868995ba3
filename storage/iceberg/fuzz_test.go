package iceberg

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// seeds are files of the module's own tables.
func seeds(f *testing.F, pattern string) {
	files, err := filepath.Glob(filepath.Join("testdata", pattern))
	require.NoError(f, err)
	require.NotEmpty(f, files)
	for _, file := range files {
		body, err := os.ReadFile(file)
		require.NoError(f, err)
		f.Add(body)
	}
}

// FuzzTableMetadata reads damaged metadata files. What can be read of them is the
// same when it is written and read again.
func FuzzTableMetadata(f *testing.F) {
	seeds(f, "*/metadata/*.metadata.json")
	f.Fuzz(func(t *testing.T, body []byte) {
		m, err := ParseTableMetadata(body)
		if err != nil {
			return
		}
		require.NotNil(t, m.schema(m.CurrentSchemaID))
		for _, s := range m.Specs {
			require.Len(t, m.partitionTypes(s), len(s.Fields))
		}
		out, err := m.encode()
		require.NoError(t, err)
		again, err := ParseTableMetadata(out)
		require.NoError(t, err)
		twice, err := again.encode()
		require.NoError(t, err)
		require.Equal(t, string(out), string(twice))
	})
}

// FuzzManifests reads damaged manifest lists and manifests. The files of one
// can be read again after they were written, and then stay as they are.
func FuzzManifests(f *testing.F) {
	body, err := os.ReadFile("testdata/events/metadata/v4.metadata.json")
	require.NoError(f, err)
	m, err := ParseTableMetadata(body)
	require.NoError(f, err)
	seeds(f, "*/metadata/*.avro")
	f.Fuzz(func(t *testing.T, body []byte) {
		_, _ = parseManifestList(body)
		for _, content := range []manifestContent{dataManifest, deletesManifest} {
			files, err := parseManifest(body, &ManifestFile{SpecID: specInFile, content: content}, m)
			if err != nil {
				continue
			}
			_, _ = newDeleteFileIndex(m, files)
			if once, ok := rewritten(t, m, content, files); ok {
				twice, ok := rewritten(t, m, content, once)
				require.True(t, ok)
				require.Equal(t, once, twice)
			}
		}
	})
}

// rewritten gives the files of a manifest with these files; ok is false if there
// can be none, as for a deletion vector in a table of v2.
func rewritten(t *testing.T, m *TableMetadata, content manifestContent, files []*ContentFile) (again []*ContentFile, ok bool) {
	if len(files) == 0 {
		return nil, false
	}
	out, err := encodeManifest(m, m.schema(m.CurrentSchemaID), files[0].Spec, content, 0, files)
	if err != nil {
		return nil, false
	}
	again, err = parseManifest(out, &ManifestFile{SpecID: specInFile, content: content}, m)
	require.NoError(t, err)
	return again, true
}
