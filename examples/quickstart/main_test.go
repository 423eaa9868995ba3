package main

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestQuickstart(t *testing.T) {
	var out strings.Builder
	require.NoError(t, run(context.Background(), &out, t.TempDir()))
	for _, line := range []string{
		"files: 2 of 8 selected",
		"4 skipped by partition",
		"2 skipped by statistics",
		"Graz  5  114.60",
		"inside the transaction:         apple 15, fig 1, plum 7",
		"another connection, meanwhile:  apple 5, pear 3",
		"another connection, afterwards: apple 15, fig 1, plum 7",
		"VERSION AS OF 1 ORDER BY item   -- made by the first INSERT\n  apple 5, pear 3",
		"VERSION AS OF 1\n  -> rows changed: 2\n> SELECT item, qty FROM stock ORDER BY item\n  apple 5, pear 3",
	} {
		require.Contains(t, out.String(), line)
	}
}
