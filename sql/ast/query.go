package ast

// Query is a complete query expression. It is a statement, the body of a subquery and, in parentheses, an operand of a
// set operation.
type Query struct {
	Loc
	With     *With
	Body     QueryBody
	OrderBy  []OrderItem
	Limit    Expr // nil for LIMIT ALL
	Offset   Expr
	WithTies bool // FETCH … WITH TIES
}

// With is the WITH clause.
type With struct {
	Loc
	Recursive bool
	CTEs      []CTE
}

// Materialization is the hint of a common table expression.
type Materialization uint8

// What WITH says of keeping a result.
const (
	MaterializeDefault Materialization = iota
	Materialized
	NotMaterialized
)

// CTE is one common table expression.
type CTE struct {
	Loc
	Name        Ident
	Columns     []Ident
	Materialize Materialization
	Query       *Query
}

// OrderItem is an item of ORDER BY. All means ORDER BY ALL, and Expr is nil.
type OrderItem struct {
	Loc
	Expr  Expr
	All   bool
	Desc  bool
	Nulls NullsOrder
}

// NullsOrder says where NULLs sort. By default they sort first ascending and last descending.
type NullsOrder uint8

// Where NULLs are sorted to; the default follows the direction.
const (
	NullsDefault NullsOrder = iota
	NullsFirst
	NullsLast
)

// Select is one SELECT block.
type Select struct {
	Loc
	Distinct     bool
	DistinctOn   []Expr // DISTINCT ON (…); Distinct is set too
	Items        []SelectItem
	From         []TableExpr // separated by commas
	LateralViews []*LateralView
	Where        Expr
	GroupBy      *GroupBy
	Having       Expr
	Windows      []WindowDef
	Qualify      Expr
}

// SelectItem is an item of the select list. Aliases is used instead of Alias by generators: `explode(m) AS (k, v)`.
type SelectItem struct {
	Loc
	Expr    Expr
	Alias   *Ident
	Aliases []Ident
}

// LateralView is LATERAL VIEW [OUTER] f(…) table AS columns.
type LateralView struct {
	Loc
	Outer   bool
	Func    *Call
	Table   *Ident
	Columns []Ident
}

// GroupBy is the GROUP BY clause. `GROUP BY a, b WITH ROLLUP` is one GroupRollup item.
type GroupBy struct {
	Loc
	All   bool
	Items []GroupItem
}

// GroupKind tells the forms of a grouping element apart.
type GroupKind uint8

const (
	GroupExpr   GroupKind = iota // an expression: Expr
	GroupSet                     // a parenthesised list, maybe empty: Exprs
	GroupRollup                  // ROLLUP (Items)
	GroupCube                    // CUBE (Items)
	GroupSets                    // GROUPING SETS (Items)
)

// GroupItem is an element of GROUP BY.
type GroupItem struct {
	Loc
	Kind  GroupKind
	Expr  Expr
	Exprs []Expr
	Items []GroupItem
}

// WindowDef is a named window of the WINDOW clause.
type WindowDef struct {
	Loc
	Name Ident
	Spec *WindowSpec
}

// WindowSpec is what follows OVER. With only Ref set it names a window (OVER w); a Ref inside parentheses
// (OVER (w ROWS …)) has Extends set.
type WindowSpec struct {
	Loc
	Ref         *Ident
	Extends     bool
	PartitionBy []Expr
	OrderBy     []OrderItem
	Frame       *Frame
}

// FrameUnit is the unit of a window frame.
type FrameUnit uint8

// The units of a window frame.
const (
	FrameRows FrameUnit = iota
	FrameRange
	FrameGroups
)

// FrameExclude is the EXCLUDE clause of a window frame.
type FrameExclude uint8

// What EXCLUDE leaves out of a frame.
const (
	ExcludeNoOthers FrameExclude = iota
	ExcludeCurrentRow
	ExcludeGroup
	ExcludeTies
)

// Frame is a window frame. End is nil for the short form `ROWS 3 PRECEDING`, which ends at the current row.
type Frame struct {
	Loc
	Unit    FrameUnit
	Start   FrameBound
	End     *FrameBound
	Exclude FrameExclude
}

// BoundKind is the kind of a frame bound.
type BoundKind uint8

// The ends of a window frame, from first to last.
const (
	UnboundedPreceding BoundKind = iota
	Preceding                    // Offset PRECEDING
	CurrentRow
	Following // Offset FOLLOWING
	UnboundedFollowing
)

// FrameBound is one end of a window frame.
type FrameBound struct {
	Loc
	Kind   BoundKind
	Offset Expr
}

// SetOpKind is the operation of a SetOp.
type SetOpKind uint8

// The set operations.
const (
	Union SetOpKind = iota
	Intersect
	Except
)

// SetOp is UNION, INTERSECT or EXCEPT (MINUS). INTERSECT binds tighter than the other two.
type SetOp struct {
	Loc
	Op     SetOpKind
	All    bool
	ByName bool
	Left   QueryBody
	Right  QueryBody
}

// Values is a VALUES list. `VALUES 1, 2` has two rows of one value.
type Values struct {
	Loc
	Rows [][]Expr
}

// TableBody is `TABLE t`, short for SELECT * FROM t.
type TableBody struct {
	Loc
	Table *TableName
}

func (*Query) statement()     {}
func (*Query) queryBody()     {}
func (*Select) queryBody()    {}
func (*SetOp) queryBody()     {}
func (*Values) queryBody()    {}
func (*TableBody) queryBody() {}
