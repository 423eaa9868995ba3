package parser

import (
	"strings"

	"github.com/tarndb/tarn/sql/ast"
)

// primary reads an operand without its sign.
func (p *parser) primary() ast.Expr {
	switch p.tok.kind {
	case tokNumber:
		return p.numberLiteral(p.loc(), false)
	case tokString:
		if p.atString() {
			return p.stringLiteral()
		}
		return p.binaryLiteral()
	case tokQuoted:
		return p.nameOrCall()
	case tokWord:
		if p.atParam() {
			return p.param()
		}
		if e := p.specialWord(); e != nil {
			return e
		}
		if p.atIdent() || p.atAny("LEFT", "RIGHT") && p.isOp(p.peek(1), "(") {
			return p.nameOrCall()
		}
	case tokOp:
		if e := p.bracketed(); e != nil {
			return e
		}
	}
	p.fail("an expression")
	return nil
}

// bracketed reads an operand that begins with a sign.
func (p *parser) bracketed() ast.Expr {
	loc := p.loc()
	switch {
	case p.atParam():
		return p.param()
	case p.acceptOp("("):
		return p.parenthesised(loc)
	case p.atOp("["):
		return p.arrayLit(loc)
	case p.acceptOp("{"):
		return p.structLit(loc)
	}
	return nil
}

// specialWord reads an operand that begins with a word of its own; nil if the word is a name here.
func (p *parser) specialWord() ast.Expr {
	loc, word, next := p.loc(), p.tok.keyword(), p.peek(1)
	if kind, ok := typedLiterals[word]; ok && p.isString(next) {
		return p.typedLiteral(kind)
	}
	switch word {
	case "NULL":
		p.next()
		return &ast.Literal{Loc: loc, Kind: ast.NullLiteral, Text: "NULL"}
	case "TRUE", "FALSE":
		p.next()
		return &ast.Literal{Loc: loc, Kind: ast.BoolLiteral, Text: word}
	case "CASE":
		return p.caseExpr()
	case "INTERVAL":
		if p.atInterval() {
			return p.interval()
		}
	case "CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP", "CURRENT_USER", "LOCALTIMESTAMP":
		if !p.isOp(next, "(") && !p.isOp(next, ".") {
			return &ast.Call{Loc: loc, Name: []ast.Ident{p.anyIdent("")}, NoParens: true}
		}
	case "ARRAY":
		if p.isOp(next, "[") {
			p.next()
			return p.arrayLit(loc)
		}
	case "MAP":
		if p.isOp(next, "{") {
			p.next()
			return p.mapLit(loc)
		}
	}
	if p.isOp(next, "(") {
		return p.specialCall(loc, word)
	}
	return nil
}

// specialCall reads the functions whose arguments have a syntax of their own.
func (p *parser) specialCall(loc ast.Loc, word string) ast.Expr {
	switch word {
	case "CAST", "TRY_CAST":
		return p.cast(loc, word == "TRY_CAST")
	case "EXISTS":
		if p.existsQuery() {
			p.next()
			return &ast.Exists{Loc: loc, Query: p.parenQuery()}
		}
	case "EXTRACT":
		return p.extract(loc)
	case "ROW":
		p.next()
		p.next()
		n := &ast.Row{Loc: loc, Keyword: true}
		p.commaList(func() { n.Elems = append(n.Elems, p.expr()) })
		p.expectOp(")")
		return n
	case "STRUCT":
		return p.structCall(loc)
	case "TRIM":
		return p.trim(loc)
	case "SUBSTRING", "SUBSTR", "POSITION", "OVERLAY":
		return p.keywordCall(loc, word)
	}
	return nil
}

// existsQuery tells EXISTS of a query from a call of the function, whose first argument may begin with a parenthesis too.
func (p *parser) existsQuery() bool {
	n := 2
	if !p.isOp(p.peek(n), "(") {
		return p.startsQuery(n)
	}
	for depth := 0; p.i+n < len(p.tokens)-1; n++ { // the last one is the end, or what can't be read
		switch t := p.peek(n); {
		case p.isOp(t, "("):
			depth++
		case p.isOp(t, ")"):
			depth--
		}
		if depth == 0 {
			break
		}
	}
	return p.isOp(p.peek(n+1), ")") || continuesQuery(p.peek(n+1))
}

// structCall reads struct(a, b AS c), the call whose arguments may have names.
func (p *parser) structCall(loc ast.Loc) ast.Expr {
	call := &ast.Call{Loc: loc, Name: []ast.Ident{p.anyIdent("")}}
	p.expectOp("(")
	if !p.atOp(")") {
		p.commaList(func() {
			loc, arg := p.loc(), p.arg()
			if name := p.aliasOnly(); name != nil {
				arg = &ast.AliasedArg{Loc: loc, Value: arg, Name: *name}
			}
			call.Args = append(call.Args, arg)
		})
	}
	return p.callRest(call)
}

// parenthesised reads what follows an opening parenthesis: a subquery, a row or an expression.
func (p *parser) parenthesised(loc ast.Loc) ast.Expr {
	query, list := p.queryOrList()
	p.expectOp(")")
	switch {
	case query != nil:
		return &ast.Subquery{Loc: loc, Query: query}
	case len(list) == 1:
		return list[0]
	}
	return &ast.Row{Loc: loc, Elems: list}
}

