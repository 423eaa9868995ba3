package ast

import "strconv"

func (p *printer) typeName(t *TypeName) {
	switch {
	case t.Key != nil:
		p.w("MAP<")
		p.typeName(t.Key)
		p.w(", ")
		p.typeName(t.Elem)
		p.w(">")
	case t.Elem != nil:
		p.w("ARRAY<")
		p.typeName(t.Elem)
		p.w(">")
	case t.Name == "STRUCT":
		p.w("STRUCT<")
		list(p, t.Fields, func(f TypeField) {
			p.ident(f.Name)
			p.w(": ")
			p.typeName(f.Type)
			p.opt(f.NotNull, " NOT NULL")
			p.text(" COMMENT", f.Comment)
		})
		p.w(">")
	default:
		p.w(scalarTypeName(t.Name))
		if t.Args != nil {
			parens(p, t.Args, func(n int) { p.w(strconv.Itoa(n)) })
		}
		p.opt(t.From != "", " "+t.From)
		p.opt(t.To != "", " TO "+t.To)
	}
}

// scalarTypeName is a type's name as a word; INTERVAL is one here.
func scalarTypeName(name string) string {
	if name == "INTERVAL" {
		return name
	}
	return QuoteIdent(name)
}
