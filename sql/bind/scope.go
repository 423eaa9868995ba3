package bind

import (
	"strings"

	"github.com/tarndb/tarn/sql/ast"
	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/sql/types"
)

// scope is the row that expressions of a query block see. Column i of the
// scope is column i of the block's node.
type scope struct {
	columns []scopeColumn
	outer   *scope // of the enclosing query, whose columns a subquery may name
}

// scopeColumn is a column with the table it can be qualified by.
type scopeColumn struct {
	qualifier []string // catalog, schema and table, or the alias; empty if it has none
	name      string
	typ       types.Type
	nullable  bool
	hidden    bool // not part of * and found only by its qualified name: the columns of a USING pair
	implicit  bool // hidden, but found by its name alone and no part of t.* either: plan.MetadataColumn
}

func newScope(outer *scope) *scope { return &scope{outer: outer} }

// addNode appends the columns of a node under a qualifier.
func (s *scope) addNode(n plan.Node, qualifier ...string) {
	for _, f := range n.Schema().Fields {
		s.columns = append(s.columns, scopeColumn{qualifier: qualifier, name: f.Name, typ: f.Type, nullable: f.Nullable})
	}
}

// join appends the columns of another scope.
func (s *scope) join(t *scope) { s.columns = append(s.columns, t.columns...) }

// hide makes column i unreachable by any name.
func (s *scope) hide(i int) { s.columns[i].hidden, s.columns[i].qualifier = true, nil }

// namesMetadata tells whether a statement names the metadata column of a table.
func namesMetadata(stmt ast.Statement) bool {
	found := false
	ast.Walk(stmt, func(n ast.Node) bool {
		if ref, ok := n.(*ast.ColumnRef); ok {
			for _, part := range ref.Parts {
				found = found || strings.EqualFold(part.Name, plan.MetadataColumn)
			}
		}
		return !found
	})
	return found
}

// addMetadata has a scan give the metadata column, where the source has one and
// the statement names it.
func (b *binder) addMetadata(s *scope, scan *plan.Scan, qualifier []string) {
	source, ok := scan.Source.(plan.MetadataSource)
	if !ok || !b.metadata || scan.Source.Schema().Index(plan.MetadataColumn) >= 0 {
		return
	}
	scan.Spec.Columns = append(scan.Spec.Columns, plan.MetadataColumn)
	s.columns = append(s.columns, scopeColumn{qualifier: qualifier, name: plan.MetadataColumn, typ: source.MetadataColumn(), hidden: true, implicit: true})
}

// visible drops the metadata column, which is last, from rows that are a result.
func visible(n plan.Node, s *scope) plan.Node {
	last := len(s.columns) - 1
	if last < 0 || !s.columns[last].implicit {
		return n
	}
	p := &plan.Project{Input: n}
	for i := range last {
		p.Exprs = append(p.Exprs, s.column(i))
		p.Names = append(p.Names, s.columns[i].name)
	}
	return p
}

// rename gives the columns other names, as AS t(a, b) does.
func (b *binder) rename(s *scope, names []ast.Ident) error {
	if len(names) == 0 {
		return nil
	}
	visible := len(s.columns)
	if visible > 0 && s.columns[visible-1].implicit {
		visible--
	}
	if len(names) != visible {
		return b.errorAt(names[0], ErrInvalidSQL, "%d column names for %d columns", len(names), visible)
	}
	for i, n := range names {
		s.columns[i].name = n.Name
	}
	return nil
}

// column refers to column i of the scope.
func (s *scope) column(i int) *expr.Column {
	c := s.columns[i]
	out := &expr.Column{Index: i, Name: c.name, T: c.typ, MayBeNull: c.nullable}
	if len(c.qualifier) > 0 && s.ambiguousName(i) {
		out.Qualifier = c.qualifier[len(c.qualifier)-1]
	}
	return out
}

func (s *scope) ambiguousName(i int) bool {
	for j, c := range s.columns {
		if j != i && strings.EqualFold(c.name, s.columns[i].name) {
			return true
		}
	}
	return false
}

// matches reports whether the qualifier ends with the written parts.
func matches(qualifier []string, written []ast.Ident) bool {
	if len(written) > len(qualifier) {
		return false
	}
	tail := qualifier[len(qualifier)-len(written):]
	for i := range written {
		if !strings.EqualFold(tail[i], written[i].Name) {
			return false
		}
	}
	return true
}

// find gives the positions of the columns that a name can mean, the longest
// qualifier first, and how many of the parts were used.
func (s *scope) find(parts []ast.Ident) (found []int, used int) {
	for n := len(parts); n > 0; n-- {
		for i, c := range s.columns {
			if (!c.hidden || c.implicit || n > 1) && strings.EqualFold(c.name, parts[n-1].Name) && matches(c.qualifier, parts[:n-1]) {
				found = append(found, i)
			}
		}
		if found != nil {
			return found, n
		}
	}
	return nil, 0
}

