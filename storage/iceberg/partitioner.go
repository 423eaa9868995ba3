package iceberg

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
	"github.com/tarndb/tarn/storage"
)

// partitioner makes the partition values of rows that are written.
type partitioner struct {
	spec   *PartitionSpec
	fields []partitionSource
}

// partitionSource is where a partition field's value comes from.
type partitionSource struct {
	column    int
	path      []int // within a struct column
	source    types.Type
	transform Transform
	result    types.Type
}

func newPartitioner(s *Snapshot, spec *PartitionSpec) (*partitioner, error) {
	p := &partitioner{spec: spec}
	for i, result := range s.metadata.partitionTypes(spec) {
		f := spec.Fields[i]
		if f.Transform.kind == voidTransform {
			p.fields = append(p.fields, partitionSource{column: -1, result: result})
			continue
		}
		source, path, ok := s.schema.find(f.SourceIDs[0])
		if !ok || !withinStructs(s.schema.Fields[path[0]], path[1:]) {
			return nil, fmt.Errorf("%w: partition field %s is made of no column of the schema", storage.ErrSchemaMismatch, types.QuoteIdent(f.Name))
		}
		p.fields = append(p.fields, partitionSource{path[0], path[1:], source.Type, f.Transform, result})
	}
	return p, nil
}

// positions are the places of the partition values in batches of so many
// columns to which add has added them.
func (p *partitioner) positions(width int) []int {
	out := make([]int, len(p.fields))
	for i := range out {
		out[i] = width + i
	}
	return out
}

// add gives a batch with the partition values of its rows behind its columns.
func (p *partitioner) add(b *vector.Batch) *vector.Batch {
	if len(p.fields) == 0 {
		return b
	}
	out := &vector.Batch{Columns: append(make([]*vector.Vector, 0, len(b.Columns)+len(p.fields)), b.Columns...), Len: b.Len, Sel: b.Sel}
	for _, f := range p.fields {
		out.Columns = append(out.Columns, f.values(b))
	}
	return out
}

// values are those of the field for all rows of a batch, selected or not.
func (f partitionSource) values(b *vector.Batch) *vector.Vector {
	if f.column < 0 {
		return vector.NewNull(f.result, b.Len)
	}
	v := b.Columns[f.column]
	if len(f.path) > 0 {
		v = fieldVector(v, f.path)
	}
	if f.transform.kind == identityTransform {
		return v
	}
	selected := make([]bool, b.Len)
	for k := range b.Rows() {
		selected[b.Row(k)] = true
	}
	out := vector.NewBuilder(f.result, b.Len)
	for i := range b.Len {
		if !selected[i] || v.IsNull(i) {
			out.AppendNull()
		} else if value := f.transform.apply(f.source, v.Value(i)); value == nil {
			out.AppendNull()
		} else {
			out.AppendValue(value)
		}
	}
	return out.Vector()
}

// directoryOf names the directory of a file's partition; that of the table for a
// file of another spec.
func (p *partitioner) directoryOf(f *ContentFile) string {
	if f.Spec.ID != p.spec.ID {
		return ""
	}
	return p.directory(f.Partition)
}

// directory names the directory of a partition, as other writers do: it tells
// people about the files in it and nothing else.
func (p *partitioner) directory(tuple []any) string {
	var b strings.Builder
	for i, f := range p.fields {
		text := "null"
		if shown := p.spec.Fields[i].Transform.display(f.result, tuple[i]); shown != nil {
			text = shown.(string)
		}
		b.WriteString(url.QueryEscape(p.spec.Fields[i].Name) + "=" + url.QueryEscape(text) + "/")
	}
	return b.String()
}
