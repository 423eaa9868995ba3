package main

import (
	"fmt"
	"slices"
)

// query is a query with its columns.
type query struct {
	text
	columns []column
	// order are the columns by which the rows are sorted, if they are.
	order []sortKey
}

// sortKey is a column of ORDER BY, counted from 0.
type sortKey struct {
	Column int  `json:"column"`
	Desc   bool `json:"desc"`
}

// statement draws a whole query.
func (g *gen) statement() query {
	var with []text
	g.exact = g.chance(70)
	g.paired, g.risky = g.chance(75), g.chance(30)
	count, recursive := max(0, g.Intn(6)-3), ""
	if g.chance(5) {
		count, recursive = 1, "RECURSIVE "
	}
	for range count {
		name := g.name("w")
		if recursive != "" {
			step := pick(g, []string{"UNION ALL SELECT n + 1, s || 'b' FROM %s WHERE n < %s", "UNION SELECT (n * 2 + 1) %% 17, left(s || 'b', 3) FROM %s WHERE n >= 0 AND 1 < %s"})
			with = append(with, sqlf("%s(n, s) AS (SELECT 1, CAST('a' AS %s) "+step+")", name, typeNames[str], name, 2+g.Intn(20)))
			g.ctes = append(g.ctes, relation{name, []column{{"n", value{kind: i32, bound: 100}}, {"s", value{kind: str}}}})
			continue
		}
		q := query{}
		g.nested(func() { q = g.query(1, nil) })
		with = append(with, sqlf("%s AS (%s)", name, q.text))
		g.ctes = append(g.ctes, relation{name, q.columns})
	}
	q := g.query(2, nil)
	if len(with) > 0 {
		q.text = sqlf("WITH "+recursive+"%s %s", join(with, ", "), q.text)
	}
	q.alone = q.alone || !g.paired
	return q
}

// query draws a query, with columns of the wanted kinds if there are any.
func (g *gen) query(depth int, want []kind) query {
	var q query
	if g.chance(3) && want == nil {
		return g.limited()
	}
	if g.chance(12) && depth > 0 {
		q = g.setOperation(depth, want)
	} else {
		q = g.selection(depth, want, g.chance(15))
	}
	if !g.exact && depth < 2 || !g.chance(45) || slices.ContainsFunc(q.columns, func(c column) bool { return !g.canOrder(c.kind) }) {
		return q
	}
	return g.sorted(q)
}

// limited draws a LIMIT without an order, over rows that are all the same.
func (g *gen) limited() query {
	var q query
	var items []text
	for i := range 1 + g.Intn(2) {
		items = append(items, g.named(&q, i, g.literal(g.some(), false)))
	}
	q.text = sqlf("SELECT %s FROM %s LIMIT %s", join(items, ", "), pick(g, g.tables).name, pick(g, []int{1, 3, 50, 1000}))
	return q
}

// sorted adds ORDER BY and, if it names all columns, perhaps LIMIT.
func (g *gen) sorted(q query) query {
	positions := g.Perm(len(q.columns))
	total := g.exact && g.chance(60)
	if !total {
		positions = positions[:1+g.Intn(len(positions))]
	}
	if !g.exact {
		return q
	}
	var keys []text
	for _, p := range positions {
		k := sortKey{Column: p, Desc: g.chance(40)}
		direction := pick(g, []string{"", "", " ASC"})
		if k.Desc {
			direction = " DESC"
		}
		keys = append(keys, same(q.columns[p].name+direction+pick(g, []string{"", "", " NULLS FIRST", " NULLS LAST"})))
		q.order = append(q.order, k)
	}
	if g.chance(15) {
		return g.firstOrTied(q, positions[0], total, keys)
	}
	q.text = sqlf("%s ORDER BY %s", q.text, join(keys, ", "))
	if total && g.chance(70) {
		q.text = sqlf("%s LIMIT %s", q.text, pick(g, []int{1, 3, 10, 50}))
		if g.chance(30) {
			q.text = sqlf("%s OFFSET %s", q.text, pick(g, []int{0, 2, 7}))
		}
	}
	return q
}

