package bind

import (
	"strconv"
	"strings"
	"time"

	"github.com/tarndb/tarn/sql/ast"
	"github.com/tarndb/tarn/sql/eval"
	"github.com/tarndb/tarn/sql/expr"
	"github.com/tarndb/tarn/sql/plan"
	"github.com/tarndb/tarn/sql/types"
)

// from binds the FROM clause; the items between commas are joined.
func (b *binder) from(items []ast.TableExpr, outer *scope) (plan.Node, *scope, error) {
	if b.columnAt == nil {
		b.columnAt = map[*expr.Column]ast.Pos{}
	}
	if len(items) == 0 {
		return &plan.Values{Rows: [][]expr.Expr{{}}}, newScope(outer), nil
	}
	node, s, err := b.table(items[0], outer)
	if err != nil {
		return nil, nil, err
	}
	for _, item := range items[1:] {
		if lateral(item) {
			apply, rs, err := b.lateral(item, node, s)
			if err != nil {
				return nil, nil, err
			}
			node = apply
			s.join(rs)
			continue
		}
		right, rs, err := b.table(item, outer)
		if err != nil {
			return nil, nil, err
		}
		node = &plan.Join{Kind: plan.InnerJoin, Left: node, Right: right}
		s.join(rs)
	}
	return node, s, nil
}

// table binds one item of FROM.
func (b *binder) table(t ast.TableExpr, outer *scope) (plan.Node, *scope, error) {
	switch t := t.(type) {
	case *ast.TableName:
		return b.namedTable(t, outer)
	case *ast.Join:
		return b.join(t, outer)
	case *ast.SubqueryTable:
		if t.Sample != nil {
			return nil, nil, b.unsupported(t, "TABLESAMPLE")
		}
		node, _, err := b.query(t.Query, outer)
		if err != nil {
			return nil, nil, err
		}
		return b.aliased(node, t.Alias, t.Columns, outer)
	case *ast.ValuesTable:
		node, err := b.values(t.Rows, outer)
		if err != nil {
			return nil, nil, err
		}
		return b.aliased(node, t.Alias, t.Columns, outer)
	case *ast.TableFunc:
		return b.tableFunction(t, outer, false)
	}
	return nil, nil, b.unsupported(t, "this item of FROM")
}

// lateral tells an item of FROM that may refer to the tables before it. A table
// function may without being told so.
func lateral(t ast.TableExpr) bool {
	switch t := t.(type) {
	case *ast.SubqueryTable:
		return t.Lateral
	case *ast.TableFunc:
		return true
	}
	return false
}

// lateral binds an item of FROM for the rows of what stands before it.
func (b *binder) lateral(t ast.TableExpr, left plan.Node, ls *scope) (*plan.Apply, *scope, error) {
	return b.applied(left, ls, func() (plan.Node, *scope, error) { return b.table(t, ls) })
}

// applied joins rows with what right, bound over them as its outer scope, gives
// for each of them.
func (b *binder) applied(left plan.Node, ls *scope, right func() (plan.Node, *scope, error)) (*plan.Apply, *scope, error) {
	before := len(b.outerUses)
	node, rs, err := right()
	if err != nil {
		return nil, nil, err
	}
	out := &plan.Apply{Kind: plan.InnerJoin, Left: left, Right: node}
	for _, id := range b.usedOuters(before, ls) {
		out.Params = append(out.Params, plan.Param{ID: id, Value: ls.column(b.outers[id].column)})
	}
	return out, rs, nil
}

func (b *binder) aliased(n plan.Node, alias *ast.Ident, columns []ast.Ident, outer *scope) (plan.Node, *scope, error) {
	s := newScope(outer)
	if alias != nil {
		s.addNode(n, alias.Name)
	} else {
		s.addNode(n)
	}
	return n, s, b.rename(s, columns)
}

// namedTable binds a table or a common table expression.
func (b *binder) namedTable(t *ast.TableName, outer *scope) (plan.Node, *scope, error) {
	switch {
	case t.Stream:
		return nil, nil, b.unsupported(t, "STREAM")
	case t.Sample != nil:
		return nil, nil, b.unsupported(t, "TABLESAMPLE")
	case len(t.Options) > 0:
		return nil, nil, b.unsupported(t, "table OPTIONS")
	}
	if len(t.Parts) == 1 && t.At == nil {
		if c, ok := b.ctes[strings.ToLower(t.Parts[0].Name)]; ok {
			return b.cteTable(c, t, outer)
		}
	}
	source, asOf, err := b.resolveTable(t)
	if err != nil {
		return nil, nil, err
	}
	scan := newScan(source, asOf)
	qualifier := qualifierOf(t)
	s := newScope(outer)
	s.addNode(scan, qualifier...)
	b.addMetadata(s, scan, qualifier)
	return scan, s, b.rename(s, t.Columns)
}

