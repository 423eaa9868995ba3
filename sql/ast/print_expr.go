package ast

import (
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"
)

// The printer's precedences are those of the parser (sql/parser/expr.go).
const (
	precLowest = iota
	precOr
	precAnd
	precNot
	precPredicate
	precCompare
	precBitOr
	precBitXor
	precBitAnd
	precShift
	precAdd
	precMul
	precAtTimeZone
	precUnary
	precPrimary
)

var binaryPrecedence = map[BinaryOp]int{
	OpOr: precOr, OpAnd: precAnd,
	OpEq: precCompare, OpNotEq: precCompare, OpLess: precCompare, OpLessEq: precCompare, OpGreater: precCompare,
	OpGreaterEq: precCompare, OpNullSafeEq: precCompare,
	OpBitOr: precBitOr, OpBitXor: precBitXor, OpBitAnd: precBitAnd,
	OpShiftLeft: precShift, OpShiftRight: precShift, OpShiftRightUnsigned: precShift,
	OpAdd: precAdd, OpSub: precAdd, OpConcat: precAdd, OpArrow: precAdd, OpArrowText: precAdd,
	OpMul: precMul, OpDiv: precMul, OpMod: precMul, OpIntDiv: precMul,
}

func precedenceOf(e Expr) int {
	switch e := e.(type) {
	case *Binary:
		return binaryPrecedence[e.Op]
	case *Unary:
		if e.Op == OpNot {
			return precNot
		}
		return precUnary
	case *Between, *In, *Like, *IsNull, *Is:
		return precPredicate
	case *Quantified:
		return precCompare
	case *AtTimeZone:
		return precAtTimeZone
	}
	return precPrimary
}

// expr prints e, in parentheses where it binds looser than lowest.
func (p *printer) expr(e Expr, lowest int) {
	if precedenceOf(e) < lowest {
		p.w("(")
		defer p.w(")")
	}
	switch e := e.(type) {
	case *Binary:
		prec := binaryPrecedence[e.Op]
		p.expr(e.L, prec)
		p.w("", string(e.Op), "")
		p.expr(e.R, prec+1)
	case *Unary:
		p.unary(e)
	case *AtTimeZone:
		p.expr(e.Expr, precAtTimeZone)
		p.w(" AT TIME ZONE ")
		p.expr(e.Zone, precUnary)
	case *Between, *In, *Like, *IsNull, *Is, *Quantified:
		p.predicate(e)
	case *Literal, *Interval, *ColumnRef, *Star, *Param, *Default:
		p.leaf(e)
	case *Subscript, *Slice, *FieldAccess, *JSONPath:
		p.postfix(e)
	default:
		p.compound(e)
	}
}

func (p *printer) exprs(es []Expr) {
	list(p, es, func(e Expr) { p.expr(e, precLowest) })
}

func (p *printer) unary(e *Unary) {
	if e.Op == OpNot {
		p.w("NOT ")
		p.expr(e.Expr, precNot)
		return
	}
	p.w(string(e.Op))
	switch operand := e.Expr.(type) {
	case *Literal:
		if e.Op == OpNeg && operand.Kind.isNumber() { // a minus before digits would become part of them
			p.w("(")
			defer p.w(")")
		}
	case *Unary:
		p.w(" ") // two minus signs would begin a comment
	}
	p.expr(e.Expr, precUnary)
}

func (k LiteralKind) isNumber() bool { return IntegerLiteral <= k && k <= DoubleLiteral }

func (p *printer) predicate(e Expr) {
	switch e := e.(type) {
	case *Between:
		p.subject(e.Expr, e.Not, " BETWEEN ")
		p.opt(e.Symmetric, "SYMMETRIC ")
		p.expr(e.Low, precCompare)
		p.w(" AND ")
		p.expr(e.High, precCompare)
	case *In:
		p.subject(e.Expr, e.Not, " IN (")
		if e.Query != nil {
			p.query(e.Query)
		} else {
			p.exprs(e.List)
		}
		p.w(")")
	case *Like:
		p.like(e)
	case *IsNull:
		p.expr(e.Expr, precPredicate)
		p.isNot(e.Not)
		p.w("NULL")
	case *Is:
		p.expr(e.Expr, precPredicate)
		p.isNot(e.Not)
		p.w([]string{"TRUE", "FALSE", "UNKNOWN", "DISTINCT FROM "}[e.Kind])
		if e.Kind == IsDistinctFrom {
			p.expr(e.Right, precCompare)
		}
	case *Quantified:
		p.expr(e.Expr, precCompare)
		p.w("", string(e.Op), quantifierWords[e.Quantifier], "(")
		if e.Query != nil {
			p.query(e.Query)
		} else {
			p.expr(e.Array, precLowest)
		}
		p.w(")")
	}
}

