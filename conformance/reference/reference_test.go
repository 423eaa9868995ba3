package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/conformance/sharedtest"
	"github.com/tarndb/tarn/sql/eval"
)

// TestReferenceIsFresh compares the file with the tables.
func TestReferenceIsFresh(t *testing.T) {
	var want strings.Builder
	write(&want)
	got, err := os.ReadFile(filepath.Join(sharedtest.ModuleRoot(t), target))
	require.NoError(t, err)
	require.True(t, want.String() == string(got), "run: go run ./conformance/reference")
}

// TestReferenceIsComplete asks for a row of everything that can be called.
func TestReferenceIsComplete(t *testing.T) {
	var b strings.Builder
	write(&b)
	for _, list := range [][]*eval.Function{eval.Functions(), eval.AggregateFunctions(), eval.WindowFunctions(), eval.TableFunctions()} {
		for _, f := range list {
			require.Contains(t, b.String(), "| "+written(f.Name), f.Name)
			require.NotEmpty(t, f.Doc, f.Name)
			require.NotEmpty(t, f.Signatures, f.Name)
		}
	}
}
