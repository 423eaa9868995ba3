package main

import (
	"fmt"
	"slices"
	"strings"
)

// mostRows is about how many rows a join may give.
const mostRows = 20000

// item draws what can stand in FROM: a table, a CTE, VALUES or, at depth 1 and
// above, a query. rows is about how many it has.
func (g *gen) item(depth int) (t text, columns []column, rows int) {
	alias := g.name("t")
	switch n := g.Intn(100); {
	case n < 12 && len(g.ctes) > 0:
		r := pick(g, g.ctes)
		return same(r.name + " " + alias), read(alias, r.columns, ""), 100
	case n < 30 && depth > 0:
		scopes := g.scopes
		g.scopes = nil
		var q query
		g.nested(func() { q = g.query(depth-1, nil) })
		g.scopes = scopes
		return sqlf("(%s) AS %s", q.text, alias), read(alias, q.columns, ""), 100
	case n < 36:
		t, columns = g.values(alias)
		return t, columns, 3
	case n < 38:
		from, to := g.Intn(9), g.Intn(20)
		return sqlf("range(%s, %s) AS %s(x)", from, to, alias), read(alias, []column{{"x", value{kind: i64, bound: 20}}}, ""), 10
	}
	of := pick(g, append(g.tables, g.tables[0], g.tables[0], g.tables[1]))
	if of.rows == 0 && g.chance(80) {
		of = g.tables[1]
	}
	if g.chance(15) {
		t, columns = g.widened(of, alias)
		return t, columns, of.rows
	}
	return same(of.name + " " + alias), read(alias, of.columns, alias), of.rows
}

// widened draws a subquery of a table with columns of the types that tables
// have no columns of. A row is told by its id as in the table.
func (g *gen) widened(of table, alias string) (text, []column) {
	inner := g.name("t")
	columns := append([]column{}, of.columns[:2]...)
	items := []text{same(inner + ".id"), same(inner + ".k")}
	scopes, subqueries := g.scopes, g.subqueries
	g.scopes, g.subqueries = [][]column{read(inner, of.columns, inner)}, 0
	for _, k := range append(slices.Clone(computed), anyJSON) {
		if k == anyJSON && g.paired {
			continue
		}
		v, ok := g.call(k, 1)
		if !ok {
			v = g.leaf(k)
		}
		name := string(k) + "_0"
		items, columns = append(items, sqlf("%s AS %s", v, name)), append(columns, column{name, value{kind: k, bound: k.most()}})
	}
	g.scopes, g.subqueries = scopes, subqueries
	return sqlf("(SELECT %s FROM %s %s) AS %s", join(items, ", "), of.name, inner, alias), read(alias, columns, alias)
}

// read gives the columns as read through an alias.
func read(alias string, columns []column, from string) []column {
	out := make([]column, len(columns))
	for i, c := range columns {
		out[i] = column{name: c.name, value: value{text: same(alias + "." + c.name), kind: c.kind, bound: c.bound, from: from}}
	}
	return out
}

// values draws VALUES with two columns.
func (g *gen) values(alias string) (text, []column) {
	a, b := pick(g, ints), g.sortable()
	var rows []text
	for range 1 + g.Intn(4) {
		x, y := g.literal(a, false), g.literal(b, g.chance(20))
		if g.chance(20) {
			y = null(b)
		}
		rows = append(rows, sqlf("(%s, CAST(%s AS %s))", x, y, typeNames[b]))
	}
	columns := []column{{"x", value{kind: a, bound: 20}}, {"y", value{kind: b, bound: b.most()}}}
	return sqlf("(VALUES %s) AS %s(x, y)", join(rows, ", "), alias), read(alias, columns, "")
}

// from draws a FROM clause of one to four items.
func (g *gen) from(depth int) (text, []column, int) {
	t, columns, rows := g.item(depth)
	g.closed = false
	for g.chance(35) && len(columns) < 80 && !g.closed {
		right, more, n := g.item(depth - 1)
		switch {
		case depth > 0 && rows <= 100 && g.chance(30):
			t, columns = g.lateral(t, columns)
			rows *= 100
		case rows <= 1000 && g.chance(15):
			t, columns = g.generated(t, columns)
			rows *= 3
		default:
			t, columns, rows = g.join(t, right, columns, more, rows, n)
		}
	}
	return t, columns, rows
}

