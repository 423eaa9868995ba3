package parser

import "github.com/tarndb/tarn/sql/ast"

// expr reads a whole expression.
func (p *parser) expr() ast.Expr { return p.exprAbove(ast.PrecLowest) }

// exprAbove reads an expression whose operators all bind at least as tight as lowest.
func (p *parser) exprAbove(lowest ast.Precedence) ast.Expr {
	p.enter()
	e := p.rightSide(lowest)
	p.depth--
	return e
}

// rightSide is exprAbove for the right side of an operator, which is no level of nesting: it recurses once for each
// precedence at most.
func (p *parser) rightSide(lowest ast.Precedence) ast.Expr {
	saved := p.height
	p.height = 0
	e := p.infixes(p.prefix(lowest), lowest)
	p.height = max(saved, p.height)
	return e
}

// prefix reads an operand. Brackets around the present expression mean nothing inside it.
func (p *parser) prefix(lowest ast.Precedence) ast.Expr {
	noPath := p.noPath
	p.noPath = false
	var e ast.Expr
	if lowest <= ast.PrecNot && (p.at("NOT") || p.atOp("!")) {
		n := &ast.Unary{Loc: p.loc(), Op: ast.OpNot}
		p.next()
		p.noPath = noPath
		n.Expr = p.exprAbove(ast.PrecNot)
		e = n
	} else {
		e = p.operand(noPath)
	}
	p.noPath = noPath
	p.grow()
	return e
}

// operand reads a sign and what it applies to, or a primary.
func (p *parser) operand(noPath bool) ast.Expr {
	loc := p.loc()
	var op ast.UnaryOp
	switch {
	case p.atOp("-"):
		if p.peek(1).kind == tokNumber {
			p.next()
			return p.numberLiteral(loc, true)
		}
		op = ast.OpNeg
	case p.atOp("+"):
		op = ast.OpPlus
	case p.atOp("~"):
		op = ast.OpBitNot
	default:
		return p.primary()
	}
	p.next()
	p.noPath = noPath
	return &ast.Unary{Loc: loc, Op: op, Expr: p.exprAbove(ast.PrecUnary)}
}

// infixes continues left with every operator that binds at least as tight as lowest.
func (p *parser) infixes(left ast.Expr, lowest ast.Precedence) ast.Expr {
	for {
		var next ast.Expr
		switch p.tok.kind {
		case tokOp:
			next = p.infixOp(left, lowest)
		case tokWord:
			next = p.infixWord(left, lowest)
		}
		if next == nil {
			return left
		}
		left = next
		p.grow()
	}
}

// binaryOpOf is the operator that signs stand for; its precedence is PrecLowest if they stand for none.
func binaryOpOf(text string) ast.BinaryOp {
	switch text {
	case "==":
		return ast.OpEq
	case "!=":
		return ast.OpNotEq
	}
	return ast.BinaryOp(text)
}

// infixOp reads an operator written with signs and its right side; nil if there is none that binds tight enough.
func (p *parser) infixOp(left ast.Expr, lowest ast.Precedence) ast.Expr {
	text := p.text(p.tok)
	op := binaryOpOf(text)
	prec := op.Precedence()
	if prec == ast.PrecLowest {
		return p.postfix(left, text)
	}
	if prec < lowest {
		return nil
	}
	p.next()
	if op == ast.OpShiftRight && p.atOp(">") && p.adjacent() {
		op = ast.OpShiftRightUnsigned
		p.next()
	}
	if prec == ast.PrecCompare && p.atAny("ANY", "SOME", "ALL") && p.isOp(p.peek(1), "(") {
		return p.quantified(left, op)
	}
	return p.binary(left, op)
}

func (p *parser) binary(left ast.Expr, op ast.BinaryOp) ast.Expr {
	return &ast.Binary{Loc: locOf(left), Op: op, L: left, R: p.rightSide(op.Precedence() + 1)}
}

