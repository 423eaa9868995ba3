package parser

import (
	"strings"

	"github.com/tarndb/tarn/sql/ast"
)

func (p *parser) insert(loc ast.Loc, with *ast.With) ast.Statement {
	n := &ast.Insert{Loc: loc, With: with}
	p.next()
	if n.Overwrite = p.accept("OVERWRITE"); n.Overwrite {
		p.accept("INTO")
	} else if !p.accept("INTO") {
		p.fail("INTO or OVERWRITE")
	}
	p.accept("TABLE")
	n.Table = p.tableAsOf()
	if p.accept("PARTITION") {
		n.Partition = p.partitionValues()
	}
	n.Columns = p.insertColumns()
	n.ByName = p.acceptSeq("BY", "NAME")
	if p.acceptSeq("REPLACE", "WHERE") {
		n.ReplaceWhere = p.expr()
	}
	if !p.acceptSeq("DEFAULT", "VALUES") {
		n.Source = p.source()
	}
	return n
}

// insertColumns reads the column list; a parenthesis may also begin the query.
func (p *parser) insertColumns() []ast.Ident {
	if !p.atOp("(") || p.startsQuery(1) || p.isOp(p.peek(1), "(") {
		return nil
	}
	return p.identList("a column name")
}

// source reads the query whose rows are written.
func (p *parser) source() *ast.Query {
	if !p.startsQuery(0) && !p.atOp("(") && !p.at("VALUES") {
		p.fail("VALUES or a query")
	}
	return p.query()
}

// partitionValues reads (a = 1, b).
func (p *parser) partitionValues() []ast.PartitionValue {
	var values []ast.PartitionValue
	p.expectOp("(")
	p.commaList(func() {
		v := ast.PartitionValue{Loc: p.loc(), Name: p.ident("a partition column")}
		if p.acceptOp("=") {
			v.Value = p.expr()
		}
		values = append(values, v)
	})
	p.expectOp(")")
	return values
}

func (p *parser) upsert(loc ast.Loc, with *ast.With) ast.Statement {
	n := &ast.Upsert{Loc: loc, With: with}
	p.next()
	p.expect("INTO")
	p.accept("TABLE")
	n.Table = p.tableAsOf()
	n.Columns = p.insertColumns()
	if p.accept("KEYS") {
		n.Keys = p.identList("a key column")
	}
	n.Source = p.source()
	return n
}

func (p *parser) applyChanges() ast.Statement {
	n := &ast.ApplyChanges{Loc: p.loc()}
	p.next()
	p.expect("CHANGES", "INTO")
	n.Table = p.tableAsOf()
	p.expect("FROM")
	n.Source = p.tableOperand()
	p.expect("KEYS")
	n.Keys = p.identList("a key column")
	if p.acceptSeq("APPLY", "AS", "DELETE", "WHEN") || p.acceptSeq("DELETE", "WHEN") {
		n.DeleteWhen = p.expr()
	}
	p.expect("SEQUENCE", "BY")
	n.SequenceBy = p.expr()
	return n
}

func (p *parser) update(loc ast.Loc, with *ast.With) ast.Statement {
	n := &ast.Update{Loc: loc, With: with}
	p.next()
	n.Table = p.tableAsOf()
	n.Alias = p.aliasOnly()
	p.expect("SET")
	n.Set = p.assignments()
	if p.accept("WHERE") {
		n.Where = p.expr()
	}
	return n
}

// aliasOnly reads an alias without column names.
func (p *parser) aliasOnly() *ast.Ident {
	if !p.accept("AS") && !p.atBareAlias() {
		return nil
	}
	alias := p.anyIdent("an alias")
	return &alias
}

func (p *parser) assignments() []ast.Assignment {
	var set []ast.Assignment
	p.commaList(func() {
		a := ast.Assignment{Loc: p.loc(), Column: p.columnPath()}
		p.expectOp("=")
		a.Value = p.exprOrDefault()
		set = append(set, a)
	})
	return set
}

func (p *parser) delete(loc ast.Loc, with *ast.With) ast.Statement {
	n := &ast.Delete{Loc: loc, With: with}
	p.next()
	p.expect("FROM")
	n.Table = p.tableAsOf()
	n.Alias = p.aliasOnly()
	if p.accept("WHERE") {
		n.Where = p.expr()
	}
	return n
}

func (p *parser) truncate() ast.Statement {
	n := &ast.Truncate{Loc: p.loc()}
	p.next()
	p.expect("TABLE")
	n.Table = p.tableAsOf()
	return n
}

func (p *parser) copyStatement() ast.Statement {
	loc := p.loc()
	p.next()
	if p.accept("INTO") {
		return p.copyInto(loc)
	}
	n := &ast.CopyTo{Loc: loc}
	if p.atOp("(") {
		n.Query = p.parenQuery()
	} else {
		n.Table = p.tableAsOf()
	}
	p.expect("TO")
	n.Path = p.stringText("the path of a file")
	if p.atOp("(") {
		n.Options = p.properties()
	}
	return n
}

func (p *parser) copyInto(loc ast.Loc) ast.Statement {
	n := &ast.CopyInto{Loc: loc, Table: p.tableAsOf()}
	if p.atOp("(") {
		n.Columns = p.identList("a column name")
	}
	p.expect("FROM")
	if p.atOp("(") {
		p.pathTables = true
		n.Query = p.parenQuery()
		p.pathTables = false
	} else {
		n.Path = p.stringText("the path of the files or a query in parentheses")
	}
	p.expect("FILEFORMAT")
	p.expectOp("=")
	n.FileFormat = strings.ToUpper(p.ident("a file format").Name)
	p.copyClauses(n)
	return n
}

func (p *parser) copyClauses(n *ast.CopyInto) {
	for {
		switch {
		case p.at("FILES") && n.Files == nil:
			p.next()
			p.expectOp("=")
			p.expectOp("(")
			p.commaList(func() { n.Files = append(n.Files, p.stringText("a file name")) })
			p.expectOp(")")
		case p.at("PATTERN") && n.Pattern == nil:
			p.next()
			p.expectOp("=")
			n.Pattern = p.stringPtr("a pattern")
		case p.at("FORMAT_OPTIONS") && n.FormatOptions == nil:
			p.next()
			n.FormatOptions = p.properties()
		case p.at("COPY_OPTIONS") && n.CopyOptions == nil:
			p.next()
			n.CopyOptions = p.properties()
		default:
			return
		}
	}
}
