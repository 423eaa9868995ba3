package types

import "strings"

// FieldID identifies a column independently of its name: Iceberg's field id,
// Delta's delta.columnMapping.id. Zero means that the format gave none.
type FieldID int32

// Field is a column of a table or a member of a STRUCT.
type Field struct {
	ID       FieldID
	Name     string
	Type     Type
	Nullable bool
	Comment  string
	Default  string // SQL text of the column's default value; empty when it has none
}

// Schema is an ordered list of columns.
type Schema struct {
	Fields []Field
}

// Index finds a column by name, ignoring case, and gives -1 if there is none.
// An exact spelling wins over one that differs in case.
func (s Schema) Index(name string) int {
	for i := range s.Fields {
		if s.Fields[i].Name == name {
			return i
		}
	}
	for i := range s.Fields {
		if strings.EqualFold(s.Fields[i].Name, name) {
			return i
		}
	}
	return -1
}

// Names lists the column names in order.
func (s Schema) Names() []string {
	names := make([]string, len(s.Fields))
	for i, f := range s.Fields {
		names[i] = f.Name
	}
	return names
}

// Types are the columns' types.
func (s Schema) Types() []Type {
	types := make([]Type, len(s.Fields))
	for i, f := range s.Fields {
		types[i] = f.Type
	}
	return types
}

// Equal reports whether both schemas have the same columns in the same order.
func (s Schema) Equal(t Schema) bool {
	return Type{Kind: Struct, Fields: s.Fields}.Equal(Type{Kind: Struct, Fields: t.Fields})
}

// DefaultSchema is the schema whose tables have names without one: t and
// default.t are the same table.
const DefaultSchema = "default"

// TableName names a table: in a catalog by Catalog, Schema and Name (the first
// two empty for the defaults), or by path with Format and Path.
type TableName struct {
	Catalog string
	Schema  string
	Name    string
	Format  string // by-path names only: the word before the path
	Path    string
}

// IsPath reports whether the table is named by its path.
func (n TableName) IsPath() bool { return n.Format != "" }

// String prints the name as SQL.
func (n TableName) String() string {
	if n.IsPath() {
		return n.Format + ".`" + strings.ReplaceAll(n.Path, "`", "``") + "`"
	}
	parts := make([]string, 0, 3)
	for _, p := range []string{n.Catalog, n.Schema, n.Name} {
		if p != "" {
			parts = append(parts, QuoteIdent(p))
		}
	}
	return strings.Join(parts, ".")
}

// QuoteIdent prints an identifier, in backticks where it needs them.
func QuoteIdent(name string) string {
	plain := name != "" && (name[0] < '0' || name[0] > '9')
	for _, r := range name {
		plain = plain && (r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9')
	}
	if plain {
		return name
	}
	return "`" + strings.ReplaceAll(name, "`", "``") + "`"
}

// WriteRuleKind says what a WriteRule asks of each written row.
type WriteRuleKind uint8

// The kinds of rules that a table can set on its writers.
const (
	RuleCheck     WriteRuleKind = iota // Text is a condition that must not be false
	RuleDefault                        // Text is the value of a column that the statement leaves out
	RuleGenerated                      // Text computes the column from the others
)

// WriteRule is a rule of a table that every written row obeys, kept as the SQL
// text that the table's metadata holds.
type WriteRule struct {
	Kind   WriteRuleKind
	Name   string // constraint name; empty for columns
	Column string
	Text   string
}
