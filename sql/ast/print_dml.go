package ast

func (p *printer) change(s Statement) {
	switch s := s.(type) {
	case *Insert:
		p.insert(s)
	case *Upsert:
		p.with(s.With)
		p.on("UPSERT INTO ", s.Table)
		p.identList("", s.Columns)
		p.identList(" KEYS", s.Keys)
		p.w(" ")
		p.query(s.Source)
	case *ApplyChanges:
		p.on("APPLY CHANGES INTO ", s.Table)
		p.w(" FROM ")
		p.tableOperand(s.Source)
		p.identList(" KEYS", s.Keys)
		p.clause(" DELETE WHEN", s.DeleteWhen)
		p.clause(" SEQUENCE BY", s.SequenceBy)
	case *Update:
		p.with(s.With)
		p.on("UPDATE ", s.Table)
		p.alias(s.Alias)
		p.w(" SET ")
		list(p, s.Set, p.assignment)
		p.clause(" WHERE", s.Where)
	case *Delete:
		p.with(s.With)
		p.on("DELETE FROM ", s.Table)
		p.alias(s.Alias)
		p.clause(" WHERE", s.Where)
	case *Truncate:
		p.on("TRUNCATE TABLE ", s.Table)
	case *Merge:
		p.merge(s)
	case *CopyInto:
		p.copyInto(s)
	case *CopyTo:
		p.copyTo(s)
	}
}

func (p *printer) insert(s *Insert) {
	p.with(s.With)
	p.w("INSERT ")
	if s.Overwrite {
		p.on("OVERWRITE TABLE ", s.Table)
	} else {
		p.on("INTO ", s.Table)
	}
	p.partition(s.Partition)
	p.identList("", s.Columns)
	p.opt(s.ByName, " BY NAME")
	p.clause(" REPLACE WHERE", s.ReplaceWhere)
	if s.Source == nil {
		p.w(" DEFAULT VALUES")
		return
	}
	p.w(" ")
	p.query(s.Source)
}

// identList prints an optional list in parentheses after a word.
func (p *printer) identList(word string, ids []Ident) {
	if ids != nil {
		p.w(word, "")
		parens(p, ids, p.ident)
	}
}

func (p *printer) partition(values []PartitionValue) {
	if values == nil {
		return
	}
	p.w(" PARTITION ")
	parens(p, values, func(v PartitionValue) {
		p.ident(v.Name)
		p.clause(" =", v.Value)
	})
}

func (p *printer) assignment(a Assignment) {
	p.name(a.Column.Parts)
	p.clause(" =", a.Value)
}

func (p *printer) merge(s *Merge) {
	p.with(s.With)
	p.w("MERGE ")
	p.opt(s.SchemaEvolution, "WITH SCHEMA EVOLUTION ")
	p.on("INTO ", s.Target)
	p.w(" USING ")
	p.joined(s.Source)
	p.clause(" ON", s.On)
	for _, c := range s.Clauses {
		p.w([]string{" WHEN MATCHED", " WHEN NOT MATCHED", " WHEN NOT MATCHED BY SOURCE"}[c.Match])
		p.clause(" AND", c.Cond)
		p.w(" THEN ")
		p.mergeAction(c)
	}
}

func (p *printer) mergeAction(c MergeClause) {
	switch c.Action {
	case MergeDelete:
		p.w("DELETE")
	case MergeUpdate:
		p.w("UPDATE SET ")
		p.opt(c.Star, "*")
		list(p, c.Set, p.assignment)
	case MergeInsert:
		p.w("INSERT ")
		if c.Star {
			p.w("*")
			return
		}
		if c.Columns != nil {
			p.columns(c.Columns)
			p.w(" ")
		}
		p.w("VALUES (")
		p.exprs(c.Values)
		p.w(")")
	}
}

func (p *printer) copyInto(s *CopyInto) {
	p.on("COPY INTO ", s.Table)
	p.identList("", s.Columns)
	p.w(" FROM ")
	if s.Query != nil {
		p.parenQuery(s.Query)
	} else {
		p.w(quoteString(s.Path))
	}
	p.w(" FILEFORMAT =", QuoteIdent(s.FileFormat))
	if s.Files != nil {
		p.w(" FILES = ")
		parens(p, s.Files, func(f string) { p.w(quoteString(f)) })
	}
	p.text(" PATTERN =", s.Pattern)
	p.properties(" FORMAT_OPTIONS", s.FormatOptions)
	p.properties(" COPY_OPTIONS", s.CopyOptions)
}

func (p *printer) copyTo(s *CopyTo) {
	p.w("COPY ")
	if s.Query != nil {
		p.parenQuery(s.Query)
	} else {
		p.tableName(s.Table)
	}
	p.w(" TO", quoteString(s.Path))
	p.properties("", s.Options)
}

// properties prints an optional list of properties after a word.
func (p *printer) properties(word string, all []Property) {
	if all != nil {
		p.w(word, "")
		parens(p, all, p.property)
	}
}
