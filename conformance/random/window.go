package main

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
)

//go:embed windows.txt
var windowLines string

var windowTemplates = parseWindows()

func parseWindows() []template {
	var out []template
	for _, list := range parseTemplates(windowLines) {
		for _, t := range list {
			letter := t.ours[:2]
			t.needs, t.ours = letter[0], t.ours[2:]
			t.duck = strings.Replace(strings.TrimPrefix(t.duck, letter), "CAST("+letter, "CAST(", 1)
			out = append(out, t)
		}
	}
	sortTemplates(out)
	return out
}

// totalOrder gives keys that tell apart any two rows in scope: the ids of all
// tables that they are made of, if they are of tables only.
func (g *gen) totalOrder() ([]text, bool) {
	var keys []text
	for _, c := range g.scopes[len(g.scopes)-1] {
		if c.from == "" {
			return nil, false
		}
		if c.name == "id" {
			keys = append(keys, c.text)
		}
	}
	return keys, len(keys) > 0
}

// window draws a call of a function with OVER over the rows in scope.
func (g *gen) window() value {
	ids, total := g.totalOrder()
	t := pick(g, windowTemplates)
	for !g.allows(t) || !total && strings.ContainsRune("TF", rune(t.needs)) {
		t = pick(g, windowTemplates)
	}
	exact, subqueries := g.exact, g.subqueries
	g.exact, g.subqueries = true, 0
	defer func() { g.exact, g.subqueries = exact, subqueries }()
	var v value
	g.ownColumns(func() { v = g.filled(t, 1) })
	return g.over(v, g.windowSpec(t.needs, total, ids))
}

// over adds FILTER and OVER to a call, inside of the cast that DuckDB's has.
func (g *gen) over(v value, spec text) value {
	var filter text
	if g.chance(15) {
		filter = sqlf(" FILTER (WHERE %s)", g.condition(1))
	}
	put := func(s, filter, spec string) string {
		over := strings.NewReplacer("[F]", filter, "[W]", spec).Replace(s)
		switch at := strings.LastIndex(over, " AS "); {
		case strings.Contains(s, "[W]"):
			return over
		case strings.HasPrefix(over, "CAST(") && at > 0:
			return over[:at] + " OVER " + spec + over[at:]
		}
		return over + " OVER " + spec
	}
	v.alone = v.alone || spec.alone || filter.alone && strings.Contains(v.ours, "[F]")
	v.ours, v.opaque, v.duck = put(v.ours, filter.ours, spec.ours), put(v.opaque, filter.opaque, spec.opaque), put(v.duck, filter.duck, spec.duck)
	return v
}

// bounds are those of frames, in their order.
var bounds = []string{"UNBOUNDED PRECEDING", "%d PRECEDING", "CURRENT ROW", "%d FOLLOWING", "UNBOUNDED FOLLOWING"}

// windowSpec draws what stands in the parentheses of OVER.
func (g *gen) windowSpec(needs byte, total bool, ids []text) text {
	var parts []text
	if g.chance(60) {
		parts = append(parts, sqlf("PARTITION BY %s", g.key()))
	}
	framed := needs == 'A' || needs == 'F'
	small := slices.IndexFunc(g.scopes[len(g.scopes)-1], func(c column) bool { return c.bound > 0 && c.bound <= 1000 && c.kind.isInt() })
	switch n := g.Intn(10); {
	case needs == 'P' || n < 4 && needs == 'A': // the whole partition
	case n < 8 && needs == 'A' && small >= 0:
		parts = append(parts, sqlf("ORDER BY %s%s %s BETWEEN %s", g.scopes[len(g.scopes)-1][small], pick(g, []string{"", " DESC"}), pick(g, []string{"RANGE", "GROUPS"}), g.frame()))
	case total:
		direction := pick(g, []string{"", " DESC", " NULLS LAST"})
		keys := []text{}
		if g.chance(50) {
			k := g.key()
			if g.canOrder(k.kind) {
				keys = append(keys, sqlf("%s%s", k, direction))
			}
		}
		parts = append(parts, sqlf("ORDER BY %s", join(append(keys, ids...), ", ")))
		if framed && g.chance(60) {
			parts = append(parts, sqlf("ROWS BETWEEN %s", g.frame()))
		}
	case needs != 'A':
		k := g.key()
		for !g.canOrder(k.kind) {
			k = g.key()
		}
		parts = append(parts, sqlf("ORDER BY %s", k))
	}
	return sqlf("(%s)", join(parts, " "))
}

// frame draws the bounds of a frame.
func (g *gen) frame() string {
	from := g.Intn(4)
	to := max(1, from) + g.Intn(5-max(1, from))
	least := g.Intn(4)
	most := least + g.Intn(3)
	if from == 1 {
		least, most = most, least
	}
	put := func(bound string, n int) string {
		if strings.Contains(bound, "%d") {
			return fmt.Sprintf(bound, n)
		}
		return bound
	}
	return put(bounds[from], least) + " AND " + put(bounds[to], most)
}

// windowed draws a SELECT of calls with OVER, maybe with QUALIFY.
func (g *gen) windowed(want []kind, from, where text) query {
	var q query
	columns := append([]column{}, g.scopes[len(g.scopes)-1]...)
	for range 1 + g.Intn(3) {
		columns = append(columns, column{value: g.window()})
	}
	called := columns[len(columns)-1]
	subqueries := g.subqueries
	g.subqueries = 0
	var items []text
	g.scopes[len(g.scopes)-1] = columns
	for i, k := range want {
		items = append(items, g.named(&q, i, g.expr(k, 1)))
	}
	if len(want) < 3 {
		items = append(items, g.named(&q, len(want), called.value))
	}
	qualify := text{}
	if g.chance(15) {
		qualify = sqlf(" QUALIFY %s IS NOT NULL AND %s", called, g.condition(1))
	}
	g.subqueries = subqueries
	q.text = sqlf("SELECT %s FROM %s%s%s", join(items, ", "), from, where, qualify)
	return q
}
