package parser

import "github.com/tarndb/tarn/sql/ast"

// tableExpr reads a table and the joins that follow it.
func (p *parser) tableExpr() ast.TableExpr {
	p.enter()
	t := p.joins(p.tablePrimary())
	p.depth--
	return t
}

func (p *parser) joins(left ast.TableExpr) ast.TableExpr {
	for {
		j := p.joinWords()
		if j == nil {
			return left
		}
		p.grow()
		j.Loc, j.Left, j.Right = locOf(left), left, p.tablePrimary()
		switch {
		case j.Natural || j.Kind == ast.CrossJoin:
		case p.accept("ON"):
			j.On = p.expr()
		case p.at("USING"):
			p.next()
			j.Using = p.identList("a column name")
		}
		left = j
	}
}

// joinWords reads the words up to JOIN; nil if no join follows.
func (p *parser) joinWords() *ast.Join {
	j := &ast.Join{}
	start := p.i
	j.Natural = p.accept("NATURAL")
	j.AsOf = !j.Natural && p.accept("ASOF")
	outer := false
	switch {
	case p.accept("INNER"):
	case p.accept("CROSS"):
		j.Kind = ast.CrossJoin
	case p.accept("LEFT"):
		j.Kind, outer = ast.LeftJoin, true
	case p.accept("RIGHT"):
		j.Kind, outer = ast.RightJoin, true
	case p.accept("FULL"):
		j.Kind, outer = ast.FullJoin, true
	}
	switch {
	case outer && p.accept("OUTER"):
	case (p.i == start || j.Kind == ast.LeftJoin) && p.accept("SEMI"):
		j.Kind = ast.LeftSemiJoin
	case (p.i == start || j.Kind == ast.LeftJoin) && p.accept("ANTI"):
		j.Kind = ast.LeftAntiJoin
	}
	if p.accept("JOIN") {
		return j
	}
	if p.i != start {
		p.fail("JOIN")
	}
	return nil
}

// tablePrimary reads one table with its alias, and PIVOT or UNPIVOT of it.
func (p *parser) tablePrimary() ast.TableExpr { return p.tableRest(p.tableOperand()) }

// tableRest reads what follows a table.
func (p *parser) tableRest(t ast.TableExpr) ast.TableExpr {
	p.tableAlias(t)
	for {
		switch {
		case p.at("PIVOT") && p.isOp(p.peek(1), "("):
			t = p.pivot(t)
		case p.at("UNPIVOT") && (p.isOp(p.peek(1), "(") || p.peek(1).is("INCLUDE") || p.peek(1).is("EXCLUDE")):
			t = p.unpivot(t)
		default:
			return t
		}
		p.grow()
	}
}

// tableOperand reads one table without its alias.
func (p *parser) tableOperand() ast.TableExpr {
	loc := p.loc()
	switch {
	case p.atOp("("):
		return p.parenTable()
	case p.at("VALUES") && p.startsQuery(0):
		p.next()
		return &ast.ValuesTable{Loc: loc, Rows: p.valueRows()}
	case p.at("LATERAL"):
		p.next()
		if p.atOp("(") {
			return &ast.SubqueryTable{Loc: loc, Lateral: true, Query: p.parenQuery()}
		}
		f := &ast.TableFunc{Loc: loc, Lateral: true, Name: p.dotted("a table function or a subquery")}
		p.tableFuncRest(f)
		return f
	case p.at("STREAM") && (p.isIdent(p.peek(1)) && !wordClasses[p.peek(1).word].noBareAlias || p.isOp(p.peek(1), "(")):
		return p.streamTable()
	case p.pathTables && p.atString():
		return p.tableOrPath()
	}
	t := p.tableName("a table")
	if p.atOp("(") {
		f := &ast.TableFunc{Loc: loc, Name: t.Parts}
		p.tableFuncRest(f)
		return f
	}
	p.timeTravel(t)
	return t
}

