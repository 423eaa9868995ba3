package ast

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
	p.expr(t.Expr, PrecBitOr)
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
	p.expr(s.Value, PrecLowest)
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
		p.expr(s.Seed, PrecLowest)
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

// tableOperand prints a table where no alias may follow, in parentheses if it has
// one or is made of several.
func (p *printer) tableOperand(t TableExpr) {
	isOperand := false
	switch t := t.(type) {
	case *TableName:
		isOperand = t.Alias == nil && t.Sample == nil
	case *SubqueryTable:
		isOperand = t.Alias == nil && t.Sample == nil
	case *ValuesTable:
		isOperand = t.Alias == nil
	case *TableFunc:
		isOperand = t.Alias == nil && t.Sample == nil
	}
	p.opt(!isOperand, "(")
	p.table(t)
	p.opt(!isOperand, ")")
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
		p.expr(v.Expr, PrecLowest)
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
	p.expr(e, PrecLowest)
	p.opt(isName, ")")
}
