package ast

import "strconv"

func (p *printer) definition(s Statement) {
	switch s := s.(type) {
	case *CreateTable:
		p.createTable(s)
	case *DropTable:
		p.dropHead("TABLE ", s.IfExists)
		p.tableName(s.Table)
		p.opt(s.Purge, " PURGE")
	case *CreateView:
		p.createView(s)
	case *DropView:
		p.dropHead("VIEW ", s.IfExists)
		p.tableName(s.View)
	case *CreateSchema:
		p.w("CREATE SCHEMA ")
		p.opt(s.IfNotExists, "IF NOT EXISTS ")
		p.name(s.Name)
		p.text(" COMMENT", s.Comment)
		p.text(" LOCATION", s.Location)
		p.properties(" WITH DBPROPERTIES", s.Properties)
	case *DropSchema:
		p.dropHead("SCHEMA ", s.IfExists)
		p.name(s.Name)
		p.opt(s.Cascade, " CASCADE")
	case *CommentOn:
		p.w("COMMENT ON", objectWords[s.Kind], "")
		p.name(s.Name)
		p.opt(s.Text == nil, " IS NULL")
		p.text(" IS", s.Text)
	case *ConvertToDelta:
		p.on("CONVERT TO DELTA ", s.Table)
		p.opt(s.NoStatistics, " NO STATISTICS")
		p.partitionedBy(s.PartitionedBy)
	case *AlterTable:
		p.on("ALTER TABLE ", s.Table)
		p.w(" ")
		p.alterAction(s.Action)
	}
}

func (p *printer) dropHead(what string, ifExists bool) {
	p.w("DROP", what)
	p.opt(ifExists, "IF EXISTS ")
}

