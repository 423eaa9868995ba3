package iceberg

import (
	"encoding/json"
	"slices"

	"github.com/tarndb/tarn/sql/types"
)

// nameMappingProperty is the property that has a table's name mapping.
const nameMappingProperty = "schema.name-mapping.default"

// nameMapping gives field ids to the columns of files that have none (spec,
// "Column Projection", Appendix C, "Name Mapping Serialization").
type nameMapping struct {
	fields []fieldMapping
}

type fieldMapping struct {
	FieldID types.FieldID  `json:"field-id"`
	Names   []string       `json:"names"`
	Fields  []fieldMapping `json:"fields"`
}

// nameMapping reads the table's mapping. A table without one was written by
// engines that give ids; files without them are taken to have the columns of the
// first schema in their order, as the reference implementation does.
func (s *Snapshot) nameMapping() (*nameMapping, error) {
	text, ok := s.metadata.Properties[nameMappingProperty]
	if !ok {
		return &nameMapping{}, nil
	}
	n := &nameMapping{fields: []fieldMapping{}}
	err := json.Unmarshal([]byte(text), &n.fields)
	return n, s.table.blame(s.table.path(MetadataDir), "property "+nameMappingProperty, err)
}

// fieldID gives the id of a field of a file by the names on the way to it and
// the place of its column in the file; 0 for a field that the table doesn't
// have. Elements, keys and values have those names.
func (n *nameMapping) fieldID(path []string, column int) types.FieldID {
	if n.fields == nil {
		if len(path) == 1 {
			return types.FieldID(column + 1)
		}
		return 0
	}
	fields := n.fields
	for i, name := range path {
		at := slices.IndexFunc(fields, func(f fieldMapping) bool { return slices.Contains(f.Names, name) })
		if at < 0 {
			return 0
		}
		if i == len(path)-1 {
			return fields[at].FieldID
		}
		fields = fields[at].Fields
	}
	return 0
}
