package parser

import "github.com/tarndb/tarn/sql/ast"

// nameOrCall reads a column name, or a function call where a parenthesis follows the name.
func (p *parser) nameOrCall() ast.Expr {
	loc := p.loc()
	parts := append(make([]ast.Ident, 0, 2), p.anyIdent("a name"))
	for p.atOp(".") {
		p.next()
		parts = append(parts, p.anyIdent("a name after the dot"))
	}
	if p.acceptOp("(") {
		call := &ast.Call{Loc: loc, Name: parts}
		p.callArgs(call)
		return p.callRest(call)
	}
	return &ast.ColumnRef{Loc: loc, Parts: parts}
}

// callArgs reads DISTINCT and the arguments, up to what may follow them inside the parentheses.
func (p *parser) callArgs(call *ast.Call) {
	if p.atOp(")") {
		return
	}
	if p.accept("DISTINCT") {
		call.Distinct = true
	} else if p.at("ALL") && !p.isOp(p.peek(1), "(") {
		p.next()
	}
	if !call.Distinct && p.atOp("*") && p.isOp(p.peek(1), ")") {
		p.next()
		call.Star = true
		return
	}
	p.commaList(func() { call.Args = append(call.Args, p.arg()) })
}

// callRest reads what follows the arguments.
func (p *parser) callRest(call *ast.Call) ast.Expr {
	if p.acceptSeq("ORDER", "BY") {
		call.OrderBy = p.orderItems()
	}
	call.Nulls = p.nullTreatment(call.Nulls)
	p.expectOp(")")
	if p.acceptSeq("WITHIN", "GROUP") {
		p.expectOp("(")
		p.expect("ORDER", "BY")
		call.WithinGroup = p.orderItems()
		p.expectOp(")")
	}
	if p.at("FILTER") && p.isOp(p.peek(1), "(") {
		p.next()
		p.next()
		p.expect("WHERE")
		call.Filter = p.expr()
		p.expectOp(")")
	}
	call.Nulls = p.nullTreatment(call.Nulls)
	if p.at("OVER") && (p.isOp(p.peek(1), "(") || p.isIdent(p.peek(1))) {
		p.next()
		call.Over = p.over()
	}
	return call
}

func (p *parser) nullTreatment(present ast.NullTreatment) ast.NullTreatment {
	if present != ast.NullsUnspecified {
		return present
	}
	switch {
	case p.acceptSeq("IGNORE", "NULLS"):
		return ast.IgnoreNulls
	case p.acceptSeq("RESPECT", "NULLS"):
		return ast.RespectNulls
	}
	return ast.NullsUnspecified
}

// args reads the arguments of a table function or procedure after its opening parenthesis, and the closing one.
func (p *parser) args() []ast.Expr {
	var args []ast.Expr
	if !p.atOp(")") {
		p.commaList(func() { args = append(args, p.arg()) })
	}
	p.expectOp(")")
	return args
}

// arg reads an argument: name => value, a lambda, a star or an expression. An arrow after a name is a lambda's here and a
// JSON operator everywhere else.
func (p *parser) arg() ast.Expr {
	loc := p.loc()
	if p.tok.kind == tokWord || p.tok.kind == tokQuoted {
		switch next := p.peek(1); {
		case p.isOp(next, "=>"):
			n := &ast.NamedArg{Loc: loc, Name: p.anyIdent("an argument's name")}
			p.next()
			n.Value = p.lambdaOr(loc)
			return n
		case p.isOp(next, "."):
			if star := p.qualifiedStar(); star != nil {
				return star
			}
		}
	}
	if p.acceptOp("*") {
		return &ast.Star{Loc: loc}
	}
	return p.lambdaOr(loc)
}

// lambdaOr reads a lambda or, where none starts, an expression.
func (p *parser) lambdaOr(loc ast.Loc) ast.Expr {
	if p.atIdent() && p.isOp(p.peek(1), "->") {
		n := &ast.Lambda{Loc: loc, Params: []ast.Ident{p.ident("a parameter")}}
		p.next()
		n.Body = p.expr()
		return n
	}
	if p.atLambdaList() {
		n := &ast.Lambda{Loc: loc, Params: p.identList("a parameter")}
		p.next()
		n.Body = p.expr()
		return n
	}
	return p.expr()
}

