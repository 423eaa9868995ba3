package main

import (
	"math"
	"slices"
)

// expr draws an expression of a kind. At depth 0 it is a leaf.
func (g *gen) expr(k kind, depth int) value {
	if depth <= 0 || g.chance(20) {
		return g.leaf(k)
	}
	if k == boolean && g.chance(70) {
		return g.condition(depth)
	}
	switch n := g.Intn(100); {
	case n < 20 && k.isInt():
		return g.arithmetic(k, depth)
	case n < 70:
		if v, ok := g.call(k, depth); ok {
			return v
		}
	case n < 90:
		return g.choice(k, depth)
	case n < 95 && g.subqueries > 0 && g.canOrder(k):
		return g.scalarSubquery(k, depth)
	}
	return g.leaf(k)
}

// arithmetic draws an operation on whole numbers that does not overflow.
func (g *gen) arithmetic(k kind, depth int) value {
	a, b := g.expr(k, depth-1), g.expr(k, depth-1)
	most := k.most()
	switch op := pick(g, []string{"+", "-", "*", "%", "&", "|", "-a", "~"}); op {
	case "+", "-":
		if g.risky {
			return value{text: sqlf("(%s %s %s)", a, op, b), kind: k, bound: most}
		}
		a, b = g.below(a, math.Floor(most/2)), g.below(b, math.Floor(most/2))
		return value{text: sqlf("(%s %s %s)", a, op, b), kind: k, bound: a.bound + b.bound}
	case "*":
		root := math.Floor(math.Sqrt(most))
		a, b = g.below(a, root), g.below(b, root)
		return value{text: sqlf("(%s * %s)", a, b), kind: k, bound: a.bound * b.bound}
	case "%":
		n := 1 + g.Intn(20)
		return value{text: sqlf("(%s %% CAST(%s AS %s))", a, n, typeNames[k]), kind: k, bound: float64(n)}
	case "-a":
		a = g.below(a, math.Floor(most/2))
		return value{text: sqlf("(- %s)", a), kind: k, bound: a.bound}
	case "~":
		return value{text: sqlf("(~ %s)", a), kind: k, bound: most}
	default:
		return value{text: sqlf("(%s %s %s)", a, op, b), kind: k, bound: most}
	}
}

// choice draws CASE, COALESCE and their like.
func (g *gen) choice(k kind, depth int) value {
	a, b := g.expr(k, depth-1), g.expr(k, depth-1)
	v := value{kind: k, bound: max(a.bound, b.bound)}
	t := typeNames[k]
	switch n := g.Intn(9); {
	case n == 0:
		v.text = sqlf("coalesce(%s, %s)", a, b)
	case n == 1:
		v.text = pair("if(%[1]s, %[2]s, %[3]s)", "CASE WHEN %[1]s THEN %[2]s ELSE %[3]s END", g.condition(depth-1), a, b)
	case n == 2 && k.hasEqual():
		v.text = sqlf("nullif(%s, %s)", a, b)
	case n == 3:
		v.text = pair("nvl(%s, %s)", "coalesce(%s, %s)", a, b)
	case n == 4:
		v.text = pair("nvl2(%[1]s, %[2]s, %[3]s)", "CASE WHEN %[1]s IS NOT NULL THEN %[2]s ELSE %[3]s END", g.expr(g.some(), depth-1), a, b)
	case n == 5 && g.canOrder(k):
		v.text = sqlf(pick(g, []string{"greatest", "least"})+"(%s, %s)", a, b)
	case n == 6:
		v.text = sqlf("CASE WHEN %s THEN %s END", g.condition(depth-1), a)
	case n == 7:
		of := g.sortable()
		v.text = sqlf("CASE %s WHEN %s THEN %s ELSE %s END", g.expr(of, depth-1), g.leaf(of), a, b)
	default:
		v.text = sqlf("CASE WHEN %s THEN %s WHEN %s THEN %s ELSE CAST(NULL AS %s) END", g.condition(depth-1), a, g.condition(depth-1), b, t)
	}
	return v
}

// condition draws a BOOLEAN expression.
func (g *gen) condition(depth int) value {
	exact := g.exact
	g.exact = true
	v := value{kind: boolean, text: g.conditionText(depth)}
	g.exact = exact
	return v
}

func (g *gen) conditionText(depth int) text {
	if depth <= 0 {
		return g.comparison(0)
	}
	switch n := g.Intn(100); {
	case n < 35:
		return g.comparison(depth - 1)
	case n < 42:
		return sqlf(pick(g, []string{"(%s IS NULL)", "(%s IS NOT NULL)"}), g.expr(g.some(), depth-1))
	case n < 58:
		return sqlf(pick(g, []string{"(%s AND %s)", "(%s OR %s)"}), g.condition(depth-1), g.condition(depth-1))
	case n < 63:
		return sqlf("(NOT %s)", g.condition(depth-1))
	case n < 68:
		k := g.ordered()
		return sqlf(pick(g, []string{"(%s BETWEEN %s AND %s)", "(%s NOT BETWEEN %s AND %s)"}), g.expr(k, depth-1), g.leaf(k), g.leaf(k))
	case n < 76:
		return g.in(depth)
	case n < 81:
		return sqlf(pick(g, []string{"(%s LIKE '%s')", "(%s NOT LIKE '%s')", "(%s ILIKE '%s')"}), g.expr(str, depth-1), pick(g, patterns))
	case n < 90:
		if v, ok := g.call(boolean, depth); ok {
			return v.text
		}
	case n < 97 && g.subqueries > 0:
		return g.subqueryCondition(depth)
	}
	return sqlf(pick(g, []string{"(%s IS TRUE)", "(%s IS NOT FALSE)", "%s"}), g.leaf(boolean))
}

var patterns = []string{"a%", "%b", "%a%", "_b%", "%", "", "a_c", "%1%2%", "ab", "ä%"}

// in draws IN with a list.
func (g *gen) in(depth int) text {
	k := g.sortable()
	list := []text{}
	for range 1 + g.Intn(5) {
		list = append(list, g.leaf(k).text)
	}
	return sqlf(pick(g, []string{"(%s IN (%s))", "(%s NOT IN (%s))"}), g.expr(k, depth-1), join(list, ", "))
}

// comparison draws a comparison of two values of a kind, or of two kinds of
// number.
func (g *gen) comparison(depth int) text {
	k := g.ordered()
	ours := pick(g, []string{"=", "<>", "<", "<=", ">", ">=", "=", "<=>"})
	if slices.Contains([]string{"=", "<>", "<=>"}, ours) {
		k = g.sortable()
	}
	duck := ours
	if ours == "<=>" {
		duck = "IS NOT DISTINCT FROM"
	}
	a, b := g.expr(k, depth), g.expr(k, depth)
	if numeric(k) && g.chance(25) {
		other := pick(g, []kind{i8, i16, i32, i64, f32, tame, dec5, dec18})
		b = g.expr(other, depth)
		cast := "CAST(%s AS " + typeNames[common(k, other)].duck + ")"
		a.text, b.text = pair("%s", cast, a), pair("%s", cast, b)
	}
	return pair("(%s "+ours+" %s)", "(%s "+duck+" %s)", a, b)
}

// common is a kind that holds the numbers of both.
func common(a, b kind) kind {
	floats := []kind{f32, f64, tame}
	switch {
	case slices.Contains(floats, a) || slices.Contains(floats, b):
		return f64
	case a.isInt() && b.isInt():
		return i64
	}
	return dec38
}