var quantifierWords = []string{"", "ANY", "ALL"}

// subject prints the left side of a predicate and its word.
func (p *printer) subject(e Expr, not bool, word string) {
	p.expr(e, precPredicate)
	p.opt(not, " NOT")
	p.w(word)
}

func (p *printer) isNot(not bool) {
	p.w(" IS ")
	p.opt(not, "NOT ")
}

func (p *printer) like(e *Like) {
	p.subject(e.Expr, e.Not, []string{" LIKE ", " ILIKE ", " RLIKE ", " SIMILAR TO "}[e.Kind])
	if e.Quantifier != NoQuantifier {
		p.w(quantifierWords[e.Quantifier], "(")
		p.exprs(e.Patterns)
		p.w(")")
	} else {
		p.expr(e.Pattern, precCompare)
	}
	if e.Escape != nil {
		p.w(" ESCAPE ")
		p.expr(e.Escape, precCompare)
	}
}

func (p *printer) leaf(e Expr) {
	switch e := e.(type) {
	case *Literal:
		p.literal(e)
	case *Interval:
		p.interval(e)
	case *ColumnRef:
		p.name(e.Parts)
	case *Star:
		p.star(e)
	case *Param:
		switch e.Style {
		case DollarParam:
			p.w("$" + strconv.Itoa(e.Ordinal))
		case ColonParam:
			p.w(":" + e.Name)
		case AtParam:
			p.w("@" + e.Name)
		default:
			p.w("?")
		}
	case *Default:
		p.w("DEFAULT")
	}
}

// literal prints a constant so that its kind is read again: 1D is no integer and 10BD no integer either.
func (p *printer) literal(e *Literal) {
	switch e.Kind {
	case NullLiteral:
		p.w("NULL")
	case BoolLiteral, IntegerLiteral:
		p.w(e.Text)
	case TinyIntLiteral:
		p.w(e.Text + "Y")
	case SmallIntLiteral:
		p.w(e.Text + "S")
	case BigIntLiteral:
		p.w(e.Text + "L")
	case FloatLiteral:
		p.w(e.Text + "F")
	case DecimalLiteral:
		p.w(e.Text)
		p.opt(!strings.Contains(e.Text, ".") || strings.ContainsAny(e.Text, "eE"), "BD")
	case DoubleLiteral:
		p.w(e.Text)
		p.opt(!strings.ContainsAny(e.Text, "eE"), "D")
	case StringLiteral:
		p.w(quoteString(e.Text))
	case BinaryLiteral:
		p.w("X'" + strings.ToUpper(hex.EncodeToString([]byte(e.Text))) + "'")
	default:
		p.w(typedLiteralWords[e.Kind], quoteString(e.Text))
	}
}

var typedLiteralWords = map[LiteralKind]string{
	DateLiteral: "DATE", TimeLiteral: "TIME", TimestampLiteral: "TIMESTAMP",
	TimestampNTZLiteral: "TIMESTAMP_NTZ", TimestampLTZLiteral: "TIMESTAMP_LTZ",
}

func (p *printer) interval(e *Interval) {
	p.w("INTERVAL")
	for _, part := range e.Parts {
		p.w(" ")
		p.intervalValue(part.Value)
		if part.Unit != "" {
			p.w("", part.Unit)
		}
	}
	if e.To != "" {
		p.w(" TO", e.To)
	}
}

// intervalValue puts anything but a constant or a parameter in parentheses.
func (p *printer) intervalValue(e Expr) {
	switch v := e.(type) {
	case *Param:
		p.leaf(e)
		return
	case *Literal:
		if v.Kind.isNumber() || v.Kind == StringLiteral {
			p.leaf(e)
			return
		}
	case *Unary:
		if l, ok := v.Expr.(*Literal); ok && v.Op == OpNeg && l.Kind == StringLiteral {
			p.w("-")
			p.leaf(l)
			return
		}
	}
	p.w("(")
	p.expr(e, precLowest)
	p.w(")")
}

func (p *printer) star(e *Star) {
	p.name(e.Table)
	p.opt(e.Table != nil, ".")
	p.w("*")
	if e.Except != nil {
		p.w(" EXCEPT ")
		p.columns(e.Except)
	}
	if e.Replace != nil {
		p.w(" REPLACE ")
		parens(p, e.Replace, p.selectItem)
	}
}

// columns prints column names in parentheses.
func (p *printer) columns(refs []*ColumnRef) {
	parens(p, refs, func(c *ColumnRef) { p.name(c.Parts) })
}

