package parquet

import (
	"slices"

	"github.com/tarndb/tarn/sql/types"
)

// assignIDs gives the fields ids that the footer does not have.
func (f *File) assignIDs(id func(path []string, column int) types.FieldID) {
	f.assigned = true
	var assign func(s *shape, path []string, column int)
	assign = func(s *shape, path []string, column int) {
		s.field.ID = id(path, column)
		for i, child := range s.children {
			assign(child, append(slices.Clip(path), child.field.Name), column)
			if s.kind == shapeStruct {
				s.field.Type.Fields[i].ID = child.field.ID
			}
		}
	}
	for i, s := range f.fields {
		assign(s, []string{s.field.Name}, i)
	}
}
