package main

// nested runs f for a query within a query, whose values other values depend on.
func (g *gen) nested(f func()) {
	exact := g.exact
	g.subqueries, g.exact = g.subqueries-1, true
	f()
	g.exact = exact
}

// scalarSubquery draws a subquery of one value: an aggregate of all rows, or
// the first of sorted rows.
func (g *gen) scalarSubquery(k kind, depth int) value {
	v := value{kind: k, bound: k.most()}
	g.nested(func() {
		from, columns, _ := g.from(0)
		g.inScope(columns, func() {
			where := g.where(depth-1, 80)
			switch n := g.Intn(6); {
			case n == 0 && k != f64 && k != f32:
				of := g.expr(k, 1)
				v.text = pair("(SELECT %[1]s FROM %[2]s%[3]s ORDER BY 1 %[4]s LIMIT 1)", "(SELECT %[1]s FROM %[2]s%[3]s ORDER BY 1 %[4]s LIMIT 1)", of, from, where, pick(g, []string{"", "DESC"}))
			case n < 3 && k == i64:
				v.text = sqlf("(SELECT %s FROM %s%s)", value{text: same("count(*)")}, from, where)
			default:
				var of value
				g.ownColumns(func() { of = g.expr(k, 1) })
				v.text = sqlf("(SELECT "+pick(g, []string{"min", "max"})+"(%s) FROM %s%s)", of, from, where)
			}
		})
	})
	return v
}

// subqueryCondition draws EXISTS, IN, ANY or ALL.
func (g *gen) subqueryCondition(depth int) text {
	k, op := g.sortable(), pick(g, []string{"=", "<>", "<", ">="})
	if op == "<" || op == ">=" {
		k = g.ordered()
	}
	a := g.expr(k, depth-1)
	var out text
	g.nested(func() {
		from, columns, _ := g.from(0)
		g.inScope(columns, func() {
			where := g.where(depth-1, 80)
			switch n := g.Intn(8); {
			case n < 3:
				out = sqlf(pick(g, []string{"(EXISTS (SELECT 1 FROM %s%s))", "(NOT EXISTS (SELECT 1 FROM %s%s))"}), from, where)
			case n < 6:
				out = sqlf("(%s "+pick(g, []string{"IN", "NOT IN"})+" (SELECT %s FROM %s%s))", a, g.expr(k, 1), from, where)
			default:
				out = sqlf("(%s "+op+" "+pick(g, []string{"ANY", "ALL"})+" (SELECT %s FROM %s%s))", a, g.expr(k, 1), from, where)
			}
		})
	})
	return out
}

// where draws a WHERE clause, or nothing.
func (g *gen) where(depth, percent int) text {
	var out text
	if g.chance(percent) {
		g.conditionally(func() {
			conditions := []text{g.condition(depth).text}
			if g.chance(45) {
				conditions = append(conditions, g.ranged())
			}
			out = sqlf(" WHERE %s", join(conditions, " AND "))
		})
	}
	return out
}

// ranged draws a comparison of a column with a constant, which statistics can
// decide.
func (g *gen) ranged() text {
	for range 10 {
		k := g.ordered()
		if c, ok := g.column(k); ok {
			l := g.literal(k, g.chance(20))
			if c.bound == 1000 && k == i64 {
				l.text = same(pick(g, []string{"0", "30", "133", "200", "399"}))
			}
			return sqlf("(%s "+pick(g, []string{"<", ">", "<=", ">=", "=", "<>"})+" %s)", c, l)
		}
	}
	return same("TRUE")
}