// parenTable reads a subquery or a parenthesised join. What begins with a parenthesis inside turns out to be a query when a
// set operation follows its subquery.
func (p *parser) parenTable() ast.TableExpr {
	p.enter()
	loc := p.loc()
	p.next()
	var t ast.TableExpr
	switch {
	case p.startsQuery(0):
		t = &ast.SubqueryTable{Loc: loc, Query: p.query()}
	case p.atOp("("):
		first := p.parenTable()
		if sub, ok := first.(*ast.SubqueryTable); ok && sub.Alias == nil && continuesQuery(p.tok) {
			t = &ast.SubqueryTable{Loc: loc, Query: p.queryFrom(sub.Query.Loc, p.asBody(sub.Query))}
			break
		}
		t = p.joins(p.tableRest(first))
	default:
		t = p.tableExpr()
	}
	p.expectOp(")")
	p.depth--
	return t
}

// tableName reads a table's name alone.
func (p *parser) tableName(what string) *ast.TableName {
	loc := p.loc()
	return &ast.TableName{Loc: loc, Parts: p.dotted(what)}
}

// tableAsOf reads a table's name with a version.
func (p *parser) tableAsOf() *ast.TableName {
	t := p.tableName("a table")
	p.timeTravel(t)
	return t
}

// tableOrPath reads a table's name, or a path in a string.
func (p *parser) tableOrPath() *ast.TableName {
	loc := p.loc()
	if p.atString() {
		return &ast.TableName{Loc: loc, PathOnly: true, Parts: []ast.Ident{{Loc: loc, Name: p.stringText("")}}}
	}
	return p.tableName("a table or a path")
}

// timeTravel reads the version of a table: t@v3, VERSION AS OF 3, FOR SYSTEM_TIME AS OF '…'.
func (p *parser) timeTravel(t *ast.TableName) {
	loc := p.loc()
	if p.atOp("@") && p.adjacent() {
		p.next()
		if (p.tok.kind != tokWord && p.tok.kind != tokNumber) || !p.adjacent() {
			p.fail("a version such as v3 after @")
		}
		t.At = &ast.TimeTravel{Loc: loc, Kind: ast.AtSuffix, Suffix: p.text(p.tok)}
		p.next()
		return
	}
	system := p.at("FOR")
	kind := p.peek(0)
	if system {
		kind = p.peek(1)
	}
	n := 1
	if system {
		n = 2
	}
	if !p.peek(n).is("AS") || !p.peek(n+1).is("OF") {
		return
	}
	travel := &ast.TimeTravel{Loc: loc}
	switch kind.keyword() {
	case "VERSION", "SYSTEM_VERSION":
	case "TIMESTAMP", "SYSTEM_TIME":
		travel.Kind = ast.AsOfTimestamp
	default:
		return
	}
	p.next()
	if system {
		p.next()
	}
	p.asOf(travel)
	t.At = travel
}

// asOf reads AS OF and the version.
func (p *parser) asOf(t *ast.TimeTravel) {
	p.expect("AS", "OF")
	t.Expr = p.exprAbove(ast.PrecBitOr)
}

// tableAlias reads TABLESAMPLE, the alias and the column names of a table, where its kind can have them and where
// parentheses around it don't hold them already.
func (p *parser) tableAlias(t ast.TableExpr) {
	switch t := t.(type) {
	case *ast.TableName:
		p.sampleAndAlias(&t.Sample, &t.Alias, &t.Columns)
	case *ast.SubqueryTable:
		p.sampleAndAlias(&t.Sample, &t.Alias, &t.Columns)
	case *ast.TableFunc:
		p.sampleAndAlias(&t.Sample, &t.Alias, &t.Columns)
	case *ast.ValuesTable:
		p.aliasAndColumns(&t.Alias, &t.Columns)
	case *ast.Pivot:
		p.aliasAndColumns(&t.Alias, &t.Columns)
	case *ast.Unpivot:
		p.aliasAndColumns(&t.Alias, &t.Columns)
	}
}

// sampleAndAlias reads TABLESAMPLE and the alias in either order.
func (p *parser) sampleAndAlias(sample **ast.TableSample, alias **ast.Ident, columns *[]ast.Ident) {
	if *sample == nil {
		*sample = p.sample()
	}
	p.aliasAndColumns(alias, columns)
	if *sample == nil {
		*sample = p.sample()
	}
}

func (p *parser) aliasAndColumns(alias **ast.Ident, columns *[]ast.Ident) {
	if *alias != nil || !p.accept("AS") && !p.atBareAlias() {
		return
	}
	name := p.anyIdent("an alias")
	*alias = &name
	if p.atOp("(") {
		*columns = p.identList("a column alias")
	}
}

