package parser

import "github.com/tarndb/tarn/sql/ast"

// definition reads a statement that changes the catalog.
func (p *parser) definition() ast.Statement {
	loc := p.loc()
	switch p.tok.keyword() {
	case "CREATE":
		return p.create(loc)
	case "DROP":
		return p.drop(loc)
	case "ALTER":
		return p.alterTable(loc)
	case "COMMENT":
		return p.commentOn(loc)
	}
	return p.convertToDelta(loc)
}

func (p *parser) create(loc ast.Loc) ast.Statement {
	p.next()
	replace := p.at("OR")
	if replace {
		p.expect("OR", "REPLACE")
	}
	switch {
	case p.accept("TABLE"):
		return p.createTable(&ast.CreateTable{Loc: loc, OrReplace: replace})
	case p.accept("VIEW"):
		return p.createView(&ast.CreateView{Loc: loc, OrReplace: replace})
	case p.atAny("TEMP", "TEMPORARY"):
		p.next()
		p.expect("VIEW")
		return p.createView(&ast.CreateView{Loc: loc, OrReplace: replace, Temporary: true})
	case !replace && p.acceptSchemaWord():
		return p.createSchema(loc)
	case replace:
		p.fail("TABLE or VIEW")
	}
	p.fail("TABLE, VIEW or SCHEMA")
	return nil
}

func (p *parser) acceptSchemaWord() bool {
	return p.accept("SCHEMA") || p.accept("DATABASE") || p.accept("NAMESPACE")
}

func (p *parser) createTable(n *ast.CreateTable) ast.Statement {
	n.IfNotExists = p.ifNotExists()
	n.Table = p.tableName("a table")
	if p.accept("LIKE") {
		n.Like = p.tableName("a table")
	} else if p.atOp("(") && !p.startsQuery(1) {
		p.tableElements(n)
	}
	if p.atSeq("SHALLOW", "CLONE") || p.atSeq("DEEP", "CLONE") || p.at("CLONE") {
		n.Clone = p.clone()
	}
	p.tableClauses(n)
	if n.Like == nil && n.Clone == nil && (p.accept("AS") || p.startsQuery(0) || p.atOp("(")) {
		n.AsQuery = p.source()
	}
	return n
}

func (p *parser) clone() *ast.Clone {
	c := &ast.Clone{Loc: p.loc(), Shallow: p.accept("SHALLOW")}
	p.accept("DEEP")
	p.expect("CLONE")
	c.Source = p.tableAsOf()
	return c
}

// tableElements reads the columns and constraints in parentheses.
func (p *parser) tableElements(n *ast.CreateTable) {
	p.expectOp("(")
	p.commaList(func() {
		if p.atConstraint() {
			n.Constraints = append(n.Constraints, p.tableConstraint())
			return
		}
		c := ast.ColumnDef{Loc: p.loc(), Name: p.ident("a column name")}
		p.columnDefRest(&c)
		n.Columns = append(n.Columns, c)
	})
	p.expectOp(")")
}

func (p *parser) atConstraint() bool {
	n := p.peek(1)
	switch p.tok.keyword() {
	case "CONSTRAINT":
		after := p.peek(2).keyword()
		return after == "CHECK" || after == "PRIMARY" || after == "FOREIGN"
	case "PRIMARY", "FOREIGN":
		return n.is("KEY")
	case "CHECK":
		return p.isOp(n, "(")
	}
	return false
}

func (p *parser) tableConstraint() ast.TableConstraint {
	c := ast.TableConstraint{Loc: p.loc()}
	if p.accept("CONSTRAINT") {
		name := p.ident("a constraint's name")
		c.Name = &name
	}
	switch {
	case p.accept("CHECK"):
		p.expectOp("(")
		c.Check = p.expr()
		p.expectOp(")")
	case p.acceptSeq("PRIMARY", "KEY"):
		c.Kind = ast.PrimaryKey
		c.Columns = p.identList("a column name")
		p.acceptSeq("NOT", "ENFORCED") // it is never enforced
	case p.acceptSeq("FOREIGN", "KEY"):
		c.Kind = ast.ForeignKey
		c.Columns = p.identList("a column name")
		p.expect("REFERENCES")
		c.RefTable = p.tableName("a table")
		if p.atOp("(") {
			c.RefColumns = p.identList("a column name")
		}
	default:
		p.fail("CHECK, PRIMARY KEY or FOREIGN KEY")
	}
	return c
}

