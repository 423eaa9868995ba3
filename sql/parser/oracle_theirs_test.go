package parser_test

import (
	"strings"

	"github.com/xwb1989/sqlparser"
)

// theirs writes xwb's tree in the oracle's notation.
type theirs struct{ notation }

func (n *theirs) statement(stmt sqlparser.Statement) string {
	switch s := stmt.(type) {
	case sqlparser.SelectStatement:
		return n.query(s)
	case *sqlparser.Insert:
		if s.Action != sqlparser.InsertStr || s.Ignore != "" || s.OnDup != nil || s.Partitions != nil {
			return n.unknown(s)
		}
		return form("insert", n.name(s.Table), tagged("columns", each(s.Columns, ident)), n.rows(s.Rows))
	case *sqlparser.Update:
		if s.OrderBy != nil || s.Limit != nil || len(s.TableExprs) != 1 {
			return n.unknown(s)
		}
		set := each(s.Exprs, func(u *sqlparser.UpdateExpr) string { return form("=", n.expr(u.Name), n.expr(u.Expr)) })
		return form("update", n.table(s.TableExprs[0]), form("set", set), n.where(s.Where))
	case *sqlparser.Delete:
		if s.OrderBy != nil || s.Limit != nil || s.Targets != nil || s.Partitions != nil || len(s.TableExprs) != 1 {
			return n.unknown(s)
		}
		return form("delete", n.table(s.TableExprs[0]), n.where(s.Where))
	}
	return n.unknown(stmt)
}

func ident(id sqlparser.ColIdent) string { return id.String() }

func (n *theirs) name(t sqlparser.TableName) string {
	if t.Qualifier.IsEmpty() {
		return t.Name.String()
	}
	return t.Qualifier.String() + "." + t.Name.String()
}

func (n *theirs) rows(rows sqlparser.InsertRows) string {
	switch r := rows.(type) {
	case sqlparser.Values:
		return form("values", each(r, func(t sqlparser.ValTuple) string { return form(each(t, n.expr)) }))
	case sqlparser.SelectStatement:
		return n.query(r)
	}
	return n.unknown(rows)
}

func (n *theirs) query(stmt sqlparser.SelectStatement) string {
	switch s := stmt.(type) {
	case *sqlparser.ParenSelect:
		return n.query(s.Select)
	case *sqlparser.Union:
		op := map[string]string{"union": "union", "union distinct": "union", "union all": "union-all"}[s.Type]
		return n.wrap(form(op, n.query(s.Left), n.query(s.Right)), s.OrderBy, s.Limit)
	case *sqlparser.Select:
		if s.Cache != "" || s.Hints != "" || s.Lock != "" {
			return n.unknown(s)
		}
		from := each(s.From, n.table)
		if from == "dual" {
			from = ""
		}
		body := form("select", strings.TrimSpace(s.Distinct), form(each(s.SelectExprs, n.item)), tagged("from", from),
			n.where(s.Where), tagged("group", each(s.GroupBy, n.expr)), n.having(s.Having))
		return n.wrap(body, s.OrderBy, s.Limit)
	}
	return n.unknown(stmt)
}

func (n *theirs) wrap(body string, order sqlparser.OrderBy, limit *sqlparser.Limit) string {
	items := each(order, func(o *sqlparser.Order) string {
		if o.Direction == sqlparser.DescScr {
			return form("desc", n.expr(o.Expr))
		}
		return n.expr(o.Expr)
	})
	if limit == nil {
		return wrapQuery(body, items, "", "")
	}
	return wrapQuery(body, items, n.expr(limit.Rowcount), n.expr(limit.Offset))
}

func (n *theirs) where(w *sqlparser.Where) string {
	if w == nil {
		return ""
	}
	return form("where", n.expr(w.Expr))
}

func (n *theirs) having(w *sqlparser.Where) string {
	if w == nil {
		return ""
	}
	return form("having", n.expr(w.Expr))
}

func (n *theirs) item(e sqlparser.SelectExpr) string {
	switch e := e.(type) {
	case *sqlparser.StarExpr:
		if e.TableName.IsEmpty() {
			return "*"
		}
		return n.name(e.TableName) + ".*"
	case *sqlparser.AliasedExpr:
		if !e.As.IsEmpty() {
			return form("as", n.expr(e.Expr), e.As.String())
		}
		return n.expr(e.Expr)
	}
	return n.unknown(e)
}

