package sharedtest

import (
	"os"
	"path/filepath"
	"testing"
)

// ModuleRoot is the directory of the module's go.mod.
func ModuleRoot(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			t.Fatal("no go.mod above the test's directory")
		}
		dir = parent
	}
}

// Path is a path below the shared test data; the test skips where that is
// absent.
func Path(t testing.TB, elem ...string) string {
	t.Helper()
	root := os.Getenv("TARN_SHARED")
	if root == "" {
		root = filepath.Join(ModuleRoot(t), "..", "shared")
	}
	path := filepath.Join(append([]string{root}, elem...)...)
	if _, err := os.Stat(path); err != nil {
		t.Skipf("shared test data is absent (%s); set TARN_SHARED", path)
	}
	return path
}