// queryOrList reads the inside of parentheses: a query or a list of expressions. A first element that is a subquery turns
// out to be the first operand of a query when a set operation or the end of a query follows it.
func (p *parser) queryOrList() (*ast.Query, []ast.Expr) {
	if p.startsQuery(0) {
		return p.query(), nil
	}
	inner := p.atOp("(")
	first := p.expr()
	if sub, ok := first.(*ast.Subquery); ok && inner && continuesQuery(p.tok) {
		return p.queryFrom(sub.Query.Loc, p.asBody(sub.Query)), nil
	}
	list := []ast.Expr{first}
	for p.acceptOp(",") {
		list = append(list, p.expr())
	}
	return nil, list
}

func (p *parser) arrayLit(loc ast.Loc) ast.Expr {
	n := &ast.ArrayLit{Loc: loc}
	p.expectOp("[")
	if !p.atOp("]") {
		p.commaList(func() { n.Elems = append(n.Elems, p.expr()) })
	}
	p.expectOp("]")
	return n
}

func (p *parser) mapLit(loc ast.Loc) ast.Expr {
	n := &ast.MapLit{Loc: loc}
	p.expectOp("{")
	if !p.atOp("}") {
		p.commaList(func() {
			entry := ast.MapEntry{Loc: p.loc()}
			p.noPath = true
			entry.Key = p.expr()
			p.noPath = false
			p.expectOp(":")
			entry.Value = p.expr()
			n.Entries = append(n.Entries, entry)
		})
	}
	p.expectOp("}")
	return n
}

func (p *parser) structLit(loc ast.Loc) ast.Expr {
	n := &ast.StructLit{Loc: loc}
	p.commaList(func() {
		f := ast.StructLitField{Loc: p.loc(), Name: ast.Ident{Loc: p.loc()}}
		if p.atString() {
			f.Name.Name = p.stringText("")
		} else {
			f.Name = p.anyIdent("a field name")
		}
		p.expectOp(":")
		f.Value = p.expr()
		n.Fields = append(n.Fields, f)
	})
	p.expectOp("}")
	return n
}

func (p *parser) caseExpr() ast.Expr {
	n := &ast.Case{Loc: p.loc()}
	p.next()
	if !p.at("WHEN") {
		n.Operand = p.expr()
	}
	for p.at("WHEN") {
		w := ast.When{Loc: p.loc()}
		p.next()
		w.Cond = p.expr()
		p.expect("THEN")
		w.Then = p.expr()
		n.Whens = append(n.Whens, w)
	}
	if len(n.Whens) == 0 {
		p.fail("WHEN")
	}
	if p.accept("ELSE") {
		n.Else = p.expr()
	}
	if !p.accept("END") {
		p.fail("WHEN, ELSE or END")
	}
	return n
}

func (p *parser) cast(loc ast.Loc, try bool) ast.Expr {
	p.next()
	p.expectOp("(")
	n := &ast.Cast{Loc: loc, Try: try, Expr: p.expr()}
	p.expect("AS")
	n.Type = p.typeName()
	p.expectOp(")")
	return n
}

func (p *parser) extract(loc ast.Loc) ast.Expr {
	p.next()
	p.expectOp("(")
	var field string
	if p.atString() {
		field = p.stringText("")
	} else {
		field = p.ident("a field such as YEAR").Name
	}
	n := &ast.Extract{Loc: loc, Field: strings.ToUpper(field)}
	p.expect("FROM")
	n.From = p.expr()
	p.expectOp(")")
	return n
}

// trim reads TRIM with FROM; without it TRIM is a function like any other.
func (p *parser) trim(loc ast.Loc) ast.Expr {
	name := p.anyIdent("")
	p.expectOp("(")
	n := &ast.Trim{Loc: loc, Side: "BOTH"}
	if p.atAny("BOTH", "LEADING", "TRAILING") && (p.peek(1).is("FROM") || p.startsOperand(p.peek(1)) && !p.isOp(p.peek(1), "(")) {
		n.Side = p.tok.keyword()
		p.next()
		if !p.at("FROM") {
			n.Chars = p.expr()
		}
		p.expect("FROM")
	} else {
		call := &ast.Call{Loc: loc, Name: []ast.Ident{name}}
		p.callArgs(call)
		if len(call.Args) != 1 || call.Distinct || !p.accept("FROM") {
			return p.callRest(call)
		}
		n.Chars = call.Args[0]
	}
	n.From = p.expr()
	p.expectOp(")")
	return n
}

// keywordCall reads SUBSTRING(s FROM a FOR b), POSITION(a IN s) and OVERLAY(s PLACING x FROM a FOR b) as calls with commas.
func (p *parser) keywordCall(loc ast.Loc, word string) ast.Expr {
	call := &ast.Call{Loc: loc, Name: []ast.Ident{p.anyIdent("")}}
	p.expectOp("(")
	if word == "POSITION" {
		return p.position(call)
	}
	p.callArgs(call)
	if len(call.Args) != 1 {
		return p.callRest(call)
	}
	if word == "OVERLAY" && p.accept("PLACING") {
		call.Args = append(call.Args, p.expr())
	}
	if p.accept("FROM") {
		call.Args = append(call.Args, p.expr())
		if p.accept("FOR") {
			call.Args = append(call.Args, p.expr())
		}
	}
	return p.callRest(call)
}

func (p *parser) position(call *ast.Call) ast.Expr {
	if p.atOp(")") {
		return p.callRest(call)
	}
	first := p.exprAbove(ast.PrecCompare)
	if p.accept("IN") {
		call.Args = []ast.Expr{first, p.expr()}
		return p.callRest(call)
	}
	call.Args = []ast.Expr{p.infixes(first, ast.PrecLowest)}
	for p.acceptOp(",") {
		call.Args = append(call.Args, p.arg())
	}
	return p.callRest(call)
}
