package delta

import (
	"context"

	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage/prune"
)

// filePruner drops files that can't have a row for which a filter is true.
type filePruner struct {
	metadata        *tableMetadata
	partitionFilter expr.Expr
	dataFilter      expr.Expr
	partitionAt     map[int]int // position in the tuple by column
	statsAt         map[int]int // position in statsNames by column
	statsNames      []string    // physical names of the columns that the data filter reads
}

func newFilePruner(m *tableMetadata, partitionFilter, dataFilter expr.Expr) *filePruner {
	p := &filePruner{metadata: m, partitionFilter: partitionFilter, dataFilter: dataFilter, partitionAt: map[int]int{}, statsAt: map[int]int{}}
	for i, c := range m.partition {
		p.partitionAt[c] = i
	}
	for _, c := range expr.Columns(dataFilter) {
		if _, ok := p.partitionAt[c.Index]; !ok {
			p.statsAt[c.Index] = len(p.statsNames)
			p.statsNames = append(p.statsNames, m.columns[c.Index].Physical.Name)
		}
	}
	return p
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

// byStatistics keeps the files that may have a row for which the data filter
// is true.
func (p *filePruner) byStatistics(files []*activeFile, skipped *[]string) []*activeFile {
	if p.dataFilter == nil {
		return files
	}
	kept := files[:0:0]
	for _, f := range files {
		if p.mayMatch(p.dataFilter, f) {
			kept = append(kept, f)
		} else {
			*skipped = append(*skipped, f.path)
		}
	}
	return kept
}

// mayMatch tells whether a file may have a row for which a filter of table
// columns is true.
func (p *filePruner) mayMatch(filter expr.Expr, f *activeFile) bool {
	var stats fileStats
	if len(p.statsNames) > 0 {
		stats = parseStats(f.add.Stats, p.statsNames)
	}
	return prune.InclusiveMetrics(filter, func(c *expr.Column) prune.Range {
		if i, ok := p.partitionAt[c.Index]; ok {
			return prune.Exactly(f.partition[i])
		}
		i, ok := p.statsAt[c.Index]
		if !ok {
			return prune.Anything()
		}
		return stats.columnRange(i, p.metadata.columns[c.Index].Physical.Type, f.knownWriter)
	})
}
