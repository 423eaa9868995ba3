package parquet

import (
	"strings"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/sql/vector"
)

// resolver finds the wanted columns in a file.
type resolver struct {
	file *File
	byID bool
	// defaults are ReadOptions.Defaults.
	defaults map[types.FieldID]*vector.Vector
}

// find gives the field of the file that a wanted field is; nil if it has none.
// Fields are told apart by id if that is how the table maps columns, else by
// name: the exact spelling, then any case.
func (r resolver) find(fields []*shape, want types.Field) *shape {
	if r.byID && want.ID != 0 {
		for _, s := range fields {
			if s.field.ID == want.ID {
				return s
			}
		}
		return nil
	}
	for _, s := range fields {
		if s.field.Name == want.Name {
			return s
		}
	}
	for _, s := range fields {
		if strings.EqualFold(s.field.Name, want.Name) {
			return s
		}
	}
	return nil
}

// column makes the reader of a wanted column.
func (r resolver) column(want types.Field) (column, error) {
	s := r.find(r.file.fields, want)
	if s == nil || s.isAlwaysNull() || want.Type.Kind == types.Void {
		return newNullColumn(want.Type), nil
	}
	if s.kind == shapeLeaf && s.leaf.maxRep == 0 && s.leaf.maxDef <= 1 {
		p, err := r.pages(s, want)
		if err != nil {
			return nil, err
		}
		return newFlatColumn(p), nil
	}
	return r.nested(s, want)
}

func (s *shape) isAlwaysNull() bool { return s.kind == shapeLeaf && s.leaf.source.kind == sourceNull }

// pages makes the page reader of a leaf, if its type can be read as wanted.
func (r resolver) pages(s *shape, want types.Field) (*pages, error) {
	if s.kind != shapeLeaf || want.Type.Kind == types.Variant {
		return nil, mismatch(r.file.path, want.Name, s.field.Type, want.Type)
	}
	if s.leaf.source.kind == sourceUnknown {
		return nil, unsupported(r.file.path, "physical type of column "+s.leaf.name)
	}
	convert, sameBytes := newConverter(s.leaf, want.Type)
	if convert == nil && !sameBytes {
		return nil, mismatch(r.file.path, want.Name, s.field.Type, want.Type)
	}
	return newPages(r.file.path, s.leaf, want.Type, convert), nil
}
