package parser

import (
	"strings"

	"github.com/tarndb/tarn/sql/ast"
)

// atIdent tells whether an identifier stands here: a quoted one, or a word that is not reserved.
func (p *parser) atIdent() bool { return p.isIdent(p.tok) }

func (p *parser) isIdent(t token) bool {
	return t.kind == tokQuoted || t.kind == tokWord && !t.word.reserved() && !isDollarParam(p.text(t))
}

// ident reads an identifier where reserved words would be misleading.
func (p *parser) ident(what string) ast.Ident {
	if !p.atIdent() {
		p.fail(what)
	}
	return p.anyIdent(what)
}

// anyIdent reads an identifier where a word can be nothing else, as after a dot or AS.
func (p *parser) anyIdent(what string) ast.Ident {
	id := ast.Ident{Loc: p.loc()}
	switch {
	case p.tok.kind == tokQuoted:
		id.Name = unquoteIdent(p.text(p.tok))
	case p.tok.kind == tokWord && !isDollarParam(p.text(p.tok)):
		id.Name = p.text(p.tok)
	default:
		p.fail(what)
	}
	p.next()
	return id
}

// unquoteIdent takes off the quotes and halves the doubled ones inside.
func unquoteIdent(s string) string {
	quote := s[:1]
	return strings.ReplaceAll(s[1:len(s)-1], quote+quote, quote)
}

// dotted reads a name of one or more parts.
func (p *parser) dotted(what string) []ast.Ident {
	parts := append(make([]ast.Ident, 0, 2), p.ident(what))
	for p.acceptOp(".") {
		parts = append(parts, p.anyIdent("a name after the dot"))
	}
	return parts
}

// columnPath reads a column name with its qualifiers and nested fields.
func (p *parser) columnPath() *ast.ColumnRef {
	loc := p.loc()
	return &ast.ColumnRef{Loc: loc, Parts: p.dotted("a column name")}
}

// commaList reads one or more items separated by commas.
func (p *parser) commaList(item func()) {
	item()
	for p.acceptOp(",") {
		item()
	}
}

// identList reads (a, b).
func (p *parser) identList(what string) []ast.Ident {
	var ids []ast.Ident
	p.expectOp("(")
	p.commaList(func() { ids = append(ids, p.ident(what)) })
	p.expectOp(")")
	return ids
}

// columnPathList reads (a, b.c).
func (p *parser) columnPathList() []*ast.ColumnRef {
	var refs []*ast.ColumnRef
	p.expectOp("(")
	p.commaList(func() { refs = append(refs, p.columnPath()) })
	p.expectOp(")")
	return refs
}

// ifExists and ifNotExists read these optional clauses.
func (p *parser) ifExists() bool    { return p.acceptSeq("IF", "EXISTS") }
func (p *parser) ifNotExists() bool { return p.acceptSeq("IF", "NOT", "EXISTS") }

// stringText reads a string where only a string may stand, and answers its value.
func (p *parser) stringText(what string) string {
	if !p.atString() {
		p.fail(what)
	}
	s := p.unquoteString(p.tok)
	p.next()
	return s
}

func (p *parser) stringPtr(what string) *string {
	s := p.stringText(what)
	return &s
}
