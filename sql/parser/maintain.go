package parser

import "github.com/tarndb/tarn/sql/ast"

// maintenance reads a statement that rewrites or inspects the files of a table.
func (p *parser) maintenance() ast.Statement {
	loc, word := p.loc(), p.tok.keyword()
	p.next()
	switch word {
	case "OPTIMIZE":
		return p.optimize(loc)
	case "VACUUM":
		return p.vacuum(loc)
	case "REORG":
		return p.reorg(loc)
	case "RESTORE":
		return p.restore(loc)
	case "ANALYZE":
		return p.analyze(loc)
	case "REFRESH":
		p.accept("TABLE")
		return &ast.Refresh{Loc: loc, Table: p.tableOrPath()}
	case "CHECKPOINT":
		p.accept("TABLE")
		return &ast.Checkpoint{Loc: loc, Table: p.tableOrPath()}
	}
	n := &ast.CallProcedure{Loc: loc, Name: p.dotted("a procedure")}
	p.expectOp("(")
	n.Args = p.args()
	return n
}

func (p *parser) optimize(loc ast.Loc) ast.Statement {
	p.accept("TABLE")
	n := &ast.Optimize{Loc: loc, Table: p.tableOrPath()}
	n.Full = p.accept("FULL")
	if p.accept("WHERE") {
		n.Where = p.expr()
	}
	if !p.acceptSeq("ZORDER", "BY") {
		return n
	}
	if p.atOp("(") {
		n.ZOrderBy = p.columnPathList()
	} else {
		n.ZOrderBy = p.columnPaths()
	}
	return n
}

func (p *parser) vacuum(loc ast.Loc) ast.Statement {
	p.accept("TABLE")
	n := &ast.Vacuum{Loc: loc, Table: p.tableOrPath()}
	switch {
	case p.accept("FULL"):
		n.Mode = ast.VacuumFull
	case p.accept("LITE"):
		n.Mode = ast.VacuumLite
	}
	if p.accept("RETAIN") {
		n.RetainHours = p.expr()
		p.expect("HOURS")
	}
	n.DryRun = p.acceptSeq("DRY", "RUN")
	return n
}

func (p *parser) reorg(loc ast.Loc) ast.Statement {
	p.accept("TABLE")
	n := &ast.Reorg{Loc: loc, Table: p.tableOrPath()}
	if p.accept("WHERE") {
		n.Where = p.expr()
	}
	p.expect("APPLY")
	p.expectOp("(")
	p.expect("PURGE")
	p.expectOp(")")
	return n
}

func (p *parser) restore(loc ast.Loc) ast.Statement {
	p.accept("TABLE")
	n := &ast.Restore{Loc: loc, Table: p.tableOrPath()}
	p.accept("TO")
	n.To = &ast.TimeTravel{Loc: p.loc()}
	switch {
	case p.accept("VERSION"):
	case p.accept("TIMESTAMP"):
		n.To.Kind = ast.AsOfTimestamp
	default:
		p.fail("VERSION AS OF or TIMESTAMP AS OF")
	}
	p.asOf(n.To)
	return n
}

func (p *parser) analyze(loc ast.Loc) ast.Statement {
	p.expect("TABLE")
	n := &ast.Analyze{Loc: loc, Table: p.tableName("a table")}
	p.expect("COMPUTE", "STATISTICS")
	switch {
	case p.accept("NOSCAN"):
		n.NoScan = true
	case p.acceptSeq("FOR", "ALL", "COLUMNS"):
		n.AllColumns = true
	case p.accept("FOR"):
		p.expect("COLUMNS")
		p.commaList(func() { n.Columns = append(n.Columns, p.ident("a column name")) })
	}
	return n
}
