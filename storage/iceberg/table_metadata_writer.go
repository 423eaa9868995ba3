package iceberg

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/storage"
)

// noSnapshot is the current snapshot of a table without one, as older readers
// want it.
const noSnapshot = -1

// encode gives the content of a metadata file (spec, Appendix C, "Table Metadata
// and Snapshots"). Equal metadata gives equal bytes.
func (m *TableMetadata) encode() ([]byte, error) {
	schema, spec := m.schema(m.CurrentSchemaID), m.spec(m.DefaultSpecID)
	if schema == nil || spec == nil {
		return nil, fmt.Errorf("encode metadata of %s: schema %d or partition spec %d is missing", m.Location, m.CurrentSchemaID, m.DefaultSpecID)
	}
	j := &metadataJSON{FormatVersion: m.FormatVersion, UUID: m.UUID, Location: m.Location, LastUpdatedMillis: m.LastUpdatedMillis,
		LastColumnID: m.LastColumnID, Schemas: m.Schemas, CurrentSchemaID: &m.CurrentSchemaID, PartitionSpecs: m.Specs, DefaultSpecID: &m.DefaultSpecID,
		LastPartitionID: &m.LastPartitionID, Properties: m.Properties, CurrentSnapshotID: m.CurrentSnapshotID, Snapshots: listed(m.Snapshots),
		SnapshotLog: listed(m.SnapshotLog), MetadataLog: listed(m.MetadataLog), SortOrders: m.SortOrders, DefaultSortOrderID: m.DefaultSortOrderID,
		Refs: m.Refs, Statistics: m.Statistics, PartitionStats: m.PartitionStats, EncryptionKeys: m.EncryptionKeys}
	if m.FormatVersion == 1 { // for readers that know only one schema and spec
		j.Schema, j.PartitionSpec = schema, &spec.Fields
	} else {
		j.LastSequenceNumber = &m.LastSequenceNumber
	}
	if m.FormatVersion >= 3 {
		j.NextRowID = &m.NextRowID
	} else if j.CurrentSnapshotID == nil {
		none := int64(noSnapshot)
		j.CurrentSnapshotID = &none
	}
	if j.SortOrders == nil {
		j.SortOrders = unsorted
	}
	if j.Properties == nil {
		j.Properties = map[string]string{}
	}
	if j.Refs == nil {
		j.Refs = map[string]SnapshotRef{}
	}
	return marshal(j)
}

// marshal writes JSON with all characters as they are.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// listed is a list that JSON has as [] if it is empty.
func listed[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// MarshalJSON writes a schema object (spec, Appendix C, "Schemas").
func (s *Schema) MarshalJSON() ([]byte, error) {
	fields, err := s.fieldsJSON(s.Fields)
	if err != nil {
		return nil, fmt.Errorf("schema %d: %w", s.ID, err)
	}
	return marshal(typeJSON{Type: "struct", SchemaID: &s.ID, IdentifierFieldIDs: s.IdentifierFieldIDs, Fields: &fields})
}

func (s *Schema) fieldsJSON(fields []types.Field) ([]fieldJSON, error) {
	out := make([]fieldJSON, len(fields))
	for i, f := range fields {
		j := fieldJSON{ID: int(f.ID), Name: f.Name, Required: !f.Nullable, Doc: f.Comment}
		var err error
		if j.Type, err = s.typeJSON(f.Type); err == nil {
			j.InitialDefault, err = s.defaultJSON(f, s.initial)
		}
		if err == nil {
			j.WriteDefault, err = s.defaultJSON(f, s.write)
		}
		if err != nil {
			return nil, fmt.Errorf("field %q: %w", f.Name, err)
		}
		out[i] = j
	}
	return out, nil
}

// defaultJSON writes a default value of a field, nil if it has none.
func (s *Schema) defaultJSON(f types.Field, defaults map[types.FieldID]any) (json.RawMessage, error) {
	v, ok := defaults[f.ID]
	if !ok {
		return nil, nil
	}
	return jsonValue(f.Type, v)
}

func (s *Schema) typeJSON(t types.Type) (json.RawMessage, error) {
	j := typeJSON{}
	var err error
	switch t.Kind {
	case types.Struct:
		j.Type = "struct"
		var fields []fieldJSON
		fields, err = s.fieldsJSON(t.Fields)
		j.Fields = &fields
	case types.Array:
		required := !t.Elem.Nullable
		j.Type, j.ElementID, j.ElementRequired = "list", int(t.Elem.ID), &required
		j.Element, err = s.typeJSON(t.Elem.Type)
	case types.Map:
		required := !t.Elem.Nullable
		j.Type, j.KeyID, j.ValueID, j.ValueRequired = "map", int(t.Key.ID), int(t.Elem.ID), &required
		if j.Key, err = s.typeJSON(t.Key.Type); err == nil {
			j.Value, err = s.typeJSON(t.Elem.Type)
		}
	default:
		name, err := primitiveName(t)
		if err != nil {
			return nil, err
		}
		return strconv.AppendQuote(nil, name), nil
	}
	if err != nil {
		return nil, err
	}
	return marshal(j)
}

// primitiveName is the inverse of parsePrimitive.
func primitiveName(t types.Type) (string, error) {
	switch t.Kind {
	case types.Decimal:
		return fmt.Sprintf("decimal(%d, %d)", t.Precision, t.Scale), nil
	case types.Fixed:
		return fmt.Sprintf("fixed[%d]", t.Length), nil
	}
	for name, kind := range primitives {
		if kind == t.Kind {
			return name, nil
		}
	}
	return "", &storage.UnsupportedFeature{Feature: "type " + t.String(), Writing: true}
}
