package parser

import "github.com/tarndb/tarn/sql/ast"

// transaction reads a statement of transaction control.
func (p *parser) transaction() ast.Statement {
	loc, word := p.loc(), p.tok.keyword()
	p.next()
	switch word {
	case "START":
		p.expect("TRANSACTION")
		return p.begin(loc)
	case "SAVEPOINT":
		return &ast.Savepoint{Loc: loc, Name: p.ident("a savepoint")}
	case "RELEASE":
		p.accept("SAVEPOINT")
		return &ast.ReleaseSavepoint{Loc: loc, Name: p.ident("a savepoint")}
	}
	if !p.accept("TRANSACTION") {
		p.accept("WORK")
	}
	switch word {
	case "BEGIN":
		return p.begin(loc)
	case "COMMIT":
		return &ast.Commit{Loc: loc}
	}
	n := &ast.Rollback{Loc: loc}
	if p.accept("TO") {
		p.accept("SAVEPOINT")
		name := p.ident("a savepoint")
		n.To = &name
	}
	return n
}

// begin reads the modes of a transaction, each once, maybe with commas between.
func (p *parser) begin(loc ast.Loc) ast.Statement {
	n := &ast.Begin{Loc: loc}
	var level, access bool
	for {
		switch {
		case !level && p.acceptSeq("ISOLATION", "LEVEL"):
			level = true
			n.Isolation = p.isolationLevel()
		case !access && p.acceptSeq("READ", "ONLY"):
			access, n.ReadOnly = true, true
		case !access && p.acceptSeq("READ", "WRITE"):
			access = true
		default:
			return n
		}
		if p.atOp(",") && p.peek(1).word != 0 {
			p.next()
		}
	}
}

func (p *parser) isolationLevel() ast.IsolationLevel {
	switch {
	case p.acceptSeq("READ", "UNCOMMITTED"):
		return ast.ReadUncommitted
	case p.acceptSeq("READ", "COMMITTED"):
		return ast.ReadCommitted
	case p.acceptSeq("REPEATABLE", "READ"):
		return ast.RepeatableRead
	case p.accept("SNAPSHOT"):
		return ast.SnapshotIsolation
	case p.accept("SERIALIZABLE"):
		return ast.Serializable
	}
	p.fail("an isolation level")
	return 0
}

// setting reads SET, RESET or USE.
func (p *parser) setting() ast.Statement {
	loc, word := p.loc(), p.tok.keyword()
	p.next()
	switch word {
	case "SET":
		return p.set(loc)
	case "USE":
		return p.use(loc)
	}
	n := &ast.Reset{Loc: loc}
	if p.tok.kind != tokEOF && !p.atOp(";") {
		n.Name = p.propertyKey()
	}
	return n
}

func (p *parser) set(loc ast.Loc) ast.Statement {
	if p.at("SESSION") && p.peek(1).kind == tokWord {
		p.next()
	}
	n := &ast.Set{Loc: loc}
	if p.acceptSeq("TIME", "ZONE") {
		n.Name = "timezone"
		n.Value = p.wordOrExpr()
		return n
	}
	n.Name = p.propertyKey()
	if p.acceptOp("=") || p.accept("TO") {
		n.Value = p.wordOrExpr()
	}
	return n
}

func (p *parser) use(loc ast.Loc) ast.Statement {
	n := &ast.Use{Loc: loc, Kind: ast.SchemaObject}
	if p.isIdent(p.peek(1)) {
		if p.accept("CATALOG") {
			n.Kind = ast.CatalogObject
		} else if !p.acceptSchemaWord() {
			p.fail("CATALOG, SCHEMA or a name")
		}
	}
	n.Name = p.dotted("a name")
	return n
}
