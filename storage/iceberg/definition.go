package iceberg

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/object"
)

const (
	// formatVersionProperty chooses the version of the spec for a new table. It is
	// not kept.
	formatVersionProperty = "format-version"
	defaultFormatVersion  = 2
)

// define gives the metadata that CREATE TABLE comes to. The same definition
// always gives the same, since files are written before it is committed.
func (t *Table) define(d *storage.TableDefinition) (*TableMetadata, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if known, ok := t.definitions[d]; ok {
		return known, nil
	}
	m, err := t.newMetadata(d)
	if err != nil {
		return nil, fmt.Errorf("create table %s: %w", t.name, err)
	}
	if t.definitions == nil {
		t.definitions = map[*storage.TableDefinition]*TableMetadata{}
	}
	t.definitions[d] = m
	return m, nil
}

func (t *Table) newMetadata(d *storage.TableDefinition) (*TableMetadata, error) {
	m := &TableMetadata{FormatVersion: defaultFormatVersion, UUID: uuid.NewString(), Location: LocationOf(t.store, t.root), LastUpdatedMillis: time.Now().UnixMilli(),
		Properties: map[string]string{}, Refs: map[string]SnapshotRef{}, snapshots: map[int64]*SnapshotRecord{}, LastPartitionID: firstPartitionFieldID - 1}
	maps.Copy(m.Properties, d.Properties)
	if text, ok := m.Properties[formatVersionProperty]; ok {
		v, err := strconv.Atoi(text)
		if err != nil || v < 1 || v > maxFormatVersion {
			return nil, &storage.UnsupportedFeature{Table: t.name.String(), Feature: "format version " + text, Writing: true}
		}
		m.FormatVersion = v
		delete(m.Properties, formatVersionProperty)
	}
	if d.Comment != "" {
		m.Properties["comment"] = d.Comment
	}
	schema, err := t.newSchema(m, d)
	if err != nil {
		return nil, err
	}
	m.Schemas = []*Schema{schema}
	spec, err := newSpec(schema, d.Partition)
	if err != nil {
		return nil, err
	}
	m.LastPartitionID += len(spec.Fields)
	m.Specs = []*PartitionSpec{spec}
	m.SortOrders = unsorted
	_, err = m.writeProperties()
	var refused *storage.UnsupportedFeature
	if errors.As(err, &refused) {
		refused.Table = t.name.String()
	}
	return m, err
}

// LocationOf is the location of a directory of a store: a local path as it is,
// or a URI.
func LocationOf(store object.Store, root string) string {
	location := store.String()
	if u, err := url.Parse(location); err == nil && u.Scheme == "file" {
		location = u.Path
		if len(location) > 2 && location[2] == ':' { // "/C:/lake"
			location = "file://" + location
		}
	}
	if root == "" {
		return location
	}
	if strings.HasSuffix(location, "://") { // a store without a name
		return location + "/" + root
	}
	return strings.TrimRight(location, "/") + "/" + root
}

// newSchema numbers the fields of a new table's schema, level by level, as other
// writers do, and gives them types of the format.
func (t *Table) newSchema(m *TableMetadata, d *storage.TableDefinition) (*Schema, error) {
	if len(d.Schema.Fields) == 0 {
		return nil, fmt.Errorf("%w: a table needs a column", storage.ErrSchemaMismatch)
	}
	ids := &fieldIDs{version: m.FormatVersion}
	fields, err := ids.fields(d.Schema.Fields)
	var refused *storage.UnsupportedFeature
	if errors.As(err, &refused) {
		refused.Table = t.name.String()
	}
	if err != nil {
		return nil, err
	}
	m.LastColumnID = int(ids.last)
	s := &Schema{Schema: types.Schema{Fields: fields}}
	for _, name := range d.KeyColumns {
		i := s.Index(name)
		if i < 0 {
			return nil, fmt.Errorf("%w: key column %s is not among the columns", storage.ErrSchemaMismatch, types.QuoteIdent(name))
		}
		f := &s.Fields[i]
		if !f.Type.CanBeKey() {
			return nil, fmt.Errorf("%w: column %s of type %s can't be a key", storage.ErrSchemaMismatch, types.QuoteIdent(f.Name), f.Type)
		}
		f.Nullable = false // spec, "Identifier Field IDs"
		s.IdentifierFieldIDs = append(s.IdentifierFieldIDs, f.ID)
	}
	return s, nil
}

// fieldIDs numbers fields.
type fieldIDs struct {
	version int // of the format
	last    types.FieldID
}

func (a *fieldIDs) next() types.FieldID {
	a.last++
	return a.last
}

