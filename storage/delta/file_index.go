package delta

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/storage/internal/workers"
	"github.com/tarndb/tarn/storage/prune"
)

// fileIndex lets scans of a snapshot find the files that a data filter wants
// without looking at each: it keeps the bounds of the columns that filters have
// asked for. A filter is first asked of blocks of files whose least values are
// neighbours, with bounds that hold for all of them, and then of the files of the
// blocks that are left.
type fileIndex struct {
	files []*activeFile // of the snapshot, in order
	bytes int64

	mu      sync.Mutex // guards columns
	columns map[string]*rangedColumn
}

// rangedColumn has the bounds of a column. It never changes.
type rangedColumn struct {
	files  []prune.Range // by ordinal of the file
	order  []int32       // ordinals by least value; those without one come first
	blocks []prune.Range // of each blockFiles of order
}

const (
	blockFiles = 64
	// leastIndexed is how many files a snapshot has that keeps bounds.
	leastIndexed = 2 * blockFiles
	// mostRangedColumns bounds what an index keeps, some 60 bytes a file each.
	mostRangedColumns = 8
)

// index gives the snapshot's index, made on first use.
func (s *Snapshot) index() *fileIndex {
	s.indexOnce.Do(func() {
		x := &fileIndex{files: make([]*activeFile, 0, s.files.Len()), columns: map[string]*rangedColumn{}}
		s.files.Ascend(func(f *activeFile) bool {
			x.bytes += f.add.Size
			x.files = append(x.files, f)
			return true
		})
		s.fileIndex = x
	})
	return s.fileIndex
}

// byStatistics is filePruner.byStatistics for all files of the index.
func (x *fileIndex) byStatistics(p *filePruner, skipped *[]string) []*activeFile {
	if p.dataFilter == nil || len(x.files) < leastIndexed || len(p.paths) < len(p.leaves) {
		return p.byStatistics(x.files, skipped)
	}
	ranged := x.rangesOf(p)
	candidates := x.candidates(p, ranged)
	*skipped = make([]string, 0, len(x.files)-len(candidates))
	kept := x.files[:0:0]
	next := 0
	for i, f := range x.files {
		if next < len(candidates) && int(candidates[next]) == i {
			next++
			if p.mayMatchRanges(func(leaf int) prune.Range { return ranged[leaf].files[i] }, f.partition) {
				kept = append(kept, f)
				continue
			}
		}
		*skipped = append(*skipped, f.path)
	}
	return kept
}

// candidates gives the ordinals of the files in the blocks that a filter wants,
// by the column that leaves the fewest.
func (x *fileIndex) candidates(p *filePruner, ranged []*rangedColumn) []int32 {
	var best []int32
	for leaf, column := range ranged {
		var some []int32
		for b, bounds := range column.blocks {
			if len(some) >= len(best) && best != nil {
				break
			}
			bound := func(l int) prune.Range {
				if l == leaf {
					return bounds
				}
				return prune.Anything()
			}
			if p.mayMatchRanges(bound, nil) {
				some = append(some, column.order[b*blockFiles:min((b+1)*blockFiles, len(column.order))]...)
			}
		}
		if best == nil || len(some) < len(best) {
			best = append([]int32{}, some...)
		}
	}
	if len(ranged) == 0 { // the filter has partition columns only
		best = make([]int32, len(x.files))
		for i := range best {
			best[i] = int32(i)
		}
	}
	slices.Sort(best)
	return best
}

// rangesOf gives the bounds of a pruner's leaves.
func (x *fileIndex) rangesOf(p *filePruner) []*rangedColumn {
	x.mu.Lock()
	defer x.mu.Unlock() // scans that need the same bounds wait for them
	out := make([]*rangedColumn, len(p.leaves))
	var missing []int
	for i, leaf := range p.leaves {
		if out[i] = x.columns[leaf.key()]; out[i] == nil {
			missing = append(missing, i)
		}
	}
	if len(missing) == 0 {
		return out
	}
	if len(x.columns)+len(missing) > mostRangedColumns {
		clear(x.columns)
	}
	for k, c := range x.readRanges(p, missing) {
		c.arrange(p.leaves[missing[k]].t)
		out[missing[k]] = c
		x.columns[p.leaves[missing[k]].key()] = c
	}
	return out
}

func (l statsLeaf) key() string {
	return fmt.Sprintf("%s\x00%s\x00%t", strings.Join(l.path, "\x00"), l.t, l.wasFloat)
}

// readRanges reads the bounds of some leaves from the statistics of all files.
func (x *fileIndex) readRanges(p *filePruner, leaves []int) []*rangedColumn {
	out := make([]*rangedColumn, len(leaves))
	paths := make([][]string, len(leaves))
	for k, leaf := range leaves {
		out[k] = &rangedColumn{files: make([]prune.Range, len(x.files))}
		paths[k] = p.leaves[leaf].path
	}
	var wait workers.Group
	parts := max(1, min(runtime.GOMAXPROCS(0), len(x.files)/filesPerWorker))
	for w := range parts {
		from, to := len(x.files)*w/parts, len(x.files)*(w+1)/parts
		wait.Start(func() {
			for i := from; i < to; i++ {
				f := x.files[i]
				stats := parseStats(f.add.Stats, paths)
				for k, leaf := range leaves {
					l := p.leaves[leaf]
					out[k].files[i] = stats.columnRange(k, l.t, l.wasFloat, f.hasExactStats())
				}
			}
		})
	}
	wait.Wait()
	return out
}

// arrange makes the blocks.
func (c *rangedColumn) arrange(t types.Type) {
	c.order = make([]int32, len(c.files))
	for i := range c.order {
		c.order[i] = int32(i)
	}
	slices.SortStableFunc(c.order, func(a, b int32) int { return compareLeast(t, c.files[a].Min, c.files[b].Min) })
	for from := 0; from < len(c.order); from += blockFiles {
		block := prune.Range{}
		for _, i := range c.order[from:min(from+blockFiles, len(c.order))] {
			block = block.Or(t, c.files[i])
		}
		c.blocks = append(c.blocks, block)
	}
}

// compareLeast orders least values, of which any may be missing.
func compareLeast(t types.Type, a, b any) int {
	if x, ok := a.(int64); ok {
		if y, ok := b.(int64); ok {
			return cmp.Compare(x, y)
		}
	}
	switch {
	case a == nil && b == nil:
		return 0
	case a == nil:
		return -1
	case b == nil:
		return 1
	}
	order, _ := types.CompareValues(t, a, b)
	return order
}

// mayMatchRanges tells whether rows within bounds of the leaves may make the data
// filter true. Without a tuple nothing is known of partition columns.
func (p *filePruner) mayMatchRanges(bounds func(leaf int) prune.Range, tuple []any) bool {
	return prune.InclusiveMetrics(p.dataFilter, func(c *expr.Column) prune.Range {
		if i, ok := p.partitionAt[c.Index]; ok && tuple != nil {
			return prune.Exactly(tuple[i])
		}
		if i, ok := p.leafAt[c.Index]; ok && i < len(p.paths) {
			return bounds(i)
		}
		return prune.Anything()
	})
}
