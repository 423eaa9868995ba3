package ast

// LiteralKind is the kind of a literal.
type LiteralKind uint8

// The kinds of literals.
const (
	NullLiteral     LiteralKind = iota
	BoolLiteral                 // Text is TRUE or FALSE
	IntegerLiteral              // no suffix: INT, BIGINT or DECIMAL by size
	TinyIntLiteral              // 1Y
	SmallIntLiteral             // 1S
	BigIntLiteral               // 1L
	DecimalLiteral              // 1.5, 1.5BD
	FloatLiteral                // 1.5F
	DoubleLiteral               // 1.5D, 1e3
	StringLiteral
	BinaryLiteral // X'…'; Text holds the bytes
	DateLiteral   // DATE '…'
	TimeLiteral   // TIME '…'
	TimestampLiteral
	TimestampNTZLiteral
	TimestampLTZLiteral
)

// Literal is a constant. Text is its value: the characters of a string after unescaping, the digits of a number without
// suffix and underscores (with a leading minus where one was written), the text between the quotes of a typed literal.
type Literal struct {
	Loc
	Kind LiteralKind
	Text string
}

// Interval is an interval literal: INTERVAL '3' DAY has one part; INTERVAL 1 YEAR 2 MONTHS has two;
// INTERVAL '1 02:03' DAY TO MINUTE has To set; INTERVAL '3 days' has one part without a unit.
type Interval struct {
	Loc
	Parts []IntervalPart
	To    string
}

// IntervalPart is a value and its unit in upper case and singular.
type IntervalPart struct {
	Loc
	Value Expr
	Unit  string
}

// ColumnRef is a name of one or more parts. How many of them name table, column and nested field the binder decides.
type ColumnRef struct {
	Loc
	Parts []Ident
}

// Star is * or t.* in a select list or as an argument.
type Star struct {
	Loc
	Table   []Ident
	Except  []*ColumnRef
	Replace []SelectItem
}

// ParamStyle is the way parameters are written. A statement uses one style only.
type ParamStyle uint8

// The styles of placeholders, of which a statement has one.
const (
	NoParams      ParamStyle = iota
	QuestionParam            // ?
	DollarParam              // $1
	ColonParam               // :name
	AtParam                  // @name
)

// Param is a parameter. Ordinal counts from 1: the place among the ? of the statement, the n of $n, and for a name the place
// of its first use among the distinct names.
type Param struct {
	Loc
	Style   ParamStyle
	Ordinal int
	Name    string
}

// BinaryOp is a binary operator in canonical spelling.
type BinaryOp string

// The binary operators, weakest first.
const (
	OpOr                 BinaryOp = "OR"
	OpAnd                BinaryOp = "AND"
	OpEq                 BinaryOp = "="
	OpNotEq              BinaryOp = "<>"
	OpLess               BinaryOp = "<"
	OpLessEq             BinaryOp = "<="
	OpGreater            BinaryOp = ">"
	OpGreaterEq          BinaryOp = ">="
	OpNullSafeEq         BinaryOp = "<=>"
	OpBitOr              BinaryOp = "|"
	OpBitXor             BinaryOp = "^"
	OpBitAnd             BinaryOp = "&"
	OpShiftLeft          BinaryOp = "<<"
	OpShiftRight         BinaryOp = ">>"
	OpShiftRightUnsigned BinaryOp = ">>>"
	OpAdd                BinaryOp = "+"
	OpSub                BinaryOp = "-"
	OpConcat             BinaryOp = "||"
	OpArrow              BinaryOp = "->"  // JSON value
	OpArrowText          BinaryOp = "->>" // JSON value as text
	OpMul                BinaryOp = "*"
	OpDiv                BinaryOp = "/"
	OpMod                BinaryOp = "%"
	OpIntDiv             BinaryOp = "DIV"
)

// Binary is L Op R.
type Binary struct {
	Loc
	Op   BinaryOp
	L, R Expr
}

// UnaryOp is a prefix operator.
type UnaryOp string

// The unary operators.
const (
	OpNot    UnaryOp = "NOT"
	OpNeg    UnaryOp = "-"
	OpPlus   UnaryOp = "+"
	OpBitNot UnaryOp = "~"
)

// Unary is Op Expr. A minus before a number is part of the Literal.
type Unary struct {
	Loc
	Op   UnaryOp
	Expr Expr
}

// Between is Expr [NOT] BETWEEN [SYMMETRIC] Low AND High.
type Between struct {
	Loc
	Expr      Expr
	Not       bool
	Symmetric bool
	Low, High Expr
}

// In is Expr [NOT] IN (List) or IN (Query).
type In struct {
	Loc
	Expr  Expr
	Not   bool
	List  []Expr
	Query *Query
}

// LikeKind is the kind of pattern.
type LikeKind uint8

// The pattern operators.
const (
	LikePattern LikeKind = iota
	ILikePattern
	RLikePattern // RLIKE, REGEXP
	SimilarTo
)

// Quantifier is ANY (SOME) or ALL.
type Quantifier uint8

// The quantifiers of LIKE.
const (
	NoQuantifier Quantifier = iota
	Any
	All
)

// Like is a pattern match. With a Quantifier (LIKE ANY ('a', 'b')) Patterns is used instead of Pattern.
type Like struct {
	Loc
	Expr       Expr
	Kind       LikeKind
	Not        bool
	Pattern    Expr
	Escape     Expr
	Quantifier Quantifier
	Patterns   []Expr
}

// IsNull is Expr IS [NOT] NULL.
type IsNull struct {
	Loc
	Expr Expr
	Not  bool
}

// IsKind is what an Is tests.
type IsKind uint8

