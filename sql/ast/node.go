package ast

// Pos is a byte offset in the source text of the statement (or of the statements parsed together).
type Pos int

// Loc is embedded in every node and says where its text begins.
type Loc struct{ Offset Pos }

// Pos is the byte offset of the node's first character.
func (l Loc) Pos() Pos { return l.Offset }

// Node is any part of the tree that has a position of its own.
type Node interface{ Pos() Pos }

// Statement is one whole SQL statement.
type Statement interface {
	Node
	statement()
}

// QueryBody is what stands between WITH and ORDER BY: *Select, *SetOp, *Values, *TableBody or a parenthesised *Query.
type QueryBody interface {
	Node
	queryBody()
}

// TableExpr is an item of FROM.
type TableExpr interface {
	Node
	tableExpr()
}

// Expr is a scalar expression.
type Expr interface {
	Node
	expr()
}

// Ident is one part of a name, without its quotes. Identifiers compare without regard to case.
type Ident struct {
	Loc
	Name string
}

// Property is an entry of TBLPROPERTIES, OPTIONS and their like. A dotted or quoted key is kept as one string; Value is nil
// where the syntax allows a bare key.
type Property struct {
	Loc
	Key   string
	Value Expr
}
