package bind

import (
	"strings"

	"github.com/tarndb/tarn/sql/ast"
	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/sql/types"
)

// createTable binds CREATE TABLE [AS].
func (b *binder) createTable(s *ast.CreateTable) (plan.Node, error) {
	switch {
	case s.Like != nil || s.Clone != nil:
		return nil, b.unsupported(s, "CREATE TABLE LIKE or CLONE")
	case len(s.ClusterBy) > 0:
		return nil, b.unsupported(s.ClusterBy[0], "CLUSTER BY")
	case len(s.Options) > 0:
		return nil, b.unsupported(s, "table OPTIONS")
	case s.OrReplace:
		return nil, b.unsupported(s, "CREATE OR REPLACE TABLE")
	}
	name, err := b.tableName(s.Table)
	if err != nil {
		return nil, err
	}
	out := &plan.CreateTable{Name: name, IfNotExists: s.IfNotExists, OrReplace: s.OrReplace, Format: strings.ToLower(s.Using), Properties: map[string]string{}}
	if out.Format == "" {
		out.Format = b.Format
	}
	if s.Comment != nil {
		out.Comment = *s.Comment
	}
	if s.Location != nil {
		out.Location = *s.Location
	}
	for _, p := range s.Properties {
		if out.Properties[p.Key], err = b.propertyValue(p); err != nil {
			return nil, err
		}
		if mode := out.Properties[p.Key]; p.Key == deleteMode && !strings.EqualFold(mode, "equality") {
			return nil, b.errorAt(p, ErrInvalidSQL, "%s is equality or not set at all, not %q", deleteMode, mode)
		}
	}
	for _, c := range s.Columns {
		f, err := b.columnDef(c)
		if err != nil {
			return nil, err
		}
		out.Definition.Fields = append(out.Definition.Fields, f)
	}
	if s.AsQuery != nil {
		if err := b.createAs(s, out); err != nil {
			return nil, err
		}
	}
	if err := b.partitions(s, out); err != nil {
		return nil, err
	}
	return out, b.constraints(s, out)
}

func (b *binder) propertyValue(p ast.Property) (string, error) {
	if p.Value == nil {
		return "", nil
	}
	l, err := b.constant(p.Value)
	if err != nil {
		return "", err
	}
	if t, ok := l.Value.(bool); ok {
		return map[bool]string{true: "true", false: "false"}[t], nil
	}
	return literalText(l), nil
}

func (b *binder) columnDef(c ast.ColumnDef) (types.Field, error) {
	switch {
	case c.Default != nil:
		return types.Field{}, b.unsupported(c.Default, "a DEFAULT value")
	case c.Generated != nil || c.Identity != nil:
		return types.Field{}, b.unsupported(c, "a generated or identity column")
	}
	t, err := b.typeName(c.Type)
	if err != nil {
		return types.Field{}, err
	}
	f := types.Field{Name: c.Name.Name, Type: t, Nullable: !c.NotNull}
	if c.Comment != nil {
		f.Comment = *c.Comment
	}
	return f, nil
}

// createAs takes the columns from the query.
func (b *binder) createAs(s *ast.CreateTable, out *plan.CreateTable) error {
	if len(s.Columns) > 0 {
		return b.errorAt(s.Columns[0], ErrInvalidSQL, "CREATE TABLE … AS takes its columns from the query")
	}
	node, _, err := b.query(s.AsQuery, nil)
	if err != nil {
		return err
	}
	for _, f := range node.Schema().Fields {
		if f.Type.Kind == types.Void || f.Type.Kind == types.IntervalKind {
			return b.errorAt(s.AsQuery, ErrInvalidSQL, "column %s has type %s, which a table can't hold; CAST it", types.QuoteIdent(f.Name), f.Type)
		}
		out.Definition.Fields = append(out.Definition.Fields, types.Field{Name: f.Name, Type: f.Type, Nullable: true})
	}
	out.Input = node
	return nil
}

func (b *binder) showTables(s *ast.ShowTables) (plan.Node, error) {
	out := &plan.ShowTables{Namespace: b.Schema}
	if len(s.In) > 0 {
		levels := make([]string, len(s.In))
		for i, level := range s.In {
			levels[i] = level.Name
		}
		out.Namespace = strings.Join(levels, ".")
	}
	if s.Like != nil {
		out.Pattern = *s.Like
	}
	return out, nil
}

func (b *binder) describe(s *ast.Describe) (plan.Node, error) {
	if s.Kind != ast.DescribeColumns || s.Column != nil {
		return nil, b.unsupported(s, "this form of DESCRIBE")
	}
	source, _, err := b.resolveTable(s.Table)
	return &plan.Describe{Target: source}, err
}

// session binds the statements about the connection.
func (b *binder) session(stmt ast.Statement) (plan.Node, error) {
	switch s := stmt.(type) {
	case *ast.Begin:
		if s.Isolation == ast.ReadUncommitted || s.Isolation == ast.ReadCommitted {
			return nil, b.unsupported(s, "this isolation level")
		}
		return &plan.Session{Action: plan.Begin, ReadOnly: s.ReadOnly, Serializable: s.Isolation == ast.Serializable}, nil
	case *ast.Commit:
		return &plan.Session{Action: plan.Commit}, nil
	case *ast.Rollback:
		if s.To != nil {
			return &plan.Session{Action: plan.RollbackTo, Name: s.To.Name}, nil
		}
		return &plan.Session{Action: plan.Rollback}, nil
	case *ast.Savepoint:
		return &plan.Session{Action: plan.Savepoint, Name: s.Name.Name}, nil
	case *ast.ReleaseSavepoint:
		return &plan.Session{Action: plan.Release, Name: s.Name.Name}, nil
	case *ast.Set:
		if s.Value == nil {
			return nil, b.unsupported(s, "SET without a value")
		}
		l, err := b.constant(s.Value)
		if err != nil {
			return nil, err
		}
		return &plan.Session{Action: plan.Set, Name: s.Name, Value: literalText(l)}, nil
	case *ast.Use:
		if s.Kind != ast.SchemaObject || len(s.Name) != 1 {
			return nil, b.unsupported(s, "USE of a catalog")
		}
		return &plan.Session{Action: plan.Set, Name: "schema", Value: s.Name[0].Name}, nil
	case *ast.Reset:
		return &plan.Session{Action: plan.Reset, Name: s.Name}, nil
	}
	return nil, b.unsupported(stmt, statementName(stmt))
}

// statementName names a statement by the words it begins with.
func statementName(stmt ast.Statement) string {
	words := strings.Fields(ast.String(stmt))
	return strings.Join(words[:min(2, len(words))], " ")
}
