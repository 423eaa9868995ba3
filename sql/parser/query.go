package parser

import "github.com/tarndb/tarn/sql/ast"

// startsQuery tells whether a query, not an expression, starts n tokens ahead.
func (p *parser) startsQuery(n int) bool {
	switch t, after := p.peek(n), p.peek(n+1); t.keyword() {
	case "SELECT", "WITH", "FROM":
		return true
	case "VALUES":
		return p.isOp(after, "(") || p.isOp(after, "?") || after.kind == tokNumber || after.kind == tokString
	case "TABLE":
		return after.kind == tokQuoted || after.kind == tokWord
	}
	return false
}

// continuesQuery tells whether the token behind a parenthesised query makes it part of a larger one.
func continuesQuery(behind token) bool {
	switch behind.keyword() {
	case "UNION", "INTERSECT", "EXCEPT", "MINUS", "ORDER", "LIMIT", "OFFSET", "FETCH":
		return true
	}
	return false
}

// query reads a query with its WITH, ORDER BY and LIMIT.
func (p *parser) query() *ast.Query {
	p.enter()
	loc := p.loc()
	var with *ast.With
	if p.at("WITH") {
		with = p.with()
	}
	q := p.queryFrom(loc, p.queryTerm())
	if with != nil {
		if q.With != nil {
			q = &ast.Query{Loc: loc, Body: q}
		}
		q.With = with
	}
	p.depth--
	return q
}

// parenQuery reads a query in parentheses.
func (p *parser) parenQuery() *ast.Query {
	p.expectOp("(")
	if !p.startsQuery(0) && !p.atOp("(") {
		p.fail("a query")
	}
	q := p.query()
	p.expectOp(")")
	return q
}

// queryFrom continues a query whose first term has been read.
func (p *parser) queryFrom(loc ast.Loc, first ast.QueryBody) *ast.Query {
	q := &ast.Query{Loc: loc, Body: p.setOps(first)}
	if p.acceptSeq("ORDER", "BY") {
		q.OrderBy = p.orderItems()
	}
	p.limit(q)
	if inner, ok := q.Body.(*ast.Query); ok && isBare(q) {
		return inner
	}
	return q
}

// isBare tells whether a query is nothing but its body.
func isBare(q *ast.Query) bool {
	return q.With == nil && q.OrderBy == nil && q.Limit == nil && q.Offset == nil
}

// asBody is a parenthesised query as an operand of a set operation.
func (p *parser) asBody(q *ast.Query) ast.QueryBody {
	if isBare(q) {
		return q.Body
	}
	return q
}

func (p *parser) with() *ast.With {
	w := &ast.With{Loc: p.loc()}
	p.next()
	w.Recursive = p.at("RECURSIVE") && !p.peek(1).is("AS") && p.accept("RECURSIVE")
	p.commaList(func() { w.CTEs = append(w.CTEs, p.cte()) })
	return w
}

func (p *parser) cte() ast.CTE {
	c := ast.CTE{Loc: p.loc(), Name: p.ident("a name for the common table expression")}
	if p.atOp("(") {
		c.Columns = p.identList("a column name")
	}
	p.expect("AS")
	switch {
	case p.accept("MATERIALIZED"):
		c.Materialize = ast.Materialized
	case p.acceptSeq("NOT", "MATERIALIZED"):
		c.Materialize = ast.NotMaterialized
	}
	c.Query = p.parenQuery()
	return c
}

// setOps continues left with UNION and EXCEPT, whose operands are INTERSECT chains.
func (p *parser) setOps(left ast.QueryBody) ast.QueryBody {
	left = p.intersects(left)
	for {
		op := ast.Union
		switch p.tok.keyword() {
		case "UNION":
		case "EXCEPT", "MINUS":
			op = ast.Except
		default:
			return left
		}
		n := p.setOp(op, left)
		n.Right = p.intersects(p.queryTerm())
		left = n
	}
}

func (p *parser) intersects(left ast.QueryBody) ast.QueryBody {
	for p.at("INTERSECT") {
		n := p.setOp(ast.Intersect, left)
		n.Right = p.queryTerm()
		left = n
	}
	return left
}

// setOp reads the operator and its modifiers.
func (p *parser) setOp(op ast.SetOpKind, left ast.QueryBody) *ast.SetOp {
	p.grow()
	p.next()
	n := &ast.SetOp{Loc: locOf(left), Op: op, Left: left}
	if n.All = p.accept("ALL"); !n.All {
		p.accept("DISTINCT")
	}
	n.ByName = p.acceptSeq("BY", "NAME")
	return n
}

