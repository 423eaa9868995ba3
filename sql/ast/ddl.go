package ast

// CreateTable is CREATE [OR REPLACE] TABLE, with columns, AS query, LIKE or CLONE.
type CreateTable struct {
	Loc
	OrReplace     bool
	IfNotExists   bool
	Table         *TableName
	Columns       []ColumnDef
	Constraints   []TableConstraint
	Using         string // as written; empty for the default format
	PartitionedBy []PartitionField
	ClusterBy     []*ColumnRef
	Properties    []Property
	Options       []Property
	Comment       *string
	Location      *string
	AsQuery       *Query
	Like          *TableName
	Clone         *Clone
}

// Clone is SHALLOW CLONE or DEEP CLONE of a table, maybe at a version.
type Clone struct {
	Loc
	Shallow bool
	Source  *TableName
}

// ColumnDef defines a column, or in ALTER TABLE ADD COLUMNS a nested field of the column Parent.
type ColumnDef struct {
	Loc
	Parent    []Ident
	Name      Ident
	Type      *TypeName
	NotNull   bool
	Default   Expr
	Generated Expr
	Identity  *Identity
	Comment   *string
	First     bool   // ALTER TABLE only
	After     *Ident // ALTER TABLE only
}

// Identity is GENERATED ALWAYS | BY DEFAULT AS IDENTITY.
type Identity struct {
	Loc
	Always      bool
	StartWith   *int64
	IncrementBy *int64
}

// ConstraintKind is the kind of a table constraint.
type ConstraintKind uint8

// The kinds of constraints.
const (
	CheckConstraint ConstraintKind = iota
	PrimaryKey
	ForeignKey
)

// TableConstraint is a constraint of CREATE TABLE or ALTER TABLE ADD CONSTRAINT.
type TableConstraint struct {
	Loc
	Name       *Ident
	Kind       ConstraintKind
	Check      Expr
	Columns    []Ident
	RefTable   *TableName
	RefColumns []Ident
}

// PartitionField is a field of PARTITIONED BY: a column, an Iceberg transform (a *Call), or with Type a column that is
// defined here. Name is the field's name where one was given.
type PartitionField struct {
	Loc
	Expr Expr
	Type *TypeName
	Name *Ident
}

// DropTable is DROP TABLE.
type DropTable struct {
	Loc
	IfExists bool
	Table    *TableName
	Purge    bool
}

// CreateView is CREATE VIEW.
type CreateView struct {
	Loc
	OrReplace   bool
	Temporary   bool
	IfNotExists bool
	View        *TableName
	Columns     []ViewColumn
	Comment     *string
	Properties  []Property
	Query       *Query
}

// ViewColumn is a column name of a view.
type ViewColumn struct {
	Loc
	Name    Ident
	Comment *string
}

// DropView is DROP VIEW.
type DropView struct {
	Loc
	IfExists bool
	View     *TableName
}

// CreateSchema is CREATE SCHEMA, also spelled DATABASE and NAMESPACE.
type CreateSchema struct {
	Loc
	IfNotExists bool
	Name        []Ident
	Comment     *string
	Location    *string
	Properties  []Property
}

// DropSchema is DROP SCHEMA.
type DropSchema struct {
	Loc
	IfExists bool
	Name     []Ident
	Cascade  bool
}

// CommentOn is COMMENT ON TABLE or SCHEMA; Text is nil for IS NULL.
type CommentOn struct {
	Loc
	Kind ObjectKind
	Name []Ident
	Text *string
}

// ObjectKind is a kind of catalog object.
type ObjectKind uint8

// The kinds of objects.
const (
	TableObject ObjectKind = iota
	SchemaObject
	CatalogObject
	ViewObject
)

// ConvertToDelta is CONVERT TO DELTA parquet.`path`.
type ConvertToDelta struct {
	Loc
	Table         *TableName
	NoStatistics  bool
	PartitionedBy []PartitionField
}

func (*CreateTable) statement()    {}
func (*DropTable) statement()      {}
func (*CreateView) statement()     {}
func (*DropView) statement()       {}
func (*CreateSchema) statement()   {}
func (*DropSchema) statement()     {}
func (*CommentOn) statement()      {}
func (*ConvertToDelta) statement() {}
