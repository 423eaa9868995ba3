package ast

func (p *printer) parenQuery(q *Query) {
	p.w("(")
	p.query(q)
	p.w(")")
}

func (p *printer) query(q *Query) {
	p.with(q.With)
	p.body(q.Body)
	p.orderBy(q.OrderBy)
	if !q.WithTies {
		p.clause(" LIMIT", q.Limit)
	}
	p.clause(" OFFSET", q.Offset)
	if q.WithTies {
		p.w(" FETCH FIRST ")
		p.expr(q.Limit, PrecAdd)
		p.w(" ROWS WITH TIES")
	}
}

func (p *printer) with(w *With) {
	if w == nil {
		return
	}
	p.w("WITH ")
	p.opt(w.Recursive, "RECURSIVE ")
	list(p, w.CTEs, func(c CTE) {
		p.ident(c.Name)
		if c.Columns != nil {
			p.w(" ")
			parens(p, c.Columns, p.ident)
		}
		p.w([]string{" AS ", " AS MATERIALIZED ", " AS NOT MATERIALIZED "}[c.Materialize])
		p.parenQuery(c.Query)
	})
	p.w(" ")
}

func (p *printer) body(b QueryBody) {
	switch b := b.(type) {
	case *Query:
		p.parenQuery(b)
	case *Select:
		p.selectBlock(b)
	case *SetOp:
		p.setOp(b)
	case *Values:
		p.w("VALUES ")
		p.rows(b.Rows)
	case *TableBody:
		p.w("TABLE ")
		p.table(b.Table)
	}
}

func (p *printer) rows(rows [][]Expr) {
	list(p, rows, func(row []Expr) {
		p.w("(")
		p.exprs(row)
		p.w(")")
	})
}

func (p *printer) setOp(s *SetOp) {
	p.operand(s.Left, s.Op, false)
	p.w("", []string{"UNION", "INTERSECT", "EXCEPT"}[s.Op])
	p.opt(s.All, " ALL")
	p.opt(s.ByName, " BY NAME")
	p.w(" ")
	p.operand(s.Right, s.Op, true)
}

// operand puts a set operation in parentheses where it would be read as part of its parent's chain.
func (p *printer) operand(b QueryBody, parent SetOpKind, right bool) {
	child, ok := b.(*SetOp)
	if ok && (right || parent == Intersect) && (child.Op != Intersect || parent == Intersect && right) {
		p.w("(")
		defer p.w(")")
	}
	p.body(b)
}

func (p *printer) selectBlock(s *Select) {
	p.w("SELECT ")
	p.opt(s.Distinct, "DISTINCT ")
	if s.DistinctOn != nil {
		p.w("ON (")
		p.exprs(s.DistinctOn)
		p.w(") ")
	}
	list(p, s.Items, p.selectItem)
	if s.From != nil {
		p.w(" FROM ")
		list(p, s.From, p.table)
	}
	for _, v := range s.LateralViews {
		p.lateralView(v)
	}
	p.clause(" WHERE", s.Where)
	p.groupBy(s.GroupBy)
	p.clause(" HAVING", s.Having)
	if s.Windows != nil {
		p.w(" WINDOW ")
		list(p, s.Windows, func(d WindowDef) {
			p.ident(d.Name)
			p.w(" AS ")
			p.window(d.Spec)
		})
	}
	p.clause(" QUALIFY", s.Qualify)
}

func (p *printer) selectItem(item SelectItem) {
	p.expr(item.Expr, PrecLowest)
	p.alias(item.Alias)
	if item.Aliases != nil {
		p.w(" AS ")
		parens(p, item.Aliases, p.ident)
	}
}

func (p *printer) lateralView(v *LateralView) {
	p.w(" LATERAL VIEW ")
	p.opt(v.Outer, "OUTER ")
	p.call(v.Func)
	if v.Table != nil {
		p.w(" ")
		p.ident(*v.Table)
	}
	if v.Columns != nil {
		p.w(" AS ")
		list(p, v.Columns, p.ident)
	}
}

func (p *printer) groupBy(g *GroupBy) {
	if g == nil {
		return
	}
	p.w(" GROUP BY ")
	p.opt(g.All, "ALL")
	list(p, g.Items, p.groupItem)
}

func (p *printer) groupItem(g GroupItem) {
	switch g.Kind {
	case GroupExpr:
		p.expr(g.Expr, PrecLowest)
		return
	case GroupSet:
		p.w("(")
		p.exprs(g.Exprs)
		p.w(")")
		return
	case GroupRollup:
		p.w("ROLLUP ")
	case GroupCube:
		p.w("CUBE ")
	case GroupSets:
		p.w("GROUPING SETS ")
	}
	parens(p, g.Items, p.groupItem)
}

func (p *printer) orderBy(items []OrderItem) {
	if items != nil {
		p.w(" ORDER BY ")
		list(p, items, p.orderItem)
	}
}

func (p *printer) orderItem(item OrderItem) {
	if item.All {
		p.w("ALL")
	} else {
		p.expr(item.Expr, PrecLowest)
	}
	p.opt(item.Desc, " DESC")
	p.w([]string{"", " NULLS FIRST", " NULLS LAST"}[item.Nulls])
}
