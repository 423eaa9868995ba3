package ast

import "fmt"

func precedenceOf(e Expr) Precedence {
	switch e := e.(type) {
	case *Binary:
		return e.Op.Precedence()
	case *Unary:
		if e.Op == OpNot {
			return PrecNot
		}
		return PrecUnary
	case *Between, *In, *Like, *IsNull, *Is:
		return PrecPredicate
	case *Quantified:
		return PrecCompare
	case *AtTimeZone:
		return PrecAtTimeZone
	}
	return PrecPostfix
}

// expr prints e, in parentheses where it binds looser than lowest.
func (p *printer) expr(e Expr, lowest Precedence) {
	if precedenceOf(e) < lowest {
		p.w("(")
		defer p.w(")")
	}
	switch e := e.(type) {
	case *Binary:
		prec := e.Op.Precedence()
		p.expr(e.L, prec)
		p.w("", string(e.Op), "")
		p.expr(e.R, prec+1)
	case *Unary:
		p.unary(e)
	case *AtTimeZone:
		p.expr(e.Expr, PrecAtTimeZone)
		p.w(" AT TIME ZONE ")
		p.expr(e.Zone, PrecUnary)
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
	list(p, es, func(e Expr) { p.expr(e, PrecLowest) })
}

func (p *printer) unary(e *Unary) {
	if e.Op == OpNot {
		p.w("NOT ")
		p.expr(e.Expr, PrecNot)
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
	p.expr(e.Expr, PrecUnary)
}

func (p *printer) predicate(e Expr) {
	switch e := e.(type) {
	case *Between:
		p.subject(e.Expr, e.Not, " BETWEEN ")
		p.opt(e.Symmetric, "SYMMETRIC ")
		p.expr(e.Low, PrecCompare)
		p.w(" AND ")
		p.expr(e.High, PrecCompare)
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
		p.expr(e.Expr, PrecPredicate)
		p.isNot(e.Not)
		p.w("NULL")
	case *Is:
		p.expr(e.Expr, PrecPredicate)
		p.isNot(e.Not)
		p.w([]string{"TRUE", "FALSE", "UNKNOWN", "DISTINCT FROM "}[e.Kind])
		if e.Kind == IsDistinctFrom {
			p.expr(e.Right, PrecCompare)
		}
	case *Quantified:
		p.expr(e.Expr, PrecCompare)
		p.w("", string(e.Op), quantifierWords[e.Quantifier], "(")
		if e.Query != nil {
			p.query(e.Query)
		} else {
			p.expr(e.Array, PrecLowest)
		}
		p.w(")")
	}
}

var quantifierWords = []string{"", "ANY", "ALL"}

// subject prints the left side of a predicate and its word.
func (p *printer) subject(e Expr, not bool, word string) {
	p.expr(e, PrecPredicate)
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
		p.expr(e.Pattern, PrecCompare)
	}
	if e.Escape != nil {
		p.w(" ESCAPE ")
		p.expr(e.Escape, PrecCompare)
	}
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
				p.expr(step.Index, PrecLowest)
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
			p.expr(e, PrecLowest)
			return
		}
	case *Call, *Cast, *Subscript, *Slice, *FieldAccess:
		if c, ok := e.(*Call); !ok || c.Over == nil && !c.NoParens {
			p.expr(e, PrecLowest)
			return
		}
	}
	p.w("(")
	p.expr(e, PrecLowest)
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
	p.expr(e, PrecLowest)
	p.opt(colon, ")")
}

func (p *printer) compound(e Expr) {
	switch e := e.(type) {
	case *Case:
		p.caseExpr(e)
	case *Cast:
		p.opt(e.Try, "TRY_")
		p.w("CAST(")
		p.expr(e.Expr, PrecLowest)
		p.w(" AS ")
		p.typeName(e.Type)
		p.w(")")
	case *Call:
		p.call(e)
	case *NamedArg:
		p.ident(e.Name)
		p.w(" => ")
		p.arg(e.Value)
	case *AliasedArg:
		p.arg(e.Value)
		p.w(" AS ")
		p.ident(e.Name)
	case *Lambda:
		parens(p, e.Params, p.ident)
		p.w(" -> ")
		p.expr(e.Body, PrecLowest)
	case *Extract:
		p.w("EXTRACT(" + QuoteIdent(e.Field) + " FROM ")
		p.expr(e.From, PrecLowest)
		p.w(")")
	case *Trim:
		p.w("TRIM(" + e.Side)
		if e.Chars != nil {
			p.w(" ")
			p.expr(e.Chars, PrecLowest)
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
			p.expr(m.Value, PrecLowest)
		})
		p.w("}")
	case *StructLit:
		p.w("{")
		list(p, e.Fields, func(f StructLitField) {
			p.w(quoteString(f.Name.Name) + ": ")
			p.expr(f.Value, PrecLowest)
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