// queryTerm reads an operand of a set operation.
func (p *parser) queryTerm() ast.QueryBody {
	switch {
	case p.at("SELECT"):
		return p.selectBlock()
	case p.at("FROM"):
		return p.fromFirst()
	case p.at("VALUES"):
		loc := p.loc()
		p.next()
		return &ast.Values{Loc: loc, Rows: p.valueRows()}
	case p.at("TABLE"):
		loc := p.loc()
		p.next()
		return &ast.TableBody{Loc: loc, Table: p.tableAsOf()}
	case p.atOp("("):
		return p.asBody(p.parenQuery())
	}
	p.fail("SELECT, VALUES, TABLE or a query in parentheses")
	return nil
}

// valueRows reads the rows of VALUES.
func (p *parser) valueRows() [][]ast.Expr {
	var rows [][]ast.Expr
	p.commaList(func() { rows = append(rows, p.valueRow()) })
	return rows
}

// valueRow reads (a, b), or one expression. A row that an operator continues, (1 + 2) * 3, is the latter.
func (p *parser) valueRow() []ast.Expr {
	if !p.atOp("(") || p.startsQuery(1) {
		return []ast.Expr{p.expr()}
	}
	row := p.parenValues()
	if len(row) != 1 {
		return row
	}
	if _, isDefault := row[0].(*ast.Default); isDefault {
		return row
	}
	return []ast.Expr{p.infixes(row[0], ast.PrecLowest)}
}

// parenValues reads (a, DEFAULT, …).
func (p *parser) parenValues() []ast.Expr {
	var row []ast.Expr
	p.expectOp("(")
	p.commaList(func() { row = append(row, p.exprOrDefault()) })
	p.expectOp(")")
	return row
}

// exprOrDefault reads an expression, or DEFAULT standing alone.
func (p *parser) exprOrDefault() ast.Expr {
	if p.at("DEFAULT") {
		n := p.peek(1)
		if !p.isOp(n, ".") && !p.isOp(n, "(") && (n.kind != tokOp || binaryOpOf(p.text(n)).Precedence() == ast.PrecLowest) {
			loc := p.loc()
			p.next()
			return &ast.Default{Loc: loc}
		}
	}
	return p.expr()
}

func (p *parser) orderItems() []ast.OrderItem {
	var items []ast.OrderItem
	p.commaList(func() { items = append(items, p.orderItem()) })
	return items
}

func (p *parser) orderItem() ast.OrderItem {
	item := ast.OrderItem{Loc: p.loc()}
	if item.All = p.accept("ALL"); !item.All {
		item.Expr = p.expr()
	}
	if item.Desc = p.accept("DESC"); !item.Desc {
		p.accept("ASC")
	}
	if p.accept("NULLS") {
		switch {
		case p.accept("FIRST"):
			item.Nulls = ast.NullsFirst
		case p.accept("LAST"):
			item.Nulls = ast.NullsLast
		default:
			p.fail("FIRST or LAST")
		}
	}
	return item
}

// limit reads LIMIT, OFFSET and FETCH in any order, each once.
func (p *parser) limit(q *ast.Query) {
	var limited, skipped bool
	for {
		switch {
		case p.at("LIMIT") && !limited:
			limited = true
			p.next()
			if !p.accept("ALL") {
				q.Limit = p.expr()
			}
		case p.at("FETCH") && !limited:
			limited = true
			p.next()
			p.fetch(q)
		case p.at("OFFSET") && !skipped:
			skipped = true
			p.next()
			q.Offset = p.expr()
			if p.at("ROW") || p.at("ROWS") {
				p.next()
			}
		default:
			return
		}
	}
}

// fetch reads the rest of FETCH FIRST n ROWS ONLY. Without a number it is one row.
func (p *parser) fetch(q *ast.Query) {
	if !p.accept("FIRST") && !p.accept("NEXT") {
		p.fail("FIRST or NEXT")
	}
	if p.atAny("ROW", "ROWS") {
		q.Limit = &ast.Literal{Loc: p.loc(), Kind: ast.IntegerLiteral, Text: "1"}
	} else {
		q.Limit = p.exprAbove(ast.PrecAdd)
	}
	if !p.accept("ROW") && !p.accept("ROWS") {
		p.fail("ROWS")
	}
	if q.WithTies = p.acceptSeq("WITH", "TIES"); !q.WithTies && !p.accept("ONLY") {
		p.fail("ONLY or WITH TIES")
	}
}
