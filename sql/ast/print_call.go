package ast

import "strings"

func (p *printer) call(e *Call) {
	p.funcName(e.Name)
	if e.NoParens {
		return
	}
	p.w("(")
	p.opt(e.Distinct, "DISTINCT ")
	p.opt(e.Star, "*")
	list(p, e.Args, func(a Expr) {
		if _, isIn := a.(*In); isIn && isNamed(e.Name, "POSITION") {
			p.w("(")
			defer p.w(")")
		}
		p.arg(a)
	})
	p.orderBy(e.OrderBy)
	p.w(")" + []string{"", " IGNORE NULLS", " RESPECT NULLS"}[e.Nulls])
	if e.WithinGroup != nil {
		p.w(" WITHIN GROUP (ORDER BY ")
		list(p, e.WithinGroup, p.orderItem)
		p.w(")")
	}
	if e.Filter != nil {
		p.clause(" FILTER (WHERE", e.Filter)
		p.w(")")
	}
	if e.Over != nil {
		p.w(" OVER ")
		p.window(e.Over)
	}
}

func isNamed(name []Ident, word string) bool {
	return len(name) == 1 && strings.EqualFold(name[0].Name, word)
}

// funcName prints the name of a function. Some words are names before a parenthesis only.
func (p *printer) funcName(name []Ident) {
	if len(name) == 1 {
		switch strings.ToUpper(name[0].Name) {
		case "LEFT", "RIGHT", "ARRAY", "CURRENT_DATE", "CURRENT_TIME", "CURRENT_TIMESTAMP", "CURRENT_USER", "LOCALTIMESTAMP":
			p.w(name[0].Name)
			return
		case "ROLLUP", "CUBE": // not quoted they would begin a grouping element
			p.w("`" + name[0].Name + "`")
			return
		}
	}
	p.name(name)
}

// arg prints an argument. A JSON arrow at its start would make it a lambda.
func (p *printer) arg(e Expr) {
	arrow := startsWithArrow(e)
	p.opt(arrow, "(")
	p.expr(e, PrecLowest)
	p.opt(arrow, ")")
}

func startsWithArrow(e Expr) bool {
	for {
		switch n := e.(type) {
		case *Binary:
			if n.Op == OpArrow {
				return true
			}
			e = n.L
		case *Between:
			e = n.Expr
		case *In:
			e = n.Expr
		case *Like:
			e = n.Expr
		case *IsNull:
			e = n.Expr
		case *Is:
			e = n.Expr
		case *Quantified:
			e = n.Expr
		case *AtTimeZone:
			e = n.Expr
		default:
			return false
		}
	}
}

func (p *printer) window(s *WindowSpec) {
	if s.Ref != nil && !s.Extends {
		p.ident(*s.Ref)
		return
	}
	sep := "("
	part := func(word string) {
		p.w(sep + word)
		sep = " "
	}
	if s.Ref != nil {
		part("`" + strings.ReplaceAll(s.Ref.Name, "`", "``") + "`")
	}
	if s.PartitionBy != nil {
		part("PARTITION BY ")
		p.exprs(s.PartitionBy)
	}
	if s.OrderBy != nil {
		part("ORDER BY ")
		list(p, s.OrderBy, p.orderItem)
	}
	if s.Frame != nil {
		part("")
		p.frame(s.Frame)
	}
	p.opt(sep == "(", "(")
	p.w(")")
}

func (p *printer) frame(f *Frame) {
	p.w([]string{"ROWS ", "RANGE ", "GROUPS "}[f.Unit])
	if f.End == nil {
		p.frameBound(f.Start)
	} else {
		p.w("BETWEEN ")
		p.frameBound(f.Start)
		p.w(" AND ")
		p.frameBound(*f.End)
	}
	p.w([]string{"", " EXCLUDE CURRENT ROW", " EXCLUDE GROUP", " EXCLUDE TIES"}[f.Exclude])
}

func (p *printer) frameBound(b FrameBound) {
	if b.Offset != nil {
		p.expr(b.Offset, PrecBitOr)
	}
	p.w([]string{"UNBOUNDED PRECEDING", " PRECEDING", "CURRENT ROW", " FOLLOWING", "UNBOUNDED FOLLOWING"}[b.Kind])
}
