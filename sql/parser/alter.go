package parser

import "github.com/tarndb/tarn/sql/ast"

func (p *parser) alterTable(loc ast.Loc) ast.Statement {
	p.next()
	p.expect("TABLE")
	n := &ast.AlterTable{Loc: loc, Table: p.tableName("a table")}
	n.Action = p.alterAction()
	return n
}

func (p *parser) alterAction() ast.AlterAction {
	loc := p.loc()
	switch {
	case p.accept("ADD"):
		return p.alterAdd(loc)
	case p.accept("DROP"):
		return p.alterDrop(loc)
	case p.accept("RENAME"):
		return p.alterRename(loc)
	case p.accept("ALTER"), p.accept("CHANGE"):
		p.accept("COLUMN")
		return p.alterColumn(loc)
	case p.accept("SET"):
		return p.alterSet(loc)
	case p.accept("UNSET"):
		return p.alterUnset(loc)
	case p.acceptSeq("CLUSTER", "BY"):
		n := &ast.ClusterBy{Loc: loc}
		if !p.accept("NONE") {
			n.Columns = p.columnPathList()
		}
		return n
	case p.accept("REPLACE"):
		return p.alterReplace(loc)
	case p.accept("CREATE"):
		return p.alterCreate(loc)
	case p.accept("WRITE"):
		return p.writeOrder(loc)
	case p.accept("EXECUTE"):
		return p.execute(loc)
	}
	p.fail("ADD, DROP, RENAME, ALTER, SET or another action of ALTER TABLE")
	return nil
}

func (p *parser) alterAdd(loc ast.Loc) ast.AlterAction {
	switch {
	case p.acceptSeq("PARTITION", "FIELD"):
		return &ast.AddPartitionField{Loc: loc, Field: p.namedTransform()}
	case p.atConstraint():
		return &ast.AddConstraint{Loc: loc, Constraint: p.tableConstraint()}
	case p.accept("COLUMN"), p.accept("COLUMNS"):
	default:
		p.fail("COLUMN, COLUMNS, CONSTRAINT or PARTITION FIELD")
	}
	n := &ast.AddColumns{Loc: loc}
	add := func() { n.Columns = append(n.Columns, p.addedColumn()) }
	if !p.acceptOp("(") {
		p.commaList(add)
		return n
	}
	p.commaList(add)
	p.expectOp(")")
	return n
}

// addedColumn reads a column, or a nested field with its path, and where it goes.
func (p *parser) addedColumn() ast.ColumnDef {
	c := ast.ColumnDef{Loc: p.loc()}
	path := p.dotted("a column name")
	c.Name = path[len(path)-1]
	if len(path) > 1 {
		c.Parent = path[:len(path)-1]
	}
	p.columnDefRest(&c)
	c.First, c.After, _ = p.columnPlace()
	return c
}

// columnPlace reads FIRST or AFTER column.
func (p *parser) columnPlace() (first bool, after *ast.Ident, ok bool) {
	if p.accept("FIRST") {
		return true, nil, true
	}
	if !p.accept("AFTER") {
		return false, nil, false
	}
	name := p.ident("a column name")
	return false, &name, true
}

func (p *parser) alterDrop(loc ast.Loc) ast.AlterAction {
	switch {
	case p.acceptSeq("PARTITION", "FIELD"):
		return &ast.DropPartitionField{Loc: loc, Expr: p.transform()}
	case p.accept("CONSTRAINT"):
		return &ast.DropConstraint{Loc: loc, IfExists: p.ifExists(), Name: p.ident("a constraint's name")}
	case p.accept("FEATURE"):
		n := &ast.DropFeature{Loc: loc, Name: p.featureName()}
		n.TruncateHistory = p.acceptSeq("TRUNCATE", "HISTORY")
		return n
	case p.acceptSeq("IDENTIFIER", "FIELDS"):
		return &ast.SetIdentifierFields{Loc: loc, Drop: true, Fields: p.columnPaths()}
	case p.atAny("BRANCH", "TAG"):
		return p.alterRef(&ast.AlterRef{Loc: loc, Verb: ast.DropRef})
	case p.accept("COLUMN"), p.accept("COLUMNS"):
		n := &ast.DropColumns{Loc: loc, IfExists: p.ifExists()}
		if p.atOp("(") {
			n.Columns = p.columnPathList()
		} else {
			n.Columns = p.columnPaths()
		}
		return n
	}
	p.fail("COLUMN, COLUMNS, CONSTRAINT, FEATURE, PARTITION FIELD, IDENTIFIER FIELDS, BRANCH or TAG")
	return nil
}