// firstOrTied draws DISTINCT ON or WITH TIES over a query. DISTINCT ON needs an
// order in which rows that are not equal are not tied.
func (g *gen) firstOrTied(q query, first int, total bool, keys []text) query {
	order := join(keys, ", ")
	if total && g.chance(50) {
		q.text = sqlf("SELECT DISTINCT ON (%s) * FROM (%s) AS %s ORDER BY %s", q.columns[first].name, q.text, g.name("d"), order)
		return q
	}
	n := 1 + g.Intn(12)
	q.text = pair("%[1]s ORDER BY %[2]s FETCH FIRST %[3]s ROWS WITH TIES",
		"SELECT * FROM (%[1]s) AS %[4]s QUALIFY rank() OVER (ORDER BY %[2]s) <= %[3]s ORDER BY %[2]s", q.text, order, n, g.name("d"))
	return q
}

// setOperation draws two queries of columns of the same kinds.
func (g *gen) setOperation(depth int, want []kind) query {
	exact := g.exact
	g.exact = true
	defer func() { g.exact = exact }()
	if want == nil {
		for range 1 + g.Intn(3) {
			want = append(want, g.sortable())
		}
	}
	a, b := g.selection(depth-1, want, false), g.selection(depth-1, want, false)
	for i := range a.columns {
		a.columns[i].bound = max(a.columns[i].bound, b.columns[i].bound)
	}
	a.text = sqlf("%s "+pick(g, []string{"UNION ALL", "UNION", "INTERSECT", "EXCEPT", "INTERSECT ALL", "EXCEPT ALL"})+" %s", a.text, b.text)
	return a
}

// selection draws a SELECT.
func (g *gen) selection(depth int, want []kind, distinct bool) query {
	fixed := want != nil
	exact := g.exact
	g.exact = g.exact || distinct
	defer func() { g.exact = exact }()
	if want == nil {
		for range 1 + g.Intn(5) {
			k := g.some()
			if !g.exact && g.chance(40) {
				k = f64
			}
			for distinct && !k.hasEqual() {
				k = g.some()
			}
			want = append(want, k)
		}
	}
	from, columns, _ := g.from(depth)
	var q query
	g.inScope(columns, func() {
		where := g.where(1+g.Intn(2), 50)
		if !fixed && !distinct && g.chance(18) {
			q = g.windowed(want, from, where)
			return
		}
		if g.chance(35) {
			q = g.groupedSelection(want, from, where)
			return
		}
		var items []text
		for i, k := range want {
			items = append(items, g.named(&q, i, g.expr(k, 1+g.Intn(3))))
		}
		q.text = sqlf("SELECT %s%s FROM %s%s", map[bool]string{true: "DISTINCT ", false: ""}[distinct], join(items, ", "), from, where)
	})
	return q
}

// named adds an expression to the columns of a query.
func (g *gen) named(q *query, i int, v value) text {
	name := fmt.Sprintf("c%d", i+1)
	q.columns = append(q.columns, column{name: name, value: value{kind: v.kind, bound: v.bound}})
	return sqlf("%s AS %s", v, name)
}

// groupedSelection draws a SELECT of keys and aggregates.
func (g *gen) groupedSelection(want []kind, from, where text) query {
	var q query
	group, columns := g.grouped(1 + g.Intn(2))
	scopes, subqueries := g.scopes, g.subqueries
	g.scopes, g.subqueries = [][]column{columns}, 0
	var items []text
	for i, k := range want {
		v, ok := g.column(k)
		if !ok || g.chance(25) {
			v = g.expr(k, 1+g.Intn(2))
		}
		items = append(items, g.named(&q, i, v))
	}
	having := text{}
	switch { // DuckDB has a row for the empty grouping set of no rows, Spark has none
	case g.sets:
		having.duck = " HAVING count(*) > 0"
	case group.ours == "": // so that it is one group if no item says so
		having = same(" HAVING count(*) >= 0")
	case g.chance(15):
		having = sqlf(" HAVING %s", g.condition(1))
	}
	g.scopes, g.subqueries = scopes, subqueries
	q.text = sqlf("SELECT %s FROM %s%s%s%s", join(items, ", "), from, where, group, having)
	return q
}