// fields numbers the fields of a struct before those within them.
func (a *fieldIDs) fields(list []types.Field) ([]types.Field, error) {
	out := slices.Clone(list)
	seen := map[string]bool{}
	for i := range out {
		key := strings.ToLower(out[i].Name)
		if key == "" || seen[key] {
			return nil, fmt.Errorf("%w: column name %s is empty or occurs twice", storage.ErrSchemaMismatch, types.QuoteIdent(out[i].Name))
		}
		seen[key] = true
		out[i].ID = a.next()
		if out[i].Default != "" {
			return nil, &storage.UnsupportedFeature{Feature: "default values of new columns", Writing: true}
		}
	}
	for i := range out {
		var err error
		if out[i].Type, err = a.within(out[i].Type); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// within gives a type of the format that holds the values of a type.
func (a *fieldIDs) within(t types.Type) (types.Type, error) {
	minVersion := 1
	switch t.Kind {
	case types.TinyInt, types.SmallInt:
		return types.Of(types.Int), nil
	case types.String:
		return types.Of(types.String), nil // VARCHAR too
	case types.TimestampNS, types.TimestampNTZNS, types.Void:
		minVersion = 3
	case types.Variant: // can't be written yet
		return t, &storage.UnsupportedFeature{Feature: "type " + t.String(), Writing: true}
	case types.Struct:
		fields, err := a.fields(t.Fields)
		return types.StructOf(fields...), err
	case types.Array, types.Map:
		return a.container(t)
	}
	if _, err := primitiveName(t); err != nil || a.version < minVersion {
		feature := "type " + t.String()
		if a.version < minVersion {
			feature += " before format version 3"
		}
		return t, &storage.UnsupportedFeature{Feature: feature, Writing: true}
	}
	return t, nil
}

// container numbers the parts of an array or a map before what is in them.
func (a *fieldIDs) container(t types.Type) (types.Type, error) {
	elem := *t.Elem
	var err error
	if t.Kind == types.Map {
		key := *t.Key
		key.ID, key.Name, key.Nullable = a.next(), "key", false
		elem.ID, elem.Name = a.next(), "value"
		if key.Type, err = a.within(key.Type); err != nil {
			return t, err
		}
		t.Key = &key
	} else {
		elem.ID, elem.Name = a.next(), "element"
	}
	elem.Type, err = a.within(elem.Type)
	t.Elem = &elem
	return t, err
}

// newSpec gives the partition spec of a definition.
func newSpec(schema *Schema, fields []storage.PartitionField) (*PartitionSpec, error) {
	spec := &PartitionSpec{}
	for _, f := range fields {
		i := schema.Index(f.Column)
		if i < 0 {
			return nil, fmt.Errorf("%w: partition column %s is not among the columns", storage.ErrSchemaMismatch, types.QuoteIdent(f.Column))
		}
		source := schema.Fields[i]
		transform, suffix, err := newTransform(f, source)
		if err != nil {
			return nil, err
		}
		name := f.Name
		if name == "" {
			name = source.Name + suffix
		}
		if slices.ContainsFunc(spec.Fields, func(other PartitionField) bool { return other.Name == name }) {
			return nil, fmt.Errorf("%w: partition field %s occurs twice", storage.ErrSchemaMismatch, types.QuoteIdent(name))
		}
		if j := schema.Index(name); j >= 0 && (j != i || transform.kind != identityTransform) {
			return nil, fmt.Errorf("%w: partition field %s has the name of a column", storage.ErrSchemaMismatch, types.QuoteIdent(name))
		}
		spec.Fields = append(spec.Fields, PartitionField{SourceIDs: []types.FieldID{source.ID}, ID: firstPartitionFieldID + len(spec.Fields), Name: name, Transform: transform})
	}
	return spec, nil
}

// newTransform gives a transform and what the names of its fields end with.
func newTransform(f storage.PartitionField, source types.Field) (t Transform, suffix string, err error) {
	switch f.Transform {
	case "":
	case "bucket", "truncate":
		t = Transform{kind: map[string]transformKind{"bucket": bucketTransform, "truncate": truncateTransform}[f.Transform], param: int(f.Argument)}
		suffix = map[string]string{"bucket": "_bucket", "truncate": "_trunc"}[f.Transform]
		if f.Argument <= 0 || f.Argument > math.MaxInt32 {
			return t, "", fmt.Errorf("%w: %s(%d, %s) needs a positive number", storage.ErrSchemaMismatch, f.Transform, f.Argument, types.QuoteIdent(f.Column))
		}
	default:
		kind, ok := transformNames[f.Transform]
		if !ok {
			return t, "", &storage.UnsupportedFeature{Table: f.Column, Feature: "partition transform " + f.Transform, Writing: true}
		}
		t = Transform{kind: kind}
		if kind != identityTransform {
			suffix = "_" + f.Transform
		}
	}
	if !t.takes(source.Type) {
		return t, "", fmt.Errorf("%w: column %s of type %s can't be partitioned by %s", storage.ErrSchemaMismatch, types.QuoteIdent(source.Name), source.Type, t)
	}
	return t, suffix, nil
}

// takes tells whether a transform can be applied to a type (spec, "Partition
// Transforms").
func (t Transform) takes(source types.Type) bool {
	switch t.kind {
	case yearTransform, monthTransform, dayTransform:
		return source.IsTimestamp() || source.Kind == types.Date
	case hourTransform:
		return source.IsTimestamp()
	case bucketTransform:
		switch source.Kind {
		case types.Int, types.BigInt, types.Decimal, types.Date, types.Time, types.String, types.UUID, types.Fixed, types.Binary:
			return true
		}
		return source.IsTimestamp()
	case truncateTransform:
		switch source.Kind {
		case types.Int, types.BigInt, types.Decimal, types.String, types.Binary:
			return true
		}
		return false
	}
	return !source.IsNested() && source.Kind != types.Variant && source.Kind != types.Void
}