// join joins two items.
func (g *gen) join(left, right text, columns, more []column, rows, n int) (text, []column, int) {
	all := append(append([]column{}, columns...), more...)
	if rows*n <= mostRows/10 && g.chance(25) {
		if g.chance(50) {
			g.closed = g.chance(50) // JOIN binds more tightly than a comma
			return sqlf(map[bool]string{false: "%s CROSS JOIN %s", true: "%s, %s"}[g.closed], left, right), all, rows * n
		}
		var on text
		g.inScope(all, func() { on = g.on() })
		return sqlf("%s "+pick(g, []string{"JOIN", "LEFT JOIN"})+" %s ON %s", left, right, on), all, rows * n
	}
	on, using := g.equality(columns, more), ""
	if rows*n/20 > mostRows {
		return sqlf("%s CROSS JOIN (SELECT 1 AS one) AS %s", left, g.name("o")), columns, rows
	}
	if strings.HasSuffix(columns[0].name, "id") && more[0].name == "id" && columns[0].from != "" && len(columns) < 40 && g.chance(15) {
		using = fmt.Sprintf(" USING (%s)", more[g.Intn(2)].name)
	}
	if using == "" && g.chance(25) {
		g.inScope(all, func() { on = sqlf("%s AND %s", on, g.on()) })
	}
	clause := sqlf(" ON %s", on)
	if using != "" && !strings.Contains(left.ours, "JOIN") && !strings.Contains(left.ours, ",") && !strings.Contains(left.ours, "(") {
		clause = same(using)
	}
	ours := pick(g, []string{"JOIN", "INNER JOIN", "LEFT JOIN", "LEFT OUTER JOIN", "RIGHT JOIN", "FULL JOIN", "LEFT SEMI JOIN", "LEFT ANTI JOIN"})
	if strings.Contains(ours, "SEMI") || strings.Contains(ours, "ANTI") {
		return pair("%s "+ours+" %s%s", "%s "+strings.TrimPrefix(ours, "LEFT ")+" %s%s", left, right, clause), columns, rows
	}
	return sqlf("%s "+ours+" %s%s", left, right, clause), all, max(rows, n, rows*n/20)
}

// on draws a condition of ON, without subqueries.
func (g *gen) on() text {
	subqueries := g.subqueries
	g.subqueries = 0
	var out text
	g.conditionally(func() { out = g.condition(1).text })
	g.subqueries = subqueries
	return out
}

// equality draws an equality of columns of both sides.
func (g *gen) equality(left, right []column) text {
	for range 20 {
		a, b := pick(g, left), pick(g, right)
		if a.kind == b.kind && a.kind.hasEqual() && (a.name == b.name || g.chance(8)) && a.kind != boolean {
			op := pick(g, []string{"=", "=", "=", "<=>"})
			return pair("%s "+op+" %s", "%s "+strings.Replace(op, "<=>", "IS NOT DISTINCT FROM", 1)+" %s", a, b)
		}
	}
	for _, a := range left {
		for _, b := range right {
			if a.kind.isInt() && b.kind.isInt() {
				return sqlf("%s = %s", a, b)
			}
		}
	}
	return same("1 = 0")
}

// generated adds a row for each element of an array.
func (g *gen) generated(left text, columns []column) (text, []column) {
	alias, k, elem := g.name("e"), arr, i32
	if g.chance(30) {
		k, elem = strs, str
	}
	var of value
	subqueries := g.subqueries
	g.subqueries = 0
	g.inScope(columns, func() { of = g.expr(k, 1) })
	g.subqueries, g.closed = subqueries, true // what LATERAL VIEW stands behind is all of FROM
	form := pick(g, [][2]string{
		{"%s LATERAL VIEW explode(%s) %[3]s AS x", "%s CROSS JOIN LATERAL (SELECT unnest(%s) AS x) AS %s"},
		{"%s LATERAL VIEW OUTER explode(%s) %[3]s AS x", "%s LEFT JOIN LATERAL (SELECT unnest(%s) AS x) AS %s ON TRUE"},
		{"%s, LATERAL explode(%s) AS %s(x)", "%s CROSS JOIN LATERAL (SELECT unnest(%s) AS x) AS %s"},
	})
	return pair(form[0], form[1], left, of, alias), append(append([]column{}, columns...), column{"x", value{text: same(alias + ".x"), kind: elem, bound: elem.most()}})
}

// lateral adds a subquery that reads the columns before it.
func (g *gen) lateral(left text, columns []column) (text, []column) {
	alias := g.name("l")
	var q query
	g.inScope(columns, func() {
		g.nested(func() { q = g.query(0, nil) })
	})
	format := pick(g, []string{"%s, LATERAL (%s) AS %s", "%s CROSS JOIN LATERAL (%s) AS %s", "%s JOIN LATERAL (%s) AS %s ON TRUE", "%s LEFT JOIN LATERAL (%s) AS %s ON TRUE"})
	g.closed = strings.HasPrefix(format, "%s,")
	return sqlf(format, left, q.text, alias), append(append([]column{}, columns...), read(alias, q.columns, "")...)
}