// postfix reads what binds tightest: a cast, a subscript, a field, a path.
func (p *parser) postfix(left ast.Expr, text string) ast.Expr {
	switch text {
	case "::":
		p.next()
		return &ast.Cast{Loc: locOf(left), Expr: left, Type: p.typeName()}
	case "[":
		return p.subscript(left)
	case ".":
		p.next()
		return &ast.FieldAccess{Loc: locOf(left), Expr: left, Name: p.anyIdent("a field name")}
	case ":":
		if n := p.peek(1); !p.noPath && (n.kind == tokWord || n.kind == tokQuoted || p.isOp(n, "[")) {
			return p.jsonPath(left)
		}
	}
	return nil
}

// subscript reads [index] or [low:high].
func (p *parser) subscript(left ast.Expr) ast.Expr {
	p.next()
	noPath := p.noPath
	p.noPath = true
	var low ast.Expr
	if !p.atOp(":") {
		low = p.expr()
	}
	if !p.acceptOp(":") {
		p.noPath = noPath
		p.expectOp("]")
		return &ast.Subscript{Loc: locOf(left), Expr: left, Index: low}
	}
	n := &ast.Slice{Loc: locOf(left), Expr: left, Low: low}
	if !p.atOp("]") {
		n.High = p.expr()
	}
	p.noPath = noPath
	p.expectOp("]")
	return n
}

// jsonPath reads :a.b[0]['c'].
func (p *parser) jsonPath(left ast.Expr) ast.Expr {
	n := &ast.JSONPath{Loc: locOf(left), Expr: left}
	p.next()
	if !p.atOp("[") {
		n.Steps = append(n.Steps, p.pathField())
	}
	for {
		loc := p.loc()
		switch {
		case p.acceptOp("."):
			n.Steps = append(n.Steps, p.pathField())
		case p.acceptOp("["):
			n.Steps = append(n.Steps, ast.PathStep{Loc: loc, Index: p.expr()})
			p.expectOp("]")
		default:
			return n
		}
	}
}

func (p *parser) pathField() ast.PathStep {
	name := p.anyIdent("a field name")
	return ast.PathStep{Loc: name.Loc, Name: &name}
}

// infixWord reads an operator that is a word.
func (p *parser) infixWord(left ast.Expr, lowest ast.Precedence) ast.Expr {
	switch p.tok.keyword() {
	case "":
		return nil
	case "OR":
		if ast.PrecOr >= lowest {
			p.next()
			return p.binary(left, ast.OpOr)
		}
	case "AND":
		if ast.PrecAnd >= lowest {
			p.next()
			return p.binary(left, ast.OpAnd)
		}
	case "DIV":
		if ast.PrecMul >= lowest {
			p.next()
			return p.binary(left, ast.OpIntDiv)
		}
	case "AT":
		if ast.PrecAtTimeZone >= lowest && p.acceptSeq("AT", "TIME", "ZONE") {
			return &ast.AtTimeZone{Loc: locOf(left), Expr: left, Zone: p.exprAbove(ast.PrecUnary)}
		}
	default:
		if ast.PrecPredicate >= lowest {
			return p.predicate(left)
		}
	}
	return nil
}

// predicate reads IS, BETWEEN, IN or LIKE after left; nil if the token is none of them.
func (p *parser) predicate(left ast.Expr) ast.Expr {
	if p.accept("IS") {
		return p.isTest(left)
	}
	not := p.at("NOT")
	if not {
		switch p.peek(1).keyword() {
		case "BETWEEN", "IN", "LIKE", "ILIKE", "RLIKE", "REGEXP", "SIMILAR":
			p.next()
		default:
			return nil
		}
	}
	switch p.tok.keyword() {
	case "BETWEEN":
		return p.between(left, not)
	case "IN":
		return p.in(left, not)
	case "LIKE":
		return p.like(left, not, ast.LikePattern)
	case "ILIKE":
		return p.like(left, not, ast.ILikePattern)
	case "RLIKE", "REGEXP":
		return p.like(left, not, ast.RLikePattern)
	case "SIMILAR":
		if p.peek(1).is("TO") {
			p.next()
			return p.like(left, not, ast.SimilarTo)
		}
	}
	return nil
}

