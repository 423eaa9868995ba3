package parser

import (
	"strconv"
	"strings"

	"github.com/tarndb/tarn/sql/ast"
)

// typeName reads a type.
func (p *parser) typeName() *ast.TypeName {
	p.enter()
	t := p.baseType()
	for p.atOp("[") && p.isOp(p.peek(1), "]") {
		p.next()
		p.next()
		p.grow()
		t = &ast.TypeName{Loc: t.Loc, Name: "ARRAY", Elem: t}
	}
	p.depth--
	return t
}

func (p *parser) baseType() *ast.TypeName {
	t := &ast.TypeName{Loc: p.loc()}
	t.Name = strings.ToUpper(p.ident("a type").Name)
	switch t.Name {
	case "ARRAY":
		p.expectOp("<")
		t.Elem = p.typeName()
		p.closeAngle()
	case "MAP":
		p.expectOp("<")
		t.Key = p.typeName()
		p.expectOp(",")
		t.Elem = p.typeName()
		p.closeAngle()
	case "STRUCT":
		p.structType(t)
	case "ROW":
		t.Name = "STRUCT"
		p.expectOp("(")
		p.typeFields(t)
		p.expectOp(")")
	case "INTERVAL":
		p.intervalType(t)
	default:
		p.scalarType(t)
	}
	return t
}

func (p *parser) structType(t *ast.TypeName) {
	if p.acceptOp("<>") {
		return
	}
	p.expectOp("<")
	if !p.atOp(">") && !p.atOp(">>") {
		p.typeFields(t)
	}
	p.closeAngle()
}

func (p *parser) typeFields(t *ast.TypeName) {
	p.commaList(func() {
		f := ast.TypeField{Loc: p.loc(), Name: p.anyIdent("a field name")}
		p.acceptOp(":")
		f.Type = p.typeName()
		f.NotNull = p.acceptSeq("NOT", "NULL")
		if p.accept("COMMENT") {
			f.Comment = p.stringPtr("the comment")
		}
		t.Fields = append(t.Fields, f)
	})
}

// closeAngle takes one > off the operator at hand, which may be the >> of two closing types.
func (p *parser) closeAngle() {
	if p.tok.kind == tokOp && p.src[p.tok.pos] == '>' && p.tok.end-p.tok.pos > 1 {
		p.tok.pos++
		p.tokens[p.i] = p.tok
		return
	}
	p.expectOp(">")
}

func (p *parser) intervalType(t *ast.TypeName) {
	if t.From = p.unitOf(p.tok); t.From == "" {
		return
	}
	p.next()
	if !p.accept("TO") {
		return
	}
	if t.To = p.unitOf(p.tok); t.To == "" {
		p.fail("a unit such as SECOND")
	}
	p.next()
}

// scalarType reads the arguments and the further words of a type's name.
func (p *parser) scalarType(t *ast.TypeName) {
	switch t.Name {
	case "DOUBLE":
		p.accept("PRECISION")
	case "CHARACTER", "CHAR":
		t.Name = "CHAR"
		if p.accept("VARYING") {
			t.Name = "VARCHAR"
		}
	}
	if p.acceptOp("(") {
		p.commaList(func() { t.Args = append(t.Args, p.typeArg()) })
		p.expectOp(")")
	}
	if t.Name != "TIMESTAMP" && t.Name != "TIME" {
		return
	}
	if p.acceptSeq("WITHOUT", "TIME", "ZONE") {
		if t.Name == "TIMESTAMP" {
			t.Name = "TIMESTAMP_NTZ"
		}
	} else if t.Name == "TIMESTAMP" {
		p.acceptSeq("WITH", "TIME", "ZONE")
	}
}

// typeArg reads an argument of a type.
func (p *parser) typeArg() int {
	return int(p.wholeNumber("a number"))
}

// wholeNumber reads an integer without sign or suffix.
func (p *parser) wholeNumber(what string) int64 {
	n, err := strconv.ParseInt(strings.ReplaceAll(p.text(p.tok), "_", ""), 10, 64)
	if p.tok.kind != tokNumber || err != nil {
		p.fail(what)
	}
	p.next()
	return n
}