// name resolves a name as a column or, where the context has some, as an
// alias of the select list, followed by fields.
func (b *binder) name(ref *ast.ColumnRef, c exprContext) (expr.Expr, error) {
	found, used := c.scope.find(ref.Parts)
	if len(c.aliases) == 0 || len(found) > 0 && (!c.aliasesFirst || used > 1) {
		return b.columnRef(ref, c.scope)
	}
	i, err := b.alias(ref, c.aliases)
	switch {
	case err != nil:
		return nil, err
	case i < 0:
		return b.columnRef(ref, c.scope)
	case varies(c.aliases[i].e):
		return nil, b.unsupported(ref, "an expression over "+ast.String(ref)+", whose value is another each time,")
	}
	return b.fields(c.aliases[i].e, ref.Parts[1:])
}

// alias finds the item of the select list that the first part of a name
// means; -1 if there is none.
func (b *binder) alias(ref *ast.ColumnRef, items []selectItem) (int, error) {
	found := -1
	for i := range items {
		if !strings.EqualFold(items[i].name, ref.Parts[0].Name) {
			continue
		}
		if found >= 0 && !expr.Equal(items[i].e, items[found].e) {
			return -1, b.errorAt(ref, ErrAmbiguousColumn, "%s is the name of several columns of the select list", ast.String(ref))
		}
		found = i
	}
	return found, nil
}

// columnRef resolves a name of one or more parts: a column, maybe qualified,
// followed by fields of its STRUCT.
func (b *binder) columnRef(ref *ast.ColumnRef, s *scope) (expr.Expr, error) {
	found, used := s.find(ref.Parts)
	switch {
	case len(found) == 0:
		outer, err := b.outerRef(ref, s)
		if outer == nil && err == nil {
			err = b.columnNotFound(ref, s)
		}
		return outer, err
	case len(found) > 1:
		return nil, b.ambiguous(ref, s, found)
	}
	col := s.column(found[0])
	b.columnAt[col] = ref.Pos()
	return b.fields(col, ref.Parts[used:])
}

func (b *binder) ambiguous(ref *ast.ColumnRef, s *scope, found []int) error {
	return b.errorAt(ref, ErrAmbiguousColumn, "%s could be a column of %s or of %s", ast.String(ref),
		strings.Join(s.columns[found[0]].qualifier, "."), strings.Join(s.columns[found[1]].qualifier, "."))
}

// fields takes one field after the other.
func (b *binder) fields(e expr.Expr, names []ast.Ident) (expr.Expr, error) {
	for _, field := range names {
		var err error
		if e, err = b.structField(e, field); err != nil {
			return nil, err
		}
	}
	return e, nil
}

// structField takes a field of a struct or of each struct in an array, or the
// value of a key.
func (b *binder) structField(e expr.Expr, field ast.Ident) (expr.Expr, error) {
	t := e.Type()
	if t.Kind == types.Map {
		out, err := eval.Resolve("subscript", []expr.Expr{e, expr.Str(field.Name)})
		return out, b.wrapAt(field.Pos(), err)
	}
	take := "struct_field"
	if t.Kind == types.Array {
		take, t = "array_field", t.Elem.Type
	}
	if t.Kind != types.Struct {
		return nil, b.errorAt(field, ErrColumnNotFound, "%s has no field %s: it is a %s", e, types.QuoteIdent(field.Name), e.Type())
	}
	i := types.Schema{Fields: t.Fields}.Index(field.Name)
	if i < 0 {
		return nil, b.errorAt(field, ErrColumnNotFound, "%s has no field %s%s", e, types.QuoteIdent(field.Name),
			didYouMean(field.Name, types.Schema{Fields: t.Fields}.Names()))
	}
	out, err := eval.Resolve(take, []expr.Expr{e, &expr.Literal{T: types.Of(types.Int), Value: int64(i)}})
	return out, b.wrapAt(field.Pos(), err)
}

func (b *binder) columnNotFound(ref *ast.ColumnRef, s *scope) error {
	if strings.EqualFold(ref.Parts[0].Name, plan.MetadataColumn) {
		return b.errorAt(ref, ErrColumnNotFound, "%s: only a table has this column; a subquery has what it selects of it", ast.String(ref))
	}
	var known []string
	for _, c := range s.columns {
		if !c.hidden {
			known = append(known, c.name)
		}
	}
	name := ref.Parts[len(ref.Parts)-1].Name
	hint := didYouMean(name, known)
	switch pos, qualified := int(ref.Pos()), s.qualified(name); {
	case len(ref.Parts) > 1 && qualified != "":
		hint = "; did you mean " + qualified + "?"
	case len(ref.Parts) == 1 && pos < len(b.Text) && b.Text[pos] == '"':
		hint += "; double quotes are for names, a string stands in single ones"
	}
	return b.errorAt(ref, ErrColumnNotFound, "%s%s", ast.String(ref), hint)
}

// qualified gives the first column of a name with its table's alias; "" if there is
// none.
func (s *scope) qualified(name string) string {
	for _, c := range s.columns {
		if !c.hidden && strings.EqualFold(c.name, name) && len(c.qualifier) > 0 {
			return types.QuoteIdent(c.qualifier[len(c.qualifier)-1]) + "." + types.QuoteIdent(c.name)
		}
	}
	return ""
}

func didYouMean(name string, known []string) string {
	if n := eval.Nearest(name, known); n != "" {
		return "; did you mean " + types.QuoteIdent(n) + "?"
	}
	if len(known) > 0 && len(known) <= 12 {
		return "; the columns are " + strings.Join(known, ", ")
	}
	return ""
}