func (p *parser) isTest(left ast.Expr) ast.Expr {
	not := p.accept("NOT")
	switch {
	case p.accept("NULL"):
		return &ast.IsNull{Loc: locOf(left), Expr: left, Not: not}
	case p.accept("TRUE"):
		return &ast.Is{Loc: locOf(left), Expr: left, Not: not, Kind: ast.IsTrue}
	case p.accept("FALSE"):
		return &ast.Is{Loc: locOf(left), Expr: left, Not: not, Kind: ast.IsFalse}
	case p.accept("UNKNOWN"):
		return &ast.Is{Loc: locOf(left), Expr: left, Not: not, Kind: ast.IsUnknown}
	case p.acceptSeq("DISTINCT", "FROM"):
		return &ast.Is{Loc: locOf(left), Expr: left, Not: not, Kind: ast.IsDistinctFrom, Right: p.exprAbove(ast.PrecCompare)}
	}
	p.fail("NULL, TRUE, FALSE, UNKNOWN or DISTINCT FROM")
	return nil
}

func (p *parser) between(left ast.Expr, not bool) ast.Expr {
	n := &ast.Between{Loc: locOf(left), Expr: left, Not: not}
	p.next()
	n.Symmetric = p.at("SYMMETRIC") && p.startsOperand(p.peek(1)) && p.accept("SYMMETRIC")
	n.Low = p.exprAbove(ast.PrecCompare)
	p.expect("AND")
	n.High = p.exprAbove(ast.PrecCompare)
	return n
}

// startsOperand tells whether t can only begin an operand and not continue one.
func (p *parser) startsOperand(t token) bool {
	switch t.kind {
	case tokNumber, tokString, tokQuoted:
		return true
	case tokWord:
		return !t.word.reserved() || t.is("CASE") || t.is("NOT")
	case tokOp:
		return p.isOp(t, "?") || p.isOp(t, "@") || p.isOp(t, "(") || p.isOp(t, "-")
	}
	return false
}

func (p *parser) in(left ast.Expr, not bool) ast.Expr {
	n := &ast.In{Loc: locOf(left), Expr: left, Not: not}
	p.next()
	p.expectOp("(")
	n.Query, n.List = p.queryOrList()
	p.expectOp(")")
	return n
}

func (p *parser) like(left ast.Expr, not bool, kind ast.LikeKind) ast.Expr {
	n := &ast.Like{Loc: locOf(left), Expr: left, Not: not, Kind: kind}
	p.next()
	if p.atAny("ANY", "SOME", "ALL") && p.isOp(p.peek(1), "(") {
		n.Quantifier = p.quantifier()
		p.expectOp("(")
		p.commaList(func() { n.Patterns = append(n.Patterns, p.expr()) })
		p.expectOp(")")
	} else {
		n.Pattern = p.exprAbove(ast.PrecCompare)
	}
	if p.accept("ESCAPE") {
		n.Escape = p.exprAbove(ast.PrecCompare)
	}
	return n
}

func (p *parser) quantifier() ast.Quantifier {
	q := ast.Any
	if p.at("ALL") {
		q = ast.All
	}
	p.next()
	return q
}

// quantified reads ANY (…) or ALL (…) after a comparison.
func (p *parser) quantified(left ast.Expr, op ast.BinaryOp) ast.Expr {
	n := &ast.Quantified{Loc: locOf(left), Expr: left, Op: op, Quantifier: p.quantifier()}
	p.expectOp("(")
	query, list := p.queryOrList()
	if n.Query = query; query == nil {
		if len(list) != 1 {
			p.fail("a subquery or one array")
		}
		n.Array = list[0]
	}
	p.expectOp(")")
	return n
}
