package delta

import (
	"context"
	"runtime"

	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage/internal/workers"
	"github.com/tarndb/tarn/storage/prune"
)

// filePruner drops files that can't have a row for which a filter is true.
type filePruner struct {
	metadata        *tableMetadata
	partitionFilter expr.Expr
	partitionAt     map[int]int // position in the tuple by column
	// dataFilter reads table columns and, by indexes after theirs, leaves: the
	// fields of structs that have statistics of their own.
	dataFilter expr.Expr
	leafAt     map[int]int // position in leaves by column index
	leaves     []statsLeaf
	paths      [][]string // of the first leaves, as many as are read
}

// statsLeaf is a column, or a field of a struct, that the data filter reads.
type statsLeaf struct {
	path     []string // physical
	t        types.Type
	wasFloat bool // it is a DOUBLE that may have been a FLOAT
}

func newFilePruner(m *tableMetadata, partitionFilter, dataFilter expr.Expr) *filePruner {
	p := &filePruner{metadata: m, partitionFilter: partitionFilter, partitionAt: map[int]int{}, leafAt: map[int]int{}}
	for i, c := range m.partition {
		p.partitionAt[c] = i
	}
	p.dataFilter = expr.ReplaceTopDown(dataFilter, p.structField)
	for _, c := range expr.Columns(p.dataFilter) {
		_, isPartition := p.partitionAt[c.Index]
		if c.Index < len(m.columns) && !isPartition {
			f := m.columns[c.Index].Physical
			p.leafAt[c.Index] = len(p.leaves)
			p.leaves = append(p.leaves, statsLeaf{path: []string{f.Name}, t: f.Type, wasFloat: m.wasFloat(c.Index, f.Type)})
		}
	}
	for _, leaf := range p.leaves[:min(len(p.leaves), maxStatsColumns)] {
		p.paths = append(p.paths, leaf.path)
	}
	return p
}

// structField makes a column of an access to a field of a struct column, at any
// depth.
func (p *filePruner) structField(e expr.Expr) (expr.Expr, bool) {
	leaf, column, ok := p.leafOf(e)
	if !ok || len(leaf.path) < 2 || leaf.t.IsNested() {
		return nil, false
	}
	leaf.wasFloat = p.metadata.wasFloat(column, leaf.t)
	index := len(p.metadata.columns) + len(p.leaves)
	p.leafAt[index] = len(p.leaves)
	p.leaves = append(p.leaves, leaf)
	return &expr.Column{Index: index, Name: leaf.path[len(leaf.path)-1], T: e.Type(), MayBeNull: true}, true
}

// wasFloat tells whether values of a type within a column may have been FLOAT
// before the column was widened (protocol, "Type Widening").
func (m *tableMetadata) wasFloat(column int, t types.Type) bool {
	return t.Kind == types.Double && m.columns[column].Rules.TypeChanged
}

// leafOf follows accesses to fields down to the column.
func (p *filePruner) leafOf(e expr.Expr) (leaf statsLeaf, column int, ok bool) {
	c, path, ok := expr.FieldPath(e)
	if !ok || c.MetaColumn || c.Index < 0 || c.Index >= len(p.metadata.columns) {
		return leaf, 0, false
	}
	if _, isPartition := p.partitionAt[c.Index]; isPartition {
		return leaf, 0, false
	}
	f := p.metadata.columns[c.Index].Physical
	leaf = statsLeaf{path: []string{f.Name}, t: f.Type}
	for _, i := range path {
		if i >= len(leaf.t.Fields) {
			return leaf, 0, false
		}
		f = leaf.t.Fields[i]
		leaf = statsLeaf{path: append(leaf.path, f.Name), t: f.Type}
	}
	return leaf, c.Index, true
}

// byPartition keeps the files whose partition values satisfy the partition
// filter. The tuples of many files are evaluated as one batch.
func (p *filePruner) byPartition(ctx context.Context, files []*activeFile, skipped *[]string) ([]*activeFile, error) {
	if p.partitionFilter == nil {
		return files, nil
	}
	program, err := eval.Compile(expr.Remap(p.partitionFilter, p.partitionAt), nil)
	if err != nil {
		return nil, err
	}
	kept := make([]*activeFile, 0, len(files))
	for from := 0; from < len(files); from += vector.BatchRows {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		chunk := files[from:min(from+vector.BatchRows, len(files))]
		selected, err := program.Filter(p.tuples(chunk))
		if err != nil {
			return nil, err
		}
		for i, f := range chunk {
			if len(selected) > 0 && int(selected[0]) == i {
				selected = selected[1:]
				kept = append(kept, f)
			} else {
				*skipped = append(*skipped, f.path)
			}
		}
	}
	return kept, nil
}

// tuples gives the partition values of files as a batch.
func (p *filePruner) tuples(files []*activeFile) *vector.Batch {
	b := vector.NewBatch(len(files))
	for i, c := range p.metadata.partition {
		builder := vector.NewBuilder(p.metadata.schema.Fields[c].Type, len(files))
		for _, f := range files {
			builder.AppendValue(f.partition[i])
		}
		b.Columns = append(b.Columns, builder.Vector())
	}
	return b
}

// filesPerWorker is how many files are worth another goroutine.
const filesPerWorker = 2048

// byStatistics keeps the files that may have a row for which the data filter
// is true.
func (p *filePruner) byStatistics(files []*activeFile, skipped *[]string) []*activeFile {
	if p.dataFilter == nil {
		return files
	}
	matches := make([]bool, len(files))
	var wait workers.Group
	parts := max(1, min(runtime.GOMAXPROCS(0), len(files)/filesPerWorker))
	for w := range parts {
		from, to := len(files)*w/parts, len(files)*(w+1)/parts
		wait.Start(func() {
			for i := from; i < to; i++ {
				matches[i] = p.mayMatch(files[i])
			}
		})
	}
	wait.Wait()
	kept := files[:0:0]
	for i, f := range files {
		if matches[i] {
			kept = append(kept, f)
		} else {
			*skipped = append(*skipped, f.path)
		}
	}
	return kept
}

// mayMatch tells whether a file may have a row for which the data filter is
// true.
func (p *filePruner) mayMatch(f *activeFile) bool {
	var stats fileStats
	if len(p.paths) > 0 {
		stats = parseStats(f.add.Stats, p.paths)
	}
	return p.mayMatchRanges(func(leaf int) prune.Range {
		return stats.columnRange(leaf, p.leaves[leaf].t, p.leaves[leaf].wasFloat, f.hasExactStats())
	}, f.partition)
}
