package ast

// TableName is a table by name or by path. In delta.`/path` the parts are delta and /path; whether the first is a schema or a
// format is the binder's decision.
type TableName struct {
	Loc
	Parts    []Ident
	PathOnly bool // a maintenance statement or COPY INTO named a path in a string, the only part
	At       *TimeTravel
	Stream   bool // FROM STREAM t
	Options  []Property
	Sample   *TableSample
	Alias    *Ident
	Columns  []Ident
}

// TimeTravelKind is the way a version of a table was named.
type TimeTravelKind uint8

const (
	// AsOfVersion is VERSION AS OF and FOR [SYSTEM_]VERSION AS OF: a number, or the name of a branch or tag.
	AsOfVersion TimeTravelKind = iota
	// AsOfTimestamp is TIMESTAMP AS OF and FOR [SYSTEM_]TIME[STAMP] AS OF.
	AsOfTimestamp
	// AtSuffix is t@v3 or t@20240101000000000. It travels only where no table bears the whole text as its name.
	AtSuffix
)

// TimeTravel names a version of a table. Expr is set for the AS OF kinds; Suffix is what follows @ for AtSuffix.
type TimeTravel struct {
	Loc
	Kind   TimeTravelKind
	Expr   Expr
	Suffix string
}

// SampleUnit is the unit of TABLESAMPLE.
type SampleUnit uint8

// The units of a sample.
const (
	SamplePercent SampleUnit = iota
	SampleRows
	SampleBucket // BUCKET Value OUT OF Of
)

// TableSample is TABLESAMPLE. Method is "", "BERNOULLI" or "SYSTEM".
type TableSample struct {
	Loc
	Method string
	Unit   SampleUnit
	Value  Expr
	Of     Expr
	Seed   Expr
}

// SubqueryTable is a subquery in FROM.
type SubqueryTable struct {
	Loc
	Lateral bool
	Query   *Query
	Sample  *TableSample
	Alias   *Ident
	Columns []Ident
}

// ValuesTable is a bare VALUES list used as a table: FROM VALUES (1), (2) AS t(a).
type ValuesTable struct {
	Loc
	Rows    [][]Expr
	Alias   *Ident
	Columns []Ident
}

// TableFunc is a table function, UNNEST included.
type TableFunc struct {
	Loc
	Lateral        bool
	Name           []Ident
	Args           []Expr
	WithOrdinality bool
	Sample         *TableSample
	Alias          *Ident
	Columns        []Ident
}

// JoinKind is the kind of a join.
type JoinKind uint8

// The kinds of joins.
const (
	InnerJoin JoinKind = iota
	LeftJoin
	RightJoin
	FullJoin
	CrossJoin
	LeftSemiJoin
	LeftAntiJoin
)

// Join is a join of two table expressions. An inner join may have neither On nor Using.
type Join struct {
	Loc
	Kind    JoinKind
	Natural bool
	AsOf    bool
	Left    TableExpr
	Right   TableExpr
	On      Expr
	Using   []Ident
}

// Pivot is source PIVOT (aggregates FOR columns IN (values)).
type Pivot struct {
	Loc
	Source  TableExpr
	Aggs    []SelectItem
	For     []*ColumnRef
	In      []PivotValue
	Alias   *Ident
	Columns []Ident
}

// PivotValue is a value, or with several FOR columns a *Row of values, that becomes a column.
type PivotValue struct {
	Loc
	Expr  Expr
	Alias *Ident
}

// Unpivot is source UNPIVOT [INCLUDE NULLS] (values FOR name IN (columns)).
type Unpivot struct {
	Loc
	Source       TableExpr
	IncludeNulls bool
	Values       []Ident
	Name         Ident
	In           []UnpivotColumns
	Alias        *Ident
	Columns      []Ident
}

// UnpivotColumns is as many columns as the UNPIVOT has values, and their name in the output.
type UnpivotColumns struct {
	Loc
	Columns []*ColumnRef
	Alias   *Ident
}

func (*TableName) tableExpr()     {}
func (*SubqueryTable) tableExpr() {}
func (*ValuesTable) tableExpr()   {}
func (*TableFunc) tableExpr()     {}
func (*Join) tableExpr()          {}
func (*Pivot) tableExpr()         {}
func (*Unpivot) tableExpr()       {}