func qualifierOf(t *ast.TableName) []string {
	if t.Alias != nil {
		return []string{t.Alias.Name}
	}
	qualifier := make([]string, len(t.Parts))
	for i, p := range t.Parts {
		qualifier[i] = p.Name
	}
	return qualifier
}

func newScan(source plan.Source, asOf *plan.AsOf) *plan.Scan {
	return &plan.Scan{Source: source, AsOf: asOf, Spec: plan.ScanSpec{Columns: source.Schema().Names()}}
}

func (b *binder) cteTable(c *cte, t *ast.TableName, outer *scope) (plan.Node, *scope, error) {
	node, err := b.cteRows(c)
	if err != nil {
		return nil, nil, err
	}
	alias := t.Alias
	if alias == nil {
		alias = &c.def.Name
	}
	columns := t.Columns
	if columns == nil {
		columns = c.def.Columns
	}
	return b.aliased(node, alias, columns, outer)
}

// cteRows binds the definition of a common table expression.
func (b *binder) cteRows(c *cte) (plan.Node, error) {
	if c.rows != nil {
		return c.rows, nil
	}
	saved := b.ctes
	defer func() { b.ctes = saved }()
	b.ctes = c.visible
	q := c.def.Query
	body, union := q.Body.(*ast.SetOp)
	if !c.recursive || !union || body.Op != ast.Union || body.ByName || !refersTo(body.Right, c.def.Name.Name) {
		node, _, err := b.query(q, c.outer)
		return node, err
	}
	if err := b.with(q.With, c.outer); err != nil {
		return nil, err
	}
	node, err := b.recursiveCTE(c, body)
	if err != nil {
		return nil, err
	}
	return b.ordered(node, q)
}

// refersTo reports whether a table of that name is read in a query.
func refersTo(q ast.Node, name string) bool {
	found := false
	ast.Walk(q, func(n ast.Node) bool {
		t, ok := n.(*ast.TableName)
		found = found || ok && len(t.Parts) == 1 && strings.EqualFold(t.Parts[0].Name, name)
		return !found
	})
	return found
}

// schemaOf gives a schema the form that it has in a types.TableName.
func schemaOf(name string) string {
	if strings.EqualFold(name, types.DefaultSchema) {
		return ""
	}
	return name
}

// tableName gives a name its catalog, schema and table parts. A schema of several
// levels has dots between them.
func (b *binder) tableName(t *ast.TableName) (types.TableName, error) {
	switch len(t.Parts) {
	case 1:
		return types.TableName{Schema: schemaOf(b.Schema), Name: t.Parts[0].Name}, nil
	case 2:
		return types.TableName{Schema: schemaOf(t.Parts[0].Name), Name: t.Parts[1].Name}, nil
	}
	last := len(t.Parts) - 1
	levels := make([]string, 0, last)
	for _, part := range t.Parts[1:last] {
		levels = append(levels, part.Name)
	}
	return types.TableName{Catalog: t.Parts[0].Name, Schema: strings.Join(levels, "."), Name: t.Parts[last].Name}, nil
}

// resolveTable finds a table to read, at the time that the statement names.
func (b *binder) resolveTable(t *ast.TableName) (plan.Source, *plan.AsOf, error) {
	name, err := b.tableName(t)
	if err != nil {
		return nil, nil, err
	}
	if t.At == nil {
		source, err := b.Catalog.Resolve(b.ctx, name, nil)
		return source, nil, b.wrapAt(t.Pos(), err)
	}
	if t.At.Kind == ast.AtSuffix { // a table may bear the whole text as its name
		whole := name
		whole.Name += "@" + t.At.Suffix
		if source, err := b.Catalog.Resolve(b.ctx, whole, nil); err == nil {
			return source, nil, nil
		}
	}
	asOf, err := b.asOf(t.At)
	if err != nil {
		return nil, nil, err
	}
	source, err := b.Catalog.Resolve(b.ctx, name, asOf)
	return source, asOf, b.wrapAt(t.Pos(), err)
}