func (p *parser) columnPaths() []*ast.ColumnRef {
	var refs []*ast.ColumnRef
	p.commaList(func() { refs = append(refs, p.columnPath()) })
	return refs
}

func (p *parser) featureName() string {
	if p.atString() {
		return p.stringText("")
	}
	return p.ident("a table feature").Name
}

func (p *parser) alterRename(loc ast.Loc) ast.AlterAction {
	if p.accept("TO") {
		return &ast.RenameTable{Loc: loc, To: p.tableName("a table")}
	}
	if !p.accept("COLUMN") {
		p.fail("COLUMN or TO")
	}
	n := &ast.RenameColumn{Loc: loc, Column: p.columnPath()}
	p.expect("TO")
	n.To = p.ident("a column name")
	return n
}

func (p *parser) alterColumn(loc ast.Loc) ast.AlterAction {
	n := &ast.AlterColumn{Loc: loc, Column: p.columnPath()}
	switch {
	case p.accept("TYPE"):
		n.Type = p.typeName()
	case p.acceptSeq("SET", "NOT", "NULL"):
		n.Change = ast.SetNotNull
	case p.acceptSeq("DROP", "NOT", "NULL"):
		n.Change = ast.DropNotNull
	case p.acceptSeq("SET", "DEFAULT"):
		n.Change = ast.SetDefault
		n.Default = p.expr()
	case p.acceptSeq("DROP", "DEFAULT"):
		n.Change = ast.DropDefault
	case p.accept("COMMENT"):
		n.Change = ast.SetComment
		n.Comment = p.stringPtr("the comment")
	default:
		var moved bool
		n.Change = ast.MoveColumn
		if n.First, n.After, moved = p.columnPlace(); !moved {
			p.fail("TYPE, SET, DROP, COMMENT, FIRST or AFTER")
		}
	}
	return n
}

func (p *parser) alterSet(loc ast.Loc) ast.AlterAction {
	switch {
	case p.accept("TBLPROPERTIES"):
		return &ast.SetProperties{Loc: loc, Properties: p.properties()}
	case p.accept("LOCATION"):
		return &ast.SetLocation{Loc: loc, Location: p.stringText("a path")}
	case p.acceptSeq("IDENTIFIER", "FIELDS"):
		return &ast.SetIdentifierFields{Loc: loc, Fields: p.columnPaths()}
	}
	p.fail("TBLPROPERTIES, LOCATION or IDENTIFIER FIELDS")
	return nil
}

func (p *parser) alterUnset(loc ast.Loc) ast.AlterAction {
	p.expect("TBLPROPERTIES")
	n := &ast.UnsetProperties{Loc: loc, IfExists: p.ifExists()}
	p.expectOp("(")
	p.commaList(func() { n.Keys = append(n.Keys, p.propertyKey()) })
	p.expectOp(")")
	return n
}

// namedTransform reads a transform and the name of its partition field.
func (p *parser) namedTransform() ast.PartitionField {
	f := ast.PartitionField{Loc: p.loc(), Expr: p.transform()}
	if p.accept("AS") {
		name := p.anyIdent("a partition field's name")
		f.Name = &name
	}
	return f
}

