package parser

import "github.com/tarndb/tarn/sql/ast"

func (p *parser) merge(loc ast.Loc, with *ast.With) ast.Statement {
	n := &ast.Merge{Loc: loc, With: with}
	p.next()
	if p.accept("WITH") {
		p.expect("SCHEMA", "EVOLUTION")
		n.SchemaEvolution = true
	}
	p.expect("INTO")
	n.Target = p.tableAsOf()
	n.Target.Alias = p.aliasOnly()
	p.expect("USING")
	n.Source = p.tablePrimary()
	p.expect("ON")
	n.On = p.expr()
	for p.at("WHEN") {
		n.Clauses = append(n.Clauses, p.mergeClause())
	}
	if len(n.Clauses) == 0 {
		p.fail("WHEN")
	}
	return n
}

func (p *parser) mergeClause() ast.MergeClause {
	c := ast.MergeClause{Loc: p.loc()}
	p.next()
	if p.accept("NOT") {
		c.Match = ast.NotMatched
	}
	if !p.accept("MATCHED") {
		p.fail("MATCHED or NOT MATCHED")
	}
	if c.Match == ast.NotMatched && p.accept("BY") {
		if p.accept("SOURCE") {
			c.Match = ast.NotMatchedBySource
		} else if !p.accept("TARGET") {
			p.fail("SOURCE or TARGET")
		}
	}
	if p.accept("AND") {
		c.Cond = p.expr()
	}
	p.expect("THEN")
	if c.Match == ast.NotMatched {
		p.mergeInsert(&c)
	} else {
		p.mergeUpdateOrDelete(&c)
	}
	return c
}

// mergeUpdateOrDelete reads what may happen to a row of the target. Only a matched one has a source row to take * from.
func (p *parser) mergeUpdateOrDelete(c *ast.MergeClause) {
	switch {
	case p.accept("DELETE"):
		c.Action = ast.MergeDelete
		return
	case !p.accept("UPDATE"):
		p.fail("UPDATE or DELETE after THEN")
	}
	c.Action = ast.MergeUpdate
	p.expect("SET")
	if c.Match == ast.Matched && p.acceptOp("*") {
		c.Star = true
		return
	}
	c.Set = p.assignments()
}

func (p *parser) mergeInsert(c *ast.MergeClause) {
	if !p.accept("INSERT") {
		p.fail("INSERT after THEN")
	}
	c.Action = ast.MergeInsert
	if p.acceptOp("*") {
		c.Star = true
		return
	}
	if p.atOp("(") {
		c.Columns = p.columnPathList()
	}
	p.expect("VALUES")
	c.Values = p.parenValues()
}
