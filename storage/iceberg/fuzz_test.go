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

// FuzzTableMetadata reads damaged metadata files.
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
	})
}

// FuzzManifests reads damaged manifest lists and manifests.
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
			newDeleteFileIndex(m, files)
		}
	})
}
