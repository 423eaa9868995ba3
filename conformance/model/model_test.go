package main

import (
	"io"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestModel makes a few steps on each kind of table.
func TestModel(t *testing.T) {
	for i, c := range configs() {
		t.Run(c.String(), func(t *testing.T) {
			t.Parallel()
			_, err := runTable(t.Context(), c, uint64(100+i), 40, t.TempDir(), io.Discard)
			require.NoError(t, err)
		})
	}
}
