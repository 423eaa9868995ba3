package main

import (
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
	for _, c := range []struct {
		m     mutant
		found bool
	}{
		{mutant{pkg: "./conformance"}, true},
		{mutant{pkg: "./conformance", test: "TestScripts"}, true},
		{mutant{pkg: "./conformance", test: "TestScripts/memory/joins.test"}, true},
		{mutant{pkg: "./conformance", test: "TestScripts/memory/joins"}, false},
		{mutant{pkg: "./conformance", test: "TestScript"}, false},
		{mutant{pkg: "./exec", test: "TestScripts/memory/joins.test"}, false},
		{mutant{pkg: "./nosuch", test: "TestScripts"}, false},
	} {
		if err := c.m.findTest(root); c.found {
			require.NoError(t, err, c.m.test)
		} else {
			require.ErrorContains(t, err, "has no test "+c.m.test)
		}
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
