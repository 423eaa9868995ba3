package schemajson

import (
	"github.com/tarndb/tarn/sql/types"
)

// Mapping is how the columns of a table are found in its files.
type Mapping string

// The modes of column mapping.
const (
	ByDisplayName Mapping = "none"
	ByName        Mapping = "name" // physical names
	ByID          Mapping = "id"   // field ids
)

// Schema is a table's schema.
type Schema struct {
	Columns []Column
}

// Column is a top-level column.
type Column struct {
	Logical  types.Field // as users see it
	Physical types.Field // as data files have it, with field ids under a mapping
	Rules    Rules       // of the column and of the fields within
}

// Rules is what the metadata of a field asks of writers and readers.
type Rules struct {
	Invariant   string // JSON of a condition on written rows
	Generated   string // SQL of a generated column
	Identity    bool   // values are generated
	TypeChanged bool   // older files have a narrower type
}

func (r *Rules) add(other Rules) {
	if r.Invariant == "" {
		r.Invariant = other.Invariant
	}
	if r.Generated == "" {
		r.Generated = other.Generated
	}
	r.Identity = r.Identity || other.Identity
	r.TypeChanged = r.TypeChanged || other.TypeChanged
}

// Logical gives the columns as users see them.
func (s *Schema) Logical() types.Schema {
	out := types.Schema{Fields: make([]types.Field, len(s.Columns))}
	for i, c := range s.Columns {
		out.Fields[i] = c.Logical
	}
	return out
}

// primitives are the types without parameters by their names in the log.
var primitives = map[string]types.Kind{
	"string": types.String, "long": types.BigInt, "integer": types.Int, "short": types.SmallInt, "byte": types.TinyInt,
	"float": types.Float, "double": types.Double, "boolean": types.Boolean, "binary": types.Binary, "date": types.Date,
	"timestamp": types.Timestamp, "timestamp_ntz": types.TimestampNTZ, "void": types.Void, "null": types.Void, "variant": types.Variant,
}

// primitiveNames is the other direction.
var primitiveNames = func() map[types.Kind]string {
	m := map[types.Kind]string{}
	for name, kind := range primitives {
		if name != "null" { // an older name of void
			m[kind] = name
		}
	}
	return m
}()

// The keys of a field's metadata that this package knows.
const (
	keyComment      = "comment"
	keyID           = "delta.columnMapping.id"
	keyPhysicalName = "delta.columnMapping.physicalName"
	keyCharVarchar  = "__CHAR_VARCHAR_TYPE_STRING"
	keyDefault      = "CURRENT_DEFAULT"
	keyInvariants   = "delta.invariants"
	keyGenerated    = "delta.generationExpression"
	keyIdentity     = "delta.identity.start"
	keyTypeChanges  = "delta.typeChanges"
)