// columnDefRest reads the type of a column and what follows it, each clause once.
func (p *parser) columnDefRest(c *ast.ColumnDef) {
	c.Type = p.typeName()
	for {
		switch {
		case p.atSeq("NOT", "NULL") && !c.NotNull:
			p.next()
			p.next()
			c.NotNull = true
		case p.at("DEFAULT") && c.Default == nil:
			p.next()
			c.Default = p.expr()
		case p.at("GENERATED") && c.Generated == nil && c.Identity == nil:
			p.generated(c)
		case p.at("COMMENT") && c.Comment == nil:
			p.next()
			c.Comment = p.stringPtr("the comment")
		default:
			return
		}
	}
}

// generated reads GENERATED ALWAYS AS (expr) or GENERATED ALWAYS | BY DEFAULT AS IDENTITY (…).
func (p *parser) generated(c *ast.ColumnDef) {
	loc := p.loc()
	p.next()
	always := p.accept("ALWAYS")
	if !always && !p.acceptSeq("BY", "DEFAULT") {
		p.fail("ALWAYS or BY DEFAULT")
	}
	p.expect("AS")
	if p.accept("IDENTITY") {
		c.Identity = &ast.Identity{Loc: loc, Always: always}
		p.identityOptions(c.Identity)
		return
	}
	if !always {
		p.fail("IDENTITY")
	}
	p.expectOp("(")
	c.Generated = p.expr()
	p.expectOp(")")
}

func (p *parser) identityOptions(n *ast.Identity) {
	if !p.acceptOp("(") {
		return
	}
	for !p.atOp(")") {
		switch {
		case n.StartWith == nil && p.acceptSeq("START", "WITH"):
			n.StartWith = p.signedNumber()
		case n.IncrementBy == nil && p.acceptSeq("INCREMENT", "BY"):
			n.IncrementBy = p.signedNumber()
		default:
			p.fail("START WITH, INCREMENT BY or \")\"")
		}
		p.acceptOp(",")
	}
	p.next()
}

func (p *parser) signedNumber() *int64 {
	negative := p.acceptOp("-")
	n := p.wholeNumber("a whole number")
	if negative {
		n = -n
	}
	return &n
}

// tableClauses reads the clauses after the columns, each once and in any order.
func (p *parser) tableClauses(n *ast.CreateTable) {
	for {
		switch {
		case p.at("USING") && n.Using == "":
			p.next()
			n.Using = p.ident("a table format").Name
		case p.at("PARTITIONED") && n.PartitionedBy == nil:
			n.PartitionedBy = p.partitionedBy()
		case p.at("CLUSTER") && n.ClusterBy == nil:
			p.next()
			p.expect("BY")
			n.ClusterBy = p.columnPathList()
		case p.at("LOCATION") && n.Location == nil:
			p.next()
			n.Location = p.stringPtr("a path")
		case p.at("COMMENT") && n.Comment == nil:
			p.next()
			n.Comment = p.stringPtr("the comment")
		case p.at("TBLPROPERTIES") && n.Properties == nil:
			p.next()
			n.Properties = p.properties()
		case p.at("OPTIONS") && n.Options == nil:
			p.next()
			n.Options = p.properties()
		default:
			return
		}
	}
}

func (p *parser) partitionedBy() []ast.PartitionField {
	var fields []ast.PartitionField
	p.expect("PARTITIONED", "BY")
	p.expectOp("(")
	p.commaList(func() { fields = append(fields, p.partitionField()) })
	p.expectOp(")")
	return fields
}

// partitionField reads a column, a transform, or a column with its type.
func (p *parser) partitionField() ast.PartitionField {
	f := ast.PartitionField{Loc: p.loc(), Expr: p.transform()}
	if _, isColumn := f.Expr.(*ast.ColumnRef); isColumn && p.atIdent() {
		f.Type = p.typeName()
	}
	return f
}

// transform reads a column or a call such as bucket(16, id).
func (p *parser) transform() ast.Expr {
	loc := p.loc()
	name := p.dotted("a column or a transform")
	if !p.acceptOp("(") {
		return &ast.ColumnRef{Loc: loc, Parts: name}
	}
	return &ast.Call{Loc: loc, Name: name, Args: p.args()}
}

// properties reads ('key' = 'value', a.b 3, flag) with its parentheses.
func (p *parser) properties() []ast.Property {
	var all []ast.Property
	p.expectOp("(")
	p.commaList(func() { all = append(all, p.property()) })
	p.expectOp(")")
	return all
}

