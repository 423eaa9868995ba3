package parser

import "github.com/tarndb/tarn/sql/ast"

// selectBlock reads SELECT … up to QUALIFY.
func (p *parser) selectBlock() ast.QueryBody {
	s := &ast.Select{Loc: p.loc()}
	p.selectList(s)
	if p.accept("FROM") {
		p.fromList(s)
	}
	p.selectRest(s)
	return s
}

// fromFirst reads FROM t SELECT …, which is SELECT … FROM t.
func (p *parser) fromFirst() ast.QueryBody {
	s := &ast.Select{Loc: p.loc()}
	p.next()
	p.fromList(s)
	if !p.at("SELECT") {
		p.fail("SELECT")
	}
	p.selectList(s)
	p.selectRest(s)
	return s
}

func (p *parser) selectList(s *ast.Select) {
	p.next()
	if s.Distinct = p.accept("DISTINCT"); s.Distinct {
		if p.at("ON") {
			p.next()
			p.expectOp("(")
			p.commaList(func() { s.DistinctOn = append(s.DistinctOn, p.expr()) })
			p.expectOp(")")
		}
	} else {
		p.accept("ALL")
	}
	s.Items = make([]ast.SelectItem, 0, 4)
	p.commaList(func() { s.Items = append(s.Items, p.selectItem()) })
}

func (p *parser) fromList(s *ast.Select) {
	p.commaList(func() { s.From = append(s.From, p.tableExpr()) })
	for p.atSeq("LATERAL", "VIEW") {
		s.LateralViews = append(s.LateralViews, p.lateralView())
	}
}

func (p *parser) selectRest(s *ast.Select) {
	if p.accept("WHERE") {
		s.Where = p.expr()
	}
	if p.acceptSeq("GROUP", "BY") {
		s.GroupBy = p.groupBy()
	}
	if p.accept("HAVING") {
		s.Having = p.expr()
	}
	for {
		switch {
		case p.at("WINDOW") && s.Windows == nil:
			p.next()
			p.commaList(func() { s.Windows = append(s.Windows, p.windowDef()) })
		case p.at("QUALIFY") && s.Qualify == nil:
			p.next()
			s.Qualify = p.expr()
		default:
			return
		}
	}
}

func (p *parser) windowDef() ast.WindowDef {
	d := ast.WindowDef{Loc: p.loc(), Name: p.ident("a window's name")}
	p.expect("AS")
	d.Spec = p.windowSpec()
	return d
}

func (p *parser) selectItem() ast.SelectItem {
	item := ast.SelectItem{Loc: p.loc()}
	if star := p.star(); star != nil {
		item.Expr = star
		return item
	}
	item.Expr = p.expr()
	as := p.accept("AS")
	if as && p.atOp("(") {
		item.Aliases = p.identList("an alias")
		return item
	}
	item.Alias = p.alias(as)
	return item
}

// alias reads an alias; with AS before it any word or string will do, without it a word may not be one that continues the
// statement.
func (p *parser) alias(as bool) *ast.Ident {
	var id ast.Ident
	switch {
	case p.atString():
		id = ast.Ident{Loc: p.loc(), Name: p.unquoteString(p.tok)}
		if id.Name == "" {
			p.fail("an alias that is not empty")
		}
		p.next()
	case as || p.atBareAlias():
		id = p.anyIdent("an alias")
	default:
		return nil
	}
	return &id
}

func (p *parser) atBareAlias() bool {
	return p.atIdent() && !wordClasses[p.tok.word].noBareAlias
}

// star reads * or t.* with EXCEPT (EXCLUDE) and REPLACE; nil if there is none.
func (p *parser) star() *ast.Star {
	var s *ast.Star
	if loc := p.loc(); p.acceptOp("*") {
		s = &ast.Star{Loc: loc}
	} else if p.tok.kind == tokWord || p.tok.kind == tokQuoted {
		s = p.qualifiedStar()
	}
	if s == nil {
		return nil
	}
	if (p.at("EXCEPT") && !p.startsQuery(2) || p.at("EXCLUDE")) && p.isOp(p.peek(1), "(") {
		p.next()
		s.Except = p.columnPathList()
	} else if p.at("EXCLUDE") {
		p.next()
		s.Except = []*ast.ColumnRef{p.columnPath()}
	}
	if p.at("REPLACE") && p.isOp(p.peek(1), "(") {
		p.next()
		p.next()
		p.commaList(func() { s.Replace = append(s.Replace, p.replacement()) })
		p.expectOp(")")
	}
	return s
}

// replacement reads expr AS column.
func (p *parser) replacement() ast.SelectItem {
	item := ast.SelectItem{Loc: p.loc(), Expr: p.expr()}
	p.expect("AS")
	name := p.anyIdent("a column name")
	item.Alias = &name
	return item
}

func (p *parser) groupBy() *ast.GroupBy {
	g := &ast.GroupBy{Loc: p.loc()}
	if g.All = p.accept("ALL"); g.All {
		return g
	}
	p.commaList(func() { g.Items = append(g.Items, p.groupItem()) })
	kind := ast.GroupRollup
	switch {
	case p.acceptSeq("WITH", "CUBE"):
		kind = ast.GroupCube
	case !p.acceptSeq("WITH", "ROLLUP"):
		return g
	}
	g.Items = []ast.GroupItem{{Loc: g.Loc, Kind: kind, Items: g.Items}}
	return g
}

// groupItem reads an expression, a parenthesised list, ROLLUP, CUBE or GROUPING SETS.
func (p *parser) groupItem() ast.GroupItem {
	p.enter()
	item := ast.GroupItem{Loc: p.loc()}
	switch {
	case p.at("ROLLUP") && p.isOp(p.peek(1), "("):
		item.Kind = ast.GroupRollup
		p.next()
	case p.at("CUBE") && p.isOp(p.peek(1), "("):
		item.Kind = ast.GroupCube
		p.next()
	case p.acceptSeq("GROUPING", "SETS"):
		item.Kind = ast.GroupSets
	default:
		p.plainGroupItem(&item)
		p.depth--
		return item
	}
	p.expectOp("(")
	p.commaList(func() { item.Items = append(item.Items, p.groupItem()) })
	p.expectOp(")")
	p.depth--
	return item
}

func (p *parser) plainGroupItem(item *ast.GroupItem) {
	if p.atOp("(") && p.isOp(p.peek(1), ")") {
		p.next()
		p.next()
		item.Kind = ast.GroupSet
		return
	}
	item.Expr = p.expr()
	if row, ok := item.Expr.(*ast.Row); ok && !row.Keyword {
		item.Kind, item.Expr, item.Exprs = ast.GroupSet, nil, row.Elems
	}
}

func (p *parser) lateralView() *ast.LateralView {
	v := &ast.LateralView{Loc: p.loc()}
	p.next()
	p.next()
	v.Outer = p.accept("OUTER")
	loc := p.loc()
	v.Func = &ast.Call{Loc: loc, Name: p.dotted("a generator function")}
	p.expectOp("(")
	v.Func.Args = p.args()
	if p.atBareAlias() {
		name := p.ident("a table alias")
		v.Table = &name
	}
	if p.accept("AS") {
		p.commaList(func() { v.Columns = append(v.Columns, p.ident("a column alias")) })
	}
	return v
}