func (n *theirs) table(t sqlparser.TableExpr) string {
	switch t := t.(type) {
	case *sqlparser.AliasedTableExpr:
		if t.Hints != nil || t.Partitions != nil {
			return n.unknown(t)
		}
		var s string
		switch e := t.Expr.(type) {
		case sqlparser.TableName:
			s = n.name(e)
		case *sqlparser.Subquery:
			s = n.query(e.Select)
		}
		if !t.As.IsEmpty() {
			return form("as", s, t.As.String())
		}
		return s
	case *sqlparser.ParenTableExpr:
		if len(t.Exprs) == 1 {
			return n.table(t.Exprs[0])
		}
	case *sqlparser.JoinTableExpr:
		return form(t.Join, n.table(t.LeftExpr), n.table(t.RightExpr), n.condition(t.Condition))
	}
	return n.unknown(t)
}

func (n *theirs) condition(c sqlparser.JoinCondition) string {
	if c.On != nil {
		return form("on", n.expr(c.On))
	}
	return tagged("using", each(c.Using, ident))
}

func (n *theirs) expr(e sqlparser.Expr) string {
	switch e := e.(type) {
	case nil:
		return ""
	case *sqlparser.AndExpr:
		return form("and", n.expr(e.Left), n.expr(e.Right))
	case *sqlparser.OrExpr:
		return form("or", n.expr(e.Left), n.expr(e.Right))
	case *sqlparser.NotExpr:
		return form("not", n.expr(e.Expr))
	case *sqlparser.ParenExpr:
		return n.expr(e.Expr)
	case *sqlparser.ComparisonExpr:
		return form(e.Operator, n.expr(e.Left), n.expr(e.Right), tagged("escape", n.expr(e.Escape)))
	case *sqlparser.RangeCond:
		return form(e.Operator, n.expr(e.Left), n.expr(e.From), n.expr(e.To))
	case *sqlparser.IsExpr:
		return form(e.Operator, n.expr(e.Expr))
	case *sqlparser.ExistsExpr:
		return form("exists", n.query(e.Subquery.Select))
	case *sqlparser.Subquery:
		return n.query(e.Select)
	case sqlparser.ValTuple:
		return form("row", each(e, n.expr))
	case *sqlparser.BinaryExpr:
		return form(e.Operator, n.expr(e.Left), n.expr(e.Right))
	}
	return n.operand(e)
}

func (n *theirs) operand(e sqlparser.Expr) string {
	switch e := e.(type) {
	case *sqlparser.SQLVal:
		switch e.Type {
		case sqlparser.StrVal:
			return "'" + string(e.Val) + "'"
		case sqlparser.IntVal, sqlparser.FloatVal:
			return string(e.Val)
		}
	case *sqlparser.NullVal:
		return "null"
	case sqlparser.BoolVal:
		if e {
			return "true"
		}
		return "false"
	case *sqlparser.ColName:
		if e.Qualifier.IsEmpty() {
			return e.Name.String()
		}
		return n.name(e.Qualifier) + "." + e.Name.String()
	case *sqlparser.UnaryExpr:
		if v, ok := e.Expr.(*sqlparser.SQLVal); ok && e.Operator == "-" && v.Type == sqlparser.FloatVal {
			return "-" + string(v.Val)
		}
		if strings.TrimSpace(e.Operator) == e.Operator {
			return form("unary"+e.Operator, n.expr(e.Expr))
		}
	case *sqlparser.FuncExpr:
		if e.Qualifier.IsEmpty() {
			distinct := ""
			if e.Distinct {
				distinct = "distinct"
			}
			return form("call", e.Name.Lowered(), distinct, each(e.Exprs, n.item))
		}
	case *sqlparser.CaseExpr:
		whens := each(e.Whens, func(w *sqlparser.When) string { return form("when", n.expr(w.Cond), n.expr(w.Val)) })
		return form("case", n.expr(e.Expr), whens, tagged("else", n.expr(e.Else)))
	}
	return n.unknown(e)
}
