package delta

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/tarndb/tarn/sql/types"
	"github.com/tarndb/tarn/storage"
	"github.com/tarndb/tarn/storage/delta/internal/action"
	"github.com/tarndb/tarn/storage/delta/internal/schemajson"
)

// defined is what CREATE TABLE comes to: the first actions of a table. The same
// TableDefinition always gives the same, since files are written under the
// physical names in it before it is committed.
type defined struct {
	protocol Protocol
	metadata *tableMetadata
}

// define gives the actions that a definition stands for.
func (t *Table) define(d *storage.TableDefinition) (*defined, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if known, ok := t.definitions[d]; ok {
		return known, nil
	}
	out, err := t.newDefined(d)
	if err != nil {
		return nil, fmt.Errorf("create table %s: %w", t.name, err)
	}
	if t.definitions == nil {
		t.definitions = map[*storage.TableDefinition]*defined{}
	}
	t.definitions[d] = out
	return out, nil
}

func (t *Table) newDefined(d *storage.TableDefinition) (*defined, error) {
	b := &definitionBuilder{table: t, configuration: map[string]string{}, features: map[string]bool{}}
	partition, ok := d.PartitionColumns()
	if !ok {
		return nil, b.unsupported("partition transforms, which Iceberg tables have: USING iceberg")
	}
	if len(d.KeyColumns) > 0 {
		return nil, b.unsupported("PRIMARY KEY, which Iceberg tables have: USING iceberg")
	}
	if err := checkDefinition(d.Schema, partition); err != nil {
		return nil, err
	}
	for _, key := range slices.Sorted(maps.Keys(d.Properties)) {
		if err := b.property(key, d.Properties[key]); err != nil {
			return nil, err
		}
	}
	if slices.ContainsFunc(d.Schema.Fields, func(f types.Field) bool { return f.Type.Holds(types.TimestampNTZ) }) {
		b.features[featureTimestampNTZ] = true
	}
	schema, err := b.schema(d.Schema)
	var unknown *schemajson.UnknownType
	if errors.As(err, &unknown) {
		return nil, b.unsupported("type " + unknown.Name)
	}
	if err != nil {
		return nil, err
	}
	created := time.Now().UnixMilli()
	a := &action.Metadata{ID: uuid.NewString(), Description: d.Comment, Format: action.Format{Provider: "parquet", Options: map[string]string{}},
		SchemaString: schema, PartitionColumns: partitionSpelling(d.Schema, partition), Configuration: b.configuration, CreatedTime: &created}
	out := &defined{protocol: b.protocol()}
	out.metadata, err = t.newTableMetadata(a, out.protocol)
	return out, err
}

// checkDefinition refuses what can't be a table.
func checkDefinition(schema types.Schema, partition []string) error {
	data := len(schema.Fields)
	for _, name := range partition {
		i := schema.Index(name)
		if i < 0 {
			return fmt.Errorf("%w: partition column %s is not among the columns", storage.ErrSchemaMismatch, types.QuoteIdent(name))
		}
		if t := schema.Fields[i].Type; t.IsNested() || t.Kind == types.Variant {
			return fmt.Errorf("%w: partition column %s can't be of type %s", storage.ErrSchemaMismatch, types.QuoteIdent(name), t)
		}
		data--
	}
	if data <= 0 {
		return fmt.Errorf("%w: a table needs a column that is no partition column", storage.ErrSchemaMismatch)
	}
	seen := map[string]bool{}
	for _, f := range schema.Fields {
		key := strings.ToLower(f.Name)
		if f.Name == "" || seen[key] {
			return fmt.Errorf("%w: column name %s is empty or occurs twice", storage.ErrSchemaMismatch, types.QuoteIdent(f.Name))
		}
		seen[key] = true
	}
	return nil
}

// partitionSpelling gives the partition columns as the schema spells them.
func partitionSpelling(schema types.Schema, partition []string) []string {
	names := []string{}
	for _, name := range partition {
		names = append(names, schema.Fields[schema.Index(name)].Name)
	}
	return names
}

// definitionBuilder collects what the properties and the schema of a new table
// ask for.
type definitionBuilder struct {
	table         *Table
	configuration map[string]string
	features      map[string]bool
	mapping       schemajson.Mapping
}

func (b *definitionBuilder) unsupported(feature string) error {
	return &storage.UnsupportedFeature{Table: b.table.name.String(), Feature: feature, Writing: true}
}

// featureOf are the properties that make a feature active on a new table.
var featureOf = map[string]string{
	"delta.enabledeletionvectors":    featureDeletionVectors,
	"delta.enableincommittimestamps": featureInCommitTimestamp,
	"delta.enabletypewidening":       featureTypeWidening,
	"delta.enablechangedatafeed":     featureChangeDataFeed,
	"delta.enablerowtracking":        featureRowTracking,
	"delta.enableicebergcompatv1":    featureIcebergCompatV1,
	"delta.enableicebergcompatv2":    featureIcebergCompatV2,
}

// creatable are the features that a new table may have.
var creatable = []string{featureDeletionVectors, featureInCommitTimestamp, featureTimestampNTZ, featureColumnMapping, featureAppendOnly,
	featureInvariants, featureVacuumProtocolCheck, featureDomainMetadata, featureV2Checkpoint, featureTypeWidening}

// plainProperties need no feature.
var plainProperties = map[string]bool{"delta.appendonly": true, "delta.checkpointinterval": true, "delta.logretentionduration": true,
	"delta.deletedfileretentionduration": true, "delta.dataskippingnumindexedcols": true, "delta.dataskippingstatscolumns": true,
	"delta.isolationlevel": true, "delta.randomizefileprefixes": true, "delta.randomprefixlength": true, "delta.targetfilesize": true,
	"delta.settransactionretentionduration": true, "delta.enableexpiredlogcleanup": true, "delta.checkpoint.writestatsasjson": true,
	"delta.checkpoint.writestatsasstruct": true, "delta.parquet.compression.codec": true, "delta.parquet.format.version": true,
	"delta.autooptimize": true, "delta.autooptimize.optimizewrite": true, "delta.autooptimize.autocompact": true,
	"delta.tunefilesizesforrewrites": true}

