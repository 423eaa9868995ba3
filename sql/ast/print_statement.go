package ast

import "fmt"

func (p *printer) statement(s Statement) {
	switch s := s.(type) {
	case *Query:
		p.query(s)
	case *Insert, *Upsert, *ApplyChanges, *Update, *Delete, *Truncate, *Merge, *CopyInto, *CopyTo:
		p.change(s)
	case *CreateTable, *DropTable, *CreateView, *DropView, *CreateSchema, *DropSchema, *CommentOn, *ConvertToDelta,
		*AlterTable:
		p.definition(s)
	case *Optimize, *Vacuum, *Reorg, *Restore, *Analyze, *Refresh, *Checkpoint, *CallProcedure:
		p.maintenance(s)
	case *Begin, *Commit, *Rollback, *Savepoint, *ReleaseSavepoint, *Set, *Reset, *Use:
		p.session(s)
	case *Describe, *DescribeSchema, *DescribeQuery, *Explain:
		p.describe(s)
	default:
		p.show(s)
	}
}

func (p *printer) maintenance(s Statement) {
	switch s := s.(type) {
	case *Optimize:
		p.on("OPTIMIZE ", s.Table)
		p.opt(s.Full, " FULL")
		p.clause(" WHERE", s.Where)
		if s.ZOrderBy != nil {
			p.w(" ZORDER BY ")
			p.columns(s.ZOrderBy)
		}
	case *Vacuum:
		p.on("VACUUM ", s.Table)
		p.w([]string{"", " FULL", " LITE"}[s.Mode])
		if s.RetainHours != nil {
			p.clause(" RETAIN", s.RetainHours)
			p.w(" HOURS")
		}
		p.opt(s.DryRun, " DRY RUN")
	case *Reorg:
		p.on("REORG TABLE ", s.Table)
		p.clause(" WHERE", s.Where)
		p.w(" APPLY (PURGE)")
	case *Restore:
		p.on("RESTORE TABLE ", s.Table)
		p.w(" TO")
		p.timeTravel(s.To)
	case *Analyze:
		p.on("ANALYZE TABLE ", s.Table)
		p.w(" COMPUTE STATISTICS")
		p.opt(s.NoScan, " NOSCAN")
		p.opt(s.AllColumns, " FOR ALL COLUMNS")
		if s.Columns != nil {
			p.w(" FOR COLUMNS ")
			list(p, s.Columns, p.ident)
		}
	case *Refresh:
		p.on("REFRESH TABLE ", s.Table)
	case *Checkpoint:
		p.on("CHECKPOINT ", s.Table)
	case *CallProcedure:
		p.w("CALL ")
		p.name(s.Name)
		parens(p, s.Args, p.arg)
	}
}

// on prints the words of a statement and its table.
func (p *printer) on(words string, t *TableName) {
	p.w(words)
	p.tableName(t)
}

func (p *printer) session(s Statement) {
	switch s := s.(type) {
	case *Begin:
		p.w("BEGIN")
		p.w([]string{"", " ISOLATION LEVEL READ UNCOMMITTED", " ISOLATION LEVEL READ COMMITTED",
			" ISOLATION LEVEL REPEATABLE READ", " ISOLATION LEVEL SNAPSHOT", " ISOLATION LEVEL SERIALIZABLE"}[s.Isolation])
		p.opt(s.ReadOnly, " READ ONLY")
	case *Commit:
		p.w("COMMIT")
	case *Rollback:
		p.w("ROLLBACK")
		if s.To != nil {
			p.w(" TO SAVEPOINT ")
			p.ident(*s.To)
		}
	case *Savepoint:
		p.w("SAVEPOINT ")
		p.ident(s.Name)
	case *ReleaseSavepoint:
		p.w("RELEASE SAVEPOINT ")
		p.ident(s.Name)
	case *Set:
		p.w("SET", quoteString(s.Name))
		if s.Value != nil {
			p.w(" = ")
			p.setting(s.Value)
		}
	case *Reset:
		p.w("RESET")
		p.opt(s.Name != "", " "+quoteString(s.Name))
	case *Use:
		p.w("USE", objectWords[s.Kind], "")
		p.name(s.Name)
	}
}

var objectWords = []string{"TABLE", "SCHEMA", "CATALOG", "VIEW"}

func (p *printer) describe(s Statement) {
	switch s := s.(type) {
	case *Describe:
		p.on([]string{"DESCRIBE TABLE ", "DESCRIBE TABLE EXTENDED ", "DESCRIBE DETAIL ", "DESCRIBE HISTORY "}[s.Kind], s.Table)
		if s.Column != nil {
			p.w(" ")
			p.name(s.Column.Parts)
		}
		p.clause(" LIMIT", s.Limit)
	case *DescribeSchema:
		p.w("DESCRIBE SCHEMA ")
		p.opt(s.Extended, "EXTENDED ")
		p.name(s.Name)
	case *DescribeQuery:
		p.w("DESCRIBE QUERY ")
		p.query(s.Query)
	case *Explain:
		p.w("EXPLAIN ")
		p.opt(s.Analyze, "ANALYZE ")
		p.statement(s.Stmt)
	}
}

func (p *printer) show(s Statement) {
	switch s := s.(type) {
	case *ShowTables:
		p.showIn("TABLES", s.In, s.Like)
	case *ShowViews:
		p.showIn("VIEWS", s.In, s.Like)
	case *ShowSchemas:
		p.showIn("SCHEMAS", s.In, s.Like)
	case *ShowCatalogs:
		p.showIn("CATALOGS", nil, s.Like)
	case *ShowFunctions:
		p.showIn("FUNCTIONS", nil, s.Like)
	case *ShowColumns:
		p.on("SHOW COLUMNS IN ", s.Table)
	case *ShowCreateTable:
		p.on("SHOW CREATE TABLE ", s.Table)
	case *ShowPartitions:
		p.on("SHOW PARTITIONS ", s.Table)
		p.partition(s.Partition)
	case *ShowProperties:
		p.on("SHOW TBLPROPERTIES ", s.Table)
		if s.Key != nil {
			p.w(" (" + quoteString(*s.Key) + ")")
		}
	default:
		panic(fmt.Sprintf("ast: no text for a %T", s))
	}
}

func (p *printer) showIn(what string, in []Ident, like *string) {
	p.w("SHOW", what)
	if in != nil {
		p.w(" IN ")
		p.name(in)
	}
	p.text(" LIKE", like)
}
