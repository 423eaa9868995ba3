package object_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/storage/object"
)

// TestVolumes reads a file by its absolute path.
func TestVolumes(t *testing.T) {
	local := filepath.Join(t.TempDir(), "a b%20c")
	require.NoError(t, os.WriteFile(local, []byte("x"), 0o600))
	var volumes object.Volumes
	for range 2 {
		store, path, err := volumes.Resolve(filepath.ToSlash(local))
		require.NoError(t, err)
		body, err := store.Get(t.Context(), path)
		require.NoError(t, err)
		require.Equal(t, "x", string(body))
	}
	for _, bad := range []string{"/", "/a/\x00", "/.tmp-00000000-0000-0000-0000-000000000000"} {
		_, _, err := volumes.Resolve(bad)
		require.ErrorIs(t, err, object.ErrInvalidPath, bad)
	}
}