func (p *parser) property() ast.Property {
	pr := ast.Property{Loc: p.loc(), Key: p.propertyKey()}
	if !p.acceptOp("=") && (p.atOp(",") || p.atOp(")")) {
		return pr
	}
	pr.Value = p.wordOrExpr()
	return pr
}

// propertyKey reads a string or a dotted name.
func (p *parser) propertyKey() string {
	if p.atString() {
		return p.stringText("")
	}
	key := p.anyIdent("a property's name").Name
	for p.acceptOp(".") {
		key += "." + p.anyIdent("a name after the dot").Name
	}
	return key
}

// wordOrExpr reads a value; a single word other than TRUE, FALSE and NULL is a string.
func (p *parser) wordOrExpr() ast.Expr {
	n := p.peek(1)
	last := n.kind == tokEOF || p.isOp(n, ",") || p.isOp(n, ")") || p.isOp(n, ";")
	if p.tok.kind == tokWord && last && !p.atAny("TRUE", "FALSE", "NULL") && !p.atParam() {
		l := &ast.Literal{Loc: p.loc(), Kind: ast.StringLiteral, Text: p.text(p.tok)}
		p.next()
		return l
	}
	return p.expr()
}

func (p *parser) createView(n *ast.CreateView) ast.Statement {
	n.IfNotExists = p.ifNotExists()
	n.View = p.tableName("a view")
	if p.acceptOp("(") {
		p.commaList(func() {
			c := ast.ViewColumn{Loc: p.loc(), Name: p.ident("a column name")}
			if p.accept("COMMENT") {
				c.Comment = p.stringPtr("the comment")
			}
			n.Columns = append(n.Columns, c)
		})
		p.expectOp(")")
	}
	for {
		switch {
		case p.at("COMMENT") && n.Comment == nil:
			p.next()
			n.Comment = p.stringPtr("the comment")
		case p.at("TBLPROPERTIES") && n.Properties == nil:
			p.next()
			n.Properties = p.properties()
		default:
			p.expect("AS")
			n.Query = p.source()
			return n
		}
	}
}

func (p *parser) createSchema(loc ast.Loc) ast.Statement {
	n := &ast.CreateSchema{Loc: loc, IfNotExists: p.ifNotExists(), Name: p.dotted("a schema")}
	for {
		switch {
		case p.at("COMMENT") && n.Comment == nil:
			p.next()
			n.Comment = p.stringPtr("the comment")
		case p.at("LOCATION") && n.Location == nil:
			p.next()
			n.Location = p.stringPtr("a path")
		case p.at("WITH") && n.Properties == nil:
			p.expect("WITH", "DBPROPERTIES")
			n.Properties = p.properties()
		default:
			return n
		}
	}
}

func (p *parser) drop(loc ast.Loc) ast.Statement {
	p.next()
	switch {
	case p.accept("TABLE"):
		n := &ast.DropTable{Loc: loc, IfExists: p.ifExists(), Table: p.tableName("a table")}
		n.Purge = p.accept("PURGE")
		return n
	case p.accept("VIEW"):
		return &ast.DropView{Loc: loc, IfExists: p.ifExists(), View: p.tableName("a view")}
	case p.acceptSchemaWord():
		n := &ast.DropSchema{Loc: loc, IfExists: p.ifExists(), Name: p.dotted("a schema")}
		if n.Cascade = p.accept("CASCADE"); !n.Cascade {
			p.accept("RESTRICT")
		}
		return n
	}
	p.fail("TABLE, VIEW or SCHEMA")
	return nil
}

func (p *parser) commentOn(loc ast.Loc) ast.Statement {
	n := &ast.CommentOn{Loc: loc}
	p.next()
	p.expect("ON")
	switch {
	case p.accept("TABLE"):
	case p.accept("VIEW"):
		n.Kind = ast.ViewObject
	case p.acceptSchemaWord():
		n.Kind = ast.SchemaObject
	case p.accept("CATALOG"):
		n.Kind = ast.CatalogObject
	default:
		p.fail("TABLE, VIEW, SCHEMA or CATALOG")
	}
	n.Name = p.dotted("a name")
	p.expect("IS")
	if !p.accept("NULL") {
		n.Text = p.stringPtr("the comment")
	}
	return n
}

func (p *parser) convertToDelta(loc ast.Loc) ast.Statement {
	n := &ast.ConvertToDelta{Loc: loc}
	p.next()
	p.expect("TO", "DELTA")
	n.Table = p.tableName("a table or a path")
	n.NoStatistics = p.acceptSeq("NO", "STATISTICS")
	if p.at("PARTITIONED") {
		n.PartitionedBy = p.partitionedBy()
	}
	return n
}
