package ast

// AlterTable is ALTER TABLE t with one action.
type AlterTable struct {
	Loc
	Table  *TableName
	Action AlterAction
}

// AlterAction is what an ALTER TABLE does.
type AlterAction interface {
	Node
	alterAction()
}

// AddColumns is ADD COLUMN or ADD COLUMNS (…).
type AddColumns struct {
	Loc
	Columns []ColumnDef
}

// DropColumns is DROP COLUMN or DROP COLUMNS (…).
type DropColumns struct {
	Loc
	IfExists bool
	Columns  []*ColumnRef
}

// RenameColumn is RENAME COLUMN a.b TO c.
type RenameColumn struct {
	Loc
	Column *ColumnRef
	To     Ident
}

// ColumnChange is what an AlterColumn does to the column.
type ColumnChange uint8

// The changes of a column.
const (
	SetType ColumnChange = iota
	SetNotNull
	DropNotNull
	SetDefault
	DropDefault
	SetComment
	MoveColumn // First or After
)

// AlterColumn is ALTER COLUMN or CHANGE COLUMN.
type AlterColumn struct {
	Loc
	Column  *ColumnRef
	Change  ColumnChange
	Type    *TypeName
	Default Expr
	Comment *string
	First   bool
	After   *Ident
}

// RenameTable is RENAME TO.
type RenameTable struct {
	Loc
	To *TableName
}

// SetProperties is SET TBLPROPERTIES.
type SetProperties struct {
	Loc
	Properties []Property
}

// UnsetProperties is UNSET TBLPROPERTIES.
type UnsetProperties struct {
	Loc
	IfExists bool
	Keys     []string
}

// SetLocation is SET LOCATION.
type SetLocation struct {
	Loc
	Location string
}

// AddConstraint is ADD CONSTRAINT.
type AddConstraint struct {
	Loc
	Constraint TableConstraint
}

// DropConstraint is DROP CONSTRAINT.
type DropConstraint struct {
	Loc
	IfExists bool
	Name     Ident
}

// ClusterBy is CLUSTER BY (…), or CLUSTER BY NONE with no columns.
type ClusterBy struct {
	Loc
	Columns []*ColumnRef
}

// DropFeature is DROP FEATURE, a Delta table feature.
type DropFeature struct {
	Loc
	Name            string
	TruncateHistory bool
}

// AddPartitionField is ADD PARTITION FIELD, of an Iceberg table.
type AddPartitionField struct {
	Loc
	Field PartitionField
}

// DropPartitionField is DROP PARTITION FIELD; Expr is the field's name or its transform.
type DropPartitionField struct {
	Loc
	Expr Expr
}

// ReplacePartitionField is REPLACE PARTITION FIELD old WITH new [AS name].
type ReplacePartitionField struct {
	Loc
	Old Expr
	New PartitionField
}

// WriteOrder is WRITE [LOCALLY] ORDERED BY …, WRITE UNORDERED or WRITE DISTRIBUTED BY PARTITION [ORDERED BY …]. With no
// OrderBy and not Distributed it is UNORDERED.
type WriteOrder struct {
	Loc
	Locally     bool
	Distributed bool
	OrderBy     []OrderItem
}

// SetIdentifierFields is SET or, with Drop, DROP IDENTIFIER FIELDS.
type SetIdentifierFields struct {
	Loc
	Drop   bool
	Fields []*ColumnRef
}

// RefVerb is what happens to a branch or tag.
type RefVerb uint8

// The verbs of branches and tags.
const (
	CreateRef RefVerb = iota
	ReplaceRef
	CreateOrReplaceRef
	DropRef
)

// AlterRef creates, replaces or drops a branch or a tag of an Iceberg table.
type AlterRef struct {
	Loc
	Verb         RefVerb
	Tag          bool // false: a branch
	IfExists     bool // DROP
	IfNotExists  bool // CREATE
	Name         Ident
	Version      Expr
	Retain       *RefRetention
	MinSnapshots *int64 // WITH SNAPSHOT RETENTION n SNAPSHOTS
	MaxAge       *RefRetention
}

// RefRetention is a number of DAYS, HOURS or MINUTES.
type RefRetention struct {
	Loc
	Value int64
	Unit  string
}

// Execute is EXECUTE procedure(args) [WHERE …].
type Execute struct {
	Loc
	Procedure Ident
	Args      []Expr
	Where     Expr
}

func (*AlterTable) statement() {}

func (*AddColumns) alterAction()            {}
func (*DropColumns) alterAction()           {}
func (*RenameColumn) alterAction()          {}
func (*AlterColumn) alterAction()           {}
func (*RenameTable) alterAction()           {}
func (*SetProperties) alterAction()         {}
func (*UnsetProperties) alterAction()       {}
func (*SetLocation) alterAction()           {}
func (*AddConstraint) alterAction()         {}
func (*DropConstraint) alterAction()        {}
func (*ClusterBy) alterAction()             {}
func (*DropFeature) alterAction()           {}
func (*AddPartitionField) alterAction()     {}
func (*DropPartitionField) alterAction()    {}
func (*ReplacePartitionField) alterAction() {}
func (*WriteOrder) alterAction()            {}
func (*SetIdentifierFields) alterAction()   {}
func (*AlterRef) alterAction()              {}
func (*Execute) alterAction()               {}