// tableFuncRest reads the arguments of a table function. name = value is a named argument here, as name => value is.
func (p *parser) tableFuncRest(f *ast.TableFunc) {
	p.expectOp("(")
	f.Args = p.args()
	for i, arg := range f.Args {
		b, ok := arg.(*ast.Binary)
		if !ok || b.Op != ast.OpEq {
			continue
		}
		if c, ok := b.L.(*ast.ColumnRef); ok && len(c.Parts) == 1 {
			f.Args[i] = &ast.NamedArg{Loc: b.Loc, Name: c.Parts[0], Value: b.R}
		}
	}
	f.WithOrdinality = p.acceptSeq("WITH", "ORDINALITY")
}

// streamTable reads STREAM t OPTIONS (…); the name may be in parentheses.
func (p *parser) streamTable() ast.TableExpr {
	loc := p.loc()
	p.next()
	paren := p.acceptOp("(")
	t := p.tableName("a table")
	if paren {
		p.expectOp(")")
	}
	t.Loc, t.Stream = loc, true
	if p.at("OPTIONS") && p.isOp(p.peek(1), "(") {
		p.next()
		t.Options = p.properties()
	}
	return t
}

// sample reads TABLESAMPLE; nil if there is none.
func (p *parser) sample() *ast.TableSample {
	s := &ast.TableSample{Loc: p.loc()}
	if !p.accept("TABLESAMPLE") {
		return nil
	}
	if p.atAny("BERNOULLI", "SYSTEM") {
		s.Method = p.tok.keyword()
		p.next()
	}
	p.expectOp("(")
	if p.accept("BUCKET") {
		s.Unit = ast.SampleBucket
		s.Value = p.expr()
		p.expect("OUT", "OF")
		s.Of = p.expr()
	} else {
		s.Value = p.expr()
		if p.accept("ROWS") {
			s.Unit = ast.SampleRows
		} else if !p.accept("PERCENT") && s.Method == "" {
			p.fail("PERCENT or ROWS")
		}
	}
	p.expectOp(")")
	if p.accept("REPEATABLE") {
		p.expectOp("(")
		s.Seed = p.expr()
		p.expectOp(")")
	}
	return s
}

func (p *parser) pivot(source ast.TableExpr) ast.TableExpr {
	n := &ast.Pivot{Loc: locOf(source), Source: source}
	p.next()
	p.expectOp("(")
	p.commaList(func() { n.Aggs = append(n.Aggs, p.selectItem()) })
	p.expect("FOR")
	if p.atOp("(") {
		n.For = p.columnPathList()
	} else {
		n.For = []*ast.ColumnRef{p.columnPath()}
	}
	p.expect("IN")
	p.expectOp("(")
	p.commaList(func() {
		v := ast.PivotValue{Loc: p.loc(), Expr: p.expr()}
		v.Alias = p.alias(p.accept("AS"))
		n.In = append(n.In, v)
	})
	p.expectOp(")")
	p.expectOp(")")
	p.tableAlias(n)
	return n
}

func (p *parser) unpivot(source ast.TableExpr) ast.TableExpr {
	n := &ast.Unpivot{Loc: locOf(source), Source: source}
	p.next()
	if n.IncludeNulls = p.acceptSeq("INCLUDE", "NULLS"); !n.IncludeNulls {
		p.acceptSeq("EXCLUDE", "NULLS")
	}
	p.expectOp("(")
	if p.atOp("(") {
		n.Values = p.identList("a column name")
	} else {
		n.Values = []ast.Ident{p.ident("a column name")}
	}
	p.expect("FOR")
	n.Name = p.ident("a column name")
	p.expect("IN")
	p.expectOp("(")
	p.commaList(func() {
		c := ast.UnpivotColumns{Loc: p.loc()}
		if p.atOp("(") {
			c.Columns = p.columnPathList()
		} else {
			c.Columns = []*ast.ColumnRef{p.columnPath()}
		}
		c.Alias = p.alias(p.accept("AS"))
		n.In = append(n.In, c)
	})
	p.expectOp(")")
	p.expectOp(")")
	p.tableAlias(n)
	return n
}
