package exec

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/tarndb/tarn/storage"
)

// dividedScan has tasks with rows, which may be divided by 100 rows a part.
type dividedScan struct {
	storage.Scan
	rows []int64
}

func (s dividedScan) Tasks() []storage.ScanTask {
	var out []storage.ScanTask
	for _, n := range s.rows {
		out = append(out, storage.ScanTask{File: storage.DataFile{Records: n}})
	}
	return out
}

func (s dividedScan) Divides(t storage.ScanTask, parts int) bool {
	return t.File.Records >= int64(parts)*100
}

func (s dividedScan) Open(context.Context, storage.ScanTask) (storage.BatchReader, error) {
	return nil, nil
}

// TestDivided: tasks are divided where there are few, and no smaller than they
// are worth.
func TestDivided(t *testing.T) {
	for _, c := range []struct {
		rows    []int64
		workers int
		parts   []int // of each task that comes out
	}{
		{[]int64{1000}, 1, []int{0}},
		{[]int64{1000}, 2, []int{8, 8, 8, 8, 8, 8, 8, 8}},
		{[]int64{250, 90}, 2, []int{2, 2, 0}},
		{[]int64{1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000}, 2, []int{0, 0, 0, 0, 0, 0, 0, 0}},
		{nil, 2, nil},
	} {
		var parts []int
		shares := map[int]bool{}
		for _, task := range divided(dividedScan{rows: c.rows}, c.workers) {
			parts = append(parts, task.Parts)
			shares[task.Part] = true
		}
		require.Equal(t, c.parts, parts)
		if len(c.parts) > 0 {
			require.Len(t, shares, max(1, c.parts[0]))
		}
	}
}
