package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/conformance/sharedtest"
)

// TestMutantsNameTests checks that the test that each patch names is there.
func TestMutantsNameTests(t *testing.T) {
	root := sharedtest.ModuleRoot(t)
	mutants, err := loadMutants(root, nil)
	require.NoError(t, err)
	require.GreaterOrEqual(t, len(mutants), 100)
	for _, m := range mutants {
		files, err := filepath.Glob(filepath.Join(root, m.pkg, "*_test.go"))
		require.NoError(t, err)
		top, _, _ := strings.Cut(m.test, "/")
		found := false
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			found = found || strings.Contains(string(text), "\nfunc "+top+"(")
		}
		require.True(t, found, "%s: %s has no test %s", m.name, m.pkg, m.test)
	}
}

func TestFailedTest(t *testing.T) {
	for _, c := range []struct{ output, want string }{
		{"--- FAIL: TestA (0.00s)\n    a_test.go:1: wrong\n", "TestA"},
		{"--- FAIL: TestA (0.00s)\n    --- FAIL: TestA/b (0.00s)\n        --- FAIL: TestA/b/c (0.00s)\n    --- FAIL: TestA/d (0.00s)\n", "TestA/b/c"},
		{"panic: test timed out after 1s\n\trunning tests:\n\t\tTestA (1s)\n", "TestA, which does not end"},
		{"fatal error: all goroutines are asleep\n", "a crash"},
	} {
		require.Equal(t, c.want, failedTest(c.output))
	}
}

func TestPatterns(t *testing.T) {
	mutants := []mutant{{pkg: "./a", test: "TestX/sub"}, {pkg: "./a", test: "TestX"}, {pkg: "./a", test: "TestY"}, {pkg: "./b", test: "TestX"}, {pkg: "./b"}}
	require.Equal(t, map[string]string{"./a": "^(TestX|TestY)$", "./b": ""}, testsOf(mutants))
	require.Equal(t, "^TestX$/^a\\.b$", (&mutant{test: "TestX/a.b"}).pattern())
	require.Empty(t, (&mutant{}).pattern())
}
