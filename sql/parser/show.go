package parser

import "github.com/tarndb/tarn/sql/ast"

func (p *parser) show() ast.Statement {
	loc := p.loc()
	p.next()
	switch {
	case p.accept("TABLES"):
		n := &ast.ShowTables{Loc: loc, In: p.showIn()}
		n.Like = p.showLike()
		return n
	case p.accept("VIEWS"):
		n := &ast.ShowViews{Loc: loc, In: p.showIn()}
		n.Like = p.showLike()
		return n
	case p.accept("SCHEMAS"), p.accept("DATABASES"), p.accept("NAMESPACES"):
		n := &ast.ShowSchemas{Loc: loc, In: p.showIn()}
		n.Like = p.showLike()
		return n
	case p.accept("CATALOGS"):
		return &ast.ShowCatalogs{Loc: loc, Like: p.showLike()}
	case p.accept("FUNCTIONS"):
		return &ast.ShowFunctions{Loc: loc, Like: p.showLike()}
	}
	return p.showTable(loc)
}

// showTable reads what SHOW says about one table.
func (p *parser) showTable(loc ast.Loc) ast.Statement {
	switch {
	case p.accept("COLUMNS"):
		if !p.accept("IN") && !p.accept("FROM") {
			p.fail("IN or FROM")
		}
		return &ast.ShowColumns{Loc: loc, Table: p.tableName("a table")}
	case p.acceptSeq("CREATE", "TABLE"):
		return &ast.ShowCreateTable{Loc: loc, Table: p.tableName("a table")}
	case p.accept("PARTITIONS"):
		n := &ast.ShowPartitions{Loc: loc, Table: p.tableName("a table")}
		if p.accept("PARTITION") {
			n.Partition = p.partitionValues()
		}
		return n
	case p.accept("TBLPROPERTIES"):
		n := &ast.ShowProperties{Loc: loc, Table: p.tableName("a table")}
		if p.acceptOp("(") {
			key := p.propertyKey()
			n.Key = &key
			p.expectOp(")")
		}
		return n
	}
	p.fail("TABLES, SCHEMAS, COLUMNS or something else that SHOW knows")
	return nil
}

func (p *parser) showIn() []ast.Ident {
	if !p.accept("IN") && !p.accept("FROM") {
		return nil
	}
	return p.dotted("a schema")
}

func (p *parser) showLike() *string {
	if p.accept("LIKE") || p.atString() {
		return p.stringPtr("a pattern")
	}
	return nil
}

func (p *parser) describe() ast.Statement {
	n := &ast.Describe{Loc: p.loc()}
	p.next()
	named := p.peek(1).kind != tokEOF && !p.isOp(p.peek(1), ";") && !p.isOp(p.peek(1), ".")
	switch {
	case p.startsQuery(0) && !p.at("TABLE"):
		return &ast.DescribeQuery{Loc: n.Loc, Query: p.query()}
	case named && p.accept("QUERY"):
		return &ast.DescribeQuery{Loc: n.Loc, Query: p.source()}
	case named && p.acceptSchemaWord():
		d := &ast.DescribeSchema{Loc: n.Loc, Extended: p.acceptExtended()}
		d.Name = p.dotted("a schema")
		return d
	case named && p.accept("DETAIL"):
		n.Kind = ast.DescribeDetail
		n.Table = p.tableOrPath()
		return n
	case named && p.accept("HISTORY"):
		n.Kind = ast.DescribeHistory
		n.Table = p.tableOrPath()
		if p.accept("LIMIT") {
			n.Limit = p.expr()
		}
		return n
	}
	p.accept("TABLE")
	if p.acceptExtended() {
		n.Kind = ast.DescribeExtended
	}
	n.Table = p.tableOrPath()
	p.timeTravel(n.Table)
	if p.atIdent() {
		n.Column = p.columnPath()
	}
	return n
}

// acceptExtended takes EXTENDED, or FORMATTED, which shows the same, where a name follows it.
func (p *parser) acceptExtended() bool {
	next := p.peek(1)
	return (p.isIdent(next) || p.isString(next)) && (p.accept("EXTENDED") || p.accept("FORMATTED"))
}