// atLambdaList looks for (x, y) -> ahead.
func (p *parser) atLambdaList() bool {
	if !p.atOp("(") {
		return false
	}
	for n := 1; p.isIdent(p.peek(n)); n += 2 {
		switch sep := p.peek(n + 1); {
		case p.isOp(sep, ")"):
			return p.isOp(p.peek(n+2), "->")
		case !p.isOp(sep, ","):
			return false
		}
	}
	return false
}

// qualifiedStar reads t.*; nil, with nothing read, if the name at hand doesn't end so.
func (p *parser) qualifiedStar() *ast.Star {
	n := 0
	for p.isOp(p.peek(n+1), ".") {
		n += 2
		if p.isOp(p.peek(n), "*") {
			break
		}
	}
	if n == 0 || !p.isOp(p.peek(n), "*") {
		return nil
	}
	star := &ast.Star{Loc: p.loc()}
	for !p.atOp("*") {
		star.Table = append(star.Table, p.anyIdent("a name"))
		p.expectOp(".")
	}
	p.next()
	return star
}

// over reads the window after OVER.
func (p *parser) over() *ast.WindowSpec {
	if p.atOp("(") {
		return p.windowSpec()
	}
	spec := &ast.WindowSpec{Loc: p.loc()}
	name := p.ident("a window")
	spec.Ref = &name
	return spec
}

// windowSpec reads a window in parentheses.
func (p *parser) windowSpec() *ast.WindowSpec {
	spec := &ast.WindowSpec{Loc: p.loc()}
	p.expectOp("(")
	if p.atIdent() && !p.atSeq("PARTITION", "BY") && !p.atFrame() {
		name := p.ident("a window")
		spec.Ref, spec.Extends = &name, true
	}
	if p.acceptSeq("PARTITION", "BY") {
		p.commaList(func() { spec.PartitionBy = append(spec.PartitionBy, p.expr()) })
	}
	if p.acceptSeq("ORDER", "BY") {
		spec.OrderBy = p.orderItems()
	}
	if p.atFrame() {
		spec.Frame = p.frame()
	}
	p.expectOp(")")
	return spec
}

func (p *parser) atFrame() bool {
	return p.atAny("ROWS", "RANGE", "GROUPS") && !p.isOp(p.peek(1), ")")
}

func (p *parser) frame() *ast.Frame {
	f := &ast.Frame{Loc: p.loc()}
	switch p.tok.keyword() {
	case "RANGE":
		f.Unit = ast.FrameRange
	case "GROUPS":
		f.Unit = ast.FrameGroups
	}
	p.next()
	if p.accept("BETWEEN") {
		f.Start = p.frameBound()
		p.expect("AND")
		end := p.frameBound()
		f.End = &end
	} else {
		f.Start = p.frameBound()
	}
	if p.accept("EXCLUDE") {
		f.Exclude = p.frameExclude()
	}
	return f
}

func (p *parser) frameBound() ast.FrameBound {
	b := ast.FrameBound{Loc: p.loc()}
	switch {
	case p.acceptSeq("UNBOUNDED", "PRECEDING"):
		b.Kind = ast.UnboundedPreceding
	case p.acceptSeq("UNBOUNDED", "FOLLOWING"):
		b.Kind = ast.UnboundedFollowing
	case p.acceptSeq("CURRENT", "ROW"):
		b.Kind = ast.CurrentRow
	default:
		b.Offset = p.exprAbove(ast.PrecBitOr)
		switch {
		case p.accept("PRECEDING"):
			b.Kind = ast.Preceding
		case p.accept("FOLLOWING"):
			b.Kind = ast.Following
		default:
			p.fail("PRECEDING or FOLLOWING")
		}
	}
	return b
}

func (p *parser) frameExclude() ast.FrameExclude {
	switch {
	case p.acceptSeq("NO", "OTHERS"):
		return ast.ExcludeNoOthers
	case p.acceptSeq("CURRENT", "ROW"):
		return ast.ExcludeCurrentRow
	case p.accept("GROUP"):
		return ast.ExcludeGroup
	case p.accept("TIES"):
		return ast.ExcludeTies
	}
	p.fail("NO OTHERS, CURRENT ROW, GROUP or TIES")
	return 0
}
