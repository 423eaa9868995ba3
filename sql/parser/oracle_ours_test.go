package parser_test

import (
	"strings"

	"github.com/tarndb/tarn/sql/ast"
)

// ours writes our tree in the oracle's notation.
type ours struct{ notation }

func (n *ours) statement(stmt ast.Statement) string {
	switch s := stmt.(type) {
	case *ast.Query:
		return n.query(s)
	case *ast.Insert:
		return form("insert", n.table(s.Table), tagged("columns", each(s.Columns, name)), n.source(s.Source))
	case *ast.Update:
		set := each(s.Set, func(a ast.Assignment) string { return form("=", n.expr(a.Column), n.expr(a.Value)) })
		return form("update", n.aliased(n.table(s.Table), s.Alias), form("set", set), tagged("where", n.expr(s.Where)))
	case *ast.Delete:
		return form("delete", n.aliased(n.table(s.Table), s.Alias), tagged("where", n.expr(s.Where)))
	}
	return n.unknown(stmt)
}

func name(id ast.Ident) string { return id.Name }

func names(ids []ast.Ident) string {
	var parts []string
	for _, id := range ids {
		parts = append(parts, id.Name)
	}
	return strings.Join(parts, ".")
}

func (n *ours) source(q *ast.Query) string {
	if v, ok := q.Body.(*ast.Values); ok {
		return form("values", each(v.Rows, func(row []ast.Expr) string { return form(each(row, n.expr)) }))
	}
	return n.query(q)
}

func (n *ours) query(q *ast.Query) string {
	if q.With != nil {
		return n.unknown(q.With)
	}
	items := each(q.OrderBy, func(o ast.OrderItem) string {
		if o.Desc {
			return form("desc", n.expr(o.Expr))
		}
		return n.expr(o.Expr)
	})
	return wrapQuery(n.body(q.Body), items, n.expr(q.Limit), n.expr(q.Offset))
}

func (n *ours) body(b ast.QueryBody) string {
	switch b := b.(type) {
	case *ast.Query:
		return n.query(b)
	case *ast.SetOp:
		if b.Op == ast.Union {
			op := "union"
			if b.All {
				op = "union-all"
			}
			return form(op, n.body(b.Left), n.body(b.Right))
		}
	case *ast.Select:
		distinct := ""
		if b.Distinct {
			distinct = "distinct"
		}
		group := ""
		if b.GroupBy != nil {
			group = each(b.GroupBy.Items, func(g ast.GroupItem) string {
				if g.Kind != ast.GroupExpr {
					return n.unknown(g)
				}
				return n.expr(g.Expr)
			})
		}
		return form("select", distinct, form(each(b.Items, n.item)), tagged("from", each(b.From, n.table)),
			tagged("where", n.expr(b.Where)), tagged("group", group), tagged("having", n.expr(b.Having)))
	}
	return n.unknown(b)
}

func (n *ours) item(item ast.SelectItem) string {
	if item.Alias != nil {
		return form("as", n.expr(item.Expr), item.Alias.Name)
	}
	return n.expr(item.Expr)
}

func (n *ours) aliased(s string, alias *ast.Ident) string {
	if alias == nil {
		return s
	}
	return form("as", s, alias.Name)
}

func (n *ours) table(t ast.TableExpr) string {
	switch t := t.(type) {
	case *ast.TableName:
		return n.aliased(names(t.Parts), t.Alias)
	case *ast.SubqueryTable:
		return n.aliased(n.query(t.Query), t.Alias)
	case *ast.Join:
		op := map[ast.JoinKind]string{ast.InnerJoin: "join", ast.CrossJoin: "join", ast.LeftJoin: "left join", ast.RightJoin: "right join"}[t.Kind]
		if t.Natural {
			op = "natural " + op
		}
		return form(op, n.table(t.Left), n.table(t.Right), tagged("on", n.expr(t.On)), tagged("using", each(t.Using, name)))
	}
	return n.unknown(t)
}

// not is the word of a predicate with or without NOT.
func not(negated bool, word string) string {
	if negated {
		return "not " + word
	}
	return word
}

func (n *ours) expr(e ast.Expr) string {
	switch e := e.(type) {
	case nil:
		return ""
	case *ast.Binary:
		op := strings.ToLower(string(e.Op))
		if e.Op == ast.OpNotEq {
			op = "!="
		}
		return form(op, n.expr(e.L), n.expr(e.R))
	case *ast.Unary:
		if e.Op == ast.OpNot {
			return form("not", n.expr(e.Expr))
		}
		return form("unary"+string(e.Op), n.expr(e.Expr))
	case *ast.Between:
		return form(not(e.Not, "between"), n.expr(e.Expr), n.expr(e.Low), n.expr(e.High))
	case *ast.In:
		if e.Query != nil {
			return form(not(e.Not, "in"), n.expr(e.Expr), n.query(e.Query))
		}
		return form(not(e.Not, "in"), n.expr(e.Expr), form("row", each(e.List, n.expr)))
	case *ast.Like:
		word := map[ast.LikeKind]string{ast.LikePattern: "like", ast.RLikePattern: "regexp"}[e.Kind]
		return form(not(e.Not, word), n.expr(e.Expr), n.expr(e.Pattern), tagged("escape", n.expr(e.Escape)))
	case *ast.IsNull:
		return form("is "+not(e.Not, "null"), n.expr(e.Expr))
	case *ast.Is:
		if e.Kind <= ast.IsFalse {
			return form("is "+not(e.Not, []string{"true", "false"}[e.Kind]), n.expr(e.Expr))
		}
	case *ast.Exists:
		return form("exists", n.query(e.Query))
	case *ast.Subquery:
		return n.query(e.Query)
	case *ast.Row:
		return form("row", each(e.Elems, n.expr))
	}
	return n.operand(e)
}

func (n *ours) operand(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Literal:
		switch e.Kind {
		case ast.StringLiteral:
			return "'" + e.Text + "'"
		case ast.IntegerLiteral, ast.DecimalLiteral, ast.DoubleLiteral:
			return e.Text
		case ast.NullLiteral, ast.BoolLiteral:
			return strings.ToLower(e.Text)
		}
	case *ast.ColumnRef:
		return names(e.Parts)
	case *ast.Star:
		if e.Table == nil {
			return "*"
		}
		return names(e.Table) + ".*"
	case *ast.Call:
		distinct, star := "", ""
		if e.Distinct {
			distinct = "distinct"
		}
		if e.Star {
			star = "*"
		}
		return form("call", strings.ToLower(names(e.Name)), distinct, star, each(e.Args, n.expr))
	case *ast.Case:
		whens := each(e.Whens, func(w ast.When) string { return form("when", n.expr(w.Cond), n.expr(w.Then)) })
		return form("case", n.expr(e.Operand), whens, tagged("else", n.expr(e.Else)))
	}
	return n.unknown(e)
}