func (p *printer) createTable(s *CreateTable) {
	p.w("CREATE ")
	p.opt(s.OrReplace, "OR REPLACE ")
	p.w("TABLE ")
	p.opt(s.IfNotExists, "IF NOT EXISTS ")
	p.tableName(s.Table)
	if s.Like != nil {
		p.on(" LIKE ", s.Like)
	}
	if s.Columns != nil || s.Constraints != nil {
		p.w(" (")
		list(p, s.Columns, p.columnDef)
		p.opt(s.Columns != nil && s.Constraints != nil, ", ")
		list(p, s.Constraints, p.constraint)
		p.w(")")
	}
	if s.Clone != nil {
		p.w([]string{" DEEP", " SHALLOW"}[btoi(s.Clone.Shallow)])
		p.on(" CLONE ", s.Clone.Source)
	}
	p.opt(s.Using != "", " USING "+QuoteIdent(s.Using))
	p.partitionedBy(s.PartitionedBy)
	if s.ClusterBy != nil {
		p.w(" CLUSTER BY ")
		p.columns(s.ClusterBy)
	}
	p.text(" LOCATION", s.Location)
	p.text(" COMMENT", s.Comment)
	p.properties(" TBLPROPERTIES", s.Properties)
	p.properties(" OPTIONS", s.Options)
	if s.AsQuery != nil {
		p.w(" AS ")
		p.query(s.AsQuery)
	}
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func (p *printer) columnDef(c ColumnDef) {
	p.name(append(append([]Ident{}, c.Parent...), c.Name))
	p.w(" ")
	p.typeName(c.Type)
	p.opt(c.NotNull, " NOT NULL")
	p.clause(" DEFAULT", c.Default)
	if c.Generated != nil {
		p.wrapped(" GENERATED ALWAYS AS", c.Generated)
	}
	if c.Identity != nil {
		p.identity(c.Identity)
	}
	p.text(" COMMENT", c.Comment)
	p.place(c.First, c.After)
}

func (p *printer) identity(n *Identity) {
	p.w(" GENERATED", []string{"BY DEFAULT", "ALWAYS"}[btoi(n.Always)], "AS IDENTITY")
	if n.StartWith == nil && n.IncrementBy == nil {
		return
	}
	p.w(" (")
	if n.StartWith != nil {
		p.w("START WITH", strconv.FormatInt(*n.StartWith, 10))
		p.opt(n.IncrementBy != nil, " ")
	}
	if n.IncrementBy != nil {
		p.w("INCREMENT BY", strconv.FormatInt(*n.IncrementBy, 10))
	}
	p.w(")")
}

func (p *printer) place(first bool, after *Ident) {
	p.opt(first, " FIRST")
	if after != nil {
		p.w(" AFTER ")
		p.ident(*after)
	}
}

func (p *printer) constraint(c TableConstraint) {
	if c.Name != nil {
		p.w("CONSTRAINT ")
		p.ident(*c.Name)
		p.w(" ")
	}
	switch c.Kind {
	case CheckConstraint:
		p.wrapped("CHECK", c.Check)
	case PrimaryKey:
		p.identList("PRIMARY KEY", c.Columns)
	case ForeignKey:
		p.identList("FOREIGN KEY", c.Columns)
		p.on(" REFERENCES ", c.RefTable)
		p.identList("", c.RefColumns)
	}
}

func (p *printer) partitionedBy(fields []PartitionField) {
	if fields != nil {
		p.w(" PARTITIONED BY ")
		parens(p, fields, p.partitionField)
	}
}

func (p *printer) partitionField(f PartitionField) {
	p.expr(f.Expr, PrecLowest)
	if f.Type != nil {
		p.w(" ")
		p.typeName(f.Type)
	}
	p.alias(f.Name)
}

func (p *printer) createView(s *CreateView) {
	p.w("CREATE ")
	p.opt(s.OrReplace, "OR REPLACE ")
	p.opt(s.Temporary, "TEMPORARY ")
	p.w("VIEW ")
	p.opt(s.IfNotExists, "IF NOT EXISTS ")
	p.tableName(s.View)
	if s.Columns != nil {
		p.w(" ")
		parens(p, s.Columns, func(c ViewColumn) {
			p.ident(c.Name)
			p.text(" COMMENT", c.Comment)
		})
	}
	p.text(" COMMENT", s.Comment)
	p.properties(" TBLPROPERTIES", s.Properties)
	p.w(" AS ")
	p.query(s.Query)
}

func (p *printer) alterAction(a AlterAction) {
	switch a := a.(type) {
	case *AddColumns:
		p.w("ADD COLUMNS ")
		parens(p, a.Columns, p.columnDef)
	case *DropColumns:
		p.w("DROP COLUMNS ")
		p.opt(a.IfExists, "IF EXISTS ")
		p.columns(a.Columns)
	case *RenameColumn:
		p.w("RENAME COLUMN ")
		p.name(a.Column.Parts)
		p.w(" TO ")
		p.ident(a.To)
	case *AlterColumn:
		p.alterColumn(a)
	case *RenameTable:
		p.on("RENAME TO ", a.To)
	case *SetProperties:
		p.properties("SET TBLPROPERTIES", a.Properties)
	case *UnsetProperties:
		p.w("UNSET TBLPROPERTIES ")
		p.opt(a.IfExists, "IF EXISTS ")
		parens(p, a.Keys, func(k string) { p.w(quoteString(k)) })
	case *SetLocation:
		p.w("SET LOCATION", quoteString(a.Location))
	case *AddConstraint:
		p.w("ADD ")
		p.constraint(a.Constraint)
	case *DropConstraint:
		p.w("DROP CONSTRAINT ")
		p.opt(a.IfExists, "IF EXISTS ")
		p.ident(a.Name)
	case *ClusterBy:
		p.w("CLUSTER BY ")
		if a.Columns == nil {
			p.w("NONE")
		} else {
			p.columns(a.Columns)
		}
	default:
		p.alterStorage(a)
	}
}

func (p *printer) alterColumn(a *AlterColumn) {
	p.w("ALTER COLUMN ")
	p.name(a.Column.Parts)
	switch a.Change {
	case SetType:
		p.w(" TYPE ")
		p.typeName(a.Type)
	case SetNotNull:
		p.w(" SET NOT NULL")
	case DropNotNull:
		p.w(" DROP NOT NULL")
	case SetDefault:
		p.clause(" SET DEFAULT", a.Default)
	case DropDefault:
		p.w(" DROP DEFAULT")
	case SetComment:
		p.text(" COMMENT", a.Comment)
	case MoveColumn:
		p.place(a.First, a.After)
	}
}

// alterStorage prints what changes how a table is stored, and not what it holds.
func (p *printer) alterStorage(a AlterAction) {
	switch a := a.(type) {
	case *DropFeature:
		p.w("DROP FEATURE", quoteString(a.Name))
		p.opt(a.TruncateHistory, " TRUNCATE HISTORY")
	case *AddPartitionField:
		p.w("ADD PARTITION FIELD ")
		p.partitionField(a.Field)
	case *DropPartitionField:
		p.w("DROP PARTITION FIELD ")
		p.expr(a.Expr, PrecLowest)
	case *ReplacePartitionField:
		p.w("REPLACE PARTITION FIELD ")
		p.expr(a.Old, PrecLowest)
		p.w(" WITH ")
		p.partitionField(a.New)
	case *WriteOrder:
		p.writeOrder(a)
	case *SetIdentifierFields:
		p.w([]string{"SET", "DROP"}[btoi(a.Drop)], "IDENTIFIER FIELDS ")
		list(p, a.Fields, func(c *ColumnRef) { p.name(c.Parts) })
	case *AlterRef:
		p.alterRef(a)
	case *Execute:
		p.w("EXECUTE ")
		p.ident(a.Procedure)
		if a.Args != nil {
			parens(p, a.Args, p.arg)
		}
		p.clause(" WHERE", a.Where)
	}
}

func (p *printer) writeOrder(a *WriteOrder) {
	p.w("WRITE ")
	if a.OrderBy == nil && !a.Distributed {
		p.w("UNORDERED")
		return
	}
	p.opt(a.Distributed, "DISTRIBUTED BY PARTITION")
	p.opt(a.Distributed && a.OrderBy != nil, " ")
	p.opt(a.Locally, "LOCALLY ")
	if a.OrderBy != nil {
		p.w("ORDERED BY ")
		list(p, a.OrderBy, p.orderItem)
	}
}

func (p *printer) alterRef(a *AlterRef) {
	p.w([]string{"CREATE ", "REPLACE ", "CREATE OR REPLACE ", "DROP "}[a.Verb] + []string{"BRANCH ", "TAG "}[btoi(a.Tag)])
	p.opt(a.IfExists, "IF EXISTS ")
	p.opt(a.IfNotExists, "IF NOT EXISTS ")
	p.ident(a.Name)
	if a.Version != nil {
		p.w(" AS OF VERSION ")
		p.expr(a.Version, PrecBitOr)
	}
	p.retention(" RETAIN", a.Retain)
	if a.MinSnapshots == nil && a.MaxAge == nil {
		return
	}
	p.w(" WITH SNAPSHOT RETENTION")
	if a.MinSnapshots != nil {
		p.w("", strconv.FormatInt(*a.MinSnapshots, 10), "SNAPSHOTS")
	}
	p.retention("", a.MaxAge)
}

func (p *printer) retention(word string, r *RefRetention) {
	if r != nil {
		p.w(word, strconv.FormatInt(r.Value, 10), r.Unit+"S")
	}
}
