package plan

import (
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/types"
)

// command is embedded by nodes that give no rows.
type command struct{}

// Schema implements Node.
func (command) Schema() types.Schema { return types.Schema{} }

// Rule is a condition that every row written to a table must satisfy (it is
// not false), over the table's columns.
type Rule struct {
	Name      string
	Condition expr.Expr
}

// Insert writes the input's rows, which have the table's columns, to a table.
type Insert struct {
	command
	Target Source
	Input  Node
	Rules  []Rule
	// Overwrite replaces rows of the table: all, or those for which
	// ReplaceWhere is true if that is not nil.
	Overwrite    bool
	ReplaceWhere expr.Expr
}

// Children implements Node.
func (n *Insert) Children() []Node { return []Node{n.Input} }

// WithChildren implements Node.
func (n *Insert) WithChildren(c []Node) Node {
	out := *n
	out.Input = c[0]
	return &out
}

// Delete takes rows away from a table. The input, over a Scan of the table
// with RowPositions, gives their FileColumn and PositionColumn.
type Delete struct {
	command
	Target Source
	Input  Node
	// Filter is the condition of the DELETE over the table's columns, for the
	// history; nil for all rows.
	Filter expr.Expr
}

// Children implements Node.
func (n *Delete) Children() []Node { return []Node{n.Input} }

// WithChildren implements Node.
func (n *Delete) WithChildren(c []Node) Node {
	out := *n
	out.Input = c[0]
	return &out
}

// Update replaces rows of a table. The input, over a Scan of the table with
// RowPositions, gives the table's columns with their new values, RowIDColumn if
// RowIDs is set, and then FileColumn and PositionColumn.
type Update struct {
	command
	Target Source
	Input  Node
	RowIDs bool
	Rules  []Rule
	Filter expr.Expr // as in Delete
}

// Children implements Node.
func (n *Update) Children() []Node { return []Node{n.Input} }

// WithChildren implements Node.
func (n *Update) WithChildren(c []Node) Node {
	out := *n
	out.Input = c[0]
	return &out
}

// MergeMatch says to which joined rows a clause of MERGE applies.
type MergeMatch uint8

// The three WHENs of MERGE.
const (
	WhenMatched MergeMatch = iota
	WhenNotMatched
	WhenNotMatchedBySource
)

// MergeAction says what a clause of MERGE does with its rows.
type MergeAction uint8

// The three THENs of MERGE.
const (
	MergeUpdate MergeAction = iota
	MergeDelete
	MergeInsert
)

// MergeClause is one WHEN of a MERGE. Condition (nil: true) and Values refer
// to the columns of Merge.Input.
type MergeClause struct {
	Match     MergeMatch
	Condition expr.Expr
	Action    MergeAction
	Values    []expr.Expr // MergeUpdate, MergeInsert: a value per column of the table
}

// Merge changes a table by the rows of a join. The input's rows are the
// table's columns, RowIDColumn if RowIDs is set, FileColumn, PositionColumn, the
// source's columns, a Boolean, SourceMark, that is true in every source row, and
// what the clauses need besides; PositionColumn is NULL in rows without a match in the table, the Boolean in rows
// without one in the source.
// The first clause that applies to a row decides.
type Merge struct {
	command
	Target     Source
	Input      Node
	RowIDs     bool
	SourceMark int // a position in the input's rows
	Clauses    []MergeClause
	Rules      []Rule
}

// Children implements Node.
func (n *Merge) Children() []Node { return []Node{n.Input} }

// WithChildren implements Node.
func (n *Merge) WithChildren(c []Node) Node {
	out := *n
	out.Input = c[0]
	return &out
}

// PartitionField is a value that rows are partitioned by: what a transform, as the
// Iceberg spec calls it, makes of a column.
type PartitionField struct {
	Transform string // empty for the column itself
	Argument  int64  // of bucket and truncate
	Column    string
	Name      string // empty for the format's choice
}

// CreateTable makes a table and, if Input is not nil, fills it.
type CreateTable struct {
	command
	Name        types.TableName
	IfNotExists bool
	OrReplace   bool
	Format      string // as USING says it
	Location    string
	Definition  types.Schema
	Partition   []PartitionField
	KeyColumns  []string // that tell rows apart: PRIMARY KEY
	Properties  map[string]string
	Comment     string
	Input       Node
}

// Children implements Node.
func (n *CreateTable) Children() []Node {
	if n.Input == nil {
		return nil
	}
	return []Node{n.Input}
}

// WithChildren implements Node.
func (n *CreateTable) WithChildren(c []Node) Node {
	out := *n
	if len(c) > 0 {
		out.Input = c[0]
	}
	return &out
}

// DropTable removes a table.
type DropTable struct {
	command
	leaf
	Name     types.TableName
	IfExists bool
}

// WithChildren implements Node.
func (n *DropTable) WithChildren([]Node) Node { return n }

// leaf is embedded by nodes without inputs.
type leaf struct{}

// Children implements Node.
func (leaf) Children() []Node { return nil }

// ShowTables lists the tables of a schema.
type ShowTables struct {
	leaf
	Namespace string
	Pattern   string // LIKE pattern; empty for all
}

// Schema implements Node.
func (n *ShowTables) Schema() types.Schema {
	str := types.Of(types.String)
	return types.Schema{Fields: []types.Field{{Name: "namespace", Type: str}, {Name: "tableName", Type: str}, {Name: "isTemporary", Type: types.Of(types.Boolean)}}}
}

// WithChildren implements Node.
func (n *ShowTables) WithChildren([]Node) Node { return n }

// Describe lists the columns of a table.
type Describe struct {
	leaf
	Target Source
}

// Schema implements Node.
func (n *Describe) Schema() types.Schema {
	str := types.Of(types.String)
	return types.Schema{Fields: []types.Field{{Name: "col_name", Type: str}, {Name: "data_type", Type: str}, {Name: "comment", Type: str, Nullable: true}}}
}

// WithChildren implements Node.
func (n *Describe) WithChildren([]Node) Node { return n }

// Explain gives the text of a plan and, if Analyze is set, runs it first.
type Explain struct {
	Input   Node
	Analyze bool
}

// Schema implements Node.
func (n *Explain) Schema() types.Schema {
	return types.Schema{Fields: []types.Field{{Name: "plan", Type: types.Of(types.String)}}}
}

// Children implements Node.
func (n *Explain) Children() []Node { return []Node{n.Input} }

// WithChildren implements Node.
func (n *Explain) WithChildren(c []Node) Node { return &Explain{Input: c[0], Analyze: n.Analyze} }

// SessionAction is what a Session node does.
type SessionAction uint8

// The statements about the connection rather than about tables.
const (
	Begin SessionAction = iota
	Commit
	Rollback
	Savepoint
	RollbackTo
	Release
	Set
	Reset
)

// Session begins or ends a transaction, or sets an option.
type Session struct {
	command
	leaf
	Action SessionAction
	Name   string // of the savepoint or option
	Value  string // of the option
	// ReadOnly and Serializable are what BEGIN asks for.
	ReadOnly     bool
	Serializable bool
}

// WithChildren implements Node.
func (n *Session) WithChildren([]Node) Node { return n }