// asOf computes the version or the time of a time travel clause.
func (b *binder) asOf(at *ast.TimeTravel) (*plan.AsOf, error) {
	if at.Kind == ast.AtSuffix {
		return b.asOfSuffix(at)
	}
	l, err := b.constant(at.Expr)
	if err != nil {
		return nil, err
	}
	if at.Kind == ast.AsOfVersion {
		switch v := l.Value.(type) {
		case int64:
			if l.T.IsInteger() {
				return &plan.AsOf{Version: &v}, nil
			}
		case string:
			if version, err := strconv.ParseInt(v, 10, 64); err == nil {
				return &plan.AsOf{Version: &version}, nil
			}
			return &plan.AsOf{Ref: v}, nil
		}
		return nil, b.errorAt(at, ErrInvalidSQL, "VERSION AS OF needs a number or the name of a branch or tag, not %s", l)
	}
	cast, err := b.castFolded(at, l, types.Of(types.Timestamp))
	if err != nil {
		return nil, err
	}
	us, err := eval.EvalConstant(cast, b.Env)
	if err != nil || us == nil {
		return nil, b.errorAt(at, ErrInvalidSQL, "TIMESTAMP AS OF needs a timestamp, not %s", l)
	}
	t := time.UnixMicro(us.(int64)).UTC()
	return &plan.AsOf{Timestamp: &t}, nil
}

// asOfSuffix reads v123 and yyyyMMddHHmmssSSS.
func (b *binder) asOfSuffix(at *ast.TimeTravel) (*plan.AsOf, error) {
	if digits, ok := strings.CutPrefix(strings.ToLower(at.Suffix), "v"); ok {
		if v, err := strconv.ParseInt(digits, 10, 64); err == nil {
			return &plan.AsOf{Version: &v}, nil
		}
	}
	if len(at.Suffix) == len("20060102150405000") {
		wall, err := time.Parse("20060102150405.000", at.Suffix[:14]+"."+at.Suffix[14:])
		if err == nil {
			t := time.UnixMicro(types.WallToInstant(wall.UnixMicro(), b.zone())).UTC()
			return &plan.AsOf{Timestamp: &t}, nil
		}
	}
	return nil, b.errorAt(at, ErrInvalidSQL, "@%s is neither a version (@v3) nor a time (@yyyyMMddHHmmssSSS)", at.Suffix)
}

var joinKinds = map[ast.JoinKind]plan.JoinKind{
	ast.InnerJoin: plan.InnerJoin, ast.CrossJoin: plan.InnerJoin, ast.LeftJoin: plan.LeftJoin, ast.RightJoin: plan.RightJoin,
	ast.FullJoin: plan.FullJoin, ast.LeftSemiJoin: plan.SemiJoin, ast.LeftAntiJoin: plan.AntiJoin,
}

func (b *binder) join(j *ast.Join, outer *scope) (plan.Node, *scope, error) {
	if j.AsOf {
		return nil, nil, b.unsupported(j, "ASOF JOIN")
	}
	left, ls, err := b.table(j.Left, outer)
	if err != nil {
		return nil, nil, err
	}
	if lateral(j.Right) {
		kind := joinKinds[j.Kind]
		if (kind == plan.InnerJoin || kind == plan.LeftJoin) && !j.Natural && len(j.Using) == 0 {
			return b.joinLateral(j, left, ls)
		}
		if saysLateral(j.Right) {
			return nil, nil, b.unsupported(j, "LATERAL in a join that is not INNER, CROSS or LEFT with ON")
		}
	}
	right, rs, err := b.table(j.Right, outer)
	if err != nil {
		return nil, nil, err
	}
	out := &plan.Join{Kind: joinKinds[j.Kind], Left: left, Right: right}
	both := newScope(outer)
	both.join(ls)
	both.join(rs)
	if j.Natural || len(j.Using) > 0 {
		return b.joinUsing(j, out, ls, rs, outer)
	}
	node, err := b.joinOn(out, both, j.On)
	if err != nil {
		return nil, nil, err
	}
	return node, resultScope(node, both), nil
}

// saysLateral reports whether the word stands before an item of FROM.
func saysLateral(t ast.TableExpr) bool {
	switch t := t.(type) {
	case *ast.SubqueryTable:
		return t.Lateral
	case *ast.TableFunc:
		return t.Lateral
	}
	return false
}