func (p *printer) postfix(e Expr) {
	switch e := e.(type) {
	case *Subscript:
		p.base(e.Expr, false)
		p.w("[")
		p.bound(e.Index)
		p.w("]")
	case *Slice:
		p.base(e.Expr, false)
		p.w("[")
		p.bound(e.Low)
		p.w(":")
		p.bound(e.High)
		p.w("]")
	case *FieldAccess:
		p.base(e.Expr, true)
		p.w(".")
		p.ident(e.Name)
	case *JSONPath:
		p.base(e.Expr, false)
		p.w(":")
		for i, step := range e.Steps {
			if step.Name == nil {
				p.w("[")
				p.expr(step.Index, precLowest)
				p.w("]")
				continue
			}
			p.opt(i > 0, ".")
			p.ident(*step.Name)
		}
	}
}

// base prints what a postfix applies to. A name before a dot needs parentheses, or the two were one name; a path would take
// what follows for its own.
func (p *printer) base(e Expr, beforeDot bool) {
	switch e.(type) {
	case *ColumnRef:
		if !beforeDot {
			p.expr(e, precLowest)
			return
		}
	case *Call, *Cast, *Subscript, *Slice, *FieldAccess:
		if c, ok := e.(*Call); !ok || c.Over == nil && !c.NoParens {
			p.expr(e, precLowest)
			return
		}
	}
	p.w("(")
	p.expr(e, precLowest)
	p.w(")")
}

// bound prints an index or a bound of a slice. A colon inside it would be taken for the slice's.
func (p *printer) bound(e Expr) {
	if e == nil {
		return
	}
	colon := false
	Walk(e, func(n Node) bool {
		switch n := n.(type) {
		case *JSONPath:
			colon = true
		case *Param:
			colon = colon || n.Style == ColonParam
		}
		return !colon
	})
	p.opt(colon, "(")
	p.expr(e, precLowest)
	p.opt(colon, ")")
}

func (p *printer) compound(e Expr) {
	switch e := e.(type) {
	case *Case:
		p.caseExpr(e)
	case *Cast:
		p.opt(e.Try, "TRY_")
		p.w("CAST(")
		p.expr(e.Expr, precLowest)
		p.w(" AS ")
		p.typeName(e.Type)
		p.w(")")
	case *Call:
		p.call(e)
	case *NamedArg:
		p.ident(e.Name)
		p.w(" => ")
		p.arg(e.Value)
	case *Lambda:
		parens(p, e.Params, p.ident)
		p.w(" -> ")
		p.expr(e.Body, precLowest)
	case *Extract:
		p.w("EXTRACT(" + QuoteIdent(e.Field) + " FROM ")
		p.expr(e.From, precLowest)
		p.w(")")
	case *Trim:
		p.w("TRIM(" + e.Side)
		if e.Chars != nil {
			p.w(" ")
			p.expr(e.Chars, precLowest)
		}
		p.clause(" FROM", e.From)
		p.w(")")
	case *Subquery:
		p.parenQuery(e.Query)
	case *Exists:
		p.w("EXISTS ")
		p.parenQuery(e.Query)
	default:
		p.constructor(e)
	}
}

func (p *printer) constructor(e Expr) {
	switch e := e.(type) {
	case *ArrayLit:
		p.w("[")
		p.exprs(e.Elems)
		p.w("]")
	case *MapLit:
		p.w("MAP {")
		list(p, e.Entries, func(m MapEntry) {
			p.bound(m.Key)
			p.w(": ")
			p.expr(m.Value, precLowest)
		})
		p.w("}")
	case *StructLit:
		p.w("{")
		list(p, e.Fields, func(f StructLitField) {
			p.w(quoteString(f.Name.Name) + ": ")
			p.expr(f.Value, precLowest)
		})
		p.w("}")
	case *Row:
		p.opt(e.Keyword, "ROW")
		p.w("(")
		p.exprs(e.Elems)
		p.w(")")
	default:
		panic(fmt.Sprintf("ast: no text for a %T", e))
	}
}

func (p *printer) caseExpr(e *Case) {
	p.w("CASE")
	p.clause("", e.Operand)
	for _, w := range e.Whens {
		p.clause(" WHEN", w.Cond)
		p.clause(" THEN", w.Then)
	}
	p.clause(" ELSE", e.Else)
	p.w(" END")
}

