package scanning

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/storage"
)

// TestTasksOfFiles: the tasks of a file follow each other up to its end, and are not
// more than there is memory for, whatever metadata says of its size.
func TestTasksOfFiles(t *testing.T) {
	for _, c := range []struct {
		size  int64
		whole bool
		tasks int
	}{
		{-1, false, 1}, {0, false, 1}, {1, false, 1}, {SplitBytes, false, 1}, {SplitBytes + 1, false, 2}, {3 * SplitBytes, false, 3},
		{3 * SplitBytes, true, 1}, {maxSplits * SplitBytes, false, maxSplits}, {1 << 60, false, maxSplits}, {math.MaxInt64, false, maxSplits}, {math.MaxInt64, true, 1},
	} {
		var s Scan
		s.Plan(&Request{}, storage.ScanSummary{}, 1, func(int) (storage.DataFile, bool) { return storage.DataFile{SizeBytes: c.size}, c.whole })
		require.LessOrEqual(t, len(s.tasks), c.tasks, c.size)
		require.Greater(t, len(s.tasks), c.tasks/2, c.size)
		var end int64
		for _, task := range s.tasks {
			require.Equal(t, end, task.Offset)
			end += task.Length
		}
		require.Equal(t, c.size, end)
	}
}
