package delta

import (
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/delta/internal/action"
	"github.com/tarndb/tarn/storage/delta/internal/partition"
	"github.com/tarndb/tarn/storage/delta/internal/schemajson"
)

// tableMetadata is a metaData action, understood. It never changes and is
// shared by the snapshots from one change of it to the next.
type tableMetadata struct {
	action  *action.Metadata
	mapping schemajson.Mapping
	columns []schemajson.Column
	schema  types.Schema
	// partition lists the partition columns by position in schema, in
	// partition order.
	partition []int
}

// newTableMetadata understands a metaData action under a protocol.
func (t *Table) newTableMetadata(a *action.Metadata, p Protocol) (*tableMetadata, error) {
	m := &tableMetadata{action: a, mapping: schemajson.ByDisplayName}
	if a.Format.Provider != "" && a.Format.Provider != "parquet" {
		return nil, &storage.UnsupportedFeature{Table: t.name.String(), Feature: "data files in " + a.Format.Provider}
	}
	if p.mapsColumns() {
		switch mode := schemajson.Mapping(a.Configuration["delta.columnMapping.mode"]); mode {
		case "", schemajson.ByDisplayName:
		case schemajson.ByName, schemajson.ByID:
			m.mapping = mode
		default:
			return nil, &storage.UnsupportedFeature{Table: t.name.String(), Feature: "column mapping mode " + string(mode)}
		}
	}
	schema, err := schemajson.Parse(a.SchemaString, m.mapping)
	var unknown *schemajson.UnknownType
	if errors.As(err, &unknown) {
		return nil, &storage.UnsupportedFeature{Table: t.name.String(), Feature: "type " + unknown.Name}
	}
	if err != nil {
		return nil, t.corruptMetadata("its schema can't be read", err)
	}
	// Columns of type void are in no file (protocol, "Void Type"), and the
	// reference implementation shows none of them.
	schema.Columns = slices.DeleteFunc(schema.Columns, func(c schemajson.Column) bool { return c.Logical.Type.Kind == types.Void })
	m.columns, m.schema = schema.Columns, schema.Logical()
	for _, name := range a.PartitionColumns {
		i := m.schema.Index(name)
		if i < 0 {
			return nil, t.corruptMetadata("partition column "+types.QuoteIdent(name)+" is not in the schema", nil)
		}
		m.partition = append(m.partition, i)
	}
	return m, nil
}

func (t *Table) corruptMetadata(reason string, cause error) error {
	return &storage.CorruptTable{Path: t.storePath(LogDir), Offset: -1, Reason: "metadata of table " + t.name.String() + ": " + reason, Cause: cause}
}

// tuple gives a file's partition values, typed and in partition order. A value
// that the file lacks is NULL.
func (m *tableMetadata) tuple(values []action.PartitionValue) ([]any, error) {
	if len(m.partition) == 0 {
		return nil, nil
	}
	tuple := make([]any, len(m.partition))
	for i, c := range m.partition {
		column := &m.columns[c]
		at := slices.IndexFunc(values, func(v action.PartitionValue) bool { return v.Column == column.Physical.Name })
		if at < 0 {
			at = slices.IndexFunc(values, func(v action.PartitionValue) bool { return strings.EqualFold(v.Column, column.Physical.Name) })
		}
		if at < 0 || values[at].IsNull {
			continue
		}
		var err error
		if tuple[i], err = partition.Parse(column.Physical.Type, values[at].Value); err != nil {
			return nil, err
		}
	}
	return tuple, nil
}

// isPartition tells whether a column, by position in the schema, is a
// partition column.
func (m *tableMetadata) isPartition(column int) bool { return slices.Contains(m.partition, column) }

// partitionNames are the names of the partition columns as the schema spells
// them.
func (m *tableMetadata) partitionNames() []string {
	names := make([]string, len(m.partition))
	for i, c := range m.partition {
		names[i] = m.schema.Fields[c].Name
	}
	return names
}

// property gives a table property, whose names are compared without case.
func (m *tableMetadata) property(name string) string {
	if v, ok := m.action.Configuration[name]; ok {
		return v
	}
	for k, v := range m.action.Configuration {
		if strings.EqualFold(k, name) {
			return v
		}
	}
	return ""
}

// isTrue tells whether a Boolean table property is set.
func (m *tableMetadata) isTrue(name string) bool { return strings.EqualFold(m.property(name), "true") }

// constraintPrefix starts the properties that are CHECK constraints (protocol,
// "CHECK Constraints").
const constraintPrefix = "delta.constraints."

// writeRules are the rules of the table as text.
func (m *tableMetadata) writeRules() []types.WriteRule {
	var rules []types.WriteRule
	for _, key := range slices.Sorted(maps.Keys(m.action.Configuration)) {
		if name, ok := strings.CutPrefix(key, constraintPrefix); ok {
			rules = append(rules, types.WriteRule{Kind: types.RuleCheck, Name: name, Text: m.action.Configuration[key]})
		}
	}
	for _, c := range m.columns {
		if c.Logical.Default != "" {
			rules = append(rules, types.WriteRule{Kind: types.RuleDefault, Column: c.Logical.Name, Text: c.Logical.Default})
		}
		if c.Rules.Generated != "" {
			rules = append(rules, types.WriteRule{Kind: types.RuleGenerated, Column: c.Logical.Name, Text: c.Rules.Generated})
		}
	}
	return rules
}
