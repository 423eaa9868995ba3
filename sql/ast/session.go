package ast

// IsolationLevel is the level asked for by BEGIN.
type IsolationLevel uint8

// The levels of isolation that SQL can name.
const (
	DefaultIsolation IsolationLevel = iota
	ReadUncommitted
	ReadCommitted
	RepeatableRead
	SnapshotIsolation
	Serializable
)

// Begin is BEGIN or START TRANSACTION.
type Begin struct {
	Loc
	Isolation IsolationLevel
	ReadOnly  bool
}

// Commit is COMMIT.
type Commit struct{ Loc }

// Rollback is ROLLBACK, or with To ROLLBACK TO SAVEPOINT.
type Rollback struct {
	Loc
	To *Ident
}

// Savepoint is SAVEPOINT name.
type Savepoint struct {
	Loc
	Name Ident
}

// ReleaseSavepoint is RELEASE SAVEPOINT name.
type ReleaseSavepoint struct {
	Loc
	Name Ident
}

// Set is SET name = value. Name is the dotted name in one string; a bare word as value is a string literal. A nil Value asks
// for the present value.
type Set struct {
	Loc
	Name  string
	Value Expr
}

// Reset is RESET name, or RESET of all settings.
type Reset struct {
	Loc
	Name string
}

// Use is USE [CATALOG | SCHEMA] name. Kind is SchemaObject or CatalogObject.
type Use struct {
	Loc
	Kind ObjectKind
	Name []Ident
}

// ShowTables is SHOW TABLES [IN schema] [LIKE 'pattern'].
type ShowTables struct {
	Loc
	In   []Ident
	Like *string
}

// ShowViews is SHOW VIEWS [IN schema] [LIKE 'pattern'].
type ShowViews struct {
	Loc
	In   []Ident
	Like *string
}

// ShowSchemas is SHOW SCHEMAS [IN catalog] [LIKE 'pattern'].
type ShowSchemas struct {
	Loc
	In   []Ident
	Like *string
}

// ShowCatalogs is SHOW CATALOGS [LIKE 'pattern'].
type ShowCatalogs struct {
	Loc
	Like *string
}

// ShowFunctions is SHOW FUNCTIONS [LIKE 'pattern'].
type ShowFunctions struct {
	Loc
	Like *string
}

// ShowColumns is SHOW COLUMNS IN t.
type ShowColumns struct {
	Loc
	Table *TableName
}

// ShowCreateTable is SHOW CREATE TABLE t.
type ShowCreateTable struct {
	Loc
	Table *TableName
}

// ShowPartitions is SHOW PARTITIONS t [PARTITION (…)].
type ShowPartitions struct {
	Loc
	Table     *TableName
	Partition []PartitionValue
}

// ShowProperties is SHOW TBLPROPERTIES t [(key)].
type ShowProperties struct {
	Loc
	Table *TableName
	Key   *string
}

// DescribeKind is what a Describe shows.
type DescribeKind uint8

// What DESCRIBE tells.
const (
	DescribeColumns DescribeKind = iota
	DescribeExtended
	DescribeDetail
	DescribeHistory
)

// Describe is DESCRIBE [TABLE] [EXTENDED] t [column], DESCRIBE DETAIL t or DESCRIBE HISTORY t [LIMIT n].
type Describe struct {
	Loc
	Kind   DescribeKind
	Table  *TableName
	Column *ColumnRef
	Limit  Expr
}

// DescribeSchema is DESCRIBE SCHEMA [EXTENDED] name.
type DescribeSchema struct {
	Loc
	Extended bool
	Name     []Ident
}

// DescribeQuery is DESCRIBE QUERY query: the columns of its result.
type DescribeQuery struct {
	Loc
	Query *Query
}

// Explain is EXPLAIN [ANALYZE] statement.
type Explain struct {
	Loc
	Analyze bool
	Stmt    Statement
}

func (*Begin) statement()            {}
func (*Commit) statement()           {}
func (*Rollback) statement()         {}
func (*Savepoint) statement()        {}
func (*ReleaseSavepoint) statement() {}
func (*Set) statement()              {}
func (*Reset) statement()            {}
func (*Use) statement()              {}
func (*ShowTables) statement()       {}
func (*ShowViews) statement()        {}
func (*ShowSchemas) statement()      {}
func (*ShowCatalogs) statement()     {}
func (*ShowFunctions) statement()    {}
func (*ShowColumns) statement()      {}
func (*ShowCreateTable) statement()  {}
func (*ShowPartitions) statement()   {}
func (*ShowProperties) statement()   {}
func (*Describe) statement()         {}
func (*DescribeSchema) statement()   {}
func (*DescribeQuery) statement()    {}
func (*Explain) statement()          {}
