package iceberg

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"slices"

	"github.com/tarndb/tarn/sql/types"
)

// firstPartitionFieldID is what ids of partition fields begin with (spec,
// "Partition Evolution").
const firstPartitionFieldID = 1000

// PartitionSpec says how partition values are made of columns (spec,
// "Partitioning").
type PartitionSpec struct {
	ID     int
	Fields []PartitionField
}

// PartitionField is one value of a partition tuple.
type PartitionField struct {
	SourceIDs []types.FieldID // one, but for transforms of several arguments
	ID        int
	Name      string
	Transform Transform
}

// partitionFieldJSON is a partition field (spec, Appendix C, "Partition Specs").
type partitionFieldJSON struct {
	SourceID  types.FieldID   `json:"source-id,omitempty"`
	SourceIDs []types.FieldID `json:"source-ids,omitempty"`
	FieldID   int             `json:"field-id"`
	Name      string          `json:"name"`
	Transform string          `json:"transform"`
}

type partitionSpecJSON struct {
	SpecID int              `json:"spec-id"`
	Fields []PartitionField `json:"fields"`
}

// UnmarshalJSON reads a partition spec object.
func (p *PartitionSpec) UnmarshalJSON(b []byte) error {
	var j partitionSpecJSON
	if err := json.Unmarshal(b, &j); err != nil {
		return err
	}
	*p = PartitionSpec{ID: j.SpecID, Fields: j.Fields}
	p.assignIDs()
	return nil
}

// assignIDs numbers the fields of a spec of v1, which may have no ids (spec,
// "Partition Evolution").
func (p *PartitionSpec) assignIDs() {
	for i := range p.Fields {
		if p.Fields[i].ID == 0 {
			p.Fields[i].ID = firstPartitionFieldID + i
		}
	}
}

// UnmarshalJSON reads a partition field.
func (f *PartitionField) UnmarshalJSON(b []byte) error {
	var j partitionFieldJSON
	if err := json.Unmarshal(b, &j); err != nil {
		return err
	}
	if j.Transform == "" {
		return errors.New("a partition field has no transform")
	}
	f.ID, f.Name, f.Transform, f.SourceIDs = j.FieldID, j.Name, parseTransform(j.Transform), j.SourceIDs
	if len(f.SourceIDs) == 0 {
		f.SourceIDs = []types.FieldID{j.SourceID}
	}
	if len(f.SourceIDs) > 1 {
		f.Transform = Transform{kind: unknownTransform, text: j.Transform}
	}
	return nil
}

// MarshalJSON writes a partition field. One source is a source-id, several are
// source-ids (spec, Appendix C, "Partition Specs").
func (f PartitionField) MarshalJSON() ([]byte, error) {
	j := partitionFieldJSON{FieldID: f.ID, Name: f.Name, Transform: f.Transform.String()}
	if len(f.SourceIDs) == 1 {
		j.SourceID = f.SourceIDs[0]
	} else {
		j.SourceIDs = f.SourceIDs
	}
	return json.Marshal(j)
}

// MarshalJSON writes a partition spec object.
func (p *PartitionSpec) MarshalJSON() ([]byte, error) {
	return json.Marshal(partitionSpecJSON{SpecID: p.ID, Fields: listed(p.Fields)})
}

// isUnpartitioned reports whether files of the spec belong to no partition.
func (p *PartitionSpec) isUnpartitioned() bool {
	return !slices.ContainsFunc(p.Fields, func(f PartitionField) bool { return f.Transform.kind != voidTransform })
}

// partitionKeys are the types of a table's partition tuples, by spec.
type partitionKeys map[int][]types.Type

func newPartitionKeys(m *TableMetadata) partitionKeys {
	out := partitionKeys{}
	for _, spec := range m.Specs {
		out[spec.ID] = m.partitionTypes(spec)
	}
	return out
}

// of gives a key that is equal for files of equal partitions, and for no others
// (spec, "Scan Planning", note 3).
func (p partitionKeys) of(f *ContentFile) string {
	key := binary.AppendVarint(nil, int64(f.Spec.ID))
	for i, v := range f.Partition {
		if v == nil {
			key = append(key, 0)
			continue
		}
		b := appendSingleValue(nil, p[f.Spec.ID][i], v)
		key = append(key, 1)
		key = append(binary.AppendUvarint(key, uint64(len(b))), b...)
	}
	return string(key)
}
