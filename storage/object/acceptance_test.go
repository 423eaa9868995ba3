package object_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/storage/object"
	"github.com/tarndb/tarn/storage/object/objecttest"
)

func newFile(t *testing.T) *object.FileStore {
	store, err := object.NewFileStore(filepath.Join(t.TempDir(), "root"))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, store.Close()) })
	return store
}

func TestFile(t *testing.T) {
	objecttest.AcceptanceTest(t, func(t *testing.T) object.Store { return newFile(t) })
}

func TestMemory(t *testing.T) {
	objecttest.AcceptanceTest(t, func(t *testing.T) object.Store { return object.NewMemory("test") })
}

// TestWrappers checks that wrappers without rules change nothing, one on the
// other.
func TestWrappers(t *testing.T) {
	objecttest.AcceptanceTest(t, func(t *testing.T) object.Store {
		return object.NewTrace(object.NewFault(object.NewTrace(object.NewMemory("test"))))
	})
}
