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
		p.expr(q.Limit, precAdd)
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
	p.expr(item.Expr, precLowest)
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
		p.expr(g.Expr, precLowest)
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
		p.expr(item.Expr, precLowest)
	}
	p.opt(item.Desc, " DESC")
	p.w([]string{"", " NULLS FIRST", " NULLS LAST"}[item.Nulls])
}

func (p *printer) table(t TableExpr) {
	switch t := t.(type) {
	case *TableName:
		p.tableName(t)
	case *SubqueryTable:
		p.opt(t.Lateral, "LATERAL ")
		p.parenQuery(t.Query)
		p.sample(t.Sample)
		p.aliasColumns(t.Alias, t.Columns)
	case *ValuesTable:
		p.w("VALUES ")
		p.rows(t.Rows)
		p.aliasColumns(t.Alias, t.Columns)
	case *TableFunc:
		p.tableFunc(t)
	case *Join:
		p.join(t)
	case *Pivot:
		p.pivot(t)
	case *Unpivot:
		p.unpivot(t)
	}
}

func (p *printer) tableName(t *TableName) {
	p.opt(t.Stream, "STREAM ")
	if t.PathOnly {
		p.w(quoteString(t.Parts[0].Name))
	} else {
		p.name(t.Parts)
	}
	p.timeTravel(t.At)
	if t.Options != nil {
		p.w(" OPTIONS ")
		parens(p, t.Options, p.property)
	}
	p.sample(t.Sample)
	p.aliasColumns(t.Alias, t.Columns)
}

func (p *printer) timeTravel(t *TimeTravel) {
	if t == nil {
		return
	}
	switch t.Kind {
	case AtSuffix:
		p.w("@" + t.Suffix)
		return
	case AsOfVersion:
		p.w(" VERSION AS OF ")
	case AsOfTimestamp:
		p.w(" TIMESTAMP AS OF ")
	}
	p.expr(t.Expr, precBitOr)
}

func (p *printer) tableFunc(t *TableFunc) {
	p.opt(t.Lateral, "LATERAL ")
	p.name(t.Name)
	parens(p, t.Args, p.arg)
	p.opt(t.WithOrdinality, " WITH ORDINALITY")
	p.sample(t.Sample)
	p.aliasColumns(t.Alias, t.Columns)
}

func (p *printer) sample(s *TableSample) {
	if s == nil {
		return
	}
	p.w(" TABLESAMPLE ")
	p.opt(s.Method != "", s.Method+" ")
	p.w("(")
	p.opt(s.Unit == SampleBucket, "BUCKET ")
	p.expr(s.Value, precLowest)
	switch s.Unit {
	case SamplePercent:
		p.w(" PERCENT")
	case SampleRows:
		p.w(" ROWS")
	case SampleBucket:
		p.clause(" OUT OF", s.Of)
	}
	p.w(")")
	if s.Seed != nil {
		p.w(" REPEATABLE (")
		p.expr(s.Seed, precLowest)
		p.w(")")
	}
}

func (p *printer) join(j *Join) {
	p.table(j.Left)
	p.w(" ")
	p.opt(j.Natural, "NATURAL ")
	p.opt(j.AsOf, "ASOF ")
	p.w([]string{"", "LEFT ", "RIGHT ", "FULL ", "CROSS ", "LEFT SEMI ", "LEFT ANTI "}[j.Kind] + "JOIN ")
	p.joined(j.Right)
	p.clause(" ON", j.On)
	if j.Using != nil {
		p.w(" USING ")
		parens(p, j.Using, p.ident)
	}
}

// joined puts a join that is the right side of another, or the source of a pivot, in parentheses.
func (p *printer) joined(t TableExpr) {
	_, nested := t.(*Join)
	p.opt(nested, "(")
	p.table(t)
	p.opt(nested, ")")
}

func (p *printer) pivot(t *Pivot) {
	p.joined(t.Source)
	p.w(" PIVOT (")
	list(p, t.Aggs, p.selectItem)
	p.w(" FOR ")
	p.columns(t.For)
	p.w(" IN ")
	parens(p, t.In, func(v PivotValue) {
		p.expr(v.Expr, precLowest)
		p.alias(v.Alias)
	})
	p.w(")")
	p.aliasColumns(t.Alias, t.Columns)
}

func (p *printer) unpivot(t *Unpivot) {
	p.joined(t.Source)
	p.w(" UNPIVOT ")
	p.opt(t.IncludeNulls, "INCLUDE NULLS ")
	p.w("(")
	parens(p, t.Values, p.ident)
	p.w(" FOR ")
	p.ident(t.Name)
	p.w(" IN ")
	parens(p, t.In, func(c UnpivotColumns) {
		p.columns(c.Columns)
		p.alias(c.Alias)
	})
	p.w(")")
	p.aliasColumns(t.Alias, t.Columns)
}

// property prints a value that is a mere name in parentheses, because a bare word is a string.
func (p *printer) property(pr Property) {
	p.w(quoteString(pr.Key))
	if pr.Value != nil {
		p.w(" = ")
		p.setting(pr.Value)
	}
}

func (p *printer) setting(e Expr) {
	_, isName := e.(*ColumnRef)
	if c, ok := e.(*Call); ok && c.NoParens {
		isName = true
	}
	p.opt(isName, "(")
	p.expr(e, precLowest)
	p.opt(isName, ")")
}
