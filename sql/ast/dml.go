package ast

// Insert is INSERT INTO, INSERT OVERWRITE and INSERT INTO … REPLACE WHERE. Source is nil only for DEFAULT VALUES.
type Insert struct {
	Loc
	With         *With
	Table        *TableName
	Columns      []Ident
	ByName       bool
	Overwrite    bool
	Partition    []PartitionValue
	ReplaceWhere Expr
	Source       *Query
}

// PartitionValue is an entry of PARTITION (a = 1, b); Value is nil for a dynamic partition column.
type PartitionValue struct {
	Loc
	Name  Ident
	Value Expr
}

// Upsert is UPSERT INTO t [(columns)] [KEYS (…)] query.
type Upsert struct {
	Loc
	With    *With
	Table   *TableName
	Columns []Ident
	Keys    []Ident
	Source  *Query
}

// ApplyChanges is APPLY CHANGES INTO t FROM source KEYS (…) [DELETE WHEN …] SEQUENCE BY ….
type ApplyChanges struct {
	Loc
	Table      *TableName
	Source     TableExpr
	Keys       []Ident
	DeleteWhen Expr
	SequenceBy Expr
}

// Assignment is column = value; a dotted column is a nested field or is qualified by the table.
type Assignment struct {
	Loc
	Column *ColumnRef
	Value  Expr // may be *Default
}

// Update is UPDATE t [AS alias] SET … [WHERE …].
type Update struct {
	Loc
	With  *With
	Table *TableName
	Alias *Ident
	Set   []Assignment
	Where Expr
}

// Delete is DELETE FROM t [AS alias] [WHERE …].
type Delete struct {
	Loc
	With  *With
	Table *TableName
	Alias *Ident
	Where Expr
}

// Truncate is TRUNCATE TABLE t.
type Truncate struct {
	Loc
	Table *TableName
}

// Merge is MERGE INTO. Target carries its alias.
type Merge struct {
	Loc
	With            *With
	SchemaEvolution bool
	Target          *TableName
	Source          TableExpr
	On              Expr
	Clauses         []MergeClause
}

// MergeMatch is the condition on the join under which a clause applies.
type MergeMatch uint8

// The cases of a MERGE clause: a source row with a match, one without, and a target row without.
const (
	Matched MergeMatch = iota
	NotMatched
	NotMatchedBySource
)

// MergeAction is what a clause does.
type MergeAction uint8

// The actions of a MERGE clause.
const (
	MergeUpdate MergeAction = iota
	MergeDelete
	MergeInsert
)

// MergeClause is one WHEN clause. Star is UPDATE SET * or INSERT *. Columns and Values have the same length, but for
// INSERT VALUES (…) without columns.
type MergeClause struct {
	Loc
	Match   MergeMatch
	Cond    Expr
	Action  MergeAction
	Star    bool
	Set     []Assignment
	Columns []*ColumnRef
	Values  []Expr
}

// CopyInto is COPY INTO t FROM 'path' or FROM (SELECT … FROM 'path').
type CopyInto struct {
	Loc
	Table         *TableName
	Columns       []Ident
	Path          string
	Query         *Query // nil when Path is set
	FileFormat    string // in upper case
	Files         []string
	Pattern       *string
	FormatOptions []Property
	CopyOptions   []Property
}

// CopyTo is COPY t TO 'path' or COPY (query) TO 'path'.
type CopyTo struct {
	Loc
	Table   *TableName
	Query   *Query
	Path    string
	Options []Property
}

func (*Insert) statement()       {}
func (*Upsert) statement()       {}
func (*ApplyChanges) statement() {}
func (*Update) statement()       {}
func (*Delete) statement()       {}
func (*Truncate) statement()     {}
func (*Merge) statement()        {}
func (*CopyInto) statement()     {}
func (*CopyTo) statement()       {}
