package parser

import "github.com/tarndb/tarn/sql/ast"

// statement reads one statement.
func (p *parser) statement() ast.Statement {
	p.enter()
	defer func() { p.depth-- }()
	p.first = p.i
	if p.atOp("(") || p.startsQuery(0) && !p.at("WITH") || p.at("VALUES") {
		return p.query()
	}
	switch p.tok.keyword() {
	case "WITH":
		return p.withStatement()
	case "INSERT", "UPDATE", "DELETE", "MERGE", "UPSERT":
		return p.change(nil)
	case "APPLY":
		return p.applyChanges()
	case "TRUNCATE":
		return p.truncate()
	case "COPY":
		return p.copyStatement()
	case "CREATE", "DROP", "ALTER", "COMMENT", "CONVERT":
		return p.definition()
	case "OPTIMIZE", "VACUUM", "REORG", "RESTORE", "ANALYZE", "REFRESH", "CHECKPOINT", "CALL":
		return p.maintenance()
	case "BEGIN", "START", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE":
		return p.transaction()
	case "SET", "RESET", "USE":
		return p.setting()
	case "SHOW":
		return p.show()
	case "DESC", "DESCRIBE":
		return p.describe()
	case "EXPLAIN":
		return p.explain()
	}
	p.fail("a statement")
	return nil
}

// withStatement reads a query or a change of data that begins with WITH.
func (p *parser) withStatement() ast.Statement {
	loc := p.loc()
	with := p.with()
	if p.atAny("INSERT", "UPDATE", "DELETE", "MERGE", "UPSERT") {
		return p.change(with)
	}
	q := p.queryFrom(loc, p.queryTerm())
	if q.With != nil {
		q = &ast.Query{Loc: loc, Body: q}
	}
	q.With = with
	return q
}

// change reads a change of data; with is the WITH before it.
func (p *parser) change(with *ast.With) ast.Statement {
	loc := p.loc()
	if with != nil {
		loc = with.Loc
	}
	p.first = p.i
	switch p.tok.keyword() {
	case "INSERT":
		return p.insert(loc, with)
	case "UPDATE":
		return p.update(loc, with)
	case "DELETE":
		return p.delete(loc, with)
	case "UPSERT":
		return p.upsert(loc, with)
	}
	return p.merge(loc, with)
}

func (p *parser) explain() ast.Statement {
	n := &ast.Explain{Loc: p.loc()}
	p.next()
	n.Analyze = p.at("ANALYZE") && !p.peek(1).is("TABLE") && p.accept("ANALYZE")
	n.Stmt = p.statement()
	return n
}