func (p *printer) call(e *Call) {
	p.funcName(e.Name)
	if e.NoParens {
		return
	}
	p.w("(")
	p.opt(e.Distinct, "DISTINCT ")
	p.opt(e.Star, "*")
	list(p, e.Args, func(a Expr) {
		if _, isIn := a.(*In); isIn && isNamed(e.Name, "POSITION") {
			p.w("(")
			defer p.w(")")
		}
		p.arg(a)
	})
	p.orderBy(e.OrderBy)
	p.w(")" + []string{"", " IGNORE NULLS", " RESPECT NULLS"}[e.Nulls])
	if e.WithinGroup != nil {
		p.w(" WITHIN GROUP (ORDER BY ")
		list(p, e.WithinGroup, p.orderItem)
		p.w(")")
	}
	if e.Filter != nil {
		p.clause(" FILTER (WHERE", e.Filter)
		p.w(")")
	}
	if e.Over != nil {
		p.w(" OVER ")
		p.window(e.Over)
	}
}

func isNamed(name []Ident, word string) bool {
	return len(name) == 1 && strings.EqualFold(name[0].Name, word)
}

// funcName prints the name of a function. Some words are names before a parenthesis only.
func (p *printer) funcName(name []Ident) {
	if len(name) == 1 {
		switch strings.ToUpper(name[0].Name) {
		case "LEFT", "RIGHT", "ARRAY", "CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP", "CURRENT_USER", "LOCALTIMESTAMP":
			p.w(name[0].Name)
			return
		}
	}
	p.name(name)
}

// arg prints an argument. A JSON arrow at its start would make it a lambda.
func (p *printer) arg(e Expr) {
	arrow := startsWithArrow(e)
	p.opt(arrow, "(")
	p.expr(e, precLowest)
	p.opt(arrow, ")")
}

func startsWithArrow(e Expr) bool {
	for {
		switch n := e.(type) {
		case *Binary:
			if n.Op == OpArrow {
				return true
			}
			e = n.L
		case *Between:
			e = n.Expr
		case *In:
			e = n.Expr
		case *Like:
			e = n.Expr
		case *IsNull:
			e = n.Expr
		case *Is:
			e = n.Expr
		case *Quantified:
			e = n.Expr
		case *AtTimeZone:
			e = n.Expr
		default:
			return false
		}
	}
}

func (p *printer) window(s *WindowSpec) {
	if s.Ref != nil && !s.Extends {
		p.ident(*s.Ref)
		return
	}
	sep := "("
	part := func(word string) {
		p.w(sep + word)
		sep = " "
	}
	if s.Ref != nil {
		part("`" + strings.ReplaceAll(s.Ref.Name, "`", "``") + "`")
	}
	if s.PartitionBy != nil {
		part("PARTITION BY ")
		p.exprs(s.PartitionBy)
	}
	if s.OrderBy != nil {
		part("ORDER BY ")
		list(p, s.OrderBy, p.orderItem)
	}
	if s.Frame != nil {
		part("")
		p.frame(s.Frame)
	}
	p.opt(sep == "(", "(")
	p.w(")")
}

func (p *printer) frame(f *Frame) {
	p.w([]string{"ROWS ", "RANGE ", "GROUPS "}[f.Unit])
	if f.End == nil {
		p.frameBound(f.Start)
	} else {
		p.w("BETWEEN ")
		p.frameBound(f.Start)
		p.w(" AND ")
		p.frameBound(*f.End)
	}
	p.w([]string{"", " EXCLUDE CURRENT ROW", " EXCLUDE GROUP", " EXCLUDE TIES"}[f.Exclude])
}

func (p *printer) frameBound(b FrameBound) {
	if b.Offset != nil {
		p.expr(b.Offset, precBitOr)
	}
	p.w([]string{"UNBOUNDED PRECEDING", " PRECEDING", "CURRENT ROW", " FOLLOWING", "UNBOUNDED FOLLOWING"}[b.Kind])
}

func (p *printer) typeName(t *TypeName) {
	switch {
	case t.Key != nil:
		p.w("MAP<")
		p.typeName(t.Key)
		p.w(", ")
		p.typeName(t.Elem)
		p.w(">")
	case t.Elem != nil:
		p.w("ARRAY<")
		p.typeName(t.Elem)
		p.w(">")
	case t.Name == "STRUCT":
		p.w("STRUCT<")
		list(p, t.Fields, func(f TypeField) {
			p.ident(f.Name)
			p.w(": ")
			p.typeName(f.Type)
			p.opt(f.NotNull, " NOT NULL")
			p.text(" COMMENT", f.Comment)
		})
		p.w(">")
	default:
		p.w(scalarTypeName(t.Name))
		if t.Args != nil {
			parens(p, t.Args, func(n int) { p.w(strconv.Itoa(n)) })
		}
		p.opt(t.From != "", " "+t.From)
		p.opt(t.To != "", " TO "+t.To)
	}
}

// scalarTypeName is a type's name as a word; INTERVAL is one here.
func scalarTypeName(name string) string {
	if name == "INTERVAL" {
		return name
	}
	return QuoteIdent(name)
}