// What IS tests for, besides NULL.
const (
	IsTrue IsKind = iota
	IsFalse
	IsUnknown
	IsDistinctFrom // Right
)

// Is is Expr IS [NOT] TRUE, FALSE, UNKNOWN or DISTINCT FROM Right.
type Is struct {
	Loc
	Expr  Expr
	Not   bool
	Kind  IsKind
	Right Expr
}

// Case is CASE [Operand] WHEN … END.
type Case struct {
	Loc
	Operand Expr
	Whens   []When
	Else    Expr
}

// When is a branch of Case.
type When struct {
	Loc
	Cond Expr
	Then Expr
}

// Cast is CAST, TRY_CAST or `::`.
type Cast struct {
	Loc
	Expr Expr
	Type *TypeName
	Try  bool
}

// NullTreatment is IGNORE NULLS or RESPECT NULLS.
type NullTreatment uint8

// What a window function does with NULLs.
const (
	NullsUnspecified NullTreatment = iota
	IgnoreNulls
	RespectNulls
)

// Call is a function call. SUBSTRING(s FROM 2 FOR 3), POSITION(a IN s) and OVERLAY(s PLACING x FROM 2) are calls with their
// operands as arguments.
type Call struct {
	Loc
	Name        []Ident
	Args        []Expr // *NamedArg, *AliasedArg, *Lambda and *Star occur here only
	Distinct    bool
	Star        bool // count(*); Args is empty
	NoParens    bool // CURRENT_DATE
	OrderBy     []OrderItem
	Nulls       NullTreatment
	WithinGroup []OrderItem
	Filter      Expr
	Over        *WindowSpec
}

// NamedArg is name => value.
type NamedArg struct {
	Loc
	Name  Ident
	Value Expr
}

// AliasedArg is value AS name, an argument of struct.
type AliasedArg struct {
	Loc
	Value Expr
	Name  Ident
}

// Lambda is x -> body or (x, y) -> body.
type Lambda struct {
	Loc
	Params []Ident
	Body   Expr
}

// Extract is EXTRACT(Field FROM From); Field is in upper case.
type Extract struct {
	Loc
	Field string
	From  Expr
}

// Trim is TRIM([BOTH | LEADING | TRAILING] [Chars] FROM From); Side is in upper case.
type Trim struct {
	Loc
	Side  string
	Chars Expr
	From  Expr
}

// Subquery is a scalar subquery.
type Subquery struct {
	Loc
	Query *Query
}

// Exists is EXISTS (Query).
type Exists struct {
	Loc
	Query *Query
}

// Quantified is Expr Op ANY|ALL (Query), or of an array expression.
type Quantified struct {
	Loc
	Expr       Expr
	Op         BinaryOp
	Quantifier Quantifier
	Query      *Query
	Array      Expr
}

// ArrayLit is [1, 2] or ARRAY[1, 2].
type ArrayLit struct {
	Loc
	Elems []Expr
}

// MapLit is MAP {key: value}.
type MapLit struct {
	Loc
	Entries []MapEntry
}

// MapEntry is an entry of MapLit.
type MapEntry struct {
	Loc
	Key, Value Expr
}

// StructLit is {'name': value}.
type StructLit struct {
	Loc
	Fields []StructLitField
}

// StructLitField is a field of StructLit.
type StructLitField struct {
	Loc
	Name  Ident
	Value Expr
}

// Row is (a, b) or ROW(a, b).
type Row struct {
	Loc
	Keyword bool // written with ROW, so a single element is possible
	Elems   []Expr
}

// Subscript is Expr[Index].
type Subscript struct {
	Loc
	Expr  Expr
	Index Expr
}

// Slice is Expr[Low:High]; either may be nil.
type Slice struct {
	Loc
	Expr      Expr
	Low, High Expr
}

// FieldAccess is Expr.Name where Expr is not itself a name (that would be one ColumnRef).
type FieldAccess struct {
	Loc
	Expr Expr
	Name Ident
}

// JSONPath is Expr:a.b[0]['c'].
type JSONPath struct {
	Loc
	Expr  Expr
	Steps []PathStep
}

// PathStep is a field (Name) or a subscript (Index).
type PathStep struct {
	Loc
	Name  *Ident
	Index Expr
}

// AtTimeZone is Expr AT TIME ZONE Zone.
type AtTimeZone struct {
	Loc
	Expr Expr
	Zone Expr
}

// Default is the word DEFAULT as a value of INSERT, UPDATE or MERGE.
type Default struct{ Loc }

func (*Literal) expr()     {}
func (*Interval) expr()    {}
func (*ColumnRef) expr()   {}
func (*Star) expr()        {}
func (*Param) expr()       {}
func (*Binary) expr()      {}
func (*Unary) expr()       {}
func (*Between) expr()     {}
func (*In) expr()          {}
func (*Like) expr()        {}
func (*IsNull) expr()      {}
func (*Is) expr()          {}
func (*Case) expr()        {}
func (*Cast) expr()        {}
func (*Call) expr()        {}
func (*NamedArg) expr()    {}
func (*AliasedArg) expr()  {}
func (*Lambda) expr()      {}
func (*Extract) expr()     {}
func (*Trim) expr()        {}
func (*Subquery) expr()    {}
func (*Exists) expr()      {}
func (*Quantified) expr()  {}
func (*ArrayLit) expr()    {}
func (*MapLit) expr()      {}
func (*StructLit) expr()   {}
func (*Row) expr()         {}
func (*Subscript) expr()   {}
func (*Slice) expr()       {}
func (*FieldAccess) expr() {}
func (*JSONPath) expr()    {}
func (*AtTimeZone) expr()  {}
func (*Default) expr()     {}
