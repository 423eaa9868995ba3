package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestUpsert(t *testing.T) {
	var out strings.Builder
	require.NoError(t, run(t.Context(), &out, t.TempDir()))
	require.Equal(t, `After changes 1 to 3, which added rows: 2, keys to delete: 2
  1 ada    12.00
  2 bob     5.50
After changes 4 to 7, which added rows: 2, keys to delete: 3
  1 ada    12.50
  3 cleo    9.00
After changes 8 to 9, which added rows: 2, keys to delete: 2
  1 ada     0.10
  2 bob     1.00
  3 cleo    9.00
`, out.String())
}