func (p *parser) alterReplace(loc ast.Loc) ast.AlterAction {
	if p.acceptSeq("PARTITION", "FIELD") {
		n := &ast.ReplacePartitionField{Loc: loc, Old: p.transform()}
		p.expect("WITH")
		n.New = p.namedTransform()
		return n
	}
	if !p.atAny("BRANCH", "TAG") {
		p.fail("PARTITION FIELD, BRANCH or TAG")
	}
	return p.alterRef(&ast.AlterRef{Loc: loc, Verb: ast.ReplaceRef})
}

func (p *parser) alterCreate(loc ast.Loc) ast.AlterAction {
	n := &ast.AlterRef{Loc: loc}
	if p.acceptSeq("OR", "REPLACE") {
		n.Verb = ast.CreateOrReplaceRef
	}
	if !p.atAny("BRANCH", "TAG") {
		p.fail("BRANCH or TAG")
	}
	return p.alterRef(n)
}

// alterRef reads a branch or tag from that word on.
func (p *parser) alterRef(n *ast.AlterRef) ast.AlterAction {
	n.Tag = p.at("TAG")
	p.next()
	if n.Verb == ast.DropRef {
		n.IfExists = p.ifExists()
		n.Name = p.ident("a name")
		return n
	}
	n.IfNotExists = n.Verb == ast.CreateRef && p.ifNotExists()
	n.Name = p.ident("a name")
	if p.acceptSeq("AS", "OF", "VERSION") {
		n.Version = p.exprAbove(ast.PrecBitOr)
	}
	if p.accept("RETAIN") {
		n.Retain = p.refRetention()
	}
	if !n.Tag && p.acceptSeq("WITH", "SNAPSHOT", "RETENTION") {
		p.snapshotRetention(n)
	}
	return n
}

// snapshotRetention reads n SNAPSHOTS, n DAYS or both.
func (p *parser) snapshotRetention(n *ast.AlterRef) {
	if p.peek(1).is("SNAPSHOTS") {
		count := p.wholeNumber("a number")
		p.next()
		n.MinSnapshots = &count
	}
	if n.MinSnapshots == nil || p.tok.kind == tokNumber {
		n.MaxAge = p.refRetention()
	}
}

func (p *parser) refRetention() *ast.RefRetention {
	r := &ast.RefRetention{Loc: p.loc(), Value: p.wholeNumber("a number")}
	switch r.Unit = p.unitOf(p.tok); r.Unit {
	case "DAY", "HOUR", "MINUTE":
		p.next()
	default:
		p.fail("DAYS, HOURS or MINUTES")
	}
	return r
}

// writeOrder reads the write order of an Iceberg table after WRITE.
func (p *parser) writeOrder(loc ast.Loc) ast.AlterAction {
	n := &ast.WriteOrder{Loc: loc}
	switch {
	case p.accept("UNORDERED"):
		return n
	case p.acceptSeq("LOCALLY", "ORDERED", "BY"):
		n.Locally = true
		n.OrderBy = p.orderItems()
	case p.acceptSeq("ORDERED", "BY"):
		n.OrderBy = p.orderItems()
	case p.acceptSeq("DISTRIBUTED", "BY", "PARTITION"):
		n.Distributed = true
		n.Locally = p.accept("LOCALLY")
		if n.Locally || p.at("ORDERED") {
			p.expect("ORDERED", "BY")
			n.OrderBy = p.orderItems()
		}
	default:
		p.fail("ORDERED BY, LOCALLY ORDERED BY, DISTRIBUTED BY PARTITION or UNORDERED")
	}
	return n
}

func (p *parser) execute(loc ast.Loc) ast.AlterAction {
	n := &ast.Execute{Loc: loc, Procedure: p.ident("a procedure")}
	if p.acceptOp("(") {
		n.Args = p.args()
	}
	if p.accept("WHERE") {
		n.Where = p.expr()
	}
	return n
}