// booleans are those of them that are true or false.
var booleans = map[string]bool{"delta.appendonly": true, "delta.randomizefileprefixes": true, "delta.enableexpiredlogcleanup": true,
	"delta.checkpoint.writestatsasjson": true, "delta.checkpoint.writestatsasstruct": true}

// property takes one table property. A property of the format that is not
// known here is refused, since ignoring it could break the table.
func (b *definitionBuilder) property(key, value string) error {
	lower := strings.ToLower(key)
	if name, ok := strings.CutPrefix(lower, "delta.feature."); ok {
		return b.feature(name, value)
	}
	feature, isFeature := featureOf[lower]
	switch {
	case (isFeature || booleans[lower]) && !strings.EqualFold(value, "true") && !strings.EqualFold(value, "false"):
		return fmt.Errorf("%w: the property %s of table %s is true or false, not %q", storage.ErrSchemaMismatch, key, b.table.name, value)
	case !strings.HasPrefix(lower, "delta."), plainProperties[lower]:
	case isFeature:
		if !strings.EqualFold(value, "true") {
			break
		}
		if !slices.Contains(creatable, feature) {
			return b.unsupported(feature)
		}
		b.features[feature] = true
	case lower == "delta.columnmapping.mode":
		b.mapping = schemajson.Mapping(strings.ToLower(value))
		switch b.mapping {
		case schemajson.ByName, schemajson.ByID:
			b.features[featureColumnMapping] = true
		case schemajson.ByDisplayName:
		default:
			return b.unsupported("column mapping mode " + value)
		}
	case lower == "delta.minreaderversion" || lower == "delta.minwriterversion":
		return nil // the features decide
	case lower == "delta.checkpointpolicy" && strings.EqualFold(value, "classic"):
	case strings.HasPrefix(lower, constraintPrefix):
		return b.unsupported(featureCheckConstraints)
	default:
		return b.unsupported("table property " + key)
	}
	b.configuration[key] = value
	return nil
}

// feature takes a property that asks for a feature by name; it is not kept.
func (b *definitionBuilder) feature(lower, value string) error {
	for _, f := range creatable {
		if strings.ToLower(f) == lower && (value == "supported" || value == "enabled") {
			b.features[f] = true
			return nil
		}
	}
	return b.unsupported(lower)
}

// protocol is the lowest protocol with all features.
func (b *definitionBuilder) protocol() Protocol {
	p := &action.Protocol{MinReaderVersion: 1, MinWriterVersion: 2}
	if len(b.features) == 0 {
		return Protocol{p}
	}
	p.MinWriterVersion = maxWriterVersion
	b.features[featureAppendOnly], b.features[featureInvariants] = true, true // writer version 2 has them
	p.WriterFeatures = slices.Sorted(maps.Keys(b.features))
	for _, f := range p.WriterFeatures {
		if slices.Contains(readFeatures, f) {
			p.MinReaderVersion = maxReaderVersion
			p.ReaderFeatures = append(p.ReaderFeatures, f)
		}
	}
	return Protocol{p}
}

// schema writes the schema, with ids and physical names under a mapping.
func (b *definitionBuilder) schema(s types.Schema) (string, error) {
	for _, f := range s.Fields {
		if hasDefault(f) {
			return "", b.unsupported(featureColumnDefaults)
		}
		if f.Type.Holds(types.Variant) {
			return "", b.unsupported("variantType")
		}
	}
	if !b.features[featureColumnMapping] || b.mapping == schemajson.ByDisplayName || b.mapping == "" {
		if err := checkNames(s.Fields); err != nil {
			return "", err
		}
		return schemajson.Format(s, nil)
	}
	ids := idAssigner{}
	mapped := types.Schema{Fields: ids.fields(s.Fields)}
	b.configuration["delta.columnMapping.maxColumnId"] = strconv.Itoa(int(ids.last))
	return schemajson.Format(mapped, func(types.Field) string { return "col-" + uuid.NewString() })
}

// checkNames refuses the characters that other engines can't have in the names
// of Parquet columns.
func checkNames(fields []types.Field) error {
	for _, f := range fields {
		if strings.ContainsAny(f.Name, " ,;{}()\n\t=") {
			return fmt.Errorf("%w: column name %s has a character of \" ,;{}()=\"; set the property delta.columnMapping.mode to 'name' to allow it",
				storage.ErrSchemaMismatch, types.QuoteIdent(f.Name))
		}
		if err := checkNames(f.Type.Parts()); err != nil {
			return err
		}
	}
	return nil
}

// idAssigner numbers the fields of a schema.
type idAssigner struct{ last types.FieldID }

func (a *idAssigner) fields(fields []types.Field) []types.Field {
	out := slices.Clone(fields)
	for i := range out {
		a.last++
		out[i].ID = a.last
		out[i].Type = a.within(out[i].Type)
	}
	return out
}

// within numbers the struct fields below a type; elements, keys and values
// themselves have no id.
func (a *idAssigner) within(t types.Type) types.Type {
	switch t.Kind {
	case types.Struct:
		t.Fields = a.fields(t.Fields)
	case types.Array, types.Map:
		elem := *t.Elem
		elem.Type = a.within(elem.Type)
		t.Elem = &elem
		if t.Key != nil {
			key := *t.Key
			key.Type = a.within(key.Type)
			t.Key = &key
		}
	}
	return t
}