// joinLateral joins rows with what an item of FROM gives for each of them.
func (b *binder) joinLateral(j *ast.Join, left plan.Node, ls *scope) (plan.Node, *scope, error) {
	kind := joinKinds[j.Kind]
	right := func() (plan.Node, *scope, error) { return b.table(j.Right, ls) }
	on := j.On
	if f, ok := j.Right.(*ast.TableFunc); ok && kind == plan.LeftJoin && isTrue(on) {
		kind, on = plan.InnerJoin, nil
		right = func() (plan.Node, *scope, error) { return b.tableFunction(f, ls, true) }
	}
	out, rs, err := b.applied(left, ls, right)
	if err != nil {
		return nil, nil, err
	}
	out.Kind = kind
	both := newScope(ls.outer)
	both.join(ls)
	both.join(rs)
	if kind == plan.InnerJoin {
		var subs subqueries
		condition, err := b.condition(on, exprContext{scope: both, subqueries: &subs, clause: "ON"})
		if err != nil {
			return nil, nil, err
		}
		node, err := b.filterOnly(out, &subs, condition)
		if err != nil {
			return nil, nil, err
		}
		return node, resultScope(node, both), nil
	}
	if out.Condition, err = b.condition(on, exprContext{scope: both, clause: "the ON of LEFT JOIN LATERAL"}); err != nil {
		return nil, nil, err
	}
	return out, resultScope(out, both), nil
}

// isTrue tells the literal TRUE, or no condition.
func isTrue(on ast.Expr) bool {
	l, ok := on.(*ast.Literal)
	return on == nil || ok && l.Kind == ast.BoolLiteral && strings.EqualFold(l.Text, "TRUE")
}

// resultScope is the scope of a join's rows: the left side only for semi and
// anti joins, and with the nullability that the join gives.
func resultScope(j plan.Node, both *scope) *scope {
	fields := j.Schema().Fields
	out := &scope{outer: both.outer, columns: append([]scopeColumn{}, both.columns[:len(fields)]...)}
	for i, f := range fields {
		out.columns[i].nullable = f.Nullable
	}
	return out
}

// joinUsing joins on columns of the same name, which the result has once, and
// first: the left one, the right one for RIGHT, either for FULL.
func (b *binder) joinUsing(j *ast.Join, out *plan.Join, ls, rs *scope, outer *scope) (plan.Node, *scope, error) {
	names := j.Using
	if j.Natural {
		names = commonNames(j, ls, rs)
	}
	width := len(ls.columns)
	both := newScope(outer)
	both.join(ls)
	both.join(rs)
	var pairs [][2]int
	var on []expr.Expr
	for _, name := range names {
		lf, _ := ls.find([]ast.Ident{name})
		rf, _ := rs.find([]ast.Ident{name})
		if len(lf) != 1 || len(rf) != 1 {
			return nil, nil, b.errorAt(name, ErrColumnNotFound, "USING needs exactly one column %s on each side", name.Name)
		}
		pairs = append(pairs, [2]int{lf[0], width + rf[0]})
		eq, err := b.apply(name, expr.OpEqual, both.column(lf[0]), both.column(width+rf[0]))
		if err != nil {
			return nil, nil, err
		}
		on = append(on, eq)
	}
	out.Condition = expr.And(on...)
	if out.Kind == plan.SemiJoin || out.Kind == plan.AntiJoin {
		return out, resultScope(out, both), nil
	}
	return b.mergeUsing(out, resultScope(out, both), pairs)
}

func commonNames(j *ast.Join, ls, rs *scope) []ast.Ident {
	var names []ast.Ident
	for _, l := range ls.columns {
		for _, r := range rs.columns {
			if !l.hidden && !r.hidden && strings.EqualFold(l.name, r.name) {
				names = append(names, ast.Ident{Loc: j.Loc, Name: l.name})
			}
		}
	}
	return names
}

// mergeUsing puts the joined columns in front of the others, which stay
// reachable by their qualified names.
func (b *binder) mergeUsing(j *plan.Join, s *scope, pairs [][2]int) (plan.Node, *scope, error) {
	p := &plan.Project{Input: j}
	out := newScope(s.outer)
	add := func(e expr.Expr, c scopeColumn) {
		p.Exprs = append(p.Exprs, e)
		p.Names = append(p.Names, c.name)
		out.columns = append(out.columns, c)
	}
	for _, pair := range pairs {
		var e expr.Expr = s.column(pair[0])
		switch j.Kind {
		case plan.RightJoin:
			e = s.column(pair[1])
		case plan.FullJoin:
			merged, err := eval.Resolve("coalesce", []expr.Expr{s.column(pair[0]), s.column(pair[1])})
			if err != nil {
				return nil, nil, err
			}
			e = merged
		}
		add(e, scopeColumn{name: s.columns[pair[0]].name, typ: e.Type(), nullable: e.Nullable()})
	}
	joined := map[int]bool{}
	for _, pair := range pairs {
		joined[pair[0]], joined[pair[1]] = true, true
	}
	for i, c := range s.columns {
		c.hidden = c.hidden || joined[i]
		add(s.column(i), c)
	}
	return p, out, nil
}
